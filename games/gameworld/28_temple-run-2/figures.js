// @ts-check
/** Ruin Runner, the figures: the runner from behind, and the stone guardian. */

import { box, COLORS, disc } from '../../kit/draw.js';

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y feet @param {number} k pixels of a unit
 * @param {import('./rules.js').State} s */
export function runner(ctx, x, y, k, s) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(k, k);
  ctx.lineCap = 'round';
  ctx.fillStyle = 'rgba(0,0,0,0.3)';
  ctx.beginPath();
  ctx.ellipse(0, s.y, 0.5, 0.13, 0, 0, 7);
  ctx.fill();
  if (s.safe % 8 > 4) ctx.globalAlpha = 0.5;
  if (s.slide > 0 && s.y < 0.5) sliding(ctx);
  else running(ctx, s);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx */
function sliding(ctx) {
  limb(ctx, -0.15, -0.3, -0.5, -0.12, '#3b4a6b');
  limb(ctx, 0.15, -0.3, 0.5, -0.12, '#3b4a6b');
  box(ctx, -0.42, -0.6, 0.84, 0.48, '#f2552c', { radius: 0.2, edge: COLORS.ink, line: 0.05 });
  disc(ctx, 0, -0.7, 0.24, '#5a3517', COLORS.ink, 0.05);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function running(ctx, s) {
  const swing = s.y > 0 ? 0.9 : s.started ? Math.sin(s.frames * 0.42) : 0;
  limb(ctx, -0.17, -0.75, -0.2, -0.08 - Math.max(0, swing) * 0.35, '#3b4a6b');
  limb(ctx, 0.17, -0.75, 0.2, -0.08 - Math.max(0, -swing) * 0.35, '#3b4a6b');
  limb(ctx, -0.36, -1.3, -0.56, -0.9 + swing * 0.25, '#e8b98a', 0.14);
  limb(ctx, 0.36, -1.3, 0.56, -0.9 - swing * 0.25, '#e8b98a', 0.14);
  box(ctx, -0.36, -1.45, 0.72, 0.78, '#f2552c', { radius: 0.16, edge: COLORS.ink, line: 0.05 });
  box(ctx, -0.24, -1.36, 0.48, 0.5, '#8a5a3b', { radius: 0.1, edge: COLORS.ink, line: 0.05 });
  disc(ctx, 0, -1.7, 0.26, '#5a3517', COLORS.ink, 0.05);
  box(ctx, -0.28, -1.76, 0.56, 0.12, '#ffd43b', { edge: COLORS.ink, line: 0.03 });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} k @param {number} frames */
export function guardian(ctx, x, y, k, frames) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(k, k);
  ctx.lineCap = 'round';
  const swing = Math.sin(frames * 0.35) * 0.3;
  limb(ctx, -0.25, -0.8, -0.3, -0.1 - Math.max(0, swing), '#4a5260', 0.34);
  limb(ctx, 0.25, -0.8, 0.3, -0.1 - Math.max(0, -swing), '#4a5260', 0.34);
  limb(ctx, -0.55, -1.7, -0.85, -1.0 + swing, '#4a5260', 0.28);
  limb(ctx, 0.55, -1.7, 0.85, -1.0 - swing, '#4a5260', 0.28);
  box(ctx, -0.6, -2.0, 1.2, 1.3, '#5d6676', { radius: 0.2, edge: COLORS.ink, line: 0.06 });
  box(ctx, -0.35, -2.6, 0.7, 0.62, '#5d6676', { radius: 0.15, edge: COLORS.ink, line: 0.06 });
  box(ctx, -0.28, -2.42, 0.56, 0.14, '#7cf29c');
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
 * @param {string} color @param {number} [w] */
function limb(ctx, x1, y1, x2, y2, color, w = 0.2) {
  for (const [style, width] of /** @type {[string, number][]} */ ([[COLORS.ink, w + 0.08], [color, w]])) {
    ctx.strokeStyle = style;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  }
}
