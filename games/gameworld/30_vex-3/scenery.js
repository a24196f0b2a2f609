// @ts-check
/** Ink Runner, what stands still: the page of a sketchbook with hills in washed ink, blocks, spikes, flags, the exit. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { eachTile, tileAt } from '../../kit/platform.js';
import { MAP, TILE } from './rules.js';

export const INK = '#1c2233';
export const RED = '#e02a3c';

/** @param {CanvasRenderingContext2D} ctx @param {number} shift */
export function paper(ctx, shift) {
  const page = ctx.createLinearGradient(0, 0, 0, 720);
  page.addColorStop(0, '#fbf7ea');
  page.addColorStop(1, '#efe6cd');
  box(ctx, 0, 0, 1280, 720, page);
  const sun = 1010 - shift * 0.04;
  const glow = ctx.createRadialGradient(sun, 190, 30, sun, 190, 330);
  glow.addColorStop(0, 'rgba(255,214,120,0.75)');
  glow.addColorStop(1, 'rgba(255,214,120,0)');
  box(ctx, 0, 0, 1280, 560, glow);
  disc(ctx, sun, 190, 62, '#ffd774', '#d9a23c', 3);
  for (let i = 0; i < 5; i++) cloud(ctx, (((i * 373 - shift * 0.08) % 1750) + 1750) % 1750 - 220, 110 + ((i * 89) % 150), i);
  hills(ctx, shift * 0.12, 400, 330, 118, '#c9d6e4');
  hills(ctx, shift * 0.24, 480, 250, 92, '#a9bcd2');
  trees(ctx, shift * 0.42);
  ctx.strokeStyle = 'rgba(120,160,205,0.24)';
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (let x = -(shift % 24); x < 1280; x += 24) (ctx.moveTo(x, 0), ctx.lineTo(x, 720));
  for (let y = 0; y < 720; y += 24) (ctx.moveTo(0, y), ctx.lineTo(1280, y));
  ctx.stroke();
  const rim = ctx.createRadialGradient(640, 340, 480, 640, 360, 860);
  rim.addColorStop(0, 'rgba(94,66,30,0)');
  rim.addColorStop(1, 'rgba(94,66,30,0.3)');
  box(ctx, 0, 0, 1280, 720, rim);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} i */
