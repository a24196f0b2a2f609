// @ts-check
/**
 * Up and Over, the rules: a hare that always runs to the right, jumps as high as it is told to, and stops at what is
 * too high. Lengths are pixels; heights are counted upwards from the ground, times are updates.
 */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { build, NAMES } from './stages.js';

export const W = 36;
export const H = 44;
export const RUN = 4;
/** Speed upwards while the jump is held, and after letting go or after `MOST_HELD` updates. */
const RISE = 6;
const GRAVITY = 0.6;
const BOUNCE = 5;
/** Updates of one unit of the jump levels: a level holds the jump for so many units. */
export const UNIT = 4;
export const MOST_LEVEL = 6;
const MOST_HELD = UNIT * MOST_LEVEL;
/** Where the hare is in the picture, and how far the picture reaches beyond that. */
export const BEHIND = 260;
export const AHEAD = 1020;
/** Sizes of foes: width and height. */
export const SIZES = { snail: [40, 32], wasp: [40, 36] };
/** A wasp rises and sinks by so much, above its lowest place. */
const BOB = 70;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const name = oneOf(options, 'stage', NAMES, NAMES[0]);
  const stage = build(name, rng);
  return {
    rng,
    name,
    ...stage,
    /** `held`: updates for which the jump can still be held. */
    hero: { x: stage.start, y: 0, vy: 0, ground: true, held: 0 },
    jumps: 0,
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const pressed = input.pressed('Space', 'ArrowUp') || !!input.clicked('left');
  move(s, pressed, pressed || input.held('Space') || input.held('ArrowUp') || input.mouseHeld('left'));
}

/** One update. @param {State} s @param {boolean} pressed @param {boolean} held */
function move(s, pressed, held) {
  s.frame += 1;
  const b = s.hero;
  if (pressed && b.ground) {
    b.held = MOST_HELD;
    b.ground = false;
    s.jumps += 1;
  }
  if (b.held > 0 && held) {
    b.held -= 1;
    b.vy = RISE;
  } else {
    b.held = 0;
    if (!b.ground) b.vy -= GRAVITY;
  }
  forward(s);
  const below = support(s, b.x);
  const y = b.y + b.vy;
  b.ground = b.vy <= 0 && b.y >= below && y <= below;
  b.y = b.ground ? below : y;
  if (b.ground) b.vy = 0;
  foes(s);
  if (b.y < -TOO_DEEP) finish(s, 'fail', 'The hare fell into a ditch.');
  else if (s.thorns.some((t) => b.x + W > t.x && b.x < t.x + t.w && b.y + H > t.low)) finish(s, 'fail', 'The hare jumped into the thorns.');
  else if (b.x + W >= s.flag) finish(s, 'win', 'The hare is at the flag.');
}

const TOO_DEEP = 90;

/** Runs on, as far as nothing is in the way. @param {State} s */
function forward(s) {
  const b = s.hero;
  let x = b.x + RUN;
  for (const k of s.solids) if (k.h > b.y && x + W > k.x && b.x < k.x + k.w) x = Math.min(x, k.x - W);
  if (b.y < 0) for (const d of s.ditches) if (b.x < d.x + d.w && x + W > d.x + d.w) x = Math.min(x, d.x + d.w - W);
  b.x = Math.max(b.x, x);
}

/** The height of the ground under the hare. @param {State} s @param {number} x */
function support(s, x) {
  const open = s.ditches.some((d) => x >= d.x && x + W <= d.x + d.w);
  return s.solids.reduce((top, k) => (x + W > k.x && x < k.x + k.w ? Math.max(top, k.h) : top), open ? -Infinity : 0);
}

/** Foes move once they have been seen. @param {State} s */
function foes(s) {
  const b = s.hero;
  for (const f of s.foes) {
    const [w, h] = SIZES[f.kind];
    if (f.flat) {
      f.flat += 1;
      continue;
    }
    if (f.x > b.x + AHEAD || f.x < b.x - BEHIND - w) continue;
    f.age += 1;
    if (f.kind === 'wasp') f.y = 60 + BOB * (1 - Math.abs((f.age % 90) - 45) / 45);
    else if (blocked(s, f.x + f.vx, w)) f.vx = -f.vx;
    else f.x += f.vx;
    if (b.x + W <= f.x + 4 || b.x >= f.x + w - 4 || b.y + H <= f.y || b.y >= f.y + h) continue;
    if (b.vy < 0 && b.y > f.y + h / 2 - 4) {
      f.flat = 1;
      b.vy = BOUNCE;
    } else finish(s, 'fail', `The hare ran into a ${f.kind}.`);
  }
}

/** Whether a snail cannot be there. @param {State} s @param {number} x @param {number} w */
function blocked(s, x, w) {
  return s.solids.some((k) => x < k.x + k.w && x + w > k.x) || s.ditches.some((d) => x < d.x + d.w && x + w > d.x);
}

/** Carries a jump level out: holds the jump for so many units of four updates, then runs on until the hare stands; level
 * 0 runs for one unit.
 * @param {State} s @param {{level: number}} given @returns {Generator<string[], {ok: boolean, feedback: string}, void>} */
function* jump(s, { level }) {
  const from = s.hero.x;
  for (let i = 0; i < UNIT * Math.max(1, level); i++) yield level ? ['Space'] : [];
  for (let units = 0; level && units < 40 && !s.hero.ground; units++) for (let i = 0; i < UNIT; i++) yield [];
  return { ok: true, feedback: `Jump level ${level}: you are ${s.hero.x - from} pixels further.` };
}
export const commands = { jump };

/** Percent of the way to the flag. @param {State} s */
export function done(s) {
  return Math.min(100, (100 * (s.hero.x - s.start)) / (s.flag - W - s.start));
}

/** @param {State} s */
export function observe(s) {
  const { x, y, vy, ground, held } = s.hero;
  return {
    game_state: {
      score: done(s),
      level: NAMES.indexOf(s.name) + 1,
      progress: done(s) / 100,
      player: { x, y, vy, on_ground: ground, held },
      entities: s.foes,
      stage: { solids: s.solids, ditches: s.ditches, thorns: s.thorns, start: s.start, flag: s.flag },
    },
    metrics: { jumps: s.jumps },
  };
}
