// @ts-check
/**
 * The four temples, 32 × 18 cells each.
 *
 * `#` stone · `L` lava, `W` water, `G` ooze (pools are part of the floor) · `r` red and `b` blue gem ·
 * `@` Ember and `&` Drop at the start · `f`, `w` their doors · `1`–`3` plates that hold the gates `A`–`C` open and the
 * lifts up while somebody stands on them · `5`–`6` levers that open the gates `M`–`N` for good ·
 * `H`, `I` where a lift rests · `x` a box that can be pushed. A gate is a run of its letters, upright or lying.
 *
 * The seed deals the hall at the bottom of the first temple, where both begin: on which side the first gem of each colour
 * lies, how high, and the pools before them. Of the other temples it deals which side is left, and on which of the cells of
 * `starts` both begin.
 */

import { changes, facing } from '../../dealt/stages.js';

/** @typedef {{name: string, rows: string[], lifts: Record<string, {plate: string, rise: number}>,
 *   starts?: {row: number, ember: number[], drop: number[]}}} Level */

/** Draws a hall: for each gem, 1 if it lies on the right, and how high; for each side, columns before the pool and its
 * width; 1 if Drop stands left of Ember; 1 if the red gem lies before its pool, 0 for the blue one.
 * @param {import('../../kit/random.js').Stream} r */
export const makePlan = (r) => [r.int(0, 1), r.int(0, 3), r.int(0, 1), r.int(0, 3), r.int(0, 2), r.int(3, 4), r.int(0, 2), r.int(3, 4), r.int(0, 1), r.int(0, 1)];

/** The first temple with the hall of a plan. @param {number[]} plan @returns {string[]} */
export function withHall([red, redHigh, blue, blueHigh, before, wide, after, width, swapped, redNear]) {
  const grid = LEVELS[0].rows.map((row) => [...row]);
  /** Deadly to the figure that has to pass on this side. @param {number} side */
  const pool = (side) => (redNear ? (blue === side ? 'L' : 'G') : red === side ? 'W' : 'G');
  grid[17].fill(pool(0), 12 - before - wide, 12 - before);
  grid[17].fill(pool(1), 19 + after, 19 + after + width);
  grid[16 - redHigh][redNear ? (red ? 18 : 12) : red ? 27 : 2] = 'r';
  grid[16 - blueHigh][redNear ? (blue ? 26 : 3) : blue ? 18 : 12] = 'b';
  grid[16][14] = swapped ? '&' : '@';
  grid[16][16] = swapped ? '@' : '&';
  return grid.map((row) => row.join(''));
}

/** Draws how another temple differs: 1 if it is turned, and the starts of both.
 * @param {import('../../kit/random.js').Rng} rng @param {number} level */
export function makeChanges(rng, level) {
  const { ember, drop } = startsOf(level);
  return changes(rng, `temple ${level}`, [2, ember.length, drop.length]);
}

/** Another temple. @param {number} level @param {number[]} plan @returns {string[]} */
export function withStarts(level, [turned, ember, drop]) {
  const starts = startsOf(level);
  const rows = LEVELS[level - 1].rows.map((row) => [...row.replace(/[@&]/g, '.')]);
  rows[starts.row][starts.ember[ember]] = '@';
  rows[starts.row][starts.drop[drop]] = '&';
  return facing(turned, rows.map((row) => row.join('')));
}

/** @param {number} level */
function startsOf(level) {
  const { starts } = LEVELS[level - 1];
  if (!starts) throw new Error(`temple ${level} has no starts`);
  return starts;
}

/** @type {Level[]} */
export const LEVELS = [
  {
    name: 'Hold the Gate',
    rows: [
      '################################',
      '#..............................#',
      '#..............................#',
      '#...........b.....b............#',
      '#....................r.........#',
      '#..............................#',
      '#.......r.................f..w.#',
      '#....#####WWW####LLL############',
      '#.............A................#',
      '#.............A................#',
      '###...........A................#',
      '###.....1.....A....1.x.b..r....#',
      '###########################....#',
      '#..............................#',
      '#..............................#',
      '#............................###',
      '#............................###',
      '################################',
    ],
    lifts: {},
  },
  {
    name: 'Two Halls',
    rows: [
      '################################',
      '#..............##..............#',
      '#..............##..............#',
      '#..............##..............#',
      '#......r...r...##...b...b......#',
      '#......##..##..##..##..##......#',
      '#...@.....r..5.##.6..b.....&...#',
      '#NNN########################MMM#',
      '#..............................#',
      '#..............................#',
      '#.....b...b..........r...r.....#',
      '#..1..x.b..............r.x..1..#',
      '#####WWW#WWW##AAAA##LLL#LLL#####',
      '#..............................#',
      '#..............................#',
      '#......r................b......#',
      '#.f.r....r..1......1..b....b.w.#',
      '#####GGG################GGG#####',
    ],
    lifts: {},
    starts: { row: 6, ember: [4, 5, 6, 7], drop: [27, 26, 25, 24] },
  },
  {
    name: 'Lift Each Other',
    rows: [
      '################################',
      '#..............................#',
      '#..............................#',
      '#..............................#',
      '#....b...b............r...r....#',
      '#...###.###..........###.###...#',
      '#.w.b.......b......r.......r.f.#',
      '#####LLL#####......#####WWW#####',
      '#..............................#',
      '#..............................#',
      '#.......r.....####.....b.......#',
      '#.....r...r...####...b...b.2...#',
      '#...###WWW############LLL###...#',
      '#..............................#',
      '#.......r..r........b..b.......#',
      '#..............................#',
      '#HHH.1..r..r..@..&..b..b....III#',
      '########LLLL########WWWW########',
    ],
    lifts: { H: { plate: '2', rise: 5 }, I: { plate: '1', rise: 5 } },
    starts: { row: 16, ember: [14, 15, 13, 12], drop: [17, 16, 18, 19] },
  },
  {
    name: 'The Parted Way',
    rows: [
      '################################',
      '#.............##...............#',
      '#.............##...............#',
      '#.............A................#',
      '#......r.b....A......r.b.......#',
      '#.............A................#',
      '#.@.&......1..A....1........rb.#',
      '#######GGG######GG####GGG###...#',
      '#..................N...........#',
      '#......r...r....5..N..r........#',
      '#....LLLLLLLLLLLLLLLLLLLLL.....#',
      '#.....b..b..M...b.6.........r..#',
      '#....#WWWWWWWWWWWWWWWWWWWW######',
      '#.............B.....b..........#',
      '#.............B................#',
      '#.............B.......r........#',
      '#.......2..x..B..2......b.f..w.#',
      '#####GGG###########LLL#WWW######',
    ],
    lifts: {},
    starts: { row: 6, ember: [2, 1, 3], drop: [4, 5, 6] },
  },
];
