// @ts-check
/** A table with mirrors, as a scene: each mirror turns when it is chosen, the light is seen at once, and the lever asks the eye. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { down, glow, tone } from '../adventure/props.js';
import { COLUMNS, ROWS, trace } from './case.js';
import { sign } from './signs.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {import('../adventure/adventure.js').Spot} Spot */

const SIDE = 90;
const LEFT = 120;
const TOP = 124;
const middle = (/** @type {number} */ c, /** @type {number} */ r) => [LEFT + (c + 0.5) * SIDE, TOP + (r + 0.5) * SIDE];
const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'];

/** Where the light goes on a table now. @param {any} s @param {string} id */
export const light = (s, id) => trace(s.data.boards[id], s.vars.turned[id] ?? []);

/** @param {{id: string, name: string, back: string, wood: string, plate: (ctx: Ctx, s: any) => void, tell: (s: any) => string,
 *   pull: (s: any) => void, more?: Spot[], shut: (s: any, sign: string) => boolean}} style  `shut`: an empty ring, or one with a glass in it
 * @returns {import('../adventure/adventure.js').Scene} */
export function mirrorTable({ id, name, back, wood, plate, tell, pull, more = [], shut }) {
  return {
    name,
    back,
    tell: (s) => `${inWords(s, id)} ${tell(s)}`,
    spots: (s) => [
      ...s.data.boards[id].mirrors.map((/** @type {any} */ m, /** @type {number} */ i) => ({
        id: `mirror_${i + 1}`,
        name: `mirror in column ${ROMAN[m.c]}, row ${m.r + 1}`,
        at: [LEFT + m.c * SIDE + 4, TOP + m.r * SIDE + 4, SIDE - 8, SIDE - 8],
        act(/** @type {any} */ now) {
          now.vars.turned[id] ??= [];
          now.vars.turned[id][i] = !now.vars.turned[id][i];
          now.vars.turned[id] = Array.from(now.vars.turned[id], Boolean);
        },
      })),
      ...s.data.boards[id].lenses.flatMap((/** @type {any} */ l) =>
        more.filter((spot) => spot.id === l.sign.replace(' ', '_')).map((spot) => ({ ...spot, at: [LEFT + l.c * SIDE + 4, TOP + l.r * SIDE + 4, SIDE - 8, SIDE - 8] }))),
      { id: 'lever', name: 'lever', at: [1090, 190, 120, 170], act: pull },
    ],
    draw(ctx, s) {
      box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, tone(wood, 0.1), tone(wood, -0.5)));
      box(ctx, 360, 6, 560, 98, '#e8d6a8', { radius: 14, edge: '#5a4a20', line: 4 });
      plate(ctx, s);
      board(ctx, s, id, shut);
      box(ctx, 1126, 210, 44, 130, '#0c2a2c', { radius: 18, edge: '#d9b86a', line: 4 });
      polygon(ctx, [[1142, 280], [1154, 280], [1158, 216], [1138, 216]], '#9ab0b0');
      disc(ctx, 1148, 212, 22, '#ff7f5c', '#5a2018', 3);
      text(ctx, 'LEVER', 1148, 366, { size: 20, color: '#f2fbf7' });
    },
  };
}

