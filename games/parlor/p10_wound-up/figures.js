// @ts-check
/** Wound Up, the figures: toys and buildings, each with a shape of its own, in the colour of its side. */

import { bar, box, disc, polygon } from '../../kit/draw.js';
import { UNITS } from './data.js';

/** Main and dark colour of the left and the right side. */
export const SIDES = [['#e0483e', '#7d1d1a'], ['#3f7ee8', '#173a80']];
const INK = '#231a16';

/** @typedef {CanvasRenderingContext2D} Ctx */

/** @param {Ctx} ctx @param {number[][]} points @param {string} color @param {number} [wide] */
function line(ctx, points, color, wide = 3) {
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.strokeStyle = color;
  ctx.lineWidth = wide;
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';
  ctx.stroke();
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} rx @param {number} ry @param {string} fill */
function oval(ctx, x, y, rx, ry, fill) {
  ctx.beginPath();
  ctx.ellipse(x, y, rx, ry, 0, 0, Math.PI * 2);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = INK;
  ctx.lineWidth = 2;
  ctx.stroke();
}

/** The key in a toy's back, turning. @param {Ctx} ctx @param {number} x @param {number} y @param {number} turn */
function key(ctx, x, y, turn) {
  const w = Math.abs(Math.cos(turn)) * 4 + 1;
  line(ctx, [[x, y], [x, y - 5]], '#d9b24a', 2);
  oval(ctx, x, y - 8, w, 3, '#f2cf5a');
}

/** A toy at its place. @param {Ctx} ctx @param {string} kind @param {number} x @param {number} y @param {number} who @param {number} age
 * @param {number} health 0 to 1 */
