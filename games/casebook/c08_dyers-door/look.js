// @ts-check
/** The Dyer's Door, the pictures: whitewashed rooms and honey-coloured wood, in which only the dyes are loud. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { icon, put } from '../adventure/icons.js';
import { armchair, chest, cupboard, desk, door, down, framed, glow, pane, room, rug, shadow, shelves, tone, tree } from '../adventure/props.js';
import { COLORS, PLANTS, SHELVES } from './case.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#5a3a4a', ink: '#3a2230', paper: '#fbf4e6', accent: '#f6c65a', dark: '#2a1822' };
/** @type {Record<string, string>} */
export const PAINT = { red: '#cf2f38', orange: '#f08a24', yellow: '#f7dc4a', green: '#3f9f56', blue: '#2c62c4', purple: '#8a45b0' };
const WOOD = '#a9783f';

/** A piece of cloth in one of the six colours. @param {Ctx} ctx @param {string} color @param {number} x @param {number} y @param {number} w @param {number} h */
export function swatch(ctx, color, x, y, w, h) {
  const c = PAINT[color];
  box(ctx, x, y, w, h, down(ctx, y, h, tone(c, 0.1), tone(c, -0.12)), { radius: 6, edge: tone(c, -0.5), line: 3 });
  for (let i = 1; i < 4; i++) box(ctx, x + (i * w) / 4 - 1, y + 4, 2, h - 8, 'rgba(255,255,255,0.22)');
}

/** A spool of thread. @param {Ctx} ctx @param {string} color @param {number} [k] */
export function spool(ctx, color, k = 1) {
  box(ctx, -15 * k, -20 * k, 30 * k, 40 * k, PAINT[color], { edge: '#4a2f18', line: 2 });
  for (let y = -12; y < 18; y += 7) box(ctx, -15 * k, y * k, 30 * k, 2 * k, 'rgba(0,0,0,0.25)');
  for (const y of [-28, 20]) box(ctx, -21 * k, y * k, 42 * k, 8 * k, '#a5703c', { radius: 3, edge: '#4a2f18', line: 2 });
}

/** What a plant looks like. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} k @param {string} c */
export function plant(ctx, what, x, y, k, c) {
  const D = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ r, /** @type {string} */ f = c) => disc(ctx, x + a * k, y + b * k, r * k, f);
  const P = (/** @type {number[][]} */ points) => polygon(ctx, points.map(([a, b]) => [x + a * k, y + b * k]), c);
  box(ctx, x - 2.5 * k, y - 4 * k, 5 * k, 46 * k, c);
  if (what === 'poppy') {
    for (let i = 0; i < 5; i++) D(Math.cos(i * 1.257 - 1.57) * 16, -16 + Math.sin(i * 1.257 - 1.57) * 16, 14);
    D(0, -16, 9, '#fbf4e6');
  } else if (what === 'thistle') {
    D(0, 0, 15);
    for (let i = -4; i <= 4; i++) P([[i * 3.4 - 2, -6], [i * 7.5, -42 + Math.abs(i) * 3], [i * 3.4 + 2, -6]]);
    P([[0, 30], [-28, 14], [-18, 30]]); P([[0, 34], [28, 18], [18, 34]]);
  } else if (what === 'fern') {
    for (let i = 0; i < 7; i++) for (const s of [-1, 1]) P([[0, -40 + i * 12], [s * (8 + i * 4), -36 + i * 12], [0, -30 + i * 12]]);
    P([[-4, -30], [0, -48], [4, -30]]);
  } else if (what === 'tulip') {
    P([[-20, -38], [-10, -24], [0, -42], [10, -24], [20, -38], [18, -8], [0, 4], [-18, -8]]); P([[0, 40], [-30, 0], [-10, 30]]); P([[0, 40], [30, 4], [10, 32]]);
  } else if (what === 'clover') {
    D(0, -28, 15); D(-17, -8, 15); D(17, -8, 15);
  } else {
    for (const [a, b] of [[-14, -30], [14, -34], [0, -16], [-20, -6], [20, -10]]) D(a, b, 9);
    P([[0, 24], [-26, 22], [-12, 8]]); P([[0, 24], [26, 22], [12, 8]]);
  }
}

