// @ts-check
/** Lily Leaper, the picture: a waterfall between two rock walls. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../kit/draw.js';
import { FROG_W, LEFT, PAD_W, RIGHT, score } from './rules.js';

/** Screen height of something. @param {import('./rules.js').State} s @param {number} h */
const at = (s, h) => 700 - (h - s.camera);

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#bfe8f7', '#8fd0ea', '#6bbbe0');
  water(ctx, s);
  for (const p of s.pads) {
    const y = at(s, p.h);
    if (y > -60 && y < 760) pad(ctx, p, y);
  }
  frog(ctx, s, s.x);
  if (s.x < LEFT + FROG_W) frog(ctx, s, s.x + RIGHT - LEFT);
  if (s.x > RIGHT - FROG_W) frog(ctx, s, s.x - (RIGHT - LEFT));
  walls(ctx, s.camera);
  hud(ctx, [['Score', score(s)]]);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function water(ctx, s) {
  ctx.fillStyle = 'rgba(255,255,255,0.28)';
  for (let i = 0; i < 15; i++) {
    const x = LEFT + 30 + ((i * 173) % 740);
    const y = ((i * 211 + s.camera * 0.5 + s.frame * 4) % 900 + 900) % 900 - 140;
    ctx.fillRect(x, y, 6, 110 + (i % 4) * 20);
  }
  const pond = at(s, -90);
  if (pond < 720) {
    const side = FROG_W / 2;
    box(ctx, LEFT - side, pond, RIGHT - LEFT + 2 * side, 720 - pond, '#2b6fa3');
    box(ctx, LEFT - side, pond, RIGHT - LEFT + 2 * side, 6, '#e8f8ff');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} camera */
function walls(ctx, camera) {
  for (const [x, w] of [[0, LEFT - FROG_W / 2], [RIGHT + FROG_W / 2, LEFT - FROG_W / 2]]) {
    box(ctx, x, 0, w, 720, '#4d4a57');
    const first = Math.floor(camera / 120);
    for (let i = first - 1; i < first + 8; i++) {
      const y = 700 - (i * 120 - camera);
      const n = (((i * 37) % 5) + 5) % 5;
      box(ctx, x + 8 + n * 6, y - 110, w - 60, 96, n % 2 ? '#5f5b6b' : '#575363', { radius: 22 });
      if (n === 2) disc(ctx, x + w - 40, y - 60, 26, '#4f8f4a');
    }
    box(ctx, x === 0 ? w - 6 : x, 0, 6, 720, '#2c2a35');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Pad} p @param {number} y */
function pad(ctx, p, y) {
  const [fill, edge] = { green: ['#3fae4f', '#14501f'], dry: ['#b98a4e', '#5a3a17'], drifting: ['#8a5fd0', '#38206b'] }[p.kind];
  ctx.beginPath();
  ctx.ellipse(p.x, y + 9, PAD_W / 2, 14, 0, 0, 7);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = edge;
  ctx.lineWidth = 4;
  ctx.stroke();
  ctx.beginPath();
  ctx.ellipse(p.x - 8, y + 5, PAD_W / 2 - 24, 5, 0, 0, 7);
  ctx.fillStyle = 'rgba(255,255,255,0.35)';
  ctx.fill();
  if (p.kind === 'dry') {
    for (const dx of [-22, 14]) {
      polygon(ctx, [[p.x + dx - 8, y - 4], [p.x + dx + 8, y + 5], [p.x + dx, y + 12], [p.x + dx + 10, y + 23], [p.x + dx - 8, y + 12], [p.x + dx - 1, y + 6]], edge);
    }
  }
  if (p.kind === 'drifting') {
    for (const d of [-1, 1]) polygon(ctx, [[p.x + d * 30, y + 2], [p.x + d * 44, y + 9], [p.x + d * 30, y + 16]], COLORS.white);
  }
  if (p.flower) {
    for (let i = 0; i < 5; i++) {
      const a = Math.PI + (i * Math.PI) / 4;
      disc(ctx, p.x + Math.cos(a) * 17, y - 4 + Math.sin(a) * 15, 11, '#ff7ab8', '#9b1f5e', 3);
    }
    disc(ctx, p.x, y - 5, 10, COLORS.yellow, '#9b6a00', 3);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} x */
function frog(ctx, s, x) {
  const low = s.squash > 3;
  const edge = '#123d1b';
  ctx.save();
  ctx.translate(x, at(s, s.h));
  ctx.scale(s.facing, low ? 0.8 : 1);
  const legs = s.v > 4 ? 16 : 4;
  for (const d of [-1, 1]) {
    polygon(ctx, [[d * 10, -14], [d * 26, -8], [d * (26 + (s.v > 4 ? -8 : 6)), legs], [d * 16, legs - 2]], '#8edb3b', edge, 3);
  }
  ctx.beginPath();
  ctx.ellipse(0, -24, FROG_W / 2 - 2, 24, 0, 0, 7);
  ctx.fillStyle = '#a8ea4a';
  ctx.fill();
  ctx.strokeStyle = edge;
  ctx.lineWidth = 4;
  ctx.stroke();
  ctx.beginPath();
  ctx.ellipse(4, -15, 15, 12, 0, 0, 7);
  ctx.fillStyle = '#f4ffd2';
  ctx.fill();
  for (const dx of [-7, 15]) {
    disc(ctx, dx, -48, 11, '#a8ea4a', edge, 3);
    disc(ctx, dx + 2, -49, 7, COLORS.white, edge, 2);
    disc(ctx, dx + 4, -49, 3, COLORS.ink);
  }
  polygon(ctx, [[-6, -32], [20, -32], [16, -27], [-2, -27]], '#b4232a');
  ctx.restore();
}