/** @param {Ctx} ctx @param {any} s @param {string} id @param {(s: any, sign: string) => boolean} shut */
function board(ctx, s, id, shut) {
  const b = s.data.boards[id];
  box(ctx, LEFT - 16, TOP - 16, COLUMNS * SIDE + 32, ROWS * SIDE + 32, '#0a1f22', { radius: 12, edge: '#d9b86a', line: 5 });
  for (let c = 0; c < COLUMNS; c++) {
    for (let r = 0; r < ROWS; r++) box(ctx, LEFT + c * SIDE + 2, TOP + r * SIDE + 2, SIDE - 4, SIDE - 4, (c + r) % 2 ? '#14393c' : '#183f43', { radius: 6 });
    text(ctx, ROMAN[c], LEFT + (c + 0.5) * SIDE, 513, { size: 18, color: '#d9e6e0' });
  }
  const [, ly] = middle(0, b.row);
  const [, ey] = middle(0, b.out);
  polygon(ctx, [[40, ly - 26], [96, ly - 14], [96, ly + 14], [40, ly + 26]], '#d9b86a', '#5a4a20', 3);
  const way = light(s, id);
  const points = way.points.map(([c, r]) => [Math.max(92, Math.min(962, middle(c, r)[0])), Math.max(TOP - 8, Math.min(TOP + ROWS * SIDE + 8, middle(c, r)[1]))]);
  for (const [wide, color] of /** @type {[number, string][]} */ ([[22, 'rgba(255,214,130,0.18)'], [11, 'rgba(255,224,150,0.45)'], [4, '#fff6d8']])) {
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y);
    ctx.strokeStyle = color;
    ctx.lineWidth = wide;
    ctx.lineJoin = 'round';
    ctx.stroke();
  }
  const [ex, wy] = points[points.length - 1];
  glow(ctx, ex, wy, 46, '255,230,160', 0.8);
  if (way.eye) glow(ctx, 986, ey, 90, '255,230,160', 0.7);
  ctx.beginPath();
  ctx.ellipse(990, ey, 36, 22, 0, 0, 7);
  ctx.fillStyle = way.eye ? '#fff6d8' : '#cfe0da';
  ctx.fill();
  ctx.strokeStyle = '#5a4a20';
  ctx.lineWidth = 4;
  ctx.stroke();
  disc(ctx, 990, ey, 13, way.eye ? '#ff9e3c' : '#1f6a6a', '#0a1f22', 3);
  for (const l of b.lenses) {
    const [x, y] = middle(l.c, l.r);
    const ring = l.sign.startsWith('ring');
    const lit = way.signs.includes(l.sign);
    disc(ctx, x, y, 33, shut(s, l.sign) ? (lit ? 'rgba(255,236,180,0.85)' : 'rgba(190,224,220,0.75)') : 'rgba(10,31,34,0.6)', '#d9b86a', 5);
    if (!ring) sign(ctx, l.sign, x, y, 0.8, '#123a3c');
    else if (!shut(s, l.sign)) text(ctx, '?', x, y + 2, { size: 30, color: '#d9b86a' });
    else disc(ctx, x, y, 16, '#ff9e6b', '#5a2018', 3);
  }
  b.mirrors.forEach((/** @type {any} */ m, /** @type {number} */ i) => {
    const [x, y] = middle(m.c, m.r);
    const d = m.slash !== !!s.vars.turned[id]?.[i] ? -1 : 1;
    box(ctx, x - 40, y - 40, 80, 80, 'rgba(255,255,255,0.07)', { radius: 40, edge: 'rgba(217,184,106,0.55)', line: 2 });
    for (const [wide, color] of /** @type {[number, string][]} */ ([[13, '#5a4a20'], [8, '#d6eef0'], [3, '#ffffff']])) {
      ctx.beginPath();
      ctx.moveTo(x - 28, y - 28 * d);
      ctx.lineTo(x + 28, y + 28 * d);
      ctx.strokeStyle = color;
      ctx.lineWidth = wide;
      ctx.lineCap = 'round';
      ctx.stroke();
      ctx.lineCap = 'butt';
    }
  });
}

/** The table as rows of symbols, and the way of the light. @param {any} s @param {string} id */
function inWords(s, id) {
  const b = s.data.boards[id];
  const way = light(s, id);
  const rows = Array.from({ length: ROWS }, (_, r) =>
    Array.from({ length: COLUMNS }, (_, c) => {
      const i = b.mirrors.findIndex((/** @type {any} */ m) => m.c === c && m.r === r);
      if (i >= 0) return b.mirrors[i].slash !== !!s.vars.turned[id]?.[i] ? '/' : '\\';
      return b.lenses.find((/** @type {any} */ l) => l.c === c && l.r === r)?.sign.replace(' ', '') ?? '.';
    }).join(' '));
  const end = way.points[way.points.length - 1];
  const where = way.eye ? 'the eye' : `the frame at ${end[0] < 0 ? 'the left' : end[0] >= COLUMNS ? 'the right' : end[1] < 0 ? `the top of column ${ROMAN[end[0]]}` : `the foot of column ${ROMAN[end[0]]}`}`;
  return `Columns I to IX, rows 1 to 4, mirrors as / and \\:\n${rows.join('\n')}\nThe light comes in from the left in row ${b.row + 1}; the eye is at the right of row ${b.out + 1}. Now it goes through: ${way.signs.join(', ') || 'no sign'}, and ends at ${where}.`;
}
