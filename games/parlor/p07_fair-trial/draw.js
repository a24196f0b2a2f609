// @ts-check
/** A Fair Trial, the picture: the one who speaks, the words below, the options on the right, the court record over it all. */

import { box, disc, polygon, sky, text } from '../../kit/draw.js';
import { wrapped } from '../parts/words.js';
import { PEOPLE } from './cases.js';
import { caseOf, evidence, LIVES, MOST_STEPS, optionsOf, PARTS, TITLES } from './rules.js';
import { placeOf } from './play.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {CanvasRenderingContext2D} Ctx */

const INK = '#2b1d14';
const PAPER = '#f6ecd2';
const WOOD = ['#7a4a28', '#8f5a33', '#5a351c'];

/** @param {Ctx} ctx @param {State} s */
export function draw(ctx, s) {
  const last = s.lines[s.lines.length - 1];
  hall(ctx, last.who, caseOf(s).witness);
  person(ctx, last.who, 430, 470);
  desk(ctx, last.who);
  top(ctx, s);
  words(ctx, s, last);
  side(ctx, s);
  if (s.open) record(ctx, s);
}

/** @param {Ctx} ctx @param {string} who @param {string} witness */
function hall(ctx, who, witness) {
  // Each place in the court has its wall: the bench, the defence, the prosecution, the stand, the public.
  const wall = who === 'J' ? '#6f3b2e' : who === 'P' ? '#4a3a5e' : who === witness ? '#3f5a4c' : 'YM'.includes(who) ? '#35507a' : '#6a5a34';
  sky(ctx, wall, wall);
  for (let i = 0; i < 6; i++) {
    box(ctx, 20 + i * 145, 70, 110, 400, 'rgba(255,255,255,0.06)', { radius: 55 });
    box(ctx, 8 + i * 145, 60, 12, 430, 'rgba(0,0,0,0.18)');
  }
  box(ctx, 0, 56, 860, 16, 'rgba(0,0,0,0.25)');
  disc(ctx, 430, 130, 52, 'rgba(255,230,160,0.16)');
}

/** @param {Ctx} ctx @param {string} who */
function desk(ctx, who) {
  const high = who === 'J' ? 372 : 402;
  box(ctx, 90, high, 680, 120, WOOD[0], { edge: WOOD[2], line: 4 });
  box(ctx, 70, high - 18, 720, 22, WOOD[1], { radius: 6, edge: WOOD[2], line: 4 });
  for (let i = 0; i < 5; i++) box(ctx, 112 + i * 132, high + 22, 108, 64, 'rgba(0,0,0,0.14)', { radius: 6, edge: WOOD[2], line: 2 });
  if (who === 'J') {
    polygon(ctx, [[610, 356], [648, 336], [660, 350], [622, 368]], '#a5713f', WOOD[2]);
    box(ctx, 600, 318, 44, 28, '#8f5a33', { radius: 6, edge: WOOD[2] });
  }
}

/**
 * Hair, clothes, hat, extra, and whether the face is round.
 * @type {Record<string, {skin: string, hair: string, coat: string, shirt: string, hat?: string, extra?: string, wide?: number}>}
 */
const LOOKS = {
  J: { skin: '#e8b994', hair: '#f2eee2', coat: '#2a2230', shirt: '#e9e2cc', extra: 'wig', wide: 1.12 },
  Y: { skin: '#e2b48c', hair: '#3a2a1c', coat: '#2f5fb0', shirt: '#ffffff', extra: 'pin' },
  M: { skin: '#d9a67f', hair: '#b9b4ad', coat: '#6d3f7a', shirt: '#f1e7f4', extra: 'bun' },
  P: { skin: '#e6c2a0', hair: '#15131a', coat: '#3a2f4e', shirt: '#c7b2d8', extra: 'moustache' },
  T: { skin: '#edc09a', hair: '#a8552a', coat: '#f2f0ea', shirt: '#d6e4ef', hat: 'cook' },
  F: { skin: '#dcae88', hair: '#6b5232', coat: '#3f6b5a', shirt: '#e8dfb8', hat: 'umbrella', extra: 'beard' },
  O: { skin: '#e7a98a', hair: '#d9d4cc', coat: '#7d5a2c', shirt: '#f3e9d0', extra: 'whiskers', wide: 1.15 },
  C: { skin: '#c98f66', hair: '#2a1c12', coat: '#26405e', shirt: '#f5f5f5', hat: 'sailor' },
  H: { skin: '#f0c3a8', hair: '#c79a3c', coat: '#c45a7c', shirt: '#fff3f7', extra: 'bow', wide: 1.2 },
  B: { skin: '#d8a888', hair: '#5a2f1e', coat: '#a52f2f', shirt: '#f6d673', hat: 'band', extra: 'bun' },
};

