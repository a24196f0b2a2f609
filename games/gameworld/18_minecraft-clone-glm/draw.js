// @ts-check
/** Block Valley, the picture: the land, the block that is pointed at, crosshair, hotbar and what has been gathered. */

import { bar, box, COLORS, polygon, text } from '../../kit/draw.js';
import { project } from '../../kit/solid.js';
import { BLOCKS, ITEMS, SLOTS } from './blocks.js';
import { EYE, targeted } from './body.js';
import { gains } from './pack.js';
import { drawLand, FOCAL } from './view.js';

/** Colour and short name of each item. @type {Record<string, [string, string]>} */
const LOOKS = {
  dirt: ['#865e3e', 'Dirt'],
  wood_log: ['#68482a', 'Logs'],
  leaves: ['#2c7a34', 'Leaves'],
  stone: ['#868a92', 'Stone'],
  coal_ore: ['#26262c', 'Coal'],
  iron_ore: ['#f09654', 'Iron'],
};

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  drawLand(ctx, s);
  const t = targeted(s);
  if (t) frame(ctx, s, t);
  hand(ctx, s);
  crosshair(ctx);
  if (s.dig.part > 0) bar(ctx, 560, 400, 160, 20, s.dig.part, COLORS.yellow);
  const name = t ? BLOCKS[t.block].name.replace('_', ' ') : 'nothing in reach';
  box(ctx, 16, 14, 370, 44, 'rgba(16,20,30,0.78)', { radius: 12 });
  text(ctx, 'Pointing at', 30, 37, { size: 19, color: '#c9d3e6', align: 'left', bold: false });
  text(ctx, name, 372, 37, { size: 22, color: COLORS.white, align: 'right' });
  compass(ctx, s.player.yaw, s.player.pitch);
  gathered(ctx, s);
  hotbar(ctx, s);
}

/** The edge of the side that is pointed at. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s
 * @param {{x: number, y: number, z: number, before: number[]}} t */
function frame(ctx, s, t) {
  const p = s.player;
  // `project` looks along +z with yaw to the right, as the game does.
  const cam = { x: p.x, y: p.y + EYE, z: p.z, yaw: (p.yaw * Math.PI) / 180, pitch: (p.pitch * Math.PI) / 180, focal: FOCAL };
  const axis = [t.x, t.y, t.z].findIndex((v, i) => v !== t.before[i]);
  if (axis < 0) return;
  const [u, v] = [0, 1, 2].filter((i) => i !== axis);
  const points = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([du, dv]) => {
    const at = [t.x, t.y, t.z];
    at[axis] += t.before[axis] > at[axis] ? 1 : 0;
    at[u] += du;
    at[v] += dv;
    return project(cam, /** @type {import('../../kit/solid.js').Point} */ (at));
  });
  for (const [color, w] of /** @type {[string, number][]} */ ([['rgba(0,0,0,0.6)', 8], ['#ffffff', 4]])) {
    ctx.strokeStyle = color;
    ctx.lineWidth = w;
    ctx.lineJoin = 'round';
    ctx.beginPath();
    points.forEach((a, i) => {
      const b = points[(i + 1) % 4];
      if (!a || !b) return;
      ctx.moveTo(a.x, a.y);
      ctx.lineTo(b.x, b.y);
    });
    ctx.stroke();
  }
}

