// @ts-check
/** Lily Leaper, the picture: a waterfall between two rock walls. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { FROG_W, LEFT, PAD_W, RIGHT, score } from './rules.js';

/** Screen height of something. @param {import('./rules.js').State} s @param {number} h */
export const at = (s, h) => 700 - (h - s.camera);

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#a9ddf2', '#7cc5e6', '#56a9d6');
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

/** Sheets of falling water, two of them nearer and faster, foam, and the pond at the start.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function water(ctx, s) {
  const falls = ctx.createLinearGradient(LEFT, 0, RIGHT, 0);
  for (const [part, light] of [[0, 0.05], [0.2, 0.4], [0.32, 0.1], [0.55, 0.45], [0.7, 0.12], [0.88, 0.35], [1, 0.05]]) falls.addColorStop(part, `rgba(255,255,255,${light})`);
  box(ctx, LEFT - FROG_W / 2, 0, RIGHT - LEFT + FROG_W, 720, falls);
  for (let i = 0; i < 34; i++) {
    const near = i % 2;
    const x = LEFT - 10 + ((i * 173 + (i >> 2) * 41) % 820);
    const long = 90 + (i % 5) * 34;
    const y = ((i * 211 + s.camera * (near ? 0.6 : 0.35) + s.frame * (near ? 5 : 3)) % 1100 + 1100) % 1100 - 260;
    const g = ctx.createLinearGradient(0, y, 0, y + long);
    g.addColorStop(0, 'rgba(255,255,255,0)');
    g.addColorStop(0.7, `rgba(255,255,255,${near ? 0.5 : 0.3})`);
    g.addColorStop(1, 'rgba(255,255,255,0)');
    box(ctx, x, y, near ? 6 : 4, long, g, { radius: 3 });
  }
  const pond = at(s, -90);
  if (pond < 760) {
    const side = FROG_W / 2;
    const deep = ctx.createLinearGradient(0, pond, 0, pond + 160);
    deep.addColorStop(0, '#3f93c4');
    deep.addColorStop(1, '#1c527d');
    box(ctx, LEFT - side, pond, RIGHT - LEFT + 2 * side, 800 - pond, deep);
    for (let i = 0; i < 44; i++) disc(ctx, LEFT - 20 + i * 19.5, pond + 3 + Math.sin(s.frame / 10 + i * 2) * 4, 9 + ((i * 7) % 5) * 2, 'rgba(255,255,255,0.5)');
  }
}

/** Boulders with moss and ferns on both sides, wet where they meet the water. @param {CanvasRenderingContext2D} ctx
 * @param {number} camera */
function walls(ctx, camera) {
  const w = LEFT - FROG_W / 2;
  for (const x of [0, RIGHT + FROG_W / 2]) {
    const left = x === 0;
    const stone = ctx.createLinearGradient(left ? 0 : x + w, 0, left ? w : x, 0);
    stone.addColorStop(0, '#33313d');
    stone.addColorStop(1, '#5c5868');
    box(ctx, x, 0, w, 720, stone);
    const first = Math.floor(camera / 120);
    for (let i = first - 2; i < first + 8; i++) {
      const y = 700 - (i * 120 - camera);
      const n = (((i * 37) % 5) + 5) % 5;
      const m = ((((left ? i : i + 3) * 53) % 7) + 7) % 7;
      const from = x + 8 + n * 7;
      const wide = w - 66 + m * 5;
      box(ctx, from + 3, y - 104, wide, 100, '#24222c', { radius: 26 });
      const face = ctx.createLinearGradient(0, y - 110, 0, y - 12);
      face.addColorStop(0, n % 2 ? '#8b8699' : '#7d788b');
      face.addColorStop(1, n % 2 ? '#57525f' : '#4c4856');
      box(ctx, from, y - 110, wide, 98, face, { radius: 26, edge: '#2c2a35' });
      if (m % 2) continue;
      for (let k = 0; k < 6; k++) disc(ctx, from + 24 + (k * (wide - 48)) / 5, y - 106 + (k % 2) * 5, 12 + ((k * 5 + m) % 6), k % 2 ? '#4f8f4a' : '#63a857');
      if (m === 4) fern(ctx, left ? from + wide - 22 : from + 22, y - 106, left ? 1 : -1);
    }
    const wet = ctx.createLinearGradient(left ? w : x, 0, left ? w - 40 : x + 40, 0);
    wet.addColorStop(0, 'rgba(160,220,245,0.6)');
    wet.addColorStop(1, 'rgba(160,220,245,0)');
    box(ctx, left ? w - 40 : x, 0, 40, 720, wet);
    box(ctx, left ? w - 6 : x, 0, 6, 720, '#22313f');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} side */
function fern(ctx, x, y, side) {
  ctx.strokeStyle = '#2f6f37';
  ctx.lineWidth = 5;
  ctx.lineCap = 'round';
  ctx.beginPath();
  for (let i = -2; i <= 2; i++) {
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo(x + i * 9, y - 34, x + i * 17 + side * 6, y - 26 + Math.abs(i) * 9);
  }
  ctx.stroke();
  ctx.lineCap = 'butt';
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Pad} p @param {number} y */
function pad(ctx, p, y) {
  const [fill, edge] = { green: ['#3fae4f', '#14501f'], dry: ['#b98a4e', '#5a3a17'], drifting: ['#8a5fd0', '#38206b'], rotten: ['#5d5a52', '#25231e'] }[p.kind];
  ctx.beginPath();
  ctx.ellipse(p.x, y + 20, PAD_W / 2 - 4, 12, 0, 0, 7);
  ctx.fillStyle = 'rgba(14,60,96,0.35)';
  ctx.fill();
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
  if (p.kind === 'rotten') for (const dx of [-26, 2, 28]) disc(ctx, p.x + dx, y + 8 + (dx % 4), 8, '#1c4f78', edge, 3);
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
