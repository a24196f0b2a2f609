// @ts-check
/** The Star Door, the pictures: an observatory at night in indigo, silver and pale gold. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { armchair, clock, cupboard, desk, door, down, framed, glow, lamp, pane, plant, room, rug, shadow, shelves, tone, tree } from '../adventure/props.js';
import { CRYSTALS } from './case.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#1d2350', ink: '#1d2040', paper: '#eef0fa', accent: '#e8d28a', dark: '#0e1130' };
/** @type {Record<string, string>} */
export const GEM = { red: '#e0505f', blue: '#4f8fe8', white: '#eef2fa', green: '#4fb87a' };
const STONE = '#6a6f8c';

/** @param {Ctx} ctx @param {any} s @param {number} h */
function sky(ctx, s, h) {
  box(ctx, 0, 0, 1280, h, down(ctx, 0, h, '#0b1038', '#2b3a78'));
  for (let i = 0; i < 70; i++) {
    const shine = 0.5 + 0.5 * Math.sin(s.ticks / 40 + i);
    disc(ctx, (i * 197) % 1280, (i * 89) % h, 1 + (i % 3) * 0.7, `rgba(255,255,230,${0.4 + 0.5 * shine})`);
  }
}

/** The moon: 0 new, 2 half and growing, 4 full, 6 half and shrinking. @param {Ctx} ctx @param {number} x @param {number} y @param {number} r @param {number} phase */
export function moon(ctx, x, y, r, phase) {
  disc(ctx, x, y, r, '#232a52', '#8a90b8', 2);
  if (phase === 0) return;
  const grows = phase <= 4;
  const wide = Math.cos((phase * Math.PI) / 4) * r;
  ctx.beginPath();
  ctx.arc(x, y, r, -Math.PI / 2, Math.PI / 2, !grows);
  ctx.ellipse(x, y, Math.abs(wide), r, 0, Math.PI / 2, -Math.PI / 2, grows ? wide > 0 : wide < 0);
  ctx.closePath();
  ctx.fillStyle = '#f6efcf';
  ctx.fill();
}

/** An animal's outline on a base of 0…1 height. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} k @param {string} c */
export function animal(ctx, what, x, y, k, c) {
  const P = (/** @type {number[][]} */ points) => polygon(ctx, points.map(([a, b]) => [x + a * k, y + b * k]), c);
  const D = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ r, /** @type {string} */ f = c) => disc(ctx, x + a * k, y + b * k, r * k, f);
  if (what === 'owl') {
    D(0, 6, 20); D(0, -14, 17); P([[-17, -20], [-14, -36], [-4, -28]]); P([[17, -20], [14, -36], [4, -28]]); D(-7, -15, 6, '#fff'); D(7, -15, 6, '#fff'); D(-7, -15, 3, '#111'); D(7, -15, 3, '#111');
  } else if (what === 'hare') {
    D(0, 10, 18); D(4, -8, 12); P([[-4, -14], [-10, -44], [2, -18]]); P([[6, -16], [10, -46], [14, -14]]); D(-18, 14, 7); D(8, -10, 2.5, '#fff');
  } else if (what === 'fox') {
    P([[-18, 28], [-12, -4], [10, -4], [16, 28]]); P([[-14, -30], [0, -20], [14, -30], [12, -8], [0, 6], [-12, -8]]); P([[14, 26], [40, 20], [34, -6], [24, 8]]); D(-5, -14, 2.5, '#fff'); D(5, -14, 2.5, '#fff');
  } else if (what === 'fish') {
    ctx.beginPath(); ctx.ellipse(x - 4 * k, y, 26 * k, 15 * k, 0, 0, 7); ctx.fillStyle = c; ctx.fill(); P([[16, 0], [38, -16], [38, 16]]); D(-16, -4, 3, '#fff');
  } else if (what === 'snail') {
    D(4, -2, 22); D(4, -2, 14, tone('#ffffff', -0.3)); D(4, -2, 8); P([[-34, 26], [-28, 8], [-20, 18], [30, 18], [36, 26]]); P([[-32, 10], [-36, -8], [-33, -8], [-27, 10]]);
  } else {
    P([[-30, -8], [-14, -16], [-14, -4]]); D(-8, -10, 12); P([[-16, -2], [6, -8], [36, 24], [6, 20], [-10, 16]]); D(-11, -13, 2.5, '#fff'); P([[-2, 18], [0, 34], [4, 34], [4, 18]]);
  }
}

/** Nine windows, stones or lamps. @param {Ctx} ctx @param {boolean[]} cells @param {number} x @param {number} y @param {number} pitch
 * @param {(ctx: Ctx, x: number, y: number, lit: boolean) => void} one */
