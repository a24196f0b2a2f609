// @ts-check
/**
 * Rooftop Calling Hours, the way over the roofs, in sections from left to right.
 * `#` roof, `=` plank (stand-on-only), `c` crate, `?` question block, `o` coin, `E` bandit, `@` start, `X` door.
 */

import { wallPlan, wallWithLedges } from '../../dealt/stages.js';
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

/** The way of a plan: two walls to climb, three numbers each.
 * @param {number[]} plan */
export function rowsOf(plan) {
  return sideBySide([START, wallWithLedges(plan.slice(0, 3)), wallWithLedges(plan.slice(3)), GAP, CRATES, BALCONY, PLANKS, HOME], 15);
}

/** @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [...wallPlan(r, 1, 6), ...wallPlan(r, 1, 6)];
