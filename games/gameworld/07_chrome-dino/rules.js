// @ts-check
/** Fennec Dash, the rules: a desert fox runs faster and faster and jumps over what stands in its way. Pixels and frames. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

export const GROUND = 590;
export const FOX_X = 190;
export const FOX_W = 74;
export const FOX_H = 58;
/** Pixels that make one point. */
const POINT = 18;

const GRAVITY = 0.9;
const JUMP = 17;
const FIRST_SPEED = 9;
const FASTEST = 15;
const FASTER = 0.0042;
const FIRST_OBSTACLE = 900;
/** Updates from one obstacle to the next at the speed of the moment. */
const SHORTEST_GAP = 48;
const LONGEST_GAP = 80;
/** Touching is judged by boxes this much smaller than the figures. */
const INSET = 9;

/** What can come: width, its lower and upper edge above the ground, whether it waits for higher speed. */
const KINDS = {
  cactus: { w: 44, low: 0, high: 66, from: 0 },
  pair: { w: 84, low: 0, high: 66, from: 0 },
  tall: { w: 48, low: 0, high: 92, from: 30 },
  rock: { w: 96, low: 0, high: 52, from: 120 },
  hawk: { w: 72, low: 92, high: 138, from: 0 },
  lowHawk: { w: 72, low: 26, high: 72, from: 200 },
};

/** @typedef {keyof typeof KINDS} Kind */
/** @typedef {{kind: Kind, x: number, w: number, low: number, high: number}} Obstacle */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    running: false,
    speed: FIRST_SPEED,
    distance: 0,
    h: 0,
    v: 0,
    grounded: true,
    jumps: 0,
    attempts: 0,
    passed: 0,
    frame: 0,
    /** @type {Obstacle[]} */
    obstacles: [],
    /** Distance at which the next obstacle comes in at the right edge. */
    next: 0,
    over: null,
  };
  add(state, FIRST_OBSTACLE);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
export function score(s) {
  return Math.floor(s.distance / POINT);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  const wants = input.held('Space') || input.held('ArrowUp');
  if (!s.running) {
    if (!wants) return;
    s.running = true;
    s.attempts += 1;
    return;
  }
  if (wants && s.grounded && s.distance > 0) {
    s.v = JUMP;
    s.jumps += 1;
    s.grounded = false;
  }
  if (!s.grounded) {
    s.v -= GRAVITY;
    s.h += s.v;
    if (s.h <= 0) {
      s.h = 0;
      s.v = 0;
      s.grounded = true;
    }
  }
  s.speed = Math.min(FASTEST, s.speed + FASTER);
  s.distance += s.speed;
  for (const o of s.obstacles) o.x -= s.speed;
  if (s.obstacles.length && s.obstacles[0].x < -120) {
    s.obstacles.shift();
    s.passed += 1;
  }
  if (s.distance >= s.next) add(s, 1300);
  const hit = s.obstacles.find((o) => touches(s, o));
  if (hit) finish(s, 'fail', WORDS[hit.kind]);
}

/** @type {Record<Kind, string>} */
const WORDS = {
  cactus: 'The fennec ran into a cactus.',
  pair: 'The fennec ran into cacti.',
  tall: 'The fennec ran into a cactus.',
  rock: 'The fennec ran into rocks.',
  hawk: 'The fennec hit a hawk.',
  lowHawk: 'The fennec hit a hawk.',
};

/** @param {State} s @param {number} x */
function add(s, x) {
  const random = stream(s.rng, 'obstacles');
  // Never the same twice in a row, so that every run shows more than one kind early.
  const last = s.obstacles.length ? s.obstacles[s.obstacles.length - 1].kind : 'hawk';
  const kinds = /** @type {Kind[]} */ (Object.keys(KINDS)).filter((k) => KINDS[k].from <= score(s) && k !== last);
  const kind = random.pick(kinds);
  const { w, low, high } = KINDS[kind];
  s.obstacles.push({ kind, x, w, low, high });
  // The first one stands in the picture already; its follower keeps the same kind of gap.
  s.next = s.distance + Math.max(0, x - 1300) + random.int(SHORTEST_GAP, LONGEST_GAP) * s.speed - (x < 1300 ? 1300 - x : 0);
}

/** @param {State} s @param {Obstacle} o */
function touches(s, o) {
  if (o.x + INSET > FOX_X + FOX_W - INSET || o.x + o.w - INSET < FOX_X + INSET) return false;
  return s.h + INSET < o.high && s.h + FOX_H - INSET > o.low;
}

/** @param {State} s */
export function observe(s) {
  return {
    status: /** @type {'playing'|'ready'} */ (s.running ? 'playing' : 'ready'),
    game_state: {
      score: score(s),
      level: 1,
      progress: score(s),
      player: { x: FOX_X, width: FOX_W, height: FOX_H, above_ground: s.h, speed_up: s.v, grounded: s.grounded },
      entities: s.obstacles.map((o) => ({ kind: o.kind, x: o.x, width: o.w, low: o.low, high: o.high })),
    },
    metrics: {
      distance: Math.round(s.distance),
      speed: Math.round(s.speed * 1000) / 1000,
      attempts: s.attempts,
      high_score: score(s),
      jumps: s.jumps,
      obstacles_passed: s.passed,
    },
    raw: { gravity: GRAVITY, jump: JUMP, faster: FASTER, fastest: FASTEST, inset: INSET, running: s.running },
  };
}
