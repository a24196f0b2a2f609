// @ts-check
/** The Halcyon, the pictures: a bright airship of cream, coral and brass, with the whole sky in its windows. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { chest, cupboard, desk, door, down, framed, glow, lamp, shadow, stroke, tone } from '../adventure/props.js';
import { WAYS } from './case.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#2a6f92', ink: '#16384a', paper: '#fdf8ec', accent: '#ff9d6c', dark: '#12384c' };
const INK = '#16384a';
const BRASS = '#d9a44a';
const CREAM = '#f6ead2';
/** Where in a room something may hang. @type {Record<string, number[][]>} */
export const SLOTS = {
  saloon: [[210, 50, 160, 130], [416, 50, 160, 130], [880, 50, 160, 130]],
  bridge: [[60, 46, 160, 130], [1060, 46, 160, 130]],
  engine: [[224, 56, 160, 130]],
};

/** A signal flag. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} w @param {number} h */
export function flag(ctx, what, x, y, w, h) {
  box(ctx, x, y, w, h, { cross: '#2456b0', disc: '#ffffff', halves: '#f4c82e', squares: '#ffffff', stripes: '#ffffff', frame: '#d8342e' }[what] ?? '#fff');
  if (what === 'cross') {
    box(ctx, x + w * 0.38, y, w * 0.24, h, '#ffffff');
    box(ctx, x, y + h * 0.36, w, h * 0.28, '#ffffff');
  }
  if (what === 'disc') disc(ctx, x + w / 2, y + h / 2, h * 0.33, '#d8342e');
  if (what === 'halves') box(ctx, x + w / 2, y, w / 2, h, '#1d2430');
  if (what === 'squares') for (const [a, b] of [[0, 0], [0.5, 0.5]]) box(ctx, x + a * w, y + b * h, w / 2, h / 2, '#2456b0');
  if (what === 'stripes') for (const b of [0, 0.4, 0.8]) box(ctx, x, y + b * h, w, h * 0.2, '#2f9a4e');
  if (what === 'frame') box(ctx, x + w * 0.27, y + h * 0.27, w * 0.46, h * 0.46, '#ffffff');
  box(ctx, x, y, w, h, 'rgba(0,0,0,0)', { edge: INK, line: 2 });
}

/** @type {Record<string, string>} */
const DYES = { anchor: '#2456b0', star: '#e0a020', fish: '#3aa0b0', umbrella: '#c8403c', bell: '#b07a1c', apple: '#4a9a3c' };
/** A luggage label. x, y: its middle. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} k */
export function label(ctx, what, x, y, k) {
  disc(ctx, x, y, 31 * k, '#fdf8ec', '#a8703c', 2 * k);
  put(ctx, what, x, y, DYES[what], 0.74 * k);
}

/** @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} r @param {number} [at] */
function gauge(ctx, what, x, y, r, at) {
  disc(ctx, x, y, r, BRASS, tone(BRASS, -0.45), r / 20);
  disc(ctx, x, y, r * 0.86, '#fdf8ec');
  const angle = (/** @type {number} */ n) => (-225 + n * 30) * (Math.PI / 180);
  if (at !== undefined) {
    for (let n = 0; n <= 9; n++) {
      const [c, s] = [Math.cos(angle(n)), Math.sin(angle(n))];
      stroke(ctx, [[x + c * r * 0.72, y + s * r * 0.72], [x + c * r * 0.82, y + s * r * 0.82]], INK, r / 26);
      if (r > 60) text(ctx, n, x + c * r * 0.57, y + s * r * 0.57, { size: Math.max(18, r * 0.2), color: INK });
    }
    stroke(ctx, [[x - Math.cos(angle(at)) * r * 0.16, y - Math.sin(angle(at)) * r * 0.16], [x + Math.cos(angle(at)) * r * 0.45, y + Math.sin(angle(at)) * r * 0.45]], '#d8342e', r / 14);
    disc(ctx, x, y, r * 0.09, INK);
  }
  const k = at === undefined ? r / 34 : r / 90;
  const [sx, sy] = [x, at === undefined ? y : y + r * 0.52];
  if (what === 'height') polygon(ctx, [[sx - 26 * k, sy + 14 * k], [sx - 8 * k, sy - 18 * k], [sx + 4 * k, sy], [sx + 12 * k, sy - 10 * k], [sx + 26 * k, sy + 14 * k]], '#4a7a5a');
  if (what === 'wind') for (const [dy, w] of [[-10, 18], [0, 26], [10, 14]]) stroke(ctx, [[sx - 24 * k, sy + dy * k], [sx + w * k, sy + dy * k], [sx + (w + 4) * k, sy + (dy - 7) * k]], '#3a8ac0', 4 * k);
  if (what === 'steam') for (const [dx, dy, q] of [[-12, 4, 11], [4, -2, 14], [16, 6, 9]]) disc(ctx, sx + dx * k, sy + dy * k, q * k, '#a8b2ba', '#6a747c', 2 * k);
}

