// @ts-check
/** Second Light, the pictures: a house between day and night, in sea green, black and coral. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { curtains, cupboard, desk, door, down, framed, glow, plant, room, rug, shadow, shelves, tone, tree } from '../adventure/props.js';
import { HOURS } from './case.js';
import { sign } from './signs.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#0f4a4a', ink: '#0c3436', paper: '#f2fbf7', accent: '#ffab7d', dark: '#082a2c' };
const BRASS = '#d9b86a';
const DARK = '#0c2a2c';

/** @param {Ctx} ctx @param {number[][]} points @param {string} color @param {number} width */
function stroke(ctx, points, color, width) {
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.stroke();
}

/** A round glass. @param {Ctx} ctx @param {string} color */
export function glassIcon(ctx, color) {
  disc(ctx, 0, 0, 24, color, BRASS, 6);
  polygon(ctx, [[-12, -12], [-2, -16], [-14, 4]], 'rgba(255,255,255,0.65)');
}

/** A small table of mirrors, on what is locked. @param {Ctx} ctx @param {any} s @param {string} table @param {number} x @param {number} y @param {number} [k] */
function small(ctx, s, table, x, y, k = 1) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(k, k);
  if (s.flags[table]) {
    box(ctx, -62, -34, 124, 68, '#061a1c', { radius: 8, edge: BRASS, line: 3 });
    if (!s.flags[`took_in_${table}`]) {
      glow(ctx, 0, 0, 60, '255,230,170', 0.7);
      glassIcon(ctx, /** @type {any} */ ({ clock: '#f0a03c', wardrobe: '#e87a8a', piano: '#7a8a92', fountain: '#4fb8a8' })[table]);
    }
  } else {
    box(ctx, -62, -34, 124, 68, '#12383b', { radius: 8, edge: BRASS, line: 3 });
    stroke(ctx, [[-62, 14], [-24, 14], [-24, -16], [20, -16], [20, 8], [62, 8]], '#ffe9ae', 3);
    for (const [a, b, d] of [[-24, 14, -1], [-24, -16, -1], [20, -16, 1], [20, 8, 1]]) stroke(ctx, [[a - 9, b - 9 * d], [a + 9, b + 9 * d]], '#e4f4f4', 5);
  }
  ctx.restore();
}

/** The window of coloured glass. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function window_(ctx, s, x, y, w, h) {
  ctx.save();
  ctx.beginPath();
  ctx.moveTo(x, y + h);
  ctx.lineTo(x, y + w / 2);
  ctx.arc(x + w / 2, y + w / 2, w / 2, Math.PI, 0);
  ctx.lineTo(x + w, y + h);
  ctx.closePath();
  ctx.fillStyle = DARK;
  ctx.fill();
  ctx.clip();
  const colors = ['#f7c873', '#7fc4b0', '#e88a72', '#8ab4d8', '#f2e0b0', '#5f9a8a'];
  for (let i = 0; i < 6; i++) for (let k = 0; k < 4; k++) box(ctx, x + 6 + (i * (w - 12)) / 6, y + 6 + (k * h) / 4, (w - 12) / 6 - 5, h / 4 - 6, colors[(i * 2 + k * 3) % 6], { radius: 5 });
  ctx.restore();
  s.data.window.forEach((/** @type {string} */ what, /** @type {number} */ i) => {
    const cy = y + h * (0.24 + i * 0.27);
    disc(ctx, x + w / 2, cy, w * 0.2, '#fdf6dc', DARK, w * 0.02);
    sign(ctx, what, x + w / 2, cy, w / 200, '#123a3c');
  });
  polygon(ctx, [[x + w * 0.44, y + h * 0.02], [x + w * 0.56, y + h * 0.02], [x + w / 2, y + h * 0.08]], '#fff6d8');
}

