// @ts-check
/** Bramble Lane, the picture: a bright hedge country. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { eachTile, follow, tileAt } from '../../kit/platform.js';
import { coin, eye, hearts } from '../../kit/stages.js';
import { enter, FLAG_X, LIVES, MAP, TILE } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  enter(s);
  const view = follow(s.hero, MAP);
  sky(ctx, '#7fd0ff', '#c9efff', '#fff4d6');
  clouds(ctx, view.x * 0.15);
  hills(ctx, view.x * 0.25, 560, 360, '#9fd6a8');
  hills(ctx, view.x * 0.5, 610, 240, '#6fbf84');
  eachTile(MAP, view, (char, x, y, col, row) => {
    if (char === '#') earth(ctx, x, y, col, row);
    if (char === 'T') stump(ctx, x, y, col, row);
  });
  ctx.save();
  ctx.translate(-view.x, 0);
  flag(ctx, s);
  for (const c of s.coins) if (!c.taken) coin(ctx, c.x, c.y, 18, s.frame, { face: '#ffcf33' });
  for (const k of s.blocks) block(ctx, k, s.frame);
  if (s.bun) bun(ctx, s.bun);
  for (const e of s.enemies) (e.kind === 'S' ? snail : hopper)(ctx, e, s.frame);
  if (s.mercy % 10 < 6) hedgehog(ctx, s.hero);
  for (const n of s.notes) text(ctx, n.text, n.x, n.y - n.age, { size: 26, color: '#ffffff', outline: COLORS.ink });
  ctx.restore();
  hud(ctx, [['Score', s.score], ['Time', Math.ceil(s.left / 60)]]);
  hearts(ctx, 316, 14, s.lives, LIVES);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift */
