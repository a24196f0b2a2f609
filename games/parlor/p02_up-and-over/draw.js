// @ts-check
/** Up and Over, the picture: a stretch of the stage with the hare at a fixed place. */

import { box, disc, polygon, sky, text } from '../../kit/draw.js';
import { AHEAD, BEHIND, H, SIZES, W } from './rules.js';
import { TILE } from './stages.js';

const GROUND = 590;
/** Sky above and below, far hills, near hills, grass, earth. @type {Record<string, string[]>} */
const LOOKS = {
  meadow: ['#8fd3f7', '#eaf7ee', '#a9d8b8', '#7cc08a', '#5fa83f', '#8d6239'],
  hill: ['#f6b98a', '#fff0d9', '#d6a58d', '#b3837a', '#93964a', '#7a5340'],
};

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const [top, bottom, far, near, grass, earth] = LOOKS[s.name];
  const left = s.hero.x - BEHIND;
  sky(ctx, top, bottom);
  for (let i = 0; i < 6; i++) cloud(ctx, ((i * 293 + 4000 - left * 0.1) % 1700) - 150, 90 + ((i * 71) % 150));
  hills(ctx, left * 0.25, 470, far);
  hills(ctx, left * 0.5 + 180, 540, near);
  ctx.save();
  ctx.translate(-left, 0);
  ground(ctx, s, left, grass, earth);
  for (const k of s.solids) if (visible(s, k.x, k.w)) solid(ctx, k);
  if (visible(s, s.flag, TILE)) flag(ctx, s.flag, s.frame);
  for (const t of s.thorns) if (visible(s, t.x, t.w)) thorns(ctx, t);
  for (const f of s.foes) if (f.flat < 30 && visible(s, f.x, SIZES[f.kind][0])) foe(ctx, f);
  hare(ctx, s);
  ctx.restore();
  box(ctx, 1010, 14, 254, 50, 'rgba(20,28,36,0.78)', { radius: 14 });
  text(ctx, 'Hold to jump higher', 1137, 40, { size: 22, color: '#dfe8f2', bold: false });
}

