// @ts-check
/**
 * Dodge mazes: a square walks through a yard of cells, takes coins and keys, and must not touch the saws.
 *
 * Rules only; the picture is `dodge-look.js`. A level is a map of letters and a list of saws. Saws run on fixed
 * tracks by the frame number, so a level is the same every time and does not use the seed.
 * Letters: `#` wall, `.` floor, `S` start zone, `C` checkpoint zone, `G` goal zone, `o` coin, `k` key, `D` door that
 * opens when every key of the level is taken.
 *
 * @typedef {{loop: number[][], period: number, at?: number} | {around: number[], arms: number, radii: number[],
 *   period: number, at?: number}} Saw  `loop`: a closed way through cells in `period` frames, begun at the part `at`;
 *   a wheel of `arms` turns `around` a cell (negative period: to the left).
 * @typedef {{name: string, map: string[], saws: Saw[]}} Level
 * @typedef {{col: number, row: number}} Cell
 */

import { finish } from './game.js';
import { cells, flood } from './grid.js';

export const CELL = 48;
export const COLUMNS = 26;
export const ROWS = 13;
export const LEFT = 16;
export const TOP = 78;
/** Pixels per frame: a step of 200 ms is exactly one cell. */
const PACE = 4;
/** Half of the square's side. */
export const HALF = 14;
export const SAW_R = 14;
const PICK_UP = 30;
export const LIVES = 5;

/** Middle of a cell. @param {number} col @param {number} row @returns {[number, number]} */
export const middle = (col, row) => [LEFT + (col + 0.5) * CELL, TOP + (row + 0.5) * CELL];

/** What follows from a level's map, worked out once. @param {Level} level @param {number} number */
export function prepare(level, number) {
  const grid = level.map.map((row) => [...row]);
  const of = (/** @type {string} */ c) => cells(grid).filter((x) => x.value === c);
  if (grid.length !== ROWS || grid.some((r) => r.length !== COLUMNS)) throw new Error(`level ${number} has a wrong size`);
  /** Zones of neighbouring checkpoint cells. @type {Cell[][]} */
  const checkpoints = [];
  for (const c of of('C')) {
    if (checkpoints.some((zone) => zone.some((z) => z.col === c.col && z.row === c.row))) continue;
    const zone = flood(grid, c.col, c.row, (x, y) => grid[y][x] === 'C');
    checkpoints.push(zone.map(([col, row]) => ({ col, row })));
  }
  return {
    ...level,
    number,
    grid,
    start: home(of('S')),
    checkpoints,
    coins: of('o'),
    keys: of('k'),
    distance: distances(grid, of('G')),
  };
}

/** @typedef {ReturnType<typeof prepare>} Prepared */

/** The cell of a zone that is nearest to its middle. @param {Cell[]} zone */
function home(zone) {
  const col = zone.reduce((sum, c) => sum + c.col, 0) / zone.length;
  const row = zone.reduce((sum, c) => sum + c.row, 0) / zone.length;
  const off = (/** @type {Cell} */ c) => Math.hypot(c.col - col, c.row - row);
  return zone.reduce((a, b) => (off(b) < off(a) - 1e-9 ? b : a));
}

/** Cells to walk from each cell to the goal; -1 where no way leads. @param {string[][]} grid @param {Cell[]} goal */
function distances(grid, goal) {
  const far = grid.map((row) => row.map(() => -1));
  /** @type {[number, number][]} */
  const queue = goal.map((c) => [c.col, c.row]);
  for (const [col, row] of queue) far[row][col] = 0;
  for (const [col, row] of queue) {
    for (const [dx, dy] of [[0, -1], [0, 1], [-1, 0], [1, 0]]) {
      const [x, y] = [col + dx, row + dy];
      if ((grid[y]?.[x] ?? '#') === '#' || far[y][x] >= 0) continue;
      far[y][x] = far[row][col] + 1;
      queue.push([x, y]);
    }
  }
  return far;
}

