// @ts-check
/**
 * Ink Runner, the act, in sections from left to right; each ends with a checkpoint, the last with the exit.
 * `#` block, `^` spikes, `f` block that crumbles, `S` saw that slides along its row,
 * `M` saw that goes up and down, `Z` crusher, `L` laser gate, `P` checkpoint, `@` start, `X` exit.
 */

import { wallWithLedge } from '../../dealt/stages.js';
import { sideBySide } from '../../kit/stages.js';

const BEGIN = [
  '...@..',
  '######',
  '######',
];
const FIRST = [
  '...........',
  '...........',
  '...........',
  '......##..P',
  '#^^########',
  '###########',
];
const TUNNEL = [
  '..#####..........',
  '..#####..........',
  '..#####..........',
  '................P',
  '#########...#####',
  '#########^^^#####',
];
const SAWS = [
  '................',
  '......###.......',
  '................',
  '................',
  '....S.......M..P',
  '##########.#####',
  '##########.#####',
];
const CRUMBLE = [
  '....Z...Z.........',
  '..................',
  '..................',
  '..................',
  '.................P',
  '###########ffff###',
  '###########....###',
];
const CLIMB = [
  '..................##..',
  '.....................X',
  '.............L..#######',
  '...........###..#######',
  '.......M...###..#######',
  '......##...###..#######',
  '..##..##^^^###^^#######',
  '#######################',
  '#######################',
];

/** Jumps reach three blocks. */
const LOW = { high: 4 };

/** The act of a plan: two walls to climb, each with the columns before its ledge and between ledge and wall.
 * @param {number[]} plan */
export function rowsOf([before1, gap1, before2, gap2]) {
  return sideBySide([BEGIN, wallWithLedge(before1, gap1, LOW), wallWithLedge(before2, gap2, LOW), FIRST, TUNNEL, SAWS, CRUMBLE, CLIMB], 15);
}

/** @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [r.int(1, 4), r.int(1, 3), r.int(1, 4), r.int(1, 3)];