/** @param {Ctx} ctx @param {string} who @param {number} x @param {number} y */
function person(ctx, who, x, y) {
  const { skin, hair, coat, shirt, hat, extra, wide = 1 } = LOOKS[who];
  ctx.save();
  ctx.translate(x, y - 40);
  ctx.scale(1.22 * wide, 1.22);
  if (extra === 'wig') for (const d of [-1, 1]) for (const dy of [0, 26, 52, 78]) disc(ctx, d * 54, -196 + dy, 20, hair, '#b8b09a');
  if (extra === 'bun') disc(ctx, 0, -264, 22, hair, INK);
  polygon(ctx, [[-112, 20], [-92, -84], [-36, -112], [36, -112], [92, -84], [112, 20]], coat, INK, 4);
  polygon(ctx, [[-30, -114], [0, -30], [30, -114]], shirt, INK);
  box(ctx, -17, -132, 34, 30, skin, { edge: INK });
  disc(ctx, 0, -186, 58, hair, INK, 4);
  polygon(ctx, [[-48, -196], [-44, -160], [-22, -130], [22, -130], [44, -160], [48, -196], [34, -218], [-28, -220]], skin, INK);
  for (const d of [-20, 20]) {
    disc(ctx, d, -180, 9, '#ffffff', INK, 2);
    disc(ctx, d + 2, -179, 4.5, INK);
    box(ctx, d - 12, -200, 24, 5, hair === '#f2eee2' ? '#8a8272' : hair, { radius: 2 });
  }
  polygon(ctx, [[0, -176], [9, -158], [-3, -158]], 'rgba(90,40,20,0.35)');
  box(ctx, -13, -147, 26, 5, '#8c3b2e', { radius: 3 });
  features(ctx, hat, extra, hair);
  ctx.restore();
}

/** @param {Ctx} ctx @param {string|undefined} hat @param {string|undefined} extra @param {string} hair */
function features(ctx, hat, extra, hair) {
  if (extra === 'moustache') polygon(ctx, [[0, -156], [34, -146], [44, -156], [20, -150], [0, -152], [-20, -150], [-44, -156], [-34, -146]], hair, INK, 2);
  if (extra === 'beard') polygon(ctx, [[-42, -160], [-20, -140], [20, -140], [42, -160], [30, -116], [0, -100], [-30, -116]], hair, INK);
  if (extra === 'whiskers') for (const d of [-1, 1]) polygon(ctx, [[d * 46, -196], [d * 66, -150], [d * 40, -128], [d * 30, -146]], hair, INK);
  if (extra === 'bow') polygon(ctx, [[-34, -116], [0, -104], [34, -116], [34, -88], [0, -100], [-34, -88]], '#3a8fb7', INK);
  if (extra === 'pin') disc(ctx, 60, -64, 11, '#f5c518', INK);
  if (hat === 'cook') {
    for (const d of [-34, 0, 34]) disc(ctx, d, -262, 30, '#ffffff', INK);
    box(ctx, -48, -252, 96, 38, '#ffffff', { edge: INK });
    box(ctx, -120, -60, 60, 26, '#ffffff', { radius: 10, edge: INK });
  } else if (hat === 'umbrella') {
    polygon(ctx, [[-96, -226], [-70, -268], [0, -292], [70, -268], [96, -226], [48, -238], [0, -226], [-48, -238]], '#d8574a', INK, 4);
    polygon(ctx, [[-48, -238], [0, -292], [48, -238], [0, -226]], '#f3d36b', INK);
    box(ctx, -3, -304, 6, 16, INK);
  } else if (hat === 'sailor') {
    box(ctx, -52, -244, 104, 26, '#ffffff', { radius: 8, edge: INK });
    polygon(ctx, [[-44, -244], [-34, -268], [34, -268], [44, -244]], '#ffffff', INK);
    polygon(ctx, [[-40, -112], [0, -60], [40, -112]], '#2a5db0', INK);
  } else if (hat === 'band') {
    polygon(ctx, [[-46, -222], [-52, -270], [52, -270], [46, -222]], '#8a1f1f', INK, 4);
    box(ctx, -54, -228, 108, 12, '#f6d673', { radius: 5, edge: INK });
    polygon(ctx, [[-6, -270], [0, -306], [10, -270]], '#f6d673', INK);
  }
}

