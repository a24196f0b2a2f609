// @ts-check
/** Dodge mazes of which the seed deals the way round: a level as it is, left and right exchanged, top and bottom, or both. */

import { begin, COLUMNS, prepare, ROWS } from '../kit/dodge.js';
import { stream } from '../kit/random.js';

/** @typedef {import('../kit/dodge.js').Level} Level */
/** @typedef {import('../kit/dodge.js').Prepared} Prepared */

/** A level in its four ways round. @param {Level} level @param {number} number @returns {Prepared[]} */
export function turned(level, number) {
  const { start } = prepare(level, number);
  return [0, 1, 2, 3].map((way) => {
    const [col, row] = placed(way, [start.col, start.row]);
    return { ...prepare(mirrored(level, way), number), start: { col, row } };
  });
}

/** A cell's place. @param {number} way bit 0: left and right are exchanged, bit 1: top and bottom @param {number[]} cell */
const placed = (way, [col, row]) => [way % 2 ? COLUMNS - 1 - col : col, way > 1 ? ROWS - 1 - row : row];

/** @param {Level} level @param {number} way @returns {Level} */
function mirrored(level, way) {
  const [across, down] = [way % 2 === 1, way > 1];
  const map = level.map.map((row) => (across ? [...row].reverse().join('') : row));
  if (down) map.reverse();
  const saws = level.saws.map((saw) => {
    if ('loop' in saw) return { ...saw, loop: saw.loop.map((cell) => placed(way, cell)) };
    const turn = (across === down ? 1 : -1) * (saw.at ?? 0) + (across ? 0.5 : 0);
    return { ...saw, around: placed(way, saw.around), period: across === down ? saw.period : -saw.period, at: turn };
  });
  return { ...level, map, saws };
}

/** The start of a level, the way round that the seed deals. @param {Prepared[]} ways @param {import('../kit/random.js').Rng} rng */
export function beginDealt(ways, rng) {
  const way = stream(rng, 'way').int(0, ways.length - 1);
  return { rng, way, ...begin(ways[way]) };
}
