// @ts-check
/**
 * Creatures, their moves and types, and the things in the bag.
 *
 * @typedef {'leaf'|'ember'|'tide'|'stone'|'gust'|'plain'} Type
 * @typedef {{title: string, type: Type, power: number, accuracy: number, uses: number, lowers?: 'attack'|'guard', raises?: 'attack'|'guard',
 *   poison?: number}} Move  accuracy and poison: percent; lowers: of the opponent; raises: its own
 * @typedef {{title: string, type: Type, hp: number, attack: number, guard: number, speed: number, ease: number, learns: [number, string][]}} Kind
 *   hp to speed: growth for ten levels; ease: percent by which it is easier to befriend; learns: level and move
 */

/** What a type does double damage to, and half. @type {Record<Type, {strong: Type[], weak: Type[]}>} */
export const TYPES = {
  leaf: { strong: ['tide', 'stone'], weak: ['leaf', 'ember', 'gust'] },
  ember: { strong: ['leaf'], weak: ['ember', 'tide', 'stone'] },
  tide: { strong: ['ember', 'stone'], weak: ['tide', 'leaf'] },
  stone: { strong: ['ember', 'gust'], weak: ['stone', 'leaf'] },
  gust: { strong: ['leaf'], weak: ['stone'] },
  plain: { strong: [], weak: ['stone'] },
};

/** @param {Type} type @param {Type} on */
export const factor = (type, on) => (TYPES[type].strong.includes(on) ? 2 : TYPES[type].weak.includes(on) ? 0.5 : 1);

/** @type {Record<string, Move>} */
export const MOVES = {
  bump: { title: 'Bump', type: 'plain', power: 6, accuracy: 95, uses: 35 },
  nip: { title: 'Nip', type: 'plain', power: 7, accuracy: 90, uses: 25 },
  stare: { title: 'Stare Down', type: 'plain', power: 0, accuracy: 95, uses: 30, lowers: 'attack' },
  wheedle: { title: 'Wheedle', type: 'plain', power: 0, accuracy: 95, uses: 30, lowers: 'guard' },
  hunker: { title: 'Hunker', type: 'plain', power: 0, accuracy: 100, uses: 30, raises: 'guard' },
  thorn: { title: 'Thorn Flick', type: 'leaf', power: 8, accuracy: 95, uses: 20 },
  spark: { title: 'Spark Spit', type: 'ember', power: 8, accuracy: 95, uses: 20 },
  spout: { title: 'Cold Spout', type: 'tide', power: 8, accuracy: 95, uses: 20 },
  pebble: { title: 'Pebble Volley', type: 'stone', power: 7, accuracy: 85, uses: 20 },
  swoop: { title: 'Swoop', type: 'gust', power: 7, accuracy: 95, uses: 25 },
  sour: { title: 'Sour Bite', type: 'leaf', power: 5, accuracy: 95, uses: 20, poison: 25 },
  briar: { title: 'Briar Crash', type: 'leaf', power: 11, accuracy: 90, uses: 10 },
  blaze: { title: 'Hearth Blast', type: 'ember', power: 11, accuracy: 90, uses: 10 },
  breaker: { title: 'Breaker', type: 'tide', power: 11, accuracy: 90, uses: 10 },
  flail: { title: 'Flail', type: 'plain', power: 5, accuracy: 90, uses: 1 },
};

