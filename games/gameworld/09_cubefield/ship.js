// @ts-check
/** Cube Storm, the ship: a few flat faces that roll and turn with the drift, drawn where the rules have it. */

import { COLORS, disc, polygon } from '../../kit/draw.js';
import { project } from '../../kit/solid.js';
import { SHIP_L, SHIP_W } from './rules.js';

const W = SHIP_W / 2;
const L = SHIP_L / 2;
/** Corners of the right half (x to the right, y up, z forward from the middle); the left half is its mirror. */
const NOSE = [0, 0.08, L];
const SPINE = [0, 0.3, -L * 0.4];
const STERN = [0, 0.2, -L * 0.86];
const KEEL = [0, -0.04, -L * 0.7];
const TIP = [W, 0.02, -L];
const ROOT = [W * 0.6, 0.12, -L * 0.55];
const FIN = [W * 0.82, 0.42, -L * 1.05];
const HOVER = 0.22;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {import('../../kit/solid.js').Camera} cam */
export function ship(ctx, s, cam) {
  const roll = -s.side * 1.25;
  const turn = s.side * 0.55;
  const lift = HOVER + Math.sin(s.frames / 14) * 0.03;
  /** @param {number[]} p @param {number} [mirror] */
  const at = ([px, py, pz], mirror = 1) => {
    const x = px * mirror;
    const [rx, ry] = [x * Math.cos(roll) - py * Math.sin(roll), x * Math.sin(roll) + py * Math.cos(roll)];
    const [tx, tz] = [rx * Math.cos(turn) + pz * Math.sin(turn), pz * Math.cos(turn) - rx * Math.sin(turn)];
    const on = project(cam, [s.x + tx, lift + ry, s.distance + tz]);
    return on ? [on.x, on.y] : [0, 0];
  };
  const ground = (/** @type {number} */ x, /** @type {number} */ z) => {
    const on = project(cam, [s.x + x, 0, s.distance + z]);
    return on ? [on.x, on.y] : [0, 0];
  };
  polygon(ctx, [ground(0, L), ground(W, -L), ground(0, -L * 0.6), ground(-W, -L)], 'rgba(0,0,0,0.45)');
  if (s.over) {
    burst(ctx, at([0, 0.3, 0]));
    return;
  }
  // The side that rolls away from the viewer first.
  const order = s.side < 0 ? [1, -1] : [-1, 1];
  for (const m of order) {
    polygon(ctx, [at(STERN), at(TIP, m), at(KEEL)], '#5c6b8a', COLORS.ink, 2);
    polygon(ctx, [at(NOSE), at(TIP, m), at(STERN), at(SPINE)], m < 0 ? '#ffffff' : '#d7e0f0', COLORS.ink, 2.5);
    polygon(ctx, [at([W * 0.55, 0.13, -L * 0.1], m), at(TIP, m), at([W * 0.62, 0.12, -L * 0.92], m), at([W * 0.3, 0.22, -L * 0.1], m)], '#2f6fed');
    polygon(ctx, [at(ROOT, m), at(FIN, m), at([W * 0.78, 0.12, -L], m)], m < 0 ? '#4f8bff' : '#2558c4', COLORS.ink, 2);
  }
  polygon(ctx, [at([0, 0.17, L * 0.5]), at([0.1, 0.25, 0]), at(SPINE), at([-0.1, 0.25, 0])], '#16307a', COLORS.ink, 2);
  polygon(ctx, [at([-0.01, 0.19, L * 0.36]), at([-0.07, 0.25, 0]), at([-0.01, 0.28, -0.1])], '#9cc4ff');
  for (const m of order) flame(ctx, at([W * 0.32, 0.12, -L * 0.88], m), s.frames + (m > 0 ? 3 : 0), s.level);
}

/** An engine: a glow, and a tongue of fire that flickers with the frame.
 * @param {CanvasRenderingContext2D} ctx @param {number[]} at @param {number} frames @param {number} level */
function flame(ctx, [x, y], frames, level) {
  const long = 20 + level * 2.5 + (frames % 6) * 2.5;
  const glow = ctx.createRadialGradient(x, y + 8, 2, x, y + 8, 22);
  glow.addColorStop(0, 'rgba(255,190,80,0.85)');
  glow.addColorStop(1, 'rgba(255,120,20,0)');
  ctx.fillStyle = glow;
  ctx.fillRect(x - 22, y - 14, 44, 44);
  polygon(ctx, [[x - 10, y], [x, y + long], [x + 10, y]], '#ff7a1a');
  polygon(ctx, [[x - 6, y], [x, y + long * 0.62], [x + 6, y]], '#ffe27a');
  disc(ctx, x, y, 6, '#fff6d8', '#8a4b00', 2);
}

/** What is left after a crash. @param {CanvasRenderingContext2D} ctx @param {number[]} at */
function burst(ctx, [x, y]) {
  const star = (/** @type {number} */ r, /** @type {string} */ color) => {
    const points = Array.from({ length: 22 }, (_, i) => {
      const k = i % 2 ? 0.52 : 0.8 + ((i * 7) % 5) / 14;
      return [x + Math.cos((i / 11) * Math.PI) * r * k, y + Math.sin((i / 11) * Math.PI) * r * k * 0.85];
    });
    polygon(ctx, points, color);
  };
  star(120, '#e5391f');
  star(92, '#ff9f1c');
  star(56, '#fff1b8');
  for (let i = 0; i < 7; i++) {
    const a = i * 0.92 + 0.3;
    const [px, py] = [x + Math.cos(a) * 118, y + Math.sin(a) * 84];
    polygon(ctx, [[px - 12, py + 4], [px + 10, py - 8], [px + 8, py + 9]], i % 2 ? '#2f6fed' : '#ffffff', COLORS.ink, 2);
  }
}
