// @ts-check
/** Lily Leaper, the rules: a frog that always leaps climbs from pad to pad. Heights grow upwards; pixels and frames. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

/** The climb happens between two rock walls; who leaves on one side comes back on the other. */
export const LEFT = 240;
export const RIGHT = 1040;
export const FROG_W = 56;
export const PAD_W = 104;
export const PAD_THICK = 20;
/** The score is the square of the height over this: higher pads are worth more. */
const SQUARE = 2300;

const GRAVITY = 0.7;
const LEAP = 20;
const FLOWER = 31;
const FASTEST = 9;
const STEER = 0.25;
const FASTEST_FALL = 18;
/** The frog is never shown higher above the lower edge than this, but for the picture catching up. */
const EYE = 290;
const BELOW = 70;

/** @typedef {'green'|'dry'|'drifting'|'rotten'} Kind */
/** @typedef {{x: number, h: number, kind: Kind, flower: boolean, v: number, gone: boolean}} Pad
 * `x` is the middle; a dry pad breaks under its first leap, a rotten one before it. */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    x: 640,
    h: 0,
    v: LEAP,
    vx: 0,
    facing: 1,
    camera: -150,
    /** Height of the highest pad the frog has leapt from. */
    best: 0,
    /** Highest point reached at all. */
    peak: 0,
    leaps: 0,
    squash: 0,
    frame: 0,
    /** @type {Pad[]} */
    pads: [{ x: 640, h: 0, kind: 'green', flower: false, v: 0, gone: false }],
    over: null,
  };
  grow(state);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
export function score(s) {
  return Math.floor((s.best * s.best) / SQUARE);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  if (s.squash > 0) s.squash -= 1;
  let wish = input.axis('ArrowLeft', 'ArrowRight');
  if (!wish && input.mouseHeld('left') && Math.abs(input.mouse.x - s.x) > 12) wish = Math.sign(input.mouse.x - s.x);
  if (wish) s.facing = wish;
  s.vx += (wish * FASTEST - s.vx) * STEER;
  s.x = wrap(s.x + s.vx);
  for (const p of s.pads) {
    p.x += p.v;
    if (p.x < LEFT + PAD_W / 2 || p.x > RIGHT - PAD_W / 2) p.v = -p.v;
  }
  const before = s.h;
  s.v = Math.max(-FASTEST_FALL, s.v - GRAVITY);
  s.h += s.v;
  s.peak = Math.max(s.peak, s.h);
  if (s.v < 0) {
    const pad = s.pads.find((p) => !p.gone && before >= p.h && s.h <= p.h && over(s.x, p.x));
    if (pad && pad.kind === 'rotten') pad.gone = true;
    else if (pad) leap(s, pad);
  }
  s.camera = Math.max(s.camera, s.camera + (s.h - EYE - s.camera) * 0.12);
  grow(s);
  if (s.h < s.camera - BELOW) finish(s, 'fail', 'The frog missed the pads and fell.');
}

/** @param {State} s @param {Pad} pad */
function leap(s, pad) {
  s.h = pad.h;
  s.v = pad.flower ? FLOWER : LEAP;
  s.best = Math.max(s.best, pad.h);
  s.leaps += 1;
  s.squash = 8;
  if (pad.kind === 'dry') pad.gone = true;
}

/** The frog's feet touch a pad. @param {number} x @param {number} padX */
function over(x, padX) {
  return Math.abs(x - padX) < PAD_W / 2 + FROG_W / 2 - 12;
}

/** @param {number} x */
function wrap(x) {
  if (x < LEFT) return x + RIGHT - LEFT;
  if (x >= RIGHT) return x - (RIGHT - LEFT);
  return x;
}

/** Adds pads above the picture and forgets those below it. @param {State} s */
function grow(s) {
  s.pads = s.pads.filter((p) => !p.gone && p.h > s.camera - 100);
  const random = stream(s.rng, 'pads');
  const low = LEFT + PAD_W / 2 + 4;
  const high = RIGHT - PAD_W / 2 - 4;
  let top = s.pads.reduce((a, p) => (p.h > a.h && p.kind !== 'rotten' ? p : a), { h: 0, x: 640 });
  while (top.h < s.camera + 1500) {
    const h = Math.round(top.h + Math.min(200, 142 + top.h * 0.011) + random.int(-12, 12));
    let x = random.int(low, high);
    // Never right above the pad before: somebody who only waits gets nowhere.
    while (Math.abs(x - top.x) < 200) x = random.int(low, high);
    const dice = random.float();
    const hard = Math.min(0.5, h / 5000);
    /** @type {Kind} */
    const kind = dice < hard * 0.55 ? 'dry' : dice < hard ? 'drifting' : 'green';
    const flower = kind === 'green' && h > 600 && random.chance(0.36);
    const v = kind === 'drifting' ? random.pick([-1, 1]) * random.float(1.2, 2.2) : 0;
    const pad = { x, h, kind, flower, v, gone: false };
    s.pads.push(pad);
    const rotten = between(s, top, pad);
    if (rotten) s.pads.push(rotten);
    top = pad;
  }
}

/** Now and then a rotten pad hangs between two others, at no height and place where it would hide one of them.
 * @param {State} s @param {{x: number, h: number}} below @param {Pad} above @returns {Pad | null} */
function between(s, below, above) {
  const random = stream(s.rng, 'rotten');
  if (below.h < 400 || !random.chance(0.35)) return null;
  const x = random.int(LEFT + PAD_W / 2 + 4, RIGHT - PAD_W / 2 - 4);
  if (Math.min(Math.abs(x - below.x), Math.abs(x - above.x)) < PAD_W + 30) return null;
  return { x, h: Math.round((below.h + above.h) / 2), kind: 'rotten', flower: false, v: 0, gone: false };
}

/** @param {State} s */
export function observe(s) {
  const pads = s.pads.filter((p) => p.h > s.camera - 30 && p.h < s.camera + 700);
  return {
    game_state: {
      score: score(s),
      level: 1,
      progress: score(s),
      player: { x: s.x, height: s.h, vx: s.vx, vy: s.v },
      entities: pads.map((p) => ({ kind: p.kind, x: p.x, height: p.h, flower: p.flower, drift: p.v })),
    },
    metrics: { distance: Math.round(s.peak), platforms_visible: pads.length, leaps: s.leaps },
    raw: {
      camera: s.camera,
      gravity: GRAVITY,
      leap: LEAP,
      flower: FLOWER,
      fastest: FASTEST,
      steer: STEER,
      fastest_fall: FASTEST_FALL,
      reach: PAD_W / 2 + FROG_W / 2 - 12,
      left: LEFT,
      right: RIGHT,
      drift_margin: PAD_W / 2,
      best: s.best,
      below: BELOW,
    },
  };
}
