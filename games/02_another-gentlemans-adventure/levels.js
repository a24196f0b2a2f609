// @ts-check
/**
 * Rooftop Calling Hours, the way over the roofs, in sections from left to right.
 * `#` roof, `=` plank (stand-on-only), `c` crate, `k` crate with a coin in it, `o` coin, `E` bandit, `@` start, `X` door.
 */

import { sideBySide } from '../kit/stages.js';

const START = [
  '..@.......',
  '##########',
  '##########',
];
const GAP = [
  '.....o.....',
  '...........',
  '...........',
  '.......E...',
  '#...#######',
  '#...#######',
];
const CRATES = [
  '.......c....',
  '......ck....',
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
  '.......o......',
  '..............',
  '......c.......',
  '.....cc..E..X.',
  '##############',
  '##############',
];

export const ROWS = sideBySide([START, GAP, CRATES, BALCONY, PLANKS, HOME], 15);
