// @ts-check
/** Stone Keep, the picture: the building, the figures in it, the pistol, the panels and a small plan. */

import { box, COLORS, polygon, text } from '../../kit/draw.js';
import { hearts } from '../../kit/stages.js';
import { ammo, guard, medkit } from './figures.js';
import { charAt, isWall, PLAN } from './level.js';
import { AIM_DEGREES, LIVES } from './rules.js';
import { COLUMNS, drawWalls, SPREAD } from './walls.js';

const UNIT = 640 / SPREAD;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const depths = drawWalls(ctx, s.player, s.doors);
  figures(ctx, s, depths);
  crosshair(ctx);
  pistol(ctx, s);
  if (s.pain > 0) {
    ctx.fillStyle = `rgba(220,20,20,${(s.pain / 14) * 0.45})`;
    ctx.fillRect(0, 0, 1280, 720);
  }
  plan(ctx, s);
  panels(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {Float64Array} depths */
function figures(ctx, s, depths) {
  const a = (s.player.angle * Math.PI) / 180;
  /** @type {{depth: number, x: number, paint: (scale: number) => void}[]} */
  const list = [];
  /** @param {{x: number, y: number}} at @param {(scale: number) => void} paint */
  const add = (at, paint) => {
    const dx = at.x - s.player.x;
    const dy = at.y - s.player.y;
    const depth = dx * Math.cos(a) + dy * Math.sin(a);
    if (depth > 0.25) list.push({ depth, x: 640 + ((dy * Math.cos(a) - dx * Math.sin(a)) / depth) * UNIT, paint });
  };
  for (const t of s.things) add(t, () => (t.kind === 'ammo' ? ammo(ctx) : medkit(ctx)));
  for (const g of s.guards) add(g, () => guard(ctx, g, s.player));
  list.sort((p, q) => q.depth - p.depth);
  for (const f of list) {
    const scale = UNIT / f.depth;
    if (!clipTo(ctx, depths, f.depth, f.x, scale)) continue;
    ctx.translate(f.x, 360 + scale / 2);
    ctx.scale(scale, scale);
    f.paint(scale);
    ctx.restore();
  }
}

/** Leaves only the columns in which nothing nearer stands; the caller restores. False if there are none.
 * @param {CanvasRenderingContext2D} ctx @param {Float64Array} depths @param {number} depth @param {number} x
 * @param {number} scale */
function clipTo(ctx, depths, depth, x, scale) {
  const wide = 1280 / COLUMNS;
  const first = Math.max(0, Math.floor((x - scale * 0.6) / wide));
  const last = Math.min(COLUMNS - 1, Math.ceil((x + scale * 0.6) / wide));
  let any = false;
  ctx.save();
  ctx.beginPath();
  for (let i = first; i <= last; i++) {
    if (depths[i] < depth) continue;
    let j = i;
    while (j < last && depths[j + 1] >= depth) j++;
    ctx.rect(i * wide, 0, (j - i + 1) * wide, 720);
    any = true;
    i = j;
  }
  ctx.clip();
  if (!any) ctx.restore();
  return any;
}

/** The brackets between which a shot hits. @param {CanvasRenderingContext2D} ctx */
function crosshair(ctx) {
  const w = Math.tan((AIM_DEGREES * Math.PI) / 180) * UNIT;
  for (const [color, line] of /** @type {[string, number][]} */ ([['rgba(0,0,0,0.7)', 7], ['#7cf29c', 3]])) {
    ctx.strokeStyle = color;
    ctx.lineWidth = line;
    ctx.beginPath();
    for (const side of [-1, 1]) {
      ctx.moveTo(640 + side * (w - 18), 330);
      ctx.lineTo(640 + side * w, 330);
      ctx.lineTo(640 + side * w, 390);
      ctx.lineTo(640 + side * (w - 18), 390);
    }
    ctx.moveTo(630, 360);
    ctx.lineTo(650, 360);
    ctx.moveTo(640, 350);
    ctx.lineTo(640, 370);
    ctx.stroke();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function pistol(ctx, s) {
  const kick = s.flash * 5;
  ctx.save();
  ctx.translate(640 + Math.sin(s.bob * 0.16) * 8, 650 + Math.abs(Math.cos(s.bob * 0.16)) * 6 + kick);
  if (s.flash > 0) {
    polygon(ctx, [[0, -230], [26, -170], [70, -160], [30, -136], [0, -110], [-30, -136], [-70, -160], [-26, -170]], '#ffe066', '#ff9f1c', 4);
  }
  polygon(ctx, [[-34, 0], [-26, -120], [26, -120], [34, 0]], '#3d4656', '#10131a', 5);
  polygon(ctx, [[-14, -60], [-11, -132], [11, -132], [14, -60]], '#5a6579', '#10131a', 4);
  polygon(ctx, [[-90, 90], [-52, -30], [52, -30], [90, 90]], '#e0b08a', '#10131a', 5);
  ctx.restore();
}

/** Walls, doors and the player's place; not the guards. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function plan(ctx, s) {
  const k = 12;
  const left = 1280 - PLAN[0].length * k - 16;
  box(ctx, left - 8, 8, PLAN[0].length * k + 16, PLAN.length * k + 16, 'rgba(10,14,22,0.75)', { radius: 8 });
  PLAN.forEach((row, y) => {
    [...row].forEach((_, x) => {
      const c = charAt(x, y);
      if (isWall(c)) box(ctx, left + x * k, 16 + y * k, k, k, '#8a94a6');
      else if (c === 'D') box(ctx, left + x * k, 16 + y * k, k, k, '#f5c518');
    });
  });
  ctx.save();
  ctx.translate(left + s.player.x * k, 16 + s.player.y * k);
  ctx.rotate((s.player.angle * Math.PI) / 180);
  polygon(ctx, [[11, 0], [-7, 7], [-7, -7]], '#7cf29c', '#10131a', 2);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function panels(ctx, s) {
  box(ctx, 0, 660, 1280, 60, '#1b2330');
  box(ctx, 0, 656, 1280, 4, '#8a94a6');
  /** @type {[string, string|number, string][]} */
  const entries = [
    ['Guards down', `${s.kills} / ${s.guards.length}`, '#ffffff'],
    ['Health', s.health, s.health > 60 ? '#7cf29c' : s.health > 30 ? '#ffd43b' : '#ff6b6b'],
    ['Ammunition', s.ammo, s.ammo > 2 ? '#ffffff' : '#ff6b6b'],
  ];
  entries.forEach(([label, value, color], i) => {
    text(ctx, label, [28, 366, 660][i], 691, { size: 24, color: '#c9d3e6', align: 'left', bold: false });
    text(ctx, value, [310, 604, 960][i], 691, { size: 34, color, align: 'right' });
  });
  text(ctx, 'Lives', 1034, 691, { size: 24, color: '#c9d3e6', align: 'left', bold: false });
  hearts(ctx, 1112, 668, s.lives, LIVES);
  if (s.sinceLost < 120) {
    box(ctx, 390, 150, 500, 92, 'rgba(60, 10, 16, 0.86)', { radius: 14, edge: '#ff5d6c', line: 3 });
    text(ctx, 'A life is lost', 640, 180, { size: 32, color: '#ffffff' });
    text(ctx, `Back at the entrance; lives left: ${s.lives}`, 640, 217, { size: 23, color: '#ffc2c9', bold: false });
  }
  if (s.ammo === 0) text(ctx, 'No ammunition: look for a clip', 640, 620, { size: 28, color: COLORS.yellow, outline: COLORS.ink });
}
