// @ts-check
/** The bear, the helper, the customers and the fruit. Each stands with its feet at (x, y + 22). */

import { box, COLORS, disc, polygon, text } from '../../kit/draw.js';
import { PATIENCE } from './shop.js';

const INK = COLORS.ink;

/** @param {CanvasRenderingContext2D} ctx @param {'banana'|'corn'} good @param {number} x @param {number} y @param {number} k */
export function fruit(ctx, good, x, y, k) {
  if (good === 'banana') {
    ctx.beginPath();
    ctx.moveTo(x - 9 * k, y - 8 * k);
    ctx.quadraticCurveTo(x - 8 * k, y + 11 * k, x + 10 * k, y + 7 * k);
    ctx.quadraticCurveTo(x - 1 * k, y + 2 * k, x - 4 * k, y - 9 * k);
    ctx.closePath();
    ctx.fillStyle = '#ffdf2e';
    ctx.fill();
    ctx.strokeStyle = '#7a5a00';
    ctx.lineWidth = 2;
    ctx.stroke();
  } else {
    ctx.beginPath();
    ctx.ellipse(x, y - 2 * k, 5.5 * k, 11 * k, 0, 0, 7);
    ctx.fillStyle = '#ff9f1a';
    ctx.fill();
    ctx.strokeStyle = '#7a3d00';
    ctx.lineWidth = 2;
    ctx.stroke();
    for (const [dx, dy] of [[-2, -7], [2, -7], [-2.5, -3], [2.5, -3], [0, -5]]) disc(ctx, x + dx * k, y + dy * k, 1.3 * k, '#ffe08a');
    polygon(ctx, [[x - 8 * k, y - 2 * k], [x - 2 * k, y + 3 * k], [x + 2 * k, y + 3 * k], [x + 8 * k, y - 2 * k], [x, y + 11 * k]], '#3f9a4a', '#1b5c2b', 1.5);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, dx: number, walk: number, basket: any[]}} b
 * @param {number} frame */
export function bear(ctx, b, frame) {
  const bob = b.walk ? Math.abs(Math.sin(b.walk / 4)) * 4 : Math.sin(frame / 20);
  const { x } = b;
  const y = b.y - bob;
  shadow(ctx, b.x, b.y + 24, 28);
  const swing = b.walk ? Math.sin(b.walk / 4) * 6 : 0;
  box(ctx, x - 17, b.y + 8 - Math.max(0, swing), 14, 17, '#6b4226', { radius: 6, edge: INK, line: 2 });
  box(ctx, x + 3, b.y + 8 - Math.max(0, -swing), 14, 17, '#6b4226', { radius: 6, edge: INK, line: 2 });
  box(ctx, x - 25, y - 20, 50, 38, '#8a5632', { radius: 17, edge: INK });
  box(ctx, x - 16, y - 16, 32, 33, '#2f6fed', { radius: 8, edge: INK, line: 2 });
  disc(ctx, x - 19, y - 54, 9, '#8a5632', INK);
  disc(ctx, x + 19, y - 54, 9, '#8a5632', INK);
  disc(ctx, x, y - 38, 25, '#8a5632', INK);
  const look = b.dx * 4;
  ctx.beginPath();
  ctx.ellipse(x + look, y - 30, 13, 10, 0, 0, 7);
  ctx.fillStyle = '#e2b98c';
  ctx.fill();
  disc(ctx, x + look, y - 35, 4.5, INK);
  disc(ctx, x - 9 + look, y - 44, 3.5, INK);
  disc(ctx, x + 9 + look, y - 44, 3.5, INK);
  // What it carries stands on its head.
  b.basket.forEach((g, i) => fruit(ctx, g, x + (i % 2 ? 5 : -5), y - 70 - i * 13, 1.1));
}

/** A helper; asleep it lies lower, with its eyes shut. @param {CanvasRenderingContext2D} ctx
 * @param {{x: number, y: number, basket: any[], asleep: boolean}} h @param {number} frame */
