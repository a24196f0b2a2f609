// @ts-check
/** Harbour, being in the town: what is in the way, what is stood on, and where one looks from. Metres, degrees. */

import { BOXES, FLOORS, POSTS } from './town.js';

const RADIUS = 0.32;
const HEIGHT = 1.6;
/** What one steps over, and up or down without stopping. */
const STEP = 0.3;
const CLIMB = 0.45;
/** Share of a step along a wall from which on one slides; less, and the wall stops one. */
const GLANCING = 0.8;

/** @typedef {import('./rules.js').State} State */

/** Height of the ground for feet at y; null where there is none. @param {number} x @param {number} z @param {number} y @returns {number|null} */
export function groundAt(x, z, y) {
  /** @type {number|null} */
  let best = null;
  for (const f of FLOORS) {
    if (x < f.x0 || x > f.x1 || z < f.z0 || z > f.z1) continue;
    const part = f.along === 'x' ? (x - f.x0) / (f.x1 - f.x0) : (z - f.z0) / (f.z1 - f.z0);
    const h = f.y + f.rise * part;
    if (h <= y + CLIMB && (best === null || h > best)) best = h;
  }
  return best;
}

/** Something stands where a body with its feet there would be. @param {State} s @param {number} x @param {number} y @param {number} z
 * @param {{x: number, z: number, y?: number, r: number}[]} others */
export function blocked(s, x, y, z, others) {
  for (const b of BOXES) {
    if (b.y1 <= y + STEP || b.y0 >= y + HEIGHT || (b.gate && s.flags[b.gate])) continue;
    const dx = x - Math.max(b.x0, Math.min(b.x1, x));
    const dz = z - Math.max(b.z0, Math.min(b.z1, z));
    if (dx * dx + dz * dz < RADIUS * RADIUS) return true;
  }
  for (const p of POSTS) {
    if (p.y1 <= y + STEP || p.y0 >= y + HEIGHT) continue;
    if ((x - p.x) ** 2 + (z - p.z) ** 2 < (RADIUS + p.r) ** 2) return true;
  }
  return others.some((o) => Math.abs((o.y ?? 0) - y) < HEIGHT && (x - o.x) ** 2 + (z - o.z) ** 2 < (RADIUS + o.r) ** 2);
}

/** One frame's walk. @param {State} s @param {number} dx @param {number} dz @param {{x: number, z: number, y?: number, r: number}[]} others */
export function walk(s, dx, dz, others) {
  const p = s.player;
  const size = Math.hypot(dx, dz);
  if (!size) return;
  const tries = [[dx, dz]];
  if (Math.abs(dx) >= GLANCING * size) tries.push([dx, 0]);
  if (Math.abs(dz) >= GLANCING * size) tries.push([0, dz]);
  for (const [ax, az] of tries) {
    const [x, z] = [tidy(p.x + ax), tidy(p.z + az)];
    const y = groundAt(x, z, p.y);
    if (y === null || p.y - y > CLIMB || blocked(s, x, y, z, others)) continue;
    p.x = x;
    p.z = z;
    p.y = tidy(y);
    p.walked = tidy(p.walked + size);
    return;
  }
}

/** Tenths of a millimetre. @param {number} v */
export function tidy(v) {
  return Math.round(v * 1e4) / 1e4;
}

/** Bearing of one point from another: 0 is north, 90 east. @param {number} dx @param {number} dz */
export function bearing(dx, dz) {
  return (Math.atan2(dx, dz) * 180) / Math.PI;
}

/** An angle from -180 to 180. @param {number} a */
export function around(a) {
  return ((((a + 180) % 360) + 360) % 360) - 180;
}

/** Where the picture is seen from: behind the figure, nearer where a wall is in the way. @param {State} s @param {number} turn degrees
 * @returns {import('./raster.js').Camera & {back: number}} */
export function cameraOf(s, turn) {
  const { x, y, z } = s.player;
  const yaw = ((s.player.yaw + turn) * Math.PI) / 180;
  const [bx, bz] = [-Math.sin(yaw), -Math.cos(yaw)];
  const at = (/** @type {number} */ back) => ({ x: x + bx * back, y: y + 1.5 + back * 0.27, z: z + bz * back });
  let back = 0.1;
  while (back < 4.3 && !wall(s, at(back + 0.1))) back += 0.1;
  return { ...at(back), yaw, pitch: -0.17, back };
}

/** @param {State} s @param {{x: number, y: number, z: number}} at */
function wall(s, { x, y, z }) {
  const m = 0.16;
  for (const b of BOXES) {
    if (b.thin || (b.gate && s.flags[b.gate])) continue;
    if (x > b.x0 - m && x < b.x1 + m && y > b.y0 - m && y < b.y1 + m && z > b.z0 - m && z < b.z1 + m) return true;
  }
  return POSTS.some((p) => !p.thin && p.r > 0.3 && y < p.y1 && y > p.y0 && (x - p.x) ** 2 + (z - p.z) ** 2 < (p.r + m) ** 2);
}
