// @ts-check
/** The Bell of Sallow, the pictures: a fen in autumn fog, in straw, moss and rust, with white signs on black boats. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { standing } from '../adventure/people.js';
import { chest, cupboard, down, glow, pane, shadow, stroke, tone } from '../adventure/props.js';
import { COLUMNS, HIDDEN, ROWS } from './case.js';
import { compass, INK, mark, NAMES, paintings, ROMAN } from './near.js';
import { bird, sign } from './signs.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#4f4a2c', ink: '#33281a', paper: '#f6edd6', accent: '#f0a63c', dark: '#26261a', serif: true };

/** @type {Record<string, import('../adventure/people.js').Face>} */
export const FACES = {
  hob: { skin: '#e8b898', hair: '#d8c8a0', style: 'cap', topper: '#e9e0c8', coat: '#b8a888', beard: 'full', mood: 'smile', extra: 'apron' },
  tansy: { skin: '#d9a07a', hair: '#6a3a1e', style: 'bun', coat: '#5f6a3a', mood: 'frown', extra: 'scarf' },
  odo: { skin: '#c98f68', hair: '#3a2a1e', style: 'hood', topper: '#6a5236', coat: '#7a5f40', collar: '#5a452c', mood: 'plain' },
  wick: { skin: '#a86f4a', hair: '#2c241c', style: 'hat', topper: '#3f4a3a', coat: '#a4522e', beard: 'moustache', mood: 'plain' },
  lisbet: { skin: '#f0cdb0', hair: '#c8743a', style: 'curls', coat: '#4a6a6a', glasses: true, mood: 'smile', extra: 'scarf' },
  reeve: { skin: '#b98260', hair: '#8a8478', style: 'long', coat: '#8a3a2a', mood: 'plain', extra: 'pearls' },
};
const TAR = '#33302a';
const [LEFT, TOP, WIDE, HIGH] = [168, 62, 118, 82];
/** Where a field of the chart is. @param {number} c @param {number} r */
export const fieldAt = (c, r) => [LEFT + c * WIDE + 2, TOP + r * HIGH + 2, WIDE - 4, HIGH - 4];

/** Reeds that grow from a line. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} c */
function reeds(ctx, x, y, w, h, c) {
  for (let i = 0; i < w / 9; i++) {
    const px = x + i * 9 + ((i * 7) % 5);
    const ph = h * (0.6 + ((i * 13) % 9) * 0.05);
    const lean = ((i * 11) % 7) - 3;
    stroke(ctx, [[px, y], [px + lean * 2, y - ph]], tone(c, ((i % 3) - 1) * 0.14), 3);
    if (i % 4 === 0) box(ctx, px + lean * 2 - 4, y - ph - 6, 8, 26, '#6a4424', { radius: 4 });
  }
}

/** The fen under its fog. @param {Ctx} ctx @param {any} s @param {number} [line] where the water begins */
function fen(ctx, s, line = 230) {
  box(ctx, 0, 0, 1280, line, down(ctx, 0, line, '#d9c48e', '#f3e6bf', '#e9d9a8'));
  disc(ctx, 1010, 96, 46, '#fbf3d6');
  glow(ctx, 1010, 96, 170, '255,244,206', 0.7);
  for (let i = 0; i < 10; i++) polygon(ctx, [[i * 150 - 60, line], [i * 150 + 10, line - 34 - (i % 3) * 18], [i * 150 + 90, line]], i % 2 ? '#c2b27c' : '#b9a56c');
  reeds(ctx, 0, line + 6, 1280, 46, '#a8924e');
  box(ctx, 0, line, 1280, 524 - line, down(ctx, line, 524 - line, '#a8a27a', '#5f6b54', '#46543f'));
  for (let i = 0; i < 34; i++) {
    const y = line + 14 + ((i * 53) % (500 - line));
    box(ctx, (i * 197 + s.ticks * 0.15) % 1320 - 40, y, 30 + (i % 5) * 12, 3, 'rgba(240,232,200,0.35)', { radius: 2 });
  }
}

/** @param {Ctx} ctx @param {any} s */
function fog(ctx, s) {
  for (let i = 0; i < 5; i++) {
    const x = ((i * 330 + s.ticks * (0.2 + i * 0.05)) % 1700) - 220;
    ctx.beginPath();
    ctx.ellipse(x, 190 + i * 62, 250, 30, 0, 0, 7);
    ctx.fillStyle = 'rgba(248,242,222,0.17)';
    ctx.fill();
  }
}

