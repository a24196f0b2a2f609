// @ts-check
/** Falling Fours, the picture: the well, the falling piece and where it would land, the next and the kept piece. */

import { box, sky, text } from '../kit/draw.js';
import { colorOf, squares } from './pieces.js';
import { CELL, COLUMNS, fits, LEFT, ROWS, TOP } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#1a2036', '#0f1424');
  box(ctx, LEFT - 12, TOP - 12, COLUMNS * CELL + 24, ROWS * CELL + 24, '#55607f', { radius: 12 });
  box(ctx, LEFT, TOP, COLUMNS * CELL, ROWS * CELL, '#10162a');
  grid(ctx);
  s.board.forEach((kind, i) => kind && square(ctx, LEFT + (i % COLUMNS) * CELL, TOP + Math.floor(i / COLUMNS) * CELL, CELL, colorOf(kind)));
  if (!s.over) falling(ctx, s);
  if (s.sinceGone < 12) for (const y of s.gone) box(ctx, LEFT, TOP + y * CELL, COLUMNS * CELL, CELL, `rgba(255,255,255,${0.6 - s.sinceGone / 20})`);
  panel(ctx, 900, 96, 'Next', s.next);
  panel(ctx, 160, 96, 'Kept', s.kept, s.mayKeep);
  numbers(ctx, s);
  text(ctx, 'Falling Fours', 640, 42, { size: 40, color: '#ffffff' });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {string} color @param {boolean} [hollow] */
function square(ctx, x, y, size, color, hollow = false) {
  if (hollow) return box(ctx, x + 4, y + 4, size - 8, size - 8, 'rgba(255,255,255,0.06)', { radius: 6, edge: color, line: 3 });
  box(ctx, x + 1.5, y + 1.5, size - 3, size - 3, color, { radius: 6 });
  box(ctx, x + 6, y + 6, size - 12, 6, 'rgba(255,255,255,0.35)', { radius: 3 });
}

/** @param {CanvasRenderingContext2D} ctx */
function grid(ctx) {
  ctx.strokeStyle = 'rgba(255,255,255,0.09)';
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = 1; x < COLUMNS; x++) ctx.rect(LEFT + x * CELL, TOP, 0, ROWS * CELL);
  for (let y = 1; y < ROWS; y++) ctx.rect(LEFT, TOP + y * CELL, COLUMNS * CELL, 0);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function falling(ctx, s) {
  let ground = s.y;
  while (fits(s, s.x, ground + 1, s.turns)) ground += 1;
  for (const [dx, dy] of squares(s.kind, s.turns)) {
    if (ground + dy >= 0) square(ctx, LEFT + (s.x + dx) * CELL, TOP + (ground + dy) * CELL, CELL, colorOf(s.kind), true);
  }
  for (const [dx, dy] of squares(s.kind, s.turns)) {
    if (s.y + dy >= 0) square(ctx, LEFT + (s.x + dx) * CELL, TOP + (s.y + dy) * CELL, CELL, colorOf(s.kind));
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} label @param {string} kind @param {boolean} [free] */
function panel(ctx, x, y, label, kind, free = true) {
  box(ctx, x, y, 220, 190, '#222b49', { radius: 14, edge: '#55607f' });
  text(ctx, label, x + 110, y + 32, { size: 26, color: '#c9d3e6' });
  if (!kind) return text(ctx, 'nothing', x + 110, y + 112, { size: 22, color: '#6f7ba0', bold: false });
  const parts = squares(kind, 0);
  const xs = parts.map((p) => p[0]);
  const ys = parts.map((p) => p[1]);
  const w = (Math.max(...xs) - Math.min(...xs) + 1) * 38;
  const h = (Math.max(...ys) - Math.min(...ys) + 1) * 38;
  ctx.globalAlpha = free ? 1 : 0.4;
  for (const [dx, dy] of parts) {
    square(ctx, x + 110 - w / 2 + (dx - Math.min(...xs)) * 38, y + 116 - h / 2 + (dy - Math.min(...ys)) * 38, 38, colorOf(kind));
  }
  ctx.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function numbers(ctx, s) {
  /** @type {[string, number][]} */
  const lines = [['Score', s.score], ['Rows', s.rows], ['Pieces', s.placed]];
  lines.forEach(([label, value], i) => {
    const y = 340 + i * 106;
    text(ctx, label, 1010, y, { size: 24, color: '#9fb0d6', bold: false });
    text(ctx, value, 1010, y + 42, { size: 50, color: '#ffffff' });
  });
  text(ctx, 'Rows at once', 270, 340, { size: 24, color: '#9fb0d6', bold: false });
  ['1 row   60', '2 rows 150', '3 rows 270', '4 rows 420'].forEach((t, i) => text(ctx, t, 270, 384 + i * 36, { size: 24, color: '#ffffff', mono: true }));
}
