// @ts-check
/** Marble Walk, the rules: a marble rolls over hollowed squares between walls. Squares and frames. */

import { finish } from '../../kit/game.js';
import { cells } from '../../kit/grid.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { madeOnce } from '../../dealt/stages.js';
import { makeMaze } from './levels.js';

export const RADIUS = 0.3;
/** Per frame while a key is held: a quarter of a second of it carries the marble one square. */
const PUSH = 0.0134;
/** What is left of the speed after a frame. */
const ROLL = 0.8;
/** The squares are slightly hollow: without a push, the marble comes to rest in the middle of one. */
const HOLLOW = 0.012;
const BOUNCE = 0.2;
const HOLE = 0.4;

const mazeOf = madeOnce(([level, number]) => {
  const grid = makeMaze(level, number);
  const find = (/** @type {string} */ c) => /** @type {{col: number, row: number}} */ (cells(grid).find((x) => x.value === c));
  const goal = find('G');
  return { grid, start: find('S'), goal, far: distances(grid, goal) };
});

/** @typedef {ReturnType<typeof mazeOf>} Level */

/** Squares to roll from each square to the hole. @param {string[][]} grid @param {{col: number, row: number}} goal */
function distances(grid, goal) {
  const far = grid.map((row) => row.map(() => -1));
  far[goal.row][goal.col] = 0;
  /** @type {[number, number][]} */
  const queue = [[goal.col, goal.row]];
  for (const [col, row] of queue) {
    for (const [dx, dy] of [[0, -1], [0, 1], [-1, 0], [1, 0]]) {
      const [x, y] = [col + dx, row + dy];
      if (grid[y][x] === '#' || far[y][x] >= 0) continue;
      far[y][x] = far[row][col] + 1;
      queue.push([x, y]);
    }
  }
  return far;
}

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const level = oneOf(options, 'level', [1, 2, 3, 4, 5], 1);
  const maze = stream(rng, 'maze').int(1, 1e9);
  const { start } = mazeOf([level, maze]);
  return { rng, level, maze, x: start.col, y: start.row, vx: 0, vy: 0, frame: 0, over: null };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
export const levelOf = (s) => mazeOf([s.level, s.maze]);

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  s.vx = roll(s.vx, s.x, input.axis('ArrowLeft', 'ArrowRight'));
  s.vy = roll(s.vy, s.y, input.axis('ArrowUp', 'ArrowDown'));
  s.x += s.vx;
  s.y += s.vy;
  walls(s);
  const { goal } = levelOf(s);
  if (Math.hypot(s.x - goal.col, s.y - goal.row) < HOLE) {
    s.x = goal.col;
    s.y = goal.row;
    finish(s, 'win', 'The marble is in the hole.');
  }
}

/** @param {number} v @param {number} at @param {number} push */
function roll(v, at, push) {
  const next = (v + (push ? push * PUSH : -HOLLOW * (at - Math.round(at)))) * ROLL;
  return Math.abs(next) < 1e-5 ? 0 : next;
}

/** Pushes the marble out of the walls around it. @param {State} s */
function walls(s) {
  const col = Math.round(s.x);
  const row = Math.round(s.y);
  // Sides before corners, so that a row of blocks feels like one smooth wall.
  for (const [dx, dy] of [[0, -1], [0, 1], [-1, 0], [1, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]]) {
    if (levelOf(s).grid[row + dy][col + dx] !== '#') continue;
    const nearX = Math.max(col + dx - 0.5, Math.min(s.x, col + dx + 0.5));
    const nearY = Math.max(row + dy - 0.5, Math.min(s.y, row + dy + 0.5));
    const gap = Math.hypot(s.x - nearX, s.y - nearY);
    if (gap >= RADIUS || gap === 0) continue;
    const nx = (s.x - nearX) / gap;
    const ny = (s.y - nearY) / gap;
    s.x = nearX + nx * RADIUS;
    s.y = nearY + ny * RADIUS;
    const into = s.vx * nx + s.vy * ny;
    if (into >= 0) continue;
    s.vx -= (1 + BOUNCE) * into * nx;
    s.vy -= (1 + BOUNCE) * into * ny;
  }
}

/** @param {State} s */
export function observe(s) {
  const { grid, start, far } = levelOf(s);
  const col = Math.round(s.x);
  const row = Math.round(s.y);
  const left = far[row][col];
  const way = far[start.row][start.col];
  // The last part is for the hole itself.
  const progress = s.over ? 1 : Math.min(0.99, Math.max(0, 1 - left / way));
  return {
    game_state: {
      score: progress,
      level: s.level,
      progress,
      completion_progress: progress,
      player: { x: s.x, y: s.y, vx: s.vx, vy: s.vy, column: col, row },
      board: grid.map((line) => line.join('')),
    },
    metrics: { distance_to_goal: left },
    raw: { frame: s.frame, roll: ROLL },
  };
}

const SIDES = /** @type {[string, number, number][]} */ ([['left', -1, 0], ['right', 1, 0], ['up', 0, -1], ['down', 0, 1]]);

/** The screen in words; columns and rows are counted from 1. @param {State} s */
export function describe(s) {
  const { grid, goal } = levelOf(s);
  const col = Math.round(s.x);
  const row = Math.round(s.y);
  const at = (/** @type {number} */ v) => (Math.abs(v - Math.round(v)) < 0.05 ? String(Math.round(v) + 1) : (v + 1).toFixed(1));
  const open = SIDES.filter(([, dx, dy]) => grid[row + dy][col + dx] !== '#').map(([name]) => name);
  const quick = (/** @type {number} */ v) => Math.abs(v) * 15 > 0.1;
  const rolling = [
    ...(quick(s.vx) ? [`${s.vx < 0 ? 'left' : 'right'} by ${Math.abs(s.vx * 15).toFixed(1)}`] : []),
    ...(quick(s.vy) ? [`${s.vy < 0 ? 'up' : 'down'} by ${Math.abs(s.vy * 15).toFixed(1)}`] : []),
  ];
  const rows = grid.map((line, y) =>
    `${String(y + 1).padStart(2)} ${line.map((c, x) => (x === col && y === row ? 'M' : c === 'S' ? '.' : c)).join('')}`,
  );
  return [
    `Maze ${s.level}. Columns and rows are counted from 1 at the top left; up is towards the top of the picture.`,
    `The marble is at column ${at(s.x)}, row ${at(s.y)}; a whole number is the middle of a square.`,
    rolling.length ? `It rolls ${rolling.join(' and ')} squares in 0.25 s, and slows down.` : 'It lies still.',
    `Next to its square there is no wall: ${open.join(', ')}.`,
    `The hole with the flag is at column ${goal.col + 1}, row ${goal.row + 1}.`,
    'The maze (# wall, . floor, M marble, G hole with the flag), each line with its row number:',
    `   ${grid[0].map((_, x) => (x + 1) % 10).join('')} last digit of the column`,
    ...rows,
  ].join('\n');
}