/** @type {Record<string, (ctx: Ctx, s: any, x: number, y: number, w: number, h: number) => void>} What is told, painted into a place. */
export const CLUES = {
  gauges(ctx, s, x, y, w, h) {
    const big = w > 300;
    box(ctx, x, y, w, h, down(ctx, y, h, '#b87a4a', '#8a5230'), { radius: w / 24, edge: '#5a3018', line: w / 90 });
    ['height', 'wind', 'steam'].forEach((g, i) => {
      const [gx, gy] = [x + w * [0.27, 0.73, 0.5][i], y + h * [0.28, 0.28, 0.68][i]];
      gauge(ctx, g, gx, gy, h * 0.235, s.data.gauges[g]);
      if (big) text(ctx, g.toUpperCase(), gx, gy + h * 0.235 + 14, { size: 22, color: '#fdf8ec' });
    });
  },
  flags(ctx, s, x, y, w, h) {
    box(ctx, x, y, w, h, down(ctx, y, h, '#8fd0ec', '#e4f4fa'), { radius: w / 24, edge: BRASS, line: w / 60 });
    box(ctx, x + w * 0.3, y + h * 0.04, w * 0.03, h * 0.92, '#8a5a34');
    s.data.flags.forEach((/** @type {string} */ f, /** @type {number} */ i) => flag(ctx, f, x + w * 0.34, y + h * (0.06 + i * 0.23), w * 0.34, h * 0.2));
  },
  cases(ctx, s, x, y, w, h) {
    box(ctx, x, y, w, h, down(ctx, y, h, '#7fb0a8', '#5a8a86'), { radius: w / 24, edge: '#3a5a58', line: w / 90 });
    s.data.cases.forEach((/** @type {any} */ c, /** @type {number} */ i) => {
      const cx = x + w * (0.27 + (i % 2) * 0.46);
      const cy = y + h * (0.27 + Math.floor(i / 2) * 0.48);
      const [cw, ch] = [w * 0.36, h * 0.32];
      box(ctx, cx - cw * 0.16, cy - ch * 0.66, cw * 0.32, ch * 0.24, 'rgba(0,0,0,0)', { radius: w / 50, edge: '#3a2414', line: w / 80 });
      box(ctx, cx - cw / 2, cy - ch / 2, cw, ch, ['#b0623c', '#8a5a8a', '#c89a4a', '#4a6a9a'][i], { radius: w / 40, edge: '#3a2414', line: w / 120 });
      label(ctx, c.label, cx - cw * 0.2, cy, w / 560);
      if (w < 300) return;
      box(ctx, cx + cw * 0.06, cy - 24, cw * 0.38, 48, '#fdf8ec', { radius: 6, edge: INK, line: 2 });
      text(ctx, `${c.weight} kg`, cx + cw * 0.25, cy + 1, { size: 24, color: INK });
    });
  },
  route(ctx, s, x, y, w, h) {
    box(ctx, x, y, w, h, '#f2e2b8', { radius: w / 40, edge: '#a8703c', line: w / 70 });
    for (let i = 0; i < 7; i++) stroke(ctx, [[x + w * 0.04, y + h * (0.08 + i * 0.14)], [x + w * 0.96, y + h * (0.08 + i * 0.14)]], 'rgba(90,150,170,0.28)', w / 300);
    let at = [0, 0];
    const points = [at, ...s.data.route.map((/** @type {string} */ leg) => (at = [at[0] + WAYS[leg][0], at[1] + WAYS[leg][1]]))];
    const mid = [0, 1].map((d) => (Math.min(...points.map((p) => p[d])) + Math.max(...points.map((p) => p[d]))) / 2);
    const step = h * 0.17;
    const on = points.map(([px, py]) => [x + w * 0.46 + (px - mid[0]) * step, y + h / 2 + (py - mid[1]) * step]);
    stroke(ctx, on, '#c8403c', w / 90, [w / 60, w / 50]);
    for (const [px, py] of on.slice(1, -1)) disc(ctx, px, py, w / 90, '#c8403c');
    home(ctx, on[0][0], on[0][1], w / 560);
    put(ctx, 'star', on[5][0], on[5][1], '#e0a020', w / 700);
    if (w < 300) return;
    const [cx, cy] = [x + w - 70, y + 84];
    for (const [n, [dx, dy]] of Object.entries(WAYS)) {
      polygon(ctx, [[cx + dx * 34, cy + dy * 34], [cx - dy * 7, cy + dx * 7], [cx + dy * 7, cy - dx * 7]], n === 'north' ? '#c8403c' : INK);
      text(ctx, n[0].toUpperCase(), cx + dx * 48, cy + dy * 48, { size: 20, color: INK });
    }
  },
};