/** @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function banner(ctx, s, x, y, w, h) {
  box(ctx, x - 14, y, w + 28, 10, '#7a5230', { radius: 5 });
  const band = h / 6;
  s.data.banner.forEach((/** @type {string} */ c, /** @type {number} */ i) => box(ctx, x, y + 10 + i * band, w, band + 1, PAINT[c], { edge: 'rgba(0,0,0,0.35)', line: 2 }));
  polygon(ctx, [[x, y + 10 + 5 * band], [x + w, y + 10 + 5 * band], [x + w / 2, y + h]], '#fbf4e6', '#7a5230', 2);
  polygon(ctx, [[x + w * 0.42, y + 5.15 * band], [x + w * 0.58, y + 5.15 * band], [x + w / 2, y + 5.75 * band]], '#5a3a4a');
}

/** @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function line(ctx, s, x, y, w, h) {
  for (const px of [x, x + w]) box(ctx, px - 8, y - 20, 16, h + 60, WOOD, { edge: tone(WOOD, -0.4), line: 2 });
  box(ctx, x, y, w, 4, '#5a4a3a');
  const pitch = w / 5;
  s.data.line.forEach((/** @type {string} */ c, /** @type {number} */ i) => {
    const sway = Math.sin(s.ticks / 45 + i) * 5;
    const left = x + i * pitch + pitch * 0.14;
    const wide = pitch * 0.72;
    const color = PAINT[c];
    polygon(ctx, [[left, y], [left + wide, y], [left + wide + sway, y + h], [left + sway, y + h * 0.97]], color, tone(color, -0.4), 2);
    polygon(ctx, [[left + wide * 0.3, y], [left + wide * 0.4, y], [left + wide * 0.42 + sway, y + h * 0.98], [left + wide * 0.28 + sway, y + h * 0.98]], tone(color, -0.14));
    for (const f of [0.06, 0.86]) box(ctx, left + wide * f, y - 8, 7, 20, '#e8d2a0', { edge: '#7a5a30', line: 1 });
  });
}

/** Five cloths like the lines of a star: each crosses each other one. x, y: the middle. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} k */
export function cloths(ctx, s, x, y, k) {
  box(ctx, x - 420 * k, y - 240 * k, 840 * k, 480 * k, '#c99a5f', { radius: 12, edge: '#7a5230', line: 5 });
  for (let i = 1; i < 8; i++) box(ctx, x - 416 * k, y - 240 * k + i * 60 * k, 832 * k, 2, '#b3854c');
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(1.5 * k, k);
  const tip = (/** @type {number} */ i) => [Math.sin((i * 4 * Math.PI) / 5) * 215, -Math.cos((i * 4 * Math.PI) / 5) * 215 + 14];
  // Which arm of the star is whose says nothing: by the alphabet.
  const sorted = [...s.data.cloths].sort();
  for (const c of s.data.cloths) {
    const i = sorted.indexOf(c);
    const [ax, ay] = tip(i);
    const [bx, by] = tip(i + 1);
    ctx.save();
    ctx.translate((ax + bx) / 2, (ay + by) / 2);
    ctx.rotate(Math.atan2(by - ay, bx - ax));
    box(ctx, -232, -19, 464, 46, 'rgba(0,0,0,0.25)', { radius: 4 });
    box(ctx, -232, -23, 464, 46, PAINT[c], { radius: 4, edge: tone(PAINT[c], -0.5), line: 3 });
    for (const y2 of [-15, 13]) box(ctx, -226, y2, 452, 2, 'rgba(255,255,255,0.4)');
    ctx.restore();
  }
  ctx.restore();
}

