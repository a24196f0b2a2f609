// @ts-check
/** Star Tube, the rules: run through a tunnel that turns under your feet and has holes. Units, columns and frames. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { BEHIND, COLS, extend, hasTile, newTunnel, ringAt, TILE, wrap } from './tunnel.js';

const FIRST_SPEED = 0.43;
const FASTER = 0.00003;
const FASTEST = 0.5;
/** Columns in a frame. */
const SIDE_SPEED = 0.11;
const SIDE_EASE = 0.35;
const AIR = 38;
const JUMP_HEIGHT = 2.4;
const GRAVITY = (8 * JUMP_HEIGHT) / (AIR * AIR);
const JUMP = (GRAVITY * AIR) / 2;
const LOST = -4;
export const VIEW_RINGS = 28;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const state = {
    rng,
    level: oneOf(options, 'level', ['infinite'], 'infinite'),
    frames: 0,
    z: 0,
    /** `z` before a fall. */
    ran: 0,
    /** Column under the feet; not wrapped, so that the view turns the short way. */
    u: 0.5,
    side: 0,
    /** Height over the tiles. */
    h: 0,
    vh: 0,
    falling: false,
    roll: 0.5,
    coins: 0,
    stars: 0,
    deaths: 0,
    tunnel: newTunnel(),
    over: null,
  };
  extend(rng, state.tunnel, VIEW_RINGS, -BEHIND);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s */
export function speedOf(s) {
  return Math.min(FASTEST, FIRST_SPEED + FASTER * s.frames);
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.frames += 1;
  s.z += speedOf(s);
  if (!s.falling) s.ran = s.z;
  const ring = Math.floor(s.z / TILE);
  extend(s.rng, s.tunnel, ring + VIEW_RINGS, ring - BEHIND);
  s.side += (input.axis('ArrowLeft', 'ArrowRight') * SIDE_SPEED - s.side) * SIDE_EASE;
  if (Math.abs(s.side) < 1e-4) s.side = 0;
  if (!s.falling) s.u += s.side;
  s.roll += (s.u - s.roll) * 0.2;

  if (input.pressed('ArrowUp', 'Space') && s.h === 0 && !s.falling) s.vh = JUMP;
  const floor = hasTile(ringAt(s.tunnel, ring), s.u);
  if (s.h > 0 || s.vh > 0 || s.falling || !floor) {
    s.h += s.vh;
    s.vh -= GRAVITY;
    if (s.h <= 0 && !s.falling) {
      if (floor) {
        s.h = 0;
        s.vh = 0;
      } else {
        s.falling = true;
      }
    }
  }
  collect(s, ring);
  if (s.h < LOST) {
    s.deaths = 1;
    finish(s, 'fail', 'You fell through a hole, out of the tunnel.');
  }
}

/** @param {State} s @param {number} index */
function collect(s, index) {
  const ring = ringAt(s.tunnel, index);
  if (!ring || s.h > 1.6 || s.falling) return;
  const here = wrap(Math.floor(s.u));
  if (ring.coin === here) {
    ring.coin = -1;
    s.coins += 1;
  }
  if (ring.star === here) {
    ring.star = -1;
    s.stars += 1;
  }
}

/** @param {State} s */
export function distanceOf(s) {
  return Math.floor(s.ran * 10) / 10;
}

/** @param {State} s */
export function observe(s) {
  const ring = Math.floor(s.z / TILE);
  const rows = [];
  for (let i = ring; i < ring + 22; i++) {
    let row = '';
    for (let c = 0; c < COLS; c++) row += hasTile(ringAt(s.tunnel, i), c) ? '#' : '.';
    rows.push(row);
  }
  return {
    game_state: {
      score: distanceOf(s),
      level: s.level,
      progress: distanceOf(s),
      player: { column: wrap(s.u), height: s.h, falling: s.falling },
      board: rows,
    },
    metrics: {
      primary_score: distanceOf(s),
      distance: distanceOf(s),
      deaths: s.deaths,
      coins: s.coins,
      stars: s.stars,
    },
    raw: {
      z: s.z,
      u: s.u,
      side: s.side,
      vh: s.vh,
      frames: s.frames,
      speed: speedOf(s),
      tile: TILE,
      side_speed: SIDE_SPEED,
      side_ease: SIDE_EASE,
      gravity: GRAVITY,
      jump: JUMP,
    },
  };
}
