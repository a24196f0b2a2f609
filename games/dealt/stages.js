// @ts-check
/** Stages that the seed deals: a wall that has to be climbed, and what belongs to a plan. Rules only. */

import { seeded, stream } from '../kit/random.js';

/**
 * Draws how a stage differs from the one that is written down: for each size, a number from 0 to one less. All are 0 with
 * seed 42, so that committed solutions play the stage as it is written.
 * @param {import('../kit/random.js').Rng} rng @param {string} name of the stream @param {number[]} sizes @returns {number[]}
 */
export function changes(rng, name, sizes) {
  const [drawn, usual] = [rng, seeded(42)].map((from) => stream(from, name));
  return sizes.map((n) => (drawn.int(0, n - 1) - usual.int(0, n - 1) + n) % n);
}

/** A stage, left and right exchanged where `turned`. @param {number} turned @param {string[]} rows */
export const facing = (turned, rows) => (turned ? rows.map((row) => [...row].reverse().join('')) : rows);

/**
 * A wall that is climbed over two ledges in front of it, which the seed places: who runs on without looking meets the
 * wall, and how far back the way up begins differs.
 * @param {number[]} plan columns before the low ledge, between the ledges, and between the high ledge and the wall
 * @param {{ledge?: string, wall?: string, ground?: string, low?: number}} [how] tiles; `low`: height of the low ledge in
 *   rows, the high ledge is two above it and the wall four
 * @returns {string[]}
 */
export function wallWithLedges([before, between, gap], { ledge = '#', wall = '#', ground = '#', low = 3 } = {}) {
  const high = low + 4;
  const rows = Array.from({ length: high }, (_, i) => {
    const lower = (i === 4 ? ledge : '.').repeat(2);
    const upper = (i === 2 ? ledge : '.').repeat(2);
    return `${'.'.repeat(before)}${lower}${'.'.repeat(between)}${upper}${'.'.repeat(gap)}${wall.repeat(2)}.`;
  });
  const width = rows[0].length;
  return [...rows, ground.repeat(width), ground.repeat(width)];
}

/** Draws the plan of a wall. @param {import('../kit/random.js').Stream} r @param {number} from @param {number} to columns before it
 * @returns {number[]} */
export const wallPlan = (r, from, to) => [r.int(from, to), r.int(1, 3), r.int(1, 2)];

/** Makes what belongs to a plan (numbers that the seed has drawn) once. @template T @param {(plan: number[]) => T} make
 * @returns {(plan: number[]) => T} */
export function madeOnce(make) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return (plan) => {
    const key = plan.join();
    if (!known.has(key)) known.set(key, make(plan));
    return /** @type {T} */ (known.get(key));
  };
}
