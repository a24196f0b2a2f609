// @ts-check
/** Falling Fours, the picture: the well, the falling piece and where it would land, the next and the kept piece. */

import { box, sky, text } from '../../kit/draw.js';
import { blend, shade } from '../../kit/solid.js';
import { colorOf, squares } from './pieces.js';
import { CELL, COLUMNS, fits, LEFT, ROWS, TOP } from './rules.js';

/** Pieces that float in the dark behind everything: kind, turns, place, size of a square. @type {[string, number, number, number, number][]} */
const BEHIND = [['T', 1, 40, 330, 52], ['L', 0, 300, 560, 44], ['S', 1, 360, 60, 36], ['Z', 0, 1130, 560, 52], ['J', 2, 860, 610, 40], ['I', 1, 1190, 40, 40], ['O', 0, 40, 60, 40]];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  room(ctx);
  well(ctx);
  s.board.forEach((kind, i) => kind && square(ctx, LEFT + (i % COLUMNS) * CELL, TOP + Math.floor(i / COLUMNS) * CELL, CELL, colorOf(kind)));
  if (!s.over) falling(ctx, s);
  if (s.sinceGone < 12) for (const y of s.gone) box(ctx, LEFT, TOP + y * CELL, COLUMNS * CELL, CELL, `rgba(255,255,255,${0.6 - s.sinceGone / 20})`);
  panel(ctx, 900, 96, 'Next', s.next);
  panel(ctx, 160, 96, 'Kept', s.kept, s.mayKeep);
  numbers(ctx, s);
  text(ctx, 'Falling Fours', 640, 40, { size: 42, color: '#ffffff', outline: '#2b3a86' });
}

/** A blue room with faint pieces floating in it. @param {CanvasRenderingContext2D} ctx */
function room(ctx) {
  sky(ctx, '#1c2766', '#131a48', '#0a0e28');
  const light = ctx.createRadialGradient(640, 300, 80, 640, 340, 680);
  light.addColorStop(0, 'rgba(96, 128, 255, 0.55)');
  light.addColorStop(1, 'rgba(96, 128, 255, 0)');
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, 1280, 720);
  for (const [kind, turns, x, y, size] of BEHIND) {
    for (const [dx, dy] of squares(kind, turns)) box(ctx, x + dx * size + 2, y + dy * size + 2, size - 4, size - 4, colorOf(kind) + '24', { radius: 8, edge: colorOf(kind) + '48', line: 2 });
  }
}

/** The well: a metal frame, a dark shaft with a grid, shadow at its mouth. @param {CanvasRenderingContext2D} ctx */
function well(ctx) {
  const [w, h] = [COLUMNS * CELL, ROWS * CELL];
  const metal = ctx.createLinearGradient(LEFT - 14, 0, LEFT + w + 14, 0);
  metal.addColorStop(0, '#9fb0e8');
  metal.addColorStop(0.5, '#5a6aa8');
  metal.addColorStop(1, '#8494cf');
  box(ctx, LEFT - 6, TOP - 4, w + 28, h + 28, 'rgba(2, 4, 16, 0.55)', { radius: 16 });
  box(ctx, LEFT - 14, TOP - 12, w + 28, h + 26, metal, { radius: 12, edge: '#0a0e28' });
  const shaft = ctx.createLinearGradient(0, TOP, 0, TOP + h);
  shaft.addColorStop(0, '#070a1c');
  shaft.addColorStop(1, '#161d42');
  box(ctx, LEFT, TOP, w, h, shaft);
  for (let x = 0; x < COLUMNS; x += 2) box(ctx, LEFT + x * CELL, TOP, CELL, h, 'rgba(255,255,255,0.03)');
  grid(ctx);
  const mouth = ctx.createLinearGradient(0, TOP, 0, TOP + 40);
  mouth.addColorStop(0, 'rgba(0, 0, 0, 0.6)');
  mouth.addColorStop(1, 'rgba(0, 0, 0, 0)');
  box(ctx, LEFT, TOP, w, 40, mouth);
}

