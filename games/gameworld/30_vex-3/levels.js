// @ts-check
/**
 * Ink Runner, the act, in sections from left to right; each ends with a checkpoint, the last with the exit.
 * `#` block, `^` spikes, `f` block that crumbles, `S` saw that slides along its row,
 * `M` saw that goes up and down, `Z` crusher, `L` laser gate, `P` checkpoint, `@` start, `X` exit.
 */

import { wallPlan, wallWithLedges } from '../../dealt/stages.js';
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
const LOW = { low: 2 };

/** The act of a plan: two walls to climb, three numbers each.
 * @param {number[]} plan */
export function rowsOf(plan) {
  return sideBySide([BEGIN, wallWithLedges(plan.slice(0, 3), LOW), wallWithLedges(plan.slice(3), LOW), FIRST, TUNNEL, SAWS, CRUMBLE, CLIMB], 15);
}

/** @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [...wallPlan(r, 1, 4), ...wallPlan(r, 1, 4)];
