// @ts-check
/**
 * Wound Up, the tables: toys, buildings, research and orders. Costs are [tin, oil]; times are in seconds, lengths in pixels.
 *
 * @typedef {{name: string, cost: [number, number], room: number, time: number, at: string, needs: string, hp: number, armor: number,
 *   speed: number, range: number, damage: number, cooldown: number, sight: number, air: boolean, heavy: boolean, hits: string,
 *   light: number, hard: number, splash: number, heal: number}} Unit
 * @typedef {{name: string, cost: [number, number], time: number, needs: string, hp: number, armor: number, sight: number,
 *   range: number, damage: number, cooldown: number, room: number}} Building
 * @typedef {{name: string, cost: [number, number], time: number, at: string, needs: string, does: string}} Research
 */

/** @param {Partial<Unit> & {name: string}} u @returns {Unit} */
const unit = (u) => ({
  cost: [50, 0], room: 1, time: 12, at: 'workshop', needs: '', hp: 40, armor: 0, speed: 40, range: 14, damage: 0, cooldown: 1.2,
  sight: 150, air: false, heavy: false, hits: 'ground', light: 0, hard: 0, splash: 0, heal: 0, ...u,
});

/** `light` and `hard`: damage beyond `damage` to light and to heavy toys. @type {Record<string, Unit>} */
export const UNITS = {
  mouse: unit({ name: 'mouse', at: 'chest', damage: 4, sight: 130, speed: 46 }),
  drummer: unit({ name: 'drummer', cost: [100, 0], room: 2, time: 22, hp: 150, armor: 1, speed: 38, damage: 15, cooldown: 1 }),
  top: unit({ name: 'spinning top', cost: [75, 25], room: 1, time: 18, needs: 'workbench', hp: 80, speed: 64, damage: 7, light: 9, cooldown: 0.9 }),
  frog: unit({ name: 'frog', cost: [100, 25], room: 2, time: 24, needs: 'workbench', hp: 130, speed: 40, range: 78, damage: 9, light: 11, cooldown: 1.4 }),
  slinger: unit({ name: 'slinger', cost: [125, 50], room: 2, time: 25, needs: 'workbench', hp: 150, armor: 1, speed: 42, range: 96, damage: 11, hard: 6, cooldown: 1.2, heavy: true, hits: 'both' }),
  patcher: unit({ name: 'patcher', cost: [50, 75], room: 2, time: 22, needs: 'workbench', hp: 90, speed: 38, range: 84, heal: 4 }),
  conductor: unit({ name: 'conductor', cost: [50, 150], room: 2, time: 34, needs: 'music_room', hp: 80, speed: 36, range: 110, damage: 4, hits: 'both' }),
  bear: unit({ name: 'bear', cost: [250, 100], room: 4, time: 36, at: 'foundry', hp: 320, armor: 3, speed: 34, range: 84, damage: 20, hard: 26, cooldown: 1.2, heavy: true }),
  cannon: unit({ name: 'cannon', cost: [300, 175], room: 6, time: 46, at: 'foundry', needs: 'press_hall', hp: 210, armor: 1, speed: 32, range: 136, damage: 13, light: 7, splash: 28, cooldown: 1.3, heavy: true }),
  lantern: unit({ name: 'lantern', cost: [25, 50], room: 1, time: 18, at: 'foundry', hp: 50, speed: 58, sight: 230, air: true }),
  kite: unit({ name: 'kite', cost: [150, 75], room: 2, time: 24, at: 'loft', hp: 130, speed: 70, range: 84, damage: 10, light: 4, cooldown: 1, air: true, hits: 'both' }),
  glider: unit({ name: 'glider', cost: [225, 150], room: 4, time: 38, at: 'loft', hp: 220, armor: 1, speed: 46, range: 76, damage: 13, hard: 14, cooldown: 0.9, air: true, heavy: true, hits: 'both' }),
  airship: unit({ name: 'airship', cost: [350, 250], room: 6, time: 56, at: 'loft', needs: 'mast', hp: 420, armor: 2, speed: 32, range: 140, damage: 28, cooldown: 1.1, air: true, heavy: true, hits: 'both' }),
};

/** @param {Partial<Building> & {name: string}} b @returns {Building} */
const building = (b) => ({ cost: [150, 0], time: 30, needs: 'chest', hp: 700, armor: 1, sight: 140, range: 0, damage: 0, cooldown: 1, room: 0, ...b });

/** @type {Record<string, Building>} */
export const BUILDINGS = {
  chest: building({ name: 'toy chest', cost: [400, 0], time: 60, needs: '', hp: 1300, room: 14, sight: 190 }),
  shelf: building({ name: 'shelf', cost: [100, 0], time: 16, hp: 350, room: 8 }),
  oil_press: building({ name: 'oil press', cost: [75, 0], time: 18, hp: 450 }),
  workshop: building({ name: 'workshop', time: 38, needs: 'shelf', hp: 800 }),
  workbench: building({ name: 'workbench', time: 30, needs: 'workshop' }),
  anvil: building({ name: 'anvil', time: 28 }),
  tower: building({ name: 'popgun tower', time: 24, needs: 'anvil', hp: 300, sight: 170, range: 122, damage: 20, cooldown: 1.1 }),
  post: building({ name: 'winding post', cost: [100, 0], time: 22, needs: 'workbench', hp: 260 }),
  clock: building({ name: 'clock tower', cost: [150, 100], time: 32, needs: 'workbench' }),
  foundry: building({ name: 'foundry', cost: [150, 100], time: 40, needs: 'workbench', hp: 800 }),
  press_hall: building({ name: 'press hall', cost: [150, 150], time: 38, needs: 'foundry' }),
  loft: building({ name: 'kite loft', cost: [150, 150], time: 38, needs: 'workbench', hp: 800 }),
  mast: building({ name: 'mooring mast', cost: [250, 200], time: 40, needs: 'loft' }),
  music_room: building({ name: 'music room', cost: [150, 200], time: 34, needs: 'clock', hp: 600 }),
};