export function nine(ctx, cells, x, y, pitch, one) {
  cells.forEach((lit, i) => one(ctx, x + (i % 3) * pitch, y + Math.floor(i / 3) * pitch, lit));
}

/** The tower across the valley. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} k */
export function tower(ctx, s, x, y, k) {
  box(ctx, x, y, 90 * k, 130 * k, down(ctx, y, 130 * k, '#4a4f70', '#2f3352'), { edge: '#1c2040', line: 2 });
  polygon(ctx, [[x - 8 * k, y], [x + 45 * k, y - 44 * k], [x + 98 * k, y]], '#7a3a4a', '#1c2040', 2);
  nine(ctx, s.data.tower, x + 20 * k, y + 24 * k, 25 * k, (c, a, b, lit) => {
    if (lit) glow(c, a, b, 20 * k, '255,220,120', 0.5);
    box(c, a - 8 * k, b - 9 * k, 16 * k, 18 * k, lit ? '#ffe08a' : '#171a34', { radius: 3 * k });
  });
}

/** The pond: a little wall hides the lamps above it, so only their light in the water is seen. @param {Ctx} ctx @param {any} s
 * @param {number} x @param {number} y @param {number} k */
export function pond(ctx, s, x, y, k) {
  box(ctx, x - 70 * k, y - 96 * k, 140 * k, 40 * k, '#5a5f7c', { edge: '#2a2e48', line: 2 });
  text(ctx, 'LAMPS ABOVE', x, y - 76 * k, { size: Math.max(18, 9 * k), color: '#dfe3f4' });
  ctx.beginPath();
  ctx.ellipse(x, y, 110 * k, 62 * k, 0, 0, 7);
  ctx.fillStyle = '#1f3f6a';
  ctx.fill();
  ctx.strokeStyle = '#7a7f9c';
  ctx.lineWidth = 8 * k;
  ctx.stroke();
  nine(ctx, s.data.pond, x - 34 * k, y - 32 * k, 34 * k, (c, a, b, lit) => {
    const wave = Math.sin(s.ticks / 30 + a) * k;
    if (!lit) return disc(c, a + wave, b, 4 * k, 'rgba(255,255,255,0.18)');
    glow(c, a + wave, b, 20 * k, '255,235,150', 0.6);
    disc(c, a + wave, b, 9 * k, '#ffe9a0');
  });
}

/** Four statues, each of another height. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} k */
export function statues(ctx, s, x, y, k) {
  s.data.stand.forEach((/** @type {number} */ rank, /** @type {number} */ i) => {
    const sx = x + i * 110 * k;
    const h = (36 + rank * 32) * k;
    box(ctx, sx - 26 * k, y - h, 52 * k, h, down(ctx, y - h, h, '#8a8fa8', '#5a5f7c'), { edge: '#2a2e48', line: 2 });
    animal(ctx, s.data.statues[rank], sx, y - h - 34 * k, k, '#c9cde0');
  });
}

/** The paintings of the moon. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} k */
export function moons(ctx, s, x, y, k) {
  ['I', 'III', 'V', 'VII'].forEach((day, i) => {
    framed(ctx, x + i * 120 * k, y, 84 * k, 90 * k, '#b8a05a', (c) => {
      box(c, 0, 0, 84 * k, 90 * k, '#12183c');
      moon(c, 42 * k, 42 * k, 28 * k, (s.data.moon + 2 * i) % 8);
    });
    text(ctx, day, x + (i * 120 + 42) * k, y + 124 * k, { size: Math.max(18, 20 * k), color: '#e8d28a' });
  });
}

/** @param {Ctx} ctx @param {any} s @param {string} color @param {number} x @param {number} y */
function inside(ctx, s, color, x, y) {
  if (!s.flags[`open_${color}`] || s.flags[`took_crystal_${color}`]) return;
  glow(ctx, x, y, 60, '255,255,255', 0.5);
  put(ctx, 'gem', x, y, GEM[color]);
}

