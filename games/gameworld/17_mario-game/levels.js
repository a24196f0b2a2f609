// @ts-check
/**
 * Bramble Lane, the stage, in sections from left to right. `#` earth, `B` brick, `?` block
 * with a coin, `!` block with a bun, `o` coin, `S` snail, `H` hopper, `T` stump, `@` start, `|` flag.
 */

import { wallWithLedge } from '../../dealt/stages.js';
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

/** The stage of a plan: two walls to climb, each with the columns before its ledge and between ledge and wall.
 * @param {number[]} plan */
export function rowsOf([before1, gap1, before2, gap2]) {
  const how = { wall: 'T' };
  return sideBySide([START, wallWithLedge(before1, gap1, how), FIRST, wallWithLedge(before2, gap2, how), BUN, HOLE, LOFT, MEADOW, END], 15);
}

/** @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [r.int(0, 5), r.int(1, 3), r.int(0, 3), r.int(1, 3)];
