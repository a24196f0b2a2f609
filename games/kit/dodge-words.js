// @ts-check
/** The screen of a dodge maze in words: counts, the square, a map with the things that are left, the nearest saws. */

import { CELL, doorsOpen, HALF, LEFT, LIVES, SAW_R, sawsAt, TOP } from './dodge.js';

/** Updates of a step of 0.2 seconds, in which the square walks one cell. */
const STEP = 12;
const SAWS_TOLD = 18;

/** @param {import('./dodge.js').Prepared} level @param {import('./dodge.js').State} s */
export function tell(level, s) {
  const count = (/** @type {boolean[]} */ list) => `${list.filter(Boolean).length} of ${list.length}`;
  const [col, row] = cell(s.x, s.y);
  const saws = sawLines(level, s);
  return [
    `Level ${level.number}, "${level.name}". Coins: ${count(s.coins)}.${s.keys.length ? ` Keys: ${count(s.keys)}.` : ''} Hearts: ${LIVES - s.deaths} of ${LIVES}.`,
    `The yard has ${level.grid[0].length} columns and ${level.grid.length} rows of cells, counted from 0 at the top left. Places are [column, row]; whole numbers are the middle of a cell.`,
    `The square, ${part((2 * HALF) / CELL)} of a cell wide, is at [${part(col)}, ${part(row)}].`,
    ...(s.goingTo ? [`It walks towards the clicked point [${cell(s.goingTo.x, s.goingTo.y).map(part).join(', ')}].`] : []),
    ...level.checkpoints.map((zone, i) => `The flag of the checkpoint at [${zone[0].col}, ${zone[0].row}] is ${s.passed[i] ? 'blue: it was entered' : 'white: not yet entered'}.`),
    `   ${level.grid[0].map((_, x) => x % 10).join('')}`,
    ...board(level, s).map((line, y) => `${String(y).padStart(2)} ${line.join('')}`),
    `# wall, . floor, S start, ${level.checkpoints.length ? 'C checkpoint, ' : ''}G goal, o coin, ${s.keys.length ? `k key, D ${doorsOpen(s) ? 'open' : 'locked'} door, ` : ''}@ the square`,
    `On the screen a cell is ${CELL} pixels, and the upper left corner of cell [0, 0] is at x=${LEFT}, y=${TOP}.`,
    `There are ${saws.all} saws; each reaches ${part(SAW_R / CELL)} of a cell from its middle. The nearest first, with their movement in 0.2 seconds:`,
    ...saws.lines,
  ].join('\n');
}

/** The cell of a point, with its part of a cell. @param {number} x @param {number} y @returns {[number, number]} */
function cell(x, y) {
  return [(x - LEFT) / CELL - 0.5, (y - TOP) / CELL - 0.5];
}

/** @param {number} n */
const part = (n) => `${Math.round(n * 10) / 10 || 0}`;

/** @param {import('./dodge.js').Prepared} level @param {import('./dodge.js').State} s */
function board(level, s) {
  const grid = level.grid.map((line) => line.map((c) => ('ok'.includes(c) ? '.' : c)));
  level.coins.forEach((c, i) => s.coins[i] || (grid[c.row][c.col] = 'o'));
  level.keys.forEach((c, i) => s.keys[i] || (grid[c.row][c.col] = 'k'));
  const [col, row] = cell(s.x, s.y);
  grid[Math.round(row)][Math.round(col)] = '@';
  return grid;
}

/** @param {import('./dodge.js').Prepared} level @param {import('./dodge.js').State} s */
function sawLines(level, s) {
  const tracks = level.saws.flatMap((saw) => Array(sawsAt({ ...level, saws: [saw] }, 0).length).fill(track(saw)));
  const now = sawsAt(level, s.frame);
  const next = sawsAt(level, s.frame + 1);
  const order = now
    .map(([x, y], i) => ({ i, x, y, far: Math.hypot(x - s.x, y - s.y) }))
    // Every arm of a wheel has the saw in its middle; it is seen once.
    .filter(({ x, y, i }) => now.findIndex((p) => Math.hypot(p[0] - x, p[1] - y) < 0.01) === i)
    .sort((a, b) => a.far - b.far);
  const lines = order.slice(0, SAWS_TOLD).map(({ i }) => {
    const [x, y] = now[i];
    const step = [next[i][0] - x, next[i][1] - y].map((d) => (d * STEP) / CELL);
    return `- [${cell(x, y).map(part).join(', ')}] ${moves(step)}; ${tracks[i]}`;
  });
  return { all: order.length, lines };
}

/** @param {number[]} step in cells */
function moves([dx, dy]) {
  const way = [];
  if (part(Math.abs(dx)) !== '0') way.push(`${dx < 0 ? 'left' : 'right'} ${part(Math.abs(dx))}`);
  if (part(Math.abs(dy)) !== '0') way.push(`${dy < 0 ? 'up' : 'down'} ${part(Math.abs(dy))}`);
  return way.join(' and ') || 'turns in place';
}

/** The thin line that a saw runs on. @param {import('./dodge.js').Saw} saw */
function track(saw) {
  if ('around' in saw) return `wheel around [${saw.around.join(', ')}]`;
  const ends = saw.loop.map((p) => `[${p.join(', ')}]`);
  return ends.length === 2 ? `to and fro ${ends.join(' - ')}` : `round ${ends.join(' - ')}`;
}