export const draws = {
  rotunda(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#3d4478', floor: '#565a80', pattern: 'tiles' });
    rug(ctx, 640, 460, 560, 110, '#2a3068', '#c9b46a');
    disc(ctx, 640, 200, 182, '#8a7a4a', '#3a3420', 6);
    disc(ctx, 640, 200, 160, s.flags.open ? '#f6f0c8' : '#232a5c', '#3a3420', 4);
    if (!s.flags.open) {
      put(ctx, 'star', 640, 200, '#e8d28a', 2);
      CRYSTALS.forEach((c, i) => {
        const [x, y] = [[640, 90], [750, 200], [640, 310], [530, 200]][i];
        disc(ctx, x, y, 30, '#0e1130', GEM[c], 5);
        if (s.flags[`placed_${c}`]) put(ctx, 'gem', x, y, GEM[c], 0.9);
      });
    }
    door(ctx, 60, 130, 120, 252, '#5a4a86');
    door(ctx, 240, 130, 120, 252, '#3f6a6a');
    door(ctx, 910, 130, 120, 252, '#7a5a4a');
    door(ctx, 1090, 130, 120, 252, '#4a5a8a');
    for (const [t, x] of /** @type {[string, number][]} */ ([['LIBRARY', 120], ['GARDEN', 300], ['GALLERY', 970], ['DOME', 1150]])) text(ctx, t, x, 104, { size: 20, color: '#e8d28a' });
    polygon(ctx, [[880, 524], [900, 476], [1060, 476], [1080, 524]], '#0e1130', '#8a90b8', 4);
    text(ctx, 'CELLAR', 980, 502, { size: 20, color: '#e8d28a' });
    lamp(ctx, 420, 60, 34, '#8a90c8', { chain: 60 });
    plant(ctx, 420, 440, 130, '#4a8a86', '#5a5f8c');
  },
  library(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#4a3f6a', floor: '#5a4a5a', pattern: 'stripes' });
    shelves(ctx, 40, 50, 330, 330, '#5a4a3a', ['#7a3a5a', '#3a5a86', '#b8a05a', '#4a6a5a', '#8a8fb0'], 4);
    pane(ctx, 470, 60, 250, 240, '#8a7a5a', ['#0b1038', '#1c2658', '#2b3a78']);
    ctx.save();
    ctx.beginPath();
    ctx.rect(470, 60, 250, 240);
    ctx.clip();
    tower(ctx, s, 610, 150, 0.9);
    ctx.restore();
    cupboard(ctx, 830, 110, 200, 280, '#5a5470', { open: s.flags.open_blue });
    if (!s.flags.open_blue) nine(ctx, Array(9).fill(false), 900, 210, 30, (c, x, y) => box(c, x - 11, y - 11, 22, 22, '#20244a', { radius: 5, edge: '#c9b46a', line: 2 }));
    inside(ctx, s, 'blue', 930, 320);
    desk(ctx, 430, 370, 230, 100, '#5a4a3a');
    put(ctx, 'book', 490, 344, '#7a3a5a');
    put(ctx, 'globe', 590, 342, '#b8a05a');
    armchair(ctx, 1070, 290, 180, 160, '#3f5a86');
  },
  garden(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    sky(ctx, s, 300);
    for (let i = 0; i < 9; i++) tree(ctx, 60 + i * 150, 310, 150 + (i % 3) * 30, ['#24504a', '#1f4560', '#2c5a4a'][i % 3]);
    box(ctx, 0, 300, 1280, 224, down(ctx, 300, 224, '#2b5a4c', '#1c3f3a'));
    pond(ctx, s, 330, 400, 1.15);
    statues(ctx, s, 620, 440, 0.95);
    shadow(ctx, 1120, 470, 190);
    box(ctx, 1030, 330, 180, 140, STONE, { radius: 8, edge: '#2a2e48', line: 4 });
    if (!s.flags.open_red) nine(ctx, Array(9).fill(false), 1090, 370, 30, (c, x, y) => box(c, x - 11, y - 11, 22, 22, '#20244a', { radius: 5, edge: '#c9b46a', line: 2 }));
    else box(ctx, 1050, 350, 140, 100, '#12152c', { radius: 6 });
    inside(ctx, s, 'red', 1120, 400);
    polygon(ctx, [[0, 524], [0, 440], [120, 470], [140, 524]], '#4a4f70', '#2a2e48');
    put(ctx, 'flower', 50, 420, '#c9a0d8');
  },
  gallery(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#6a4a5a', floor: '#5a4a4a', pattern: 'dots' });
    moons(ctx, s, 140, 90, 1.15);
    framed(ctx, 760, 80, 190, 140, '#b8a05a', (c) => {
      box(c, 0, 0, 190, 140, '#2b3a78');
      for (let i = 0; i < 14; i++) disc(c, (i * 67) % 190, (i * 41) % 140, 2.5, '#fff');
      polygon(c, [[0, 140], [60, 90], [120, 120], [190, 80], [190, 140]], '#1c2040');
    });
    cupboard(ctx, 1020, 180, 170, 210, '#6a5a4a', { rows: 4 });
    desk(ctx, 180, 370, 220, 90, '#6a4a3a');
    put(ctx, 'mask', 240, 342, '#c9b46a');
    put(ctx, 'horn', 340, 344, '#c9a04a');
    lamp(ctx, 1106, 60, 36, '#c98a9a', { chain: 60 });
    rug(ctx, 700, 470, 420, 70, '#3a2a4a', '#b8a05a');
    plant(ctx, 900, 450, 140, '#5a8f7c', '#8a5a6a');
  },
  dome(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    sky(ctx, s, 400);
    for (let i = 0; i < 9; i++) polygon(ctx, [[i * 160 - 8, 0], [i * 160 + 8, 0], [640 + (i - 4) * 120 + 8, 400], [640 + (i - 4) * 120 - 8, 400]], '#3d4478');
    box(ctx, 0, 392, 1280, 132, down(ctx, 392, 132, '#4a4f70', '#6a6f8c'));
    polygon(ctx, [[180, 160], [420, 300], [400, 336], [160, 196]], '#b8a05a', '#5a4a20', 4);
    for (const x of [290, 330]) polygon(ctx, [[310, 270], [x - 30 + (x - 310) * 3, 440], [x - 14 + (x - 310) * 3, 440], [322, 276]], '#5a4a3a');
    shadow(ctx, 760, 460, 260);
    box(ctx, 660, 360, 200, 100, '#5a5470', { radius: 10, edge: '#2a2e48', line: 4 });
    disc(ctx, 760, 300, 60, '#2a3068', '#c9b46a', 6);
    for (let i = 0; i < 3; i++) {
      const a = s.ticks / 120 + i * 2.1;
      disc(ctx, 760 + Math.cos(a) * (80 + i * 18), 300 + Math.sin(a) * (26 + i * 8), 10, ['#e0b06a', '#8ac0d8', '#d88a8a'][i]);
    }
    if (!s.flags.open_white) for (let i = 0; i < 3; i++) disc(ctx, 720 + i * 40, 410, 15, '#12183c', '#c9b46a', 3);
    else box(ctx, 690, 380, 140, 64, '#12152c', { radius: 6 });
    inside(ctx, s, 'white', 760, 412);
    desk(ctx, 980, 360, 190, 90, '#5a4a3a');
    put(ctx, 'lens', 1030, 334, '#c9a04a');
    put(ctx, 'note', 1120, 332, '#efe8d0');
  },
  cellar(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#4a4a5c', floor: '#3f3f4c', pattern: 'bricks' });
    lamp(ctx, 640, 70, 40, '#c9a04a', { chain: 70 });
    for (const x of [80, 190, 300]) {
      box(ctx, x, 260, 92, 140, '#6a4a30', { radius: 20, edge: '#2f1f12' });
      for (const y of [290, 366]) box(ctx, x, y, 92, 10, '#55555e');
    }
    box(ctx, 500, 320, 280, 130, '#3f6a5a', { radius: 8, edge: '#16302a', line: 5 });
    if (!s.flags.open_green) {
      box(ctx, 500, 280, 280, 60, '#4a7a68', { radius: 20, edge: '#16302a', line: 5 });
      for (let i = 0; i < 4; i++) box(ctx, 556 + i * 44, 360, 36, 40, '#efe8d0', { edge: '#16302a', line: 2 });
    } else box(ctx, 500, 240, 280, 84, '#1c3a30', { radius: 18, edge: '#16302a', line: 5 });
    inside(ctx, s, 'green', 640, 300);
    box(ctx, 900, 150, 260, 14, '#6a4a30');
    for (let i = 0; i < 5; i++) put(ctx, 'bottle', 926 + i * 52, 120, ['#4a6a8a', '#7a4a5a', '#4a7a5a', '#8a7a4a', '#5a5a7a'][i]);
    put(ctx, 'mouse', 1060, 440, '#8a8a96');
    box(ctx, 1180, 120, 90, 270, '#2f2f3c', { edge: '#6a6f8c' });
    for (let y = 150; y < 390; y += 40) box(ctx, 1184, y, 82, 8, '#8a8fa8');
  },
};

/** The wall of a lock: a picture above says how the pattern has to be read. @param {string} wall @param {(ctx: Ctx, s: any) => void} plate */
export const wallWith = (wall, plate) => (/** @type {Ctx} */ ctx, /** @type {any} */ s) => {
  box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, tone(wall, 0.1), tone(wall, -0.45)));
  box(ctx, 380, 8, 520, 96, '#c9b46a', { radius: 14, edge: '#4a3f18', line: 4 });
  plate(ctx, s);
};