/** @param {import('./rules.js').State} s @param {number} x @param {number} w */
function visible(s, x, w) {
  return x < s.hero.x + AHEAD && x + w > s.hero.x - BEHIND;
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function cloud(ctx, x, y) {
  for (const [dx, dy, r] of [[-40, 6, 22], [-12, -6, 30], [24, 0, 26], [50, 8, 18]]) disc(ctx, x + dx, y + dy, r, 'rgba(255,255,255,0.85)');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} shift @param {number} y @param {string} color */
function hills(ctx, shift, y, color) {
  ctx.fillStyle = color;
  ctx.beginPath();
  for (let x = -(shift % 340) - 340; x < 1620; x += 340) ctx.ellipse(x + 170, y + 90, 210, 150, 0, 0, 7);
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number} left @param {string} grass
 * @param {string} earth */
function ground(ctx, s, left, grass, earth) {
  box(ctx, left, GROUND, BEHIND + AHEAD, 130, earth);
  for (let x = Math.floor(left / 64) * 64; x < left + 1280; x += 64) {
    disc(ctx, x + 20, GROUND + 50 + ((x / 64) % 3) * 18, 6, 'rgba(0,0,0,0.14)');
    disc(ctx, x + 50, GROUND + 84 - ((x / 64) % 2) * 30, 4, 'rgba(255,255,255,0.14)');
  }
  box(ctx, left, GROUND, BEHIND + AHEAD, 18, grass);
  for (const d of s.ditches) {
    if (!visible(s, d.x, d.w)) continue;
    box(ctx, d.x, GROUND, d.w, 130, '#1c2430');
    for (let x = d.x + 12; x < d.x + d.w - 6; x += 24) polygon(ctx, [[x - 12, 720], [x, 676], [x + 12, 720]], '#46546a');
    for (const x of [d.x - 5, d.x + d.w]) box(ctx, x, GROUND, 5, 130, 'rgba(0,0,0,0.3)');
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./stages.js').Solid} k */
function solid(ctx, k) {
  const y = GROUND - k.h;
  if (k.kind === 'trunk') {
    box(ctx, k.x + 4, y + 8, k.w - 8, k.h - 8, '#8a5a34');
    for (const dx of [20, 44, 70]) box(ctx, k.x + dx, y + 20, 4, k.h - 26, '#6f4526');
    box(ctx, k.x, y, k.w, 18, '#c89a63', { radius: 8, edge: '#6f4526', line: 3 });
    ctx.strokeStyle = '#9c7142';
    ctx.lineWidth = 2;
    for (const r of [12, 26]) {
      ctx.beginPath();
      ctx.ellipse(k.x + k.w / 2, y + 9, r, r / 5, 0, 0, 7);
      ctx.stroke();
    }
    return;
  }
  for (let top = y; top < GROUND; top += TILE) {
    if (k.kind === 'step') {
      box(ctx, k.x + 1, top + 1, TILE - 2, TILE - 2, '#9aa3ad', { radius: 4, edge: '#646d78', line: 2 });
      polygon(ctx, [[k.x + 6, top + 6], [k.x + 42, top + 6], [k.x + 36, top + 12], [k.x + 12, top + 12]], '#c2cad2');
    } else {
      box(ctx, k.x + 1, top + 1, TILE - 2, TILE - 2, '#d9a55b', { radius: 3, edge: '#8a5f28', line: 3 });
      polygon(ctx, [[k.x + 6, top + 10], [k.x + 10, top + 6], [k.x + 42, top + 38], [k.x + 38, top + 42]], '#a9752f');
      polygon(ctx, [[k.x + 38, top + 6], [k.x + 42, top + 10], [k.x + 10, top + 42], [k.x + 6, top + 38]], '#a9752f');
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./stages.js').Thorns} t */
function thorns(ctx, t) {
  const low = GROUND - t.low;
  box(ctx, t.x + 6, -20, t.w - 12, low - 10, '#3f5a2c');
  for (let x = t.x, i = 0; x < t.x + t.w; x += 24, i++) {
    for (let y = (i * 29) % 40; y < low - 50; y += 40) disc(ctx, x + 12 + ((y * 7 + i * 5) % 9) - 4, y, 10, (y + i) % 3 ? '#4c6d35' : '#5f8444');
    polygon(ctx, [[x, low - 36], [x + 12, low], [x + 24, low - 36]], '#7d2430', '#4c141c', 2);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./stages.js').Foe} f */
function foe(ctx, f) {
  const [w, h] = SIZES[f.kind];
  const y = GROUND - f.y;
  if (f.flat) {
    box(ctx, f.x, y - 8, w, 8, f.kind === 'snail' ? '#b5653a' : '#f2c230', { radius: 4, edge: '#4b2a17', line: 2 });
    return;
  }
  if (f.kind === 'snail') {
    const front = f.vx < 0 ? -1 : 1;
    const middle = f.x + w / 2;
    box(ctx, f.x, y - 10, w, 10, '#e7c79a', { radius: 5, edge: '#7d5a34', line: 2 });
    disc(ctx, middle - front * 4, y - 18, 14, '#b5653a', '#4b2a17', 2);
    disc(ctx, middle - front * 4, y - 18, 6, '#d98d5a');
    disc(ctx, middle + front * 15, y - 16, 6, '#e7c79a', '#7d5a34', 2);
    disc(ctx, middle + front * 17, y - 18, 2, '#1b1b1b');
    return;
  }
  const wing = f.age % 6 < 3 ? 12 : 6;
  for (const dx of [14, 26]) disc(ctx, f.x + dx, y - h + 4, wing, 'rgba(255,255,255,0.85)', '#7a8794', 1.5);
  box(ctx, f.x, y - 28, w, 24, '#f2c230', { radius: 12, edge: '#3a2d08', line: 2 });
  for (const dx of [14, 26]) box(ctx, f.x + dx, y - 27, 6, 22, '#3a2d08');
  disc(ctx, f.x + 8, y - 18, 3, '#1b1b1b');
  polygon(ctx, [[f.x + w, y - 20], [f.x + w + 8, y - 16], [f.x + w, y - 12]], '#3a2d08');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} frame */
function flag(ctx, x, frame) {
  const wave = Math.sin(frame / 12) * 6;
  box(ctx, x, GROUND - 260, 8, 260, '#f3f3f3', { edge: '#8c8c8c', line: 2 });
  polygon(ctx, [[x + 8, GROUND - 258], [x + 100, GROUND - 226 + wave], [x + 8, GROUND - 190]], '#d8352b', '#8e1c15');
  disc(ctx, x + 4, GROUND - 264, 9, '#f7c948', '#a37a00', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function hare(ctx, s) {
  const { x, y: height, ground, vy } = s.hero;
  const y = GROUND - height;
  const swing = ground ? Math.sin(s.frame / 2.5) * 9 : 8;
  const ears = ground ? 0 : vy > 0 ? -7 : 6;
  for (const d of [-1, 1]) box(ctx, x + 16 + d * swing - 5, y - 9, 13, 9, '#8d6b4a', { radius: 4 });
  disc(ctx, x + 3, y - 19, 6, '#ffffff', '#b9a58f', 1.5);
  box(ctx, x + 2, y - 30, W - 8, 24, '#b98d63', { radius: 11, edge: '#6d4d30', line: 2 });
  for (const dx of [17, 25]) {
    polygon(ctx, [[x + dx - 3, y - H + 14], [x + dx + 3 - 9 + ears, y - H - 12], [x + dx + 6, y - H + 14]], '#b98d63', '#6d4d30', 2);
  }
  disc(ctx, x + 25, y - 31, 11, '#c69a70', '#6d4d30', 2);
  disc(ctx, x + 29, y - 33, 2.5, '#1b1b1b');
  disc(ctx, x + 35, y - 29, 2.5, '#e07a86');
}