function clouds(ctx, shift) {
  ctx.fillStyle = '#ffffff';
  for (let i = 0; i < 12; i++) {
    const x = i * 380 + 140 - shift;
    const y = 110 + ((i * 83) % 130);
    ctx.beginPath();
    ctx.ellipse(x, y, 76, 24, 0, 0, 7);
    ctx.ellipse(x - 24, y - 16, 36, 26, 0, 0, 7);
    ctx.ellipse(x + 26, y - 12, 42, 24, 0, 0, 7);
    ctx.fill();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {number} w @param {string} color */
function hills(ctx, shift, y, w, color) {
  ctx.fillStyle = color;
  ctx.beginPath();
  for (let x = -(shift % w) - w; x < 1280 + w; x += w) ctx.ellipse(x + w / 2, y + 80, w * 0.6, 150, 0, 0, 7);
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} col @param {number} row */
function earth(ctx, x, y, col, row) {
  box(ctx, x, y, TILE + 1, TILE + 1, '#9b6a3c');
  disc(ctx, x + 12 + ((col * 7) % 20), y + 28, 4, '#7d5229');
  disc(ctx, x + 36 - ((row * 5) % 14), y + 14, 3, '#b98450');
  for (const side of [-1, 1]) {
    if (tileAt(MAP, col + side, row, '#') !== '#') box(ctx, side < 0 ? x : x + TILE - 5, y, 5, TILE + 1, '#5f3c1b');
  }
  if (tileAt(MAP, col, row - 1) === '#') return;
  box(ctx, x, y, TILE + 1, 14, '#4fae3e');
  for (let i = 0; i < 4; i++) polygon(ctx, [[x + i * 12, y + 13], [x + i * 12 + 12, y + 13], [x + i * 12 + 6, y + 21]], '#4fae3e');
  box(ctx, x, y, TILE + 1, 4, '#8be06b');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} col @param {number} row */
function stump(ctx, x, y, col, row) {
  box(ctx, x, y, TILE + 1, TILE + 1, '#7a4a2b');
  box(ctx, x + 14, y, 4, TILE, '#5c351c');
  box(ctx, x + 33, y, 3, TILE, '#5c351c');
  if (tileAt(MAP, col, row - 1) === 'T') return;
  const left = tileAt(MAP, col - 1, row) !== 'T';
  const right = tileAt(MAP, col + 1, row) !== 'T';
  box(ctx, x - (left ? 5 : 0), y, TILE + (left ? 5 : 1) + (right ? 5 : 0), 15, '#e5bd84');
  box(ctx, x - (left ? 5 : 0), y + 13, TILE + (left ? 5 : 1) + (right ? 5 : 0), 3, '#4a2a14');
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, kind: string, bump: number}} k @param {number} frame */
function block(ctx, k, frame) {
  const y = k.y - (k.bump > 5 ? 10 - k.bump : k.bump) * 2;
  if (k.kind === 'B') {
    box(ctx, k.x + 1, y + 1, TILE - 2, TILE - 2, '#c9623a', { edge: '#5e2413' });
    ctx.fillStyle = '#5e2413';
    ctx.fillRect(k.x, y + 22, TILE, 3);
    ctx.fillRect(k.x + 22, y, 3, 24);
    ctx.fillRect(k.x + 10, y + 24, 3, 24);
    ctx.fillRect(k.x + 35, y + 24, 3, 24);
    return;
  }
  const full = k.kind !== 'u';
  box(ctx, k.x + 1, y + 1, TILE - 2, TILE - 2, full ? '#ffb52e' : '#a89a86', { radius: 8, edge: full ? '#8a4b00' : '#5c5347' });
  for (const [dx, dy] of [[9, 9], [39, 9], [9, 39], [39, 39]]) disc(ctx, k.x + dx, y + dy, 3, full ? '#8a4b00' : '#5c5347');
  if (full) text(ctx, '?', k.x + 24, y + 26 + Math.sin(frame / 12) * 2, { size: 34, color: '#ffffff', outline: '#8a4b00' });
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} u */
function bun(ctx, u) {
  ctx.beginPath();
  ctx.ellipse(u.x + 18, u.y + 24, 20, 14, 0, 0, 7);
  ctx.ellipse(u.x + 18, u.y + 14, 16, 13, 0, 0, 7);
  ctx.fillStyle = '#e8a04c';
  ctx.fill();
  box(ctx, u.x + 2, u.y + 20, 32, 5, '#fff2d8', { radius: 2 });
  disc(ctx, u.x + 18, u.y + 4, 7, '#e5484d', COLORS.ink, 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Enemy} e @param {number} frame */
function snail(ctx, e, frame) {
  ctx.save();
  ctx.translate(e.x + e.w / 2, e.y + e.h);
  ctx.scale(e.vx > 0 ? 1 : -1, e.flat ? 0.3 : 1);
  const reach = Math.sin(frame / 8) * 2;
  box(ctx, -22, -12, 44 + reach, 12, '#b7d65a', { radius: 6, edge: COLORS.ink, line: 2.5 });
  disc(ctx, -4, -20, 16, '#a4458f', COLORS.ink);
  disc(ctx, -4, -20, 9, '#d477bd');
  disc(ctx, -4, -20, 4, '#7a2a68');
  ctx.fillStyle = '#b7d65a';
  ctx.fillRect(14 + reach, -26, 4, 16);
  ctx.restore();
  if (!e.flat) eye(ctx, e.x + e.w / 2 + (e.vx > 0 ? 17 : -17), e.y + 6, 5.5, e.vx > 0 ? 1 : -1);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Enemy} e */
function hopper(ctx, e) {
  ctx.save();
  ctx.translate(e.x + e.w / 2, e.y + e.h);
  ctx.scale(e.vx > 0 ? 1 : -1, e.flat ? 0.3 : 1);
  polygon(ctx, [[-18, 0], [-22, -18], [-8, -8]], '#1c7d78', COLORS.ink, 2);
  polygon(ctx, [[18, 0], [20, -14], [6, -8]], '#1c7d78', COLORS.ink, 2);
  box(ctx, -19, -36, 38, 32, '#22a699', { radius: 16, edge: COLORS.ink });
  box(ctx, -8, -14, 22, 5, '#0d4f4a', { radius: 2 });
  eye(ctx, -4, -36, 8, 1);
  eye(ctx, 12, -36, 8, 1);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['hero']} b */
function hedgehog(ctx, b) {
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  const k = b.big ? 1.45 : 1;
  ctx.scale(b.face * k, k * (b.ducking ? (b.big ? 0.52 : 0.78) : 1));
  const swing = b.onGround ? Math.sin(b.walk / 3) * 6 : 5;
  for (const side of [-1, 1]) {
    ctx.beginPath();
    ctx.ellipse(side * 8 + side * swing, -4, 7, 5, 0, 0, 7);
    ctx.fillStyle = '#d94f2a';
    ctx.fill();
    ctx.strokeStyle = COLORS.ink;
    ctx.lineWidth = 2;
    ctx.stroke();
  }
  const spikes = [[8, -44]];
  for (let i = 0; i <= 6; i++) {
    const a = -1.3 - i * 0.42;
    spikes.push([-2 + Math.cos(a) * 27, -23 + Math.sin(a) * 24]);
    spikes.push([-2 + Math.cos(a - 0.21) * 18, -23 + Math.sin(a - 0.21) * 17]);
  }
  spikes.push([0, -8]);
  polygon(ctx, spikes, '#5b4636', COLORS.ink, 2.5);
  ctx.beginPath();
  ctx.ellipse(5, -19, 13, 15, 0, 0, 7);
  ctx.fillStyle = '#ffe0b5';
  ctx.fill();
  ctx.strokeStyle = COLORS.ink;
  ctx.lineWidth = 2;
  ctx.stroke();
  box(ctx, -10, -17, 24, 7, '#2f6fed', { radius: 3 });
  polygon(ctx, [[14, -28], [26, -23], [14, -19]], '#ffe0b5', COLORS.ink, 2);
  disc(ctx, 25, -23, 3.5, COLORS.ink);
  eye(ctx, 10, -29, 5, 1);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function flag(ctx, s) {
  const x = FLAG_X;
  const ground = 624;
  box(ctx, x - 4, ground - 250, 8, 250, '#f7f4ec', { edge: COLORS.ink });
  disc(ctx, x, ground - 256, 12, '#f5c518', COLORS.ink);
  const w = Math.sin(s.frame / 14) * 6;
  polygon(ctx, [[x + 4, ground - 240], [x + 90, ground - 222 + w], [x + 4, ground - 186]], '#e5484d', COLORS.ink);
}
