// @ts-check
/** Bare Hands, the picture: the land around the player on the left, the bag below, state and recipes on the right. */

import { bar, box, disc, polygon, text } from '../../kit/draw.js';
import { fitted, wrapped } from '../parts/words.js';
import { FUELS, LETTERS, RECIPES, SMELTED } from './data.js';
import { LAND, LINE, LINES, TILE, corner, lacking } from './play.js';
import { DAY, FULL, at, biome, isNight, listed, solid } from './rules.js';

/** Colours of the blocks: ground, darker, lighter. @type {Record<string, [string, string, string]>} */
const LOOKS = {
  g: ['#7a5a3c', '#684a30', '#8a6a4a'], d: ['#7a5a3c', '#684a30', '#8a6a4a'], a: ['#e2cf94', '#cdb878', '#f0e0ac'],
  v: ['#8d857d', '#6e6760', '#a9a199'], s: ['#7d828c', '#6c717b', '#8f949e'], x: ['#8b8f97', '#5f636b', '#a4a8b0'],
  p: ['#c69757', '#a97c40', '#dbb078'], c: ['#7d828c', '#2c2c30', '#ff8a3c'], i: ['#7d828c', '#d8a27c', '#f0c9a8'],
  o: ['#7d828c', '#e9b72e', '#ffe27a'], k: ['#7d828c', '#39c6d8', '#b5f4fb'], n: ['#2a2140', '#1b142c', '#5a4590'],
  b: ['#33353a', '#24262a', '#44474d'], w: ['#3f8fd2', '#2f78b8', '#7fc0f0'], m: ['#e2571e', '#b83a10', '#ffb347'],
  l: ['#8a5f35', '#6d4826', '#a87b4c'], f: ['#4f9a45', '#3d7f36', '#6bb85e'], r: ['#8fbf5a', '#6d9c3e', '#b5dd85'],
  W: ['#b5793c', '#8a5726', '#d8a266'], K: ['#6a6f78', '#43474e', '#ff9a3c'], C: ['#b98438', '#8a5e20', '#f0d060'],
};
const ORES = 'ciok';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, 0, LAND, 720);
  ctx.clip();
  const c = corner(s);
  behind(ctx, s, c);
  for (let y = Math.floor(c.y); y <= c.y + 18; y++) {
    for (let x = Math.floor(c.x); x <= c.x + 24; x++) {
      const letter = at(s, x, y);
      if (letter !== '.') block(ctx, letter, (x - c.x) * TILE, (y - c.y) * TILE, TILE, x, y, s.tick, !solid(s, x, y - 1));
    }
  }
  for (const mob of s.mobs) creature(ctx, mob, (mob.x - c.x) * TILE, (mob.y - c.y) * TILE, s.tick);
  if (s.dig) crack(ctx, s.dig, c);
  gnome(ctx, s, (s.x - c.x) * TILE, (s.y - c.y) * TILE);
  shade(ctx, s);
  s.news.forEach((n, i) => text(ctx, n.what, (s.x - c.x + 0.5) * TILE, (s.y - c.y) * TILE - 20 - 22 * (s.news.length - 1 - i), { size: 20, color: '#ffffff', outline: '#20303f' }));
  bag(ctx, s);
  ctx.restore();
  panel(ctx, s);
}

/** Sky, sun or moon, hills far away, and rock behind the ground. @param {CanvasRenderingContext2D} ctx
 * @param {import('./rules.js').State} s @param {{x: number, y: number}} c */
