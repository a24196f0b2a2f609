// @ts-check
/** Ink Runner, the picture: squared paper, black ink, red danger. */

import { box, disc, hud, polygon, text } from '../kit/draw.js';
import { eachTile, follow, tileAt } from '../kit/platform.js';
import { againButton, hearts } from '../kit/stages.js';
import { crusherBox, CRUSHERS, FLAGS, laserBox, laserOn, LASERS, LIVES, MAP, SAW, sawAt, SAWS, TILE } from './rules.js';

const INK = '#1c2233';
const RED = '#e02a3c';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const view = follow(s.hero, MAP);
  paper(ctx, view.x);
  ctx.save();
  ctx.translate(-view.x, 0);
  for (const b of s.blots) blot(ctx, b);
  FLAGS.forEach((f, i) => (f.char === 'X' ? exit(ctx, f, s.frame) : flag(ctx, f, i < s.passed, i + 1)));
  LASERS.forEach((_, i) => laser(ctx, s, i));
  CRUSHERS.forEach((_, i) => crusher(ctx, s, i));
  SAWS.forEach((_, i) => saw(ctx, s, i));
  ctx.restore();
  eachTile(MAP, view, (char, x, y, col, row) => {
    if (char === '#') block(ctx, x, y, col, row);
    if (char === '^') for (let i = 0; i < 3; i++) polygon(ctx, [[x + i * 16, y + 48], [x + 8 + i * 16, y + 16], [x + 16 + i * 16, y + 48]], RED, INK, 2);
  });
  ctx.save();
  ctx.translate(-view.x, 0);
  for (const c of s.crumbles) crumble(ctx, c);
  if (s.blink % 10 < 6) runner(ctx, s.hero);
  ctx.restore();
  hud(ctx, [['Checkpoints', `${s.passed} / ${FLAGS.length}`]]);
  hearts(ctx, 290, 14, s.lives, LIVES);
  againButton(ctx, 'Checkpoint');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift */
