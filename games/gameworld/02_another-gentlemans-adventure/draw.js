// @ts-check
/** Rooftop Calling Hours, the picture: lamplit roofs at night. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { eachTile, follow, tileAt } from '../../kit/platform.js';
import { coin, eye, hearts, legs } from '../../kit/stages.js';
import { DOOR, enter, HEARTS, MAP, NEEDED, TILE } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  enter(s);
  const view = follow(s.hero, MAP);
  sky(ctx, '#2b2350', '#5c4378', '#c77f7a');
  for (let i = 0; i < 40; i++) disc(ctx, (i * 379 + 40) % 1280, 70 + ((i * 131) % 210), 1 + (i % 3) * 0.5, 'rgba(255,241,201,0.6)');
  moon(ctx, 980 - view.x * 0.03, 150);
  skyline(ctx, view.x * 0.2, 330, '#3d2f60', 190);
  skyline(ctx, view.x * 0.45, 430, '#31264f', 150);
  eachTile(MAP, view, (char, x, y, col, row) => {
    if (char === '#') roof(ctx, x, y, col, row);
    if (char === '=') plank(ctx, x, y);
  });
  ctx.save();
  ctx.translate(-view.x, -view.y);
  door(ctx, s);
  for (const c of s.crates) crate(ctx, c);
  for (const k of s.blocks) block(ctx, k, s.frame);
  for (const c of s.coins) if (!c.taken) coin(ctx, c.x, c.y, 19, s.frame);
  for (const e of s.bandits) bandit(ctx, e, s.frame);
  for (const f of s.flat) {
    box(ctx, f.x - 6, f.y - 12, 46, 12, '#3f7a4b', { radius: 5, edge: COLORS.ink });
    text(ctx, 'Off!', f.x + 17, f.y - 30 - f.since, { size: 24, color: '#ffd66b', outline: COLORS.ink });
  }
  for (const p of s.bullets) {
    if (p.own) box(ctx, p.x - 4, p.y, p.w + 8, p.h, '#fff7d6', { radius: 4, edge: '#b8860b', line: 2 });
    else disc(ctx, p.x + p.w / 2, p.y + p.h / 2, 10, '#ff3b30', '#ffffff', 3);
  }
  if (s.mercy % 10 < 6) gentleman(ctx, s);
  ctx.restore();
  hud(ctx, [['Coins', `${s.score} / ${NEEDED}`]]);
  hearts(ctx, 196, 14, s.hearts, HEARTS);
}

/** A crescent with a glow: a circle of radius 62 less one of radius 52 beside its middle.
 * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function moon(ctx, x, y) {
  const glow = ctx.createRadialGradient(x, y, 30, x, y, 190);
  glow.addColorStop(0, 'rgba(255,226,170,0.35)');
  glow.addColorStop(1, 'rgba(255,226,170,0)');
  ctx.fillStyle = glow;
  ctx.fillRect(x - 190, y - 190, 380, 380);
  ctx.beginPath();
  ctx.arc(x, y, 62, 0.514, 4.842);
  ctx.arc(x + 24, y - 12, 52, -2.1855, 1.2583, true);
  ctx.fillStyle = '#fff1c9';
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {string} color @param {number} w */
function skyline(ctx, shift, y, color, w) {
  const first = Math.floor(shift / w);
  for (let i = first; i * w - shift < 1280; i++) {
    const x = i * w - shift;
    const h = ((i * 73) % 97) - 40;
    polygon(ctx, [[x, 720], [x, y + h], [x + w * 0.45, y + h - 54], [x + w * 0.9, y + h], [x + w * 0.9, 720]], color);
    box(ctx, x + w * 0.66, y + h - 60, 20, 60, color);
    if (i % 2) box(ctx, x + w * 0.3, y + h + 30, 20, 30, 'rgba(255,214,120,0.55)');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} col @param {number} row */
function roof(ctx, x, y, col, row) {
  const open = tileAt(MAP, col, row - 1, '#') !== '#';
  box(ctx, x, y, TILE + 1, TILE + 1, open ? '#8c3f35' : '#a86a4c');
  ctx.strokeStyle = 'rgba(40,12,12,0.45)';
  ctx.lineWidth = 2;
  ctx.beginPath();
  if (open) {
    for (let i = 0; i < 3; i++) {
      ctx.moveTo(x + i * 16 + 16, y + 10);
      ctx.arc(x + i * 16 + 8, y + 22, 8, 0, Math.PI);
    }
  } else {
    ctx.moveTo(x, y + 24);
    ctx.lineTo(x + TILE, y + 24);
    ctx.moveTo(x + (row % 2 ? 12 : 36), y);
    ctx.lineTo(x + (row % 2 ? 12 : 36), y + 24);
  }
  ctx.stroke();
  if (open) {
    box(ctx, x, y, TILE + 1, 9, '#f0b184');
    ctx.fillStyle = '#5a211c';
    ctx.fillRect(x, y + 9, TILE + 1, 3);
  }
  for (const side of [-1, 1]) {
    if (tileAt(MAP, col + side, row, '#') !== '#') box(ctx, side < 0 ? x : x + TILE - 5, y, 5, TILE, '#4d1d19');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function plank(ctx, x, y) {
  box(ctx, x, y, TILE, 14, '#e0a85c', { edge: '#4d2d12', line: 2 });
  box(ctx, x + 8, y + 14, 6, 16, '#7a4a20');
  box(ctx, x + 34, y + 14, 6, 16, '#7a4a20');
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, hits: number}} c */
function crate(ctx, c) {
  box(ctx, c.x + 1, c.y + 1, TILE - 2, TILE - 2, c.hits > 1 ? '#b98044' : '#8f6236', { edge: '#3c2410' });
  ctx.strokeStyle = '#5d3a1a';
  ctx.lineWidth = 5;
  ctx.beginPath();
  ctx.moveTo(c.x + 6, c.y + 6);
  ctx.lineTo(c.x + TILE - 6, c.y + TILE - 6);
  ctx.moveTo(c.x + TILE - 6, c.y + 6);
  ctx.lineTo(c.x + 6, c.y + TILE - 6);
  ctx.stroke();
}

/** A golden block with a question mark; struck, it is dull and its coin flies up.
 * @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['blocks'][number]} k @param {number} frame */
function block(ctx, k, frame) {
  const y = k.y - (k.struck && k.since < 10 ? 10 - Math.abs(k.since - 5) * 2 : 0);
  if (k.struck && k.since < 32) coin(ctx, k.x + TILE / 2, k.y - 20 - Math.min(46, k.since * 3), 19, frame * 2);
  box(ctx, k.x + 1, y + 1, TILE - 2, TILE - 2, k.struck ? '#8a7358' : '#f6b92c', { radius: 6, edge: '#4a2a08' });
  if (k.struck) box(ctx, k.x + 8, y + 8, TILE - 16, TILE - 16, '#75614a', { radius: 4 });
  else {
    box(ctx, k.x + 5, y + 5, TILE - 10, 6, '#ffe08a', { radius: 3 });
    text(ctx, '?', k.x + TILE / 2, y + TILE / 2 + 3, { size: 34, color: '#ffffff', outline: '#7a3d00' });
  }
  for (const [dx, dy] of [[8, 8], [40, 8], [8, 40], [40, 40]]) disc(ctx, k.x + dx, y + dy, 2.5, k.struck ? '#5d4c39' : '#a8660c');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function door(ctx, s) {
  const d = DOOR;
  const open = s.score >= NEEDED;
  box(ctx, d.x - 12, d.y - 12, d.w + 24, d.h + 12, '#f0e2c4', { radius: 14, edge: COLORS.ink });
  box(ctx, d.x - 2, d.y, d.w + 4, d.h, open ? '#ffd66b' : '#27543a', { radius: 8, edge: COLORS.ink });
  if (open) text(ctx, 'OPEN', d.x + d.w / 2, d.y - 32, { size: 24, color: '#ffe27a', outline: COLORS.ink });
  else {
    disc(ctx, d.x + d.w - 6, d.y + 54, 4, '#ffd66b');
    coin(ctx, d.x + d.w / 2 - 14, d.y - 34, 13, 0);
    text(ctx, NEEDED, d.x + d.w / 2 + 14, d.y - 33, { size: 26, color: '#ffffff', outline: COLORS.ink });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function gentleman(ctx, s) {
  const b = s.hero;
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  ctx.scale(b.face, 1);
  legs(ctx, -2, -22, 0, b.onGround ? b.walk : 6, '#e9e4d6', 8);
  polygon(ctx, [[-14, -48], [12, -48], [13, -22], [-17, -19]], '#24407a', '#ffffff', 2);
  polygon(ctx, [[2, -48], [12, -48], [8, -32]], '#ffffff');
  polygon(ctx, [[2, -46], [11, -43], [2, -40]], '#e5484d');
  disc(ctx, 1, -56, 12, '#ffd9b8', COLORS.ink, 2);
  eye(ctx, 6, -58, 4.5, 1);
  polygon(ctx, [[1, -51], [14, -53], [12, -48], [4, -48]], '#5b3419');
  box(ctx, -14, -70, 30, 6, '#15171f', { radius: 3, edge: '#ffffff', line: 1.5 });
  box(ctx, -9, -92, 20, 23, '#15171f', { radius: 3, edge: '#ffffff', line: 1.5 });
  box(ctx, -9, -75, 20, 5, '#e5484d');
  // The umbrella, held like a rifle.
  box(ctx, 4, -40, 34, 7, '#2b2f3f', { radius: 3, edge: '#ffffff', line: 1.5 });
  polygon(ctx, [[12, -44], [36, -38], [12, -30]], '#c9304c', '#ffffff', 1.5);
  if (s.flash) polygon(ctx, [[38, -37], [60, -48], [52, -37], [60, -26]], '#fff3a0', '#f2802b', 2);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {State['bandits'][number]} e @param {number} frame
 * @typedef {import('./rules.js').State} State */
function bandit(ctx, e, frame) {
  ctx.save();
  ctx.translate(e.x + e.w / 2, e.y + e.h);
  ctx.scale(e.vx < 0 ? -1 : 1, 1);
  legs(ctx, 0, -22, 0, frame, '#2f2a26', 9);
  box(ctx, -15, -46, 30, 28, e.hurt ? '#ffffff' : '#3f7a4b', { radius: 8, edge: COLORS.ink });
  for (let i = 0; i < 3; i++) box(ctx, -14, -42 + i * 9, 28, 4, '#d9e6c8');
  disc(ctx, 0, -55, 13, '#e8b48c', COLORS.ink, 2);
  box(ctx, -13, -62, 26, 10, '#15171f');
  eye(ctx, 7, -57, 4, 1);
  polygon(ctx, [[-16, -62], [16, -62], [10, -72], [-10, -72]], '#6b4a2b', COLORS.ink, 2);
  box(ctx, 8, -38, 26, 8, '#20242c', { radius: 3, edge: '#ffffff', line: 1.5 });
  ctx.restore();
  if (e.hits === 1) text(ctx, '!', e.x + e.w / 2, e.y - 30, { size: 26, color: '#ffd66b', outline: COLORS.ink });
}
