// @ts-check
/** Fennec Dash, the figures: the fox, and what it must not touch. */

import { COLORS, disc, polygon } from '../../kit/draw.js';
import { FOX_H, FOX_X, GROUND } from './rules.js';

const FUR = '#f4b860';
const DARK_FUR = '#d08a38';
const CREAM = '#fff2da';
const EDGE = '#4a240d';

/** Parts of the fox that do not bend, in a box of 74 × 58 whose lower edge is the ground. */
const BODY = new Path2D('M6 31C5 20 20 16 36 18C49 17 60 19 60 30C60 41 51 46 40 45C31 44 25 42 17 45C10 45 6 39 6 31Z');
const BELLY = new Path2D('M20 43C28 38 42 42 54 33C59 33 57 45 42 44.500C32 44 26 41 20 43Z');
const HEAD = new Path2D('M45 18C44 6 54 -1 63 0C73 1 79 8 82 14L91 19C94 22 92 26 88 27C81 32 72 35 62 34C51 33 46 28 45 18Z');
const CHEEK = new Path2D('M53 31C56 22 66 24 73 19L91 19C94 22 92 26 88 27C81 32 72 35 62 34C58 34 55 33 53 31Z');
const EAR_FAR = new Path2D('M63 4C63 -11 70 -25 81 -31C86 -18 84 -4 77 10Z');
const EAR_NEAR = new Path2D('M47 10C38 -7 38 -24 44 -33C56 -27 64 -12 64 4Z');
const EAR_INSIDE = new Path2D('M50 5C43 -8 42 -18 46 -26C54 -19 59 -8 60 3Z');

