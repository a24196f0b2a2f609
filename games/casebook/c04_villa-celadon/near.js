// @ts-check
/** Villa Celadon: what is seen from near: the table, the napkin, the portraits, the blotter. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { portrait } from '../adventure/people.js';
import { clock, door, down, framed, pane, stroke, tone } from '../adventure/props.js';
import { ALONG, SIDES } from './case.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const GOLD = '#d8b45a';
/** @type {Record<string, string>} */
const GEM = { emerald: '#2fae6a', ruby: '#d0283c', sapphire: '#2f62d0', topaz: '#f0b82c', pearl: '#f6f2ea' };
/** @type {Record<string, string>} */
export const SWEET = { cherry: '#c01c30', mint: '#5fc78a', plum: '#6a2f86', lemon: '#f4d63c', chocolate: '#5a3018', rose: '#f4a0bc' };

/** A jewel. x, y: its middle. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} k */
export function gem(ctx, what, x, y, k) {
  if (what === 'pearl') {
    disc(ctx, x, y, 24 * k, GEM.pearl, '#8a8478', 3 * k);
    disc(ctx, x - 7 * k, y - 8 * k, 7 * k, '#ffffff');
  } else put(ctx, 'gem', x, y, GEM[what], k);
}

/** A sweet on its plate, seen from above. @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} k */
function sweet(ctx, what, x, y, k) {
  const c = SWEET[what];
  disc(ctx, x, y, 42 * k, '#fdfaf4', GOLD, 4 * k);
  disc(ctx, x, y, 27 * k, c, tone(c, -0.4), 3 * k);
  disc(ctx, x - 7 * k, y - 8 * k, 9 * k, tone(c, 0.4));
  polygon(ctx, [[x + 6 * k, y + 4 * k], [x + 30 * k, y - 6 * k], [x + 30 * k, y + 22 * k]], '#fdfaf4');
}

/** The table from above. @param {Ctx} ctx @param {any} s */
export function table(ctx, s) {
  box(ctx, 230, 126, 820, 270, '#6a4630', { radius: 26, edge: '#3a2418', line: 6 });
  box(ctx, 250, 142, 780, 238, '#fbf6ec', { radius: 20, edge: '#d8cfc0' });
  for (const x of [500, 780]) put(ctx, 'candle', x, 258, '#f2ead4', 0.9);
  SIDES.forEach((side, i) => ALONG.forEach((along, j) => {
    const [x, y] = [360 + j * 280, i ? 334 : 188];
    box(ctx, x - 52, i ? 400 : 66, 104, 54, '#8a3a52', { radius: 16, edge: GOLD, line: 4 });
    sweet(ctx, s.data.sweet[side][along], x, y, 1);
    text(ctx, s.data.sweet[side][along], x, i ? 278 : 246, { size: 20, color: '#4a3a34' });
  }));
  text(ctx, 'WINDOW SIDE', 640, 36, { size: 26, color: '#fbf3ea' });
  text(ctx, 'FIRE SIDE', 640, 488, { size: 26, color: '#fbf3ea' });
  for (const x of [462, 778]) pane(ctx, x, 18, 40, 22, GOLD, ['#16264a', '#3a4a7a']);
  for (const x of [490, 770]) for (const [dx, h, c] of /** @type {[number, number, string][]} */ ([[-14, 24, '#e0602c'], [14, 26, '#e0602c'], [0, 38, '#f4b03c']])) polygon(ctx, [[x + dx - 13, 506], [x + dx, 506 - h], [x + dx + 13, 506]], c);
  clock(ctx, 126, 250, 62, 11, 0, GOLD);
  text(ctx, 'CLOCK', 126, 346, { size: 24, color: '#fbf3ea' });
  door(ctx, 1108, 180, 90, 140, '#6a4630');
  text(ctx, 'DOOR', 1153, 346, { size: 24, color: '#fbf3ea' });
}

