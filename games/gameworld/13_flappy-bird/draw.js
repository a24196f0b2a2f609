// @ts-check
/** Gap Flyer, the picture. */

import { box, COLORS, disc, polygon, sky, text } from '../../kit/draw.js';
import { BIRD_R, BIRD_X, GAP, GROUND, PIPE_W } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#43307a', '#c76b98', '#f9c39a');
  clouds(ctx, s.distance * 0.2);
  hills(ctx, s.distance * 0.35, 560, 260, '#7d4f86');
  hills(ctx, s.distance * 0.6, 600, 190, '#5c3a6e');
  for (const p of s.pipes) pipe(ctx, p.x, p.gap);
  ground(ctx, s.distance);
  bird(ctx, s);
  text(ctx, s.score, 640, 70, { size: 72, color: COLORS.white, outline: COLORS.ink });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift */
function clouds(ctx, shift) {
  ctx.fillStyle = 'rgba(255,255,255,0.85)';
  for (let i = 0; i < 5; i++) {
    const x = ((i * 340 + 120 - shift) % 1700 + 1700) % 1700 - 200;
    const y = 90 + ((i * 97) % 150);
    ctx.beginPath();
    ctx.ellipse(x, y, 80, 26, 0, 0, 7);
    ctx.ellipse(x - 26, y - 18, 40, 28, 0, 0, 7);
    ctx.ellipse(x + 24, y - 14, 46, 30, 0, 0, 7);
    ctx.fill();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {number} w @param {string} color */
function hills(ctx, shift, y, w, color) {
  ctx.fillStyle = color;
  ctx.beginPath();
  const off = shift % w;
  for (let x = -w - off; x < 1280 + w; x += w) ctx.ellipse(x + w / 2, y + 90, w * 0.62, 120, 0, 0, 7);
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} gap */
function pipe(ctx, x, gap) {
  const top = gap - GAP / 2;
  const bottom = gap + GAP / 2;
  const g = ctx.createLinearGradient(x, 0, x + PIPE_W, 0);
  g.addColorStop(0, '#8a4420');
  g.addColorStop(0.3, '#f0a063');
  g.addColorStop(0.55, '#c26a35');
  g.addColorStop(1, '#6e3214');
  const edge = '#35160a';
  box(ctx, x + 6, -10, PIPE_W - 12, top + 10, g, { edge });
  box(ctx, x + 6, bottom, PIPE_W - 12, GROUND - bottom, g, { edge });
  box(ctx, x, top - 34, PIPE_W, 34, g, { radius: 5, edge });
  box(ctx, x, bottom, PIPE_W, 34, g, { radius: 5, edge });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} distance */
function ground(ctx, distance) {
  box(ctx, 0, GROUND, 1280, 84, '#4a2f4f');
  box(ctx, 0, GROUND, 1280, 22, '#8a5a7d');
  for (let x = -(distance % 40); x < 1280; x += 40) {
    polygon(ctx, [[x, GROUND + 22], [x + 20, GROUND + 22], [x + 8, GROUND + 4], [x - 12, GROUND + 4]], '#6f4569');
  }
  box(ctx, 0, GROUND - 3, 1280, 5, '#2c1832');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function bird(ctx, s) {
  ctx.save();
  ctx.translate(BIRD_X, s.y);
  ctx.rotate(Math.max(-0.45, Math.min(1.1, s.vy * 0.085)));
  polygon(ctx, [[-18, -4], [-36, -12], [-34, 8]], '#1d8f9c', COLORS.ink);
  disc(ctx, 0, 0, BIRD_R, '#37d0c4', COLORS.ink);
  ctx.beginPath();
  ctx.ellipse(2, 10, 14, 8, 0, 0, 7);
  ctx.fillStyle = '#c9f7f0';
  ctx.fill();
  polygon(ctx, [[17, -3], [39, 3], [17, 12]], '#f2552c', COLORS.ink);
  disc(ctx, 10, -8, 8, '#ffffff', COLORS.ink, 2.5);
  disc(ctx, 12.5, -8, 3.5, COLORS.ink);
  const lift = s.sinceFlap < 4 ? 12 : s.sinceFlap < 9 ? -2 : -12;
  polygon(ctx, [[-2, 0], [-24, lift - 2], [-20, lift + 9], [-6, 10]], '#ffffff', COLORS.ink);
  ctx.restore();
}
