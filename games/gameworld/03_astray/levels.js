// @ts-check
/** Marble Walk, the mazes, which the seed makes: `#` wall, `.` floor, `S` where the marble lies at first, `G` the hole. */

import { seeded, stream } from '../../kit/random.js';

/** Size of each level's maze, and the squares from the marble to the hole. */
const LEVELS = [
  { width: 11, height: 7, way: 12 },
  { width: 13, height: 9, way: 26 },
  { width: 17, height: 11, way: 34 },
  { width: 21, height: 11, way: 42 },
  { width: 25, height: 13, way: 56 },
];
const SIDES = [[0, -1], [0, 1], [-1, 0], [1, 0]];
/** The hole lies at the end of a way with this many turns at least. */
const TURNS = 4;

/** The maze of a level and a number: corridors without loops, the same length of way in each. @param {number} level 1 to 5 @param {number} number
 * @returns {string[][]} */
export function makeMaze(level, number) {
  const { width, height, way } = LEVELS[level - 1];
  const r = stream(seeded(`maze ${level} ${number}`), 'maze');
  for (;;) {
    const grid = carve(width, height, r);
    const from = r.pick([[1, 1], [width - 2, 1], [1, height - 2], [width - 2, height - 2]]);
    const ends = reached(grid, from).filter((e) => e.far === way && e.turns >= TURNS);
    if (!ends.length) continue;
    const { x, y } = r.pick(ends);
    grid[from[1]][from[0]] = 'S';
    grid[y][x] = 'G';
    return grid;
  }
}

/** Digs from a corner, at random, until every square is reached. @param {number} width @param {number} height
 * @param {import('../../kit/random.js').Stream} r */
function carve(width, height, r) {
  const grid = Array.from({ length: height }, () => Array.from({ length: width }, () => '#'));
  const trail = [[1, 1]];
  grid[1][1] = '.';
  while (trail.length) {
    const [x, y] = trail[trail.length - 1];
    const open = SIDES.filter(([dx, dy]) => grid[y + 2 * dy]?.[x + 2 * dx] === '#');
    if (!open.length) {
      trail.pop();
      continue;
    }
    const [dx, dy] = r.pick(open);
    grid[y + dy][x + dx] = '.';
    grid[y + 2 * dy][x + 2 * dx] = '.';
    trail.push([x + 2 * dx, y + 2 * dy]);
  }
  return grid;
}

/** Every crossing that can be reached, with the squares and the turns on the way. @param {string[][]} grid @param {number[]} from */
function reached(grid, from) {
  const out = [{ x: from[0], y: from[1], far: 0, turns: 0, dx: 0, dy: 0 }];
  for (const p of out) {
    for (const [dx, dy] of SIDES) {
      if (grid[p.y + dy][p.x + dx] === '#' || (dx === -p.dx && dy === -p.dy && p.far)) continue;
      const turns = p.turns + Number(p.far > 0 && (dx !== p.dx || dy !== p.dy));
      out.push({ x: p.x + 2 * dx, y: p.y + 2 * dy, far: p.far + 2, turns, dx, dy });
    }
  }
  return out;
}
