// @ts-check
/**
 * Hiccup Wing, the five caves, one screen each. `#` rock, `^` thorns, `@` start, `N` nest. The seed deals on which side
 * the bird starts, where the rock of each cave stands, and where its nest is.
 */

import { changes, facing } from '../../dealt/stages.js';
import { stream } from '../../kit/random.js';

/** A cave that is dealt: draws the numbers of its plan, and makes its rows of them.
 * @typedef {{draw: (rng: import('../../kit/random.js').Rng) => number[], rows: (plan: number[]) => string[]}} Dealt */

const COLUMNS = 32;
const ROWS = 18;
/** The row of the floor. */
const FLOOR = 16;

/** A cave of blocks `[char, first column, last column, first row, last row]`, left and right exchanged where `turned`.
 * @param {number} turned @param {[string, number, number, number, number][]} blocks @returns {string[]} */
function cave(turned, blocks) {
  const grid = Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, col) => (row === 0 || row >= FLOOR || col === 0 || col === COLUMNS - 1 ? '#' : '.')),
  );
  for (const [char, left, right, top, bottom] of blocks) {
    for (let row = top; row <= bottom; row++) grid[row].fill(char, left, right + 1);
  }
  return facing(turned, grid.map((row) => row.join('')));
}

/** A pocket with a nest in it: the row of its floor, its roof four rows above, the column at its open end, where a lip is,
 * and the column of its nest. @param {number} floor @param {number} open @param {number} nest
 * @returns {[string, number, number, number, number][]} */
function pocket(floor, open, nest) {
  const back = nest + Math.sign(nest - open);
  const [from, to] = [Math.min(open, back), Math.max(open, back)];
  return [
    ['#', from, to, floor, floor + 1], ['#', from, to, floor - 6, floor - 5], ['#', back, back, floor - 4, floor - 1],
    ['#', open, open, floor - 1, floor - 1], ['N', nest, nest, floor - 1, floor - 1],
  ];
}

/** A pillar, and a nest in a pocket: in the wall behind the pillar, with its back to the pillar, or over the start.
 * @type {Dealt} */
const egg = {
  draw(rng) {
    const r = stream(rng, 'rock');
    return [r.int(0, 1), r.int(0, 2), r.int(0, 3), r.int(0, 4), r.int(0, 6)];
  },
  rows([turned, kind, column, top, height]) {
    const pillar = 11 + column + (kind ? 0 : 4);
    const rock = [
      pocket(9 + height % 5, 8 + column, 2), pocket(9 + height, 25 - top % 2, 20 - column % 2), pocket(9 + height, 26 - top, COLUMNS - 3),
    ][kind];
    return cave(turned, [...rock, ['#', pillar, pillar + 1, 5 + top, FLOOR - 1], ['@', 3, 3, FLOOR - 1, FLOOR - 1]]);
  },
};

/** Over a pillar, under a column that hangs from the ceiling, over a pillar, and into a pocket. @type {Dealt} */
const ups = {
  draw(rng) {
    const r = stream(rng, 'rock');
    return [r.int(0, 1), r.int(0, 2), r.int(0, 3), r.int(0, 2), r.int(0, 3), r.int(0, 5)];
  },
  rows([turned, first, top, second, bottom, height]) {
    const [a, b, c] = [5 + first, 11 + first + second, 18 + second];
    return cave(turned, [
      ['^', 6, COLUMNS - 6, FLOOR, FLOOR],
      ['#', a, a + 1, 4 + top, FLOOR - 1],
      ['#', b, b + 1, 1, 8 + bottom], ['^', b, b + 1, 9 + bottom, 9 + bottom],
      ['#', c, c + 1, 7 - top, FLOOR - 1],
      ...pocket(8 + height, 25, COLUMNS - 3),
      ['@', 2, 2, FLOOR - 1, FLOOR - 1],
    ]);
  },
};

/** Over a pillar, under thorns, over a higher pillar, to a nest on the floor or in a pocket above it; or into a pocket over the start. @type {Dealt} */
const pillars = {
  draw: (rng) => changes(rng, 'pillars', [2, 3, 3, 3, 3, 6]),
  rows: ([turned, start, low, right, high, nest]) =>
    cave(turned, [
      ['^', 15, 20, FLOOR, FLOOR],
      ['#', 10, 14, 1, 4], ['^', 10, 14, 5, 5],
      ['#', 13, 14, 9 + low, FLOOR - 1],
      ['#', 21 + right, 22 + right, 5 + high, FLOOR - 1],
      ...nest ? (nest < 4 ? pocket(6 + 2 * nest, 27, 29) : pocket(4 + nest, 7, 2)) : [['N', 29, 29, FLOOR - 1, FLOOR - 1]],
      ['@', 3 - start, 3 - start, FLOOR - 1, FLOOR - 1],
    ]),
};

/** Up through the gap of a floor, and through that of the next one, nearer to its other end; to a nest at either end of the
 * upper storey; or only through the first one, into a pocket. @type {Dealt} */
const stairwell = {
  draw: (rng) => changes(rng, 'stairwell', [2, 3, 4, 4, 3]),
  rows: ([turned, start, low, high, place]) => {
    /** @type {[string, number, number, number, number][][]} */
    const nests = [
      [['N', 3, 3, 3, 3]],
      [['#', 28, 30, 4, 5], ['N', 29, 29, 3, 3]],
      pocket(10, 25, 29),
    ];
    return cave(turned, [
      ['#', 0, 3 * low, 10, 11], ['#', 8 + 3 * low, COLUMNS - 1, 10, 11],
      ['#', 0, 22 - 3 * high, 4, 5], ['#', COLUMNS - 1 - 3 * high, COLUMNS - 1, 4, 5],
      ['@', 29 - start, 29 - start, FLOOR - 1, FLOOR - 1], ...nests[place],
    ]);
  },
};

/** Over a wall, between thorns and rock, and over a low pillar, to a nest on the floor or on the rock above it; or only over
 * the wall, to a nest on the floor behind it. @type {Dealt} */
const thorns = {
  draw: (rng) => changes(rng, 'thorns', [2, 3, 3, 3, 3, 3]),
  rows: ([turned, start, left, high, right, place]) => {
    const [column, floor] = [[29, FLOOR], [29, 9], [13, FLOOR]][place];
    return cave(turned, [
      ['#', 8 - left, 9 - left, 4 + high, FLOOR - 1],
      ['^', 14, 22, 5, 5], ['#', 14, 22, 6, 9], ['^', 14, 22, 10, 10],
      ['#', 27, COLUMNS - 1, 9, 12], ['#', 19 + right, 20 + right, 13, FLOOR - 1],
      ['@', 3 - start, 3 - start, FLOOR - 1, FLOOR - 1], ['N', column, column, floor - 1, floor - 1],
    ]);
  },
};

export const LEVELS = [
  { name: 'Out of the egg', ...egg },
  { name: 'Two pillars', ...pillars },
  { name: 'The stairwell', ...stairwell },
  { name: 'Up, down and up again', ...ups },
  { name: 'Under the thorns', ...thorns },
];