/** A square with a lit upper and left edge; a hollow one shows where a piece would land.
 * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {string} color @param {boolean} [hollow] */
function square(ctx, x, y, size, color, hollow = false) {
  if (hollow) return box(ctx, x + 4, y + 4, size - 8, size - 8, color + '2c', { radius: 6, edge: blend(color, '#ffffff', 0.35), line: 3 });
  const k = size / 44;
  box(ctx, x + 1, y + 1, size - 2, size - 2, shade(color, 0.5), { radius: 7 });
  box(ctx, x + 2, y + 1, size - 5, size - 6, blend(color, '#ffffff', 0.5), { radius: 6 });
  box(ctx, x + 4 * k, y + 5 * k, size - 8 * k, size - 11 * k, color, { radius: 5 });
  box(ctx, x + 9 * k, y + 10 * k, size - 18 * k, size - 21 * k, blend(color, '#ffffff', 0.16), { radius: 4 });
}

/** @param {CanvasRenderingContext2D} ctx */
function grid(ctx) {
  ctx.strokeStyle = 'rgba(170,190,255,0.14)';
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
  beam(ctx, s, ground);
  for (const [dx, dy] of squares(s.kind, s.turns)) {
    if (ground + dy >= 0) square(ctx, LEFT + (s.x + dx) * CELL, TOP + (ground + dy) * CELL, CELL, colorOf(s.kind), true);
  }
  for (const [dx, dy] of squares(s.kind, s.turns)) {
    if (s.y + dy >= 0) square(ctx, LEFT + (s.x + dx) * CELL, TOP + (s.y + dy) * CELL, CELL, colorOf(s.kind));
  }
}

/** Faint light below the piece, column by column, down to where it would land.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} ground */
function beam(ctx, s, ground) {
  const parts = squares(s.kind, s.turns);
  for (const column of new Set(parts.map((p) => p[0]))) {
    const low = Math.max(...parts.filter((p) => p[0] === column).map((p) => p[1]));
    const from = Math.max(0, s.y + low + 1);
    const to = ground + low + 1;
    if (to > from) box(ctx, LEFT + (s.x + column) * CELL, TOP + from * CELL, CELL, (to - from) * CELL, colorOf(s.kind) + '1c');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} label @param {string} kind @param {boolean} [free] */
function panel(ctx, x, y, label, kind, free = true) {
  box(ctx, x + 6, y + 8, 220, 190, 'rgba(2, 4, 16, 0.5)', { radius: 16 });
  box(ctx, x, y, 220, 190, '#1a2352', { radius: 16, edge: '#8494cf' });
  text(ctx, label, x + 110, y + 32, { size: 26, color: '#c9d3e6' });
  if (!kind) return text(ctx, 'nothing', x + 110, y + 112, { size: 22, color: '#9fb0e0', bold: false });
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
  plate(ctx, 900, 306, 342);
  plate(ctx, 160, 306, 224);
  /** @type {[string, number][]} */
  const lines = [['Score', s.score], ['Rows', s.rows], ['Pieces', s.placed]];
  lines.forEach(([label, value], i) => {
    const y = 340 + i * 106;
    text(ctx, label, 1010, y, { size: 24, color: '#b9c7f0', bold: false });
    text(ctx, value, 1010, y + 42, { size: 50, color: '#ffffff' });
  });
  text(ctx, 'Rows at once', 270, 340, { size: 24, color: '#b9c7f0', bold: false });
  ['1 row   60', '2 rows 150', '3 rows 270', '4 rows 420'].forEach((t, i) => text(ctx, t, 270, 388 + i * 38, { size: 24, color: '#ffffff', mono: true }));
}

/** A dark plate behind numbers. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} h */
function plate(ctx, x, y, h) {
  box(ctx, x, y, 220, h, 'rgba(12, 17, 46, 0.82)', { radius: 16, edge: 'rgba(132, 148, 207, 0.5)', line: 2 });
}