/** @param {CanvasRenderingContext2D} ctx @param {Path2D} shape @param {string} fill @param {string} [edge] */
function part(ctx, shape, fill, edge) {
  ctx.fillStyle = fill;
  ctx.fill(shape);
  if (!edge) return;
  ctx.strokeStyle = edge;
  ctx.lineWidth = 3;
  ctx.lineJoin = 'round';
  ctx.stroke(shape);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function fennec(ctx, s) {
  const running = s.running && s.grounded;
  // Strides go with the way, so that the feet do not slide.
  const stride = (s.distance / 120) * Math.PI * 2;
  const bob = running ? Math.sin(stride * 2) * 1.8 : 0;
  const wave = s.running ? Math.sin(stride) * 5 : Math.sin(s.frame / 18) * 3;
  ctx.save();
  ctx.translate(FOX_X + 34, GROUND - s.h - FOX_H / 2);
  if (!s.grounded) ctx.rotate(Math.max(-0.22, Math.min(0.2, -s.v * 0.013)));
  ctx.translate(-34, -FOX_H / 2);
  const swing = (/** @type {number} */ k) => (running ? Math.sin(stride + k) : 0);
  const air = s.running && !s.grounded;
  leg(ctx, 22, air ? -0.95 : swing(2.4), DARK_FUR);
  leg(ctx, 51, air ? 1.1 : swing(0.7), DARK_FUR);
  ctx.translate(0, bob);
  tail(ctx, wave);
  part(ctx, BODY, FUR, EDGE);
  part(ctx, BELLY, CREAM);
  ctx.translate(0, -bob);
  leg(ctx, 15, air ? -1.1 : swing(3.1), FUR);
  leg(ctx, 45, air ? 0.85 : swing(0), FUR);
  ctx.translate(0, bob * 1.4);
  scarf(ctx, wave, s.running);
  ears(ctx, s.running ? -0.13 + bob * 0.015 : 0);
  face(ctx, !!s.over);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} hip @param {number} swing -1 … 1 @param {string} color */
function leg(ctx, hip, swing, color) {
  const foot = hip + swing * 15;
  const y = FOX_H - 4 - Math.abs(swing) * 5;
  const knee = hip + swing * 4 + 3;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  for (const [width, stroke] of /** @type {[number, string][]} */ ([[12, EDGE], [7, color]])) {
    ctx.strokeStyle = stroke;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(hip, 38);
    ctx.lineTo(knee, 46);
    ctx.lineTo(foot, y);
    ctx.stroke();
  }
  ctx.strokeStyle = EDGE;
  ctx.lineWidth = 8;
  ctx.beginPath();
  ctx.moveTo(foot, y);
  ctx.lineTo(foot + 5, y);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} w how far it waves */
function tail(ctx, w) {
  const brush = new Path2D();
  brush.moveTo(14, 22);
  brush.bezierCurveTo(-4, 24 + w * 0.3, -14, 0 + w * 0.6, -36, 4 + w);
  brush.bezierCurveTo(-50, 12 + w, -40, 30 + w * 0.9, -22, 34 + w * 0.6);
  brush.bezierCurveTo(-8, 38 + w * 0.3, 4, 40, 14, 38);
  brush.closePath();
  part(ctx, brush, FUR, EDGE);
  const tip = new Path2D();
  tip.moveTo(-25, 3.5 + w * 0.9);
  tip.quadraticCurveTo(-31, 2 + w, -36, 4 + w);
  tip.bezierCurveTo(-50, 12 + w, -40, 30 + w * 0.9, -25, 33 + w * 0.65);
  tip.quadraticCurveTo(-33, 24 + w * 0.8, -27, 18 + w * 0.8);
  tip.quadraticCurveTo(-31, 10 + w * 0.9, -25, 3.5 + w * 0.9);
  part(ctx, tip, EDGE);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} w @param {boolean} flying */
function scarf(ctx, w, flying) {
  const end = flying ? [[24, 12 + w], [10, 20 + w * 1.5], [26, 27 + w]] : [[36, 40], [36, 54 + w / 2], [46, 48]];
  polygon(ctx, [[50, 22], ...end, [50, 33]], '#d6304a', EDGE, 2.5);
  ctx.beginPath();
  ctx.ellipse(51, 28, 7, 10, 0.35, 0, 7);
  ctx.fillStyle = '#f2455c';
  ctx.fill();
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = EDGE;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} lean backwards while it runs */
function ears(ctx, lean) {
  ctx.save();
  ctx.translate(62, 8);
  ctx.rotate(lean);
  ctx.translate(-62, -8);
  part(ctx, EAR_FAR, DARK_FUR, EDGE);
  part(ctx, EAR_NEAR, FUR, EDGE);
  part(ctx, EAR_INSIDE, '#f7b9a8');
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {boolean} hurt */
function face(ctx, hurt) {
  part(ctx, HEAD, FUR);
  part(ctx, CHEEK, CREAM);
  ctx.strokeStyle = EDGE;
  ctx.lineWidth = 3;
  ctx.stroke(HEAD);
  disc(ctx, 90, 20, 4.5, '#1d1210');
  if (hurt) {
    ctx.beginPath();
    for (const d of [-5, 5]) {
      ctx.moveTo(70 - d, 8);
      ctx.lineTo(70 + d, 18);
    }
    ctx.stroke();
    return;
  }
  ctx.beginPath();
  ctx.ellipse(70, 13, 4.5, 6, 0, 0, 7);
  ctx.fillStyle = '#1d1210';
  ctx.fill();
  disc(ctx, 71.5, 10.5, 1.8, COLORS.white);
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(86, 27);
  ctx.quadraticCurveTo(80, 30, 76, 26);
  ctx.stroke();
}

/** A cactus 44 wide with two arms. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} top
 * @param {number} ground @param {boolean} mirrored */
export function cactus(ctx, x, top, ground, mirrored) {
  const h = ground - top;
  ctx.save();
  ctx.translate(x + 22, ground);
  if (mirrored) ctx.scale(-1, 1);
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  const lines = (/** @type {number} */ extra, /** @type {string} */ color) => {
    ctx.strokeStyle = color;
    ctx.lineWidth = 8 + extra;
    ctx.beginPath();
    ctx.moveTo(0, -h * 0.36);
    ctx.lineTo(-14, -h * 0.42);
    ctx.lineTo(-14, -h * 0.68);
    ctx.moveTo(0, -h * 0.5);
    ctx.lineTo(14, -h * 0.56);
    ctx.lineTo(14, -h * 0.8);
    ctx.stroke();
    ctx.lineWidth = 15 + extra;
    ctx.beginPath();
    ctx.moveTo(0, 0);
    ctx.lineTo(0, -h + 11);
    ctx.stroke();
  };
  ctx.beginPath();
  ctx.rect(-60, -h - 30, 120, h + 31);
  ctx.clip();
  lines(7, '#0d3318');
  lines(0, '#2f8f45');
  ctx.strokeStyle = '#7fd38a';
  ctx.lineWidth = 3;
  ctx.beginPath();
  for (const [px, from, to] of [[-3, 0.06, 0.84], [-15, 0.44, 0.66], [13, 0.58, 0.78]]) {
    ctx.moveTo(px, -h * from);
    ctx.lineTo(px, -h * to);
  }
  ctx.stroke();
  ctx.strokeStyle = '#1c6430';
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(4, -2);
  ctx.lineTo(4, -h * 0.86);
  ctx.stroke();
  for (const [px, py] of [[-7, 1], [7, 1], [-4, -4], [4, -4]]) disc(ctx, px, py - h, 4.5, '#ff6f9c', '#7d1f3a', 1.5);
  disc(ctx, 0, 1 - h, 3.5, '#ffd34d');
  ctx.restore();
}

/** A heap of boulders 96 wide. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} top @param {number} ground */
export function rocks(ctx, x, top, ground) {
  const stone = (/** @type {number[][]} */ outline, /** @type {number[][]} */ lit, /** @type {number[][]} */ dark) => {
    const at = (/** @type {number[][]} */ list) => list.map(([a, b]) => [x + a, top + b]);
    polygon(ctx, at(outline), '#9a857b');
    polygon(ctx, at(lit), '#cfbeb2');
    polygon(ctx, at(dark), '#675650');
    ctx.beginPath();
    for (const [a, b] of at(outline)) ctx.lineTo(a, b);
    ctx.closePath();
    ctx.strokeStyle = '#2a1d1c';
    ctx.lineWidth = 4;
    ctx.lineJoin = 'round';
    ctx.stroke();
  };
  const g = ground - top;
  stone([[52, g], [56, 20], [70, 10], [86, 16], [96, g]], [[56, 20], [70, 10], [86, 16], [72, 22]], [[86, 16], [96, g], [76, g], [72, 22]]);
  stone([[0, g], [8, 22], [24, 6], [40, 0], [56, 12], [66, g]], [[8, 22], [24, 6], [40, 0], [34, 16], [20, 28]], [[56, 12], [66, g], [40, g], [34, 16], [40, 0]]);
  stone([[28, g], [34, g - 16], [48, g - 20], [60, g]], [[34, g - 16], [48, g - 20], [42, g - 10]], [[48, g - 20], [60, g], [46, g], [42, g - 10]]);
}

/** A hawk 72 wide that flies to the left. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y its middle
 * @param {number} frame */
export function hawk(ctx, x, y, frame) {
  // The wings reach further up than down, so that they are seen at every moment.
  const beat = 0.32 + Math.sin(frame * 0.22) * 0.75;
  ctx.save();
  ctx.translate(x, y + 2 - beat * 2);
  wing(ctx, 42, -2, beat * 0.9, '#4d2a1e', '#7a4a33');
  polygon(ctx, [[58, -6], [78, -12], [74, -2], [80, 6], [58, 6]], '#6b3a26', EDGE, 3);
  const body = new Path2D('M14 -4C20 -15 40 -15 52 -10C62 -6 66 0 62 4C52 14 34 17 24 12C17 9 12 4 14 -4Z');
  part(ctx, body, '#8f5636', EDGE);
  part(ctx, new Path2D('M20 9C28 4 40 10 54 7C44 16 30 16 20 9Z'), '#f3d9b1');
  const head = new Path2D('M5 -1C4 -13 14 -18 23 -14C30 -10 28 4 20 8C12 10 6 7 5 -1Z');
  part(ctx, head, '#fff4e2', EDGE);
  polygon(ctx, [[8, -7], [-6, -1], [-3, 9], [2, 3], [9, 4]], '#ffc21f', EDGE, 2.5);
  disc(ctx, 15, -5, 4, '#1d1210');
  disc(ctx, 14, -6.5, 1.3, COLORS.white);
  ctx.strokeStyle = EDGE;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.moveTo(9, -11);
  ctx.lineTo(20, -9);
  ctx.stroke();
  wing(ctx, 34, -2, beat, '#6b3a26', '#c98a5c');
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y shoulder @param {number} beat 1 is up
 * @param {string} dark @param {string} lit */
function wing(ctx, x, y, beat, dark, lit) {
  const tip = -34 * beat;
  const shape = new Path2D();
  shape.moveTo(x - 10, y);
  shape.bezierCurveTo(x - 4, y + tip * 0.7, x + 8, y + tip, x + 34, y + tip * 1.1);
  shape.lineTo(x + 27, y + tip * 0.82);
  shape.lineTo(x + 31, y + tip * 0.66);
  shape.lineTo(x + 22, y + tip * 0.5);
  shape.lineTo(x + 25, y + tip * 0.3);
  shape.lineTo(x + 14, y + 5);
  shape.closePath();
  part(ctx, shape, lit, EDGE);
  const rim = new Path2D();
  rim.moveTo(x - 10, y);
  rim.bezierCurveTo(x - 4, y + tip * 0.7, x + 8, y + tip, x + 34, y + tip * 1.1);
  rim.bezierCurveTo(x + 14, y + tip * 0.85, x + 6, y + tip * 0.6, x + 6, y + 3);
  rim.closePath();
  part(ctx, rim, dark);
}
