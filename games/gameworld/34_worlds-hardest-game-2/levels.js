// @ts-check
/**
 * Saw Yard Keys, the two levels. Letters and saws as in `../../kit/dodge.js`; cells are [column, row] from the top left. The
 * seed deals the way round of a level, and the first yard of the first.
 */

import { turned } from '../../dealt/yards.js';

/** Between two cells and back. @param {number[]} from @param {number[]} to @param {number} period @param {number} [at] */
const shuttle = (from, to, period, at = 0) => ({ loop: [from, to], period, at });

/** @type {import('../../kit/dodge.js').Level[]} */
const levels = [
  {
    name: 'Lock and Saw',
    map: [
      '##########################',
      '#SSS....#...#............#',
      '#SSS....#...#......o.....#',
      '#SSS....#...#............#',
      '####....#...#............#',
      '####....#...D.......######',
      '####....#...D.......#....#',
      '####....#...#.......#..o.#',
      '#######..####CC######....#',
      '#...........#CC..........#',
      '#...k.......#............#',
      '#...........#.........GGG#',
      '##########################',
    ],
    saws: [
      shuttle([5, 1], [5, 6], 120), shuttle([7, 1], [7, 6], 120, 0.75), shuttle([10, 1], [10, 6], 120),
      shuttle([4, 4], [7, 4], 80, 0.3), shuttle([5, 9], [5, 11], 80), shuttle([7, 9], [7, 11], 80, 0.4),
      { around: [16.5, 4], arms: 4, radii: [0, 1, 2, 3], period: 480, at: 0.125 },
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

/** The first yard of the first level: the row of the gap in its wall, and the cell of the coin behind it, at least two rows
 * from the gap. */
const YARDS = [4, 5, 6].flatMap((gap) =>
  [9, 11].flatMap((col) => [2, 3, 4, 5, 6, 7].filter((row) => Math.abs(row - gap) > 1).map((row) => ({ gap, coin: [col, row] }))),
);

/** @param {import('../../kit/dodge.js').Level} level @param {{gap: number, coin: number[]}} yard */
function withYard(level, { gap, coin }) {
  const grid = level.map.map((row) => [...row]);
  grid[gap][8] = '.';
  grid[coin[1]][coin[0]] = 'o';
  return { ...level, map: grid.map((row) => row.join('')) };
}

export const LEVELS = [YARDS.flatMap((yard) => turned(withYard(levels[0], yard), 1)), turned(levels[1], 2)];