/** The mirror: oneself from the front, and the wall behind. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function vanity(ctx, s, x, y, w, h) {
  box(ctx, x - 14, y - 14, w + 28, h + 28, BRASS, { radius: h * 0.3, edge: '#5a4a20', line: 4 });
  ctx.save();
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, h * 0.27);
  ctx.clip();
  box(ctx, x, y, w, h, down(ctx, y, h, '#e8b8a4', '#c98a7a'));
  box(ctx, x, y + h * 0.78, w, h * 0.22, '#8a5a50');
  s.data.vanity.forEach((/** @type {string} */ what, /** @type {number} */ i) => {
    const cx = x + w * (0.19 + i * 0.31);
    box(ctx, cx - h * 0.16, y + h * 0.1, h * 0.32, h * 0.36, '#fdf3e4', { radius: 6, edge: '#7a4a3f', line: 3 });
    sign(ctx, what, cx, y + h * 0.28, h / 210, '#123a3c');
  });
  disc(ctx, x + w / 2, y + h * 0.68, h * 0.14, '#2f5a5c');
  box(ctx, x + w / 2 - h * 0.28, y + h * 0.8, h * 0.56, h * 0.3, '#2f5a5c', { radius: h * 0.12 });
  text(ctx, 'YOU', x + w / 2, y + h * 0.93, { size: Math.max(18, h * 0.07), color: '#cfe8ea' });
  polygon(ctx, [[x + w * 0.05, y], [x + w * 0.16, y], [x + w * 0.04, y + h], [x - w * 0.06, y + h]], 'rgba(255,255,255,0.2)');
  ctx.restore();
}

/** Three candles on the mantelpiece. x, y: the left one's foot. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} k */
export function candles(ctx, s, x, y, k) {
  s.data.stand.forEach((/** @type {number} */ rank, /** @type {number} */ i) => {
    const cx = x + i * 130 * k + 20 * k;
    const h = (64 + rank * 38) * k;
    box(ctx, cx - 34 * k, y - 8 * k, 68 * k, 10 * k, BRASS, { radius: 4 * k, edge: '#5a4a20', line: 2 });
    box(ctx, cx - 24 * k, y - 8 * k - h, 48 * k, h, down(ctx, y - h, h, '#fdf6e4', '#d8c8a4'), { radius: 6 * k, edge: '#8a7a50', line: 2 });
    box(ctx, cx - 1.5 * k, y - h - 16 * k, 3 * k, 10 * k, '#3a2a20');
    sign(ctx, s.data.candles[rank], cx, y - 38 * k, 0.75 * k, '#a5402f');
  });
}

/** The sundial from above. x, y: its middle. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} k */
export function sundial(ctx, s, x, y, k) {
  disc(ctx, x, y, 250 * k, '#d8d2c0', '#7a745f', 6 * k);
  disc(ctx, x, y, 150 * k, '#ece7d8', '#a8a28a', 3 * k);
  for (let hour = 1; hour <= 12; hour++) {
    const a = (hour / 6) * Math.PI;
    const [dx, dy] = [Math.sin(a), -Math.cos(a)];
    if (hour % 2) {
      disc(ctx, x + dx * 200 * k, y + dy * 200 * k, 6 * k, '#7a745f');
      continue;
    }
    const i = hour / 2 - 1;
    disc(ctx, x + dx * 202 * k, y + dy * 202 * k, 40 * k, '#fdf6dc', '#7a745f', 3 * k);
    sign(ctx, s.data.dial[i], x + dx * 202 * k, y + dy * 202 * k, k, '#123a3c');
    if (k > 0.5) text(ctx, HOURS[i], x + dx * 126 * k, y + dy * 126 * k, { size: 30 * k, color: '#5a543f' });
  }
  polygon(ctx, [[x - 8 * k, y], [x + 8 * k, y], [x + 4 * k, y - 92 * k]], '#3f6a66', DARK, 2);
  polygon(ctx, [[x, y], [x + 108 * k, y + 36 * k], [x + 6 * k, y + 10 * k]], 'rgba(12,42,44,0.35)');
}

/** @param {Ctx} ctx @param {any} s @param {number} h */
function dusk(ctx, s, h) {
  box(ctx, 0, 0, 1280, h, down(ctx, 0, h, '#2f6a7a', '#f0b48a', '#ff8f6a'));
  glow(ctx, 570, h - 60, 300, '255,220,150', 0.8);
  disc(ctx, 570, h - 50, 62, '#fff0c0');
  for (let i = 0; i < 7; i++) box(ctx, ((i * 223 + s.ticks * 0.12) % 1500) - 200, 30 + ((i * 41) % 130), 150 + i * 14, 9, 'rgba(255,200,170,0.55)', { radius: 5 });
}