/** A small house. x, y: its middle. @param {Ctx} ctx @param {number} x @param {number} y @param {number} k */
function home(ctx, x, y, k) {
  box(ctx, x - 18 * k, y - 8 * k, 36 * k, 28 * k, '#fdf8ec', { edge: INK, line: 2.5 * k });
  polygon(ctx, [[x - 25 * k, y - 8 * k], [x, y - 30 * k], [x + 25 * k, y - 8 * k]], '#c8403c', INK, 2.5 * k);
}

/** The wall behind a lock, and its plate. @param {Ctx} ctx @param {string} lock */
function wall(ctx, lock) {
  const c = { bar: '#8a4a3c', trunk: '#4a6a8a', chest: '#7a5a34', locker: '#5a7a7a' }[lock] ?? '#777777';
  box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, tone(c, 0.18), tone(c, -0.35)));
  for (const x of [120, 1130]) for (let y = 40; y < 500; y += 70) disc(ctx, x, y, 9, BRASS, tone(BRASS, -0.5), 2);
  box(ctx, 340, 6, 600, 102, '#fdf8ec', { radius: 10, edge: BRASS, line: 6 });
}

/** An arrow. @param {Ctx} ctx @param {number[]} from @param {number[]} to */
function arrow(ctx, from, to) {
  const a = Math.atan2(to[1] - from[1], to[0] - from[0]);
  stroke(ctx, [from, [to[0] - Math.cos(a) * 14, to[1] - Math.sin(a) * 14]], INK, 7);
  polygon(ctx, [to, [to[0] - Math.cos(a - 0.5) * 28, to[1] - Math.sin(a - 0.5) * 28], [to[0] - Math.cos(a + 0.5) * 28, to[1] - Math.sin(a + 0.5) * 28]], INK);
}

/** @param {string} lock @param {string} kind */
export const plate = (lock, kind) => (/** @type {Ctx} */ ctx, /** @type {any} */ s) => {
  wall(ctx, lock);
  if (kind === 'gauges') s.data.order.forEach((/** @type {string} */ g, /** @type {number} */ i) => gauge(ctx, g, 490 + i * 150, 57, 44));
  if (kind === 'flags') {
    box(ctx, 560, 16, 8, 84, '#8a5a34');
    for (let i = 0; i < 4; i++) box(ctx, 568, 18 + i * 20, 44, 16, 'rgba(0,0,0,0)', { edge: INK, line: 3 });
    if (s.data.turned.flags) arrow(ctx, [700, 98], [700, 16]);
    else arrow(ctx, [700, 16], [700, 98]);
  }
  if (kind === 'cases') {
    for (let i = 0; i < 4; i++) {
      const k = s.data.turned.cases ? 3 - i : i;
      const [w, h] = [44 + k * 16, 26 + k * 13];
      box(ctx, 415 + i * 150 - w / 2, 98 - h, w, h, '#c89a4a', { radius: 6, edge: INK, line: 3 });
      box(ctx, 415 + i * 150 - w / 6, 91 - h, w / 3, 8, 'rgba(0,0,0,0)', { radius: 3, edge: INK, line: 3 });
    }
  }
};

