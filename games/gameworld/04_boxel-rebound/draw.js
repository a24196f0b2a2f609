// @ts-check
/** Crate Escape, the picture: a warehouse yard at dusk. */

import { bar, box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { BASE, coinY, completed, HEADROOM, SIDE, surface, TILE } from './rules.js';

/** Where the crate stands on the screen. */
export const SCREEN_X = 300;
const LOOKS = [
  { sky: ['#2b2d6e', '#e0678a', '#ffc27a'], far: '#7b4a86', near: '#4d3569', ground: '#5c4130', top: '#f2a33a' },
  { sky: ['#0f3b57', '#2b9aa8', '#c9f0d4'], far: '#2c7d87', near: '#1c5563', ground: '#23404a', top: '#7be0a0' },
  { sky: ['#1a1036', '#5b2a7d', '#e2649b'], far: '#4a2670', near: '#2f184f', ground: '#2a2147', top: '#ff7fb8' },
];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const look = LOOKS[s.level - 1];
  const camera = s.x - SCREEN_X;
  sky(ctx, ...look.sky);
  disc(ctx, 980, 190, 74, 'rgba(255,244,214,0.85)');
  skyline(ctx, camera * 0.15, 430, 150, look.far);
  skyline(ctx, camera * 0.35, 520, 110, look.near);
  const from = Math.floor(camera / TILE);
  for (let c = from; c <= from + 22; c++) column(ctx, s, c, c * TILE - camera, look);
  for (let c = Math.max(0, from); c <= from + 22; c++) mark(ctx, s, c, c * TILE - camera);
  gate(ctx, s.length + SIDE - camera);
  crate(ctx, s);
  hud(ctx, [['Stage', s.level], ['Coins', s.taken.length]]);
  bar(ctx, 420, 20, 440, 32, completed(s), COLORS.yellow);
  text(ctx, `${Math.floor(completed(s) * 100)} %`, 920, 37, { size: 28, color: COLORS.white, outline: COLORS.ink });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {number} w @param {string} color */
function skyline(ctx, shift, y, w, color) {
  const first = Math.floor(shift / w);
  for (let i = first; i <= first + 1280 / w + 1; i++) {
    const up = (((i * 73) % 7) + 7) % 7;
    box(ctx, i * w - shift, y - up * 18, w + 1, 720 - y + up * 18, color);
    polygon(ctx, [[i * w - shift, y - up * 18], [(i + 0.5) * w - shift, y - up * 18 - 34], [(i + 1) * w - shift, y - up * 18]], color);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} c @param {number} x
 * @param {{ground: string, top: string}} look */
function column(ctx, s, c, x, look) {
  const top = surface(s, c);
  if (top > 720) {
    box(ctx, x, BASE + 60, TILE + 1, 60, '#120c1c');
    for (let i = 0; i < 3; i++) polygon(ctx, [[x + i * 20, 722], [x + 10 + i * 20, 684], [x + 20 + i * 20, 722]], '#c9ced8');
    return;
  }
  box(ctx, x, top, TILE + 1, 720 - top, look.ground);
  for (let y = top + TILE; y < 720; y += TILE) box(ctx, x, y, TILE, 3, 'rgba(255,255,255,0.09)');
  if (c % 2 === 0) box(ctx, x, top, TILE, 720 - top, 'rgba(255,255,255,0.05)');
  box(ctx, x, top, TILE + 1, 12, look.top);
  for (const [side, at] of [[c - 1, x], [c + 1, x + TILE]]) {
    if (surface(s, side) > top) box(ctx, at - 2, top, 4, Math.min(720, surface(s, side)) - top, '#140f1e');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} c @param {number} x */
function mark(ctx, s, c, x) {
  const y = surface(s, c);
  switch (s.marks[c]) {
    case '^':
      for (const dx of [4, 30]) polygon(ctx, [[x + dx, y], [x + dx + 13, y - 46], [x + dx + 26, y]], '#f4f6fb', '#b4232a', 4);
      break;
    case 'v':
      box(ctx, x - 6, 0, 12, y - HEADROOM - 60, '#3a3346', { edge: COLORS.ink });
      box(ctx, x + TILE - 6, 0, 12, y - HEADROOM - 60, '#3a3346', { edge: COLORS.ink });
      box(ctx, x - 14, y - HEADROOM - 70, TILE + 28, 28, '#8a4b2a', { radius: 6, edge: COLORS.ink });
      for (const dx of [-4, 22, 48]) {
        polygon(ctx, [[x + dx - 9, y - HEADROOM - 42], [x + dx + 8, y - HEADROOM], [x + dx + 25, y - HEADROOM - 42]], '#f4f6fb', '#b4232a', 4);
      }
      break;
    case 's':
      for (let i = 0; i < 3; i++) box(ctx, x + 12, y - 8 - i * 7, 36, 4, '#d9dee8');
      box(ctx, x + 4, y - 32, 52, 12, COLORS.green, { radius: 5, edge: COLORS.ink });
      break;
    case '*':
      if (s.taken.includes(c)) break;
      disc(ctx, x + TILE / 2, coinY(s, c), 17, COLORS.yellow, '#8a5a00', 4);
      box(ctx, x + TILE / 2 - 3, coinY(s, c) - 8, 6, 16, '#8a5a00', { radius: 2 });
      break;
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x */
function gate(ctx, x) {
  if (x > 1400) return;
  box(ctx, x, BASE - 210, 20, 210, '#f7f4ec', { edge: COLORS.ink });
  box(ctx, x + 110, BASE - 210, 20, 210, '#f7f4ec', { edge: COLORS.ink });
  for (let i = 0; i < 14; i++) {
    const at = [x - 5 + (i % 7) * 20, BASE - 250 + Math.floor(i / 7) * 20];
    box(ctx, at[0], at[1], 20, 20, (i + Math.floor(i / 7)) % 2 ? COLORS.ink : COLORS.white);
  }
  text(ctx, 'GATE', x + 65, BASE - 272, { size: 28, color: COLORS.white, outline: COLORS.ink });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function crate(ctx, s) {
  const h = SIDE - (s.squash > 3 ? 8 : 0);
  ctx.save();
  ctx.translate(SCREEN_X + SIDE / 2, s.y - h / 2);
  ctx.rotate(s.angle);
  const r = SIDE / 2;
  box(ctx, -r, -h / 2, SIDE, h, '#ffd95a', { radius: 7, edge: COLORS.ink, line: 4 });
  polygon(ctx, [[-r + 5, h / 2 - 6], [-r + 12, h / 2 - 6], [r - 5, -h / 2 + 8], [r - 12, -h / 2 + 8]], '#e39a1c');
  disc(ctx, 4, -4, 6, '#ffffff', COLORS.ink, 2.5);
  disc(ctx, 16, -4, 5, '#ffffff', COLORS.ink, 2.5);
  disc(ctx, 6, -4, 2.5, COLORS.ink);
  disc(ctx, 17, -4, 2.5, COLORS.ink);
  box(ctx, 4, 9, 14, 4, COLORS.ink, { radius: 2 });
  ctx.restore();
}
