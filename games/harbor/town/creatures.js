// @ts-check
/** Harbour, the cat in the garden and the mump on the pier. Metres, degrees, frames. */

import { stream } from '../../kit/random.js';
import { around, bearing, tidy } from './body.js';

/** @typedef {import('./rules.js').State} State */

/** The part of the pier that the mump moves on. */
const PIER = { x0: 41, x1: 43, z0: -8.8, z1: 3.5 };
/** It minds who is on the pier and no farther than this. */
const SIGHT = 8;
const SHOUT = 2.3;
export const SHOUTS = 3;

/** @param {boolean} awake */
export function makeMump(awake) {
  return { mode: awake ? 'pace' : 'asleep', x: 42, z: awake ? -3 : -8, yaw: 0, clock: 60, way: 1, dashX: 0, dashZ: 0, shouted: 0 };
}

/** How it looks: how far puffed up (below 0: it sags), how high it hops, whether its eyes are shut and it is red. @param {State['mump']} m */
export function lookOf(m) {
  const puff = { puff: 1 - m.clock / 45, dash: 1, rest: -0.4 }[m.mode] ?? 0;
  const hop = m.mode === 'flee' ? Math.abs(Math.sin(m.clock * 0.35)) * 0.5 : 0;
  return { puff, hop, shut: m.mode === 'asleep' || m.mode === 'rest', red: puff > 0.3 };
}

/** The mump and the player are at each other. @param {State} s */
export function fighting(s) {
  const m = s.mump;
  const p = s.player;
  return m.mode !== 'asleep' && m.mode !== 'gone' && p.z < 7 && p.x > 40 && p.x < 44 && Math.hypot(p.x - m.x, p.z - m.z) < SIGHT;
}

/** @param {State} s */
export function moveMump(s) {
  const m = s.mump;
  if (m.mode === 'asleep' || m.mode === 'gone') return;
  const p = s.player;
  m.clock -= 1;
  const near = Math.hypot(p.x - m.x, p.z - m.z);
  if (m.mode !== 'dash' && fighting(s)) m.yaw = Math.round(bearing(p.x - m.x, p.z - m.z) * 10) / 10;
  if (m.mode === 'pace') {
    m.x = tidy(m.x + m.way * 0.015);
    if (m.x < PIER.x0 + 0.2 || m.x > PIER.x1 - 0.2) m.way = m.x < 42 ? 1 : -1;
    if (m.clock <= 0 && fighting(s)) become(m, 'puff', 45);
  } else if (m.mode === 'puff') {
    if (m.clock > 12) {
      const far = near || 1;
      [m.dashX, m.dashZ] = [tidy((p.x - m.x) / far), tidy((p.z - m.z) / far)];
    }
    if (m.clock <= 0) become(m, 'dash', 28);
  } else if (m.mode === 'dash') {
    put(m, m.x + m.dashX * 0.12, m.z + m.dashZ * 0.12);
    if (Math.hypot(p.x - m.x, p.z - m.z) < 1) hit(s);
    else if (m.clock <= 0) become(m, 'rest', 110);
  } else if (m.mode === 'rest') {
    if (m.clock <= 0) become(m, 'pace', stream(s.rng, 'mump').int(40, 90));
  } else if (m.mode === 'flee') {
    put(m, m.x, m.z - 0.07);
    if (m.clock <= 0) become(m, m.shouted >= SHOUTS ? 'gone' : 'pace', 60);
  }
}

/** A shout at a tired mump, from near and face to face. @param {State} s @returns {boolean} whether it minds */
export function shout(s) {
  const m = s.mump;
  const p = s.player;
  const faced = Math.abs(around(bearing(m.x - p.x, m.z - p.z) - p.yaw)) < 60;
  if (m.mode !== 'rest' || !faced || Math.hypot(p.x - m.x, p.z - m.z) > SHOUT) return false;
  m.shouted += 1;
  become(m, 'flee', 36);
  return true;
}

/** @param {State['mump']} m @param {string} mode @param {number} clock */
function become(m, mode, clock) {
  m.mode = mode;
  m.clock = clock;
}

/** @param {State['mump']} m @param {number} x @param {number} z */
function put(m, x, z) {
  m.x = tidy(Math.max(PIER.x0, Math.min(PIER.x1, x)));
  m.z = tidy(Math.max(PIER.z0, Math.min(PIER.z1, z)));
}

/** It ran into the player: one heart less, and both are thrown back. @param {State} s */
function hit(s) {
  s.hearts -= 1;
  s.shaken = 40;
  s.player.z = tidy(Math.min(6.5, s.player.z + 1.8));
  s.player.x = tidy(Math.max(40.6, Math.min(43.4, s.player.x)));
  become(s.mump, 'rest', 70);
}

const CAT = { x: 16.7, z0: 26.2, z1: 31 };

/** @param {import('../../kit/random.js').Rng} rng */
export function makeCat(rng) {
  const chance = stream(rng, 'cat');
  return { x: CAT.x, z: tidy(chance.float(CAT.z0, CAT.z1)), way: chance.pick([-1, 1]), rest: chance.int(0, 90), walked: 0 };
}

/** Up and down between the pillars; it sits down now and then, and where one stands in its way. @param {State} s */
export function moveCat(s) {
  const c = s.cat;
  if (c.rest > 0) {
    c.rest -= 1;
    return;
  }
  const z = tidy(c.z + c.way * 0.014);
  if (Math.hypot(c.x - s.player.x, z - s.player.z) < 0.75) return;
  c.z = z;
  c.walked = tidy(c.walked + 0.014);
  if (z < CAT.z0 || z > CAT.z1) {
    c.way = z < CAT.z0 ? 1 : -1;
    c.rest = stream(s.rng, 'cat').int(40, 160);
  }
}
