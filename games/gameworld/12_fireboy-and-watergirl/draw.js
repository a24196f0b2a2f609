// @ts-check
/** Ember and Drop, the picture: a dim temple, so that lava, water, gems and the two figures shine. */

import { box, COLORS, disc, polygon, sky, text } from '../../kit/draw.js';
import { eachTile, tileAt } from '../../kit/platform.js';
import { ember, drop, gem } from './figures.js';
import { barred, BOX, count, doorOf, doorOpen, FIGURES, mapOf, TILE } from './rules.js';
import { LEVELS } from './levels.js';

/** What belongs together has one colour: a plate or lever, and its gate or lift. @type {Record<string, string>} */
const WIRES = { 1: '#f5c518', 2: '#c77dff', 3: '#ff8fd0', 5: '#52d273', 6: '#ffffff' };
const TINT = { fireboy: '#ff5a36', watergirl: '#3ba7ff' };

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#3a3550', '#2c2a42');
  bricks(ctx);
  const map = mapOf(s);
  FIGURES.forEach((f, i) => door(ctx, s, i));
  eachTile(map, { x: 0, y: 0 }, (char, x, y, col, row) => {
    if ('#LWG'.includes(char)) stone(ctx, map, x, y, col, row);
    if ('LWG'.includes(char)) pool(ctx, s, char, x, y);
  });
  for (const l of s.lifts) {
    box(ctx, l.x + 2, l.y, l.w - 4, 14, WIRES[l.plate], { radius: 5, edge: COLORS.ink });
    for (let x = l.x + 14; x < l.x + l.w - 10; x += 22) {
      polygon(ctx, [[x, l.y + 11], [x + 6, l.y + 4], [x + 12, l.y + 11]], COLORS.ink);
    }
  }
  for (const g of s.gates) gate(ctx, g);
  for (const p of s.plates) {
    const h = p.down ? 5 : 11;
    box(ctx, p.x + 1, p.y + TILE - 4, TILE - 2, 5, COLORS.ink);
    box(ctx, p.x + 4, p.y + TILE - h, TILE - 8, h, WIRES[p.code], { radius: 3, edge: COLORS.ink, line: 2 });
  }
  for (const k of s.crates) crate(ctx, k);
  for (const l of s.levers) lever(ctx, l);
  for (const g of s.gems) {
    const float = Math.sin((s.frame + g.x) / 20) * 2;
    if (!g.taken) gem(ctx, g.x, g.y + float, g.kind === 'r' ? 'fireboy' : 'watergirl');
  }
  ember(ctx, s.players[0], s.frame);
  drop(ctx, s.players[1], s.frame);
  top(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx */
function bricks(ctx) {
  ctx.strokeStyle = 'rgba(0,0,0,0.16)';
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let y = 40; y < 700; y += 40) {
    ctx.moveTo(0, y);
    ctx.lineTo(1280, y);
    for (let x = (y / 40) % 2 ? 0 : 40; x < 1280; x += 80) {
      ctx.moveTo(x, y);
      ctx.lineTo(x, y + 40);
    }
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../../kit/platform.js').TileMap} map
 * @param {number} x @param {number} y @param {number} col @param {number} row */
function stone(ctx, map, x, y, col, row) {
  box(ctx, x, y, TILE, TILE, (col + row) % 2 ? '#8d7f6b' : '#86785f');
  ctx.fillStyle = 'rgba(40,30,20,0.25)';
  ctx.fillRect(x, y + TILE - 3, TILE, 3);
  ctx.fillRect(x + TILE - 3, y, 3, TILE);
  if (!'#LWG'.includes(tileAt(map, col, row - 1, '#'))) {
    ctx.fillStyle = '#d9c9a3';
    ctx.fillRect(x, y, TILE, 6);
  }
}

const POOL = { L: ['#ff4b1f', '#ffb03a'], W: ['#1f7fff', '#8fd8ff'], G: ['#2f9e2f', '#b6f36a'] };

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {string} char
 * @param {number} x @param {number} y */
function pool(ctx, s, char, x, y) {
  const [deep, light] = POOL[/** @type {keyof typeof POOL} */ (char)];
  box(ctx, x, y, TILE, 28, deep);
  const points = [[x, y + 9]];
  for (let i = 0; i <= 8; i++) points.push([x + i * 5, y + 1.5 + 1.5 * Math.sin((x + i * 5) / 9 + s.frame / 14)]);
  points.push([x + TILE, y + 9]);
  polygon(ctx, points, light);
  if (char === 'G') {
    disc(ctx, x + 12, y + 17, 4, light);
    disc(ctx, x + 28, y + 21, 3, light);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Gate} g */
function gate(ctx, g) {
  const r = barred(g);
  const color = WIRES[g.code];
  if (g.lying) box(ctx, g.x, g.y, g.w, g.h, color, { edge: COLORS.ink, line: 2 });
  else box(ctx, g.x + 6, g.y, g.w - 12, 6, color, { edge: COLORS.ink, line: 2 });
  if (r.w < 4 || r.h < 4) {
    if (g.lying) box(ctx, g.x, g.y, g.w, g.h, '#2c2a42');
    return;
  }
  if (g.lying) {
    box(ctx, g.x, g.y, g.w, g.h, '#2c2a42');
    box(ctx, r.x, r.y + 2, r.w, r.h - 12, '#4a4038', { edge: color, line: 4 });
    for (let x = r.x + 18; x < r.x + r.w - 8; x += 24) disc(ctx, x, r.y + 16, 5, color);
  } else {
    box(ctx, r.x + 6, r.y, r.w - 12, r.h, '#4a4038', { edge: color, line: 4 });
    for (let y = r.y + r.h - 16; y > r.y + 8; y -= 24) disc(ctx, r.x + TILE / 2, y, 5, color);
  }
}

/** A box to push: pale wood in an iron frame. @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} k */
function crate(ctx, k) {
  const { x, y } = k;
  box(ctx, x, y, BOX, BOX, '#c08a4e', { radius: 4, edge: COLORS.ink, line: 3 });
  ctx.fillStyle = '#9c6a36';
  for (const row of [10, 19, 28]) ctx.fillRect(x + 5, y + row, BOX - 10, 2);
  ctx.strokeStyle = '#e6b878';
  ctx.lineWidth = 4;
  ctx.beginPath();
  ctx.moveTo(x + 8, y + 8);
  ctx.lineTo(x + BOX - 8, y + BOX - 8);
  ctx.stroke();
  for (const [dx, dy] of [[2, 2], [BOX - 11, 2], [2, BOX - 11], [BOX - 11, BOX - 11]]) {
    box(ctx, x + dx, y + dy, 9, 9, '#aab2c0', { radius: 2, edge: COLORS.ink, line: 1.5 });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, code: string, on: boolean}} l */
function lever(ctx, l) {
  const tip = l.on ? 32 : 8;
  ctx.lineCap = 'round';
  ctx.lineWidth = 6;
  ctx.strokeStyle = '#e8e2d2';
  ctx.beginPath();
  ctx.moveTo(l.x + 20, l.y + 34);
  ctx.lineTo(l.x + tip, l.y + 12);
  ctx.stroke();
  ctx.lineCap = 'butt';
  box(ctx, l.x + 6, l.y + 30, 28, 10, WIRES[l.code], { radius: 4, edge: COLORS.ink, line: 2 });
  disc(ctx, l.x + tip, l.y + 11, 7, WIRES[l.code], COLORS.ink, 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} i */
function door(ctx, s, i) {
  const { x, y } = doorOf(s, i);
  const open = doorOpen(s, i);
  const color = TINT[FIGURES[i].id];
  box(ctx, x - 8, y - 28, TILE + 16, TILE + 28, '#1c1828', { radius: 10, edge: color, line: 5 });
  if (open) {
    box(ctx, x - 2, y - 22, TILE + 4, TILE + 22, color, { radius: 6 });
    box(ctx, x + 6, y - 14, TILE - 12, TILE + 14, '#fff6d8', { radius: 6 });
  } else {
    // Locked: a shutter with the gem it asks for.
    for (let k = 0; k < 4; k++) box(ctx, x - 3, y - 20 + k * 15, TILE + 6, 10, '#575068');
    gem(ctx, x + TILE / 2, y + 6, FIGURES[i].id);
  }
}

/** Level, name and gem counts in the stones of the top row. @param {CanvasRenderingContext2D} ctx
 * @param {import('./rules.js').State} s */
function top(ctx, s) {
  box(ctx, 0, 0, 1280, 38, '#171422');
  text(ctx, `Level ${s.level}: ${LEVELS[s.level - 1].name}`, 640, 20, { size: 22, color: '#f4ead0' });
  FIGURES.forEach((f, i) => {
    const { collected, total } = count(s, i);
    const x = i ? 910 : 20;
    gem(ctx, x + 14, 19, f.id);
    const color = i ? '#8fd0ff' : '#ff9a7a';
    text(ctx, `${f.name}  ${collected} / ${total}`, x + 40, 20, { size: 24, color, align: 'left' });
    text(ctx, i ? 'keys a d w' : 'arrow keys', x + 224, 20, { size: 18, color: '#b9b2c8', align: 'left', bold: false });
  });
}

