// @ts-check
/** Rail and Wall, the picture: an evening sky over concrete, a runner as bright as a lime. */

import { box, COLORS, disc, hud, polygon, sky, text } from '../kit/draw.js';
import { eachTile, follow, tileAt } from '../kit/platform.js';
import { againButton, coin, eye } from '../kit/stages.js';
import { LEVELS } from './levels.js';
import { FINISH, mapOf, TILE } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const map = mapOf(s);
  const view = follow(s.hero, map);
  sky(ctx, '#ff9a62', '#ffc07f', '#ffe3b0');
  disc(ctx, 900 - view.x * 0.05, 300, 120, '#fff0c4');
  towers(ctx, view.x * 0.2, 300, '#f08a63', 150);
  towers(ctx, view.x * 0.45, 420, '#d96a5c', 210);
  eachTile(map, view, (char, x, y, col, row) => {
    if (char === '#') concrete(ctx, map, x, y, col, row);
    if (char === '^') for (let i = 0; i < 3; i++) polygon(ctx, [[x + i * 16, y + 48], [x + 8 + i * 16, y + 16], [x + 16 + i * 16, y + 48]], '#ff2f4e', '#5a0716', 2);
  });
  ctx.save();
  ctx.translate(-view.x, -view.y);
  for (const c of s.cracked) cracked(ctx, c);
  goal(ctx, FINISH[s.stage - 1], s.frame);
  for (const c of s.coins) if (!c.taken) coin(ctx, c.x, c.y, 18, s.frame, { face: '#ffe14a', edge: '#5a3b00' });
  if (s.dust.age < 16) for (let i = -3; i <= 3; i++) disc(ctx, s.dust.x + i * (8 + s.dust.age * 2), s.dust.y - 4 - Math.abs(3 - Math.abs(i)) * 3, 9 - s.dust.age / 2.2, '#f5ead6');
  runner(ctx, s.hero, s.frame);
  ctx.restore();
  const taken = s.coins.filter((c) => c.taken).length;
  hud(ctx, [['Level', s.stage], ['Coins', `${taken} / ${s.coins.length}`]]);
  text(ctx, LEVELS[s.stage - 1].name, 640, 37, { size: 26, color: COLORS.ink });
  againButton(ctx, 'Start again');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {string} color @param {number} w */
function towers(ctx, shift, y, color, w) {
  for (let i = Math.floor(shift / w); i * w - shift < 1280; i++) {
    const h = (((i * 97) % 190) + 190) % 190;
    box(ctx, i * w - shift, y + h, w * 0.72, 720, color);
    box(ctx, i * w - shift + w * 0.3, y + h - 40, 6, 40, color);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../kit/platform.js').TileMap} map
 * @param {number} x @param {number} y @param {number} col @param {number} row */
function concrete(ctx, map, x, y, col, row) {
  box(ctx, x, y, TILE + 1, TILE + 1, (col + row) % 2 ? '#39406e' : '#353b66');
  ctx.fillStyle = '#8ef0ff';
  if (tileAt(map, col, row - 1, '#') !== '#') ctx.fillRect(x, y, TILE + 1, 6);
  ctx.fillStyle = '#6a74b8';
  if (tileAt(map, col - 1, row, '#') !== '#') ctx.fillRect(x, y, 5, TILE + 1);
  if (tileAt(map, col + 1, row, '#') !== '#') ctx.fillRect(x + TILE - 5, y, 5, TILE + 1);
  if (tileAt(map, col, row + 1, '#') !== '#') ctx.fillRect(x, y + TILE - 5, TILE + 1, 5);
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} c */
function cracked(ctx, c) {
  box(ctx, c.x + 1, c.y + 1, TILE - 2, TILE - 2, '#e8d2a8', { edge: '#5b3d1e' });
  ctx.strokeStyle = '#5b3d1e';
  ctx.lineWidth = 3;
  ctx.beginPath();
  for (const [x, y] of [[8, 2], [18, 16], [12, 28], [26, 46]]) ctx.lineTo(c.x + x, c.y + y);
  ctx.moveTo(c.x + 40, c.y + 2);
  ctx.lineTo(c.x + 30, c.y + 20);
  ctx.lineTo(c.x + 42, c.y + 34);
  ctx.moveTo(c.x + 18, c.y + 16);
  ctx.lineTo(c.x + 30, c.y + 20);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} f @param {number} frame */
function goal(ctx, f, frame) {
  const x = f.x + 10;
  const y = f.y + TILE;
  box(ctx, x, y - 110, 7, 110, '#ffffff', { edge: COLORS.ink });
  const wave = Math.sin(frame / 12) * 4;
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 3; j++) box(ctx, x + 7 + i * 14, y - 108 + j * 13 + (wave * i) / 3, 14, 13, (i + j) % 2 ? '#ffffff' : COLORS.ink);
  }
  text(ctx, 'FINISH', x + 22, y - 130, { size: 22, color: '#ffffff', outline: COLORS.ink });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['hero']} b @param {number} frame */
function runner(ctx, b, frame) {
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  ctx.scale(b.face, 1);
  const limb = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ dx, /** @type {number} */ dy) => {
    ctx.strokeStyle = COLORS.ink;
    ctx.lineWidth = 8;
    ctx.lineCap = 'round';
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo(x + dx * 0.9, y + dy * 0.2, x + dx, y + dy);
    ctx.stroke();
  };
  if (b.low) {
    limb(4, -8, 24, 4);
    limb(-10, -12, -12, 8);
    box(ctx, -20, -29, 40, 25, '#c4f042', { radius: 12, edge: COLORS.ink });
    eye(ctx, 6, -20, 6, 1);
    eye(ctx, 16, -20, 6, 1);
    box(ctx, -20, -27, 40, 5, '#ff3f7f');
  } else {
    const k = b.onGround ? Math.sin(b.walk / 2.8) : b.wall ? 0.2 : 0.9;
    limb(-3, -18, 14 * k, 15 - Math.abs(k) * 3);
    limb(3, -18, -14 * k, 15 - Math.abs(k) * 3);
    if (b.smashing) {
      limb(-14, -40, -10, -22);
      limb(14, -40, 10, -22);
    } else if (b.wall) limb(-12, -40, -8, -12);
    else {
      limb(-12, -36, -10 - 6 * k, 10);
      limb(13, -36, 8 + 6 * k, 6);
    }
    const tall = b.onGround ? 46 + Math.sin(frame / 10) : 50 - Math.min(6, Math.abs(b.vy) * 0.3);
    box(ctx, -16, -14 - tall, 32, tall, '#c4f042', { radius: 13, edge: COLORS.ink });
    box(ctx, -16, -8 - tall, 32, 6, '#ff3f7f');
    polygon(ctx, [[-16, -8 - tall], [-34, -2 - tall - b.vy], [-30, 6 - tall - b.vy], [-15, -3 - tall]], '#ff3f7f');
    eye(ctx, 2, 4 - tall, 6, 1);
    eye(ctx, 12, 4 - tall, 6, 1);
  }
  ctx.restore();
}