/** @param {Prepared} level */
export function begin(level) {
  const [x, y] = middle(level.start.col, level.start.row);
  return {
    level: level.number,
    frame: 0,
    x,
    y,
    /** Where a click sent the square. @type {{x: number, y: number} | null} */
    goingTo: null,
    coins: level.coins.map(() => false),
    keys: level.keys.map(() => false),
    /** What is kept when the square is hit. */
    kept: { x, y, coins: level.coins.map(() => false), keys: level.keys.map(() => false) },
    passed: level.checkpoints.map(() => false),
    deaths: 0,
    sinceHit: 999,
    over: /** @type {any} */ (null),
  };
}

/** @typedef {ReturnType<typeof begin>} State */

/** @param {Prepared} level @param {State} s @param {import('./input.js').Input} input @param {boolean} [clicks] */
export function play(level, s, input, clicks = false) {
  s.frame += 1;
  s.sinceHit += 1;
  let dx = PACE * input.axis('ArrowLeft', 'ArrowRight');
  let dy = PACE * input.axis('ArrowUp', 'ArrowDown');
  if (clicks) {
    const click = input.clicked('left');
    if (click) s.goingTo = { x: click.x, y: click.y };
    if (dx || dy) s.goingTo = null;
    if (s.goingTo) {
      dx = Math.max(-PACE, Math.min(PACE, s.goingTo.x - s.x));
      dy = Math.max(-PACE, Math.min(PACE, s.goingTo.y - s.y));
      if (!dx && !dy) s.goingTo = null;
    }
  }
  walk(level, s, dx, 0);
  walk(level, s, 0, dy);
  take(level.coins, s.coins, s);
  take(level.keys, s.keys, s);
  if (sawsAt(level, s.frame).some(([x, y]) => touches(s, x, y))) return hit(s);
  rest(level, s);
}

/** The square is where a saw is. @param {State} s @param {number} x @param {number} y */
function touches(s, x, y) {
  const gapX = Math.max(0, Math.abs(x - s.x) - HALF);
  const gapY = Math.max(0, Math.abs(y - s.y) - HALF);
  return Math.hypot(gapX, gapY) < SAW_R - 1;
}

/** One axis at a time, up to the wall. @param {Prepared} level @param {State} s @param {number} dx @param {number} dy */
function walk(level, s, dx, dy) {
  const way = Math.sign(dx + dy);
  for (let left = Math.abs(dx + dy); left > 0; left -= 1) {
    const part = way * Math.min(1, left);
    const x = s.x + (dx ? part : 0);
    const y = s.y + (dy ? part : 0);
    for (const [cx, cy] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
      if (solid(level, s, x + cx * (HALF - 0.01), y + cy * (HALF - 0.01))) return;
    }
    s.x = x;
    s.y = y;
  }
}

/** @param {Prepared} level @param {State} s @param {number} x @param {number} y */
function solid(level, s, x, y) {
  const c = level.grid[Math.floor((y - TOP) / CELL)]?.[Math.floor((x - LEFT) / CELL)] ?? '#';
  return c === '#' || (c === 'D' && !doorsOpen(s));
}

/** @param {State} s */
export const doorsOpen = (s) => s.keys.every(Boolean);

/** @param {Cell[]} things @param {boolean[]} taken @param {State} s */
function take(things, taken, s) {
  things.forEach((c, i) => {
    const [x, y] = middle(c.col, c.row);
    if (Math.hypot(x - s.x, y - s.y) < PICK_UP) taken[i] = true;
  });
}

/** @param {State} s */
function hit(s) {
  s.deaths += 1;
  s.sinceHit = 0;
  if (s.deaths >= LIVES) return finish(s, 'fail', 'The last life is lost.');
  s.x = s.kept.x;
  s.y = s.kept.y;
  s.coins = [...s.kept.coins];
  s.keys = [...s.kept.keys];
  s.goingTo = null;
}

