// @ts-check
/** Reef Rider, the rules: a surfer rides down a sea full of reefs, seen from above. Pixels and frames; y grows downwards. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

/** Where the surfer stays on the screen. */
export const SURFER_Y = 190;
export const SURFER_R = 17;
export const LEFT = 40;
export const RIGHT = 1240;
export const LIVES = 3;

/** Pixels that make one point. */
const POINT = 5.2;
/** Points that each lost life costs. */
const CRASH_COST = 100;
const FIRST_SPEED = 6.2;
const FASTEST = 8;
const FASTER = 0.0013;
const BOOST_SPEED = 4.2;
export const BOOST_TIME = 90;
/** Part of the speed that is left while slowing down. */
const SLOW = 0.45;
const STEER = 7.5;
const TURN = 0.22;
const SAFE_TIME = 32;

/** The sea is laid out in rows of slots; a free way of two slots winds through them. */
const SLOTS = 12;
const SLOT_W = (RIGHT - LEFT) / SLOTS;
const ROW = 164;
const FIRST_ROW = 250;
const FULL = 0.8;

/** @typedef {'rock'|'island'|'buoy'|'bolt'|'shield'|'heart'} Kind */
/** @typedef {{kind: Kind, x: number, y: number, r: number}} Thing `y` is the distance from the start. */

/** @type {Record<Kind, number>} */
const RADIUS = { rock: 35, island: 43, buoy: 24, bolt: 22, shield: 24, heart: 22 };

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    riding: false,
    x: 640,
    vx: 0,
    distance: 0,
    speed: FIRST_SPEED,
    /** Speed in this update, with boost, brake and crash. */
    pace: 0,
    lives: LIVES,
    boosts: 0,
    shields: 0,
    boosting: 0,
    safe: 0,
    hits: 0,
    /** Lives lost in this ride. */
    crashes: 0,
    attempts: 0,
    frame: 0,
    way: SLOTS / 2 - 1,
    /** @type {Thing[]} */
    things: [],
    nextRow: FIRST_ROW,
    over: null,
  };
  layOut(state);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
export function score(s) {
  return Math.max(0, Math.floor(s.distance / POINT) - CRASH_COST * s.crashes);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Space'];
  if (!s.riding) {
    if (!keys.some((k) => input.held(k))) return;
    s.riding = true;
    s.attempts += 1;
  }
  if (input.pressed('ArrowDown', 'Space') && s.boosts > 0 && s.boosting === 0) {
    s.boosts -= 1;
    s.boosting = BOOST_TIME;
  }
  s.speed = Math.min(FASTEST, s.speed + FASTER);
  let wish = s.speed;
  if (s.boosting > 0) {
    s.boosting -= 1;
    wish += BOOST_SPEED;
  }
  if (input.held('ArrowUp')) wish *= SLOW;
  s.pace += (wish - s.pace) * 0.15;
  s.distance += s.pace;
  s.vx += (input.axis('ArrowLeft', 'ArrowRight') * STEER - s.vx) * TURN;
  s.x = Math.max(LEFT, Math.min(RIGHT, s.x + s.vx));
  if (s.safe > 0) s.safe -= 1;
  meet(s);
  s.things = s.things.filter((t) => t.y > s.distance - 320);
  layOut(s);
}

/** @param {State} s */
function meet(s) {
  /** @type {Thing[]} */
  const left = [];
  for (const t of s.things) {
    const near = Math.abs(t.y - s.distance) < t.r + SURFER_R && Math.hypot(t.x - s.x, t.y - s.distance) < t.r + SURFER_R;
    if (!near) left.push(t);
    else if (t.kind === 'bolt') s.boosts += 1;
    else if (t.kind === 'shield') s.shields += 1;
    else if (t.kind === 'heart') s.lives = Math.min(LIVES, s.lives + 1);
    else {
      left.push(t);
      if (s.safe === 0) crash(s);
    }
  }
  s.things = left;
}

/** @param {State} s */
function crash(s) {
  s.safe = SAFE_TIME;
  s.hits += 1;
  s.boosting = 0;
  if (s.shields > 0) {
    s.shields -= 1;
    return;
  }
  s.lives -= 1;
  s.crashes += 1;
  s.pace *= 0.3;
  if (s.lives === 0) finish(s, 'fail', 'The surfer crashed and has no life left.');
}

/** Lays out the rows that come next. @param {State} s */
function layOut(s) {
  const random = stream(s.rng, 'reef');
  while (s.nextRow < s.distance + 760) {
    const step = random.pick([-1, -1, 1, 1, 0]);
    s.way = Math.max(0, Math.min(SLOTS - 2, s.way + (s.nextRow === FIRST_ROW ? random.pick([-2, 2]) : step)));
    for (let slot = 0; slot < SLOTS; slot++) {
      const x = Math.round(LEFT + (slot + 0.5) * SLOT_W + random.int(-6, 6));
      const y = s.nextRow + random.int(-14, 14);
      if (slot === s.way || slot === s.way + 1) {
        if (slot === s.way && random.chance(0.3)) bonus(s, x + SLOT_W * random.int(0, 1), s.nextRow + ROW / 2);
        continue;
      }
      if (!random.chance(FULL)) continue;
      const kind = random.pick(/** @type {Kind[]} */ (['rock', 'rock', 'island', 'buoy']));
      s.things.push({ kind, x, y, r: RADIUS[kind] });
    }
    s.nextRow += ROW;
  }
}

/** @param {State} s @param {number} x @param {number} y */
function bonus(s, x, y) {
  const dice = stream(s.rng, 'bonus').float();
  /** @type {Kind} */
  const kind = dice < 0.5 ? 'bolt' : dice < 0.85 ? 'shield' : 'heart';
  s.things.push({ kind, x, y, r: RADIUS[kind] });
}

/** @param {State} s */
export function observe(s) {
  const seen = s.things.filter((t) => t.y - s.distance < 720 - SURFER_Y + 50);
  return {
    status: /** @type {'playing'|'ready'} */ (s.riding ? 'playing' : 'ready'),
    game_state: {
      score: score(s),
      level: 1,
      progress: score(s),
      player: { x: s.x, vx: s.vx, radius: SURFER_R, pace: s.pace, lives: s.lives },
      entities: seen.map((t) => ({ kind: t.kind, x: t.x, ahead: t.y - s.distance, radius: t.r })),
    },
    metrics: {
      distance: Math.round(s.distance),
      lives: s.lives,
      boosts: s.boosts,
      shields: s.shields,
      attempts: s.attempts,
      hits: s.hits,
    },
    raw: {
      speed: s.speed,
      boosting: s.boosting,
      boost_speed: BOOST_SPEED,
      boost_time: BOOST_TIME,
      slow: SLOW,
      steer: STEER,
      turn: TURN,
      left: LEFT,
      right: RIGHT,
      riding: s.riding,
    },
  };
}
