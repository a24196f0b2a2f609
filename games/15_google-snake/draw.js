// @ts-check
/** Garden Worm, the picture: a chequered lawn, a worm with a face, an apple. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../kit/draw.js';
import { CELL, COLUMNS, LEFT, ROWS, TOP, WAYS } from './rules.js';

/** Middle of a square. @param {number} x @param {number} y @returns {[number, number]} */
const centre = (x, y) => [LEFT + (x + 0.5) * CELL, TOP + (y + 0.5) * CELL];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#20402c', '#16301f');
  hud(ctx, [['Apples', s.score], ['Length', s.body.length]], { align: 'center' });
  lawn(ctx);
  apple(ctx, s.apple[0], s.apple[1]);
  worm(ctx, s);
  text(ctx, 'Garden Worm', 140, 330, { size: 34, color: '#e9f5df' });
  text(ctx, 'Eat apples.', 140, 386, { size: 22, color: '#b8d3ac', bold: false });
  text(ctx, 'Avoid the fence', 140, 420, { size: 22, color: '#b8d3ac', bold: false });
  text(ctx, 'and yourself.', 140, 450, { size: 22, color: '#b8d3ac', bold: false });
}

/** @param {CanvasRenderingContext2D} ctx */
function lawn(ctx) {
  box(ctx, LEFT - 18, TOP - 18, COLUMNS * CELL + 36, ROWS * CELL + 36, '#7a5230', { radius: 16, edge: '#5a3a20', line: 4 });
  for (let y = 0; y < ROWS; y++) {
    for (let x = 0; x < COLUMNS; x++) {
      ctx.fillStyle = (x + y) % 2 ? '#9ccf62' : '#a9d970';
      ctx.fillRect(LEFT + x * CELL, TOP + y * CELL, CELL, CELL);
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} column @param {number} row */
function apple(ctx, column, row) {
  const [x, y] = centre(column, row);
  disc(ctx, x - 8, y + 4, 17, COLORS.red);
  disc(ctx, x + 8, y + 4, 17, COLORS.red);
  disc(ctx, x - 12, y - 2, 5, '#ff9a9e');
  box(ctx, x - 2, y - 24, 5, 14, '#6b4423', { radius: 2 });
  polygon(ctx, [[x + 3, y - 18], [x + 19, y - 26], [x + 15, y - 13]], '#2f7d32');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function worm(ctx, s) {
  const points = s.body.map(([x, y]) => centre(x, y));
  ctx.lineCap = ctx.lineJoin = 'round';
  for (const [width, color] of /** @type {[number, string][]} */ ([[52, '#283a86'], [44, '#3d5bdb']])) {
    ctx.strokeStyle = color;
    ctx.lineWidth = width;
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y);
    ctx.stroke();
  }
  points.slice(1).forEach(([x, y], i) => disc(ctx, x, y, i % 2 ? 8 : 11, '#7f97f2'));
  const [x, y] = points[0];
  disc(ctx, x, y, 30, s.eaten < 10 ? '#6f8bff' : '#3d5bdb', '#283a86', 4);
  const [dx, dy] = WAYS[s.way];
  for (const side of [-1, 1]) {
    const ex = x + dx * 12 - dy * side * 13;
    const ey = y + dy * 12 + dx * side * 13;
    disc(ctx, ex, ey, 8, '#ffffff');
    disc(ctx, ex + dx * 3, ey + dy * 3, 4, '#14193a');
  }
  // A small arrow shows where the worm goes next.
  const [wx, wy] = WAYS[s.wanted];
  const tip = [x + wx * 46, y + wy * 46];
  const base = [x + wx * 36, y + wy * 36];
  polygon(ctx, [tip, [base[0] - wy * 9, base[1] + wx * 9], [base[0] + wy * 9, base[1] - wx * 9]], '#ffffff');
}
