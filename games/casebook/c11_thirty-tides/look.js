// @ts-check
/** Thirty Tides, the pictures: a summer by the sea in mint, apricot and lilac. */

import { bar, box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { portrait, standing } from '../adventure/people.js';
import { bed, curtains, desk, down, glow, lamp, pane, plant, room, rug, shadow, shelves, tone, tree } from '../adventure/props.js';
import { GIFTS, PEOPLE } from './case.js';
import { LINES, THINGS } from './lines.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#5a5a8a', ink: '#33305a', paper: '#fffaf2', accent: '#ffb8a0', dark: '#2c2a4a', serif: true };

/** @type {Record<string, import('../adventure/people.js').Face>} */
export const FACES = {
  tove: { skin: '#e8b898', hair: '#c9823a', style: 'short', coat: '#3f7a8a', mood: 'plain', extra: 'scarf' },
  emil: { skin: '#8f6048', hair: '#221a1c', style: 'curls', coat: '#8a6a4a', glasses: true, mood: 'plain', extra: 'tie' },
  ida: { skin: '#f2d2b8', hair: '#e8d48a', style: 'bun', coat: '#e0a03c', mood: 'smile', extra: 'apron' },
};
/** The houses of the town. @type {Record<string, {name: string, at: number[], wall: string, roof: string, icon: string, color: string}>} */
export const PLACE = {
  boatyard: { name: 'Boatyard', at: [90, 300, 190, 160], wall: '#c9e0e4', roof: '#3f7a8a', icon: 'anchor', color: '#3f7a8a' },
  library: { name: 'Library', at: [340, 180, 190, 170], wall: '#f2dcc0', roof: '#8a6a4a', icon: 'book', color: '#8a5a6a' },
  teahouse: { name: 'Tea house', at: [570, 310, 180, 160], wall: '#ffd8c8', roof: '#c8607a', icon: 'teapot', color: '#5fa8a0' },
  market: { name: 'Market', at: [800, 300, 190, 160], wall: '#e4d8f0', roof: '#7a6ab0', icon: 'coin', color: '#e0b040' },
  meadow: { name: 'Meadow', at: [1020, 150, 200, 170], wall: '#f6ecb0', roof: '#e0a03c', icon: 'flower', color: '#f0c94a' },
};

/** Whether somebody is in a place today. @param {any} s @param {string} who @param {string} kind */
const is = (s, who, kind) => s.data.week[who][(s.vars.day - 1) % 7] === kind;

/** Sky and sea by the time of day. @param {Ctx} ctx @param {any} s @param {number} line @param {number} h */
function coast(ctx, s, line, h) {
  const late = s.vars.part > 0;
  box(ctx, 0, 0, 1280, line, late ? down(ctx, 0, line, '#7a7ac0', '#ffc0a8') : down(ctx, 0, line, '#a9dcec', '#f2f8ea'));
  disc(ctx, late ? 1090 : 960, late ? line - 30 : 70, 42, late ? '#ffdf9a' : '#fff6cc');
  glow(ctx, late ? 1090 : 960, late ? line - 30 : 70, 180, '255,236,170', 0.5);
  for (let i = 0; i < 5; i++) {
    const x = ((i * 290 + s.ticks * 0.15) % 1480) - 120;
    for (const [dx, r] of [[0, 24], [32, 32], [66, 22]]) disc(ctx, x + dx, 60 + (i % 3) * 26, r, 'rgba(255,255,255,0.75)');
  }
  box(ctx, 0, line, 1280, h, down(ctx, line, h, late ? '#6a78b8' : '#7fcad4', late ? '#4f5a98' : '#4fa8bc'));
  for (let i = 0; i < 26; i++) box(ctx, ((i * 173 + s.ticks * 0.3) % 1320) - 40, line + 10 + ((i * 47) % Math.max(20, h - 16)), 34, 3, 'rgba(255,255,255,0.45)', { radius: 2 });
}

