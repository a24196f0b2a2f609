// @ts-check
/** Block Valley, what blocks there are and how long they take to mine. Frames. */

export const AIR = 0;
export const GRASS = 1;
export const DIRT = 2;
export const STONE = 3;
export const LOG = 4;
export const LEAVES = 5;
export const COAL = 6;
export const IRON = 7;
export const BEDROCK = 8;

/** `item`: what one gets; `tool`: what makes it quick; `quick`, `slow`: frames with that tool and without. */
export const BLOCKS = [
  { name: 'air', item: '', tool: '', quick: 0, slow: 0 },
  { name: 'grass', item: 'dirt', tool: 'shovel', quick: 11, slow: 20 },
  { name: 'dirt', item: 'dirt', tool: 'shovel', quick: 11, slow: 20 },
  { name: 'stone', item: 'stone', tool: 'pickaxe', quick: 14, slow: 55 },
  { name: 'wood_log', item: 'wood_log', tool: 'axe', quick: 13, slow: 35 },
  { name: 'leaves', item: 'leaves', tool: 'axe', quick: 6, slow: 9 },
  { name: 'coal_ore', item: 'coal_ore', tool: 'pickaxe', quick: 18, slow: 70 },
  { name: 'iron_ore', item: 'iron_ore', tool: 'pickaxe', quick: 24, slow: 90 },
  { name: 'bedrock', item: '', tool: '', quick: 0, slow: 0 },
];

export const TOOLS = ['pickaxe', 'axe', 'shovel'];
export const ITEMS = ['dirt', 'wood_log', 'leaves', 'stone', 'coal_ore', 'iron_ore'];
/** The hotbar, slots 1 to 9. */
export const SLOTS = [...TOOLS, ...ITEMS];
/** What is put down from each item. @type {Record<string, number>} */
export const PLACED = { dirt: DIRT, wood_log: LOG, leaves: LEAVES, stone: STONE, coal_ore: COAL, iron_ore: IRON };
