// @ts-check
/** Rail and Wall, what stands still: the city at dusk, concrete, spikes, cracked floor, the finish. */

import { box, COLORS, disc, polygon, text } from '../../kit/draw.js';
import { eachTile, tileAt } from '../../kit/platform.js';
import { TILE } from './rules.js';

/** @typedef {import('../../kit/platform.js').TileMap} TileMap */

/** Layers of houses from far to near: part of the picture's speed, top, width, roof and foot colour, lit windows. */
const HOUSES = [
  { pace: 0.1, top: 250, w: 128, roof: '#e9828a', foot: '#f6b08c', lit: '' },
  { pace: 0.22, top: 330, w: 172, roof: '#b35a84', foot: '#e08a86', lit: '#ffd79a' },
  { pace: 0.4, top: 430, w: 230, roof: '#7c4479', foot: '#b26a85', lit: '#ffcf7d' },
];

/** @param {CanvasRenderingContext2D} ctx @param {number} shift */
export function city(ctx, shift) {
  const air = ctx.createLinearGradient(0, 0, 0, 720);
  for (const [at, color] of /** @type {[number, string][]} */ ([[0, '#5b4391'], [0.28, '#c9618f'], [0.55, '#ff9a72'], [0.8, '#ffc98d'], [1, '#ffe2b4']])) air.addColorStop(at, color);
  box(ctx, 0, 0, 1280, 720, air);
  for (let i = 0; i < 26; i++) disc(ctx, (i * i * 137 + i * 59) % 1280, 64 + ((i * i * 61 + i * 17) % 150), 1.2 + (i % 3) * 0.5, 'rgba(255,255,255,0.6)');
  const sun = 930 - shift * 0.04;
  const glow = ctx.createRadialGradient(sun, 330, 60, sun, 330, 420);
  glow.addColorStop(0, 'rgba(255,240,190,0.95)');
  glow.addColorStop(0.25, 'rgba(255,220,150,0.55)');
  glow.addColorStop(1, 'rgba(255,190,120,0)');
  box(ctx, 0, 0, 1280, 720, glow);
  disc(ctx, sun, 330, 92, '#fff4d2');
  for (let i = 0; i < 6; i++) {
    const x = ((i * 330 - shift * 0.06) % 1700 + 1700) % 1700 - 200;
    ctx.fillStyle = i % 2 ? 'rgba(255,226,190,0.55)' : 'rgba(255,196,176,0.5)';
    ctx.beginPath();
    ctx.ellipse(x, 150 + ((i * 83) % 190), 170, 9, 0, 0, 7);
    ctx.ellipse(x + 60, 163 + ((i * 83) % 190), 120, 7, 0, 0, 7);
    ctx.fill();
  }
  for (const layer of HOUSES) houses(ctx, shift * layer.pace, layer);
  const haze = ctx.createLinearGradient(0, 480, 0, 720);
  haze.addColorStop(0, 'rgba(255,205,150,0)');
  haze.addColorStop(1, 'rgba(255,220,170,0.75)');
  box(ctx, 0, 480, 1280, 240, haze);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {typeof HOUSES[number]} layer */
function houses(ctx, shift, { top, w, roof, foot, lit }) {
  const fill = ctx.createLinearGradient(0, top, 0, 720);
  fill.addColorStop(0, roof);
  fill.addColorStop(1, foot);
  for (let i = Math.floor(shift / w); i * w - shift < 1280; i++) {
    const x = i * w - shift;
    const y = top + ((((i * 97) % 170) + 170) % 170);
    const wide = w * (0.66 + 0.1 * (i & 3));
    box(ctx, x, y, wide, 720 - y, fill);
    if (i % 3 === 0) {
      box(ctx, x + wide * 0.3, y - 46, 5, 46, roof);
      disc(ctx, x + wide * 0.3 + 2.5, y - 48, 4.5, roof);
    } else if (i % 3 === 1) box(ctx, x + wide * 0.18, y - 18, wide * 0.4, 18, roof);
    else polygon(ctx, [[x, y], [x + wide * 0.5, y - 26], [x + wide, y]], roof);
    ctx.fillStyle = lit;
    if (lit) {
      for (let row = 0; row * 34 < 660 - y; row++) {
        for (let col = 0; col * 26 < wide - 34; col++) {
          if ((((i * 5 + row * 7 + col * 3) % 5) + 5) % 5 < 2) ctx.fillRect(x + 14 + col * 26, y + 18 + row * 34, 11, 16);
        }
      }
    }
  }
}

/** The level's own tiles, first their shadows on what lies behind. @param {CanvasRenderingContext2D} ctx
 * @param {TileMap} map @param {{x: number, y: number}} view */
export function level(ctx, map, view) {
  const wall = (/** @type {number} */ col, /** @type {number} */ row) => tileAt(map, col, row, '#') === '#';
  eachTile(map, view, (char, x, y, col, row) => {
    if (char !== '#' || wall(col, row + 1)) return;
    const g = ctx.createLinearGradient(0, y + TILE, 0, y + TILE + 70);
    g.addColorStop(0, 'rgba(45,18,66,0.5)');
    g.addColorStop(1, 'rgba(45,18,66,0)');
    box(ctx, x, y + TILE, TILE, 70, g);
  });
  eachTile(map, view, (char, x, y, col, row) => {
    if (char === '^') spikes(ctx, x, y);
    if (char === '#') concrete(ctx, x, y, col, row, wall);
  });
}

const DEPTH = ['#4b5490', '#414a82', '#384074', '#313868', '#2b315c'];

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} col @param {number} row
 * @param {(col: number, row: number) => boolean} wall */
