// @ts-check
/** Block Valley, being in the land: what is where, walking, falling, and what the crosshair points at. Blocks. */

import { AIR, LEAVES } from './blocks.js';
import { index, inside, SIZE, TALL, terrain } from './terrain.js';

const HALF = 0.3;
const HEIGHT = 1.75;
export const EYE = 1.6;
export const REACH = 5;
const GRAVITY = 0.0105;

/** @typedef {import('./rules.js').State} State */

/** The block there; above the land is air, below and beside it is nothing that one could enter.
 * @param {State} s @param {number} x @param {number} y @param {number} z */
export function blockAt(s, x, y, z) {
  if (!inside(x, y, z)) return AIR;
  const i = index(x, y, z);
  return s.edits[i] ?? terrain(s.land)[i];
}

/** @param {State} s @param {number} x @param {number} y @param {number} z */
function blocked(s, x, y, z) {
  if (x < 0 || z < 0 || x >= SIZE || z >= SIZE || y < 0) return true;
  return y < TALL && blockAt(s, x, y, z) !== AIR;
}

/** The body fits with its feet at that point. @param {State} s @param {number} x @param {number} y @param {number} z */
export function fits(s, x, y, z) {
  for (let by = Math.floor(y); by < y + HEIGHT; by++) {
    for (let bz = Math.floor(z - HALF); bz <= z + HALF; bz++) {
      for (let bx = Math.floor(x - HALF); bx <= x + HALF; bx++) if (blocked(s, bx, by, bz)) return false;
    }
  }
  return true;
}

/** One frame of walking and falling; single blocks are climbed without a jump. @param {State} s @param {number} dx @param {number} dz */
export function moveBody(s, dx, dz) {
  const p = s.player;
  for (const [ax, az] of [[dx, 0], [0, dz]]) {
    if (!ax && !az) continue;
    if (fits(s, p.x + ax, p.y, p.z + az)) {
      p.x += ax;
      p.z += az;
    } else if (p.grounded && fits(s, p.x, p.y + 1, p.z) && fits(s, p.x + ax, p.y + 1, p.z + az)) {
      p.x += ax;
      p.z += az;
      p.y += 1;
    }
  }
  p.vy -= GRAVITY;
  if (fits(s, p.x, p.y + p.vy, p.z)) {
    p.y += p.vy;
    p.grounded = false;
  } else {
    p.grounded = p.vy < 0;
    if (p.grounded) p.y = Math.floor(p.y + 1e-6);
    if (p.grounded && !fits(s, p.x, p.y, p.z)) p.y += 1;
    p.vy = 0;
  }
}

/** @param {{yaw: number, pitch: number}} p degrees; yaw 0 looks along +z, 90 along +x @returns {number[]} */
export function direction(p) {
  const yaw = (p.yaw * Math.PI) / 180;
  const pitch = (p.pitch * Math.PI) / 180;
  return [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
}

/**
 * The first block on the line of sight and the empty cell before it.
 * @param {State} s @returns {{x: number, y: number, z: number, block: number, distance: number, before: number[]}|null}
 */
export function targeted(s) {
  const d = direction(s.player);
  const o = [s.player.x, s.player.y + EYE, s.player.z];
  const cell = o.map(Math.floor);
  const step = d.map((v) => (v < 0 ? -1 : 1));
  const delta = d.map((v) => Math.abs(1 / (v || 1e-9)));
  const next = d.map((v, i) => (v < 0 ? o[i] - cell[i] : cell[i] + 1 - o[i]) * delta[i]);
  let before = [...cell];
  for (let distance = 0; distance <= REACH; ) {
    const block = blockAt(s, cell[0], cell[1], cell[2]);
    if (block !== AIR) return { x: cell[0], y: cell[1], z: cell[2], block, distance, before };
    before = [...cell];
    const axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : next[1] < next[2] ? 1 : 2;
    distance = next[axis];
    next[axis] += delta[axis];
    cell[axis] += step[axis];
  }
  return null;
}

/** y of the highest block of a column that is not leaves, and whether one is below it. @param {State} s */
export function surface(s) {
  const x = Math.floor(s.player.x);
  const z = Math.floor(s.player.z);
  const land = terrain(s.land);
  for (let y = TALL - 1; y > 0; y--) {
    const block = land[index(x, y, z)];
    if (block !== AIR && block !== LEAVES) return y;
  }
  return 0;
}