/** Checkpoints keep what was taken; the goal ends the level. @param {Prepared} level @param {State} s */
function rest(level, s) {
  const col = Math.floor((s.x - LEFT) / CELL);
  const row = Math.floor((s.y - TOP) / CELL);
  const here = level.grid[row][col];
  if (here === 'C') {
    const i = level.checkpoints.findIndex((zone) => zone.some((c) => c.col === col && c.row === row));
    const [x, y] = middle(home(level.checkpoints[i]).col, home(level.checkpoints[i]).row);
    s.passed[i] = true;
    s.kept = { x, y, coins: [...s.coins], keys: [...s.keys] };
  }
  if (here === 'G' && s.coins.every(Boolean)) {
    s.level = level.number + 1;
    finish(s, 'win', `Level ${level.number} is cleared.`);
  }
}

/** Middles of all saws at a frame. @param {Prepared} level @param {number} frame @returns {[number, number][]} */
export function sawsAt(level, frame) {
  return level.saws.flatMap((saw) => {
    const turn = frame / saw.period + (saw.at ?? 0);
    return 'loop' in saw ? [onLoop(saw.loop, turn - Math.floor(turn))] : wheel(saw, turn);
  });
}

/** @param {{around: number[], arms: number, radii: number[]}} saw @param {number} turn @returns {[number, number][]} */
function wheel(saw, turn) {
  const [x, y] = middle(saw.around[0], saw.around[1]);
  return Array.from({ length: saw.arms }, (_, i) => (turn + i / saw.arms) * Math.PI * 2).flatMap((angle) =>
    saw.radii.map((r) => /** @type {[number, number]} */ ([x + Math.cos(angle) * r * CELL, y + Math.sin(angle) * r * CELL])),
  );
}

/** A part of the way around a closed line. @param {number[][]} points cells @param {number} part @returns {[number, number]} */
function onLoop(points, part) {
  const sides = points.map((a, i) => {
    const b = points[(i + 1) % points.length];
    return { a, b, length: Math.hypot(b[0] - a[0], b[1] - a[1]) };
  });
  let left = part * sides.reduce((sum, s) => sum + s.length, 0);
  for (const { a, b, length } of sides) {
    if (left <= length && length) return middle(a[0] + ((b[0] - a[0]) * left) / length, a[1] + ((b[1] - a[1]) * left) / length);
    left -= length;
  }
  return middle(points[0][0], points[0][1]);
}

/** @param {Prepared} level @param {State} s */
export function look(level, s) {
  const count = (/** @type {boolean[]} */ list) => list.filter(Boolean).length;
  const cleared = s.over?.outcome === 'win';
  const col = Math.floor((s.x - LEFT) / CELL);
  const row = Math.floor((s.y - TOP) / CELL);
  const goals = s.coins.length + s.keys.length + s.passed.length + 1;
  const done = count(s.coins) + count(s.keys) + count(s.passed) + (cleared ? 1 : 0);
  const things = (/** @type {Cell[]} */ list, /** @type {boolean[]} */ taken, /** @type {string} */ kind) =>
    list.flatMap((c, i) => (taken[i] ? [] : [{ kind, x: middle(c.col, c.row)[0], y: middle(c.col, c.row)[1] }]));
  return {
    game_state: {
      score: count(s.coins),
      level: s.level,
      progress: done / goals,
      completion_progress: done / goals,
      player: { x: s.x, y: s.y, column: col, row, lives: LIVES - s.deaths },
      board: level.map,
      entities: [
        ...sawsAt(level, s.frame).map(([x, y]) => ({ kind: 'saw', x: Math.round(x), y: Math.round(y) })),
        ...things(level.coins, s.coins, 'coin'),
        ...things(level.keys, s.keys, 'key'),
      ],
    },
    metrics: {
      coins: count(s.coins),
      coins_total: s.coins.length,
      keys: count(s.keys),
      checkpoints_passed: count(s.passed),
      checkpoints_total: s.passed.length,
      deaths: s.deaths,
      distance_to_goal: level.distance[row][col],
    },
    raw: { frame: s.frame, going_to: s.goingTo },
  };
}