/** @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function sampler(ctx, s, x, y, w, h) {
  framed(ctx, x, y, w, h, '#8a5a33', (c) => {
    box(c, 0, 0, w, h, '#f6eeda');
    for (let i = 0; i < 26; i++) for (const py of [8, h - 12]) box(c, 8 + (i * (w - 16)) / 26, py, w / 60, 4, i % 2 ? '#b8a07a' : '#d8c49a');
    PLANTS.forEach((p, i) => plant(c, p, w * (1 / 6 + (i % 3) / 3), h * (0.28 + 0.46 * Math.floor(i / 3)), h / 230, PAINT[s.data.plants[p]]));
  });
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} color */
function jar(ctx, x, y, w, h, color) {
  box(ctx, x, y, w, h, 'rgba(235,245,245,0.85)', { radius: w * 0.2, edge: '#8a8f8a', line: 2 });
  box(ctx, x + 3, y + h * 0.22, w - 6, h * 0.74, PAINT[color], { radius: w * 0.16 });
  box(ctx, x + w * 0.1, y - h * 0.1, w * 0.8, h * 0.16, '#a5703c', { radius: 3 });
}

/** @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function jars(ctx, s, x, y, w, h) {
  box(ctx, x, y, w, h, '#7a5230', { radius: 6, edge: '#4a2f18', line: 3 });
  const row = h / 4;
  s.data.jars.forEach((/** @type {string[]} */ two, /** @type {number} */ i) => {
    const top = y + i * row;
    box(ctx, x + w * 0.02, top + row * 0.06, w * 0.96, row * 0.84, '#efe2c4');
    text(ctx, SHELVES[i], x + w * 0.11, top + row * 0.5, { size: Math.max(18, row * 0.42), color: '#4a2f18' });
    two.forEach((c, n) => jar(ctx, x + w * (0.26 + 0.5 * n), top + row * 0.2, w * 0.13, row * 0.68, c));
    ctx.beginPath();
    ctx.arc(x + w * 0.575, top + row * 0.52, row * 0.26, 0, Math.PI);
    ctx.fillStyle = '#cfc8b8';
    ctx.fill();
    ctx.strokeStyle = '#8a8578';
    ctx.lineWidth = 2;
    ctx.stroke();
  });
}

/** @param {Ctx} ctx @param {any} s */
export function musicBox(ctx, s) {
  box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#d9c4a0', '#8a6a4a'));
  box(ctx, 240, 230, 660, 220, down(ctx, 230, 220, '#8a4a3a', '#5a2a22'), { radius: 14, edge: '#3a1812', line: 5 });
  for (let i = 0; i < 5; i++) {
    const x = 320 + i * 125;
    const up = s.vars.turn === i;
    box(ctx, x - 26, 226, 52, 12, '#2a120c', { radius: 5 });
    box(ctx, x - 4, up ? 70 : 196, 8, up ? 162 : 36, '#c9a04a');
    if (up) {
      swatch(ctx, s.data.song[i], x + 4, 72, 90, 66);
      glow(ctx, x + 40, 104, 90, '255,240,190', 0.35);
    } else disc(ctx, x, 192, 9, '#c9a04a');
    text(ctx, i + 1, x, 270, { size: 24, color: '#f0d28a' });
    for (let k = 0; k < 3; k++) disc(ctx, x - 30 + k * 30, 330 + ((i + k) % 3) * 32, 7, '#f0d28a');
  }
  const a = (s.vars.turn + 1) * 1.05;
  disc(ctx, 960, 330, 22, '#c9a04a', '#5b4312', 4);
  ctx.strokeStyle = '#c9a04a';
  ctx.lineWidth = 14;
  ctx.beginPath();
  ctx.moveTo(960, 330);
  ctx.lineTo(1005, 330 - 40 + Math.sin(a) * 8);
  ctx.lineTo(1040, 290 + Math.cos(a) * 8);
  ctx.stroke();
  disc(ctx, 1040, 290 + Math.cos(a) * 8, 20, '#7d4a24', '#3a1812', 3);
  text(ctx, 'CRANK', 1005, 408, { size: 20, color: '#3a2230' });
}

