// @ts-check
/**
 * Saw Yard, the five levels. Letters and saws as in `../../kit/dodge.js`; cells are [column, row] from the top left. The
 * seed deals the way round of a level, and where the coins of the first lie.
 */

import { turned } from '../../dealt/yards.js';

/** Up and down a column. @param {number} col @param {number} top @param {number} bottom @param {number} period
 * @param {number} [at] */
const pole = (col, top, bottom, period, at = 0) => ({ loop: [[col, top], [col, bottom]], period, at });

/** To and fro along a row. @param {number} row @param {number} left @param {number} right @param {number} period
 * @param {number} [at] */
const rail = (row, left, right, period, at = 0) => ({ loop: [[left, row], [right, row]], period, at });

/** Round a rectangle. @param {number} left @param {number} top @param {number} right @param {number} bottom
 * @param {number} period @param {number} [at] */
const ring = (left, top, right, bottom, period, at = 0) => ({
  loop: [[left, top], [right, top], [right, bottom], [left, bottom]],
  period,
  at,
});

/** @type {import('../../kit/dodge.js').Level[]} */
const levels = [
  {
    name: 'The Gate',
    map: [
      '##########################',
      '##########################',
      '##########################',
      '####SSS############GGG####',
      '####SSS............GGG####',
      '####SSS............GGG####',
      '####SSS............GGG####',
      '####SSS............GGG####',
      '####SSS............GGG####',
      '####SSS############GGG####',
      '##########################',
      '##########################',
      '##########################',
    ],
    saws: [
      pole(8, 4, 8, 120), pole(10, 4, 8, 120, 0.5), pole(12, 4, 8, 120, 0.1), pole(14, 4, 8, 120, 0.6),
      pole(16, 4, 8, 120, 0.2),
    ],
  },
  {
    name: 'Three Lanes',
    map: [
      '##########################',
      '##SS..................####',
      '##SS..............o...####',
      '##SS..................####',
      '###################...####',
      '###################...####',
      '##CC..................####',
      '##CC......o...........####',
      '##CC..................####',
      '##..######################',
      '##...............GGG######',
      '##...............GGG######',
      '##########################',
    ],
    saws: [
      pole(6, 1, 3, 80), pole(9, 1, 3, 80, 0.35), pole(12, 1, 3, 80, 0.7), pole(15, 1, 3, 80, 0.1),
      rail(4, 19, 21, 120), rail(7, 12, 20, 160), pole(8, 6, 8, 80, 0.5), pole(5, 6, 8, 80, 0.1),
      rail(11, 5, 15, 160, 0.3), rail(10, 5, 15, 160, 0.9),
    ],
  },
  {
    name: 'Windmills',
    map: [
      '##########################',
      '######.........###########',
      '######....o....####...####',
      '######.........####.o.####',
      'SSS###.........####...####',
      'SSS......................#',
      'SSS......................#',
      'SSS###...................#',
      '######.........CC........#',
      '######.........CC........#',
      '######....o....####...GGG#',
      '######.........####...GGG#',
      '##########################',
    ],
    saws: [
      { around: [10, 6], arms: 4, radii: [0, 1.2, 2.4, 3.6], period: 480 },
      { around: [20, 6.5], arms: 2, radii: [0, 1.1, 2.2], period: -240 },
    ],
  },
  {
    name: 'Round and Round',
    map: [
      '##########################',
      '#SS.........##...........#',
      '#SS.........##.........o.#',
      '####..####..##..######...#',
      '####..####..##..######...#',
      '####..####......######...#',
      '#...........CC...........#',
      '#...........CC...........#',
      '####..####......######...#',
      '####..####..##..######..##',
      '#...........##..######..##',
      '#........o..##..######GGG#',
      '##########################',
    ],
    saws: [
      ring(4, 1, 11, 6, 240), ring(4, 1, 11, 6, 240, 0.33), ring(4, 1, 11, 6, 240, 0.67),
      ring(11, 11, 4, 7, 240), ring(11, 11, 4, 7, 240, 0.5),
      ring(14, 1, 24, 7, 240), ring(14, 1, 24, 7, 240, 0.33), ring(14, 1, 24, 7, 240, 0.67),
      ring(23, 6, 15, 2, 480, 0.1), ring(23, 6, 15, 2, 480, 0.6),
    ],
  },
  {
    name: 'The Works',
    map: [
      '##########################',
      '#SSS..................o..#',
      '#SSS.....................#',
      '#####################....#',
      '#.........########o......#',
      '#...o.....########.......#',
      '#......CC................#',
      '#......CC................#',
      '#.........################',
      '#.........################',
      '####...................GG#',
      '####........o..........GG#',
      '##########################',
    ],
    saws: [
      pole(6, 1, 2, 60), pole(9, 1, 2, 60, 0.5), pole(12, 1, 2, 60), pole(15, 1, 2, 60, 0.5), pole(18, 1, 2, 60),
      { around: [22.5, 3.5], arms: 3, radii: [0, 1, 1.9], period: 240 },
      rail(4, 18, 24, 120), rail(7, 18, 24, 120, 0.5), pole(16, 6, 7, 60), pole(13, 6, 7, 60, 0.4), pole(10, 6, 7, 60, 0.8),
      ring(1, 4, 4, 9, 160), ring(1, 4, 4, 9, 160, 0.5), rail(9, 1, 9, 160, 0.2),
      pole(11, 10, 11, 60), pole(14, 10, 11, 60, 0.5), pole(17, 10, 11, 60, 0.2), pole(20, 10, 11, 60, 0.7),
      rail(10, 8, 21, 240),
    ],
  },
];

/** Where the two coins of the first level can lie, above and below the straight way between two saws: the seed deals it. */
const COINS = [9, 11, 13, 15].flatMap((col) => [4, 5].flatMap((high) => [7, 8].map((low) => [[col, high], [col, low]])));

/** @param {import('../../kit/dodge.js').Level} level @param {number[][]} cells */
const withCoins = (level, cells) => ({
  ...level,
  map: level.map.map((line, y) => [...line].map((char, x) => (cells.some(([col, row]) => col === x && row === y) ? 'o' : char)).join('')),
});

export const LEVELS = levels.map((level, i) => (i ? turned(level, i + 1) : COINS.flatMap((cells) => turned(withCoins(level, cells), 1))));