function cloud(ctx, x, y, i) {
  ctx.beginPath();
  ctx.moveTo(x, y);
  for (const [dx, dy, w] of [[28, -26, 30], [76, -40 - (i % 2) * 10, 34], [124, -24, 30], [156, 0, 24]]) ctx.quadraticCurveTo(x + dx - w / 2, y + dy - 14, x + dx, y + dy / 3);
  ctx.closePath();
  ctx.fillStyle = 'rgba(255,255,255,0.9)';
  ctx.fill();
  ctx.strokeStyle = 'rgba(90,110,140,0.5)';
  ctx.lineWidth = 2.5;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {number} w @param {number} h
 * @param {string} color */
function hills(ctx, shift, y, w, h, color) {
  const wash = ctx.createLinearGradient(0, y - h, 0, 720);
  wash.addColorStop(0, color);
  wash.addColorStop(0.75, '#efe6cd');
  const line = () => {
    for (let i = Math.floor(shift / w) - 1; (i - 1) * w - shift < 1280; i++) {
      const x = i * w - shift;
      const top = y - h * (0.45 + 0.55 * ((((i * 7) % 5) + 5) % 5) / 4);
      ctx.quadraticCurveTo(x + w * 0.3, top, x + w * 0.55, y - h * 0.25);
      ctx.quadraticCurveTo(x + w * 0.78, y + 12, x + w, y);
    }
  };
  ctx.beginPath();
  ctx.moveTo(-w - (shift % w), 720);
  ctx.lineTo(-w - (shift % w), y);
  line();
  ctx.lineTo(1280 + w, 720);
  ctx.fillStyle = wash;
  ctx.fill();
  ctx.strokeStyle = 'rgba(60,82,115,0.35)';
  ctx.lineWidth = 2.5;
  ctx.stroke();
}

/** Pale firs, drawn with one stroke each. @param {CanvasRenderingContext2D} ctx @param {number} shift */
function trees(ctx, shift) {
  for (let i = Math.floor(shift / 116) - 1; i * 116 - shift < 1340; i++) {
    const x = i * 116 - shift + ((((i * 29) % 50) + 50) % 50);
    const h = 90 + ((((i * 53) % 80) + 80) % 80);
    const y = 596;
    box(ctx, x - 3, y - 20, 6, 150, '#9aa9bf');
    for (let k = 0; k < 3; k++) {
      const w = (h / 3.4) * (0.55 + k * 0.24);
      polygon(ctx, [[x, y - h + k * h * 0.25], [x + w, y - h * 0.58 + k * h * 0.25], [x - w, y - h * 0.58 + k * h * 0.25]], '#93a6bf', '#7c90ad', 2);
    }
  }
  const mist = ctx.createLinearGradient(0, 540, 0, 720);
  mist.addColorStop(0, 'rgba(239,230,205,0)');
  mist.addColorStop(1, 'rgba(239,230,205,0.95)');
  box(ctx, 0, 540, 1280, 180, mist);
}

const solid = (/** @type {number} */ col, /** @type {number} */ row) => tileAt(MAP, col, row, '#') === '#';

/** The act's own tiles, first the shadows they throw on the page. @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} view */
export function tiles(ctx, view) {
  eachTile(MAP, view, (char, x, y, col, row) => {
    if (char === '#' && (!solid(col + 1, row) || !solid(col, row + 1))) box(ctx, x + 11, y + 11, TILE, TILE, 'rgba(62,48,24,0.22)');
    if (char === '^') spikes(ctx, x, y);
  });
  eachTile(MAP, view, (char, x, y, col, row) => {
    if (char === '#') block(ctx, x, y, col, row);
  });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function spikes(ctx, x, y) {
  const g = ctx.createLinearGradient(0, y - 16, 0, y + TILE);
  g.addColorStop(0, 'rgba(224,42,60,0)');
  g.addColorStop(1, 'rgba(224,42,60,0.55)');
  box(ctx, x, y - 16, TILE, TILE + 16, g);
  for (let i = 0; i < 3; i++) {
    const at = x + i * 16;
    polygon(ctx, [[at, y + 48], [at + 8, y + 14], [at + 16, y + 48]], RED, INK, 2.5);
    polygon(ctx, [[at + 3, y + 47], [at + 8, y + 19], [at + 8, y + 47]], '#ff9099');
  }
}

const DEPTH = ['#4a5d86', '#41527a', '#38476c', '#303d5f', '#283452'];

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} col @param {number} row */
function block(ctx, x, y, col, row) {
  let deep = 0;
  while (deep < 4 && solid(col, row - deep - 1) && row - deep > 0) deep += 1;
  const g = ctx.createLinearGradient(0, y, 0, y + TILE);
  g.addColorStop(0, DEPTH[deep]);
  g.addColorStop(1, DEPTH[Math.min(4, deep + 1)]);
  box(ctx, x, y, TILE + 1, TILE + 1, g);
  ctx.strokeStyle = `rgba(150,176,222,${0.34 - deep * 0.07})`;
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  for (let i = 0; i < 3; i++) {
    const from = (col * 7 + row * 5 + i * 11) % 9;
    ctx.moveTo(x + i * 16 + from * 0.4, y + TILE - from);
    ctx.lineTo(x + i * 16 + 15, y + TILE - 15 - (from % 4));
  }
  ctx.stroke();
  const side = (/** @type {number} */ sx, /** @type {number} */ sy, /** @type {number} */ w, /** @type {number} */ h, /** @type {string} */ fill) => {
    ctx.fillStyle = fill;
    ctx.fillRect(sx, sy, w, h);
  };
  if (!solid(col - 1, row)) (side(x, y, 5, TILE + 1, INK), side(x + 5, y, 4, TILE + 1, 'rgba(170,196,240,0.45)'));
  if (!solid(col + 1, row)) side(x + TILE - 5, y, 6, TILE + 1, INK);
  if (!solid(col, row + 1)) side(x, y + TILE - 5, TILE + 1, 6, INK);
  if (tileAt(MAP, col, row - 1) === '#') return;
  side(x, y, TILE + 1, 7, INK);
  side(x, y + 7, TILE + 1, 5, '#8fb0ea');
  if (tileAt(MAP, col, row - 1) !== '.') return;
  // Blades of ink grass, other ones in each column.
  ctx.strokeStyle = INK;
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  for (let i = 0; i < 3; i++) {
    const at = x + 6 + ((col * 13 + i * 17) % 38);
    (ctx.moveTo(at, y + 1), ctx.lineTo(at + ((col + i) % 2 ? 3 : -3), y - 4 - ((col * 3 + i) % 4)));
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} f @param {boolean} passed @param {number} n
 * @param {number} frame */
export function flag(ctx, f, passed, n, frame) {
  const wave = Math.sin(frame / 11) * 4;
  const x = f.x + 27;
  const y = f.y - TILE;
  box(ctx, f.x + 12, f.y + TILE - 7, 24, 8, INK, { radius: 3 });
  box(ctx, f.x + 21, y - 4, 6, 2 * TILE + 2, INK);
  disc(ctx, f.x + 24, y - 7, 6, passed ? '#28a35a' : '#f4b52c', INK);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.quadraticCurveTo(x + 24, y - 2 + wave, x + 54, y + 20 + wave);
  ctx.quadraticCurveTo(x + 26, y + 28 + wave, x, y + 42);
  ctx.closePath();
  ctx.fillStyle = passed ? '#28a35a' : '#f4b52c';
  ctx.fill();
  ctx.strokeStyle = INK;
  ctx.lineWidth = 3;
  ctx.stroke();
  text(ctx, n, x + 15, y + 21 + wave / 3, { size: 23, color: passed ? '#ffffff' : INK });
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} f @param {number} frame */
export function exit(ctx, f, frame) {
  const y = f.y - TILE;
  const glow = ctx.createRadialGradient(f.x + 24, f.y, 20, f.x + 24, f.y, 150);
  glow.addColorStop(0, 'rgba(60,214,120,0.55)');
  glow.addColorStop(1, 'rgba(60,214,120,0)');
  box(ctx, f.x - 130, f.y - 150, 308, 198, glow);
  box(ctx, f.x - 6, y - 4, TILE + 12, 2 * TILE + 4, INK, { radius: 12 });
  const light = ctx.createLinearGradient(0, y, 0, f.y + TILE);
  light.addColorStop(0, '#c9ffe0');
  light.addColorStop(1, '#23a85a');
  box(ctx, f.x + 4, y + 7, TILE - 8, 2 * TILE - 7, light, { radius: 8 });
  const step = (frame % 40) / 40;
  for (let i = 0; i < 3; i++) {
    const at = y + 80 - ((i + step) / 3) * 66;
    polygon(ctx, [[f.x + 12, at], [f.x + 24, at - 11], [f.x + 36, at], [f.x + 36, at + 6], [f.x + 24, at - 5], [f.x + 12, at + 6]], 'rgba(255,255,255,0.85)');
  }
  box(ctx, f.x - 16, y - 46, 80, 34, '#17733c', { radius: 8, edge: INK });
  text(ctx, 'EXIT', f.x + TILE / 2, y - 28, { size: 24, color: '#ffffff' });
}
