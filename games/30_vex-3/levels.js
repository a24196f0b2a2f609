// @ts-check
/**
 * Ink Runner, the act, in sections from left to right; each ends with a checkpoint, the last with the exit.
 * `#` block, `^` spikes, `f` block that crumbles, `S` saw that slides along its row,
 * `M` saw that goes up and down, `Z` crusher, `L` laser gate, `P` checkpoint, `@` start, `X` exit.
 */

import { sideBySide } from '../kit/stages.js';

const FIRST = [
  '................',
  '................',
  '................',
  '...@.......##..P',
  '######^^########',
  '################',
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
  '###########...####',
];
const CLIMB = [
  '..................##..',
  '.....................X',
  '.............L..######',
  '...........###..######',
  '.......M...###..######',
  '......##...###..######',
  '..##..##^^^###^^######',
  '######################',
  '######################',
];

export const ROWS = sideBySide([FIRST, TUNNEL, SAWS, CRUMBLE, CLIMB], 15);
