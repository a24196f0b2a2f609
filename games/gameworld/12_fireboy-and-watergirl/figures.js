// @ts-check
/** Ember, Drop and their gems. */

import { COLORS, disc, polygon } from '../../kit/draw.js';

/** @typedef {{x: number, y: number, w: number, h: number, vx: number, vy: number, face: number, walk: number}} Figure */

/** A flame on two feet. @param {CanvasRenderingContext2D} ctx @param {Figure} b @param {number} frame */
export function ember(ctx, b, frame) {
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  feet(ctx, b, '#8f1d0c');
  const lean = -b.vx * 1.3;
  const lick = Math.sin(frame / 5) * 2;
  shape(ctx, [[0, -2], [-19, -2, -20, -22], [-20, -32, -9 + lean / 2, -34], [-6 + lean, -42, 2 + lean + lick, -54],
    [4 + lean, -42, 11 + lean / 2, -38], [21, -30, 20, -18], [18, -2, 0, -2]], '#ff4a1c');
  shape(ctx, [[0, -4], [-12, -4, -12, -18], [-10, -28, lean / 2, -36 + lick], [11, -26, 12, -16], [11, -4, 0, -4]],
    '#ffc53d', false);
  eyes(ctx, b.face, -19);
  ctx.restore();
}

/** A drop of water on two feet. @param {CanvasRenderingContext2D} ctx @param {Figure} b @param {number} frame */
export function drop(ctx, b, frame) {
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  feet(ctx, b, '#0f3d8f');
  const lean = -b.vx * 1.3;
  const sway = Math.sin(frame / 9) * 1.5;
  shape(ctx, [[0, -2], [-20, -2, -20, -19], [-19, -30, lean + sway, -52], [19, -30, 20, -19], [20, -2, 0, -2]], '#2f9bff');
  ctx.globalAlpha = 0.75;
  shape(ctx, [[-13, -16], [-14, -24, -5 + lean / 3, -34], [-9, -22, -8, -14], [-12, -10, -13, -16]], '#d8f1ff', false);
  ctx.globalAlpha = 1;
  eyes(ctx, b.face, -18);
  ctx.restore();
}

/** A closed curve: a start, then a control and an end point each. @param {CanvasRenderingContext2D} ctx
 * @param {number[][]} points @param {string} fill */
function shape(ctx, points, fill, edge = true) {
  ctx.beginPath();
  ctx.moveTo(points[0][0], points[0][1]);
  for (const [cx, cy, x, y] of points.slice(1)) ctx.quadraticCurveTo(cx, cy, x, y);
  ctx.fillStyle = fill;
  ctx.fill();
  if (!edge) return;
  ctx.strokeStyle = '#ffffff';
  ctx.lineWidth = 2.5;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {Figure} b @param {string} color */
function feet(ctx, b, color) {
  const swing = b.walk ? Math.sin(b.walk / 2.2) * 5 : 0;
  for (const side of [-1, 1]) {
    ctx.beginPath();
    ctx.ellipse(side * 7 + side * swing, -2 - Math.max(0, side * swing) * 0.4, 6, 4, 0, 0, 7);
    ctx.fillStyle = color;
    ctx.fill();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} face @param {number} y */
function eyes(ctx, face, y) {
  for (const x of [-6, 7]) {
    disc(ctx, x + face * 3, y, 5, '#ffffff', COLORS.ink, 1.5);
    disc(ctx, x + face * 5, y, 2.4, COLORS.ink);
  }
}

/** A cut gem: red ones are six-sided, blue ones pointed, so that they differ by more than colour.
 * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {'fireboy'|'watergirl'} owner */
export function gem(ctx, x, y, owner) {
  const points =
    owner === 'fireboy'
      ? [[-12, -6], [0, -13], [12, -6], [12, 6], [0, 13], [-12, 6]]
      : [[-8, -11], [8, -11], [14, -2], [0, 14], [-14, -2]];
  const at = (/** @type {number} */ k) => points.map(([px, py]) => [x + px * k, y + py * k]);
  polygon(ctx, at(1), owner === 'fireboy' ? '#e3202c' : '#1d6bff', '#ffffff', 2.5);
  polygon(ctx, at(0.5), owner === 'fireboy' ? '#ff8d7a' : '#8cc8ff');
}