function behind(ctx, s, c) {
  const part = (s.tick % DAY) / DAY;
  const colors = part < 0.52 ? ['#7cc4f0', '#d7effb'] : part < 0.6 ? ['#6a6fb0', '#f4b183'] : part < 0.95 ? ['#10163a', '#2c3566'] : ['#5b6bb0', '#f6c6a0'];
  const fill = ctx.createLinearGradient(0, 0, 0, 720);
  fill.addColorStop(0, colors[0]);
  fill.addColorStop(1, colors[1]);
  ctx.fillStyle = fill;
  ctx.fillRect(0, 0, LAND, 720);
  const angle = ((part < 0.6 ? part / 0.6 : (part - 0.6) / 0.4) - 0.5) * Math.PI;
  disc(ctx, 480 + 420 * Math.sin(angle), 330 - 250 * Math.cos(angle), part < 0.6 ? 34 : 26, part < 0.6 ? '#ffe27a' : '#e8ecff');
  if (part >= 0.6) for (let i = 0; i < 40; i++) box(ctx, (i * 197) % LAND, (i * 83) % 300, 3, 3, '#e8ecff');
  for (const [far, color, tall] of /** @type {[number, string, number][]} */ ([[0.2, isNight(s) ? '#28305c' : '#a9cfe0', 120], [0.4, isNight(s) ? '#202850' : '#8dbf9c', 70]])) {
    const base = (20 - c.y) * TILE * far + 420;
    const points = [[0, 720]];
    for (let x = 0; x <= LAND; x += 40) points.push([x, base - tall * (1 + Math.sin((x + c.x * TILE * far) / 130) + 0.5 * Math.sin((x + c.x * TILE * far) / 57)) / 2]);
    polygon(ctx, [...points, [LAND, 720]], color);
  }
  for (let x = Math.floor(c.x); x <= c.x + 24; x++) {
    const y = (s.tops[x] ?? 0) + 1;
    if (y <= c.y + 18) box(ctx, (x - c.x) * TILE, Math.max(0, (y - c.y) * TILE), TILE + 1, 720, '#3b3a42');
  }
}

/** @param {number} x @param {number} y @param {number} n */
const noise = (x, y, n) => (Math.imul(x * 374761 + y * 668265 + n * 974711, 1274126177) >>> 16) / 65536;

/** One block. @param {CanvasRenderingContext2D} ctx @param {string} letter @param {number} px @param {number} py @param {number} size
 * @param {number} x @param {number} y @param {number} tick @param {boolean} open whether the place above is open */