/** @param {string} lock */
export const buttonsWith = (lock) => (/** @type {Ctx} */ ctx, /** @type {any} */ s) => {
  wall(ctx, lock);
  const ends = [540, 740];
  home(ctx, ends[0], 60, 1);
  put(ctx, 'star', ends[1], 57, '#e0a020', 0.9);
  if (s.data.turned.route) arrow(ctx, [690, 57], [590, 57]);
  else arrow(ctx, [590, 57], [690, 57]);
  for (const [x, y] of Object.values(WAYS)) {
    const [bx, by] = [586 + x * 130, 262 + y * 100];
    box(ctx, bx, by, 108, 88, down(ctx, by, 88, tone(BRASS, 0.3), tone(BRASS, -0.2)), { radius: 18, edge: tone(BRASS, -0.5), line: 4 });
    arrow(ctx, [bx + 54 - x * 30, by + 44 - y * 28], [bx + 54 + x * 34, by + 44 + y * 32]);
  }
  for (let i = 0; i < 5; i++) {
    const leg = s.vars.pressed[i];
    box(ctx, 900, 150 + i * 62, 70, 54, leg ? '#fff3c4' : '#22323a', { radius: 8, edge: tone(BRASS, -0.4), line: 3 });
    if (!leg) continue;
    const [x, y] = WAYS[leg];
    arrow(ctx, [935 - x * 18, 177 + i * 62 - y * 16], [935 + x * 22, 177 + i * 62 + y * 20]);
  }
};

/** What is outside: clouds, or a meadow. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
function outside(ctx, s, x, y, w, h) {
  const low = s.flags.valve;
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
  box(ctx, x, y, w, h, down(ctx, y, h, '#3f9ad4', '#a8def4', '#eefaff'));
  for (let i = 0; i < 7; i++) {
    const cx = x + ((i * 190 + s.ticks * 0.5) % (w + 260)) - 130;
    const cy = y + h * (low ? 0.16 + (i % 2) * 0.12 : 0.25 + ((i * 37) % 60) / 100);
    for (const [dx, dy, r] of [[-40, 8, 24], [-12, -8, 34], [24, 0, 30], [54, 10, 20]]) disc(ctx, cx + dx, cy + dy, r, 'rgba(255,255,255,0.92)');
  }
  if (low) {
    box(ctx, x, y + h * 0.55, w, h * 0.45, down(ctx, y + h * 0.55, h * 0.45, '#9ccf5a', '#5f9a3a'));
    for (let i = 0; i < 9; i++) disc(ctx, x + ((i * 97 + s.ticks) % (w + 60)) - 30, y + h * 0.55, 18 + (i % 3) * 8, '#4f8a3a');
    for (let i = 0; i < 30; i++) disc(ctx, x + ((i * 53 + s.ticks * 1.6) % w), y + h * (0.68 + ((i * 29) % 30) / 100), 3, i % 3 ? '#fff6c0' : '#f4c82e');
    const cow = x + ((s.ticks * 1.2 + w * 0.4) % (w + 160)) - 80;
    box(ctx, cow - 34, y + h * 0.7, 68, 34, '#fdf8ec', { radius: 14, edge: '#3a2a20', line: 3 });
    disc(ctx, cow - 10, y + h * 0.7 + 14, 10, '#3a2a20');
    disc(ctx, cow + 42, y + h * 0.7 + 4, 14, '#fdf8ec', '#3a2a20', 3);
    for (const dx of [-24, 22]) box(ctx, cow + dx, y + h * 0.7 + 32, 7, 20, '#3a2a20');
  }
  ctx.restore();
}

/** Panelled walls. @param {Ctx} ctx @param {string} c @param {string} floor */
function cabin(ctx, c, floor) {
  box(ctx, 0, 0, 1280, 400, down(ctx, 0, 400, tone(c, 0.12), tone(c, -0.06)));
  for (let x = 0; x < 1280; x += 160) {
    box(ctx, x + 8, 210, 144, 168, 'rgba(255,255,255,0.18)', { radius: 8, edge: tone(c, -0.2), line: 3 });
    box(ctx, x - 4, 0, 8, 400, tone(c, -0.16));
    for (const y of [16, 190, 390]) disc(ctx, x, y, 6, BRASS, tone(BRASS, -0.4), 2);
  }
  box(ctx, 0, 0, 1280, 14, tone(c, -0.4));
  box(ctx, 0, 396, 1280, 12, BRASS);
  box(ctx, 0, 408, 1280, 116, down(ctx, 408, 116, tone(floor, -0.15), tone(floor, 0.1)));
  for (let i = -8; i <= 8; i++) stroke(ctx, [[640 + i * 100, 408], [640 + i * 190, 524]], tone(floor, -0.3), 3);
}

