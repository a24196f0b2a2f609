// @ts-check
/** Wound Up, the picture: the map under its fog, stores above, four pages of orders below. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { fitted } from '../parts/words.js';
import { BUILDINGS, ORDERS, UNITS } from './data.js';
import { nameOf } from './describe.js';
import { house, toy } from './figures.js';
import { clock } from './knows.js';
import { CELL, cellOf, COLUMNS, HIGH, PLANS, ROWS, WIDE } from './maps.js';
import { BUTTONS, help, PAGES, PANEL, TABS, TOP } from './play.js';
import { TICK, TIN } from './rules.js';
import { army, now, room, standing, used } from './sides.js';

/** Floor, its pattern, walls and their tops. */
const LOOKS = { rug: ['#4d6b58', '#5f8068', '#6a4a2c', '#96703f'], attic: ['#7a6145', '#8a7052', '#46525c', '#66757f'] };

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  ctx.fillStyle = '#17131a';
  ctx.fillRect(0, 0, 1280, 720);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, TOP, WIDE, HIGH);
  ctx.clip();
  ctx.translate(0, TOP);
  ground(ctx, s);
  field(ctx, s);
  fog(ctx, s);
  ctx.restore();
  stores(ctx, s);
  panel(ctx, s);
}

/** Whether the picture shows a place: what the left side sees, or in a match of two what both sides see.
 * @param {import('./rules.js').State} s @param {{x: number, y: number}} p */
