// @ts-check
/**
 * A dyer's house for a number: five orders of colours, each told in one room and asked for in another.
 *
 * Solvable by construction: every clue is in sight from the start, every lock holds one spool, and the loom wants exactly
 * these five.
 *
 * @typedef {'coffer'|'press'|'hutch'|'cupboard'|'bells'} Lock
 */

import { stream } from '../../kit/random.js';

export const COLORS = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'];
export const PLANTS = ['poppy', 'thistle', 'fern', 'tulip', 'clover', 'berry'];
/** @type {Lock[]} */
export const LOCKS = ['coffer', 'press', 'hutch', 'cupboard', 'bells'];
export const SHELVES = ['I', 'II', 'III', 'IV'];
const FIRST = ['red', 'yellow', 'blue'];

/** What two dyes make. @param {string[]} two */
export function mixed([a, b]) {
  if (a === b) return a;
  return { redyellow: 'orange', blueyellow: 'green', bluered: 'purple' }[[a, b].sort().join('')] ?? a;
}

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `dyer ${options.case}`, streams: {} }, 'case');
  const some = (/** @type {number} */ n) => r.shuffle(COLORS).slice(0, n);
  const line = some(5);
  const cloths = some(5);
  // Three shelves of four mix two dyes, the fourth has the same one twice; none is asked for at its own place.
  const jars = r.shuffle(SHELVES.map((_, i) => (i ? r.shuffle(FIRST).slice(0, 2) : Array(2).fill(r.pick(FIRST)))));
  const ask = r.pick([[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0], [1, 2, 3, 0], [3, 0, 1, 2], [1, 3, 0, 2], [2, 0, 3, 1]]);
  const dyes = r.shuffle(COLORS);
  const bed = r.shuffle(PLANTS).slice(0, 4);
  const song = [r.pick(COLORS)];
  while (song.length < 5) song.push(r.pick(COLORS.filter((c) => c !== song[song.length - 1])));
  const banner = some(5);
  const spools = r.shuffle(banner);
  return {
    line, cloths, jars, ask, bed, song, banner,
    plants: Object.fromEntries(PLANTS.map((p, i) => [p, dyes[i]])),
    holds: Object.fromEntries(LOCKS.map((l, i) => [l, spools[i]])),
    codes: {
      // From the window of the office the line is seen from its other side.
      coffer: [...line].reverse(),
      press: cloths,
      hutch: bed.map((p) => dyes[PLANTS.indexOf(p)]),
      cupboard: ask.map((i) => mixed(jars[i])),
      bells: song,
    },
  };
}
