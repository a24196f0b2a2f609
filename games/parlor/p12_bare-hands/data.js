// @ts-check
/** Bare Hands, what there is: blocks, items, recipes, fuels, the eight things that tasks ask for. */

/**
 * @typedef {{name: string, hard: number, level: number, drop: string, open?: boolean, stony?: boolean, made?: boolean}} Block
 *   hard: frames of digging; level: of the pick that it needs; open: one can walk through it; made: somebody placed it
 */

export const AIR = '.';
export const WATER = 'w';
export const MAGMA = 'm';

/** Blocks by their letter in the world's rows. @type {Record<string, Block>} */
export const BLOCKS = {
  g: { name: 'turf', hard: 10, level: 0, drop: 'dirt' },
  d: { name: 'dirt', hard: 10, level: 0, drop: 'dirt' },
  a: { name: 'sand', hard: 10, level: 0, drop: 'sand' },
  v: { name: 'gravel', hard: 14, level: 0, drop: 'gravel' },
  l: { name: 'log', hard: 20, level: 0, drop: 'log', open: true },
  f: { name: 'leaves', hard: 6, level: 0, drop: '', open: true },
  r: { name: 'reed', hard: 6, level: 0, drop: 'reed', open: true },
  s: { name: 'stone', hard: 40, level: 1, drop: 'rubble', stony: true },
  x: { name: 'rubble', hard: 30, level: 1, drop: 'rubble', stony: true, made: true },
  p: { name: 'plank', hard: 16, level: 0, drop: 'plank', made: true },
  c: { name: 'ember_ore', hard: 44, level: 1, drop: 'ember', stony: true },
  i: { name: 'iron_ore', hard: 50, level: 2, drop: 'iron_ore', stony: true },
  o: { name: 'gold_ore', hard: 50, level: 3, drop: 'gold_ore', stony: true },
  k: { name: 'crystal_ore', hard: 56, level: 3, drop: 'crystal', stony: true },
  n: { name: 'nightglass', hard: 120, level: 4, drop: 'nightglass', stony: true },
  b: { name: 'bedrock', hard: Infinity, level: 9, drop: '' },
  w: { name: 'water', hard: Infinity, level: 9, drop: '', open: true },
  m: { name: 'magma', hard: Infinity, level: 9, drop: '', open: true },
  W: { name: 'workbench', hard: 20, level: 0, drop: 'workbench', made: true },
  K: { name: 'kiln', hard: 20, level: 1, drop: 'kiln', stony: true, made: true },
  C: { name: 'chest', hard: 20, level: 0, drop: 'chest', made: true },
};

/** Letters by the name of a block. */
export const LETTERS = Object.fromEntries(Object.entries(BLOCKS).map(([letter, { name }]) => [name, letter]));

/** Picks by level, the best last. */
export const PICKS = ['', 'wooden_pick', 'stone_pick', 'iron_pick', 'crystal_pick'];

/** @typedef {{makes: number, of: Record<string, number>, at?: 'workbench'}} Recipe */

/** @type {Record<string, Recipe>} */
export const RECIPES = {
  plank: { makes: 4, of: { log: 1 } },
  rod: { makes: 4, of: { plank: 2 } },
  workbench: { makes: 1, of: { plank: 4 } },
  wooden_pick: { makes: 1, of: { plank: 3, rod: 2 }, at: 'workbench' },
  chest: { makes: 1, of: { plank: 8 }, at: 'workbench' },
  stone_pick: { makes: 1, of: { rubble: 3, rod: 2 }, at: 'workbench' },
  kiln: { makes: 1, of: { rubble: 8 }, at: 'workbench' },
  iron_pick: { makes: 1, of: { iron_bar: 3, rod: 2 }, at: 'workbench' },
  pail: { makes: 1, of: { iron_bar: 3 }, at: 'workbench' },
  gilded_blade: { makes: 1, of: { gold_bar: 2, rod: 1 }, at: 'workbench' },
  crystal_pick: { makes: 1, of: { crystal: 3, rod: 2 }, at: 'workbench' },
  paper: { makes: 3, of: { reed: 3 }, at: 'workbench' },
  book: { makes: 1, of: { paper: 3, hide: 1 } },
  rune_desk: { makes: 1, of: { book: 1, crystal: 2, nightglass: 4 }, at: 'workbench' },
  striker: { makes: 1, of: { iron_bar: 1, flint: 1 } },
  echo_gate: { makes: 1, of: { nightglass: 10, striker: 1 }, at: 'workbench' },
};

/** What comes out of the kiln, by what goes in. @type {Record<string, string>} */
export const SMELTED = { iron_ore: 'iron_bar', gold_ore: 'gold_bar' };

/** Things that one piece of a fuel smelts. @type {Record<string, number>} */
export const FUELS = { ember: 8, log: 2, plank: 1 };

/** The eight things that tasks ask for, from easy to hard. */
export const WANTED = ['workbench', 'stone_pick', 'kiln', 'pail', 'gilded_blade', 'crystal_pick', 'rune_desk', 'echo_gate'];

/** Items that can be placed as blocks. */
export const PLACED = ['dirt', 'sand', 'gravel', 'rubble', 'plank', 'workbench', 'kiln', 'chest'];

/** All items, in the order in which they are shown. */
export const ITEMS = [
  'log', 'plank', 'rod', 'dirt', 'sand', 'gravel', 'flint', 'rubble', 'ember', 'iron_ore', 'iron_bar', 'gold_ore', 'gold_bar',
  'crystal', 'nightglass', 'reed', 'paper', 'hide', 'meat', 'book', 'striker', 'workbench', 'kiln', 'chest', 'wooden_pick',
  'stone_pick', 'iron_pick', 'crystal_pick', 'pail', 'gilded_blade', 'rune_desk', 'echo_gate',
];

/** Creatures. @type {Record<string, {hp: number, drops: Record<string, number>}>} */
export const MOBS = { grazer: { hp: 3, drops: { hide: 1, meat: 1 } }, prowler: { hp: 5, drops: {} } };

export const STACK = 64;
export const SLOTS = 36;
/** Blocks around the player in which commands look for things. */
export const RADIUS = 32;
/** Blocks around the player that can be dug, placed or struck. */
export const REACH = 3;
