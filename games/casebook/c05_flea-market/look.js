// @ts-check
/** The Saturday Market, the picture: a stall in afternoon sun, ochre, rust and faded green. */

import { wrap } from '../adventure/adventure-look.js';
import { box, disc, polygon, text } from '../../kit/draw.js';
import { icon } from '../adventure/icons.js';
import { down, glow, tone } from '../adventure/props.js';
import { THINGS } from './things.js';

export const LOOK = { frame: '#5a3a1e', ink: '#3b2612', paper: '#fbf0d6', accent: '#ffcf5a', dark: '#2a1a0c' };

/** Where one says sorry. */
export const SORRY = [384, 420, 80, 52];

/** @param {CanvasRenderingContext2D} ctx @param {any} s */
export function draw(ctx, s) {
  stall(ctx);
  for (const t of s.data.things) {
    if (s.vars.found.includes(t.id) || s.items.includes(t.id)) continue;
    ctx.save();
    ctx.translate(t.x + 3, t.y + 5);
    ctx.globalAlpha = 0.25;
    disc(ctx, 0, 14, 26, '#000');
    ctx.globalAlpha = 1;
    ctx.translate(-3, -5);
    ctx.rotate(t.turn);
    ctx.scale(t.size, t.size);
    icon(ctx, t.id, t.color);
    ctx.restore();
  }
  cards(ctx, s);
  if (s.vars.wrong < 3) return;
  const [x, y, w, h] = SORRY;
  polygon(ctx, [[x - 190, y - 60], [x + 270, y - 60], [x + 270, y + h + 14], [x - 190, y + h + 14]], 'rgba(42,26,12,0.9)', '#ffcf5a', 4);
  text(ctx, 'The stallkeeper has folded her arms.', x + w / 2, y - 28, { size: 20, color: '#fbf0d6' });
  box(ctx, x, y, w, h, '#ffcf5a', { radius: 12, edge: '#2a1a0c' });
  text(ctx, 'Sorry!', x + w / 2, y + h / 2 + 1, { size: 22, color: '#2a1a0c' });
}

/** @param {CanvasRenderingContext2D} ctx */
function stall(ctx) {
  box(ctx, 0, 0, 1000, 524, down(ctx, 0, 524, '#d9b071', '#a97b45'));
  for (let i = 0; i < 20; i++) box(ctx, i * 50, 0, 25, 30, i % 2 ? '#b8503a' : '#efe0bd');
  for (let i = 0; i < 40; i++) disc(ctx, 12.5 + i * 25, 30, 12.5, Math.floor(i / 2) % 2 ? '#efe0bd' : '#b8503a');
  // Cloths, crates and jars that mean nothing, and make it harder.
  for (let r = 0; r < 3; r++) {
    const y = 106 + r * 98;
    box(ctx, 0, y + 12, 1000, 88, r % 2 ? '#8d6a45' : '#9c774c');
    for (let i = 0; i < 16; i++) {
      const x = 10 + i * 63 + ((i * 37 + r * 53) % 22);
      const h = 34 + ((i * 29 + r * 17) % 40);
      const c = ['#7c5a3a', '#86704e', '#8f5f47', '#6f6b4b'][(i + r) % 4];
      if ((i + r) % 3 === 0) box(ctx, x, y + 100 - h, 50, h, c, { radius: 12, edge: tone(c, -0.25), line: 2 });
      else if ((i + r) % 3 === 1) {
        box(ctx, x, y + 100 - h, 46, h, tone(c, 0.12), { edge: tone(c, -0.25), line: 2 });
        for (let k = 0; k < 3; k++) box(ctx, x, y + 104 - h + k * 14, 46, 4, tone(c, -0.2));
      } else polygon(ctx, [[x, y + 100], [x + 10, y + 100 - h * 0.7], [x + 40, y + 100 - h * 0.8], [x + 54, y + 100]], tone(c, 0.2));
    }
    box(ctx, 0, y + 100, 1000, 12, '#6a4524');
    box(ctx, 0, y + 100, 1000, 3, '#a8794a');
  }
  box(ctx, 0, 418, 1000, 106, down(ctx, 418, 106, '#7d6a4a', '#94805b'));
  for (let i = 0; i < 46; i++) {
    ctx.beginPath();
    ctx.ellipse((i * 137) % 1000, 428 + ((i * 61) % 92), 20, 7, 0, 0, 7);
    ctx.fillStyle = i % 2 ? 'rgba(60,45,25,0.22)' : 'rgba(255,240,200,0.14)';
    ctx.fill();
  }
  glow(ctx, 180, 20, 420, '255,236,170', 0.35);
}

/** Where a card lies: two columns of six. @param {number} i */
const cardAt = (i) => [888 + (i % 2) * 196, 8 + Math.floor(i / 2) * 86, 190, 80];
/** The tray on a card. @param {number} i */
export const trayAt = (i) => [1018 + (i % 2) * 196, 23 + Math.floor(i / 2) * 86, 54, 50];

/** @param {CanvasRenderingContext2D} ctx @param {any} s */
function cards(ctx, s) {
  box(ctx, 880, 0, 400, 524, down(ctx, 0, 524, '#4c5f4a', '#2f3d31'));
  box(ctx, 876, 0, 6, 524, '#2a1a0c');
  s.data.cards.forEach((/** @type {any} */ c, /** @type {number} */ i) => {
    const [x, y, w, h] = cardAt(i);
    const done = s.vars.found.includes(c.id);
    box(ctx, x, y, w, h, done ? '#7f9a72' : '#fbf0d6', { radius: 8, edge: '#8a6a3a', line: 2 });
    const riddle = c.text !== THINGS[c.id].name;
    const font = riddle ? 'italic 18px sans-serif' : 'bold 18px sans-serif';
    const lines = wrap(ctx, done ? THINGS[c.id].name : c.text, 122, font);
    const [tx, ty, tw, th] = trayAt(i);
    box(ctx, tx, ty, tw, th, done ? '#5f7a54' : '#cdb68a', { radius: 6, edge: '#8a6a3a', line: 2 });
    if (!done) text(ctx, i + 1, tx + tw / 2, ty + th / 2 + 1, { size: 24, color: '#8a6a3a' });
    if (done) {
      ctx.save();
      ctx.translate(tx + tw / 2, ty + th / 2);
      ctx.scale(0.75, 0.75);
      icon(ctx, c.id, '#f5e2a8');
      ctx.restore();
      text(ctx, i + 1, tx + 9, ty + 11, { size: 14, color: '#fff', outline: '#3b2612' });
    }
    ctx.font = font;
    ctx.fillStyle = done ? '#e9f2df' : riddle ? '#8a3a20' : '#3b2612';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    lines.forEach((line, n) => ctx.fillText(line, x + 65, y + h / 2 + 1 + (n - (lines.length - 1) / 2) * 19));
  });
  text(ctx, `${s.vars.found.length} of 12`, 820, 506, { size: 22, color: '#fbf0d6', outline: '#3b2612' });
}