export function toy(ctx, kind, x, y, who, age, health) {
  const [main, dark] = SIDES[who];
  const d = who ? -1 : 1;
  const u = UNITS[kind];
  if (u.air) {
    oval(ctx, x, y + 12, 9, 3, 'rgba(0,0,0,0.25)');
    y -= 8 + Math.sin(age / 20 + x) * 1.5;
  } else oval(ctx, x, y + (u.room > 2 ? 11 : 8), u.room > 2 ? 15 : 9, 4, dark);
  const turn = age / 12 + x;
  switch (kind) {
    case 'mouse':
      line(ctx, [[x - 7 * d, y + 3], [x - 12 * d, y]], INK, 2);
      oval(ctx, x, y + 2, 7, 5, main);
      disc(ctx, x + 4 * d, y - 2, 3, '#f3d9d2', INK, 1.5);
      break;
    case 'drummer':
      key(ctx, x - 4 * d, y - 4, turn);
      box(ctx, x - 5, y - 6, 10, 13, main, { radius: 3, edge: INK, line: 2 });
      disc(ctx, x, y - 9, 4.5, '#f0cfa8', INK, 2);
      oval(ctx, x + 6 * d, y + 2, 5, 4, '#fff3d6');
      break;
    case 'top':
      polygon(ctx, [[x - 8, y - 5], [x + 8, y - 5], [x, y + 8]], main, INK, 2);
      line(ctx, [[x, y - 5], [x, y - 10]], INK, 2);
      line(ctx, [[x - 6 * Math.cos(turn), y - 2], [x + 6 * Math.cos(turn), y - 2]], '#ffe9b0', 2);
      break;
    case 'frog':
      oval(ctx, x, y + 1, 9, 6, '#57a84a');
      for (const e of [-4, 4]) disc(ctx, x + e, y - 5, 3, '#eaf7d8', INK, 1.5);
      box(ctx, x - 4, y + 1, 8, 4, main, { radius: 2 });
      break;
    case 'slinger':
      key(ctx, x - 5 * d, y - 3, turn);
      box(ctx, x - 6, y - 5, 12, 12, main, { radius: 4, edge: INK, line: 2 });
      disc(ctx, x, y - 8, 4, '#c9d1da', INK, 2);
      line(ctx, [[x + 6 * d, y + 2], [x + 10 * d, y - 4], [x + 12 * d, y - 9]], '#7a4e2c');
      line(ctx, [[x + 10 * d, y - 4], [x + 6 * d, y - 9]], '#7a4e2c');
      break;
    case 'patcher':
      box(ctx, x - 6, y - 5, 12, 12, '#f6f1e6', { radius: 4, edge: INK, line: 2 });
      line(ctx, [[x, y - 2], [x, y + 4]], main);
      line(ctx, [[x - 3, y + 1], [x + 3, y + 1]], main);
      disc(ctx, x, y - 9, 4, '#f0cfa8', INK, 2);
      break;
    case 'conductor':
      polygon(ctx, [[x - 5, y + 7], [x, y - 8], [x + 5, y + 7]], '#2b2b38', INK, 2);
      disc(ctx, x, y - 9, 4, '#f0cfa8', INK, 2);
      line(ctx, [[x + 4 * d, y - 2], [x + 11 * d, y - 11]], '#ffe27a', 2);
      box(ctx, x - 3, y, 6, 4, main);
      break;
    case 'bear':
      key(ctx, x - 9 * d, y - 6, turn);
      oval(ctx, x, y + 1, 13, 10, '#9a6a3c');
      for (const e of [-7, 7]) disc(ctx, x + e, y - 11, 4, '#9a6a3c', INK, 2);
      oval(ctx, x, y - 7, 8, 6, '#b98750');
      box(ctx, x - 8, y + 1, 16, 6, main, { radius: 3 });
      break;
    case 'cannon':
      line(ctx, [[x - 6 * d, y + 2], [x + 15 * d, y - 9]], '#4a5058', 9);
      for (const e of [-8, 7]) disc(ctx, x + e, y + 6, 6, main, INK, 2);
      break;
    case 'lantern':
      disc(ctx, x, y, 13, 'rgba(255,226,122,0.3)');
      box(ctx, x - 5, y - 7, 10, 13, '#ffe27a', { radius: 3, edge: main, line: 3 });
      break;
    case 'kite':
      line(ctx, [[x, y + 9], [x - 4 * d, y + 15], [x - 9 * d, y + 13]], '#ffe9b0', 2);
      polygon(ctx, [[x, y - 11], [x + 8, y], [x, y + 10], [x - 8, y]], main, INK, 2);
      line(ctx, [[x, y - 10], [x, y + 9]], '#ffe9b0', 1.5);
      break;
    case 'glider':
      polygon(ctx, [[x + 12 * d, y], [x - 10 * d, y - 13], [x - 5 * d, y], [x - 10 * d, y + 13]], main, INK, 2);
      disc(ctx, x, y, 3, '#ffe9b0');
      break;
    default:
      oval(ctx, x, y - 3, 20, 10, main);
      line(ctx, [[x - 12, y - 3], [x + 12, y - 3]], '#ffe9b0', 2);
      box(ctx, x - 7, y + 6, 14, 6, '#7a4e2c', { radius: 2, edge: INK, line: 2 });
  }
  if (health < 1) bar(ctx, x - 11, y - 22, 22, 7, health, health > 0.4 ? '#5fd08a' : '#ff6a5a');
}

/** A building. @param {Ctx} ctx @param {{kind: string, x: number, y: number}} h @param {number} who @param {number} age
 * @param {{part?: number, health?: number, busy?: boolean, wound?: boolean}} [how] `part`: how far it is built */
