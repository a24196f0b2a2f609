// @ts-check
/** The Thistle Road, the picture: the land around the player or a battle, and beside it what the player has. */

import { bar, box, disc, polygon, sky, text } from '../../kit/draw.js';
import { fitted, wrapped } from '../parts/words.js';
import { ROUTE } from './describe.js';
import { creature, person, thing } from './figures.js';
import { has } from './journal.js';
import { fullOf, kindOf, MOVES, nameOf, nextLevel } from './kinds.js';
import { cell, isDoor, isThing, known, land, place, SIGHT, STEPS, thingAt, widthOf, heightOf } from './land.js';
import { battleLines } from './play.js';
import { asking, menuLines, PACE } from './rules.js';
import { facingOf } from './story.js';
import { TILE, tile } from './tiles.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {CanvasRenderingContext2D} Ctx */

/** The view of the land: ten tiles by nine. */
const VIEW = { x: 20, y: 36, w: 10 * TILE, h: 9 * TILE };
const PANEL = { x: 764, w: 496 };
const PAPER = '#fbf4e2';
const INK = '#2f2a33';
const COLORS = { leaf: '#4f9447', ember: '#d9572f', tide: '#2f7fb5', stone: '#7d7a85', gust: '#7d6ab5', plain: '#9a8566' };

/** @param {Ctx} ctx @param {State} s */
export function draw(ctx, s) {
  sky(ctx, '#2c3a33', '#1f2a2a');
  ctx.save();
  ctx.beginPath();
  ctx.rect(VIEW.x, VIEW.y, VIEW.w, VIEW.h);
  ctx.clip();
  if (s.battle) battle(ctx, s, s.battle);
  else field(ctx, s);
  ctx.restore();
  ctx.strokeStyle = '#d9c48a';
  ctx.lineWidth = 5;
  ctx.strokeRect(VIEW.x, VIEW.y, VIEW.w, VIEW.h);
  if (s.talk) talk(ctx, s, s.talk);
  else if (s.menu) menu(ctx, s, s.menu);
  panel(ctx, s);
}

