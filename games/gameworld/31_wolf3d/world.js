// @ts-check
/** Stone Keep, the building: what stops a body, a look or a shot, and ways through it. Tiles. */

import { charAt, isWall, PLAN } from './level.js';

/** @typedef {{x: number, y: number, open: number, wanted: boolean, rest: number}} Door  x, y: its cell */

/** @param {Door[]} doors @param {number} x @param {number} y */
export function doorAt(doors, x, y) {
  return doors.find((d) => d.x === Math.floor(x) && d.y === Math.floor(y));
}

/** Nobody can be at that point. @param {Door[]} doors @param {number} x @param {number} y */
export function solid(doors, x, y) {
  const c = charAt(x, y);
  if (isWall(c)) return true;
  return c === 'D' && (doorAt(doors, x, y)?.open ?? 0) < 0.7;
}

/** Moves a body by (dx, dy); it slides along walls. @param {Door[]} doors @param {{x: number, y: number}} body
 * @param {number} dx @param {number} dy @param {number} r */
export function walk(doors, body, dx, dy, r) {
  const free = (/** @type {number} */ x, /** @type {number} */ y) =>
    !solid(doors, x - r, y - r) && !solid(doors, x + r, y - r) && !solid(doors, x - r, y + r) && !solid(doors, x + r, y + r);
  if (free(body.x + dx, body.y)) body.x += dx;
  if (free(body.x, body.y + dy)) body.y += dy;
}

/** One can look from one point to the other. @param {Door[]} doors @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b */
export function sees(doors, a, b) {
  const d = Math.hypot(b.x - a.x, b.y - a.y);
  const steps = Math.ceil(d / 0.1);
  for (let i = 1; i < steps; i++) {
    const x = a.x + ((b.x - a.x) * i) / steps;
    const y = a.y + ((b.y - a.y) * i) / steps;
    const c = charAt(x, y);
    if (isWall(c)) return false;
    if (c === 'D' && (doorAt(doors, x, y)?.open ?? 0) < 0.6) return false;
  }
  return true;
}

/** The next cell on a shortest way, doors included; null if there is none or one is there.
 * @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
export function nextCell(from, to) {
  const w = PLAN[0].length;
  const start = Math.floor(to.y) * w + Math.floor(to.x);
  const goal = Math.floor(from.y) * w + Math.floor(from.x);
  if (start === goal) return null;
  // Backwards from the end, so that the first step towards the goal's neighbour is the answer.
  const seen = new Set([start]);
  let edge = [start];
  while (edge.length) {
    const next = [];
    for (const at of edge) {
      for (const step of [1, -1, w, -w]) {
        const n = at + step;
        if (seen.has(n) || isWall(charAt(n % w, Math.floor(n / w)))) continue;
        if (n === goal) return { x: (at % w) + 0.5, y: Math.floor(at / w) + 0.5 };
        seen.add(n);
        next.push(n);
      }
    }
    edge = next;
  }
  return null;
}

/** Degrees from -180 to 180. @param {number} a */
export function turnOf(a) {
  return ((((a + 180) % 360) + 360) % 360) - 180;
}

/** Direction from one point to another in degrees; 0 is east, 90 south. @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b */
export function bearing(a, b) {
  return (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
}