/** The napkin that the pearls were in. @param {Ctx} ctx @param {any} s */
export function napkin(ctx, s) {
  const c = SWEET[s.data.napkin];
  polygon(ctx, [[640, 20], [930, 250], [640, 500], [350, 250]], '#fdfaf4', '#d8cfc0', 4);
  polygon(ctx, [[640, 60], [880, 250], [640, 460], [400, 250]], 'rgba(0,0,0,0)', '#d8b45a', 3);
  for (const [x, y, r] of [[520, 300, 46], [566, 330, 34], [494, 338, 26], [552, 280, 24], [590, 366, 13], [470, 290, 12]]) disc(ctx, x, y, r, c);
  disc(ctx, 506, 288, 12, tone(c, 0.3));
  for (let i = 0; i < 40; i++) {
    const a = (i / 40) * Math.PI * 2;
    disc(ctx, 720 + Math.cos(a) * (92 + Math.sin(a * 3) * 14), 210 + Math.sin(a) * (62 + Math.cos(a * 2) * 12), 10, '#fbf8f2', '#b8ae9c', 2);
  }
}

/** @param {Ctx} ctx @param {string} what @param {number} x @param {number} y @param {number} h @param {boolean} plain */
export function head(ctx, what, x, y, h, plain) {
  const coat = { hat: '#3a3f4a', crown: '#7a2438', hood: '#4a4f6a' }[what] ?? '#333';
  const face = /** @type {import('../adventure/people.js').Face} */ ({ skin: plain ? '#b8a888' : '#ecc9ae', hair: plain ? '#8a7a5c' : '#6a4a34', style: what, coat: plain ? '#9a8a68' : coat, topper: plain ? '#6a5a3c' : coat, mood: 'plain', collar: plain ? '#b8a888' : '#f1ece0' });
  ctx.save();
  ctx.translate(x, y);
  portrait(ctx, face, h);
  ctx.restore();
}

/** Three ancestors with their jewels. @param {Ctx} ctx @param {any} s @param {number} [x] @param {number} [y] @param {number} [w] */
export function portraits(ctx, s, x = 110, y = 70, w = 300) {
  s.data.hung.forEach((/** @type {string} */ what, /** @type {number} */ i) =>
    framed(ctx, x + i * w * 1.22, y, w, w * 1.2, GOLD, (c, pw, ph) => {
      box(c, 0, 0, pw, ph, down(c, 0, ph, '#6a5a48', '#2f2a26'));
      head(c, what, pw / 2, ph, ph * 0.84, false);
      gem(c, s.data.worn[what], pw / 2, ph * 0.87, w / 260);
    }),
  );
}

/** The blotter, read from the wrong side and from the right one. @param {Ctx} ctx @param {any} s */
export function blotter(ctx, s) {
  box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#5a3c2c', '#33211a'));
  box(ctx, 250, 50, 780, 424, '#2c5a4a', { radius: 10, edge: GOLD, line: 8 });
  box(ctx, 290, 84, 700, 356, '#f4e9d8', { radius: 4 });
  for (const [px, py, r] of [[340, 400, 16], [930, 130, 22], [900, 380, 10]]) disc(ctx, px, py, r, 'rgba(40,50,110,0.35)');
  const lines = ['The glass key', 'hangs where the', 'low note clinks.'];
  ctx.save();
  if (!s.flags.blotter) {
    ctx.translate(1280, 0);
    ctx.scale(-1, 1);
  }
  ctx.font = 'italic 52px serif';
  ctx.fillStyle = '#2c3470';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  lines.forEach((line, i) => ctx.fillText(line, 640, 180 + i * 84));
  ctx.restore();
  if (s.flags.blotter) {
    ctx.beginPath();
    ctx.ellipse(640, 264, 330, 190, 0, 0, 7);
    ctx.strokeStyle = GOLD;
    ctx.lineWidth = 18;
    ctx.stroke();
    stroke(ctx, [[890, 400], [1010, 500]], GOLD, 26);
  }
}
