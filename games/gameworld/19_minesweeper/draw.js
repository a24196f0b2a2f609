// @ts-check
/** Quiet Field, the picture: the board with its letters and numbers, what is left beside it. */

import { box, COLORS, disc, polygon, sky, text } from '../../kit/draw.js';
import { corner } from '../../kit/grid.js';
import { around, count, MINES, PLACE, SIZE } from './rules.js';

const NUMBERS = ['', '#1f5fe0', '#15803d', '#d3222b', '#6b21a8', '#9a3412', '#0e7490', '#111111', '#555555'];
const SIDE = SIZE * PLACE.size;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#dfe8df', '#c6d5c8');
  box(ctx, PLACE.x - 46, PLACE.y - 50, SIDE + 92, SIDE + 70, '#33473b', { radius: 18 });
  for (let i = 0; i < SIZE; i++) {
    const mid = i * PLACE.size + PLACE.size / 2;
    text(ctx, String.fromCharCode(97 + i), PLACE.x + mid, PLACE.y - 24, { size: 28, color: '#ffffff' });
    text(ctx, i + 1, PLACE.x - 24, PLACE.y + mid + 2, { size: 28, color: '#ffffff' });
    text(ctx, i + 1, PLACE.x + SIDE + 24, PLACE.y + mid + 2, { size: 28, color: '#ffffff' });
  }
  for (let row = 0; row < SIZE; row++) for (let col = 0; col < SIZE; col++) cell(ctx, s, col, row);
  if (s.last) {
    const at = corner(PLACE, s.last.col, s.last.row);
    box(ctx, at.x + 4, at.y + 4, PLACE.size - 8, PLACE.size - 8, 'rgba(0,0,0,0)', { edge: '#f59e0b', line: 4 });
  }
  panel(ctx, 76, 'Open safe cells', `${count(s.open)} / ${SIZE * SIZE - MINES}`);
  panel(ctx, 236, 'Flags left', String(MINES - count(s.flags)));
  legend(ctx);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} col
 * @param {number} row */
function cell(ctx, s, col, row) {
  const { x, y } = corner(PLACE, col, row);
  const a = PLACE.size;
  const shown = s.over !== null && s.mines[row][col] && !s.flags[row][col];
  if (!s.open[row][col] && !shown) {
    closed(ctx, x, y, a);
    if (s.flags[row][col]) flag(ctx, x + a / 2, y + a / 2);
    if (s.over && s.flags[row][col] && !s.mines[row][col]) cross(ctx, x + a / 2, y + a / 2);
    return;
  }
  const hit = s.hit?.col === col && s.hit.row === row;
  box(ctx, x, y, a, a, hit ? '#ff6b6b' : '#f6f3e6', { edge: '#b7b39e', line: 2 });
  if (s.mines[row][col]) mine(ctx, x + a / 2, y + a / 2);
  else {
    const n = around(s, col, row);
    if (n) text(ctx, n, x + a / 2, y + a / 2 + 3, { size: 42, color: NUMBERS[n] });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} a */
function closed(ctx, x, y, a) {
  box(ctx, x, y, a, a, '#3f7d5a', { edge: '#2a5a3f', line: 2 });
  polygon(ctx, [[x + 2, y + 2], [x + a - 2, y + 2], [x + a - 9, y + 9], [x + 9, y + 9], [x + 9, y + a - 9], [x + 2, y + a - 2]], '#68a783');
  box(ctx, x + 9, y + 9, a - 18, a - 18, '#4c9169');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function flag(ctx, x, y) {
  box(ctx, x - 9, y - 23, 5, 44, '#1b2330');
  box(ctx, x - 18, y + 17, 26, 6, '#1b2330');
  polygon(ctx, [[x - 6, y - 24], [x + 22, y - 12], [x - 6, y + 1]], '#ff3b30', '#ffffff', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function cross(ctx, x, y) {
  ctx.strokeStyle = '#111111';
  ctx.lineWidth = 6;
  ctx.beginPath();
  ctx.moveTo(x - 24, y - 24);
  ctx.lineTo(x + 24, y + 24);
  ctx.moveTo(x + 24, y - 24);
  ctx.lineTo(x - 24, y + 24);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function mine(ctx, x, y) {
  ctx.strokeStyle = COLORS.ink;
  ctx.lineWidth = 5;
  ctx.beginPath();
  for (let i = 0; i < 4; i++) {
    const dx = Math.cos((i * Math.PI) / 4) * 25;
    const dy = Math.sin((i * Math.PI) / 4) * 25;
    ctx.moveTo(x - dx, y - dy);
    ctx.lineTo(x + dx, y + dy);
  }
  ctx.stroke();
  disc(ctx, x, y, 17, COLORS.ink);
  disc(ctx, x - 6, y - 6, 5, '#ffffff');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} y @param {string} label @param {string} value */
function panel(ctx, y, label, value) {
  box(ctx, 1020, y, 230, 136, '#ffffff', { radius: 18, edge: '#33473b' });
  text(ctx, label, 1135, y + 38, { size: 24, color: '#3c4a42', bold: false });
  text(ctx, value, 1135, y + 92, { size: 48 });
}

/** @param {CanvasRenderingContext2D} ctx */
function legend(ctx) {
  text(ctx, 'Quiet Field', 144, 110, { size: 40, color: '#22332a' });
  const rows = ['closed cell', 'flag', '2 mines around'];
  rows.forEach((label, i) => {
    const y = 170 + i * 74;
    if (i < 2) closed(ctx, 26, y, 56);
    else box(ctx, 26, y, 56, 56, '#f6f3e6', { edge: '#b7b39e', line: 2 });
    if (i === 1) flag(ctx, 54, y + 28);
    if (i === 2) text(ctx, 2, 54, y + 31, { size: 36, color: NUMBERS[2] });
    text(ctx, label, 94, y + 30, { size: 22, align: 'left', bold: false, color: '#22332a' });
  });
  const lines = ['Left button: open', 'Right button: flag'];
  lines.forEach((line, i) => text(ctx, line, 26, 430 + i * 36, { size: 22, align: 'left', bold: false, color: '#22332a' }));
}