/** @type {Record<string, Kind>} */
export const KINDS = {
  bramblet: { title: 'Bramblet', type: 'leaf', hp: 22, attack: 10, guard: 12, speed: 9, ease: 0, learns: [[1, 'bump'], [1, 'stare'], [6, 'thorn'], [10, 'briar']] },
  kilnkit: { title: 'Kilnkit', type: 'ember', hp: 20, attack: 12, guard: 9, speed: 13, ease: 0, learns: [[1, 'nip'], [1, 'stare'], [6, 'spark'], [10, 'blaze']] },
  puddlop: { title: 'Puddlop', type: 'tide', hp: 22, attack: 10, guard: 12, speed: 10, ease: 0, learns: [[1, 'bump'], [1, 'wheedle'], [6, 'spout'], [10, 'breaker']] },
  wrenlet: { title: 'Wrenlet', type: 'gust', hp: 17, attack: 10, guard: 9, speed: 14, ease: 20, learns: [[1, 'bump'], [4, 'swoop']] },
  nibbit: { title: 'Nibbit', type: 'plain', hp: 16, attack: 11, guard: 8, speed: 14, ease: 25, learns: [[1, 'nip'], [3, 'wheedle']] },
  silkgrub: { title: 'Silkgrub', type: 'leaf', hp: 19, attack: 7, guard: 8, speed: 7, ease: 30, learns: [[1, 'bump'], [4, 'sour']] },
  dustmoth: { title: 'Dustmoth', type: 'gust', hp: 18, attack: 10, guard: 9, speed: 12, ease: 10, learns: [[1, 'stare'], [1, 'swoop']] },
  pebblar: { title: 'Pebblar', type: 'stone', hp: 17, attack: 11, guard: 15, speed: 5, ease: 0, learns: [[1, 'bump'], [1, 'hunker'], [7, 'pebble']] },
  slabback: { title: 'Slabback', type: 'stone', hp: 22, attack: 12, guard: 16, speed: 6, ease: 0, learns: [[1, 'bump'], [1, 'stare'], [7, 'pebble']] },
  fernip: { title: 'Fernip', type: 'leaf', hp: 20, attack: 11, guard: 10, speed: 12, ease: 0, learns: [[1, 'nip'], [1, 'wheedle'], [6, 'thorn'], [10, 'briar']] },
  wickling: { title: 'Wickling', type: 'ember', hp: 21, attack: 11, guard: 10, speed: 12, ease: 0, learns: [[1, 'bump'], [1, 'stare'], [6, 'spark'], [10, 'blaze']] },
  eelkin: { title: 'Eelkin', type: 'tide', hp: 23, attack: 11, guard: 10, speed: 9, ease: 0, learns: [[1, 'nip'], [1, 'stare'], [6, 'spout'], [10, 'breaker']] },
  skreel: { title: 'Skreel', type: 'gust', hp: 17, attack: 11, guard: 8, speed: 13, ease: 15, learns: [[1, 'nip'], [4, 'swoop']] },
  sandflit: { title: 'Sandflit', type: 'plain', hp: 16, attack: 10, guard: 8, speed: 15, ease: 25, learns: [[1, 'nip'], [3, 'stare']] },
  mudpup: { title: 'Mudpup', type: 'stone', hp: 18, attack: 9, guard: 11, speed: 7, ease: 20, learns: [[1, 'bump'], [6, 'pebble']] },
  reedfly: { title: 'Reedfly', type: 'gust', hp: 15, attack: 9, guard: 8, speed: 15, ease: 25, learns: [[1, 'bump'], [5, 'swoop']] },
  mirehopper: { title: 'Mirehopper', type: 'leaf', hp: 18, attack: 9, guard: 9, speed: 10, ease: 15, learns: [[1, 'bump'], [4, 'sour']] },
  kettlecrab: { title: 'Kettlecrab', type: 'ember', hp: 18, attack: 12, guard: 13, speed: 7, ease: 0, learns: [[1, 'nip'], [1, 'hunker'], [7, 'spark']] },
  smeltoad: { title: 'Smeltoad', type: 'ember', hp: 23, attack: 13, guard: 13, speed: 8, ease: 0, learns: [[1, 'bump'], [1, 'stare'], [7, 'spark']] },
};

/** Things that a bag holds: price in coins, and what they do. */
export const ITEMS = {
  Bell: { price: 40, about: 'rung in a battle to befriend a wild creature; weak and poisoned ones listen sooner' },
  Balm: { price: 60, about: 'gives a creature 20 HP back and cures poison' },
};
export const BALM = 20;

/** @typedef {{kind: string, level: number, xp: number, hp: number, poison: boolean, moves: {id: string, left: number}[]}} Creature */

/** @param {Creature} c */
export const kindOf = (c) => KINDS[c.kind];
/** @param {Creature} c */
export const nameOf = (c) => KINDS[c.kind].title;
/** @param {Creature} c */
export const fullOf = (c) => 9 + c.level + Math.floor((c.level * kindOf(c).hp) / 20);
/** @param {Creature} c @param {'attack'|'guard'|'speed'} what */
export const statOf = (c, what) => 5 + Math.floor((c.level * kindOf(c)[what]) / 10);
/** Experience that leads to the next level. @param {number} level */
export const nextLevel = (level) => 6 + 3 * level;
/** Moves that a creature may know at once. */
const MOST_MOVES = 4;

/** @param {string} kind @param {number} level @returns {Creature} */
export function creature(kind, level) {
  /** @type {Creature} */
  const c = { kind, level, xp: 0, hp: 0, poison: false, moves: [] };
  for (const [at, id] of KINDS[kind].learns) if (at <= level) learn(c, id);
  c.hp = fullOf(c);
  return c;
}

/** Learns a move, in place of the oldest one if there are too many. @param {Creature} c @param {string} id */
export function learn(c, id) {
  if (c.moves.length === MOST_MOVES) c.moves.shift();
  c.moves.push({ id, left: MOVES[id].uses });
}

/** Gives back health and uses of moves, and cures poison. @param {Creature[]} party */
export function restore(party) {
  for (const c of party) {
    c.hp = fullOf(c);
    c.poison = false;
    for (const m of c.moves) m.left = MOVES[m.id].uses;
  }
}