export function house(ctx, h, who, age, how = {}) {
  const { x, y, kind } = h;
  const [main, dark] = SIDES[who];
  const part = how.part ?? 1;
  ctx.save();
  if (part < 1) ctx.globalAlpha *= 0.35 + 0.4 * part;
  const base = (/** @type {string} */ fill) => box(ctx, x - 17, y - 10, 34, 26, fill, { radius: 5, edge: INK, line: 2 });
  switch (kind) {
    case 'chest':
      box(ctx, x - 30, y - 12, 60, 36, '#8a5a32', { radius: 6, edge: INK, line: 3 });
      box(ctx, x - 32, y - 26, 64, 20, main, { radius: 10, edge: INK, line: 3 });
      box(ctx, x - 6, y - 12, 12, 14, '#f2cf5a', { radius: 3, edge: INK, line: 2 });
      break;
    case 'shelf':
      box(ctx, x - 17, y - 16, 34, 32, '#b98750', { radius: 3, edge: INK, line: 2 });
      for (const r of [-6, 6]) box(ctx, x - 13, y + r - 4, 26, 8, main);
      break;
    case 'oil_press':
      oval(ctx, x, y + 8, 17, 9, '#3c3f46');
      box(ctx, x - 10, y - 14, 20, 20, main, { radius: 4, edge: INK, line: 2 });
      line(ctx, [[x, y - 14], [x, y - 22]], '#c9d1da', 5);
      break;
    case 'workshop':
      base('#d9c39a');
      polygon(ctx, [[x - 22, y - 8], [x, y - 24], [x + 22, y - 8]], main, INK, 2);
      box(ctx, x - 6, y + 2, 12, 14, dark);
      break;
    case 'workbench':
      box(ctx, x - 19, y - 6, 38, 10, '#b98750', { edge: INK, line: 2 });
      for (const e of [-14, 9]) box(ctx, x + e, y + 4, 6, 13, '#8a5a32');
      box(ctx, x - 10, y - 14, 8, 8, main);
      disc(ctx, x + 8, y - 10, 4, '#c9d1da', INK, 2);
      break;
    case 'anvil':
      polygon(ctx, [[x - 20, y - 10], [x + 18, y - 10], [x + 8, y], [x + 6, y + 8], [x + 14, y + 16], [x - 14, y + 16], [x - 6, y + 8], [x - 8, y]], '#59616b', INK, 2);
      box(ctx, x - 14, y - 16, 26, 6, main);
      break;
    case 'tower':
      polygon(ctx, [[x - 14, y + 16], [x - 8, y - 8], [x + 8, y - 8], [x + 14, y + 16]], '#a88458', INK, 2);
      box(ctx, x - 12, y - 18, 24, 12, main, { radius: 4, edge: INK, line: 2 });
      line(ctx, [[x, y - 12], [x + (who ? -20 : 20), y - 16]], '#4a5058', 6);
      break;
    case 'post':
      line(ctx, [[x, y + 16], [x, y - 8]], '#8a5a32', 7);
      oval(ctx, x, y - 14, 4 + 10 * Math.abs(Math.cos(age / 30)), 8, main);
      break;
    case 'clock':
      box(ctx, x - 12, y - 24, 24, 40, '#d9c39a', { radius: 4, edge: INK, line: 2 });
      disc(ctx, x, y - 12, 9, '#ffffff', main, 3);
      line(ctx, [[x, y - 12], [x + 5 * Math.sin(age / 60), y - 12 - 5 * Math.cos(age / 60)]], INK, 2);
      break;
    case 'foundry':
      base('#8f979f');
      box(ctx, x + 5, y - 26, 10, 18, main, { edge: INK, line: 2 });
      disc(ctx, x - 5, y + 4, 7, '#ff9a3c', INK, 2);
      break;
    case 'press_hall':
      base('#6f7a86');
      box(ctx, x - 19, y - 18, 38, 8, main, { edge: INK, line: 2 });
      for (const e of [-9, 9]) line(ctx, [[x + e, y - 10], [x + e, y + 4]], '#e8edf2', 5);
      break;
    case 'loft':
      polygon(ctx, [[x - 18, y + 16], [x, y - 26], [x + 18, y + 16]], '#d9c39a', INK, 2);
      polygon(ctx, [[x, y - 12], [x + 7, y - 1], [x, y + 10], [x - 7, y - 1]], main, INK, 2);
      break;
    case 'mast':
      line(ctx, [[x - 10, y + 16], [x, y - 26], [x + 10, y + 16]], '#8a5a32', 4);
      oval(ctx, x + 4, y - 20, 14, 7, main);
      break;
    default:
      base('#c9a3d9');
      line(ctx, [[x - 4, y + 8], [x - 4, y - 8], [x + 7, y - 11], [x + 7, y + 5]], INK, 3);
      for (const [e, f] of [[-7, 8], [4, 5]]) disc(ctx, x + e, y + f, 4, main, INK, 2);
  }
  ctx.restore();
  if (part < 1) bar(ctx, x - 18, y + 18, 36, 8, part, '#ffe27a');
  else if (how.health !== undefined && how.health < 1) bar(ctx, x - 18, y + 18, 36, 8, how.health, how.health > 0.4 ? '#5fd08a' : '#ff6a5a');
  if (how.busy) disc(ctx, x + 18, y - 18, 5, how.wound ? '#ffe27a' : '#9fe0c0', INK, 2);
}