/** @param {Ctx} ctx @param {State} s */
function top(ctx, s) {
  box(ctx, 0, 0, 1280, 52, '#20150f');
  text(ctx, `${caseOf(s).title}  ·  ${TITLES[s.part]} (${s.part + 1} of ${PARTS.length})  ·  step ${s.steps} of ${MOST_STEPS}`, 20, 27, { size: 22, align: 'left', color: '#f3d58a' });
  if (!s.part) return;
  text(ctx, 'Lives', 1046, 27, { size: 20, align: 'left', color: '#f3d58a' });
  for (let i = 0; i < LIVES; i++) polygon(ctx, [[1116 + i * 30, 14], [1138 + i * 30, 14], [1138 + i * 30, 28], [1127 + i * 30, 40], [1116 + i * 30, 28]], i < s.lives ? '#58b368' : '#4a3a30', '#f3d58a', 2);
}

/** @param {Ctx} ctx @param {State} s @param {import('./rules.js').Line} last */
function words(ctx, s, last) {
  box(ctx, 16, 500, 830, 204, 'rgba(24,16,12,0.94)', { radius: 14, edge: '#d9b46a' });
  box(ctx, 34, 480, 30 + 15 * PEOPLE[last.who].length, 42, '#d9b46a', { radius: 10, edge: INK });
  text(ctx, PEOPLE[last.who], 50, 502, { size: 24, align: 'left', color: INK });
  const color = last.kind === 'testimony' ? '#7dea8c' : last.kind === 'asked' ? '#ffd97a' : '#ffffff';
  wrapped(last.text, 54).forEach((line, i) => text(ctx, line, 44, 552 + i * 34, { size: 27, align: 'left', bold: false, color }));
  const hint = last.kind === 'testimony' ? 'Testimony' : last.kind === 'asked' ? 'The judge waits for your answer' : '';
  if (hint) text(ctx, hint, 828, 520, { size: 18, align: 'right', color, bold: false });
  if (!s.ok) wrapped(s.said, 76).slice(0, 1).forEach((line) => text(ctx, line, 44, 684, { size: 19, align: 'left', color: '#ff9d86' }));
}

/** @param {Ctx} ctx @param {State} s */
function side(ctx, s) {
  box(ctx, 858, 52, 422, 668, '#33231a', { edge: '#20150f' });
  const options = optionsOf(s);
  options.forEach((o, i) => {
    const { x, y, w, h } = placeOf(i);
    const chosen = o.what === 'select' && s.selected === o.id;
    box(ctx, x, y, w, h, chosen ? '#f3d58a' : o.what === 'present' && o.id ? '#ffb7a0' : PAPER, { radius: 9, edge: '#8a6a3a' });
    disc(ctx, x + 24, y + h / 2, 15, '#7a3b22');
    text(ctx, i + 1, x + 24, y + h / 2 + 1, { size: 19, color: '#ffffff' });
    text(ctx, o.label, x + 50, y + h / 2 + 1, { size: 20, align: 'left', color: INK, bold: false });
  });
  // What was said before, as far as there is room.
  const y = placeOf(options.length).y + 8;
  const lines = s.lines.slice(0, -1).flatMap((l) => wrapped(`${PEOPLE[l.who]}: ${l.text}`, 39));
  const room = Math.floor((712 - y) / 23);
  lines.slice(-room).forEach((line, i) => text(ctx, line, 874, y + 10 + i * 23, { size: 18, align: 'left', bold: false, color: '#cdb89a' }));
}

/** @param {Ctx} ctx @param {State} s */
function record(ctx, s) {
  box(ctx, 14, 60, 832, 418, '#e9d9b0', { radius: 12, edge: '#8a6a3a', line: 5 });
  s.record.forEach((id, i) => {
    const [, name, about] = evidence(s, id);
    const x = 28 + (i % 2) * 408;
    const y = 70 + (i >> 1) * 95;
    box(ctx, x, y, 398, 90, s.selected === id ? '#fff3c4' : PAPER, { radius: 8, edge: s.selected === id ? '#c0392b' : '#b59a63', line: s.selected === id ? 4 : 2 });
    text(ctx, `${i + 2}  ${name}`, x + 10, y + 15, { size: 19, align: 'left', color: '#7a3b22' });
    wrapped(about, 39).slice(0, 3).forEach((line, n) => text(ctx, line, x + 10, y + 37 + n * 21, { size: 18, align: 'left', color: INK, bold: false }));
  });
  // The people of the case; those of the court are known.
  const known = caseOf(s).people.slice(3).flatMap(([letter, about]) => wrapped(`${PEOPLE[letter]}: ${about}`, 42));
  known.forEach((line, i) => text(ctx, line, 446, 366 + i * 19, { size: 18, align: 'left', color: '#5a3a22', bold: false }));
}
