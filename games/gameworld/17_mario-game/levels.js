// @ts-check
/**
 * Bramble Lane, the stage, in sections from left to right. `#` earth, `B` brick, `?` block
 * with a coin, `!` block with a bun, `o` coin, `S` snail, `H` hopper, `T` stump, `@` start, `|` flag.
 */

import { wallPlan, wallWithLedges } from '../../dealt/stages.js';
import { sideBySide } from '../../kit/stages.js';

const START = [
  '..@..',
  '#####',
  '#####',
];
const FIRST = [
  '.....?...',
  '.........',
  '.........',
  '.........',
  '......S..',
  '...######',
  '...######',
];
const BUN = [
  '..........oooo.',
  '....B!B........',
  '...............',
  '..........BB...',
  '.......S..BB...',
  '###############',
  '###############',
];
const HOLE = [
  '..o.o......',
  '...........',
  '...........',
  '.....TT..S.',
  '##...TT####',
  '##...TT####',
];
const LOFT = [
  '.....oooo......',
  '...............',
  '....BBBBBB.....',
  '...............',
  '..?............',
  '...............',
  '...............',
  '......H...S..S.',
  '###############',
  '###############',
];
const MEADOW = [
  '...?.?.?......',
  '..............',
  '..............',
  '..............',
  '......S..H..S.',
  '##############',
  '##############',
];
const END = [
  '.....#......|...',
  '....##......|...',
  '...###......|...',
  '..####......|...',
  '.#####......|...',
  '################',
  '################',
];

/** The stage of a plan: two walls to climb, three numbers each.
 * @param {number[]} plan */
export function rowsOf(plan) {
  const how = { wall: 'T' };
  return sideBySide([START, wallWithLedges(plan.slice(0, 3), how), FIRST, wallWithLedges(plan.slice(3), how), BUN, HOLE, LOFT, MEADOW, END], 15);
}

/** @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [...wallPlan(r, 0, 5), ...wallPlan(r, 0, 3)];