/** A floor on stilts, with a wall of planks on its left. @param {Ctx} ctx @param {number} w @param {string} wall @param {string} roof */
function stilts(ctx, w, wall, roof) {
  for (let x = 30; x < w; x += 170) box(ctx, x, 440, 22, 84, '#4a3a28', { edge: '#2a2016' });
  box(ctx, 0, 34, w - 130, 390, down(ctx, 34, 390, tone(wall, 0.1), tone(wall, -0.15)));
  for (let y = 60; y < 424; y += 34) box(ctx, 0, y, w - 130, 3, tone(wall, -0.25));
  polygon(ctx, [[0, 0], [w - 60, 0], [w - 90, 40], [0, 40]], roof, tone(roof, -0.4));
  for (let x = 0; x < w - 90; x += 22) box(ctx, x, 26, 12, 18, tone(roof, x % 44 ? -0.12 : -0.24));
  box(ctx, 0, 424, w, 26, '#8a6a44', { edge: '#4a3624' });
  for (let x = 40; x < w; x += 90) box(ctx, x, 424, 3, 26, '#5f4830');
}

/** A boat with its sign. @param {Ctx} ctx @param {any} s @param {string} who */
function boat(ctx, s, who) {
  const y = 414 + Math.sin(s.ticks / 50) * 3;
  shadow(ctx, 1050, y + 58, 340, 18);
  polygon(ctx, [[866, y - 40], [1214, y - 26], [1180, y + 52], [916, y + 52]], TAR, '#14120e', 4);
  stroke(ctx, [[872, y - 36], [1208, y - 22]], '#8a6a44', 9);
  for (const x of [1070, 1140]) box(ctx, x, y - 30, 18, 70, '#4a4438');
  disc(ctx, 962, y + 6, 42, '#26231c');
  sign(ctx, s.data.sign[who], 962, y + 6, 1.25, '#fbf6e6');
}

