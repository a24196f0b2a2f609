// @ts-check
/** Saw Yard Keys, the two levels. Letters and saws as in `../../kit/dodge.js`; cells are [column, row] from the top left. */

import { turned } from '../../dealt/yards.js';

/** Between two cells and back. @param {number[]} from @param {number[]} to @param {number} period @param {number} [at] */
const shuttle = (from, to, period, at = 0) => ({ loop: [from, to], period, at });

/** @type {import('../../kit/dodge.js').Level[]} */
const levels = [
  {
    name: 'Lock and Saw',
    map: [
      '##########################',
      '#SSS........#............#',
      '#SSS........#......o.....#',
      '#SSS..o.....#............#',
      '####........#............#',
      '####........D.......######',
      '####........D.......#....#',
      '####........#.......#..o.#',
      '#######..####CC######....#',
      '#...........#CC..........#',
      '#.k.........#............#',
      '#...........#.........GGG#',
      '##########################',
    ],
    saws: [
      shuttle([5, 1], [5, 6], 120), shuttle([7, 1], [7, 6], 120, 0.5), shuttle([10, 1], [10, 6], 120, 0.25),
      shuttle([4, 4], [11, 4], 160, 0.3), shuttle([4, 9], [4, 11], 80), shuttle([6, 9], [6, 11], 80, 0.4),
      { around: [16.5, 4], arms: 4, radii: [0, 1, 2, 3], period: 480 },
      shuttle([17, 9], [17, 11], 80), shuttle([19, 9], [19, 11], 80, 0.5), shuttle([21, 6], [24, 6], 80),
      shuttle([24, 8], [21, 8], 80, 0.2),
    ],
  },
  {
    name: 'Two Keys',
    map: [
      '##########################',
      '#.......######.........###',
      '#..k....######....o....###',
      '#.......######.........###',
      '#....................CC###',
      '#....................CC###',
      '####..####SSSSS###########',
      '####..####SSSSS#######GGG#',
      '####..####SSSSS#######GGG#',
      '#.................D......#',
      '#.k............CC.D...o..#',
      '#..............CC.D......#',
      '##########################',
    ],
    saws: [
      { around: [18, 3], arms: 3, radii: [0, 1, 2], period: 240 },
      shuttle([15, 1], [15, 5], 120), shuttle([20, 5], [20, 1], 120, 0.3),
      shuttle([8, 4], [8, 5], 60), shuttle([12, 5], [12, 4], 60, 0.4),
      { loop: [[2, 1], [5, 1], [5, 4], [2, 4]], period: 160 }, { loop: [[2, 1], [5, 1], [5, 4], [2, 4]], period: 160, at: 0.5 },
      shuttle([4, 7], [5, 7], 60), shuttle([4, 9], [4, 11], 80), shuttle([7, 9], [7, 11], 80, 0.5),
      shuttle([10, 11], [10, 9], 80, 0.2), shuttle([13, 9], [13, 11], 80, 0.7),
      shuttle([20, 9], [20, 11], 80), shuttle([19, 10], [24, 10], 120, 0.2),
    ],
  },
];
export const LEVELS = levels.map((level, i) => turned(level, i + 1));