export const draws = {
  town(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    coast(ctx, s, 150, 130);
    polygon(ctx, [[0, 250], [260, 214], [560, 236], [900, 196], [1280, 170], [1280, 524], [0, 524]], '#b8dc9a');
    polygon(ctx, [[0, 420], [420, 390], [820, 430], [1280, 380], [1280, 524], [0, 524]], '#a4cf86');
    polygon(ctx, [[180, 524], [300, 470], [660, 486], [900, 470], [1120, 330], [1150, 336], [940, 500], [1000, 524]], '#f2e4c0');
    for (const [x, y, k] of [[300, 330, 120], [780, 300, 110], [1240, 400, 150], [40, 470, 120]]) tree(ctx, x, y, k, '#6fb07a');
    for (const [, p] of Object.entries(PLACE)) {
      const [x, y, w, h] = p.at;
      shadow(ctx, x + w / 2, y + h - 6, w * 1.1);
      box(ctx, x + 16, y + 66, w - 32, h - 72, down(ctx, y + 66, h, tone(p.wall, 0.2), p.wall), { edge: tone(p.roof, -0.3), line: 3 });
      polygon(ctx, [[x, y + 72], [x + w / 2, y + 8], [x + w, y + 72]], p.roof, tone(p.roof, -0.35), 3);
      disc(ctx, x + w / 2, y + 98, 30, '#fffaf2', p.roof, 3);
      put(ctx, p.icon, x + w / 2, y + 98, p.color, 0.75);
      text(ctx, p.name, x + w / 2, y + h + 12, { size: 20, color: '#33305a', outline: '#fffaf2' });
    }
    box(ctx, 24, 24, 182, 82, '#fffaf2', { radius: 14, edge: '#c8607a', line: 4 });
    heart(ctx, 62, 62, 1);
    text(ctx, 'DIARY', 140, 66, { size: 26, color: '#c8607a' });
  },
  menu(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#e4d8f0', '#ffd8c8'));
    PEOPLE.forEach((p, i) => {
      const x = 120 + i * 360;
      box(ctx, x, 40, 320, 440, '#fffaf2', { radius: 22, edge: '#5a5a8a', line: 4 });
      ctx.save();
      ctx.beginPath();
      ctx.roundRect(x + 30, 60, 260, 260, 16);
      ctx.clip();
      box(ctx, x + 30, 60, 260, 260, ['#c9e0e4', '#f2dcc0', '#f6ecb0'][i]);
      ctx.translate(x + 160, 320);
      portrait(ctx, FACES[p], 240);
      ctx.restore();
      text(ctx, LINES[p].name, x + 160, 354, { size: 26, color: '#33305a' });
      heart(ctx, x + 52, 414, 0.9);
      bar(ctx, x + 84, 400, 206, 28, s.vars.hearts[p] / 100, '#e8607a');
      text(ctx, `${s.vars.hearts[p]} of 100`, x + 186, 450, { size: 22, color: '#33305a' });
    });
  },
  boatyard(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    coast(ctx, s, 220, 120);
    box(ctx, 0, 340, 1280, 184, down(ctx, 340, 184, '#e8d8b0', '#cbb585'));
    box(ctx, 70, 70, 300, 190, '#b8885a', { radius: 6, edge: '#7a5230', line: 5 });
    for (const [n, x, y, c] of /** @type {[string, number, number, string][]} */ ([['hammer', 130, 130, '#8a5a34'], ['hook', 210, 130, '#6a7480'], ['knife', 290, 130, '#8a5a34'], ['rope', 150, 208, '#d8c08a'], ['anchor', 290, 206, '#4a5570']])) put(ctx, n, x, y, c, 0.9);
    polygon(ctx, [[740, 250], [1180, 220], [1130, 380], [820, 390]], '#d8a468', '#7a5230', 5);
    for (let i = 0; i < 9; i++) polygon(ctx, [[770 + i * 44, 240 - i * 2], [782 + i * 44, 240 - i * 2], [800 + i * 38, 386], [788 + i * 38, 386]], '#b8804a');
    for (const y of [282, 330]) box(ctx, 780, y, 380, 6, '#8a5a30');
    for (const x of [840, 1060]) polygon(ctx, [[x, 470], [x + 20, 386], [x + 40, 470]], '#8a6a4a', '#5a4028', 3);
    if (is(s, 'tove', 'home')) standing(ctx, FACES.tove, 635, 452, 280);
  },
  library(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#e8ceb0', floor: '#a5784f', pattern: 'stripes' });
    shelves(ctx, 60, 50, 420, 330, '#8a5f42', ['#8a5a6a', '#5fa8a0', '#e0b040', '#7a6ab0', '#c8607a', '#6fb07a'], 4);
    pane(ctx, 900, 60, 250, 180, '#fffaf2', s.vars.part ? ['#7a7ac0', '#ffc0a8'] : ['#a9dcec', '#f2f8ea']);
    curtains(ctx, 900, 60, 250, 180, '#7a6ab0');
    if (is(s, 'emil', 'home')) standing(ctx, FACES.emil, 675, 420, 270);
    desk(ctx, 540, 390, 290, 96, '#8a5f42', { drawers: 3 });
    put(ctx, 'book', 600, 362, '#c8607a', 0.9);
    put(ctx, 'lamp', 780, 352, '#5fa8a0', 0.9);
    ctx.beginPath();
    ctx.ellipse(960, 440, 50, 24, 0, 0, 7);
    ctx.fillStyle = '#6a6a78';
    ctx.fill();
    disc(ctx, 1000, 416, 22, '#6a6a78');
    for (const x of [984, 1006]) polygon(ctx, [[x, 404], [x + 6, 382], [x + 16, 402]], '#6a6a78');
    for (const x of [994, 1008]) disc(ctx, x, 414, 3, '#ffd75a');
    plant(ctx, 1190, 460, 140, '#6fb07a', '#c8607a');
  },
  meadow(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    coast(ctx, s, 190, 80);
    polygon(ctx, [[0, 250], [400, 206], [900, 240], [1280, 200], [1280, 524], [0, 524]], down(ctx, 200, 324, '#b8dc7a', '#86b85a'));
    for (let i = 0; i < 90; i++) disc(ctx, (i * 151) % 1280, 280 + ((i * 67) % 240), 4 + (i % 3), ['#f0c94a', '#e87a9a', '#8a8ae0', '#ffffff'][i % 4]);
    tree(ctx, 460, 350, 240, '#6fb07a');
    for (let i = 0; i < 4; i++) {
      const x = 810 + i * 90;
      shadow(ctx, x + 34, 410, 80);
      for (let k = 0; k < 3; k++) box(ctx, x, 290 + k * 38, 70, 36, ['#f6ecb0', '#ffd8c8', '#c9e0e4', '#e4d8f0'][i], { edge: '#8a6a3a', line: 3 });
      polygon(ctx, [[x - 8, 290], [x + 35, 258], [x + 78, 290]], '#c8904a', '#7a5230', 3);
      box(ctx, x + 22, 386, 26, 8, '#3a2a1c', { radius: 3 });
      const a = s.ticks / 20 + i * 2;
      for (let b = 0; b < 3; b++) disc(ctx, x + 35 + Math.cos(a + b * 2.1) * 46, 310 + Math.sin(a * 1.3 + b * 2) * 40, 4, '#3a2a10');
    }
    for (const [x, c] of /** @type {[number, string][]} */ ([[140, '#e87a9a'], [200, '#f0c94a'], [262, '#8a8ae0'], [322, '#ffffff'], [372, '#e87a9a']])) put(ctx, 'flower', x, 430, c, 1.2);
    if (is(s, 'ida', 'home')) standing(ctx, FACES.ida, 635, 462, 280);
  },
  market(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    coast(ctx, s, 200, 60);
    box(ctx, 0, 250, 1280, 274, down(ctx, 250, 274, '#e8dcc8', '#cbb898'));
    for (const x of [80, 720]) box(ctx, x, 110, 14, 370, '#8a6a4a');
    for (let i = 0; i < 11; i++) {
      box(ctx, 70 + i * 62, 90, 62, 60, i % 2 ? '#fffaf2' : '#7a6ab0');
      disc(ctx, 101 + i * 62, 150, 31, i % 2 ? '#fffaf2' : '#7a6ab0');
    }
    box(ctx, 84, 336, 650, 24, '#a5784f', { edge: '#6a4a2a' });
    box(ctx, 94, 360, 630, 110, down(ctx, 360, 110, '#8a6240', '#6a4a2e'), { edge: '#4a321c' });
    GIFTS.forEach((g, i) => {
      box(ctx, 102 + i * 104, 234, 88, 98, 'rgba(255,255,255,0.55)', { radius: 14 });
      put(ctx, g, 146 + i * 104, 282, THINGS[g][1], 1.2);
      text(ctx, '5', 146 + i * 104, 386, { size: 24, color: '#ffe9a0' });
    });
    PEOPLE.forEach((p, i) => {
      if (is(s, p, 'market')) standing(ctx, FACES[p], 850 + i * 170, 462, 270);
    });
  },
  teahouse(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#f4c8b8', floor: '#a5785a', pattern: 'dots' });
    pane(ctx, 540, 50, 200, 140, '#fffaf2', s.vars.part ? ['#7a7ac0', '#ffc0a8'] : ['#a9dcec', '#f2f8ea']);
    box(ctx, 90, 260, 300, 14, '#8a5f42');
    put(ctx, 'teapot', 160, 210, '#5fa8a0', 1.6);
    put(ctx, 'teapot', 300, 210, '#c8607a', 1.6);
    for (let i = 0; i < 3; i++) disc(ctx, 110 + Math.sin(s.ticks / 30 + i) * 8, 170 - i * 24, 10 + i * 3, 'rgba(255,255,255,0.5)');
    rug(ctx, 640, 490, 520, 60, '#7a6ab0', '#ffd8c8');
    desk(ctx, 490, 340, 300, 120, '#c8904a', { drawers: 3 });
    for (let i = 0; i < 4; i++) put(ctx, 'cup', 530 + i * 72, 312, ['#5fa8a0', '#fffaf2', '#e0b040', '#e4d8f0'][i], 0.9);
    box(ctx, 550, 414, 180, 40, '#fffaf2', { radius: 10, edge: '#8a5f42' });
  text(ctx, 'TEA · 5 COINS', 640, 435, { size: 20, color: '#5a3a1c' });
    bed(ctx, 920, 250, 270, 190, '#7a6ab0');
    text(ctx, 'SLEEP', 1055, 466, { size: 24, color: '#33305a' });
    lamp(ctx, 860, 90, 34, '#ffd08a', { chain: 80 });
  },
};

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} k */
function heart(ctx, x, y, k) {
  for (const d of [-1, 1]) disc(ctx, x + d * 11 * k, y - 6 * k, 13 * k, '#e8607a');
  polygon(ctx, [[x - 23 * k, y - 1 * k], [x + 23 * k, y - 1 * k], [x, y + 26 * k]], '#e8607a');
}