/** Three steps of one kind. @param {string} id @param {string} name @param {string} at @param {string} does @param {number} cost */
const steps = (id, name, at, does, cost) =>
  [1, 2, 3].map((n) => [`${id}_${n}`, { name: `${name} ${n}`, cost: [cost * n, cost * n], time: 50 + 15 * n, at, needs: n > 1 ? `${id}_${n - 1}` : '', does }]);

/** @type {Record<string, Research>} */
export const RESEARCH = Object.fromEntries([
  ...steps('blades', 'sharper edges', 'anvil', 'a tenth more damage of toys on the ground', 100),
  ...steps('plates', 'thicker tin', 'anvil', '1 more armor of toys on the ground', 100),
  ...steps('wings', 'truer wings', 'workbench', 'a tenth more damage of flying toys', 100).slice(0, 2),
  ...steps('hulls', 'stiffer hulls', 'workbench', '1 more armor of flying toys', 100).slice(0, 2),
  ['swift_workshop', { name: 'swift workshop', cost: [50, 50], time: 50, at: 'workbench', needs: '', does: 'workshops are a quarter faster' }],
  ['march', { name: 'quick march', cost: [100, 100], time: 60, at: 'clock', needs: '', does: 'drummers are a third faster' }],
  ['spring_legs', { name: 'spring legs', cost: [100, 100], time: 60, at: 'clock', needs: '', does: 'frogs shoot half as fast again' }],
  ['long_slings', { name: 'long slings', cost: [150, 150], time: 65, at: 'clock', needs: '', does: 'slingers reach 24 further' }],
  ['long_barrel', { name: 'long barrel', cost: [150, 150], time: 65, at: 'press_hall', needs: '', does: 'cannons reach 30 further' }],
  ['big_lens', { name: 'big lens', cost: [100, 100], time: 45, at: 'press_hall', needs: '', does: 'lanterns are half as fast again' }],
  ['spark', { name: 'spark', cost: [150, 200], time: 65, at: 'music_room', needs: '', does: 'conductors can throw a spark at a crowd' }],
  ['long_tails', { name: 'long tails', cost: [150, 150], time: 60, at: 'mast', needs: '', does: 'kites reach 24 further' }],
]);

/** What the army and the mice can be told, in words. @type {Record<string, string>} */
export const COMMANDS = {
  attack: 'The army attacks the nearest known enemy building; if none is known, it goes where the enemy began.',
  attack_half: 'Half of the army attacks.',
  attack_ground: 'The toys of the army that walk attack.',
  attack_air: 'The flying toys of the army attack.',
  raid_mice: 'Spinning tops and kites attack the mice of the enemy.',
  retreat: 'The army goes home.',
  retreat_wounded: 'Toys with less than 40 percent of their health go home.',
  defend_home: 'The army goes to your first toy chest and attacks enemies there.',
  defend_outpost: 'The army goes to your newest toy chest and attacks enemies there.',
  gather_front: 'The army gathers on the way to the enemy, short of the middle.',
  scout_mouse: 'A mouse looks at the yard that you have not seen for the longest time.',
  scout_drummer: 'A drummer looks at that yard.',
  scout_lantern: 'A lantern looks at that yard.',
  scout_kite: 'A kite looks at that yard.',
  recall_scouts: 'All scouts come home.',
  mice_to_oil: 'Three mice go from tin to oil.',
  mice_to_tin: 'Three mice go from oil to tin.',
  spread_mice: 'Mice move from the yard with the most mice to the one with the fewest.',
  mice_fight: 'All mice fight near your toy chest.',
  mice_work: 'Fighting mice go back to work.',
  repair: 'Mice repair the most damaged building, 2 tin for every 10 health.',
  wind_chest: 'Wind up a toy chest: it works twice as fast for 20 seconds. Costs 50 winding.',
  wind_workshop: 'Wind up a workshop.',
  wind_machines: 'Wind up a foundry or kite loft.',
  wind_research: 'Wind up a building that researches.',
  spark: 'A conductor in the field throws a spark at the densest crowd of enemies in reach. Costs 60 of its energy.',
  empty: 'Do nothing for a second.',
};

/** Everything that can be ordered: 72 orders. @type {{id: string, kind: 'train'|'build'|'research'|'command', what: string}[]} */
export const ORDERS = [
  ...Object.keys(UNITS).map((what) => ({ id: `train_${what}`, kind: /** @type {const} */ ('train'), what })),
  ...Object.keys(BUILDINGS).map((what) => ({ id: `build_${what}`, kind: /** @type {const} */ ('build'), what })),
  ...Object.keys(RESEARCH).map((what) => ({ id: `research_${what}`, kind: /** @type {const} */ ('research'), what })),
  ...Object.keys(COMMANDS).map((what) => ({ id: what, kind: /** @type {const} */ ('command'), what })),
];

/** Tin and oil together, of toys that fight. @param {string} kind */
export const worth = (kind) => (kind === 'mouse' ? 0 : UNITS[kind].cost[0] + UNITS[kind].cost[1]);

/** A name with its article. @param {string} name */
export const an = (name) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

/** The same at the start of a sentence. @param {string} name */
export const An = (name) => `${/^[aeiou]/.test(name) ? 'An' : 'A'} ${name}`;
