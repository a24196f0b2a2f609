// @ts-check
/**
 * Hiccup Wing, the five caves, one screen each. `#` rock, `^` thorns, `@` start, `N` nest. The seed deals where the rock
 * of the first and the fourth cave stands, where their nest is, and on which side the bird starts; the others are fixed.
 */

/** @typedef {import('../../kit/random.js').Stream} Stream */
/** A cave that is dealt: draws the numbers of its plan, and makes its rows of them.
 * @typedef {{draw: (r: Stream) => number[], rows: (plan: number[]) => string[]}} Dealt */

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
  return grid.map((row) => (turned ? row.reverse() : row).join(''));
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
  draw: (r) => [r.int(0, 1), r.int(0, 2), r.int(0, 3), r.int(0, 4), r.int(0, 6)],
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
  draw: (r) => [r.int(0, 1), r.int(0, 2), r.int(0, 3), r.int(0, 2), r.int(0, 3), r.int(0, 5)],
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

const PILLARS = [
  '################################',
  '#.........#####................#',
  '#.........#####................#',
  '#.........#####................#',
  '#.........#####................#',
  '#.........^^^^^......##........#',
  '#....................##........#',
  '#....................##........#',
  '#....................##........#',
  '#............##......##........#',
  '#............##......##........#',
  '#............##......##........#',
  '#............##......##........#',
  '#............##......##........#',
  '#............##......##........#',
  '#..@.........##......##......N.#',
  '###############^^^^^^###########',
  '################################',
];
const STAIRWELL = [
  '################################',
  '#..............................#',
  '#..............................#',
  '#..N...........................#',
  '#######################........#',
  '#######################........#',
  '#..............................#',
  '#..............................#',
  '#..............................#',
  '#..............................#',
  '#.......########################',
  '#.......########################',
  '#..............................#',
  '#..............................#',
  '#..............................#',
  '#............................@.#',
  '################################',
  '################################',
];
const THORNS = [
  '################################',
  '#..............................#',
  '#..............................#',
  '#..............................#',
  '#.......##.....................#',
  '#.......##....^^^^^^^^^........#',
  '#.......##....#########........#',
  '#.......##....#########........#',
  '#.......##....#########........#',
  '#.......##....#########....#####',
  '#.......##....^^^^^^^^^....#####',
  '#.......##.................#####',
  '#.......##.................#####',
  '#.......##.........##......#####',
  '#.......##.........##......#####',
  '#..@....##.........##........N.#',
  '################################',
  '################################',
];

/** @param {string[]} rows @returns {Dealt} */
const fixed = (rows) => ({ draw: () => [], rows: () => rows });

export const LEVELS = [
  { name: 'Out of the egg', ...egg },
  { name: 'Two pillars', ...fixed(PILLARS) },
  { name: 'The stairwell', ...fixed(STAIRWELL) },
  { name: 'Up, down and up again', ...ups },
  { name: 'Under the thorns', ...fixed(THORNS) },
];