/** @param {Ctx} ctx @param {any} s */
export function bellsWith(ctx, s) {
  plate('#5a6a8a', (c) => {
    box(c, 580, 40, 120, 44, '#6a3a2a', { radius: 5, edge: '#3a2a14' });
    for (let i = 0; i < 5; i++) polygon(c, [[592 + i * 22, 40], [592 + i * 22, 18], [606 + i * 22, 26]], '#3a2a14');
    box(c, 700, 56, 26, 7, '#3a2a14');
  })(ctx, s);
  box(ctx, 190, 130, 900, 250, down(ctx, 130, 250, '#7a5230', '#5a3a20'), { radius: 14, edge: '#2f1c0c', line: 5 });
  box(ctx, 206, 168, 868, 10, '#c9a04a', { radius: 5 });
  COLORS.forEach((c, i) => {
    const x = 270 + i * 148;
    ctx.save();
    ctx.translate(x, 280);
    ctx.scale(2.1, 2.1);
    icon(ctx, 'bell', PAINT[c]);
    ctx.restore();
    box(ctx, x - 3, 176, 6, 50, '#c9a04a');
  });
  text(ctx, 'RUNG LAST', 400, 444, { size: 20, color: '#fbf4e6' });
  for (let i = 0; i < 5; i++) {
    const c = s.vars.rung[i];
    box(ctx, 480 + i * 76, 412, 62, 62, '#241a28', { radius: 10, edge: '#c9a04a', line: 3 });
    if (c) swatch(ctx, c, 488 + i * 76, 420, 46, 46);
  }
}

/** The wall of a lock; a plate above says what is asked for. @param {string} wall @param {(ctx: Ctx, s: any) => void} hint */
export const plate = (wall, hint) => (/** @type {Ctx} */ ctx, /** @type {any} */ s) => {
  box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, tone(wall, 0.15), tone(wall, -0.45)));
  box(ctx, 300, 4, 680, 106, '#e8d09a', { radius: 14, edge: '#5a4218', line: 4 });
  hint(ctx, s);
};

/** The loom from near: five pegs above, the treadle below. @param {Ctx} ctx @param {any} s */
export function loom(ctx, s) {
  room(ctx, { wall: '#d9c8a8', floor: '#a9783f', pattern: 'planks' });
  for (const x of [200, 1030]) box(ctx, x, 20, 50, 480, down(ctx, 20, 480, tone(WOOD, 0.1), tone(WOOD, -0.3)), { radius: 8, edge: '#5a3a1a' });
  box(ctx, 190, 84, 900, 34, WOOD, { radius: 8, edge: '#5a3a1a' });
  box(ctx, 250, 330, 780, 30, WOOD, { radius: 8, edge: '#5a3a1a' });
  for (let i = 0; i < 5; i++) {
    const x = 360 + i * 140;
    const c = s.vars.pegs[i];
    box(ctx, x - 54, 122, 108, 168, 'rgba(90,58,26,0.18)', { radius: 12, edge: 'rgba(90,58,26,0.5)', line: 2 });
    box(ctx, x - 6, 116, 12, 60, '#7a5230');
    text(ctx, i + 1, x, 274, { size: 24, color: '#5a3a1a' });
    if (!c) continue;
    for (let k = -3; k <= 3; k++) box(ctx, x + k * 14, 250, 3, 110, PAINT[c]);
    ctx.save();
    ctx.translate(x, 196);
    spool(ctx, c, 1.7);
    ctx.restore();
  }
  box(ctx, 420, 366, 440, 46, '#efe2c4', { edge: '#b8a07a' });
  for (let i = 0; i < 5; i++) box(ctx, 430 + i * 10, 368, 7, 42, '#d8cdb8');
  polygon(ctx, [[480, 500], [800, 500], [770, 430], [510, 430]], '#8a5a33', '#4a2f18', 4);
  text(ctx, 'TREADLE', 640, 466, { size: 24, color: '#fbf4e6' });
}

/** @param {Ctx} ctx @param {any} s @param {string} lock @param {number} x @param {number} y */
function inside(ctx, s, lock, x, y) {
  if (!s.flags[lock] || s.flags[`took_in_${lock}`]) return;
  glow(ctx, x, y, 70, '255,255,230', 0.6);
  ctx.save();
  ctx.translate(x, y);
  spool(ctx, s.data.holds[lock], 1.2);
  ctx.restore();
}