function concrete(ctx, x, y, col, row, wall) {
  let deep = 0;
  while (deep < 4 && wall(col, row - deep - 1)) deep += 1;
  const g = ctx.createLinearGradient(0, y, 0, y + TILE);
  g.addColorStop(0, DEPTH[deep]);
  g.addColorStop(1, DEPTH[Math.min(4, deep + 1)]);
  box(ctx, x, y, TILE + 1, TILE + 1, g);
  // Slabs of two tiles with a seam and a bolt in each corner.
  ctx.fillStyle = 'rgba(16,18,48,0.45)';
  if (col % 2 === 0) ctx.fillRect(x, y, 3, TILE + 1);
  if (row % 2 === 0 && deep) ctx.fillRect(x, y, TILE + 1, 3);
  ctx.fillStyle = 'rgba(190,204,255,0.16)';
  if (col % 2 === 0) ctx.fillRect(x + 3, y, 2, TILE + 1);
  if (col % 2 === 0 && row % 2 === 0) disc(ctx, x + 13, y + 15, 3, 'rgba(190,204,255,0.28)');
  if (!wall(col - 1, row)) edge(ctx, x, y, 7, TILE + 1, '#93a0f0');
  if (!wall(col + 1, row)) edge(ctx, x + TILE - 6, y, 7, TILE + 1, '#262b54');
  if (!wall(col, row + 1)) edge(ctx, x, y + TILE - 6, TILE + 1, 7, '#1f2348');
  if (!wall(col, row - 1)) {
    edge(ctx, x, y, TILE + 1, 10, '#8ef0ff');
    edge(ctx, x, y, TILE + 1, 3, '#effdff');
    edge(ctx, x, y + 10, TILE + 1, 4, 'rgba(16,18,48,0.55)');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} fill */
function edge(ctx, x, y, w, h, fill) {
  ctx.fillStyle = fill;
  ctx.fillRect(x, y, w, h);
}

/** Three steel points with red glowing behind them. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function spikes(ctx, x, y) {
  const g = ctx.createLinearGradient(0, y - 12, 0, y + TILE);
  g.addColorStop(0, 'rgba(255,30,70,0)');
  g.addColorStop(1, 'rgba(255,30,70,0.6)');
  box(ctx, x, y - 12, TILE, TILE + 12, g);
  for (let i = 0; i < 3; i++) {
    const at = x + i * 16;
    polygon(ctx, [[at, y + 44], [at + 8, y + 12], [at + 16, y + 44]], '#d3133c', '#4a0517', 2.5);
    polygon(ctx, [[at + 2.5, y + 43], [at + 8, y + 16], [at + 8, y + 43]], '#ff8c9d');
  }
  box(ctx, x, y + 42, TILE + 1, 6, '#4a0517');
}

/** Cracked floor: pale slabs that plainly do not belong to the concrete. @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} c */
export function cracked(ctx, c) {
  const g = ctx.createLinearGradient(0, c.y, 0, c.y + TILE);
  g.addColorStop(0, '#fff0c9');
  g.addColorStop(1, '#cfa669');
  box(ctx, c.x + 1, c.y + 1, TILE - 2, TILE - 2, g, { edge: '#5b3d1e' });
  for (let i = 0; i < 3; i++) polygon(ctx, [[c.x + 3 + i * 15, c.y + 3], [c.x + 11 + i * 15, c.y + 3], [c.x + 6 + i * 15, c.y + 11], [c.x + 3 + (i ? i * 15 - 5 : 0), c.y + 11]], '#f08a24');
  ctx.strokeStyle = '#5b3d1e';
  ctx.lineWidth = 3;
  ctx.lineJoin = 'round';
  ctx.beginPath();
  for (const [x, y] of [[10, 11], [18, 20], [12, 30], [26, 46]]) ctx.lineTo(c.x + x, c.y + y);
  ctx.moveTo(c.x + 40, c.y + 11);
  ctx.lineTo(c.x + 30, c.y + 24);
  ctx.lineTo(c.x + 42, c.y + 36);
  ctx.moveTo(c.x + 18, c.y + 20);
  ctx.lineTo(c.x + 30, c.y + 24);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} f @param {number} frame */
export function goal(ctx, f, frame) {
  const x = f.x + 10;
  const y = f.y + TILE;
  const light = ctx.createLinearGradient(0, y - 300, 0, y);
  light.addColorStop(0, 'rgba(255,255,255,0)');
  light.addColorStop(1, 'rgba(255,255,230,0.6)');
  polygon(ctx, [[x - 34, y - 300], [x + 46, y - 300], [x + 34, y], [x - 22, y]], /** @type {any} */ (light));
  box(ctx, x, y - 110, 7, 110, '#ffffff', { edge: COLORS.ink });
  disc(ctx, x + 3.5, y - 114, 7, '#ffe14a', COLORS.ink, 2.5);
  for (let i = 0; i < 4; i++) {
    const wave = Math.sin(frame / 9 - i) * 2.2 * i;
    for (let j = 0; j < 3; j++) box(ctx, x + 7 + i * 14, y - 106 + j * 13 + wave, 14.5, 13.5, (i + j) % 2 ? '#ffffff' : COLORS.ink);
  }
  text(ctx, 'FINISH', x + 22, y - 138, { size: 24, color: '#ffffff', outline: COLORS.ink });
}
