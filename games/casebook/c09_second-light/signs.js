// @ts-check
/** The six signs, each within about 50×50. */

import { disc, polygon } from '../../kit/draw.js';

/** @param {CanvasRenderingContext2D} ctx @param {string} what @param {number} x @param {number} y @param {number} k @param {string} color */
export function sign(ctx, what, x, y, k, color) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(k, k);
  if (what === 'sun') {
    disc(ctx, 0, 0, 13, color);
    for (let i = 0; i < 8; i++) {
      ctx.rotate(Math.PI / 4);
      polygon(ctx, [[-4, -16], [0, -28], [4, -16]], color);
    }
  } else if (what === 'moon') {
    ctx.beginPath();
    ctx.arc(0, 0, 24, 0.9, 2 * Math.PI - 0.9);
    ctx.arc(12, 0, 19.4, 2 * Math.PI - 1.3, 1.3, true);
    ctx.closePath();
    ctx.fillStyle = color;
    ctx.fill();
  } else if (what === 'star') {
    polygon(ctx, Array.from({ length: 10 }, (_, i) => [Math.sin((i * Math.PI) / 5) * (i % 2 ? 11 : 27), -Math.cos((i * Math.PI) / 5) * (i % 2 ? 11 : 27)]), color);
  } else if (what === 'drop') {
    polygon(ctx, [[0, -28], [15, 2], [-15, 2]], color);
    disc(ctx, 0, 7, 16.5, color);
  } else if (what === 'leaf') {
    ctx.rotate(0.7);
    ctx.beginPath();
    ctx.moveTo(0, -28);
    ctx.quadraticCurveTo(26, -4, 0, 22);
    ctx.quadraticCurveTo(-26, -4, 0, -28);
    ctx.fillStyle = color;
    ctx.fill();
    polygon(ctx, [[-2, 8], [2, 8], [2, 32], [-2, 32]], color);
    polygon(ctx, [[-1, -18], [1, -18], [1, 12], [-1, 12]], 'rgba(255,255,255,0.6)');
  } else {
    disc(ctx, 0, -14, 12, 'rgba(0,0,0,0)', color, 7);
    polygon(ctx, [[-4, -4], [4, -4], [4, 28], [-4, 28]], color);
    polygon(ctx, [[4, 12], [15, 12], [15, 18], [4, 18]], color);
    polygon(ctx, [[4, 22], [13, 22], [13, 28], [4, 28]], color);
  }
  ctx.restore();
}
