// @ts-check
/**
 * People: a head and shoulders, drawn from a few words about them.
 *
 * @typedef {{skin: string, hair: string, style?: 'short'|'long'|'bun'|'bald'|'curls'|'cap'|'hat'|'crown'|'hood', coat: string,
 *   collar?: string, beard?: 'full'|'moustache', glasses?: boolean, mood?: 'plain'|'smile'|'frown', extra?: 'pearls'|'tie'|'apron'|'scarf',
 *   topper?: string}} Face  `topper`: colour of cap, hat, hood or crown.
 */

import { box, disc, polygon } from '../../kit/draw.js';
import { shadow, tone } from './props.js';

/** Head and shoulders; the origin is the middle of the lower edge. @param {CanvasRenderingContext2D} ctx @param {Face} f @param {number} h height in px */
export function portrait(ctx, f, h) {
  const u = h / 100;
  const dark = tone(f.skin, -0.3);
  if (f.style === 'long' || f.style === 'hood') box(ctx, -27 * u, -86 * u, 54 * u, 66 * u, f.style === 'hood' ? (f.topper ?? '#444444') : f.hair, { radius: 26 * u });
  if (f.style === 'curls') for (let i = 0; i < 9; i++) disc(ctx, Math.cos(Math.PI + (i * Math.PI) / 8) * 25 * u, (-62 + Math.sin(Math.PI + (i * Math.PI) / 8) * 24) * u, 11 * u, f.hair);
  polygon(ctx, [[-44 * u, 0], [-40 * u, -20 * u], [-16 * u, -32 * u], [16 * u, -32 * u], [40 * u, -20 * u], [44 * u, 0]], f.coat, tone(f.coat, -0.4), u);
  box(ctx, -9 * u, -42 * u, 18 * u, 16 * u, dark);
  polygon(ctx, [[-14 * u, -32 * u], [0, -14 * u], [14 * u, -32 * u], [9 * u, -34 * u], [-9 * u, -34 * u]], f.collar ?? '#f1ece0');
  if (f.extra === 'tie') polygon(ctx, [[-4 * u, -26 * u], [4 * u, -26 * u], [6 * u, -4 * u], [0, 0], [-6 * u, -4 * u]], '#a32c3a');
  if (f.extra === 'pearls') for (let i = -4; i <= 4; i++) disc(ctx, i * 4 * u, (-24 - i * i * 0.5 + 2) * u, 2.4 * u, '#fdf8ee', '#b9ab8e', 1);
  if (f.extra === 'apron') box(ctx, -20 * u, -18 * u, 40 * u, 18 * u, '#f2eee4', { edge: '#c5bda9', line: 2 });
  if (f.extra === 'scarf') box(ctx, -20 * u, -36 * u, 40 * u, 11 * u, '#c8453b', { radius: 5 * u });
  for (const side of [-1, 1]) disc(ctx, side * 20 * u, -58 * u, 5 * u, f.skin, dark, u * 0.6);
  ctx.beginPath();
  ctx.ellipse(0, -59 * u, 20 * u, 24 * u, 0, 0, 7);
  ctx.fillStyle = f.skin;
  ctx.fill();
  if (f.beard === 'full') {
    ctx.beginPath();
    ctx.ellipse(0, -46 * u, 18 * u, 15 * u, 0, 0, Math.PI);
    ctx.fillStyle = f.hair;
    ctx.fill();
  }
  hairOf(ctx, f, u);
  for (const side of [-1, 1]) {
    disc(ctx, side * 8 * u, -60 * u, 4.4 * u, '#fff');
    disc(ctx, side * 8 * u, -59.5 * u, 2.3 * u, '#2a2320');
    box(ctx, side * 8 * u - 5 * u, (f.mood === 'frown' ? -67 : -68.5) * u, 10 * u, 2 * u, tone(f.hair.startsWith('#') ? f.hair : '#333333', -0.3), { radius: u });
    if (f.glasses) disc(ctx, side * 8 * u, -60 * u, 7.2 * u, 'rgba(255,255,255,0.18)', '#2d2a33', 1.5 * u);
  }
  if (f.glasses) box(ctx, -1.5 * u, -61 * u, 3 * u, 1.6 * u, '#2d2a33');
  polygon(ctx, [[0, -58 * u], [3.5 * u, -50 * u], [-2 * u, -50 * u]], dark);
  if (f.beard) polygon(ctx, [[-11 * u, -45.5 * u], [0, -50 * u], [11 * u, -45.5 * u], [0, -46 * u]], f.hair, f.hair, 2 * u);
  ctx.beginPath();
  const bend = f.mood === 'frown' ? 2 : f.mood === 'smile' ? -4 : -1;
  ctx.moveTo(-7 * u, -43 * u);
  ctx.quadraticCurveTo(0, (-43 - bend * 1.4) * u, 7 * u, -43 * u);
  ctx.strokeStyle = '#7d3b34';
  ctx.lineWidth = 1.8 * u;
  ctx.stroke();
}

/** A whole person. x: the middle, y: where they stand. @param {CanvasRenderingContext2D} ctx @param {Face} f @param {number} x @param {number} y
 * @param {number} h */
export function standing(ctx, f, x, y, h) {
  shadow(ctx, x, y, h * 0.4);
  for (const dx of [-0.09, 0.03]) box(ctx, x + dx * h, y - h * 0.3, h * 0.07, h * 0.3, '#2b2b33', { radius: 6 });
  box(ctx, x - h * 0.16, y - h * 0.6, h * 0.32, h * 0.42, f.coat, { radius: 14, edge: tone(f.coat, -0.35), line: 2 });
  for (const dx of [-0.2, 0.13]) box(ctx, x + dx * h, y - h * 0.57, h * 0.08, h * 0.32, tone(f.coat, -0.12), { radius: 10 });
  ctx.save();
  ctx.translate(x, y - h * 0.44);
  portrait(ctx, f, h * 0.56);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {Face} f @param {number} u */
function hairOf(ctx, f, u) {
  const top = (/** @type {number} */ low, /** @type {string} */ color) => {
    ctx.beginPath();
    ctx.ellipse(0, -64 * u, 21.5 * u, 22 * u, 0, Math.PI, 0);
    ctx.quadraticCurveTo(12 * u, low * u, 0, (low - 2) * u);
    ctx.quadraticCurveTo(-12 * u, low * u, -21.5 * u, -64 * u);
    ctx.fillStyle = color;
    ctx.fill();
  };
  const cover = f.topper ?? '#3b4a6b';
  if (f.style === 'bald') return;
  if (f.style === 'hood') return;
  top(-76, f.hair);
  if (f.style === 'bun') disc(ctx, 0, -90 * u, 9 * u, f.hair);
  if (f.style === 'cap') {
    top(-74, cover);
    box(ctx, -24 * u, -76 * u, 48 * u, 7 * u, tone(cover, -0.3), { radius: 3 * u });
  }
  if (f.style === 'hat') {
    box(ctx, -32 * u, -79 * u, 64 * u, 7 * u, cover, { radius: 3 * u });
    box(ctx, -19 * u, -98 * u, 38 * u, 22 * u, cover, { radius: 5 * u });
    box(ctx, -19 * u, -83 * u, 38 * u, 5 * u, tone(cover, -0.45));
  }
  if (f.style === 'crown') polygon(ctx, [[-19, -76], [-21, -95], [-10, -84], [0, -98], [10, -84], [21, -95], [19, -76]].map(([x, y]) => [x * u, y * u]), '#f0c040', '#8a6510', u);
}
