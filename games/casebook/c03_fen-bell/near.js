// @ts-check
/** The Bell of Sallow: what tells of the hidden places, and of who was there, seen from near; and the small pictures of the chart. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { down, framed, stroke } from '../adventure/props.js';
import { WAYS } from './case.js';
import { bird, sign } from './signs.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const INK = '#4a3620';
export const ROMAN = ['I', 'II', 'III', 'IV', 'V'];

/** The small picture of a place on the chart. @param {Ctx} ctx @param {string} place @param {number} x @param {number} y */
export function mark(ctx, place, x, y) {
  const red = '#a4522e';
  if (place === 'mill') {
    polygon(ctx, [[x - 14, y + 18], [x - 8, y - 12], [x + 8, y - 12], [x + 14, y + 18]], red, INK, 2);
    for (const a of [0.5, 2.07, 3.64, 5.21]) stroke(ctx, [[x, y - 8], [x + Math.cos(a) * 26, y - 8 + Math.sin(a) * 26]], INK, 4);
  } else if (place === 'tower') {
    box(ctx, x - 11, y - 14, 22, 34, '#8a8468', { edge: INK, line: 2 });
    polygon(ctx, [[x - 15, y - 14], [x, y - 32], [x + 15, y - 14]], red, INK, 2);
  } else if (place === 'ferry') {
    box(ctx, x - 26, y, 52, 12, '#8a6a44', { edge: INK, line: 2 });
    stroke(ctx, [[x - 40, y - 10], [x + 40, y - 10]], INK, 3);
    stroke(ctx, [[x, y], [x, y - 12]], INK, 3);
  } else if (place === 'weir') for (let i = 0; i < 7; i++) stroke(ctx, [[x - 30 + i * 10, y - 14 + i * 3], [x - 30 + i * 10, y + 8 + i * 3]], INK, 4);
  else if (place === 'hide') {
    polygon(ctx, [[x - 28, y + 16], [x, y - 24], [x + 28, y + 16]], '#b89a4e', INK, 2);
    box(ctx, x - 12, y - 2, 24, 6, INK);
  } else if (place === 'chapel') {
    box(ctx, x - 20, y - 6, 40, 24, '#8a8468', { edge: INK, line: 2 });
    polygon(ctx, [[x - 26, y - 6], [x, y - 26], [x + 26, y - 6]], '#8a8468', INK, 2);
    stroke(ctx, [[x, y - 40], [x, y - 24]], INK, 3);
    stroke(ctx, [[x - 6, y - 34], [x + 6, y - 34]], INK, 3);
  } else {
    box(ctx, x - 22, y - 4, 44, 24, place === 'inn' ? '#d9a03c' : '#6a5236', { edge: INK, line: 2 });
    polygon(ctx, [[x - 28, y - 4], [x, y - 26], [x + 28, y - 4]], red, INK, 2);
    if (place === 'eels') for (let i = 0; i < 3; i++) disc(ctx, x + 16 + i * 5, y - 28 - i * 6, 4 + i * 2, 'rgba(90,80,60,0.5)');
  }
}

/** @type {Record<string, string>} */
export const NAMES = { inn: 'inn', mill: 'mill', eels: 'eel house', tower: 'tower', ferry: 'ferry', weir: 'weir', hide: 'hide', chapel: 'chapel' };

/** A compass. @param {Ctx} ctx @param {number} x @param {number} y @param {number} r */
export function compass(ctx, x, y, r) {
  disc(ctx, x, y, r, '#f6edd6', '#8a6a2c', r / 9);
  for (const [n, [dx, dy]] of Object.entries(WAYS)) {
    const d = Math.hypot(dx, dy);
    const long = n.includes('-') ? 0.5 : 0.66;
    polygon(ctx, [[x + (dx / d) * r * long, y + (dy / d) * r * long], [x - (dy / d) * r * 0.1, y + (dx / d) * r * 0.1], [x + (dy / d) * r * 0.1, y - (dx / d) * r * 0.1]], n === 'north' ? '#a4322a' : '#5f5236');
    if (!n.includes('-')) text(ctx, n[0].toUpperCase(), x + dx * r * 0.82, y + dy * r * 0.82, { size: Math.max(18, r * 0.2), color: INK });
  }
}