export function squirrel(ctx, h, frame) {
  const { x } = h;
  const y = h.asleep ? h.y + 6 + Math.sin(frame / 30) : h.y - Math.abs(Math.sin(frame / 6)) * 3;
  shadow(ctx, h.x, h.y + 22, 20);
  ctx.beginPath();
  ctx.ellipse(x - 20, y - 10, 12, 24, -0.4, 0, 7);
  ctx.fillStyle = '#c65f1c';
  ctx.fill();
  ctx.strokeStyle = INK;
  ctx.lineWidth = 2;
  ctx.stroke();
  box(ctx, x - 14, y - 10, 28, 32, '#e07b2a', { radius: 12, edge: INK, line: 2 });
  disc(ctx, x, y - 22, 17, '#e07b2a', INK, 2);
  polygon(ctx, [[x - 14, y - 32], [x - 10, y - 46], [x - 4, y - 36]], '#e07b2a', INK, 2);
  polygon(ctx, [[x + 14, y - 32], [x + 10, y - 46], [x + 4, y - 36]], '#e07b2a', INK, 2);
  if (h.asleep) {
    for (const k of [-6, 6]) box(ctx, x + k - 4, y - 23, 8, 3, INK, { radius: 1 });
    for (let i = 0; i < 3; i++) {
      const up = (frame / 2 + i * 20) % 60;
      text(ctx, 'Z', x + 22 + i * 9, y - 40 - up * 0.5, { size: 18 + i * 5, color: '#ffffff', outline: INK });
    }
  } else {
    disc(ctx, x - 6, y - 24, 3, INK);
    disc(ctx, x + 6, y - 24, 3, INK);
  }
  h.basket.forEach((g, i) => fruit(ctx, g, x + (i % 2 ? 4 : -4), y - 50 - i * 12, 1));
}

const LOOKS = ['#57b8c9', '#f2a0b5', '#a3c95a', '#d9b23c', '#b58ae0'];

/** A customer and the bubble with what is still missing. @param {CanvasRenderingContext2D} ctx
 * @param {import('./customers.js').Customer} c */
export function customer(ctx, c) {
  const { x, y } = c;
  shadow(ctx, x, y + 20, 18);
  const angry = c.phase === 'angry';
  box(ctx, x - 16, y - 14, 32, 34, LOOKS[c.look], { radius: 13, edge: INK, line: 2 });
  disc(ctx, x, y - 24, 15, '#fff3e0', INK, 2);
  polygon(ctx, [[x - 15, y - 27], [x, y - 46], [x + 15, y - 27]], LOOKS[c.look], INK, 2);
  disc(ctx, x - 5, y - 22, 2.6, INK);
  disc(ctx, x + 5, y - 22, 2.6, INK);
  for (let i = 0; i < c.has; i++) fruit(ctx, c.good, x - 10 + i * 10, y + 4, 0.85);
  if (angry) text(ctx, '!', x, y - 62, { size: 36, color: COLORS.red, outline: '#ffffff' });
  if (c.phase === 'leave' || angry) return;
  const patience = 1 - c.wait / PATIENCE;
  if (c.phase !== 'enter') {
    box(ctx, x - 18, y + 22, 36, 7, INK, { radius: 3 });
    const color = patience > 0.5 ? '#4cc25f' : patience > 0.25 ? '#f5a623' : COLORS.red;
    box(ctx, x - 17, y + 23, 34 * Math.max(0, patience), 5, color, { radius: 2 });
  }
  if (c.phase === 'queue') return;
  box(ctx, x - 24, y - 82, 48, 32, '#ffffff', { radius: 10, edge: INK, line: 2 });
  text(ctx, c.wants - c.has, x - 11, y - 65, { size: 20 });
  fruit(ctx, c.good, x + 10, y - 66, 0.85);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r */
function shadow(ctx, x, y, r) {
  ctx.beginPath();
  ctx.ellipse(x, y, r, r * 0.35, 0, 0, 7);
  ctx.fillStyle = 'rgba(30,20,10,0.28)';
  ctx.fill();
}
