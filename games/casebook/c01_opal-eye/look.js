// @ts-check
/** The Opal Eye, the pictures: an island town on a bright morning, in sea blue, lime and coral. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { standing } from '../adventure/people.js';
import { clock, cupboard, desk, door, down, framed, glow, lamp, pane, plant, room, shadow, shelves, tone, tree } from '../adventure/props.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#1f4f63', ink: '#16323d', paper: '#fdf6e3', accent: '#ffb85c', dark: '#0f2a36', serif: true };

/** @type {Record<string, import('../adventure/people.js').Face>} */
export const FACES = {
  berta: { skin: '#e8bfa0', hair: '#8d8d95', style: 'bun', coat: '#5b6e4a', mood: 'frown', extra: 'pearls' },
  rook: { skin: '#c98e66', hair: '#d8d4cc', style: 'cap', topper: '#1f3352', coat: '#2b4a70', beard: 'full', mood: 'plain' },
  ilse: { skin: '#f0cda8', hair: '#c4622d', style: 'curls', coat: '#e0808a', mood: 'smile', extra: 'apron' },
  pym: { skin: '#dcb493', hair: '#3a2f2a', style: 'short', coat: '#5a4470', glasses: true, beard: 'moustache', mood: 'plain', extra: 'tie' },
  wren: { skin: '#8f5f42', hair: '#1f1a18', style: 'hat', topper: '#4a4236', coat: '#a5752f', mood: 'smile', extra: 'scarf' },
};
/** @type {Record<string, string>} */
const METAL = { brass: '#d9a520', pearl: '#f6f2ea', horn: '#5a4030' };

/** A coat on a hook, its buttons to be seen. x, y: the hook. @param {Ctx} ctx @param {any} s @param {string} who @param {number} x @param {number} y */
function coat(ctx, s, who, x, y) {
  const c = FACES[who].coat;
  disc(ctx, x, y, 7, '#3a2c1c');
  polygon(ctx, [[x - 14, y + 6], [x + 14, y + 6], [x + 46, y + 40], [x + 34, y + 130], [x - 34, y + 130], [x - 46, y + 40]], c, tone(c, -0.4));
  box(ctx, x - 1, y + 10, 3, 120, tone(c, -0.4));
  for (let i = 0; i < 4; i++) disc(ctx, x + 10, y + 36 + i * 24, 7, METAL[s.data.marks[who].buttons], '#2a2018', 2);
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} color @param {string} roof */
function house(ctx, x, y, w, h, color, roof) {
  box(ctx, x, y - h, w, h, down(ctx, y - h, h, tone(color, 0.12), tone(color, -0.12)), { edge: tone(color, -0.4), line: 2 });
  polygon(ctx, [[x - 12, y - h], [x + w / 2, y - h - w * 0.34], [x + w + 12, y - h]], roof, tone(roof, -0.4), 2);
  for (let i = 0; i < Math.floor(w / 56); i++) box(ctx, x + 14 + i * 54, y - h + 22, 28, 38, '#9fd0e0', { edge: '#fff', line: 4 });
}

/** Sea and sky. @param {Ctx} ctx @param {any} s @param {number} line */
function coast(ctx, s, line) {
  box(ctx, 0, 0, 1280, line, down(ctx, 0, line, '#6fb9e0', '#d5eef2'));
  disc(ctx, 1120, 70, 40, '#fff3b8');
  glow(ctx, 1120, 70, 160, '255,240,170', 0.5);
  for (const [x, y, r] of [[180, 80, 30], [230, 70, 40], [280, 84, 28], [760, 60, 26], [800, 50, 34], [842, 64, 24]]) disc(ctx, x + (s.ticks / 30) % 60, y, r, 'rgba(255,255,255,0.85)');
  box(ctx, 0, line, 1280, 524 - line, down(ctx, line, 524 - line, '#2f93ad', '#1c6480'));
  for (let i = 0; i < 40; i++) box(ctx, ((i * 173 + s.ticks * 0.3) % 1320) - 40, line + 10 + ((i * 47) % 110), 34, 3, 'rgba(255,255,255,0.35)', { radius: 2 });
}

