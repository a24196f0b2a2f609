// @ts-check
/**
 * Rooftop Calling Hours, the way over the roofs, in sections from the start to the door.
 * `#` roof, `=` plank (stand-on-only), `c` crate, `?` question block, `o` coin, `E` bandit, `@` start, `X` door.
 */

import { changes, facing, wallPlan, wallWithLedges } from '../../dealt/stages.js';
import { stream } from '../../kit/random.js';
import { sideBySide } from '../../kit/stages.js';

const START = [
  '..@...',
  '######',
  '######',
];
const GAP = [
  '.....?.....',
  '...........',
  '...........',
  '.......E...',
  '#...#######',
  '#...#######',
];
const CRATES = [
  '...?........',
  '............',
  '.......c....',
  '......cc....',
  '############',
  '############',
];
const BALCONY = [
  '.......E..o....',
  '....########...',
  '...............',
  '...............',
  '.==............',
  '...............',
  '........E......',
  '###############',
  '###############',
];
const PLANKS = [
  '........o......',
  '...............',
  '.......===.....',
  '...==..........',
  '...............',
  '#...........###',
  '#...........###',
];
const HOME = [
  '.......?......',
  '..............',
  '......c.......',
  '.....cc..E..X.',
  '##############',
  '##############',
];

/** A wall; where `back`, its ledges are exchanged: the low one is beside the wall, so that one goes round it, jumps from it
 * back to the high one, and from there over the wall. @param {number[]} plan @param {number} back */
function wall(plan, back) {
  if (!back) return wallWithLedges(plan);
  const rows = wallWithLedges([plan[0], 0, 1]);
  [rows[2], rows[4]] = [rows[4], rows[2]];
  return rows;
}

/** The way over the roofs of a plan: three numbers of each of two walls, 1 for each that is climbed backwards, 1 if all goes to the left.
 * @param {number[]} plan */
export function rowsOf(plan) {
  const [back, backNext, turned] = plan.slice(6);
  const walls = [wall(plan.slice(0, 3), back), wall(plan.slice(3, 6), backNext)];
  return facing(turned, sideBySide([START, ...walls, GAP, CRATES, BALCONY, PLANKS, HOME], 15));
}

/** @param {import('../../kit/random.js').Rng} rng */
export function makePlan(rng) {
  const r = stream(rng, 'way');
  return [...wallPlan(r, 1, 6), ...wallPlan(r, 1, 6), ...changes(rng, 'roofs', [2, 2, 2])];
}
