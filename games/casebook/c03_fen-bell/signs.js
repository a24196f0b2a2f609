// @ts-check
/** The Bell of Sallow: signs of boats, and birds. */

import { disc, polygon } from '../../kit/draw.js';
import { stroke } from '../adventure/props.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

/** The sign of a boat, about 50 wide. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} k @param {string} c */
export function sign(ctx, what, x, y, k, c) {
  const at = (/** @type {number[][]} */ points) => points.map(([px, py]) => [x + px * k, y + py * k]);
  const w = 5.5 * k;
  const arc = (/** @type {number} */ px, /** @type {number} */ py, /** @type {number} */ r, /** @type {number} */ a, /** @type {number} */ b) => at(Array.from({ length: 25 }, (_, i) => [px + Math.cos(a + ((b - a) * i) / 24) * r, py + Math.sin(a + ((b - a) * i) / 24) * r]));
  if (what === 'eye') {
    for (const side of [-1, 1]) stroke(ctx, at(Array.from({ length: 13 }, (_, i) => [-24 + i * 4, side * 14 * Math.sin((i * Math.PI) / 12)])), c, w);
    disc(ctx, x, y, 7 * k, c);
  }
  if (what === 'wave') for (const dy of [-9, 9]) stroke(ctx, at(Array.from({ length: 25 }, (_, i) => [-24 + i * 2, dy + 6 * Math.sin(i / 2)])), c, w);
  if (what === 'leaf') {
    polygon(ctx, at([[-20, 16], [-16, -6], [2, -20], [22, -20], [18, 2], [2, 16]]), c);
    stroke(ctx, at([[-26, 24], [10, -8]]), c, w);
  }
  if (what === 'star') polygon(ctx, at(Array.from({ length: 10 }, (_, i) => [Math.sin((i * Math.PI) / 5) * (i % 2 ? 10 : 26), -Math.cos((i * Math.PI) / 5) * (i % 2 ? 10 : 26)])), c);
  if (what === 'ring') stroke(ctx, arc(0, 0, 19, 0, 6.3), c, w * 1.3);
  if (what === 'hook') stroke(ctx, [...at([[12, -24]]), ...arc(0, 8, 12, 0, Math.PI), ...at([[-6, 2]])], c, w * 1.2);
}

/** A bird, about 100 wide. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} k */
export function bird(ctx, what, x, y, k) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(k, k);
  const body = (/** @type {number} */ px, /** @type {number} */ py, /** @type {number} */ rx, /** @type {number} */ ry, /** @type {string} */ c) => {
    ctx.beginPath();
    ctx.ellipse(px, py, rx, ry, 0, 0, 7);
    ctx.fillStyle = c;
    ctx.fill();
  };
  if (what === 'heron') {
    for (const dx of [-4, 6]) stroke(ctx, [[dx, 12], [dx, 46]], '#a8863a', 4);
    body(2, 4, 22, 13, '#8a96a4');
    stroke(ctx, [[-12, 2], [-20, -16], [-10, -30]], '#dfe4e8', 8);
    polygon(ctx, [[-12, -36], [-42, -28], [-12, -26]], '#e0a83c');
    stroke(ctx, [[-8, -32], [10, -34]], '#2c3038', 4);
    disc(ctx, -13, -32, 2.5, '#111');
  } else if (what === 'owl') {
    body(0, 4, 26, 38, '#8a6238');
    body(0, 14, 16, 24, '#d8bd8a');
    for (const dx of [-11, 11]) {
      disc(ctx, dx, -16, 12, '#f6e9c0', '#5a3c1c', 3);
      disc(ctx, dx, -16, 5, '#1c1610');
    }
    polygon(ctx, [[-5, -8], [5, -8], [0, 4]], '#e0a83c');
    for (const dx of [-1, 1]) polygon(ctx, [[dx * 10, -32], [dx * 26, -44], [dx * 24, -20]], '#8a6238');
  } else if (what === 'teal') {
    body(4, 14, 36, 18, '#9a8468');
    body(10, 10, 18, 9, '#2f9a86');
    disc(ctx, -24, -8, 16, '#7a4a2c');
    body(-22, -12, 9, 6, '#2f9a86');
    polygon(ctx, [[-36, -8], [-52, -2], [-36, 2]], '#6a6a5c');
    disc(ctx, -28, -13, 2.5, '#111');
  } else if (what === 'crow') {
    body(4, 8, 34, 18, '#23262e');
    disc(ctx, -24, -12, 16, '#23262e');
    polygon(ctx, [[-36, -18], [-56, -8], [-36, -4]], '#5a5f6a');
    polygon(ctx, [[30, 8], [54, 24], [24, 20]], '#23262e');
    disc(ctx, -28, -15, 3, '#f2f2ea');
    for (const dx of [-2, 8]) stroke(ctx, [[dx, 24], [dx, 44]], '#3a3d46', 4);
  } else {
    body(8, 16, 38, 20, '#ffffff');
    stroke(ctx, [[-22, 14], [-34, -8], [-20, -26], [-28, -34]], '#ffffff', 11);
    polygon(ctx, [[-32, -40], [-52, -30], [-30, -28]], '#e88a2c');
    disc(ctx, -30, -36, 2.5, '#111');
    polygon(ctx, [[10, 8], [52, -8], [40, 18]], '#e4e8ee');
  }
  ctx.restore();
}