const shown = (s, p) => s.sides[0].sight[cellOf(p)] === 1 && (!!s.bot || s.sides[1].sight[cellOf(p)] === 1);

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function ground(ctx, s) {
  const [floor, pattern, wall, top] = LOOKS[/** @type {'rug'} */ (s.map)];
  const { walls, yards } = PLANS[s.map];
  box(ctx, 0, 0, WIDE, HIGH, floor);
  if (s.map === 'rug') {
    for (const n of [10, 22]) {
      ctx.strokeStyle = pattern;
      ctx.lineWidth = 5;
      ctx.strokeRect(n, n, WIDE - 2 * n, HIGH - 2 * n);
    }
    for (let r = 0; r < 4; r++) for (let c = 0; c < 10; c++) polygon(ctx, [[c * 128 + 64, r * 128 + 34], [c * 128 + 94, r * 128 + 64], [c * 128 + 64, r * 128 + 94], [c * 128 + 34, r * 128 + 64]], pattern);
  } else {
    for (let r = 0; r < ROWS; r++) {
      box(ctx, 0, r * CELL, WIDE, 2, pattern);
      for (let c = r % 3; c < 9; c += 1) box(ctx, c * 150 + (r % 4) * 37, r * CELL, 2, CELL, pattern);
    }
  }
  for (const [n, y] of yards.entries()) {
    disc(ctx, y.x, y.y, 100, 'rgba(255,240,210,0.10)');
    const full = s.sides[0].heaps[n] / TIN;
    for (const [i, h] of y.heaps.entries()) {
      if (i / 8 >= full) continue;
      polygon(ctx, [[h.x - 11, h.y + 8], [h.x - 4, h.y - 9], [h.x + 6, h.y - 5], [h.x + 11, h.y + 8]], '#b9c4cf', '#4c5560', 2);
      polygon(ctx, [[h.x - 4, h.y - 9], [h.x + 6, h.y - 5], [h.x + 1, h.y + 2]], '#e6edf4');
    }
    for (const d of y.drums) {
      disc(ctx, d.x, d.y, 14, '#2b2b30', '#5d6068', 3);
      disc(ctx, d.x - 3, d.y - 4, 4, '#77658f');
    }
    text(ctx, y.letter, y.x, y.y, { size: 34, color: 'rgba(255,240,210,0.5)' });
  }
  walls.forEach((row, r) => row.forEach((w, c) => w && box(ctx, c * CELL, r * CELL, CELL, CELL, wall)));
  walls.forEach((row, r) => row.forEach((w, c) => w && box(ctx, c * CELL + 2, r * CELL - 6, CELL - 4, CELL - 6, top, { radius: 4, edge: 'rgba(0,0,0,0.35)', line: 2 })));
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function field(ctx, s) {
  const visible = (/** @type {number} */ who, /** @type {{x: number, y: number}} */ p) => (who === 0 && s.bot ? true : shown(s, p));
  if (s.bot) {
    ctx.save();
    ctx.globalAlpha = 0.6;
    for (const h of Object.values(s.sides[0].seenHouses)) if (!shown(s, h)) house(ctx, h, 1, 0);
    ctx.restore();
  }
  for (const a of s.sides) {
    for (const h of a.houses) {
      if (!visible(a.who, h)) continue;
      const own = a.who === 0 && !!s.bot;
      house(ctx, h, a.who, s.age, { part: h.left > 0 ? 1 - h.left / BUILDINGS[h.kind].time : 1, health: h.hp / BUILDINGS[h.kind].hp, busy: own && h.queue.length > 0, wound: h.wound > 0 });
    }
  }
  const part = (s.age % TICK) / TICK;
  const toys = s.sides.flatMap((a) => a.toys.filter((u) => visible(a.who, u)).map((u) => ({ u, who: a.who })));
  toys.sort((a, b) => Number(UNITS[a.u.kind].air) - Number(UNITS[b.u.kind].air) || a.u.y - b.u.y);
  for (const { u, who } of toys) {
    const works = u.job === 'tin' || u.job === 'oil';
    const x = works ? u.x : u.ox + (u.x - u.ox) * part;
    const y = works ? u.y : u.oy + (u.y - u.oy) * part;
    toy(ctx, u.kind, x, y, who, s.age, Math.max(0, u.hp / UNITS[u.kind].hp));
  }
  for (const b of s.shots) if (shown(s, { x: b.tx, y: b.ty })) shot(ctx, b);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State['shots'][number]} b */
function shot(ctx, b) {
  if (b.kind === 'burst' || b.kind === 'crash') {
    const r = (b.kind === 'crash' ? 16 : 8) + b.age * 4;
    for (let i = 0; i < 6; i++) disc(ctx, b.x + r * Math.cos(i * 1.05), b.y + r * Math.sin(i * 1.05), 4 - b.age * 0.8, i % 2 ? '#ffe27a' : '#c9d1da');
    return;
  }
  if (b.kind === 'spark') disc(ctx, b.tx, b.ty, 44 - b.age * 6, 'rgba(255,240,120,0.55)');
  ctx.globalAlpha = 1 - b.age * 0.25;
  ctx.beginPath();
  ctx.moveTo(b.x, b.y - 4);
  ctx.lineTo(b.tx, b.ty - 4);
  ctx.strokeStyle = b.kind === 'spark' ? '#fff7b0' : ['#ffd0c4', '#c8dcff'][b.who];
  ctx.lineWidth = b.kind === 'cannon' || b.kind === 'airship' || b.kind === 'spark' ? 4 : 2;
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function fog(ctx, s) {
  const [a, b] = s.sides;
  for (let n = 0; n < COLUMNS * ROWS; n++) {
    const seen = a.sight[n] && (s.bot || b.sight[n]);
    if (seen) continue;
    const known = s.bot ? a.explored[n] : a.explored[n] && b.explored[n];
    ctx.fillStyle = known ? 'rgba(14,10,20,0.45)' : 'rgba(14,10,20,0.72)';
    ctx.fillRect((n % COLUMNS) * CELL, Math.floor(n / COLUMNS) * CELL, CELL, CELL);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function stores(ctx, s) {
  box(ctx, 0, 0, 1280, TOP, '#241d29');
  text(ctx, clock(now(s)), 1262, 24, { size: 24, align: 'right', color: '#ffe9b0' });
  if (!s.bot) {
    text(ctx, 'A match of two: the picture shows what both sides see', 640, 24, { size: 22, color: '#f2ecff' });
    return;
  }
  const a = s.sides[0];
  const winding = Math.floor(Math.max(0, ...standing(a, 'chest').map((h) => h.energy)));
  const mice = a.toys.filter((u) => u.kind === 'mouse').length;
  const entries = [['Tin', Math.floor(a.tin), '#dfe7ee'], ['Oil', Math.floor(a.oil), '#c7a8f0'], ['Room', `${used(a)}/${room(a)}`, used(a) + 2 > room(a) ? '#ff9a8a' : '#dfe7ee'], ['Winding', winding, '#ffe27a'], ['Mice', mice, '#dfe7ee'], ['Army', army(a), '#ff9a8a']];
  entries.forEach(([label, value, color], i) => {
    // The room takes the most: three digits of three.
    const x = 18 + i * (i < 3 ? 144 : 152);
    text(ctx, label, x, 24, { size: 19, align: 'left', color: '#a79db5', bold: false });
    text(ctx, value, x + (label === 'Winding' ? 82 : label === 'Room' ? 58 : 68), 24, { size: 22, align: 'left', color: String(color) });
  });
  const last = a.news.at(-1);
  if (last && now(s) - last.at < 8) {
    box(ctx, 340, TOP + 6, 600, 34, 'rgba(20,14,26,0.8)', { radius: 10 });
    fitted(ctx, last.said, 640, TOP + 24, 580, { size: 20, color: '#ffd9a0' });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function panel(ctx, s) {
  box(ctx, 0, PANEL - 2, 1280, 162, '#241d29');
  TABS.forEach((b, i) => {
    box(ctx, b.x, b.y, b.w, b.h, i === s.page ? '#f2cf5a' : '#3b3144', { radius: 8 });
    fitted(ctx, `${i + 1}  ${PAGES[i]}`, b.x + b.w / 2, b.y + 17, b.w - 12, { size: 20, color: i === s.page ? '#3a2a08' : '#d9d0ea' });
  });
  const words = s.shown ? help(/** @type {typeof ORDERS[number]} */ (ORDERS.find((o) => o.id === s.shown))) : s.said;
  fitted(ctx, words, 580, PANEL + 21, 690, { size: 19, align: 'left', color: s.shown || s.ok ? '#f2ecff' : '#ffb0a0', bold: false });
  for (const b of BUTTONS[s.page]) {
    const ready = !s.bot || can(s, b);
    box(ctx, b.x, b.y, b.w, b.h, s.shown === b.id ? '#5a4a66' : ready ? '#453a50' : '#2d2634', { radius: 7, edge: ready ? '#7a6a8c' : '#3b3144', line: 2 });
    text(ctx, b.key.toUpperCase(), b.x + 14, b.y + 19, { size: 18, color: ready ? '#ffe27a' : '#7d7390' });
    const label = b.kind === 'command' ? b.what.replaceAll('_', ' ') : nameOf(b.what);
    fitted(ctx, label, b.x + 27, b.y + 19, b.w - 32, { size: 18, align: 'left', color: ready ? '#f2ecff' : '#8d839c', bold: false });
  }
}

/** Whether what an order needs is there, and it can be paid. @param {import('./rules.js').State} s @param {import('./play.js').Button} b */
function can(s, b) {
  const a = s.sides[0];
  if (b.kind === 'command') return true;
  if (b.kind === 'research') return !a.known.includes(b.what);
  const { cost, needs } = b.kind === 'train' ? UNITS[b.what] : BUILDINGS[b.what];
  const at = b.kind === 'train' ? UNITS[b.what].at : '';
  return cost[0] <= a.tin && cost[1] <= a.oil && [needs, at].every((k) => !k || standing(a, k).length > 0);
}

