// @ts-check
/** Double Up, the picture: the board in the middle, score and largest tile beside it. */

import { box, polygon, sky, text } from '../../kit/draw.js';
import { corner } from '../../kit/grid.js';
import { largest, SIZE, SLIDE } from './rules.js';

/** @type {import('../../kit/grid.js').Place} */
const PLACE = { x: 346, y: 66, size: 138, gap: 12 };
const BOARD = SIZE * (PLACE.size + 12) + 12;

/** Background and text of a tile by its value. @type {Record<number, [string, string]>} */
const TILES = {
  2: ['#eef3fb', '#22304a'],
  4: ['#cfe3ff', '#1d3358'],
  8: ['#8fd3c8', '#0d3b37'],
  16: ['#3fb99a', '#06302a'],
  32: ['#f7d154', '#4a3500'],
  64: ['#f59f3a', '#3a1d00'],
  128: ['#ef6a4a', '#ffffff'],
  256: ['#dd3b62', '#ffffff'],
  512: ['#a53bd0', '#ffffff'],
  1024: ['#6040e0', '#ffffff'],
};
const BIGGEST = ['#22262f', '#ffe28a'];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#27324a', '#1a2236');
  box(ctx, PLACE.x - 12, PLACE.y - 12, BOARD, BOARD, '#55637f', { radius: 20 });
  for (let row = 0; row < SIZE; row++) {
    for (let col = 0; col < SIZE; col++) {
      const at = corner(PLACE, col, row);
      box(ctx, at.x, at.y, PLACE.size, PLACE.size, '#404c66', { radius: 14 });
    }
  }
  if (s.age < SLIDE) sliding(ctx, s);
  else resting(ctx, s);
  panel(ctx, 40, 'Score', s.score);
  panel(ctx, 200, 'Largest tile', largest(s));
  panel(ctx, 360, 'Moves', s.moves);
  help(ctx);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function sliding(ctx, s) {
  const part = s.age / SLIDE;
  for (const { from, to, value } of s.slid) {
    const a = corner(PLACE, ...from);
    const b = corner(PLACE, ...to);
    tile(ctx, a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, value, 1);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function resting(ctx, s) {
  const pop = Math.max(0, 1 - Math.abs(s.age - SLIDE - 2) / 3);
  s.board.forEach((line, row) =>
    line.forEach((value, col) => {
      if (!value) return;
      const at = corner(PLACE, col, row);
      const fresh = s.born !== null && s.born[0] === col && s.born[1] === row;
      const grown = s.merged.some(([c, r]) => c === col && r === row);
      const size = fresh ? Math.min(1, 0.4 + (s.age - SLIDE) / 6) : grown ? 1 + 0.08 * pop : 1;
      tile(ctx, at.x, at.y, value, size);
    }),
  );
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} value
 * @param {number} size */
function tile(ctx, x, y, value, size) {
  const [fill, ink] = TILES[value] ?? BIGGEST;
  const w = PLACE.size * size;
  const off = (PLACE.size - w) / 2;
  box(ctx, x + off, y + off, w, w, fill, { radius: 14 });
  const digits = String(value).length;
  const height = [0, 72, 66, 56, 46, 38][digits] ?? 32;
  text(ctx, value, x + PLACE.size / 2, y + PLACE.size / 2 + 3, { size: height * size, color: ink });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} y @param {string} label @param {number} value */
function panel(ctx, y, label, value) {
  box(ctx, 1000, y + 14, 240, 130, '#111827', { radius: 18, edge: '#55637f' });
  text(ctx, label, 1120, y + 46, { size: 24, color: '#b9c6de', bold: false });
  text(ctx, value, 1120, y + 100, { size: 52, color: '#ffffff' });
}

/** @param {CanvasRenderingContext2D} ctx */
function help(ctx) {
  text(ctx, 'Double Up', 165, 110, { size: 44, color: '#ffffff' });
  const lines = ['Slide all tiles', 'with the arrow keys.', '', 'Equal tiles that', 'meet become one', 'of twice the value.'];
  lines.forEach((line, i) => text(ctx, line, 165, 190 + i * 34, { size: 24, color: '#b9c6de', bold: false }));
  for (const [turns, x, y] of [[0, 165, 470], [3, 95, 540], [2, 165, 540], [1, 235, 540]]) {
    box(ctx, x - 31, y - 31, 62, 62, '#33405c', { radius: 12, edge: '#8090b0' });
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate((turns * Math.PI) / 2);
    polygon(ctx, [[0, -17], [17, 13], [-17, 13]], '#ffffff');
    ctx.restore();
  }
}
