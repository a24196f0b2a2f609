// @ts-check
/** Pin Wheel, the rules: balls fly up into a turning wheel and stick; no two may touch. Degrees, pixels, frames. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { changes } from '../../dealt/stages.js';

export const CORE = { x: 640, y: 290, r: 78 };
/** From the wheel's middle to the middle of a ball on its pin. */
export const ARM = 218;
export const BALL_R = 20;
export const START_Y = 640;
/** Two balls closer than this on the wheel touch: 2 · 20 px on a circle of 218 px, and a little air. */
export const APART = 13;
const FLIGHT = 6;
/** So many frames may have passed before the start: a turn of any level, about. */
const PHASES = 300;

/**
 * `turn(t)`: degrees a frame at frame t; the seed deals the frame at the start. `pins`: how many balls sit on the wheel
 * already; the seed deals where.
 * @type {{balls: number, pins: number, turn: (t: number) => number}[]}
 */
export const LEVELS = [
  { balls: 8, pins: 5, turn: () => 1.25 },
  { balls: 10, pins: 4, turn: () => -1.75 },
  { balls: 20, pins: 0, turn: (t) => 1.5 + 0.8 * Math.sin(t / 41) },
  { balls: 12, pins: 4, turn: (t) => (t % 300 < 170 ? 2 : -2) },
  { balls: 8, pins: 9, turn: (t) => 1.9 * Math.sin(t / 53) + 1.1 },
];

/** Where so many balls sit: each with room for one more beside it, the rest of the room in shares of one to four.
 * @param {import('../../kit/random.js').Stream} r @param {number} count @returns {number[]} */
function dealPins(r, count) {
  const shares = Array.from({ length: count }, () => r.int(1, 4));
  const all = shares.reduce((a, b) => a + b, 0);
  let at = r.int(0, 359);
  return shares.map((share) => {
    at += 2 * APART + (share / all) * (360 - 2 * APART * count);
    return Math.round(at) % 360;
  });
}

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const level = oneOf(options, 'level', [1, 2, 3, 4, 5], 1);
  const { balls, pins } = LEVELS[level - 1];
  return {
    rng,
    level,
    frame: changes(rng, 'turn', [PHASES])[0],
    angle: 0,
    /** Where balls sit, in the wheel's own degrees, 0 being straight down at the start. */
    pins: dealPins(stream(rng, 'pins'), pins),
    given: pins,
    left: balls,
    /** Frames the flying balls have been under way. @type {number[]} */
    flying: [],
    score: 0,
    sinceHit: 99,
    /** Where the ball that touched sits, for the picture. @type {number | null} */
    clash: null,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** The difference of two angles in [0, 180]. @param {number} a @param {number} b */
export function gap(a, b) {
  const d = (((a - b) % 360) + 360) % 360;
  return Math.min(d, 360 - d);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  s.sinceHit += 1;
  s.angle = (s.angle + LEVELS[s.level - 1].turn(s.frame) + 360) % 360;
  if ((input.pressed('Space') || input.clicked('left')) && s.left > 0) {
    s.left -= 1;
    s.flying.push(0);
  }
  s.flying = s.flying.map((f) => f + 1);
  if (s.flying[0] < FLIGHT || !s.flying.length) return;
  s.flying.shift();
  const at = (360 - s.angle) % 360;
  if (s.pins.some((p) => gap(p, at) < APART)) {
    s.clash = at;
    return finish(s, 'fail', 'Two balls touched.');
  }
  s.pins.push(at);
  s.score += 1;
  s.sinceHit = 0;
  if (s.score === LEVELS[s.level - 1].balls) finish(s, 'win', 'Every ball has its place.');
}

/** How far a flying ball has come, from 0 to 1. @param {number} frames */
export const flown = (frames) => frames / FLIGHT;

/** @param {State} s */
export function observe(s) {
  const total = LEVELS[s.level - 1].balls;
  return {
    game_state: {
      score: s.score,
      level: s.level,
      progress: s.score / total,
      completion_progress: s.score / total,
      player: { balls_left: s.left, in_flight: s.flying.length },
      entities: s.pins.map((p) => ({ kind: 'ball', angle: (p + s.angle) % 360 })),
    },
    metrics: {
      queue_remaining: s.left,
      queue_total: total,
      attached_count: s.score,
      initial_attached: s.given,
      total_required: total,
      attempts: total - s.left,
    },
    raw: { frame: s.frame, apart: APART, flight: FLIGHT, pins: [...s.pins], angle: s.angle },
  };
}

/** The screen in words. Angles are seen from the wheel's middle, clockwise from its lowest point. @param {State} s */
export function describe(s) {
  const { balls, turn } = LEVELS[s.level - 1];
  const seen = (/** @type {number} */ p) => Math.round((p + s.angle) % 360) % 360;
  const angles = s.pins.map(seen).sort((a, b) => a - b);
  const speed = turn(s.frame) * 12;
  const way = speed < 0 ? 'anticlockwise, so the angles shrink' : 'clockwise, so the angles grow';
  const turning = Math.abs(speed) < 0.5 ? 'The wheel hardly turns.' : `The wheel turns ${way} by about ${Math.abs(Math.round(speed))} degrees in 0.2 s.`;
  return [
    `Level ${s.level}. Placed: ${s.score} of ${balls}. Balls left: ${s.left}.`,
    turning,
    'Angles are in degrees, clockwise from the lowest point of the wheel: 0 is where a fired ball arrives, 90 is left, 180 the top, 270 right.',
    angles.length ? `Balls on the wheel (${angles.length}) are at: ${angles.join(', ')}.` : 'There is no ball on the wheel.',
    `Two balls touch when they are less than ${APART} degrees apart.`,
    ...s.flying.map((f) => `A fired ball is on its way up, ${Math.round(flown(f) * 100)} % of the way to the wheel.`),
    ...(s.clash === null ? [] : [`The ball that touched another is red, at ${seen(s.clash)}.`]),
    s.left ? 'The next ball waits straight below the wheel.' : 'No ball is waiting.',
    `The wheel's middle is at x=${CORE.x}, y=${CORE.y}; its balls (radius ${BALL_R}) are ${ARM} pixels away from it.`,
  ].join('\n');
}