/** Herons flying home, over a compass on the sill. @param {Ctx} ctx @param {any} s @param {'mill'|'tower'} place */
export function herons(ctx, s, place) {
  const [dx, dy] = WAYS[s.data.herons[place]];
  const d = Math.hypot(dx, dy);
  box(ctx, 240, 14, 800, 500, '#6a5236', { radius: 10, edge: '#3a2c1a', line: 6 });
  box(ctx, 270, 40, 740, 450, '#cfc08a');
  for (let i = 0; i < 90; i++) disc(ctx, 280 + ((i * 197) % 720), 50 + ((i * 89) % 430), 5 + (i % 4) * 3, i % 2 ? '#b8a562' : '#c4b474');
  compass(ctx, 640, 266, 78);
  for (let i = 0; i < 5; i++) {
    const far = 112 + i * (dx ? 32 : 19);
    const side = ((i % 3) - 1) * 34;
    const x = 640 + (dx / d) * far * 1.15 - (dy / d) * side;
    const y = 266 + (dy / d) * far * (dx && dy ? 0.8 : 1) + (dx / d) * side;
    const a = Math.atan2(dy, dx);
    const flap = Math.sin(s.ticks / 14 + i) * 4;
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate(a);
    polygon(ctx, [[-4, -3], [-14, -26 - flap], [8, -4]], '#5f6c7c');
    polygon(ctx, [[-4, 3], [-14, 26 + flap], [8, 4]], '#5f6c7c');
    polygon(ctx, [[-18, -3], [10, -5], [24, 0], [10, 5], [-18, 3]], '#7f8c9c');
    polygon(ctx, [[22, -3], [36, 0], [22, 3]], '#e0a83c');
    ctx.restore();
  }
}

/** Three paintings under three skies. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function paintings(ctx, s, x, y, w, h) {
  const k = w / 300;
  s.data.hung.forEach((/** @type {number} */ time, /** @type {number} */ i) =>
    framed(ctx, x + i * w * 1.2, y, w, h, '#8a6a34', () => {
      box(ctx, 0, 0, w, h, down(ctx, 0, h * 0.7, ...[['#f0a8a0', '#f8dcb0'], ['#6ab0e0', '#d0ecf6'], ['#3a2f6a', '#c86a4a']][time]));
      disc(ctx, [w * 0.2, w * 0.5, w * 0.82][time], [h * 0.62, h * 0.16, h * 0.62][time], 26 * k, ['#ffe2a0', '#fff6c8', '#e8502c'][time]);
      box(ctx, 0, h * 0.68, w, h * 0.32, ['#8a9a7a', '#6a9a8a', '#3a3a4f'][time]);
      bird(ctx, s.data.birds[time], w * 0.54, h * 0.6, 1.7 * k);
    }),
  );
}

/** The stone with its words. @param {Ctx} ctx @param {any} s */
export function stone(ctx, s) {
  const { from, east, south } = s.data.stone;
  ctx.beginPath();
  ctx.roundRect(380, 30, 520, 520, [240, 240, 0, 0]);
  ctx.fillStyle = down(ctx, 30, 500, '#b8b298', '#7f7c66');
  ctx.fill();
  ctx.strokeStyle = '#5a5744';
  ctx.lineWidth = 8;
  ctx.stroke();
  for (let i = 0; i < 26; i++) disc(ctx, 400 + ((i * 131) % 480), 480 + (i % 4) * 12, 14, i % 2 ? '#6f7a3a' : '#838c46');
  text(ctx, `FROM THE ${NAMES[from].toUpperCase()}`, 640, 150, { size: 34, color: '#33301f' });
  text(ctx, `${ROMAN[Math.abs(east) - 1] ?? ['VI', 'VII'][Math.abs(east) - 6]} TO ${east > 0 ? 'SUNRISE' : 'SUNSET'}`, 640, 232, { size: 46, color: '#33301f' });
  text(ctx, `${ROMAN[Math.abs(south) - 1]} TO ${south > 0 ? 'NOON' : 'MIDNIGHT'}`, 640, 308, { size: 46, color: '#33301f' });
  ctx.save();
  ctx.translate(640, 410);
  ctx.scale(1.6, 1.6);
  mark(ctx, 'chapel', 0, 0);
  ctx.restore();
}

/** What was left by visitors on two evenings. @param {Ctx} ctx @param {any} s @param {string} place */
export function record(ctx, s, place) {
  const dark = { weir: '#5f4830', hide: '#f4ead0', chapel: '#5c5c50' }[place] ?? '';
  const ink = place === 'hide' ? '#3a2c1a' : '#f6edd6';
  box(ctx, 230, 24, 820, 476, '#3a2c1c', { radius: 12 });
  box(ctx, 244, 38, 792, 448, dark, { radius: 8 });
  if (place === 'weir') for (let y = 60; y < 480; y += 38) box(ctx, 244, y, 792, 3, '#4a3622');
  ['thursday', 'friday'].forEach((day, row) => {
    const y = 140 + row * 214;
    text(ctx, day.toUpperCase(), 290, y + 20, { size: 34, color: ink, align: 'left' });
    if (place === 'chapel') box(ctx, 520, y - 56, 490, 10, '#b89a4e', { radius: 5 });
    s.data.seen[place][day].forEach((/** @type {string} */ what, /** @type {number} */ i) => {
      const x = 600 + i * 160;
      if (place === 'chapel') {
        box(ctx, x - 3, y - 48, 6, 16, '#b89a4e');
        disc(ctx, x, y + 20, 56, '#c9a84e', '#6a5420', 5);
      }
      sign(ctx, what, x, y + 20, 1.35, place === 'chapel' ? '#33280c' : ink);
    });
  });
}
