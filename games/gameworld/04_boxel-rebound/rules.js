// @ts-check
/** Crate Escape, the rules: a crate slides to the right by itself and can only jump. Pixels and frames. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { laidOut, STAGES } from './levels.js';

export const TILE = 60;
export const BASE = 610;
/** Side of the crate. */
export const SIDE = 46;
/** Free height under hanging spikes: room to slide, none to jump. */
export const HEADROOM = 118;
export const COIN_HEIGHT = 150;

const GRAVITY = 0.8;
const JUMP = -14.6;
const SPRING = -19.5;
const FASTEST_FALL = 18;
/** How far a corner may lie below a ledge's edge and still slide up onto it. */
const FORGIVEN = 12;
const START_X = 2 * TILE;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const level = oneOf(options, 'level', [1, 2, 3], 1);
  const stage = STAGES[level - 1];
  const { floor, marks } = laidOut(stage, rng);
  return {
    rng,
    level,
    speed: stage.speed,
    floor,
    marks,
    length: (floor.length - 3) * TILE,
    /** Left edge and bottom edge of the crate; y grows downwards. */
    x: START_X,
    y: BASE,
    vy: 0,
    angle: 0,
    grounded: true,
    jumps: 0,
    squash: 0,
    /** Columns of the coins that were taken. */
    /** @type {number[]} */
    taken: [],
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** y of the ground's surface in a column; far below the picture in a hole. @param {State} s @param {number} column */
export function surface(s, column) {
  const c = s.floor[column];
  return c === '.' ? 2000 : BASE - Number(c ?? 0) * TILE;
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const wants = input.held('Space') || input.held('ArrowUp') || input.mouseHeld('left');
  if (s.squash > 0) s.squash -= 1;
  if (wants && s.grounded) {
    s.vy = JUMP;
    s.jumps += 1;
    s.grounded = false;
  }
  const before = s.y;
  s.vy = Math.min(FASTEST_FALL, s.vy + GRAVITY);
  s.y += s.vy;
  s.x += s.speed;
  s.grounded = false;

  const first = Math.floor((s.x + 4) / TILE);
  const last = Math.floor((s.x + SIDE - 4) / TILE);
  for (let c = first; c <= last; c++) {
    const top = surface(s, c);
    if (s.y < top) continue;
    if (before <= top + FORGIVEN && s.vy >= 0) land(s, top);
    else {
      finish(s, 'fail', 'The crate ran into a wall.');
      return;
    }
  }
  if (!s.grounded) s.angle += 0.075;
  touchMarks(s, first, last);
  if (s.y > 760) finish(s, 'fail', 'The crate fell into a hole.');
  if (s.x - START_X >= s.length - START_X) finish(s, 'win', 'The crate reached the gate.');
}

/** @param {State} s @param {number} top */
function land(s, top) {
  if (s.vy > 3) s.squash = 6;
  s.y = top;
  s.vy = 0;
  s.grounded = true;
  s.angle = 0;
}

/** @param {State} s @param {number} first @param {number} last */
function touchMarks(s, first, last) {
  for (let c = first; c <= last; c++) {
    const mark = s.marks[c];
    const ground = surface(s, c);
    const middle = (c + 0.5) * TILE;
    const near = Math.abs(s.x + SIDE / 2 - middle);
    if (mark === '^' && near < SIDE / 2 + 12 && s.y > ground - 34) finish(s, 'fail', 'The crate hit spikes.');
    if (mark === 'v' && near < SIDE / 2 + 20 && s.y - SIDE < ground - HEADROOM) {
      finish(s, 'fail', 'The crate hit hanging spikes.');
    }
    if (mark === 's' && s.grounded && near < SIDE / 2 + 14) {
      s.vy = SPRING;
      s.grounded = false;
    }
    if (mark === '*' && !s.taken.includes(c) && near < 46 && Math.abs(s.y - SIDE / 2 - (coinY(s, c))) < 50) {
      s.taken.push(c);
    }
  }
}

/** Height of a coin's middle; above a hole it hangs over the ground before the hole. @param {State} s @param {number} column */
export function coinY(s, column) {
  let c = column;
  while (c > 0 && s.floor[c] === '.') c -= 1;
  return surface(s, c) - COIN_HEIGHT;
}

/** Part of the stage that lies behind the crate, in [0, 1]. @param {State} s */
export function completed(s) {
  return Math.round(Math.max(0, Math.min(1, (s.x - START_X) / (s.length - START_X))) * 10000) / 10000;
}

/** @param {State} s */
export function observe(s) {
  const from = Math.max(0, Math.floor(s.x / TILE) - 4);
  const progress = completed(s);
  return {
    game_state: {
      score: Math.floor(progress * 100) + 10 * s.taken.length,
      level: s.level,
      progress,
      completion_progress: progress,
      player: { x: s.x, y: s.y, vy: s.vy, grounded: s.grounded },
      board: { first_column: from, floor: s.floor.slice(from, from + 22), marks: s.marks.slice(from, from + 22) },
    },
    metrics: { distance: Math.round(s.x - START_X), jumps: s.jumps, coins: s.taken.length },
    raw: { speed: s.speed, length: s.length },
  };
}