function paper(ctx, shift) {
  box(ctx, 0, 0, 1280, 720, '#f6f1e1');
  ctx.strokeStyle = '#cfdcec';
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (let x = -(shift % 24); x < 1280; x += 24) {
    ctx.moveTo(x, 0);
    ctx.lineTo(x, 720);
  }
  for (let y = 0; y < 720; y += 24) {
    ctx.moveTo(0, y);
    ctx.lineTo(1280, y);
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} col @param {number} row */
function block(ctx, x, y, col, row) {
  box(ctx, x, y, TILE + 1, TILE + 1, '#3a4866');
  ctx.strokeStyle = '#56678c';
  ctx.lineWidth = 3;
  ctx.beginPath();
  for (let i = 0; i < 3; i++) {
    ctx.moveTo(x + i * 16, y + TILE);
    ctx.lineTo(x + i * 16 + 16, y + TILE - 16);
    ctx.moveTo(x + i * 16, y + 24);
    ctx.lineTo(x + i * 16 + 12, y + 12);
  }
  ctx.stroke();
  ctx.fillStyle = INK;
  if (tileAt(MAP, col, row - 1) !== '#') ctx.fillRect(x, y, TILE + 1, 7);
  if (tileAt(MAP, col, row + 1, '#') !== '#') ctx.fillRect(x, y + TILE - 5, TILE + 1, 5);
  if (tileAt(MAP, col - 1, row, '#') !== '#') ctx.fillRect(x, y, 5, TILE);
  if (tileAt(MAP, col + 1, row, '#') !== '#') ctx.fillRect(x + TILE - 5, y, 5, TILE);
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} b */
function blot(ctx, b) {
  disc(ctx, b.x, b.y, 15, 'rgba(28,34,51,0.35)');
  for (let i = 0; i < 6; i++) disc(ctx, b.x + Math.cos(i * 1.9) * 25, b.y + Math.sin(i * 1.9) * 20, 5, 'rgba(28,34,51,0.35)');
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} f @param {boolean} passed @param {number} n */
function flag(ctx, f, passed, n) {
  box(ctx, f.x + 21, f.y - TILE, 6, 2 * TILE, INK);
  polygon(ctx, [[f.x + 27, f.y - TILE], [f.x + 76, f.y - TILE + 20], [f.x + 27, f.y - 8]], passed ? '#28a35a' : '#f4b52c', INK);
  text(ctx, n, f.x + 41, f.y - 27, { size: 22, color: passed ? '#ffffff' : INK });
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} f @param {number} frame */
function exit(ctx, f, frame) {
  box(ctx, f.x - 4, f.y - TILE, TILE + 8, 2 * TILE, INK, { radius: 10 });
  box(ctx, f.x + 4, f.y - TILE + 8, TILE - 8, 2 * TILE - 8, frame % 40 < 20 ? '#2fb765' : '#5fe092', { radius: 6 });
  text(ctx, 'EXIT', f.x + TILE / 2, f.y - TILE - 20, { size: 26, color: '#17733c' });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} i */
function saw(ctx, s, i) {
  const { x, y } = sawAt(s, i);
  const points = [];
  for (let k = 0; k < 24; k++) {
    const a = (k / 24) * Math.PI * 2 + s.frame / 6;
    const r = k % 2 ? SAW - 8 : SAW + 3;
    points.push([x + Math.cos(a) * r, y + Math.sin(a) * r]);
  }
  polygon(ctx, points, RED, INK, 2.5);
  disc(ctx, x, y, 11, '#f6f1e1', INK);
  disc(ctx, x, y, 4, INK);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} i */
function crusher(ctx, s, i) {
  const c = crusherBox(s, i);
  box(ctx, c.x + 22, 0, c.w - 44, c.y + c.h - 30, '#8a93a8', { edge: INK });
  box(ctx, c.x, c.y + c.h - 56, c.w, 40, '#5a657f', { edge: INK, radius: 4 });
  for (let k = 0; k < 4; k++) {
    const x = c.x + k * (c.w / 4);
    polygon(ctx, [[x, c.y + c.h - 18], [x + c.w / 8, c.y + c.h], [x + c.w / 4, c.y + c.h - 18]], RED, INK, 2);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} i */
function laser(ctx, s, i) {
  const r = laserBox(i);
  box(ctx, r.x - 10, r.y - 18, r.w + 20, 18, INK, { radius: 4 });
  if (laserOn(s)) {
    box(ctx, r.x - 3, r.y, r.w + 6, r.h, 'rgba(224,42,60,0.35)');
    box(ctx, r.x + 2, r.y, r.w - 4, r.h, RED);
  } else {
    ctx.fillStyle = 'rgba(224,42,60,0.5)';
    for (let y = r.y; y < r.y + r.h; y += 24) ctx.fillRect(r.x + 4, y, 4, 8);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['crumbles'][number]} c */
function crumble(ctx, c) {
  if (c.gone) {
    ctx.setLineDash([6, 6]);
    ctx.strokeStyle = '#8a93a8';
    ctx.lineWidth = 2;
    ctx.strokeRect(c.x + 3, c.y + 3, TILE - 6, TILE - 6);
    ctx.setLineDash([]);
    return;
  }
  const d = c.worn ? Math.sin(c.worn * 2) * 2 : 0;
  box(ctx, c.x + 1 + d, c.y, TILE - 2, TILE, '#e6c38a', { edge: INK });
  ctx.strokeStyle = INK;
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  for (const [px, py] of [[10, 2], [20, 18], [14, 30], [26, 46]]) ctx.lineTo(c.x + px + d, c.y + py);
  ctx.moveTo(c.x + 40 + d, c.y + 2);
  ctx.lineTo(c.x + 31 + d, c.y + 22);
  ctx.lineTo(c.x + 42 + d, c.y + 36);
  ctx.stroke();
}

/** A stick figure with a scarf. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['hero']} b */
function runner(ctx, b) {
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  ctx.scale(b.face, 1);
  ctx.strokeStyle = INK;
  ctx.lineWidth = 7;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  const line = (/** @type {number[][]} */ ...points) => {
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y);
    ctx.stroke();
  };
  if (b.low) {
    line([-8, -14], [10, -6], [28, -4]);
    line([-8, -14], [4, -4], [22, -3]);
    line([-10, -15], [-22, -4]);
    disc(ctx, -12, -21, 10, INK);
    polygon(ctx, [[-16, -15], [-42, -22], [-40, -12]], '#2f6fed');
    disc(ctx, -8, -23, 3, '#ffffff');
  } else {
    const k = b.onGround ? Math.sin(b.walk / 3) : 0.8;
    line([0, -24], [8 * k + 3, -13], [15 * k, -3]);
    line([0, -24], [-8 * k + 3, -13], [-15 * k, -3]);
    line([0, -24], [2, -42]);
    line([2, -39], [-9 * k + 4, -31], [-14 * k + 6, -25]);
    line([2, -39], [9 * k + 4, -31], [14 * k + 6, -27]);
    disc(ctx, 3, -52, 11, INK);
    polygon(ctx, [[0, -44], [-26 - Math.abs(b.vx) * 2, -46 + b.vy], [-24 - Math.abs(b.vx) * 2, -36 + b.vy], [4, -39]], '#2f6fed');
    disc(ctx, 7, -54, 3, '#ffffff');
  }
  ctx.restore();
}