function block(ctx, letter, px, py, size, x, y, tick, open) {
  const [base, dark, light] = LOOKS[letter];
  const u = size / 40;
  const dot = (/** @type {number} */ n, /** @type {string} */ color, w = 7, h = 5) => {
    ctx.fillStyle = color;
    ctx.fillRect(px + 4 * u + noise(x, y, n) * 26 * u, py + 4 * u + noise(x, y, n + 9) * 28 * u, w * u, h * u);
  };
  if (letter === 'w' || letter === 'm') {
    ctx.fillStyle = base;
    ctx.globalAlpha = letter === 'w' ? 0.8 : 1;
    ctx.fillRect(px, py + (open ? 8 * u : 0), size + 0.5, size - (open ? 8 * u : 0) + 0.5);
    ctx.globalAlpha = 1;
    ctx.fillStyle = light;
    ctx.fillRect(px + ((tick / 4 + x * 13) % 30) * u, py + 14 * u, 9 * u, 3 * u);
    return;
  }
  if (letter === 'l') {
    box(ctx, px + 9 * u, py, 22 * u, size + 0.5, base);
    box(ctx, px + 9 * u, py, 6 * u, size + 0.5, dark);
    box(ctx, px + 22 * u, py + noise(x, y, 1) * 24 * u, 4 * u, 10 * u, light);
    return;
  }
  if (letter === 'f') {
    disc(ctx, px + 20 * u, py + 20 * u, 24 * u, base);
    for (let n = 0; n < 4; n++) dot(n, n % 2 ? dark : light, 9, 6);
    return;
  }
  if (letter === 'r') {
    for (const at of [10, 19, 28]) box(ctx, px + at * u, py + 2 * u, 4 * u, 38 * u, at === 19 ? light : base);
    return;
  }
  ctx.fillStyle = base;
  ctx.fillRect(px, py, size + 0.5, size + 0.5);
  if (letter === 'W' || letter === 'C' || letter === 'K') return furniture(ctx, letter, px, py, u);
  if (letter === 'p') {
    for (const at of [12, 26]) box(ctx, px, py + at * u, size, 2 * u, dark);
    return;
  }
  if (letter === 'x') {
    for (let n = 0; n < 4; n++) box(ctx, px + (n % 2) * 20 * u + 2 * u, py + Math.floor(n / 2) * 20 * u + 2 * u, 16 * u, 16 * u, n % 3 ? light : dark, { radius: 4 });
    return;
  }
  for (let n = 0; n < 3; n++) dot(n, ORES.includes(letter) ? '#6c717b' : n % 2 ? dark : light);
  if (ORES.includes(letter)) {
    for (let n = 3; n < 8; n++) dot(n, dark, 8, 8);
    for (let n = 8; n < 10; n++) dot(n, light, 5, 5);
  }
  if (letter === 'n') for (let n = 3; n < 6; n++) dot(n, light, 3, 9);
  if (letter === 'g' && open) {
    box(ctx, px, py, size + 0.5, 11 * u, '#5fae4e');
    for (let n = 0; n < 5; n++) box(ctx, px + n * 8 * u, py + 9 * u, 5 * u, (3 + noise(x, y, n) * 7) * u, '#5fae4e');
    box(ctx, px, py, size + 0.5, 3 * u, '#86cf6e');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {string} letter @param {number} px @param {number} py @param {number} u */
function furniture(ctx, letter, px, py, u) {
  const [, dark, light] = LOOKS[letter];
  if (letter === 'W') {
    box(ctx, px, py, 40 * u, 10 * u, light);
    box(ctx, px + 4 * u, py + 10 * u, 6 * u, 30 * u, dark);
    box(ctx, px + 30 * u, py + 10 * u, 6 * u, 30 * u, dark);
    box(ctx, px + 14 * u, py + 16 * u, 4 * u, 18 * u, '#5a3a1c');
    box(ctx, px + 11 * u, py + 14 * u, 12 * u, 5 * u, '#c8ccd4');
  } else if (letter === 'K') {
    box(ctx, px + 3 * u, py + 3 * u, 34 * u, 10 * u, dark);
    box(ctx, px + 8 * u, py + 19 * u, 24 * u, 17 * u, '#201c1c', { radius: 4 });
    polygon(ctx, [[px + 12 * u, py + 35 * u], [px + 16 * u, py + 24 * u], [px + 20 * u, py + 30 * u], [px + 25 * u, py + 22 * u], [px + 28 * u, py + 35 * u]], light);
  } else {
    box(ctx, px + 2 * u, py + 6 * u, 36 * u, 32 * u, dark, { radius: 3 });
    box(ctx, px + 4 * u, py + 8 * u, 32 * u, 10 * u, '#d09a4c');
    box(ctx, px + 17 * u, py + 16 * u, 7 * u, 9 * u, light);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, left: number, all: number}} dig @param {{x: number, y: number}} c */
function crack(ctx, dig, c) {
  const [x, y] = [(dig.x - c.x) * TILE, (dig.y - c.y) * TILE];
  const part = 1 - dig.left / dig.all;
  ctx.strokeStyle = '#101418';
  ctx.lineWidth = 3;
  ctx.strokeRect(x + 1.5, y + 1.5, TILE - 3, TILE - 3);
  ctx.beginPath();
  for (const [dx, dy] of [[1, 0.4], [-0.7, 1], [0.3, -1], [-1, -0.5], [0.8, 1]].slice(0, Math.ceil(part * 5))) {
    ctx.moveTo(x + 20, y + 20);
    ctx.lineTo(x + 20 + 17 * dx, y + 20 + 17 * dy);
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} x @param {number} y */
function gnome(ctx, s, x, y) {
  ctx.save();
  ctx.translate(x + 20, y);
  ctx.scale(s.face, 1);
  const bob = s.walked % 2 ? -2 : 0;
  box(ctx, -9, 29, 7, 11, '#3b3f73');
  box(ctx, 2, 29, 7, 11, '#3b3f73');
  box(ctx, -10, 17 + bob, 20, 14, s.hurt ? '#ff6b6b' : '#3f8fd2', { radius: 4 });
  box(ctx, -8, 6 + bob, 17, 13, '#f2c9a1', { radius: 4 });
  box(ctx, 4, 10 + bob, 3, 4, '#20242c');
  polygon(ctx, [[-11, 8 + bob], [10, 8 + bob], [-3, -10 + bob]], '#d4483b', '#8f2a22', 2);
  const tool = ['', '#a97c40', '#8f949e', '#e6d3c0', '#5fe0ee'][['wooden_pick', 'stone_pick', 'iron_pick', 'crystal_pick'].findLastIndex((p) => s.bag[p]) + 1];
  if (tool) {
    ctx.translate(11, 22 + bob);
    ctx.rotate(s.dig ? 0.5 * Math.sin(s.tick / 3) : 0);
    box(ctx, -2, -12, 4, 20, '#8a5f35');
    box(ctx, -8, -15, 18, 5, tool, { radius: 2 });
  }
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {{kind: string, hp: number, id: number}} mob @param {number} x @param {number} y @param {number} tick */
function creature(ctx, mob, x, y, tick) {
  const step = Math.sin(tick / 9 + mob.id) > 0 ? 2 : 0;
  if (mob.kind === 'grazer') {
    for (const at of [8, 14, 25, 31]) box(ctx, x + at, y + 28 - step, 4, 12 + step, '#6b5340');
    box(ctx, x + 4, y + 12, 32, 19, '#f3ead8', { radius: 9, edge: '#b9ab90', line: 2 });
    box(ctx, x + 29, y + 6, 12, 14, '#d6b48c', { radius: 5 });
    box(ctx, x + 36, y + 10, 3, 4, '#20242c');
  } else {
    polygon(ctx, [[x + 4, y + 40], [x + 8, y + 14], [x + 20, y + 6], [x + 33, y + 14], [x + 37, y + 40], [x + 29, y + 33 + step], [x + 20, y + 40], [x + 12, y + 33 + step]], '#3a2a55', '#1d1230', 2);
    disc(ctx, x + 15, y + 19, 4, '#ff4d5e');
    disc(ctx, x + 27, y + 19, 4, '#ff4d5e');
  }
}

/** Night, and a red rim when hurt. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function shade(ctx, s) {
  if (isNight(s)) {
    ctx.fillStyle = 'rgba(10,14,44,0.38)';
    ctx.fillRect(0, 0, LAND, 720);
  }
  if (s.hurt) {
    ctx.strokeStyle = 'rgba(220,30,40,0.7)';
    ctx.lineWidth = 16;
    ctx.strokeRect(0, 0, LAND, 720);
  }
}

/** A small picture of an item. @param {CanvasRenderingContext2D} ctx @param {string} item @param {number} x @param {number} y */
function icon(ctx, item, x, y) {
  const raw = { ember: 'c', crystal: 'k', dirt: 'd', reed: 'r', plank: 'p' }[item] ?? LETTERS[item];
  if (raw) return block(ctx, raw, x, y, 22, 3, 5, 0, true);
  if (item.endsWith('_pick')) {
    const color = { wooden_pick: '#c69757', stone_pick: '#8f949e', iron_pick: '#f0ddcc', crystal_pick: '#5fe0ee' }[item] ?? '#fff';
    polygon(ctx, [[x + 2, y + 20], [x + 5, y + 22], [x + 15, y + 9], [x + 12, y + 7]], '#8a5f35');
    return polygon(ctx, [[x + 4, y + 4], [x + 14, y + 3], [x + 21, y + 9], [x + 20, y + 18], [x + 16, y + 9]], color, '#30343c', 1);
  }
  const colors = /** @type {Record<string, string>} */ ({
    rod: '#a97c40', flint: '#4a4d55', iron_bar: '#e6d3c0', gold_bar: '#f2c53d', paper: '#f6f1e2', hide: '#b5835a', meat: '#d9605a',
    book: '#7a3fa0', striker: '#c8ccd4', pail: '#b8bec8', gilded_blade: '#ffd84d', rune_desk: '#5a2f8f', echo_gate: '#8a5cff',
  });
  const color = colors[item] ?? '#ffffff';
  if (item === 'rod' || item === 'gilded_blade') return polygon(ctx, [[x + 2, y + 18], [x + 17, y + 2], [x + 21, y + 5], [x + 6, y + 21]], color, '#30343c', 1);
  if (item === 'echo_gate') {
    box(ctx, x + 2, y, 18, 22, '#2a2140', { radius: 5 });
    return disc(ctx, x + 11, y + 11, 6, color);
  }
  if (item.endsWith('_bar')) return polygon(ctx, [[x + 1, y + 18], [x + 5, y + 7], [x + 18, y + 7], [x + 21, y + 18]], color, '#30343c', 1);
  box(ctx, x + 2, y + 3, 18, 17, color, { radius: 4, edge: '#30343c', line: 1 });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function bag(ctx, s) {
  const items = listed(s.bag);
  const rows = Math.max(1, Math.ceil(items.length / 7));
  const top = 716 - 32 * rows;
  box(ctx, 6, top - 6, LAND - 12, 32 * rows + 6, 'rgba(16,24,36,0.82)', { radius: 10 });
  if (!items.length) text(ctx, 'Your bag is empty.', 24, top + 14, { size: 20, color: '#dfe8f2', align: 'left', bold: false });
  items.forEach(([item, count], i) => {
    const [x, y] = [14 + (i % 7) * 134, top + 32 * Math.floor(i / 7)];
    if (item === s.held) box(ctx, x - 4, y - 3, 132, 30, 'rgba(255,226,122,0.28)', { radius: 6, edge: '#ffe27a', line: 2 });
    icon(ctx, item, x, y);
    fitted(ctx, `${count} ${item.replace('_', ' ')}`, x + 28, y + 12, 98, { size: 18, color: '#ffffff', align: 'left', bold: false });
  });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function panel(ctx, s) {
  box(ctx, LAND, 0, 320, 720, '#1d2733');
  text(ctx, `${isNight(s) ? 'Night' : 'Day'} ${Math.floor(s.tick / DAY) + 1}, ${biome(s)}`, 976, 26, { size: 22, color: '#ffffff', align: 'left' });
  text(ctx, `x ${s.x}, y ${s.y}`, 1264, 58, { size: 18, color: '#aebccb', align: 'right', bold: false });
  text(ctx, 'Health', 976, 58, { size: 18, color: '#dfe8f2', align: 'left', bold: false });
  bar(ctx, 1042, 50, 110, 16, s.health / FULL, '#e5484d');
  text(ctx, 'Food', 976, 86, { size: 18, color: '#dfe8f2', align: 'left', bold: false });
  bar(ctx, 1042, 78, 110, 16, s.hunger / FULL, '#e5a23c');
  wrapped(s.said, 32).slice(0, 3).forEach((line, i) => fitted(ctx, line, 976, 116 + 22 * i, 290, { size: 18, color: '#ffe9a3', align: 'left', bold: false }));
  LINES.forEach((item, i) => recipe(ctx, s, item, i));
  const item = LINES[s.cursor];
  fitted(ctx, `Takes ${needs(item)}`, 976, 704, 290, { size: 18, color: '#aebccb', align: 'left', bold: false });
}

/** What a line of the panel is made of. @param {string} item */
function needs(item) {
  const raw = Object.keys(SMELTED).find((k) => SMELTED[k] === item);
  if (raw) return `${raw} + ${Object.keys(FUELS).join(' or ')}, at a kiln`;
  const parts = Object.entries(RECIPES[item].of).map(([part, count]) => `${count} ${part}`);
  return `${parts.join(' + ')}${RECIPES[item].at ? ', at a workbench' : ''}`.replaceAll('_', ' ');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {string} item @param {number} i */
function recipe(ctx, s, item, i) {
  const y = LINE.y + i * LINE.h;
  const ready = !lacking(s, item);
  const color = ready ? '#ffffff' : s.made.includes(item) ? '#9fb6a5' : '#7d8a99';
  if (i === s.cursor) box(ctx, LINE.x - 6, y, LINE.w + 6, LINE.h - 1, '#33475c', { radius: 6, edge: '#ffe27a', line: 2 });
  else if (ready) box(ctx, LINE.x - 6, y, LINE.w + 6, LINE.h - 1, '#2d5a3c', { radius: 6 });
  icon(ctx, item, LINE.x, y + 2);
  const makes = RECIPES[item]?.makes ?? 1;
  text(ctx, `${item.replace('_', ' ')}${makes > 1 ? ` ×${makes}` : ''}`, LINE.x + 32, y + 13, { size: 18, color, align: 'left', bold: ready });
  if (s.made.includes(item)) text(ctx, '✓', LINE.x + LINE.w - 10, y + 13, { size: 18, color: '#7fe08f' });
}