/** @param {Ctx} ctx @param {State} s */
function field(ctx, s) {
  box(ctx, VIEW.x, VIEW.y, VIEW.w, VIEW.h, '#1a1d1c');
  // The player moves from the tile that was left to the new one.
  const gone = s.walking / PACE;
  const [dx, dy] = STEPS[s.facing];
  const sx = s.moved ? dx * gone * TILE : 0;
  const sy = s.moved ? dy * gone * TILE : 0;
  const { kind } = place(s);
  for (let row = -1; row < 10; row++) {
    for (let col = -1; col < 11; col++) {
      const x = s.x - SIGHT.left + col;
      const y = s.y - SIGHT.up + row;
      const c = cell(s, x, y);
      if (!c || !known(s, x, y)) continue;
      tile(ctx, c, VIEW.x + col * TILE + sx, VIEW.y + row * TILE + sy, { land: s.land, kind, x, y, age: s.age, above: cell(s, x, y - 1), below: cell(s, x, y + 1) });
    }
  }
  for (let row = -1; row < 10; row++) {
    for (let col = -1; col < 11; col++) {
      const x = s.x - SIGHT.left + col;
      const y = s.y - SIGHT.up + row;
      const found = known(s, x, y) && thingAt(s, x, y);
      if (found) thing(ctx, found, VIEW.x + col * TILE + sx, VIEW.y + row * TILE + sy, facingOf(s, found), s.age, s.done.includes(`basket ${found.index}`));
    }
    if (row === SIGHT.up) {
      const stride = s.walking && s.moved ? (s.walking > PACE / 2 ? 5 : -5) : 0;
      person(ctx, 'you', VIEW.x + (SIGHT.left + 0.5) * TILE, VIEW.y + (SIGHT.up + 0.92) * TILE, s.facing, stride);
      if (cell(s, s.x, s.y) === ',') polygon(ctx, [[326, 396], [336, 372], [346, 396], [356, 374], [366, 396], [370, 404], [322, 404]], s.land === 'dale' ? '#4f9447' : '#8a8a3c');
    }
  }
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {import('./kinds.js').Creature} c @param {boolean} mine */
function plate(ctx, x, y, c, mine) {
  box(ctx, x, y, 320, mine ? 112 : 92, PAPER, { radius: 14, edge: INK, line: 4 });
  text(ctx, nameOf(c), x + 18, y + 26, { size: 26, align: 'left', color: INK });
  text(ctx, `Lv ${c.level}`, x + 302, y + 26, { size: 22, align: 'right', color: INK });
  box(ctx, x + 18, y + 44, 76, 26, COLORS[kindOf(c).type], { radius: 8 });
  text(ctx, kindOf(c).type, x + 56, y + 58, { size: 18, color: '#ffffff' });
  bar(ctx, x + 102, y + 44, 110, 26, c.hp / fullOf(c), c.hp > fullOf(c) / 2 ? '#3aa655' : c.hp > fullOf(c) / 5 ? '#e0a52c' : '#d0453a');
  text(ctx, `${c.hp}/${fullOf(c)}`, x + 302, y + 58, { size: 20, align: 'right', color: INK });
  if (c.poison) text(ctx, 'poisoned', x + 180, y + 26, { size: 18, color: '#8a3fa8' });
  if (mine) {
    text(ctx, 'experience', x + 18, y + 92, { size: 18, align: 'left', color: '#6b6470', bold: false });
    bar(ctx, x + 124, y + 84, 178, 16, c.xp / nextLevel(c.level), '#2f7fb5');
  }
}

/** @param {Ctx} ctx @param {State} s @param {import('./battle.js').Battle} b */
function battle(ctx, s, b) {
  const { kind } = place(s);
  const colors = kind === 'indoor' ? ['#8d7a6a', '#c9b394', '#a98a63'] : kind === 'wood' ? ['#4f7a5d', '#8fb37a', '#5d8549'] : ['#a9d6e8', '#dff0d8', '#93c572'];
  const { x, y, w, h } = VIEW;
  const g = ctx.createLinearGradient(0, y, 0, y + 300);
  g.addColorStop(0, colors[0]);
  g.addColorStop(1, colors[1]);
  box(ctx, x, y, w, h, g);
  box(ctx, x, y + 236, w, 240, colors[2]);
  for (const [cx, cy, r] of [[556, 286, 140], [196, 446, 150]]) {
    ctx.save();
    ctx.translate(cx, cy);
    ctx.scale(1, 0.3);
    disc(ctx, 0, 0, r, 'rgba(255,255,255,0.28)', 'rgba(60,70,40,0.35)', 5);
    ctx.restore();
  }
  const shake = (/** @type {'mine'|'foe'} */ side) => (b.hit === side && b.flash ? Math.sin(b.flash * 2) * 8 : 0);
  const foe = b.foes[b.foe];
  const mine = s.party[b.mine];
  if (foe.hp) creature(ctx, foe.kind, 556 + shake('foe'), 290, 1.35, true, s.age);
  if (mine.hp) creature(ctx, mine.kind, 196 + shake('mine'), 452, 1.7, false, s.age + 40);
  plate(ctx, x + 20, y + 20, foe, false);
  plate(ctx, x + w - 340, y + 330, mine, true);
  if (b.duel) text(ctx, `${b.trainer}: ${b.foes.length - b.foe} left`, x + 24, y + 134, { size: 20, align: 'left', color: INK });
  box(ctx, x, y + 462, w, h - 462, PAPER, { edge: INK, line: 4 });
  const lines = b.told.slice(b.since).flatMap((line) => wrapped(line, 36)).slice(-7);
  lines.forEach((line, i) => fitted(ctx, line, x + 18, y + 486 + i * 24, 350, { size: 20, align: 'left', color: INK, bold: false }));
  choices(ctx, s, b, x + 384, y + 470, w - 394);
}

/** @param {Ctx} ctx @param {State} s @param {import('./battle.js').Battle} b @param {number} x @param {number} y @param {number} w */
function choices(ctx, s, b, x, y, w) {
  box(ctx, x, y, w, 170, '#f0e2bd', { radius: 10, edge: '#8a6d45', line: 3 });
  const lines = battleLines(s, b);
  const step = Math.min(40, 160 / Math.max(lines.length, 1));
  lines.forEach((line, i) => {
    const c = b.page === 'team' ? s.party[i] : null;
    const move = b.page === 'moves' ? s.party[b.mine].moves[i] : null;
    const label = c ? `${nameOf(c)} Lv${c.level} ${c.hp}/${fullOf(c)}` : move ? MOVES[line].title : b.page === 'bag' ? `${line} x${s.bag[line]}` : line;
    const at = y + 4 + step * (i + 0.5);
    if (i === b.cursor) polygon(ctx, [[x + 12, at - 8], [x + 26, at], [x + 12, at + 8]], '#b5483c');
    fitted(ctx, label, x + 36, at, move ? 140 : w - 50, { size: 22, align: 'left', color: INK });
    if (!move) return;
    box(ctx, x + 178, at - 12, 72, 24, COLORS[MOVES[line].type], { radius: 7 });
    text(ctx, MOVES[line].type, x + 214, at + 1, { size: 18, color: '#ffffff' });
    text(ctx, `${move.left}/${MOVES[line].uses}`, x + w - 10, at, { size: 18, align: 'right', color: INK, bold: false });
  });
  if (!lines.length) text(ctx, 'nothing (X: back)', x + w / 2, y + 85, { size: 22, color: '#6b6470' });
}

/** @param {Ctx} ctx @param {State} s @param {import('./rules.js').Talk} t */
function talk(ctx, s, t) {
  const lines = wrapped(t.pages[t.at], 56);
  const top = VIEW.y + VIEW.h - 46 - 31 * Math.max(lines.length, 3);
  box(ctx, VIEW.x + 10, top, VIEW.w - 20, VIEW.y + VIEW.h - 10 - top, PAPER, { radius: 16, edge: INK, line: 4 });
  if (t.who) {
    box(ctx, VIEW.x + 30, top - 22, 40 + t.who.length * 14, 40, '#b5483c', { radius: 12, edge: INK, line: 3 });
    fitted(ctx, t.who, VIEW.x + 50, top - 1, t.who.length * 14, { size: 22, align: 'left', color: '#ffffff' });
  }
  lines.forEach((line, i) => fitted(ctx, line, VIEW.x + 34, top + 38 + i * 31, VIEW.w - 84, { size: 24, align: 'left', color: INK, bold: false }));
  if (!asking(s)) {
    const a = VIEW.x + VIEW.w - 36;
    const b = VIEW.y + VIEW.h - 30 + Math.sin(s.age / 12) * 3;
    polygon(ctx, [[a - 10, b - 8], [a + 10, b - 8], [a, b + 6]], '#b5483c');
    return;
  }
  list(ctx, t.options, t.cursor, VIEW.x + VIEW.w - 320, top - 20 - 42 * t.options.length, 300);
}

/** @param {Ctx} ctx @param {string[]} lines @param {number} cursor @param {number} x @param {number} y @param {number} w */
function list(ctx, lines, cursor, x, y, w) {
  box(ctx, x, y, w, 14 + 42 * lines.length, PAPER, { radius: 12, edge: INK, line: 4 });
  lines.forEach((line, i) => {
    const at = y + 28 + i * 42;
    if (i === cursor) polygon(ctx, [[x + 14, at - 9], [x + 30, at], [x + 14, at + 9]], '#b5483c');
    fitted(ctx, line, x + 42, at, w - 56, { size: 24, align: 'left', color: INK });
  });
}

/** @param {Ctx} ctx @param {State} s @param {import('./rules.js').Menu} m */
function menu(ctx, s, m) {
  const lines = menuLines(s, m);
  const w = m.page === 'main' ? 230 : 420;
  if (m.page === 'route') {
    route(ctx, s);
  }
  list(ctx, lines, m.cursor, VIEW.x + VIEW.w - w - 20, VIEW.y + 20, w);
  if (s.told.length) {
    box(ctx, VIEW.x + 10, VIEW.y + VIEW.h - 80, VIEW.w - 20, 66, PAPER, { radius: 14, edge: INK, line: 4 });
    fitted(ctx, s.told.join(' '), VIEW.x + 34, VIEW.y + VIEW.h - 46, VIEW.w - 70, { size: 24, align: 'left', color: INK, bold: false });
  }
}

/** The map of the roads: five places along the way, from the village to the city. @param {Ctx} ctx @param {State} s */
function route(ctx, s) {
  const x = VIEW.x + 40;
  const y = VIEW.y + 130;
  box(ctx, x, y, VIEW.w - 80, 420, '#f0e2bd', { radius: 12, edge: '#8a6d45', line: 6 });
  const { names } = land(s);
  const stops = ROUTE.map((name, i) => ({ name, a: x + 110 + (i % 2) * 90 + i * 30, b: y + 360 - i * 76 }));
  ctx.strokeStyle = '#b98f5e';
  ctx.lineWidth = 12;
  ctx.beginPath();
  for (const { a, b } of stops) ctx.lineTo(a, b);
  ctx.stroke();
  for (const { name, a, b } of stops) {
    const wild = name === 'road' || name === 'wood';
    disc(ctx, a, b, wild ? 14 : 20, wild ? '#4f9447' : '#b5483c', INK, 3);
    if (place(s).name === names[name]) disc(ctx, a, b, 8, '#ffffff', INK, 3);
    text(ctx, names[name], a + 34, b, { size: 26, align: 'left', color: INK });
  }
}

/** @param {Ctx} ctx @param {State} s */
function panel(ctx, s) {
  const { x, w } = PANEL;
  const { names } = land(s);
  box(ctx, x, 16, w, 62, '#3a4a40', { radius: 12 });
  fitted(ctx, place(s).name, x + 20, 47, 290, { size: 28, align: 'left', color: '#f4e7c8' });
  minimap(ctx, s, x, 88, 240);
  box(ctx, x + 252, 88, w - 252, 240, '#3a4a40', { radius: 12 });
  const side = [`x ${s.x}, y ${s.y}`, `${s.coins} coins`, ...Object.entries(s.bag).map(([item, n]) => `${item} x${n}`), ...(has(s, 'map') ? ['Route Map'] : []), ...(has(s, 'leader') ? [names.badge] : [])];
  side.forEach((line, i) => fitted(ctx, line, x + 270, 116 + i * 30, 210, { size: 22, align: 'left', color: i ? '#ffffff' : '#c9d6c0', bold: i > 0 }));
  box(ctx, x, 340, w, 272, '#3a4a40', { radius: 12 });
  if (!s.party.length) text(ctx, 'No companion yet', x + w / 2, 470, { size: 24, color: '#c9d6c0' });
  s.party.forEach((c, i) => member(ctx, c, x + 8 + (i % 2) * 244, 348 + Math.floor(i / 2) * 87));
  box(ctx, x, 624, w, 82, '#2a3330', { radius: 12 });
  const said = s.answer ? wrapped(s.answer, 50).slice(0, 3) : [];
  if (said.length) said.forEach((line, i) => fitted(ctx, line, x + 14, 642 + i * 23, w - 28, { size: 18, align: 'left', color: '#ffffff', bold: false }));
  else {
    text(ctx, 'Arrows walk    Z speak, confirm    X back', x + w / 2, 650, { size: 20, color: '#c9d6c0', bold: false });
    text(ctx, 'Enter menu    C map of the roads', x + w / 2, 680, { size: 20, color: '#c9d6c0', bold: false });
  }
}

/** @param {Ctx} ctx @param {import('./kinds.js').Creature} c @param {number} x @param {number} y */
function member(ctx, c, x, y) {
  box(ctx, x, y, 236, 80, c.hp ? '#4d6152' : '#5d4040', { radius: 10 });
  creature(ctx, c.kind, x + 42, y + 66, 0.36, false, 0);
  fitted(ctx, nameOf(c), x + 82, y + 20, 96, { size: 20, align: 'left', color: '#ffffff' });
  text(ctx, `Lv${c.level}`, x + 228, y + 20, { size: 19, align: 'right', color: '#f7d75c' });
  bar(ctx, x + 82, y + 36, 146, 16, c.hp / fullOf(c), c.hp > fullOf(c) / 2 ? '#3aa655' : c.hp > fullOf(c) / 5 ? '#e0a52c' : '#d0453a');
  text(ctx, `${c.hp}/${fullOf(c)} HP${c.poison ? ', poison' : ''}`, x + 82, y + 66, { size: 18, align: 'left', color: '#e8efe2', bold: false });
}

/** @param {Ctx} ctx @param {State} s @param {number} x @param {number} y @param {number} size */
function minimap(ctx, s, x, y, size) {
  box(ctx, x, y, size, size, '#1a1f1d', { radius: 12 });
  const p = place(s);
  const w = widthOf(p);
  const h = heightOf(p);
  const unit = Math.min(16, Math.floor((size - 16) / Math.max(w, h)));
  const left = x + (size - unit * w) / 2;
  const top = y + (size - unit * h) / 2;
  for (let row = 0; row < h; row++) {
    for (let col = 0; col < w; col++) {
      if (!known(s, col, row)) continue;
      const c = cell(s, col, row);
      const found = thingAt(s, col, row);
      const color = found ? '#ffd95c' : isDoor(c) ? '#ffffff' : c === ',' ? '#4f9447' : c === '~' ? '#4f97c9' : c === 'v' ? '#a3743f' : '.:"=z'.includes(c) || c === 'p' || isThing(c) ? '#cbbd8a' : '#4a4f4a';
      box(ctx, left + col * unit, top + row * unit, unit, unit, color);
    }
  }
  disc(ctx, left + (s.x + 0.5) * unit, top + (s.y + 0.5) * unit, Math.max(4, unit * 0.6), '#d9453a', '#ffffff', 2);
}