/** Small dials in a row, on what is locked. @param {Ctx} ctx @param {number} n @param {number} x @param {number} y */
function dials(ctx, n, x, y) {
  for (let i = 0; i < n; i++) box(ctx, x + (i - (n - 1) / 2) * 34 - 14, y - 18, 28, 36, PAINT[COLORS[i % 6]], { radius: 4, edge: '#3a2a14', line: 3 });
}

export const draws = {
  hall(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#efe3ca', floor: '#b98a55', pattern: 'plain', trim: '#8a5a33' });
    rug(ctx, 640, 470, 600, 90, '#7a4a5a', '#f0d28a');
    door(ctx, 540, 60, 200, 322, '#6a4a3a');
    for (const x of [490, 770]) box(ctx, x, 60, 24, 330, WOOD, { radius: 5, edge: '#5a3a1a' });
    for (const y of [80, 230, 330]) box(ctx, 484, y, 316, 20, WOOD, { radius: 5, edge: '#5a3a1a' });
    for (let i = 0; i < 44; i++) box(ctx, 522 + i * 5.4, 100, 2, 232, i % 5 ? 'rgba(255,250,235,0.75)' : 'rgba(200,180,150,0.8)');
    for (let i = 0; i < 5; i++) {
      const c = s.vars.pegs[i];
      disc(ctx, 540 + i * 50, 91, 15, c ? PAINT[c] : '#e8d2a0', '#5a3a1a', 3);
    }
    banner(ctx, s, 332, 44, 100, 200);
    for (const [t, x, c] of /** @type {[string, number, string][]} */ ([['VATS', 40, '#4a7a8a'], ['STORE', 180, '#7a5a86'], ['OFFICE', 860, '#5a7a5a'], ['YARD', 1000, '#a5703c']])) {
      door(ctx, x, 140, 112, 242, c);
      text(ctx, t, x + 56, 118, { size: 20, color: '#5a3a4a' });
    }
    for (const x of [1160, 1222]) box(ctx, x, 20, 14, 370, '#7a5230', { edge: '#4a2f18', line: 2 });
    for (let y = 60; y < 380; y += 46) box(ctx, 1160, y, 76, 12, '#8a5a33', { edge: '#4a2f18', line: 2 });
    box(ctx, 1140, 0, 116, 26, '#3a2230');
    text(ctx, 'LOFT', 1198, 404, { size: 20, color: '#5a3a4a' });
    shadow(ctx, 381, 440, 150);
    for (const x of [322, 424]) box(ctx, x, 380, 16, 58, '#7a5230');
    box(ctx, 312, 362, 138, 22, WOOD, { radius: 5, edge: '#5a3a1a' });
    shadow(ctx, 900, 492, 140);
    polygon(ctx, [[836, 430], [964, 430], [950, 494], [850, 494]], '#c9a060', '#7a5230', 4);
    for (const [dx, c] of /** @type {[number, string][]} */ ([[860, '#c9566a'], [900, '#4a7a8a'], [938, '#e0b84c']])) disc(ctx, dx, 426, 22, c, tone(c, -0.3), 2);
  },
  vats(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#c9d2cc', floor: '#7a7468', pattern: 'tiles' });
    pane(ctx, 460, 60, 200, 180, '#8a8f88', ['#dfe9ea', '#f4f7f4']);
    for (const [x, y, r] of [[540, 160, 34], [520, 128, 16], [560, 128, 16]]) disc(ctx, x, y, r, 'rgba(150,170,180,0.55)');
    box(ctx, 560, 176, 74, 14, 'rgba(150,170,180,0.55)', { radius: 7 });
    jars(ctx, s, 60, 44, 310, 230);
    box(ctx, 766, 130, 16, 250, '#7a5230', { radius: 8 });
    box(ctx, 750, 330, 48, 50, '#5a3a20', { radius: 8 });
    COLORS.forEach((c, i) => {
      const x = 44 + i * 106;
      shadow(ctx, x + 48, 490, 100);
      box(ctx, x, 356, 96, 132, down(ctx, 356, 132, '#9a6a42', '#6a4426'), { radius: 14, edge: '#3f2712' });
      for (const y of [384, 462]) box(ctx, x, y, 96, 9, '#5a5a5e');
      ctx.beginPath();
      ctx.ellipse(x + 48, 358, 48, 16, 0, 0, 7);
      ctx.fillStyle = PAINT[c];
      ctx.fill();
      for (let k = 0; k < 3; k++) disc(ctx, x + 30 + k * 18, 330 - ((s.ticks / 3 + k * 23 + i * 11) % 50), 10, 'rgba(255,255,255,0.35)');
    });
    shadow(ctx, 1020, 410, 260);
    box(ctx, 900, 300, 240, 104, down(ctx, 300, 104, '#d08a5a', '#8a4a2a'), { radius: 10, edge: '#4a2412', line: 4 });
    for (const x of [920, 1104]) box(ctx, x, 190, 16, 120, '#a5623a', { edge: '#4a2412', line: 2 });
    box(ctx, 904, 180, 232, 26, '#b8703f', { radius: 8, edge: '#4a2412' });
    box(ctx, 1008, 204, 24, s.flags.press ? 20 : 66, '#8a4a2a', { edge: '#4a2412', line: 2 });
    if (s.flags.press) box(ctx, 930, 318, 180, 70, '#2a1510', { radius: 8 });
    else dials(ctx, 5, 1020, 352);
    inside(ctx, s, 'press', 1020, 352);
    disc(ctx, 1215, 118, 8, '#3a2c1c');
    polygon(ctx, [[1186, 124], [1244, 124], [1256, 276], [1174, 276]], '#efe6d2', '#a89a7a', 3);
    COLORS.forEach((c, i) => disc(ctx, 1192 + ((i * 31) % 48), 156 + i * 18, 13, PAINT[c]));
  },
  yard(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 300, down(ctx, 0, 300, '#8fc4ea', '#e4f1ee'));
    for (const [x, y, r] of [[120, 60, 26], [160, 50, 34], [204, 62, 24], [840, 40, 22], [876, 34, 28]]) disc(ctx, x, y, r, 'rgba(255,255,255,0.9)');
    box(ctx, 0, 220, 1280, 90, '#d8c09a');
    for (let i = 0; i < 22; i++) box(ctx, i * 60 + (i % 2) * 8, 232 + (i % 3) * 24, 44, 16, '#c9ae84', { radius: 4 });
    box(ctx, 940, 20, 300, 292, '#e8d6b4', { edge: '#b3925f' });
    pane(ctx, 1010, 70, 150, 130, '#6a8a6a', ['#6a8a9a', '#a9c2c4']);
    tree(ctx, 1215, 320, 230, '#5f9a58');
    text(ctx, 'OFFICE', 1085, 246, { size: 20, color: '#5a3a4a' });
    box(ctx, 0, 300, 1280, 224, down(ctx, 300, 224, '#8fb96a', '#5f8f4a'));
    line(ctx, s, 210, 66, 560, 160);
    box(ctx, 92, 250, 30, 190, '#5a6a78', { radius: 8, edge: '#2f3a44' });
    box(ctx, 112, 286, 50, 18, '#5a6a78', { radius: 8, edge: '#2f3a44' });
    polygon(ctx, [[96, 260], [40, 320], [50, 330], [104, 276]], '#7a8a98', '#2f3a44', 2);
    box(ctx, 60, 424, 120, 30, '#8a8f94', { radius: 8, edge: '#4a5258' });
    box(ctx, 226, 430, 270, 64, '#6a4a30', { radius: 18, edge: '#4a3018' });
    PLANTS.forEach((p, i) => plant(ctx, p, 256 + i * 43, 428, 0.62, ['#e87a8a', '#b58ad0', '#4a8a4a', '#f0b04a', '#7ab060', '#4a5a9a'][i]));
    ctx.beginPath();
    ctx.ellipse(596, 452, 40, 20, 0, 0, 7);
    ctx.fillStyle = '#fbfaf4';
    ctx.fill();
    disc(ctx, 630, 432, 18, '#fbfaf4');
    polygon(ctx, [[616, 424], [618, 404], [630, 416]], '#fbfaf4');
    polygon(ctx, [[632, 416], [644, 404], [646, 426]], '#fbfaf4');
    for (const x of [624, 637]) disc(ctx, x, 431, 2.6, '#3a5a3a');
    disc(ctx, 620, 470, 9, PAINT.purple);
    shadow(ctx, 1015, 452, 250);
    polygon(ctx, [[886, 320], [1015, 270], [1144, 320]], '#a5502f', '#5a2412', 4);
    box(ctx, 900, 320, 230, 130, '#c9985a', { edge: '#6a4420', line: 4 });
    if (s.flags.hutch) box(ctx, 940, 336, 150, 100, '#2a1a10', { radius: 8 });
    else dials(ctx, 4, 1015, 388);
    inside(ctx, s, 'hutch', 1015, 388);
  },
  store(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#b8b0c4', floor: '#8a6a4a', pattern: 'stripes' });
    shelves(ctx, 40, 50, 300, 330, '#7a5a3f', ['#e8dcc0', '#c9566a', '#8fa9b8', '#d8b46a', '#9a86ac', '#7a9a7a'], 4);
    box(ctx, 488, 210, 14, 80, '#5a3a20');
    polygon(ctx, [[462, 90], [528, 90], [540, 140], [520, 210], [470, 210], [450, 140]], '#d8c09a', '#8a6a3a', 3);
    disc(ctx, 495, 76, 14, '#8a6a3a');
    box(ctx, 692, 180, 8, 80, '#8a6a2a');
    box(ctx, 646, 184, 100, 6, '#c9a04a');
    for (const [x, y] of [[652, 222], [738, 210]]) polygon(ctx, [[x - 26, y], [x + 26, y], [x + 14, y + 14], [x - 14, y + 14]], '#c9a04a', '#6a4a10', 2);
    put(ctx, 'feather', 944, 112, '#d8d0e8', 0.9);
    put(ctx, 'feather', 964, 120, '#cbbfe0', 0.7);
    shadow(ctx, 590, 470, 400);
    for (const x of [436, 726]) box(ctx, x, 400, 20, 70, '#6a4426');
    ctx.save();
    ctx.beginPath();
    ctx.rect(412, 270, 356, 190);
    ctx.clip();
    cloths(ctx, s, 590, 368, 0.4);
    ctx.restore();
    shadow(ctx, 1000, 434, 280);
    box(ctx, 880, 300, 240, 130, down(ctx, 300, 130, '#7a5230', '#5a3a20'), { radius: 10, edge: '#2f1c0c', line: 4 });
    if (s.flags.bells) box(ctx, 910, 316, 180, 96, '#1f120a', { radius: 8 });
    COLORS.forEach((c, i) => {
      box(ctx, 908 + i * 37, 270, 3, 16, '#c9a04a');
      if (!s.flags.bells) put(ctx, 'bell', 910 + i * 36, 350, PAINT[c], 0.6);
    });
    box(ctx, 890, 262, 220, 10, '#c9a04a', { radius: 5 });
    inside(ctx, s, 'bells', 1000, 364);
  },
  office(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#a9bfa4', floor: '#8a5f42', pattern: 'dots' });
    sampler(ctx, s, 122, 62, 236, 196);
    framed(ctx, 446, 66, 108, 148, '#c9a04a', (c, w, h) => {
      box(c, 0, 0, w, h, '#7a7a80');
      disc(c, w / 2, 58, 30, '#d8d8dc');
      disc(c, w / 2, 26, 16, '#a8a8b0');
      polygon(c, [[8, h], [30, 92], [78, 92], [100, h]], '#5a5a62');
      for (const x of [44, 64]) disc(c, x, 56, 4, '#3a3a40');
    });
    pane(ctx, 640, 50, 200, 170, '#8a5a33', ['#8fc4ea', '#dfeee8']);
    for (const [x, y, r] of [[690, 130, 44], [740, 100, 50], [790, 140, 46], [740, 160, 40]]) disc(ctx, x, y, r, '#5f9a58');
    box(ctx, 732, 150, 16, 70, '#6a4a2a');
    desk(ctx, 430, 350, 280, 120, '#7a4a36', { drawers: 2 });
    put(ctx, 'book', 490, 326, '#7a3a42', 0.9);
    put(ctx, 'letter', 580, 332, '#f2ecd8', 0.8);
    put(ctx, 'feather', 650, 320, '#8a45b0', 0.9);
    chest(ctx, 800, 310, 240, 150, '#5a7a6a', s.flags.coffer);
    if (!s.flags.coffer) dials(ctx, 5, 920, 400);
    inside(ctx, s, 'coffer', 920, 350);
    armchair(ctx, 1090, 280, 160, 180, '#b8607a');
    COLORS.forEach((c, i) => box(ctx, 1116 + (i % 3) * 36, 296 + Math.floor(i / 3) * 36, 34, 34, PAINT[c], { radius: 4 }));
  },
  loft(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#8a6f5a', floor: '#6a4e38', pattern: 'planks' });
    polygon(ctx, [[0, 0], [300, 0], [0, 260]], '#3f2c20');
    polygon(ctx, [[1280, 0], [1240, 0], [1280, 60]], '#3f2c20');
    for (const x of [280, 760]) box(ctx, x - 14, 0, 28, 60, '#4a3424');
    box(ctx, 0, 0, 1280, 24, '#4a3424');
    disc(ctx, 1145, 145, 86, '#4a3424');
    disc(ctx, 1145, 145, 72, '#a9d4ea');
    for (let i = 0; i < 5; i++) polygon(ctx, [[1092 + i * 24, 190], [1104 + i * 24, 160], [1116 + i * 24, 190]], ['#b06a6a', '#7a8a6a', '#a5906a', '#6a7a9a', '#9a6a8a'][i]);
    box(ctx, 1141, 73, 8, 144, '#4a3424');
    glow(ctx, 1100, 200, 320, '255,240,200', 0.3);
    box(ctx, 540, 166, 200, 12, '#5a3f2a');
    for (let i = 0; i < 3; i++) {
      const x = 576 + i * 62;
      ctx.beginPath();
      ctx.ellipse(x, 140, 24, 15, 0, 0, 7);
      ctx.fillStyle = ['#d8dce2', '#b8bcc8', '#e8e4dc'][i];
      ctx.fill();
      disc(ctx, x + 20, 122, 11, ['#c8ccd4', '#a8acb8', '#d8d4cc'][i]);
      polygon(ctx, [[x + 30, 120], [x + 40, 124], [x + 30, 127]], '#e0a04a');
      box(ctx, x - 2, 154, 4, 12, '#c9566a');
    }
    chest(ctx, 70, 330, 190, 126, '#7a4a3a');
    shadow(ctx, 410, 434, 220);
    for (const x of [324, 480]) box(ctx, x, 380, 16, 52, '#5a3a20');
    box(ctx, 306, 366, 208, 18, '#8a5a33', { radius: 5, edge: '#4a2f18', line: 2 });
    box(ctx, 330, 306, 150, 60, down(ctx, 306, 60, '#8a4a3a', '#5a2a22'), { radius: 8, edge: '#3a1812' });
    for (let i = 0; i < 5; i++) polygon(ctx, [[346 + i * 26, 306], [346 + i * 26, 284], [362 + i * 26, 292]], '#efe2c4', '#5a3a20', 1);
    disc(ctx, 494, 336, 10, '#c9a04a', '#5b4312', 3);
    shadow(ctx, 655, 430, 170);
    disc(ctx, 650, 352, 60, 'rgba(0,0,0,0)', '#a5703c', 10);
    for (let i = 0; i < 4; i++) {
      const a = s.ticks / 160 + (i * Math.PI) / 4;
      polygon(ctx, [[650 + Math.cos(a) * 56, 352 + Math.sin(a) * 56], [650 - Math.cos(a) * 56, 352 - Math.sin(a) * 56]], '#a5703c', '#a5703c', 4);
    }
    polygon(ctx, [[594, 430], [640, 352], [660, 352], [716, 430], [700, 430], [650, 366], [608, 430]], '#7a5230');
    cupboard(ctx, 790, 150, 200, 240, '#6a7a8a', { open: s.flags.cupboard });
    if (!s.flags.cupboard) dials(ctx, 4, 890, 270);
    inside(ctx, s, 'cupboard', 890, 330);
  },
};