/** @param {CanvasRenderingContext2D} ctx */
function crosshair(ctx) {
  for (const [color, w] of /** @type {[string, number][]} */ ([['#000000', 7], ['#ffffff', 3]])) {
    ctx.strokeStyle = color;
    ctx.lineWidth = w;
    ctx.beginPath();
    ctx.moveTo(622, 360);
    ctx.lineTo(658, 360);
    ctx.moveTo(640, 342);
    ctx.lineTo(640, 378);
    ctx.stroke();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function hand(ctx, s) {
  ctx.save();
  ctx.translate(1080, 640);
  ctx.rotate(-0.35 - Math.abs(Math.sin(s.swing * 0.3)) * 0.5);
  ctx.scale(3.2, 3.2);
  const item = SLOTS[s.slot - 1];
  if (LOOKS[item]) box(ctx, -24, -50, 48, 48, LOOKS[item][0], { edge: COLORS.ink, line: 3 });
  else tool(ctx, item, 0, -30);
  polygon(ctx, [[-14, 60], [-12, -6], [12, -6], [16, 60]], '#e0b08a', COLORS.ink, 3);
  ctx.restore();
}

/** A tool of about 40 pixels. @param {CanvasRenderingContext2D} ctx @param {string} name @param {number} x @param {number} y */
function tool(ctx, name, x, y) {
  ctx.save();
  ctx.translate(x, y);
  box(ctx, -3, -18, 6, 42, '#a8683a', { edge: COLORS.ink, line: 2 });
  const metal = '#c8d2e0';
  if (name === 'pickaxe') {
    const head = [[-22, -8], [-14, -19], [0, -23], [14, -19], [22, -8], [10, -13], [0, -15], [-10, -13]];
    polygon(ctx, head, metal, COLORS.ink, 2);
  }
  if (name === 'axe') polygon(ctx, [[-3, -20], [-18, -24], [-20, -2], [-3, -6]], metal, COLORS.ink, 2);
  if (name === 'shovel') polygon(ctx, [[-9, -14], [-9, -26], [0, -33], [9, -26], [9, -14]], metal, COLORS.ink, 2);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} yaw @param {number} pitch */
function compass(ctx, yaw, pitch) {
  const names = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
  const level = pitch >= 0.5 ? `up ${Math.round(pitch)}°` : pitch <= -0.5 ? `down ${Math.round(-pitch)}°` : 'level';
  box(ctx, 530, 14, 220, 44, 'rgba(16,20,30,0.78)', { radius: 12 });
  text(ctx, `${names[Math.round(yaw / 45) % 8]}   ${level}`, 640, 37, { size: 22, color: COLORS.white });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function gathered(ctx, s) {
  const all = gains(s);
  box(ctx, 1094, 14, 170, 42 + 27 * ITEMS.length, 'rgba(16,20,30,0.78)', { radius: 12 });
  text(ctx, 'Gathered', 1110, 35, { size: 19, color: '#c9d3e6', align: 'left', bold: false });
  ITEMS.forEach((item, i) => {
    const y = 64 + 27 * i;
    box(ctx, 1110, y - 9, 18, 18, LOOKS[item][0], { edge: '#ffffff', line: 1.5 });
    text(ctx, LOOKS[item][1], 1138, y + 1, { size: 19, color: COLORS.white, align: 'left', bold: false });
    text(ctx, all[item], 1250, y + 1, { size: 21, color: COLORS.yellow, align: 'right' });
  });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function hotbar(ctx, s) {
  const items = /** @type {Record<string, number>} */ (s.items);
  SLOTS.forEach((slot, i) => {
    const x = 640 + (i - 4.5) * 76;
    const chosen = s.slot === i + 1;
    const style = { radius: 8, edge: chosen ? '#ffd43b' : '#8a94a6', line: chosen ? 5 : 2 };
    box(ctx, x + 3, 636, 70, 74, chosen ? 'rgba(90,100,60,0.92)' : 'rgba(16,20,30,0.8)', style);
    if (LOOKS[slot]) {
      box(ctx, x + 22, 658, 32, 32, LOOKS[slot][0], { edge: '#ffffff', line: 2 });
      text(ctx, items[slot], x + 66, 698, { size: 20, color: COLORS.white, align: 'right', outline: COLORS.ink });
    } else {
      tool(ctx, slot, x + 40, 680);
    }
    text(ctx, i + 1, x + 11, 649, { size: 18, color: '#ffd43b', align: 'left' });
  });
}
