// @ts-check
/** Pulse Jumper, the rules: a cube runs to a beat, jumps what is in its way and sometimes runs on the ceiling. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { LEVELS, shifted } from './levels.js';

export const FLOOR = 600;
export const CEILING = 160;
/** Side of the cube; screen position of its left edge. */
export const SIDE = 48;
export const SCREEN_X = 300;
/** Updates between two characters of a track: half a beat at 120 beats a minute. */
export const HALF_BEAT = 15;
export const SPIKE_W = 40;
export const SPIKE_H = 52;
export const BLOCK_W = 84;
export const BLOCK_H = 64;
/** An orb's middle above the ground it floats over, and its radius. */
export const ORB_Y = 128;
export const ORB_R = 24;

const GRAVITY = 0.92;
const JUMP = 15.2;
const FASTEST_FALL = 17;
/** Score for each obstacle that lies behind the cube. */
export const WORTH = 10;

/**
 * @typedef {{kind: 'spike'|'block'|'orb'|'gate', x: number, w: number, up: boolean, group: number, done: boolean}} Thing
 * `up`: it hangs from the ceiling; `group`: number of the obstacle it belongs to, -1 for a gate.
 */

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const number = oneOf(options, 'level', [1, 2, 3], 1);
  const level = { ...LEVELS[number - 1], track: shifted(LEVELS[number - 1].track, stream(rng, 'track')) };
  const { things, groups } = build(level);
  return {
    rng,
    level: number,
    speed: level.speed,
    color: level.color,
    length: level.track.length * HALF_BEAT * level.speed,
    things,
    groups,
    /** Distance run; the cube's left edge lies there. */
    x: 0,
    /** Height above the ground it runs on, and its speed away from it. */
    h: 0,
    v: 0,
    up: false,
    grounded: true,
    angle: 0,
    cleared: 0,
    jumps: 0,
    deaths: 0,
    frame: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {import('./levels.js').Level} level */
function build(level) {
  /** @type {Thing[]} */
  const things = [];
  let up = false;
  let groups = 0;
  [...level.track].forEach((c, i) => {
    const x = (i + 1) * HALF_BEAT * level.speed;
    const add = (/** @type {Thing['kind']} */ kind, /** @type {number} */ dx, /** @type {number} */ w, group = groups) =>
      things.push({ kind, x: x + dx, w, up, group, done: false });
    if (c === 'F') {
      add('gate', 0, 20, -1);
      up = !up;
      return;
    }
    if (c === '^') add('spike', 0, SPIKE_W);
    if (c === 'w') for (const dx of [0, SPIKE_W]) add('spike', dx, SPIKE_W);
    if (c === '#') add('block', 0, BLOCK_W);
    if (c === '%') {
      add('block', 0, BLOCK_W);
      add('spike', BLOCK_W, SPIKE_W);
    }
    if (c === 'o') add('orb', 0, 2 * ORB_R);
    if (c !== '.') groups += 1;
  });
  return { things, groups };
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frame += 1;
  const wants = input.held('Space') || input.mouseHeld('left');
  if (wants && s.grounded) {
    s.v = JUMP;
    s.jumps += 1;
    s.grounded = false;
  }
  const before = s.h;
  s.v = Math.max(-FASTEST_FALL, s.v - GRAVITY);
  s.h += s.v;
  s.x += s.speed;
  s.grounded = false;
  if (s.h <= 0) land(s, 0);
  const top = FLOOR - CEILING - SIDE;
  if (s.h > top) {
    s.h = top;
    s.v = 0;
  }
  for (const t of s.things) {
    if (t.done || t.x > s.x + SIDE) continue;
    if (meet(s, t, before)) return;
  }
  if (!s.grounded) s.angle += 0.09;
  count(s);
  if (s.x >= s.length) finish(s, 'win', 'The cube reached the end of the track.');
}

/** @param {State} s @param {number} h */
function land(s, h) {
  s.h = h;
  s.v = 0;
  s.grounded = true;
  s.angle = 0;
}

/** The cube overlaps a thing's column; true if that was its end. @param {State} s @param {Thing} t @param {number} before */
function meet(s, t, before) {
  if (t.kind === 'gate') {
    t.done = true;
    // What was the way up is now the way down: the cube falls to the other side.
    s.up = !s.up;
    s.h = FLOOR - CEILING - SIDE - s.h;
    s.v = -s.v;
    s.grounded = false;
    return false;
  }
  // A thing that hangs on the side the cube does not run on is out of reach.
  if (t.up !== s.up || s.x > t.x + t.w) return false;
  switch (t.kind) {
    case 'spike': {
      const middle = Math.abs(s.x + SIDE / 2 - (t.x + t.w / 2));
      if (middle < SIDE / 2 + 8 && s.h < SPIKE_H - 10) return die(s, 'The cube ran into a spike.');
      return false;
    }
    case 'block':
      if (s.x + SIDE <= t.x + 3 || s.x >= t.x + t.w - 3) return false;
      if (s.h >= BLOCK_H) return false;
      if (before >= BLOCK_H - 14 && s.v <= 0) {
        land(s, BLOCK_H);
        return false;
      }
      return die(s, 'The cube ran into a block.');
    case 'orb': {
      const dx = s.x + SIDE / 2 - (t.x + ORB_R);
      const dy = s.h + SIDE / 2 - ORB_Y;
      if (dx * dx + dy * dy < (ORB_R + 20) ** 2) return die(s, 'The cube touched an orb.');
      return false;
    }
  }
}

/** @param {State} s @param {string} reason */
function die(s, reason) {
  s.deaths += 1;
  finish(s, 'fail', reason);
  return true;
}

/** Takes away what lies behind and counts the obstacles among it. @param {State} s */
function count(s) {
  for (const t of s.things) {
    if (t.kind === 'gate' || t.done || t.x + t.w > s.x) continue;
    t.done = true;
    if (!s.things.some((o) => o.group === t.group && !o.done)) s.cleared += 1;
  }
}

/** @param {State} s */
export function progress(s) {
  return Math.round(Math.min(1, s.x / s.length) * 10000) / 10000;
}

/** @param {State} s */
export function observe(s) {
  const score = s.cleared * WORTH;
  const near = s.things.filter((t) => t.x + t.w > s.x - 300 && t.x < s.x + 1000);
  return {
    game_state: {
      score,
      level: s.level,
      progress: progress(s),
      completion_progress: progress(s),
      mode: s.up ? 'ceiling' : 'floor',
      player_die: s.deaths > 0,
      player: { x: s.x, height: s.h, speed: s.v, grounded: s.grounded },
      entities: near.map((t) => ({ kind: t.kind, ahead: t.x - s.x, width: t.w, hanging: t.up })),
    },
    metrics: {
      distance: Math.round(s.x),
      points: score,
      best_score: score,
      deaths: s.deaths,
      jumps: s.jumps,
    },
    raw: { speed: s.speed, obstacles: s.groups },
  };
}