export const draws = {
  pole(/** @type {Ctx} */ ctx) {
    stroke(ctx, [[-26, 26], [24, -26]], '#5a3c1c', 9);
    stroke(ctx, [[-26, 26], [24, -26]], '#c99a54', 5);
    stroke(ctx, [[-28, 28], [-20, 20]], '#6a6f66', 9);
  },
  fen(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 524, '#e7d7a8');
    for (let i = 0; i < 130; i++) {
      const [x, y] = [(i * 193) % 1280, (i * 89) % 524];
      stroke(ctx, [[x, y], [x + 3, y - 10]], '#c9b67c', 3);
    }
    box(ctx, LEFT - 6, TOP - 6, COLUMNS * WIDE + 12, ROWS * HIGH + 12, 'rgba(120,140,110,0.28)', { edge: INK, line: 4 });
    for (let c = 0; c < COLUMNS; c++) {
      text(ctx, 'ABCDEFGH'[c], LEFT + (c + 0.5) * WIDE, 36, { size: 26, color: INK });
      for (let r = 0; r < ROWS; r++) {
        const [x, y, w, h] = fieldAt(c, r);
        box(ctx, x, y, w, h, (c + r) % 2 ? 'rgba(255,250,226,0.34)' : 'rgba(150,150,96,0.16)', { radius: 6 });
        if ((c * 5 + r * 3) % 4 === 0) reeds(ctx, x + 34, y + h - 14, 44, 30, '#b8a45c');
      }
    }
    for (let r = 0; r < ROWS; r++) text(ctx, ROMAN[r], LEFT - 34, TOP + (r + 0.5) * HIGH, { size: 26, color: INK });
    for (const place of Object.keys(NAMES)) {
      if (HIDDEN.includes(place) && !s.flags[place]) continue;
      const [x, y, w, h] = fieldAt(s.data.at[place].c, s.data.at[place].r);
      box(ctx, x, y, w, h, '#f6edd6', { radius: 8, edge: '#a4522e', line: 3 });
      mark(ctx, place, x + w / 2, y + h / 2 - 8);
      text(ctx, NAMES[place], x + w / 2, y + h - 11, { size: 18, color: INK });
    }
    compass(ctx, 1196, 130, 68);
    text(ctx, 'THE FEN', 1196, 240, { size: 24, color: INK });
    text(ctx, 'OF SALLOW', 1196, 270, { size: 20, color: INK });
  },
  inn(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    fen(ctx, s);
    stilts(ctx, 840, '#a5764a', '#8a4428');
    paintings(ctx, s, 62, 70, 94, 84);
    pane(ctx, 462, 56, 84, 80, '#5a3c24', ['#ffd98a', '#e8a44a']);
    chest(ctx, 74, 366, 170, 70, '#6a4a2c', true);
    put(ctx, 'horn', 130, 374, '#c79b4a', 0.8);
    put(ctx, 'shoe', 190, 378, '#5f4a34', 0.8);
    for (const [x, y] of [[270, 400], [310, 400]]) stroke(ctx, [[x, y + 26], [290, 240]], '#7a5a34', 7);
    box(ctx, 258, 280, 66, 84, '#f6edd6', { edge: '#5a3c24' });
    stroke(ctx, [[268, 340], [288, 320], [314, 346]], '#7a8a6a', 5);
    standing(ctx, FACES.lisbet, 383, 430, 252);
    standing(ctx, FACES.reeve, 630, 432, 266);
    for (let i = 0; i < 5; i++) stroke(ctx, [[728 + i * 16, 400], [722 + i * 16, 118 + (i % 3) * 14]], i % 2 ? '#c99a54' : '#b0843f', 7);
    for (const y of [200, 340]) box(ctx, 712, y, 98, 12, '#5a3c24', { radius: 4 });
    box(ctx, 850, 56, 170, 104, '#f6edd6', { radius: 8, edge: '#8a4428', line: 6 });
    box(ctx, 828, 46, 196, 8, '#4a3624');
    put(ctx, 'shoe', 935, 96, '#8a5a34', 1.1);
    text(ctx, 'THE DRY FOOT', 935, 142, { size: 18, color: INK });
    boat(ctx, s, 'lisbet');
    fog(ctx, s);
  },
  mill(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    fen(ctx, s);
    const turn = s.ticks / 160;
    for (let i = 0; i < 4; i++) {
      const a = turn + (i * Math.PI) / 2;
      const [cx, cy] = [Math.cos(a), Math.sin(a)];
      polygon(ctx, [[900 + cx * 20, 100 + cy * 20], [900 + cx * 190, 100 + cy * 190], [900 + cx * 190 - cy * 40, 100 + cy * 190 + cx * 40], [900 + cx * 40 - cy * 40, 100 + cy * 40 + cx * 40]], 'rgba(246,237,214,0.9)', '#8a6a44', 4);
      stroke(ctx, [[900, 100], [900 + cx * 196, 100 + cy * 196]], '#6a4a2c', 9);
    }
    stilts(ctx, 840, '#c2a878', '#7a5a34');
    box(ctx, 700, 84, 200, 32, '#6a4a2c', { radius: 10, edge: '#3a2616' });
    disc(ctx, 900, 100, 22, '#4a3624', '#2a1c10', 4);
    pane(ctx, 316, 60, 158, 130, '#6a4a2c', ['#f3e6bf', '#cdb98a']);
    for (let i = 0; i < 3; i++) stroke(ctx, [[346 + i * 36, 110 - i * 8], [358 + i * 36, 118 - i * 8], [370 + i * 36, 110 - i * 8]], '#5f6c7c', 4);
    for (const [y, r] of [[300, 82], [236, 66]]) {
      ctx.beginPath();
      ctx.ellipse(155, y, r + 8, 30, 0, 0, 7);
      ctx.fillStyle = '#a49a88';
      ctx.fill();
      ctx.strokeStyle = '#6a6254';
      ctx.lineWidth = 4;
      ctx.stroke();
      disc(ctx, 155, y, 10, '#4a443a');
    }
    chest(ctx, 70, 366, 180, 72, '#8a6234');
    for (let i = 0; i < 4; i++) {
      const [x, y] = [320 + (i % 3) * 62, 400 - Math.floor(i / 3) * 66];
      box(ctx, x - 32, y - 40, 66, 80, i === 3 ? '#b08a54' : '#e4d8b8', { radius: 22, edge: '#8a7a54' });
      box(ctx, x - 12, y - 46, 26, 12, '#8a6a3c', { radius: 5 });
    }
    standing(ctx, FACES.hob, 630, 436, 262);
    boat(ctx, s, 'hob');
    fog(ctx, s);
  },
  eels(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    fen(ctx, s);
    stilts(ctx, 840, '#6f5640', '#4f5a34');
    box(ctx, 60, 158, 270, 12, '#3a2c1c');
    for (const [n, x, c] of /** @type {[string, number, string][]} */ ([['comb', 100, '#c9a25a'], ['fish', 170, '#6a7a5a'], ['teapot', 240, '#8a5a3a'], ['ring', 300, '#c9a25a']])) put(ctx, n, x, 126, c, 0.9);
    for (let i = 0; i < 6; i++) {
      stroke(ctx, [[390 + i * 26, 46], [400 + i * 22, 224]], '#c9b68a', 3);
      stroke(ctx, [[388, 60 + i * 30], [524, 60 + i * 30 + (i % 2) * 8]], '#c9b68a', 3);
    }
    for (let i = 0; i < 3; i++) {
      const x = 82 + i * 92;
      box(ctx, x, 344, 84, 116, down(ctx, 344, 116, '#9a7444', '#6a4c2a'), { radius: 14, edge: '#3a2816' });
      for (const y of [364, 432]) box(ctx, x, y, 84, 8, '#3f3a30');
      ctx.beginPath();
      ctx.ellipse(x + 42, 350, 36, 9, 0, 0, 7);
      ctx.fillStyle = '#39463a';
      ctx.fill();
    }
    box(ctx, 726, 44, 158, 12, '#3a2c1c');
    for (let i = 0; i < 6; i++) stroke(ctx, [[738 + i * 26, 56], [734 + i * 26, 120], [744 + i * 26, 180], [736 + i * 26, 250]], i % 2 ? '#4a4f3a' : '#5f5a34', 12);
    for (let i = 0; i < 4; i++) disc(ctx, 780 + Math.sin(s.ticks / 40 + i) * 20, 280 - i * 70, 24 + i * 6, 'rgba(230,222,196,0.35)');
    standing(ctx, FACES.tansy, 610, 436, 262);
    disc(ctx, 450, 452, 34, '#c8823c');
    disc(ctx, 432, 418, 19, '#c8823c');
    for (const dx of [-12, 12]) polygon(ctx, [[432 + dx - 6, 408], [432 + dx, 390], [432 + dx + 6, 408]], '#c8823c');
    for (const dx of [-7, 7]) disc(ctx, 432 + dx, 416, 3, '#26231c');
    stroke(ctx, [[480, 460], [498, 440], [490, 416]], '#c8823c', 9);
    boat(ctx, s, 'tansy');
    fog(ctx, s);
  },
  tower(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    fen(ctx, s);
    box(ctx, 0, 0, 830, 524, down(ctx, 0, 524, '#a59c80', '#77705a'));
    for (let y = 0, i = 0; y < 420; y += 52, i++) for (let x = (i % 2) * 52 - 20; x < 830; x += 104) box(ctx, x, y, 100, 48, i % 3 ? 'rgba(255,250,230,0.08)' : 'rgba(60,54,40,0.10)', { radius: 6 });
    box(ctx, 0, 424, 840, 100, '#6a6450', { edge: '#4a4536' });
    ctx.beginPath();
    ctx.roundRect(330, 44, 160, 172, [80, 80, 0, 0]);
    ctx.fillStyle = down(ctx, 44, 172, '#f3e6bf', '#cdb98a');
    ctx.fill();
    ctx.strokeStyle = '#5a5442';
    ctx.lineWidth = 10;
    ctx.stroke();
    for (let i = 0; i < 3; i++) stroke(ctx, [[356 + i * 38, 120 - i * 10], [368 + i * 38, 128 - i * 10], [380 + i * 38, 120 - i * 10]], '#5f6c7c', 4);
    cupboard(ctx, 78, 160, 154, 250, '#6a4f38');
    for (const x of [730, 1000]) box(ctx, x, 26, 22, 170, '#5a4630', { edge: '#33281a' });
    box(ctx, 716, 26, 320, 24, '#5a4630', { edge: '#33281a' });
    box(ctx, 740, 110, 270, 14, '#4a3a28');
    for (const x of [840, 900]) disc(ctx, x, 62, 10, '#c9a25a', '#5b4312', 3);
    stroke(ctx, [[770, 116], [768, 250], [774, 330]], '#cdb27a', 8);
    for (const dx of [-8, 0, 8]) stroke(ctx, [[774, 330], [774 + dx, 356]], '#cdb27a', 4);
    box(ctx, 300, 372, 210, 84, down(ctx, 372, 84, '#c2bca4', '#8f8a74'), { radius: 6, edge: '#5a5744', line: 4 });
    box(ctx, 290, 352, 230, 24, '#b0aa92', { radius: 5, edge: '#5a5744', line: 4 });
    text(ctx, 'QUIET', 405, 416, { size: 26, color: '#5a5744' });
    standing(ctx, FACES.odo, 630, 438, 250);
    boat(ctx, s, 'odo');
    fog(ctx, s);
  },
  ferry(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    fen(ctx, s, 250);
    box(ctx, 800, 196, 440, 52, 'rgba(140,124,76,0.5)', { radius: 26 });
    for (let x = 30; x < 840; x += 170) box(ctx, x, 440, 22, 84, '#4a3a28', { edge: '#2a2016' });
    box(ctx, 0, 424, 840, 26, '#8a6a44', { edge: '#4a3624' });
    box(ctx, 150, 210, 14, 216, '#5a4630');
    box(ctx, 66, 96, 180, 118, '#f6edd6', { radius: 6, edge: '#6a4a2c', line: 6 });
    text(ctx, 'OVER 1 d', 156, 134, { size: 26, color: INK });
    text(ctx, 'BACK  ?', 156, 176, { size: 26, color: INK });
    box(ctx, 40, 440, 250, 40, '#7a5a34', { edge: '#3a2816', line: 4 });
    for (const x of [56, 160, 262]) box(ctx, x, 384, 10, 60, '#5a4224');
    box(ctx, 50, 384, 230, 9, '#5a4224');
    box(ctx, 532, 100, 14, 326, '#3f4a3a');
    box(ctx, 508, 50, 62, 66, '#ffe7a0', { radius: 8, edge: '#3f4a3a', line: 6 });
    glow(ctx, 540, 84, 150, '255,230,150', 0.6);
    ctx.beginPath();
    ctx.roundRect(322, 210, 156, 216, [78, 78, 0, 0]);
    ctx.fillStyle = down(ctx, 210, 216, '#b8b298', '#7f7c66');
    ctx.fill();
    ctx.strokeStyle = '#5a5744';
    ctx.lineWidth = 5;
    ctx.stroke();
    if (s.flags.scrubbed) for (let i = 0; i < 4; i++) box(ctx, 350, 256 + i * 32, 100 - (i % 2) * 24, 8, '#4a4736');
    else for (let i = 0; i < 60; i++) disc(ctx, 338 + ((i * 53) % 126), 236 + ((i * i * 7 + i * 37) % 180), 17, i % 2 ? '#6f7a3a' : '#838c46');
    standing(ctx, FACES.wick, 670, 436, 262);
    boat(ctx, s, 'wick');
    fog(ctx, s);
  },
  weir(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    fen(ctx, s, 200);
    const low = s.flags.drained;
    for (let i = 0; i < 26; i++) box(ctx, 20 + i * 48, 190 + (i % 4) * 8 + i * 3, 16, 150, '#6a4f30', { radius: 5, edge: '#3a2a18', line: 2 });
    for (const y of [236, 262]) stroke(ctx, [[20, y], [1260, y + 76]], '#8a6a3c', 6);
    if (low) box(ctx, 0, 420, 1280, 104, down(ctx, 420, 104, '#7a6a48', '#574a32'));
    box(ctx, 170, 140, 210, 260, '#8a8468', { edge: '#4a4736', line: 5 });
    box(ctx, 206, low ? 150 : 220, 138, 150, '#5a4630', { edge: '#2a2016', line: 4 });
    box(ctx, 190, 120, 170, 26, '#5a4630', { edge: '#2a2016', line: 4 });
    disc(ctx, 275, 134, 14, '#2a2016');
    if (low) {
      put(ctx, 'crank', 290, 116, '#8a8f86', 1.1);
      for (let i = 0; i < 5; i++) stroke(ctx, [[224 + i * 24, 310], [220 + i * 24 + Math.sin(s.ticks / 9 + i) * 5, 410]], 'rgba(240,246,240,0.75)', 8);
    }
    const y = low ? 210 : 300;
    for (const x of [580, 780]) box(ctx, x, y, 20, 240, '#4a3a28', { edge: '#2a2016' });
    box(ctx, 566, y, 248, 130, '#5f4830', { radius: 6, edge: '#33261a', line: 4 });
    for (let r = 0; r < 2; r++) for (let i = 0; i < 5; i++) box(ctx, 590 + i * 42, y + 24 + r * 54, 26, 26, '#d9c89a', { radius: 6 });
    if (!low) {
      box(ctx, 0, 316, 1280, 208, 'rgba(86,98,72,0.86)');
      for (let i = 0; i < 14; i++) box(ctx, (i * 197) % 1240, 340 + ((i * 53) % 160), 60, 3, 'rgba(240,232,200,0.35)');
    }
    for (const [x, py] of [[980, 390], [1060, 410]]) {
      polygon(ctx, [[x - 70, py - 36], [x + 50, py - 14], [x + 50, py + 14], [x - 70, py + 40]], '#b08a4a', '#5f4520', 4);
      for (let i = 0; i < 5; i++) stroke(ctx, [[x - 56 + i * 22, py - 30 + i * 4], [x - 56 + i * 22, py + 34 - i * 4]], '#7a5a2c', 4);
    }
    bird(ctx, 'heron', 1146, 226, 1.9);
    fog(ctx, s);
  },
  hide(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#8a7034', '#5a4824'));
    for (let i = 0; i < 150; i++) stroke(ctx, [[i * 9, 0], [i * 9 + ((i * 7) % 5) - 2, 430]], i % 3 ? '#a88c48' : '#77602c', 5);
    box(ctx, 0, 430, 1280, 94, '#6a5236');
    for (let x = 0; x < 1280; x += 120) box(ctx, x, 430, 4, 94, '#4a3824');
    box(ctx, 120, 110, 300, 84, '#efe1b4', { radius: 6, edge: '#4a3820', line: 8 });
    for (let i = 0; i < 7; i++) {
      polygon(ctx, [[134 + i * 42, 188], [150 + i * 42, 156 - (i % 3) * 12], [166 + i * 42, 188]], '#9a8450');
      bird(ctx, 'heron', 150 + i * 42, 148 - (i % 3) * 12, 0.5);
    }
    box(ctx, 130, 370, 320, 22, '#8a6a3c', { radius: 5, edge: '#4a3820' });
    for (const x of [152, 416]) box(ctx, x, 390, 16, 60, '#6a4f2c');
    box(ctx, 530, 182, 230, 146, '#6a4a2c', { radius: 8, edge: '#33220f', line: 5 });
    if (s.flags.box_open) {
      box(ctx, 540, 192, 210, 126, '#26190c');
      polygon(ctx, [[530, 182], [478, 200], [478, 346], [530, 328]], '#7a5a34', '#33220f', 4);
      put(ctx, 'book', 645, 256, '#a4522e', 1.7);
    } else for (let i = 0; i < 3; i++) {
      box(ctx, 556 + i * 62, 226, 52, 62, '#f6edd6', { radius: 6, edge: '#26190c' });
      bird(ctx, ['owl', 'heron', 'teal'][i], 582 + i * 62, 256, 0.46);
    }
    box(ctx, 888, 126, 178, 158, '#f6edd6', { edge: '#4a3820', line: 5 });
    text(ctx, 'RULES', 977, 152, { size: 22, color: INK });
    for (let i = 0; i < 4; i++) box(ctx, 908, 176 + i * 24, 130 - (i % 2) * 40, 8, '#8a7a54');
    for (let i = 0; i < 5; i++) put(ctx, 'feather', 900 + i * 32, 420, '#aab2ba', 0.6 + i * 0.12);
    glow(ctx, 270, 150, 420, '255,240,190', 0.4);
  },
  chapel(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#6f6e5c', '#45483a'));
    for (let y = 0, i = 0; y < 420; y += 60, i++) for (let x = (i % 2) * 60 - 30; x < 1280; x += 120) box(ctx, x, y, 116, 56, i % 2 ? 'rgba(255,250,220,0.05)' : 'rgba(0,0,0,0.08)', { radius: 6 });
    for (const x of [120, 400, 860]) {
      box(ctx, x, 0, 44, 430, '#7d7b66', { edge: '#4a4a3a' });
      box(ctx, x - 14, 0, 72, 26, '#8a8870', { edge: '#4a4a3a' });
    }
    box(ctx, 0, 400, 1280, 124, down(ctx, 400, 124, '#4f5f52', '#2c3a33'));
    for (let i = 0; i < 16; i++) box(ctx, (i * 173 + s.ticks * 0.1) % 1300 - 20, 414 + ((i * 41) % 100), 50, 3, 'rgba(230,230,200,0.3)');
    ctx.beginPath();
    ctx.roundRect(552, 34, 166, 190, [83, 83, 0, 0]);
    ctx.fillStyle = down(ctx, 34, 190, '#e0a83c', '#6a9a8a', '#3a5a6a');
    ctx.fill();
    ctx.strokeStyle = '#3a3a2c';
    ctx.lineWidth = 8;
    ctx.stroke();
    put(ctx, 'fish', 635, 140, '#d8603c', 1.6);
    box(ctx, 230, 170, 80, 200, '#a8a48c', { radius: 30, edge: '#5a5a48', line: 4 });
    disc(ctx, 270, 150, 32, '#a8a48c', '#5a5a48', 4);
    box(ctx, 214, 360, 112, 30, '#8a8870', { edge: '#5a5a48' });
    for (const y of [292, 346]) {
      box(ctx, 490, y, 300, 8, '#c9a84e', { radius: 4 });
      for (let i = 0; i < 6; i++) disc(ctx, 516 + i * 50, y + 24, 17, '#c9a84e', '#6a5420', 3);
    }
    for (const x of [486, 786]) box(ctx, x, 280, 10, 140, '#8a6a2c');
    polygon(ctx, [[910, 290], [1070, 290], [1030, 360], [1010, 430], [970, 430], [950, 360]], '#97937c', '#5a5a48', 4);
    ctx.beginPath();
    ctx.ellipse(990, 292, 76, 14, 0, 0, 7);
    ctx.fillStyle = '#6a8a86';
    ctx.fill();
    if (s.flags.lit) {
      put(ctx, 'lamp', 290, 230, '#ffb52e', 1);
      glow(ctx, 290, 230, 520, '255,210,120', 0.5);
    } else box(ctx, 0, 0, 1280, 524, 'rgba(10,12,8,0.9)');
    ctx.beginPath();
    ctx.roundRect(1130, 120, 120, 300, [60, 60, 0, 0]);
    ctx.fillStyle = down(ctx, 120, 300, '#f3e6bf', '#a8a27a');
    ctx.fill();
    ctx.strokeStyle = '#3a3a2c';
    ctx.lineWidth = 8;
    ctx.stroke();
    polygon(ctx, [[1140, 400], [1244, 392], [1226, 424], [1156, 424]], TAR);
  },
  boxPicture(/** @type {Ctx} */ ctx) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#8a7034', '#4f3f20'));
    for (let i = 0; i < 150; i++) stroke(ctx, [[i * 9, 0], [i * 9 + ((i * 7) % 5) - 2, 524]], i % 3 ? '#a88c48' : '#77602c', 5);
    box(ctx, 390, 8, 500, 98, '#f6edd6', { radius: 10, edge: '#4a3820', line: 5 });
    for (let i = 0; i < 3; i++) {
      const x = 490 + i * 150;
      box(ctx, x - 56, 78, 112, 5, INK);
      disc(ctx, x + [-22, 0, 22][i], [72, 40, 72][i], 17, ['#f0a8a0', '#e8b82c', '#c8502c'][i], INK, 3);
      if (i !== 1) box(ctx, x - 58, 81, 116, 16, '#f6edd6');
      polygon(ctx, [[x + 40, i ? 42 : 30], [x + 32, i ? 30 : 44], [x + 48, i ? 30 : 44]], i === 1 ? 'rgba(0,0,0,0)' : INK);
    }
  },
};