/** What hangs in a room. @param {Ctx} ctx @param {any} s @param {string} room */
function hung(ctx, s, room) {
  for (const [kind, place] of Object.entries(s.data.where)) {
    if (place.room !== room) continue;
    const [x, y, w, h] = SLOTS[room][place.slot];
    framed(ctx, x + 12, y + 10, w - 24, h - 22, BRASS, (c, pw, ph) => CLUES[kind](c, s, 0, 0, pw, ph));
  }
}

/** What lies in a lock that is open. @param {Ctx} ctx @param {any} s @param {string} lock @param {number} x @param {number} y */
function inside(ctx, s, lock, x, y) {
  if (!s.flags[lock] || s.flags[`took_in_${lock}`]) return;
  const [name, color] = /** @type {Record<string, [string, string]>} */ ({ handle: ['crank', '#e0a84c'], fuse: ['fuse', '#e0a84c'], wheel: ['gear', '#c8503c'], ladder: ['rope', '#d8bd8a'] })[s.data.holds[lock]];
  glow(ctx, x, y, 90, '255,235,160', 0.8);
  put(ctx, name, x, y, color, 1.2);
}

export const draws = {
  saloon(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    cabin(ctx, CREAM, '#b9764e');
    door(ctx, 44, 130, 132, 262, '#3f8a9a', { knob: BRASS });
    disc(ctx, 110, 200, 46, BRASS, tone(BRASS, -0.4), 4);
    ctx.save();
    ctx.beginPath();
    ctx.arc(110, 200, 38, 0, 7);
    ctx.clip();
    outside(ctx, s, 70, 160, 80, 80);
    ctx.restore();
    hung(ctx, s, 'saloon');
    box(ctx, 606, 26, 238, 186, BRASS, { radius: 24 });
    ctx.save();
    ctx.beginPath();
    ctx.roundRect(620, 40, 210, 158, 18);
    ctx.clip();
    outside(ctx, s, 620, 40, 210, 158);
    ctx.restore();
    box(ctx, 722, 40, 6, 158, BRASS);
    cupboard(ctx, 216, 222, 178, 174, '#8a4a3c', { open: s.flags.bar });
    if (!s.flags.bar) for (let i = 0; i < 3; i++) box(ctx, 262 + i * 30, 270, 24, 32, '#fdf8ec', { radius: 4, edge: BRASS, line: 3 });
    for (const [x, c] of /** @type {[number, string][]} */ ([[244, '#4a9a6a'], [286, '#c8503c'], [330, '#3f8ac0'], [370, '#e0a84c']])) put(ctx, 'bottle', x, 198, c, 0.72);
    inside(ctx, s, 'bar', 305, 340);
    lamp(ctx, 515, 232, 34, '#ff9d6c', { foot: 0, chain: 34 });
    shadow(ctx, 540, 424, 240);
    box(ctx, 430, 296, 220, 90, '#f2785a', { radius: 26, edge: '#a8402c', line: 4 });
    for (const x of [484, 540, 596]) disc(ctx, x, 332, 6, '#a8402c');
    box(ctx, 420, 362, 240, 46, '#ff9272', { radius: 16, edge: '#a8402c', line: 4 });
    for (const x of [436, 628]) box(ctx, x, 404, 18, 20, '#8a5a34');
    desk(ctx, 690, 372, 130, 84, '#c98f5a');
    box(ctx, 690, 366, 130, 10, '#fdf8ec', { radius: 5 });
    put(ctx, 'teapot', 726, 346, '#f2ede0', 0.9);
    box(ctx, 766, 340, 50, 26, '#8a4a2c', { radius: 5 });
    box(ctx, 764, 332, 54, 14, '#fff0f4', { radius: 6 });
    disc(ctx, 791, 328, 6, '#d8342e');
    chest(ctx, 856, 344, 178, 104, '#4a6a8a', s.flags.trunk);
    if (!s.flags.trunk) for (let i = 0; i < 3; i++) label(ctx, ['star', 'fish', 'bell'][i], 892 + i * 52, 372, 0.55);
    inside(ctx, s, 'trunk', 945, 352);
    box(ctx, 1046, 204, 62, 114, '#b97f4a', { radius: 6, edge: '#6a4020' });
    for (let i = 0; i < 3; i++) box(ctx, 1054 + i * 16, 212 + i * 8, 24, 44, ['#3f8ab0', '#c8503c', '#5a7a4a'][i], { edge: '#222', line: 2 });
    for (let i = 0; i < 3; i++) box(ctx, 1054 + i * 16, 266 + i * 6, 22, 36, ['#f0d8a0', '#6aa8c8', '#d88a5a'][i], { edge: '#222', line: 2 });
    door(ctx, 1124, 116, 122, 280, '#b9764e', { open: s.flags.bridge, behind: '#8fd0ec', knob: s.flags.bridge ? BRASS : '#3a2414' });
    if (!s.flags.bridge) box(ctx, 1222, 250, 22, 22, '#1c120a', { edge: BRASS, line: 4 });
  },
  bridge(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    cabin(ctx, '#cfe3ea', '#8a5a34');
    box(ctx, 280, 6, 720, 204, '#8a5a34', { radius: 30 });
    ctx.save();
    ctx.beginPath();
    ctx.roundRect(296, 20, 688, 176, 22);
    ctx.clip();
    outside(ctx, s, 296, 20, 688, 176);
    ctx.restore();
    for (const x of [464, 640, 812]) box(ctx, x, 20, 10, 176, '#8a5a34');
    hung(ctx, s, 'bridge');
    door(ctx, 46, 206, 118, 194, '#b9764e', { open: true, behind: CREAM });
    box(ctx, 208, 250, 18, 150, BRASS, { radius: 9 });
    polygon(ctx, [[192, 232], [242, 232], [230, 262], [204, 262]], BRASS, tone(BRASS, -0.5));
    polygon(ctx, [[262, 330], [490, 330], [470, 450], [282, 450]], '#a8703c', '#5a3018', 4);
    polygon(ctx, [[262, 330], [490, 330], [474, 300], [278, 300]], '#c98f5a', '#5a3018', 4);
    put(ctx, 'watch', 316, 360, BRASS, 0.8);
    put(ctx, 'globe', 376, 356, '#c98f4a', 0.9);
    put(ctx, 'book', 438, 362, '#a8403c', 0.8);
    for (let i = 0; i < 5; i++) disc(ctx, 300 + i * 38, 420, 8, ['#d8342e', '#f4c82e', '#2f9a4e', '#2456b0', '#fdf8ec'][i], INK, 2);
    disc(ctx, 527, 214, 6, BRASS, tone(BRASS, -0.4), 2);
    polygon(ctx, [[512, 218], [542, 218], [558, 294], [496, 294]], '#2a4a6a', '#12243a', 3);
    for (const y of [240, 260, 280]) disc(ctx, 527, y, 4, BRASS);
    shadow(ctx, 640, 450, 200);
    polygon(ctx, [[612, 450], [626, 330], [654, 330], [668, 450]], '#8a5a34', '#4a2c14', 4);
    for (let i = 0; i < 8; i++) {
      const a = (i * Math.PI) / 4 + Math.sin(s.ticks / 90) * 0.3;
      stroke(ctx, [[640, 320], [640 + Math.cos(a) * 94, 320 + Math.sin(a) * 94]], '#6a3f1c', 11);
    }
    ctx.beginPath();
    ctx.arc(640, 320, 68, 0, 7);
    ctx.strokeStyle = '#8a5228';
    ctx.lineWidth = 16;
    ctx.stroke();
    disc(ctx, 640, 320, 20, BRASS, tone(BRASS, -0.5), 4);
    chest(ctx, 780, 336, 180, 112, '#a8703c', s.flags.chest);
    inside(ctx, s, 'chest', 870, 344);
    door(ctx, 1046, 206, 128, 194, '#6a7f88', { open: s.flags.panel, behind: '#3a2a24', knob: '#222222' });
    if (!s.flags.panel) for (const y of [250, 330]) box(ctx, 1050, y, 120, 8, '#f4c82e');
    box(ctx, 1200, 214, 68, 122, '#4a5f68', { radius: 6, edge: '#22323a', line: 4 });
    for (const y of [244, 296]) box(ctx, 1222, y, 24, 12, BRASS);
    disc(ctx, 1234, 322, 7, s.flags.panel ? '#5aff8a' : '#d8342e');
    if (s.flags.panel) box(ctx, 1226, 252, 16, 48, '#e8f4fa', { radius: 4, edge: BRASS });
    else polygon(ctx, [[1238, 258], [1226, 276], [1234, 276], [1228, 292], [1244, 270], [1236, 270]], '#f4c82e');
  },
  engine(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    cabin(ctx, '#8fb0a8', '#5a4a44');
    for (let i = 0; i < 4; i++) {
      box(ctx, 0, 24 + i * 26, 1280, 12, down(ctx, 24 + i * 26, 12, '#e8a46a', '#8a4a24'));
      for (let x = 90 + i * 60; x < 1280; x += 330) box(ctx, x, 18 + i * 26, 18, 24, '#b06a3a', { radius: 4 });
    }
    hung(ctx, s, 'engine');
    door(ctx, 46, 116, 118, 280, '#6a7f88', { open: true, behind: '#cfe3ea' });
    for (const y of [300, 390]) box(ctx, 210, y, 190, 10, '#5a4a44');
    for (const [n, x, y, c] of /** @type {[string, number, number, string][]} */ ([['hammer', 244, 274, '#a8703c'], ['oil', 306, 272, '#c98f4a'], ['gear', 366, 270, '#b8a07a'], ['magnet', 260, 362, '#c8403c'], ['duck', 340, 364, '#f0c040']])) put(ctx, n, x, y, c, 0.85);
    shadow(ctx, 600, 424, 360);
    box(ctx, 440, 190, 320, 210, down(ctx, 190, 210, '#f0b078', '#b0622c', '#7a3c18'), { radius: 90, edge: '#4a200c', line: 5 });
    for (const x of [520, 600, 680]) box(ctx, x, 192, 10, 206, '#7a3c18');
    for (const x of [470, 700]) box(ctx, x, 396, 40, 26, '#3a2a24');
    box(ctx, 580, 90, 46, 106, '#b0622c', { edge: '#4a200c', line: 4 });
    disc(ctx, 560, 300, 38, '#2a1a12', BRASS, 6);
    disc(ctx, 560, 300, 26 + Math.sin(s.ticks / 12) * 2, '#ff8a3c');
    text(ctx, 'EDITH', 660, 250, { size: 26, color: '#fdf0d8' });
    for (let i = 0; i < 3; i++) disc(ctx, 604 + Math.sin(s.ticks / 30 + i) * 8, 90 - i * 28 - (s.ticks % 28), 14 + i * 5, 'rgba(255,255,255,0.45)');
    cupboard(ctx, 804, 156, 142, 244, '#5a7f86', { open: s.flags.locker, inside: '#22323a' });
    inside(ctx, s, 'locker', 875, 330);
    box(ctx, 1096, 130, 44, 266, down(ctx, 130, 266, '#e8a46a', '#8a4a24'), { edge: '#4a200c', line: 4 });
    box(ctx, 1056, 210, 124, 76, '#b0622c', { radius: 20, edge: '#4a200c', line: 5 });
    disc(ctx, 1118, 248, 22, '#3a2a24', BRASS, 5);
    if (s.flags.valve) {
      put(ctx, 'gear', 1118, 248, '#c8503c', 2.4);
      for (let i = 0; i < 6; i++) disc(ctx, 1180 + i * 16, 200 - i * 14 + Math.sin(s.ticks / 8 + i) * 6, 12 + i * 3, 'rgba(255,255,255,0.5)');
    } else box(ctx, 1112, 242, 12, 12, BRASS);
    text(ctx, 'GAS', 1118, 320, { size: 24, color: '#fdf0d8' });
    shadow(ctx, 1115, 484, 180);
    box(ctx, 1040, 424, 150, 60, '#b08a4a', { radius: 10, edge: '#5a3c1c', line: 4 });
    for (let x = 1054; x < 1186; x += 22) box(ctx, x, 428, 6, 52, '#8a6a34');
    box(ctx, 1066, 396, 98, 40, 'rgba(0,0,0,0)', { radius: 20, edge: '#5a3c1c', line: 6 });
    put(ctx, 'bottle', 1086, 410, '#a8703c', 0.8);
    put(ctx, 'fish', 1142, 418, '#7a9aa8', 0.7);
  },
};
