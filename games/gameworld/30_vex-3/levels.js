// @ts-check
/**
 * Ink Runner, the act, in sections from the start to the exit; each ends with a checkpoint, the last with the exit.
 * `#` block, `^` spikes, `f` block that crumbles, `S` saw that slides along its row,
 * `M` saw that goes up and down, `Z` crusher, `L` laser gate, `P` checkpoint, `@` start, `X` exit.
 */

import { changes, facing, wallPlan, wallWithLedges } from '../../dealt/stages.js';
import { stream } from '../../kit/random.js';
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

/** A wall; where `back`, its ledges are exchanged: the low one is beside the wall, so that one goes round it, jumps from it
 * back to the high one, and from there over the wall. @param {number[]} plan @param {number} back */
function wall(plan, back) {
  if (!back) return wallWithLedges(plan, LOW);
  const rows = wallWithLedges([plan[0], 0, 1], LOW);
  [rows[2], rows[4]] = [rows[4], rows[2]];
  return rows;
}

/** The act of a plan: three numbers of each of two walls, 1 for each that is climbed backwards, 1 if all goes to the left.
 * @param {number[]} plan */
export function rowsOf(plan) {
  const [back, backNext, turned] = plan.slice(6);
  const walls = [wall(plan.slice(0, 3), back), wall(plan.slice(3, 6), backNext)];
  return facing(turned, sideBySide([BEGIN, ...walls, FIRST, TUNNEL, SAWS, CRUMBLE, CLIMB], 15));
}

/** @param {import('../../kit/random.js').Rng} rng */
export function makePlan(rng) {
  const r = stream(rng, 'act');
  return [...wallPlan(r, 1, 4), ...wallPlan(r, 1, 4), ...changes(rng, 'walls', [2, 2, 2])];
}