export const draws = {
  foyer(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#8fc4b4', floor: '#2f4a4c', pattern: 'plain', trim: DARK });
    for (let x = 0; x < 16; x++) for (let y = 0; y < 3; y++) if ((x + y) % 2) box(ctx, x * 80, 384 + y * 48, 80, 48, 'rgba(255,255,255,0.16)');
    for (const x of [240, 830]) {
      box(ctx, x - 24, 0, 34, 380, down(ctx, 0, 380, '#e4f4ec', '#b4d8cc'), { edge: '#5f9a8a', line: 2 });
    }
    polygon(ctx, [[480, 382], [480, 130], [640, 20], [800, 130], [800, 382]], '#123a3c', BRASS, 6);
    box(ctx, 510, 130, 260, 252, down(ctx, 130, 252, '#1f6a6a', '#123f42'), { edge: BRASS, line: 4 });
    box(ctx, 636, 130, 8, 252, BRASS);
    small(ctx, { flags: {} }, 'gate', 640, 246, 1.5);
    for (let i = 0; i < 4; i++) disc(ctx, 580 + i * 40, 330, 14, s.flags[`ring ${i + 1}`] ? '#ffc48a' : DARK, BRASS, 4);
    disc(ctx, 640, 88, 26, '#cfe0da', BRASS, 4);
    disc(ctx, 640, 88, 11, '#ff9e3c', DARK, 3);
    disc(ctx, 640, 8, 34, 'rgba(230,250,245,0.9)', BRASS, 4);
    glow(ctx, 640, 20, 200, '255,240,200', 0.35);
    for (let i = 0; i < 6; i++) box(ctx, 40 + i * 24, 360 - i * 44, 180 - i * 24, 44, tone('#d98a6a', -0.08 * i), { edge: '#7a4a3a', line: 2 });
    text(ctx, 'STAIRS', 150, 100, { size: 20, color: DARK });
    for (const [t, x, c] of /** @type {[string, number, string][]} */ ([['DRESSING', 260, '#c9786a'], ['SALON', 850, '#3f7a86'], ['WORKSHOP', 1000, '#8a6a4a']])) {
      door(ctx, x, 146, 120, 236, c);
      text(ctx, t, x + 60, 122, { size: 19, color: DARK });
    }
    box(ctx, 1148, 110, 110, 272, '#f0b48a', { edge: DARK, line: 8 });
    box(ctx, 1148, 110, 110, 272, down(ctx, 110, 272, '#f7c8a0', '#ff9a72'));
    for (const [a, b, w, h] of [[1200, 110, 6, 272], [1148, 240, 110, 6]]) box(ctx, a, b, w, h, DARK);
    text(ctx, 'GARDEN', 1203, 88, { size: 20, color: DARK });
    box(ctx, 400, 92, 74, 80, '#e4ece4', { radius: 10, edge: DARK, line: 4 });
    disc(ctx, 437, 126, 24, '#fdf6dc', DARK, 3);
    stroke(ctx, [[437, 126], [422, 112]], '#c8402c', 4);
    shadow(ctx, 440, 448, 80);
    box(ctx, 414, 356, 56, 90, '#b8804a', { radius: 8, edge: '#5a3a1c' });
    for (const [x, c] of /** @type {[number, string][]} */ ([[426, '#ff9e6b'], [442, '#2f5a5c'], [456, '#f2d28a']])) box(ctx, x, 304, 8, 64, c, { radius: 4 });
  },
  stairs(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#5f8a86', floor: '#4a3a3a', pattern: 'tiles' });
    polygon(ctx, [[505, 350], [725, 350], [940, 524], [560, 524]], 'rgba(255,220,150,0.22)');
    window_(ctx, s, 505, 20, 220, 330);
    for (let i = 0; i < 6; i++) box(ctx, 60 + i * 40, 440 - i * 36, 330 - i * 40, 38, tone('#d98a6a', -0.06 * i), { edge: '#6a3f30', line: 2 });
    stroke(ctx, [[70, 360], [310, 140], [400, 140]], BRASS, 8);
    framed(ctx, 246, 66, 112, 120, BRASS, (c) => {
      box(c, 0, 0, 112, 120, '#2f5a5c');
      disc(c, 56, 54, 28, '#e8c8a8');
      disc(c, 56, 26, 22, '#d8d8d4');
      box(c, 16, 84, 80, 50, '#c9786a', { radius: 16 });
      for (const x of [45, 67]) disc(c, x, 52, 8, '#cfe8ea', DARK, 2);
    });
    shadow(ctx, 965, 402, 200);
    box(ctx, 890, 60, 150, 340, down(ctx, 60, 340, '#7a4a34', '#4f2c1e'), { radius: 10, edge: '#2a160c', line: 4 });
    polygon(ctx, [[880, 62], [965, 20], [1050, 62]], '#7a4a34', '#2a160c', 4);
    disc(ctx, 965, 130, 56, '#fdf6dc', BRASS, 6);
    for (let i = 0; i < 12; i++) disc(ctx, 965 + Math.sin(i / 1.91) * 44, 130 - Math.cos(i / 1.91) * 44, 3, DARK);
    stroke(ctx, [[965, 130], [965, 92]], DARK, 4);
    stroke(ctx, [[965, 130], [990, 142]], DARK, 5);
    small(ctx, s, 'clock', 965, 290);
    plant(ctx, 1164, 460, 180, '#2f7a5a', '#c9786a');
  },
  dressing(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#d9a594', floor: '#7a5248', pattern: 'stripes' });
    for (let i = 0; i < 3; i++) {
      polygon(ctx, [[60 + i * 74, 96 + (i % 2) * 12], [134 + i * 74, 96 + ((i + 1) % 2) * 12], [134 + i * 74, 392 + ((i + 1) % 2) * 8], [60 + i * 74, 392 + (i % 2) * 8]], i % 2 ? '#2f6a6e' : '#3a7a7c', DARK, 4);
    }
    polygon(ctx, [[150, 330], [160, 200], [180, 200], [190, 330]], '#f2ece0', DARK, 2);
    box(ctx, 154, 180, 32, 22, '#ffd98a', { edge: DARK, line: 2 });
    for (let i = 0; i < 6; i++) stroke(ctx, [[66 + i * 36, 344], [84 + i * 36, 330], [102 + i * 36, 344]], '#a9d4d4', 4);
    vanity(ctx, s, 444, 72, 252, 206);
    desk(ctx, 410, 370, 320, 90, '#a5604f', { drawers: 3 });
    box(ctx, 612, 322, 86, 50, '#6a3a2f', { radius: 8, edge: BRASS, line: 3 });
    disc(ctx, 655, 348, 7, BRASS);
    shadow(ctx, 570, 486, 150);
    box(ctx, 506, 424, 128, 30, '#2f7a78', { radius: 14, edge: DARK });
    for (const x of [520, 604]) box(ctx, x, 452, 14, 36, '#5a3a2a');
    cupboard(ctx, 826, 78, 228, 320, '#8a4f40');
    small(ctx, s, 'wardrobe', 940, 236, 1.3);
    disc(ctx, 1165, 108, 8, '#3a2c1c');
    polygon(ctx, [[1140, 118], [1190, 118], [1226, 180], [1206, 360], [1124, 360], [1104, 180]], '#ff9e7d', '#a5503a', 3);
    polygon(ctx, [[1150, 118], [1165, 220], [1180, 118]], '#fbe4d4');
    box(ctx, 1114, 226, 102, 14, '#2f7a78');
  },
  salon(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#4f7a84', floor: '#5a4038', pattern: 'dots' });
    rug(ctx, 640, 480, 700, 80, '#1f4a50', '#ff9e6b');
    candles(ctx, s, 170, 274, 0.92);
    box(ctx, 120, 276, 360, 24, '#e8e0d0', { radius: 4, edge: '#8a8270' });
    box(ctx, 150, 300, 300, 160, '#d8cdb8', { edge: '#8a8270' });
    box(ctx, 196, 326, 208, 134, '#1a1412', { radius: 30 });
    for (const [x, a] of [[250, 0.1], [300, -0.1], [340, 0.2]]) {
      ctx.save();
      ctx.translate(x, 440);
      ctx.rotate(a);
      box(ctx, -44, -10, 88, 20, '#7a4f2e', { radius: 8, edge: '#3a2412', line: 2 });
      ctx.restore();
    }
    framed(ctx, 664, 46, 190, 106, BRASS, (c) => {
      box(c, 0, 0, 190, 60, '#f0b48a');
      box(c, 0, 56, 190, 60, '#2f7a86');
      for (const [x, k] of [[40, 1], [110, 0.7], [160, 0.5]]) polygon(c, [[x - 20 * k, 70], [x + 20 * k, 70], [x + 2, 70 - 40 * k]], '#fdf6e4', DARK, 2);
    });
    shadow(ctx, 800, 470, 360);
    polygon(ctx, [[650, 250], [960, 250], [960, 210], [720, 190], [650, 220]], '#0f1a20', '#3a4a52', 3);
    box(ctx, 646, 250, 320, 150, down(ctx, 250, 150, '#1a2a32', '#0c161c'), { radius: 10, edge: '#3a4a52', line: 3 });
    box(ctx, 640, 396, 332, 26, '#fdf9ee', { edge: DARK, line: 3 });
    for (let i = 1; i < 22; i++) box(ctx, 640 + i * 15, 398, 2, 22, '#777');
    for (let i = 0; i < 21; i++) if (i % 7 !== 2 && i % 7 !== 6) box(ctx, 650 + i * 15, 398, 8, 13, '#111');
    for (const x of [660, 932]) box(ctx, x, 422, 20, 46, '#0c161c');
    small(ctx, s, 'piano', 806, 322, 1.3);
    curtains(ctx, 1080, 60, 120, 210, '#a5402f');
    box(ctx, 1080, 60, 120, 200, down(ctx, 60, 200, '#7a3428', '#5a241c'));
    desk(ctx, 1050, 400, 150, 70, '#5a3a2a');
    for (const [x, y] of [[1080, 366], [1106, 358], [1136, 368], [1160, 360]]) put(ctx, 'note', x, y, '#f6ecd2', 0.8);
  },
  garden(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    dusk(ctx, s, 300);
    box(ctx, 0, 236, 1280, 70, down(ctx, 236, 70, '#c9705a', '#5f7a86'));
    for (let i = 0; i < 30; i++) box(ctx, ((i * 97 + s.ticks * 0.2) % 1300) - 20, 246 + ((i * 31) % 50), 40, 3, 'rgba(255,230,190,0.5)', { radius: 2 });
    polygon(ctx, [[1060, 300], [1110, 250], [1190, 250], [1260, 300]], '#2f4a4c');
    polygon(ctx, [[1120, 260], [1130, 110], [1166, 110], [1176, 260]], '#f2ece0', DARK, 3);
    for (const y of [140, 190]) box(ctx, 1128, y, 42, 22, '#e0705a');
    box(ctx, 1126, 84, 44, 28, '#ffe9a0', { edge: DARK, line: 3 });
    polygon(ctx, [[1120, 86], [1148, 58], [1176, 86]], '#2f5a5c');
    if (Math.floor(s.ticks / 40) % 5 < 2) polygon(ctx, [[1126, 98], [760, 40], [760, 120]], 'rgba(255,240,180,0.28)');
    box(ctx, 0, 300, 1280, 224, down(ctx, 300, 224, '#b8a890', '#d8c8ac'));
    for (let i = -8; i < 10; i++) stroke(ctx, [[640 + i * 80, 300], [640 + i * 190, 524]], 'rgba(90,74,54,0.35)', 2);
    for (const y of [340, 396, 466]) box(ctx, 0, y, 1280, 2, 'rgba(90,74,54,0.35)');
    box(ctx, 470, 310, 190, 96, '#2f6a4f', { radius: 10, edge: '#1a4030' });
    for (let i = 0; i < 40; i++) disc(ctx, 480 + ((i * 47) % 172), 320 + ((i * 29) % 80), 6, i % 2 ? '#3f7f5f' : '#285a44');
    shadow(ctx, 295, 470, 200);
    polygon(ctx, [[260, 470], [274, 370], [316, 370], [330, 470]], '#b8b09a', '#7a745f', 3);
    sundial(ctx, s, 295, 336, 0.42);
    shadow(ctx, 855, 452, 340);
    box(ctx, 710, 380, 290, 66, down(ctx, 380, 66, '#d8d0bc', '#a89f88'), { radius: 30, edge: '#7a745f', line: 4 });
    box(ctx, 836, 230, 38, 156, '#cfc6b0', { edge: '#7a745f' });
    box(ctx, 780, 250, 150, 26, '#d8d0bc', { radius: 13, edge: '#7a745f' });
    disc(ctx, 855, 206, 26, '#cfc6b0', '#7a745f', 3);
    put(ctx, 'fish', 855, 206, '#5f9a98', 0.8);
    small(ctx, s, 'fountain', 855, 400, 1.1);
    ctx.beginPath();
    ctx.ellipse(1132, 400, 34, 17, 0, 0, 7);
    ctx.fillStyle = '#fbfaf4';
    ctx.fill();
    disc(ctx, 1164, 380, 13, '#fbfaf4');
    polygon(ctx, [[1174, 378], [1192, 384], [1174, 388]], '#f0a03c');
    disc(ctx, 1167, 377, 2.5, '#111');
    polygon(ctx, [[1104, 396], [1146, 392], [1100, 412]], '#8a9aa4');
    for (const x of [1126, 1140]) box(ctx, x, 414, 4, 18, '#f0a03c');
    tree(ctx, 60, 440, 240, '#2f6a4f');
  },
  workshop(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#c9b088', floor: '#6a543f', pattern: 'planks' });
    shelves(ctx, 60, 60, 240, 320, '#7a5a3a', ['#1f6a6a', '#d98a5a', '#5a6a8a', '#e8dcc0', '#8a4f40'], 4);
    framed(ctx, 426, 66, 228, 148, '#7a5a3a', (c) => {
      box(c, 0, 0, 228, 148, '#e4f0ec');
      for (let i = 0; i < 5; i++) stroke(c, [[10, 30 + i * 22], [100, 30 + i * 22], [210, 74 + (i - 2) * 4]], '#d98a4a', 3);
      c.beginPath();
      c.ellipse(104, 74, 20, 62, 0, 0, 7);
      c.fillStyle = 'rgba(95,196,184,0.55)';
      c.fill();
    });
    desk(ctx, 380, 350, 420, 110, '#7a5a3a', { drawers: 3 });
    for (const [n, x, c] of /** @type {[string, number, string][]} */ ([['lens', 440, BRASS], ['gear', 520, '#8a9a9a'], ['bottle', 600, '#c8503c'], ['note', 670, '#cfe4e4'], ['globe', 750, '#5fc4b8']])) put(ctx, n, x, 322, c, 0.85);
    shadow(ctx, 985, 446, 200);
    polygon(ctx, [[920, 440], [960, 330], [1010, 330], [1050, 440], [1024, 440], [985, 350], [946, 440]], '#5a4030');
    disc(ctx, 985, 320, 78, '#a8a49a', '#5a564c', 6);
    for (let i = 0; i < 6; i++) {
      const a = s.ticks / 200 + (i * Math.PI) / 3;
      stroke(ctx, [[985, 320], [985 + Math.cos(a) * 72, 320 + Math.sin(a) * 72]], '#7a766c', 4);
    }
    disc(ctx, 985, 320, 16, BRASS, '#5a4a20', 3);
    shadow(ctx, 1170, 392, 160);
    box(ctx, 1160, 220, 20, 172, BRASS, { edge: '#5a4a20', line: 2 });
    disc(ctx, 1170, 150, 82, 'rgba(190,235,228,0.85)', BRASS, 8);
    for (const r of [60, 40, 20]) disc(ctx, 1170, 150, r, 'rgba(255,255,255,0.25)', 'rgba(31,106,106,0.5)', 2);
    polygon(ctx, [[1120, 110], [1150, 86], [1130, 180]], 'rgba(255,255,255,0.6)');
  },
};
