// @ts-check
/** Moonshaft Surveyor, the picture: blue moon caves with glowing things. */

import { bar, box, COLORS, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { eachTile, follow, tileAt } from '../../kit/platform.js';
import { coin, hearts, legs } from '../../kit/stages.js';
import { LEVELS } from './levels.js';
import { FUEL, LIVES, mapOf, needOf, rocketOf, TILE } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const map = mapOf(s);
  const view = follow(s.hero, map);
  sky(ctx, '#070b1f', '#101a3d', '#1d2c5c');
  stars(ctx, view.x * 0.1);
  disc(ctx, 1050 - view.x * 0.06, 170, 84, '#3d7dd8');
  disc(ctx, 1026 - view.x * 0.06, 146, 22, '#6fb38a');
  disc(ctx, 1080 - view.x * 0.06, 196, 30, '#6fb38a');
  crags(ctx, view.x * 0.4);
  eachTile(map, view, (char, x, y, col, row) => {
    if (char === '#') rock(ctx, map, x, y, col, row);
    if (char === '=') girder(ctx, x, y);
    if (char === 'H') ladder(ctx, x, y);
    if (char === '^') spikes(ctx, x, y);
    if (char === '~') acid(ctx, map, x, y, col, row, s.frame);
  });
  ctx.save();
  ctx.translate(-view.x, -view.y);
  rocket(ctx, s);
  for (const c of s.coins) if (!c.taken) coin(ctx, c.x, c.y, 17, s.frame);
  for (const c of s.cans) if (!c.taken) can(ctx, c, s.frame);
  for (const w of s.wrecks) wreck(ctx, w);
  for (const f of s.foes) (f.kind === 'C' ? crawler : drone)(ctx, f, s.frame);
  if (s.mercy % 10 < 6) explorer(ctx, s);
  ctx.restore();
  hud(ctx, [['Coins', `${s.score} / ${needOf(s)}`]]);
  hearts(ctx, 200, 14, s.lives, LIVES);
  text(ctx, 'Fuel', 350, 37, { size: 20, color: '#ffffff', align: 'left' });
  bar(ctx, 402, 24, 170, 26, s.hero.fuel / FUEL, '#ff9d2e');
  text(ctx, `Level ${s.level}: ${LEVELS[s.level - 1].name}`, 1264, 37, { size: 24, color: '#ffffff', align: 'right', outline: '#070b1f' });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift */
function stars(ctx, shift) {
  ctx.fillStyle = '#dfe8ff';
  for (let i = 0; i < 90; i++) {
    const size = 1 + (i % 3);
    ctx.fillRect((((i * 197) % 1500) - shift + 1500) % 1500, (i * 131) % 560, size, size);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift */
function crags(ctx, shift) {
  const points = [[0, 720]];
  for (let i = Math.floor(shift / 110); i * 110 - shift < 1400; i++) points.push([i * 110 - shift, 470 + ((i * 89) % 130)]);
  points.push([1280, 720]);
  polygon(ctx, points, '#1a2347');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../../kit/platform.js').TileMap} map
 * @param {number} x @param {number} y @param {number} col @param {number} row */
function rock(ctx, map, x, y, col, row) {
  box(ctx, x, y, TILE + 1, TILE + 1, '#5a648f');
  disc(ctx, x + 12 + ((col * 11) % 20), y + 26, 6, '#4a5379');
  disc(ctx, x + 34 - ((row * 7) % 16), y + 14, 3, '#7480ac');
  for (const side of [-1, 1]) {
    if (tileAt(map, col + side, row, '#') !== '#') box(ctx, side < 0 ? x : x + TILE - 4, y, 4, TILE + 1, '#333b5e');
  }
  if (tileAt(map, col, row - 1, '#') !== '#') box(ctx, x, y, TILE + 1, 8, '#c9d2f0');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function girder(ctx, x, y) {
  box(ctx, x, y, TILE + 1, 6, '#ffcf5c');
  box(ctx, x, y + 18, TILE + 1, 4, '#b98a2b');
  ctx.strokeStyle = '#b98a2b';
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.moveTo(x, y + 18);
  ctx.lineTo(x + TILE / 2, y + 6);
  ctx.lineTo(x + TILE, y + 18);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function ladder(ctx, x, y) {
  for (let i = 0; i < 3; i++) box(ctx, x + 6, y + 4 + i * 15, TILE - 12, 5, '#8fe3c9');
  box(ctx, x + 4, y, 5, TILE + 1, '#49b896');
  box(ctx, x + TILE - 9, y, 5, TILE + 1, '#49b896');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function spikes(ctx, x, y) {
  for (let i = 0; i < 3; i++) polygon(ctx, [[x + i * 15, y + TILE], [x + i * 15 + 7.5, y + 10], [x + i * 15 + 15, y + TILE]], '#ff5b6e', '#5c0f1c', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('../../kit/platform.js').TileMap} map
 * @param {number} x @param {number} y @param {number} col @param {number} row @param {number} frame */
function acid(ctx, map, x, y, col, row, frame) {
  const top = tileAt(map, col, row - 1) !== '~';
  box(ctx, x, y + (top ? 12 : 0), TILE + 1, TILE - (top ? 12 : 0) + 1, '#5fdb3c');
  if (top) for (let i = 0; i < 3; i++) disc(ctx, x + 8 + i * 15, y + 14 + Math.sin((frame + x + i * 30) / 16) * 3, 8, '#b9ff7a');
  else disc(ctx, x + 20, y + 20 - ((frame + col * 17) % 60) / 4, 5, '#b9ff7a');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function explorer(ctx, s) {
  const b = s.hero;
  ctx.save();
  ctx.translate(b.x + b.w / 2, b.y + b.h);
  ctx.scale(b.face, 1);
  if (b.flying) {
    const k = 12 + (s.frame % 4) * 5;
    polygon(ctx, [[-20, -8], [-14, 8 + k], [-8, -8]], '#ff9d2e');
    polygon(ctx, [[-17, -8], [-14, 2 + k / 2], [-11, -8]], '#fff3a0');
  }
  box(ctx, -21, -34, 13, 26, '#c0392b', { radius: 5, edge: COLORS.ink, line: 2 });
  legs(ctx, 0, -14, 0, b.walk, '#e8edf7', 8);
  box(ctx, -11, -34, 23, 24, '#ff8a3d', { radius: 8, edge: '#ffffff', line: 2 });
  box(ctx, -3, -26, 10, 7, '#2b3350', { radius: 2 });
  disc(ctx, 1, -43, 16, '#f4f7ff', COLORS.ink, 2.5);
  box(ctx, -5, -51, 21, 16, '#27b7e8', { radius: 8, edge: COLORS.ink, line: 2 });
  box(ctx, 6, -48, 6, 5, '#d9f6ff', { radius: 2 });
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, vx: number}} f @param {number} frame */
function crawler(ctx, f, frame) {
  for (let i = 0; i < 3; i++) {
    const d = Math.sin(frame / 5 + i * 2) * 4;
    box(ctx, f.x + 4 + i * 13 + d, f.y + 20, 6, 12, '#c3cbe0');
  }
  box(ctx, f.x, f.y + 2, 40, 20, '#e0356b', { radius: 10, edge: '#ffffff', line: 2.5 });
  disc(ctx, f.x + (f.vx > 0 ? 29 : 11), f.y + 11, 6, '#fff35c', COLORS.ink, 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, vx: number}} f @param {number} frame */
function drone(ctx, f, frame) {
  const w = 14 + 6 * Math.abs(Math.sin(frame / 2));
  box(ctx, f.x + 20 - w, f.y - 3, 2 * w, 5, '#dfe8ff', { radius: 2 });
  disc(ctx, f.x + 20, f.y + 16, 17, '#e0356b', '#ffffff', 2.5);
  disc(ctx, f.x + 20 + Math.sign(f.vx) * 6, f.y + 17, 7, '#fff35c', COLORS.ink, 2);
  polygon(ctx, [[f.x + 8, f.y + 29], [f.x + 13, f.y + 38], [f.x + 17, f.y + 31]], '#ffffff');
  polygon(ctx, [[f.x + 32, f.y + 29], [f.x + 27, f.y + 38], [f.x + 23, f.y + 31]], '#ffffff');
}

/** A can of fuel with a drop on it. @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number}} c @param {number} frame */
function can(ctx, c, frame) {
  const { x } = c;
  const y = c.y + Math.sin((frame + x) / 18) * 2;
  const glow = ctx.createRadialGradient(x, y, 6, x, y, 36);
  glow.addColorStop(0, 'rgba(255,157,46,0.45)');
  glow.addColorStop(1, 'rgba(255,157,46,0)');
  ctx.fillStyle = glow;
  ctx.fillRect(x - 36, y - 36, 72, 72);
  box(ctx, x - 5, y - 23, 14, 8, '#c9d2f0', { radius: 3, edge: COLORS.ink, line: 2 });
  box(ctx, x - 14, y - 16, 28, 34, '#ff9d2e', { radius: 6, edge: '#ffffff', line: 2.5 });
  disc(ctx, x, y + 5, 7, '#5a2400');
  polygon(ctx, [[x - 6, y + 2], [x, y - 11], [x + 6, y + 2]], '#5a2400');
}

/** Parts of a machine fly apart. @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, since: number}} w */
function wreck(ctx, w) {
  const k = w.since;
  for (let i = 0; i < 7; i++) {
    const a = i * 0.9 + 0.3;
    disc(ctx, w.x + Math.cos(a) * (8 + k * 1.6), w.y + Math.sin(a) * (8 + k * 1.2) + k * k * 0.05, 7 - k / 6, i % 2 ? '#e0356b' : '#fff35c', COLORS.ink, 1.5);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function rocket(ctx, s) {
  const r = rocketOf(s);
  const ready = s.score >= needOf(s);
  const x = r.x + TILE / 2;
  const y = r.y + TILE;
  polygon(ctx, [[x - 14, y - 30], [x - 32, y], [x - 10, y - 8]], '#e5484d', COLORS.ink);
  polygon(ctx, [[x + 14, y - 30], [x + 32, y], [x + 10, y - 8]], '#e5484d', COLORS.ink);
  polygon(ctx, [[x - 17, y - 8], [x - 19, y - 62], [x, y - 104], [x + 19, y - 62], [x + 17, y - 8]], '#eef2fb', COLORS.ink);
  polygon(ctx, [[x - 12, y - 78], [x, y - 104], [x + 12, y - 78]], '#e5484d', COLORS.ink, 2);
  disc(ctx, x, y - 58, 9, ready ? '#58e07a' : '#7b86a3', COLORS.ink);
  box(ctx, x - 9, y - 36, 18, 28, ready ? '#ffe27a' : '#55607f', { radius: 5, edge: COLORS.ink, line: 2 });
  if (ready) text(ctx, 'READY', x, y - 122, { size: 22, color: '#8dff9f', outline: '#06210d' });
}
