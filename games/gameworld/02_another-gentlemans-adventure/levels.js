// @ts-check
/**
 * Rooftop Calling Hours, the way over the roofs, in sections from left to right.
 * `#` roof, `=` plank (stand-on-only), `c` crate, `?` question block, `o` coin, `E` bandit, `@` start, `X` door.
 */

import { wallWithLedge } from '../../dealt/stages.js';
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

/** The way of a plan: two walls to climb, each with the columns before its ledge and between ledge and wall.
 * @param {number[]} plan */
export function rowsOf([before1, gap1, before2, gap2]) {
  return sideBySide([START, wallWithLedge(before1, gap1), wallWithLedge(before2, gap2), GAP, CRATES, BALCONY, PLANKS, HOME], 15);
}

/** @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [r.int(1, 6), r.int(1, 3), r.int(1, 6), r.int(1, 3)];
