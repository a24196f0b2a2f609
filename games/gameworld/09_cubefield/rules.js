// @ts-check
/** Cube Storm, the rules: a ship flies ever faster over an endless plain and steers between cubes. Units and frames. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

export const CUBE = 2;
export const SHIP_W = 1.1;
export const SHIP_L = 1.5;
/** How far ahead cubes are set up. */
export const VIEW = 96;

const FIRST_SPEED = 0.6;
const FASTER = 0.1;
export const LEVEL_FRAMES = 240;
const LAST_LEVEL = 9;
const SIDE_SPEED = 0.4;
const SIDE_EASE = 0.25;
const ROW = 4;
const FIRST_ROW = 34;
/** Cubes are set up this far to the left and right of the ship, so the field never ends sideways. */
const HALF_WIDTH = 44;
/** Every so many rows one cube stands exactly in the ship's way: flying straight on is never safe. */
const AIMED = 2;
/** Every so many rows a short wall of cubes. */
const WALL = 9;
const POINTS = 110;

/** @typedef {{x: number, z: number, tint: number}} Cube  middle of the cube; z counts from the start */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    x: 0,
    side: 0,
    distance: 0,
    frames: 0,
    level: 1,
    score: 0,
    rows: 0,
    /** @type {Cube[]} */
    cubes: [],
    over: null,
  };
  addRows(state);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {number} level */
export function speedOf(level) {
  return FIRST_SPEED + FASTER * (level - 1);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frames += 1;
  s.level = Math.min(LAST_LEVEL, 1 + Math.floor(s.frames / LEVEL_FRAMES));
  s.side += (steering(input) * SIDE_SPEED - s.side) * SIDE_EASE;
  if (Math.abs(s.side) < 1e-4) s.side = 0;
  s.x += s.side;
  s.distance += speedOf(s.level);
  s.score = Math.floor(s.distance * POINTS);
  addRows(s);
  s.cubes = s.cubes.filter((c) => c.z > s.distance - 8);
  if (s.cubes.some((c) => hits(s, c))) finish(s, 'fail', 'The ship hit a cube.');
}

/** Arrow keys, or the mouse button held in one half of the picture. @param {import('../../kit/input.js').Input} input */
function steering(input) {
  const keys = input.axis('ArrowLeft', 'ArrowRight');
  if (keys || !input.mouseHeld('left')) return keys;
  return input.mouse.x < 640 ? -1 : 1;
}

/** @param {State} s */
function addRows(s) {
  for (; FIRST_ROW + s.rows * ROW < s.distance + VIEW; s.rows++) {
    const r = stream(s.rng, 'cubes');
    const z = FIRST_ROW + s.rows * ROW;
    // Dense while the ship is slow, and again when it is fast.
    const n = Math.max(6 - s.level, 3 + Math.floor(s.level / 4)) + r.int(0, 1);
    for (let i = 0; i < n; i++) put(s, s.x + r.float(-HALF_WIDTH, HALF_WIDTH), z + r.float(-1.5, 1.5), r.int(0, 2));
    if (s.rows % AIMED === 0) put(s, s.x + r.float(-0.8, 0.8), z, 3);
    if (s.rows % WALL === WALL - 1) {
      const x = s.x + r.float(-16, 16);
      for (let i = -1; i <= 1; i++) put(s, x + i * CUBE, z, 4);
    }
  }
}

/** @param {State} s @param {number} x @param {number} z @param {number} tint */
function put(s, x, z, tint) {
  s.cubes.push({ x: Math.round(x * 100) / 100, z: Math.round(z * 100) / 100, tint });
}

/** @param {State} s @param {Cube} c */
function hits(s, c) {
  return Math.abs(c.x - s.x) < (CUBE + SHIP_W) / 2 && Math.abs(c.z - s.distance) < (CUBE + SHIP_L) / 2;
}

/** @param {State} s */
export function observe(s) {
  const ahead = s.cubes.filter((c) => c.z > s.distance - 2);
  return {
    game_state: {
      score: s.score,
      level: s.level,
      progress: s.score,
      player: { x: s.x, side: s.side, distance: s.distance },
      entities: ahead.map((c) => ({ x: c.x - s.x, ahead: c.z - s.distance, size: CUBE })),
    },
    metrics: {
      distance: s.distance,
      speed_forward: speedOf(s.level),
      speed_side: s.side,
      cubes_alive: s.cubes.length,
      high_score: s.score,
    },
    raw: {
      frames: s.frames,
      first_speed: FIRST_SPEED,
      faster: FASTER,
      level_frames: LEVEL_FRAMES,
      last_level: LAST_LEVEL,
      side_speed: SIDE_SPEED,
      side_ease: SIDE_EASE,
      reach_x: (CUBE + SHIP_W) / 2,
      reach_z: (CUBE + SHIP_L) / 2,
    },
  };
}