export const draws = {
  map(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#3f9fb8', '#2a7d9a'));
    for (let i = 0; i < 60; i++) box(ctx, (i * 211) % 1260, (i * 83) % 510, 26, 3, 'rgba(255,255,255,0.22)', { radius: 2 });
    for (const [grow, color] of /** @type {[number, string][]} */ ([[24, '#e8d9a8'], [0, '#9cc46b']])) {
      ctx.beginPath();
      ctx.ellipse(620, 280, 470 + grow, 190 + grow, -0.08, 0, 7);
      ctx.fillStyle = color;
      ctx.fill();
    }
    ctx.strokeStyle = '#f4ecd0';
    ctx.lineWidth = 10;
    ctx.setLineDash([18, 12]);
    ctx.beginPath();
    ctx.moveTo(280, 330);
    ctx.quadraticCurveTo(440, 400, 560, 300);
    ctx.quadraticCurveTo(700, 160, 820, 180);
    ctx.moveTo(560, 300);
    ctx.quadraticCurveTo(760, 420, 960, 340);
    ctx.moveTo(560, 300);
    ctx.lineTo(470, 170);
    ctx.stroke();
    ctx.setLineDash([]);
    for (let i = 0; i < 12; i++) tree(ctx, 700 + ((i * 61) % 240), 250 + ((i * 37) % 60), 40, '#5a9a4e');
    house(ctx, 400, 190, 140, 60, '#e9dcc0', '#7a6a9a');
    house(ctx, 500, 330, 120, 50, '#f2c9a8', '#c85a4a');
    house(ctx, 780, 200, 110, 60, '#d9c8e0', '#5a4470');
    box(ctx, 228, 310, 110, 20, '#8a6238');
    put(ctx, 'anchor', 280, 290, '#1f3352', 1.2);
    polygon(ctx, [[940, 350], [952, 250], [988, 250], [1000, 350]], '#f6f2ea', '#a5a08f', 2);
    box(ctx, 946, 290, 48, 18, '#d2453a');
    disc(ctx, 970, 240, 16, '#ffd75a', '#555');
    for (const [name, x, y] of /** @type {[string, number, number][]} */ ([['MUSEUM', 470, 212], ['MARKET', 560, 356], ['HILL HOUSE', 836, 224], ['HARBOUR', 282, 350], ['LIGHTHOUSE', 970, 376]])) {
      text(ctx, name, x, y, { size: 22, color: '#fff', outline: '#16323d' });
    }
    text(ctx, 'ISLE OF LUME', 640, 478, { size: 34, color: '#fdf6e3', outline: '#16323d' });
  },
  museum(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#8fa7a0', floor: '#8c7356', pattern: 'plain' });
    for (const x of [20, 330, 930, 1200]) box(ctx, x, 0, 56, 380, down(ctx, 0, 380, '#efe8d8', '#cfc5ae'), { edge: '#a89b80', line: 2 });
    box(ctx, 90, 60, 220, 34, '#e5dcc6', { edge: '#a89b80', line: 2 });
    for (let i = 0; i < s.data.numbers.lions; i++) lion(ctx, 112 + i * 35, 46);
    text(ctx, 'LUME MUSEUM', 200, 77, { size: 20, color: '#5a4a30' });
    box(ctx, 520, 230, 160, 150, '#7a5a3a', { radius: 6, edge: '#4a3520' });
    box(ctx, 530, 110, 140, 124, 'rgba(200,235,245,0.55)', { edge: '#f4fbff', line: 4 });
    lion(ctx, 598, 196, 1.9);
    disc(ctx, 566, 172, 6, '#111');
    polygon(ctx, [[650, 120], [668, 140], [660, 180], [676, 210]], 'rgba(255,255,255,0.7)', '#fff', 2);
    cupboard(ctx, 130, 220, 150, 170, '#8a6a48', { rows: 3 });
    text(ctx, 'CURIOSITIES', 205, 208, { size: 18, color: '#3b2f20' });
    desk(ctx, 720, 330, 190, 120, '#6f5236');
    put(ctx, 'book', 800, 306, '#8c3b46');
    standing(ctx, FACES.berta, 860, 430, 250);
    coat(ctx, s, 'berta', 1066, 110);
    framed(ctx, 390, 120, 90, 110, '#b48a3c', (c) => {
      box(c, 0, 0, 90, 110, '#3f6a85');
      polygon(c, [[10, 90], [45, 40], [80, 90]], '#e8d9a8');
    });
    plant(ctx, 1010, 470, 130);
  },
  harbour(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    coast(ctx, s, 210);
    for (let i = 0; i < 5; i++) house(ctx, 20 + i * 90, 215, 76, 46 + (i % 3) * 14, ['#f2c9a8', '#e9dcc0', '#d3e2d8', '#f0d79a', '#e2c3c9'][i], ['#c85a4a', '#7a6a9a', '#4a7a8a'][i % 3]);
    const bob = Math.sin(s.ticks / 40) * 4;
    polygon(ctx, [[560, 300 + bob], [930, 300 + bob], [880, 372 + bob], [610, 372 + bob]], '#b8402f', '#5e1c14');
    box(ctx, 650, 230 + bob, 150, 72, '#f4ead4', { edge: '#a0907a' });
    box(ctx, 668, 246 + bob, 40, 30, '#8fc4d6');
    box(ctx, 728, 246 + bob, 40, 30, '#8fc4d6');
    box(ctx, 706, 180 + bob, 34, 52, '#2b4a70');
    disc(ctx, 860, 336 + bob, 26, '#fdf6e3', '#5e1c14', 4);
    text(ctx, s.data.numbers.boat, 860, 338 + bob, { size: 36, color: '#5e1c14' });
    text(ctx, 'FERRY', 720, 340 + bob, { size: 30, color: '#fdf6e3' });
    box(ctx, 0, 390, 1280, 134, down(ctx, 390, 134, '#b08a58', '#7d5d38'));
    for (let i = 0; i < 17; i++) box(ctx, i * 80, 390, 4, 134, '#5e4426');
    standing(ctx, FACES.rook, 460, 480, 260);
    box(ctx, 80, 360, 120, 96, '#a9783f', { edge: '#5e4426' });
    box(ctx, 130, 290, 100, 72, '#8d6435', { edge: '#4a3520' });
    text(ctx, 'LOST', 140, 400, { size: 20, color: '#2e1f0e' });
    text(ctx, 'AND FOUND', 140, 426, { size: 18, color: '#2e1f0e' });
    for (const y of [398, 412, 426]) {
      ctx.beginPath();
      ctx.ellipse(700, y + 30, 54, 15, 0, 0, 7);
      ctx.strokeStyle = '#d9c08a';
      ctx.lineWidth = 9;
      ctx.stroke();
    }
    box(ctx, 1010, 120, 20, 330, '#5e4426');
    coat(ctx, s, 'rook', 1020, 190);
    box(ctx, 1080, 290, 130, 100, '#f4ead4', { edge: '#5e4426', line: 4 });
    text(ctx, 'TIMETABLE', 1145, 312, { size: 18 });
    for (let i = 0; i < 3; i++) box(ctx, 1094, 330 + i * 18, 100, 5, '#8a7a60');
    box(ctx, 1138, 390, 14, 70, '#5e4426');
  },
  market(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 340, down(ctx, 0, 340, '#7fc3e4', '#f2ead0'));
    house(ctx, -20, 350, 230, 220, '#f2c9a8', '#c85a4a');
    house(ctx, 230, 350, 170, 170, '#d3e2d8', '#4a7a8a');
    house(ctx, 880, 350, 200, 190, '#f0d79a', '#7a6a9a');
    house(ctx, 1090, 350, 220, 230, '#e2c3c9', '#c85a4a');
    box(ctx, 560, 60, 150, 290, down(ctx, 60, 290, '#efe0bd', '#cdb98c'), { edge: '#8a7a5a' });
    polygon(ctx, [[545, 60], [635, -20], [725, 60]], '#4a7a8a', '#2a4a56');
    clock(ctx, 635, 124, 48, s.data.numbers.clock, 0, '#8a6238');
    box(ctx, 604, 250, 62, 100, '#7a4f38', { radius: 30 });
    box(ctx, 0, 350, 1280, 174, down(ctx, 350, 174, '#c9b48c', '#a08a62'));
    for (let i = 0; i < 60; i++) disc(ctx, (i * 131) % 1280, 362 + ((i * 53) % 150), 9, 'rgba(90,70,40,0.16)');
    for (let i = 0; i < 7; i++) polygon(ctx, [[90 + i * 46, 250], [136 + i * 46, 250], [130 + i * 46, 292], [96 + i * 46, 292]], i % 2 ? '#fff6e8' : '#e0707c');
    for (const x of [96, 400]) box(ctx, x, 270, 10, 190, '#7a5a3a');
    box(ctx, 90, 380, 330, 90, '#8a6a48', { edge: '#4a3520' });
    for (let i = 0; i < 8; i++) put(ctx, 'flower', 120 + i * 38, 356, ['#fffaf0', '#f2a0b0', '#f7d34a', '#c98be0'][i % 4]);
    standing(ctx, FACES.ilse, 490, 480, 250);
    box(ctx, 720, 420, 240, 16, '#8a6238');
    for (const x of [730, 930]) box(ctx, x, 436, 14, 60, '#5e4426');
    for (const [n, x, c] of /** @type {[string, number, string][]} */ ([['teapot', 750, '#5a86a8'], ['globe', 840, '#b98a3a'], ['bell', 920, '#c9a04a']])) put(ctx, n, x, 396, c);
    text(ctx, 'BRIC-A-BRAC', 840, 466, { size: 20, color: '#3b2f20' });
    coat(ctx, s, 'ilse', 300, 180);
    disc(ctx, 1100, 440, 70, '#b5ab98', '#857b68');
    disc(ctx, 1100, 430, 54, '#5ab0cc');
    box(ctx, 1090, 350, 20, 80, '#b5ab98');
    lion(ctx, 1100, 345, 1.2);
  },
  hill(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#6b5a86', floor: '#7b5a3c', pattern: 'dots' });
    shelves(ctx, 40, 70, 240, 310, '#5a3d2a', ['#8c3b46', '#c8b394', '#37506b', '#b98a3a', '#4d6b45'], 4);
    pane(ctx, 360, 70, 220, 200, '#efe3cf', ['#7fc3e4', '#bfe3ea', '#7fb06a']);
    box(ctx, 330, 330, 320, 16, '#5a3d2a', { radius: 4 });
    desk(ctx, 340, 340, 300, 120, '#6f4a30', { drawers: 3 });
    put(ctx, 'violin', 420, 306, '#a5562c');
    put(ctx, 'lens', 510, 312, '#c9a04a');
    put(ctx, 'feather', 590, 310, '#efe8d8');
    standing(ctx, FACES.pym, 760, 480, 270);
    framed(ctx, 680, 60, 110, 100, '#b48a3c', (c) => {
      box(c, 0, 0, 110, 100, '#2a3a44');
      lion(c, 55, 70, 1.4);
      disc(c, 43, 58, 5, '#b6e3f2');
    });
    cupboard(ctx, 890, 200, 180, 190, '#5a3d2a', { rows: 3 });
    text(ctx, 'COLLECTION', 980, 188, { size: 18, color: '#fdf6e3' });
    coat(ctx, s, 'pym', 1150, 120);
    lamp(ctx, 840, 180, 44, '#d9a04a', { foot: 230 });
    plant(ctx, 1210, 480, 140, '#4a8a5a', '#7a5a9a');
  },
  lighthouse(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#b8b0a0', floor: '#6f6656', pattern: 'bricks' });
    for (let i = 0; i < 6; i++) box(ctx, 60 + i * 40, 330 - i * 46, 150, 20, '#7a6a52', { edge: '#4a4030', line: 2 });
    pane(ctx, 520, 60, 130, 150, '#f4ead4', ['#7fc3e4', '#bfe3ea', '#2f93ad']);
    desk(ctx, 440, 330, 260, 120, '#8a6238');
    put(ctx, 'cup', 480, 306, '#d9e2e6');
    put(ctx, 'rope', 560, 304, '#cdb27a');
    put(ctx, 'shell', 640, 306, '#f0c9b8');
    standing(ctx, FACES.wren, 790, 480, 260);
    box(ctx, 920, 60, 170, 150, '#4a5560', { radius: 12, edge: '#22282e' });
    disc(ctx, 1005, 135, 56, s.flags.lamp ? '#fff0a0' : '#2e353c', '#c9a04a', 8);
    if (s.flags.lamp) glow(ctx, 1005, 135, 260, '255,235,140', 0.6);
    coat(ctx, s, 'wren', 360, 120);
    polygon(ctx, [[930, 524], [980, 420], [1190, 420], [1230, 524]], s.flags.lamp ? '#3a2f24' : '#0b0b0f', '#4a4030');
    if (s.flags.lamp) for (let i = 0; i < 4; i++) box(ctx, 990 + i * 6, 430 + i * 24, 190 - i * 4, 12, '#7a6a52');
    text(ctx, 'CELLAR', 1085, 404, { size: 20, color: '#2a241a' });
  },
  cellar(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#5a5348', floor: '#4a4338', pattern: 'bricks' });
    polygon(ctx, [[540, 0], [740, 0], [980, 524], [300, 524]], 'rgba(255,238,170,0.16)');
    for (const x of [120, 230]) {
      box(ctx, x, 270, 96, 140, '#7a5530', { radius: 20, edge: '#3f2a15' });
      for (const y of [300, 376]) box(ctx, x, y, 96, 10, '#4d4d52');
    }
    shadow(ctx, 650, 440, 320);
    box(ctx, 520, 330, 260, 110, '#2f5a70', { radius: 8, edge: '#12303e', line: 5 });
    if (s.flags.chest) box(ctx, 520, 240, 260, 92, '#1d3d4d', { radius: 18, edge: '#12303e', line: 5 });
    else {
      box(ctx, 520, 280, 260, 60, '#3a6d86', { radius: 20, edge: '#12303e', line: 5 });
      for (let i = 0; i < 3; i++) box(ctx, 614 + i * 26, 330, 22, 30, '#f5efdf', { edge: '#161b1f', line: 2 });
    }
    if (s.flags.chest) {
      put(ctx, 'gem', 600, 300, '#a9e0e8', 1.3);
      disc(ctx, 700, 306, 16, METAL[s.data.marks[s.data.thief].buttons], '#2a2018', 3);
    }
    put(ctx, 'mouse', 1020, 440, '#8a8378');
    box(ctx, 980, 180, 190, 14, '#7a5530');
    for (let i = 0; i < 4; i++) put(ctx, 'bottle', 1000 + i * 48, 150, ['#4a7a5a', '#5a6a86', '#7a4a3a', '#4a7a5a'][i]);
  },
  chestPicture(/** @type {Ctx} */ ctx) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#3a6d86', '#16323d'));
    text(ctx, 'SEA CHEST', 640, 60, { size: 44, color: '#fdf6e3' });
  },
};

/** A small lion lying, seen from the side. @param {Ctx} ctx @param {number} x @param {number} y @param {number} [k] */
function lion(ctx, x, y, k = 0.6) {
  const c = '#d9a83c';
  box(ctx, x - 22 * k, y - 4 * k, 48 * k, 20 * k, c, { radius: 8 * k });
  box(ctx, x - 26 * k, y + 10 * k, 20 * k, 8 * k, c, { radius: 4 * k });
  disc(ctx, x - 16 * k, y - 12 * k, 15 * k, '#a8701f');
  disc(ctx, x - 18 * k, y - 11 * k, 10 * k, c);
  disc(ctx, x + 30 * k, y - 8 * k, 5 * k, '#a8701f');
}
