// @ts-check
/** The Night Mail, the pictures: a halt in deep snow, in slate blue, lacquer red and lamplight. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { standing } from '../adventure/people.js';
import { armchair, clock, cupboard, curtains, desk, door, down, glow, lamp, pane, room, rug, shadow, shelves, tone, tree } from '../adventure/props.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#2b3a58', ink: '#1c2438', paper: '#f4f3ee', accent: '#ffc76a', dark: '#141b2c', serif: true };

/** @type {Record<string, import('../adventure/people.js').Face>} */
export const FACES = {
  odette: { skin: '#e9c2a2', hair: '#6a3a22', style: 'bun', coat: '#b8483f', extra: 'apron', mood: 'plain' },
  crumb: { skin: '#e2a98c', hair: '#c8c8cc', style: 'bald', coat: '#4f5a3a', beard: 'moustache', mood: 'smile', extra: 'scarf' },
  nell: { skin: '#8a5a3e', hair: '#1c1618', style: 'curls', coat: '#3f6a8a', glasses: true, mood: 'plain' },
  bruno: { skin: '#c98f68', hair: '#2a221e', style: 'cap', topper: '#2a2f3a', coat: '#3a3f4a', beard: 'full', mood: 'frown' },
  silvane: { skin: '#f0d0b8', hair: '#2f2028', style: 'long', coat: '#7a3f7a', mood: 'smile', extra: 'pearls' },
  pike: { skin: '#e4b296', hair: '#8a6a3a', style: 'cap', topper: '#8a2430', coat: '#22345a', beard: 'moustache', mood: 'frown', extra: 'tie' },
};
/** @type {Record<string, string>} */
const WOOL = { red: '#cf3a40', green: '#3f9a5c', grey: '#9aa0aa' };
/** @type {Record<string, string>} */
const DRINK = { tea: '#b8763a', coffee: '#3a2418', cocoa: '#7a4a34' };
const RED = '#8a2430';

/** A pair of boots lying so that their soles can be seen. @param {Ctx} ctx @param {any} s @param {string} who @param {number} x @param {number} y */
function bootsOf(ctx, s, who, x, y) {
  const kind = s.data.marks[who].boots;
  for (const dx of [-26, 22]) {
    const color = kind === 'felt' ? '#7a7468' : '#4a3224';
    box(ctx, x + dx - 18, y - 34, 36, 62, color, { radius: 16, edge: '#1c1410' });
    box(ctx, x + dx - 14, y + 8, 28, 18, tone('#4a3224', kind === 'felt' ? 0.3 : -0.2), { radius: 8 });
    if (kind === 'nailed') for (let i = 0; i < 8; i++) disc(ctx, x + dx - 8 + (i % 2) * 16, y - 24 + Math.floor(i / 2) * 14, 3.4, '#e8e4d8');
    if (kind === 'felt') for (let i = 0; i < 3; i++) box(ctx, x + dx - 12, y - 22 + i * 14, 24, 4, '#a8a294', { radius: 2 });
  }
}

/** @param {Ctx} ctx @param {any} s @param {string} who @param {number} x @param {number} y */
function glovesOf(ctx, s, who, x, y) {
  const c = WOOL[s.data.marks[who].wool];
  for (const dx of [-22, 22]) {
    box(ctx, x + dx - 16, y - 22, 32, 34, c, { radius: 12, edge: tone(c, -0.45), line: 2 });
    box(ctx, x + dx - 12, y + 8, 24, 14, tone(c, -0.25), { radius: 4 });
    box(ctx, x + dx + (dx < 0 ? 10 : -20), y - 10, 11, 20, c, { radius: 6, edge: tone(c, -0.45), line: 2 });
    for (let i = 0; i < 3; i++) box(ctx, x + dx - 12, y - 14 + i * 7, 24, 2, tone(c, 0.35));
  }
}

/** The night, its snow on the ground, and what falls of it. @param {Ctx} ctx @param {any} s @param {number} line */
function night(ctx, s, line) {
  box(ctx, 0, 0, 1280, line, down(ctx, 0, line, '#17223c', '#4a5f86'));
  for (let i = 0; i < 9; i++) polygon(ctx, [[i * 170 - 90, line], [i * 170 + 10, line - 70 - (i % 3) * 40], [i * 170 + 120, line]], i % 2 ? '#33466a' : '#3b5078');
  box(ctx, 0, line, 1280, 524 - line, down(ctx, line, 524 - line, '#b9c8e0', '#f2f6fb'));
}

/** @param {Ctx} ctx @param {any} s */
function flakes(ctx, s) {
  if (s.flags.lamp_lit) return;
  for (let i = 0; i < 70; i++) disc(ctx, (i * 197 + Math.sin(s.ticks / 50 + i) * 14 + 1280) % 1280, (i * 83 + s.ticks * (0.7 + (i % 4) * 0.25)) % 524, 2 + (i % 3), 'rgba(255,255,255,0.85)');
}

/** The side of a carriage. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w @param {number} h @param {string} color */
function carriage(ctx, x, y, w, h, color) {
  box(ctx, x, y, w, h, down(ctx, y, h, tone(color, 0.12), tone(color, -0.2)), { radius: 10, edge: tone(color, -0.5), line: 4 });
  box(ctx, x - 6, y - 12, w + 12, 22, '#e8eef6', { radius: 11 });
  box(ctx, x, y + h * 0.62, w, 6, '#d9b04a');
}

/** Walls of a carriage from inside. @param {Ctx} ctx @param {string} wall */
function inside(ctx, wall) {
  room(ctx, { wall, floor: '#5a3a34', pattern: 'planks', trim: tone(wall, -0.45) });
  box(ctx, 0, 0, 1280, 24, tone(wall, -0.5));
  for (let x = 0; x < 1280; x += 320) box(ctx, x, 0, 14, 360, tone(wall, -0.3));
}

export const draws = {
  map(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 524, '#eef1ee');
    for (let i = 0; i < 70; i++) disc(ctx, (i * 191) % 1280, (i * 87) % 524, 3, '#d5dde6');
    for (const y of [302, 318]) box(ctx, 30, y, 1220, 5, '#5a6474');
    for (let x = 40; x < 1250; x += 30) box(ctx, x, 298, 8, 30, '#8a7a64');
    const of = (/** @type {string} */ t, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h, /** @type {string} */ c) => {
      box(ctx, x, y, w, h, c, { radius: 12, edge: '#1c2438', line: 3 });
      text(ctx, t, x + w / 2, y + h + 20, { size: 19, color: '#1c2438' });
    };
    text(ctx, 'FERROW HALT', 640, 70, { size: 46, color: '#2b3a58' });
    text(ctx, 'drawn by N. Tapper, in a quiet week', 640, 116, { size: 20, color: '#6a7488', bold: false });
    of('', 90, 200, 170, 96, '#3a3f4a');
    disc(ctx, 130, 250, 30, '#d9b04a', '#1c2438', 3);
    of('', 290, 200, 200, 96, RED);
    of('', 520, 200, 180, 96, '#b8483f');
    of('', 730, 200, 190, 96, '#7a3f7a');
    for (const [t, x] of /** @type {[string, number][]} */ ([['Engine', 175], ['Platform · mail van', 390], ['Dining car', 610], ['Sleeping car', 825]])) text(ctx, t, x, 182, { size: 19, color: '#1c2438' });
    of('Waiting room', 330, 360, 210, 90, s.flags.fire_lit ? '#ffc76a' : '#8a9ab8');
    of('Signal box', 640, 360, 170, 90, '#5a8aa8');
    of('Goods yard', 960, 340, 230, 110, '#d5dde6');
    for (let i = 0; i < 8; i++) polygon(ctx, [[966 + i * 28, 450], [966 + i * 28, 352], [978 + i * 28, 340], [990 + i * 28, 352], [990 + i * 28, 450]], '#8a6a4a', '#4a3624', 2);
    if (s.flags.fire_lit) for (let i = 0; i < 3; i++) disc(ctx, 480 + i * 14, 350 - i * 18, 9 + i * 3, 'rgba(140,150,165,0.6)');
  },
  platform(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    night(ctx, s, 300);
    carriage(ctx, 500, 80, 600, 300, RED);
    for (const x of [560, 1000]) disc(ctx, x, 388, 34, '#2a2f3a', '#111', 5);
    text(ctx, 'NIGHT MAIL', 604, 118, { size: 28, color: '#f2d9a0' });
    box(ctx, 706, 140, 178, 232, s.flags.guard_gone ? '#1a1014' : '#6a1a26', { edge: '#3a0c14', line: 4 });
    if (s.flags.guard_gone) polygon(ctx, [[706, 140], [746, 152], [746, 384], [706, 372]], '#8a2430', '#3a0c14', 3);
    else for (const y of [200, 260, 320]) box(ctx, 716, y, 158, 5, '#3a0c14');
    for (const x of [930, 1010]) pane(ctx, x, 150, 56, 70, '#d9b04a', ['#ffdf9a', '#e8a850']);
    box(ctx, 0, 388, 1280, 136, down(ctx, 388, 136, '#dfe8f4', '#ffffff'));
    box(ctx, 0, 384, 1280, 8, '#8a93a8');
    box(ctx, 60, 154, 200, 72, '#f4f3ee', { radius: 8, edge: '#2b3a58', line: 5 });
    text(ctx, 'FERROW', 160, 182, { size: 30, color: '#2b3a58' });
    text(ctx, 'HALT', 160, 210, { size: 20, color: '#2b3a58' });
    for (const x of [90, 224]) box(ctx, x, 226, 10, 160, '#4a5570');
    box(ctx, 358, 96, 14, 300, '#2a3348');
    clock(ctx, 365, 94, 52, s.data.numbers.clock, 0, '#2a3348');
    for (const y of [376, 404]) box(ctx, 96, y - 12, 210, 16, '#7a5a3a', { radius: 6, edge: '#4a3624', line: 2 });
    disc(ctx, 180, 372, 34, '#fff');
    disc(ctx, 184, 334, 20, '#fff');
    for (const x of [110, 280]) box(ctx, x, 406, 12, 38, '#4a3624');
    shadow(ctx, 1060, 462, 210);
    box(ctx, 966, 410, 190, 16, '#7a5a3a', { edge: '#4a3624' });
    box(ctx, 1140, 336, 12, 84, '#7a5a3a', { edge: '#4a3624' });
    for (const x of [1000, 1110]) disc(ctx, x, 440, 22, '#4a3624', '#2a1c10', 4);
    if (!s.flags.guard_gone) standing(ctx, FACES.pike, 625, 456, 250);
    for (const [x, y, w] of [[530, 500, 150], [470, 508, 110]]) drift(ctx, x, y, w);
    lamp(ctx, 470, 70, 36, '#e8b04a', { on: true, foot: 330 });
    flakes(ctx, s);
  },
  van(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    inside(ctx, '#8a4a44');
    cupboard(ctx, 80, 60, 330, 170, '#7a5a3a');
    for (let i = 0; i < 40; i++) box(ctx, 90 + (i % 8) * 40, 70 + Math.floor(i / 8) * 31, 34, 26, i % 3 ? '#f2ead8' : '#3a2a1c', { edge: '#4a3624', line: 2 });
    for (let i = 0; i < 5; i++) {
      const x = 110 + (i % 3) * 84;
      const y = 400 - Math.floor(i / 3) * 78;
      box(ctx, x - 44, y - 50, 92, 108, tone('#b8a070', -0.06 * i), { radius: 36, edge: '#5a4a2a' });
      box(ctx, x - 16, y - 60, 36, 14, '#5a4a2a', { radius: 6 });
    }
    shadow(ctx, 595, 474, 360);
    box(ctx, 440, 360, 310, 110, '#a5803f', { edge: '#5a421c', line: 5 });
    for (const y of [394, 430]) box(ctx, 440, y, 310, 4, '#6a4f24');
    for (let i = 0; i < 22; i++) polygon(ctx, [[450 + i * 13, 366], [456 + i * 13, 344 - (i % 4) * 7], [462 + i * 13, 366]], i % 2 ? '#e8cf80' : '#d4b860');
    polygon(ctx, [[440, 340], [470, 220], [760, 210], [750, 340]], '#b8904a', '#5a421c', 4);
    disc(ctx, 595, 280, 34, '#a3283a', '#5a1018', 4);
    polygon(ctx, [[580, 262], [606, 284], [590, 300], [612, 312]], 'rgba(0,0,0,0)', '#3a0810', 4);
    ctx.beginPath();
    ctx.moveTo(612, 290);
    ctx.bezierCurveTo(650, 280, 620, 330, 662, 326);
    ctx.strokeStyle = WOOL[s.data.marks[s.data.thief].wool];
    ctx.lineWidth = 7;
    ctx.stroke();
    shadow(ctx, 945, 462, 200);
    box(ctx, 866, 380, 160, 78, '#4a5a6a', { radius: 6, edge: '#222c38', line: 4 });
    box(ctx, 916, 362, 60, 20, 'rgba(0,0,0,0)', { radius: 10, edge: '#222c38', line: 6 });
    lamp(ctx, 945 + Math.sin(s.ticks / 60) * 4, 90, 36, '#c9984a', { chain: 70 });
  },
  waiting(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    const warm = s.flags.fire_lit;
    room(ctx, { wall: warm ? '#b89a78' : '#7f8aa2', floor: warm ? '#8a5f42' : '#5f6478', pattern: 'planks' });
    pane(ctx, 70, 60, 240, 160, '#5a4636', warm ? ['#2b3a58', '#5a6f98'] : ['#e8f0fa', '#c9d8ee']);
    if (warm) {
      box(ctx, 70, 180, 240, 40, '#e4ecf6');
      for (let i = 0; i < s.data.numbers.wagons; i++) {
        box(ctx, 78 + i * 33, 154, 28, 26, ['#a5502f', '#3f6a5a', '#5a5a86'][i % 3], { edge: '#222', line: 2 });
        for (const dx of [7, 21]) disc(ctx, 78 + i * 33 + dx, 184, 5, '#222');
      }
    } else for (let i = 0; i < 26; i++) polygon(ctx, [[80 + (i * 53) % 220, 70 + (i * 37) % 130], [96 + (i * 53) % 220, 78 + (i * 37) % 130], [84 + (i * 53) % 220, 92 + (i * 37) % 130]], 'rgba(255,255,255,0.75)');
    box(ctx, 320, 340, 250, 18, '#6a4a30', { radius: 6, edge: '#3a2616' });
    for (const x of [336, 540]) box(ctx, x, 356, 14, 60, '#6a4a30');
    standing(ctx, { ...FACES.crumb, mood: warm ? 'smile' : 'plain' }, 430, 408, 236);
    if (!warm) {
      text(ctx, 'Z', 500, 200 - ((s.ticks / 6) % 24), { size: 32, color: '#f4f3ee' });
      text(ctx, 'z', 524, 176 - ((s.ticks / 6) % 24), { size: 24, color: '#f4f3ee' });
    }
    bootsOf(ctx, s, 'crumb', 436, 450);
    glovesOf(ctx, s, 'crumb', 290, 412);
    box(ctx, 624, 0, 22, 190, '#3a3f4a');
    shadow(ctx, 635, 432, 200);
    box(ctx, 570, 186, 130, 230, down(ctx, 186, 230, '#4a505c', '#2a2e38'), { radius: 18, edge: '#16191f', line: 4 });
    for (const x of [582, 672]) box(ctx, x, 412, 16, 20, '#16191f');
    box(ctx, 592, 260, 86, 80, warm ? '#ff9a3c' : '#12141a', { radius: 10, edge: '#8a8f9a', line: 3 });
    if (warm) {
      for (let i = 0; i < 4; i++) polygon(ctx, [[598 + i * 20, 338], [608 + i * 20, 282 + Math.sin(s.ticks / 7 + i * 2) * 10], [618 + i * 20, 338]], i % 2 ? '#ffd75a' : '#ff6a2c');
      glow(ctx, 635, 310, 340, '255,180,90', 0.45);
    } else if (s.flags.coal) for (let i = 0; i < 5; i++) disc(ctx, 604 + i * 16, 328, 11, '#3a3d46', '#5a5f6a', 2);
    box(ctx, 764, 44, 150, 102, '#f4f3ee', { edge: '#5a4636', line: 5 });
    for (let i = 0; i < 6; i++) box(ctx, 776, 58 + i * 14, 90 + ((i * 17) % 34), 6, '#8a93a8');
    if (warm) standing(ctx, FACES.silvane, 825, 440, 266);
    if (s.flags.guard_gone) standing(ctx, FACES.pike, 985, 448, 262);
    shelves(ctx, 1090, 60, 160, 330, '#5a4636', ['#6a5a86', '#8a5a3f', '#4a6a6a', '#a58a5a'], 3);
  },
  dining(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    inside(ctx, '#a5584a');
    pane(ctx, 130, 70, 220, 140, '#d9b04a', ['#2b3a58', '#c9d6ea', '#f2f6fb']);
    curtains(ctx, 130, 70, 220, 140, '#e0b86a');
    shadow(ctx, 245, 466, 320);
    box(ctx, 90, 330, 310, 30, '#fbfaf4', { radius: 8, edge: '#b8b4a4' });
    polygon(ctx, [[96, 358], [394, 358], [376, 430], [114, 430]], '#ece8da');
    for (const x of [160, 320]) {
      disc(ctx, x, 324, 26, '#fff', '#c8c4b4', 2);
      for (const dx of [-40, 38]) box(ctx, x + dx, 306, 4, 30, '#c8ccd4');
    }
    put(ctx, 'candle', 240, 304, '#fdf6e4', 0.9);
    box(ctx, 880, 170, 170, 180, down(ctx, 170, 180, '#5a606c', '#343a46'), { radius: 8, edge: '#1c2028', line: 4 });
    for (let i = 0; i < 4; i++) disc(ctx, 906 + i * 38, 196, 10, '#d9b04a', '#5b4312', 2);
    box(ctx, 904, 226, 122, 100, '#20242c', { radius: 8, edge: '#8a8f9a', line: 3 });
    for (const [x, c] of /** @type {[number, string][]} */ ([[1112, '#c8503c'], [1146, '#4a8a5a'], [1180, '#4a6aa8'], [1214, '#c9a04a']])) put(ctx, 'bottle', x, 160, c, 0.9);
    box(ctx, 1086, 194, 154, 12, '#6a3a30');
    standing(ctx, FACES.odette, 665, 400, 260);
    box(ctx, 470, 360, 380, 26, '#d9b04a', { radius: 6, edge: '#5b4312', line: 3 });
    box(ctx, 484, 386, 352, 100, down(ctx, 386, 100, '#7a3f34', '#552a22'), { edge: '#341610', line: 4 });
    for (let i = 0; i < 3; i++) box(ctx, 498 + i * 114, 400, 98, 70, '#8a4a3c', { radius: 5, edge: '#341610', line: 2 });
    box(ctx, 1050, 396, 130, 12, '#6a3a30');
    glovesOf(ctx, s, 'odette', 1115, 364);
    bootsOf(ctx, s, 'odette', 976, 452);
    lamp(ctx, 560, 60, 34, '#e8b04a', { chain: 50 });
  },
  engine(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    night(ctx, s, 330);
    for (let i = 0; i < 6; i++) disc(ctx, 200 + i * 22 + Math.sin(s.ticks / 40 + i) * 6, 92 - i * 16, 22 + i * 6, 'rgba(200,208,220,0.5)');
    box(ctx, 170, 96, 54, 70, '#1c2028', { radius: 8, edge: '#000' });
    box(ctx, 60, 160, 430, 180, down(ctx, 160, 180, '#3f4a5c', '#1c222e'), { radius: 70, edge: '#0c1018', line: 5 });
    for (const x of [150, 300, 420]) box(ctx, x, 162, 12, 176, '#d9b04a');
    disc(ctx, 96, 250, 56, '#2a3140', '#d9b04a', 5);
    disc(ctx, 250, 250, 50, '#8a2430', '#d9b04a', 6);
    text(ctx, s.data.numbers.engine, 250, 253, { size: 66, color: '#f6e2b0' });
    box(ctx, 470, 110, 190, 250, '#2a3140', { radius: 8, edge: '#0c1018', line: 5 });
    box(ctx, 500, 150, 120, 90, '#ff9a3c', { radius: 8, edge: '#d9b04a', line: 4 });
    glow(ctx, 560, 200, 220, '255,160,70', 0.5);
    box(ctx, 760, 190, 340, 160, down(ctx, 190, 160, '#3f4a5c', '#1c222e'), { radius: 8, edge: '#0c1018', line: 5 });
    for (let i = 0; i < 26; i++) disc(ctx, 780 + i * 12.4, 186 - ((i * 13) % 26), 16, i % 2 ? '#20242c' : '#343a46');
    for (const x of [170, 290, 410]) disc(ctx, x, 424, 60, '#2a2f3a', RED, 9);
    box(ctx, 150, 418, 280, 12, '#c8ccd4', { radius: 6 });
    for (const x of [830, 1030]) disc(ctx, x, 378, 34, '#2a2f3a', RED, 6);
    box(ctx, 0, 484, 1280, 8, '#7a8498');
    standing(ctx, FACES.bruno, 595, 470, 250);
    bootsOf(ctx, s, 'bruno', 756, 462);
    box(ctx, 876, 458, 120, 14, '#7a5a3a', { radius: 5 });
    glovesOf(ctx, s, 'bruno', 936, 436);
    flakes(ctx, s);
  },
  signal(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#6a8a9a', floor: '#4f4a4a', pattern: 'planks' });
    pane(ctx, 926, 66, 280, 140, '#e8e4d8', ['#17223c', '#4a5f86']);
    box(ctx, 926, 170, 280, 36, '#dfe8f4');
    for (let i = 0; i < 12; i++) disc(ctx, 940 + i * 23, 80 + ((i * 47 + s.ticks) % 86), 3, '#fff');
    box(ctx, 80, 140, 240, 14, '#4a3a2a');
    for (const [n, x, c] of /** @type {[string, number, string][]} */ ([['book', 112, '#8a2f34'], ['bell', 176, '#c9a04a'], ['rope', 236, '#c8b08a'], ['cup', 294, '#d8dce4']])) put(ctx, n, x, 112, c, 0.85);
    box(ctx, 70, 376, 340, 40, '#2a2f38', { radius: 8, edge: '#111' });
    for (let i = 0; i < 8; i++) {
      const x = 96 + i * 41;
      polygon(ctx, [[x, 380], [x + 12, 380], [x + 20 + (i % 3) * 6, 262], [x + 12 + (i % 3) * 6, 262]], '#c8ccd4', '#4a5058', 2);
      box(ctx, x + 6 + (i % 3) * 6, 244, 20, 34, ['#c8323c', '#22262e', '#2f62b8'][i % 3], { radius: 8 });
    }
    desk(ctx, 790, 376, 330, 100, '#7a5a3a', { drawers: 2 });
    box(ctx, 940, 316, 130, 60, '#5a3a24', { radius: 8, edge: '#2a1a0e' });
    for (const x of [966, 1040]) disc(ctx, x, 318, 18, '#d9b04a', '#5b4312', 3);
    box(ctx, 990, 336, 40, 10, s.flags.wired && Math.floor(s.ticks / 8) % 2 ? '#ffe9a0' : '#d9b04a', { radius: 4 });
    if (s.flags.wired) {
      glow(ctx, 1005, 330, 90, '255,220,140', 0.6);
      box(ctx, 1064, 330, 110, 16, '#f6f2e4', { edge: '#a8a290', line: 1 });
      for (let i = 0; i < 8; i++) box(ctx, 1072 + i * 12, 336, i % 3 ? 4 : 9, 4, '#222');
    }
    glovesOf(ctx, s, 'nell', 854, 350);
    standing(ctx, FACES.nell, 705, 440, 264);
    bootsOf(ctx, s, 'nell', 476, 462);
    lamp(ctx, 560, 60, 34, '#e8b04a', { chain: 50 });
  },
  sleeping(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    inside(ctx, '#6a4a7a');
    pane(ctx, 70, 100, 190, 170, '#d9b04a', ['#17223c', '#4a5f86', '#dfe8f4']);
    lamp(ctx, 345, 110, 32, '#e8a8c0', { chain: 60 });
    rug(ctx, 1010, 470, 360, 60, '#a3283a', '#d9b04a');
    if (!s.flags.fire_lit) {
      door(ctx, 480, 90, 310, 310, '#8a5a3f');
      box(ctx, 540, 120, 190, 110, '#e8d8b8', { radius: 10, edge: '#d9b04a', line: 4 });
      text(ctx, 'SILVANE', 635, 166, { size: 32, color: '#5a2a5a' });
      text(ctx, 'do not knock', 635, 202, { size: 20, color: '#5a2a5a', bold: false });
    } else {
      box(ctx, 468, 80, 334, 330, '#3a2418');
      box(ctx, 480, 90, 310, 310, down(ctx, 90, 310, '#c99ab0', '#8a5a7a'));
      box(ctx, 480, 130, 310, 26, '#f2e4ec', { edge: '#a5708a' });
      box(ctx, 480, 156, 310, 20, '#a3405f');
      for (const x of [500, 770]) box(ctx, x, 90, 6, 90, '#d9b04a');
      box(ctx, 480, 376, 310, 24, '#5a3450');
      box(ctx, 546, 320, 120, 60, '#8a2f5a', { radius: 8, edge: '#3a1028', line: 4 });
      box(ctx, 586, 306, 40, 16, 'rgba(0,0,0,0)', { radius: 8, edge: '#3a1028', line: 5 });
      box(ctx, 690, 284, 100, 10, '#d9b04a');
      glovesOf(ctx, s, 'silvane', 744, 256);
      bootsOf(ctx, s, 'silvane', 556, 442);
      armchair(ctx, 690, 320, 96, 84, '#a3405f');
    }
    box(ctx, 880, 60, 160, 6, '#c8323c');
    put(ctx, 'flower', 960, 92, '#e87a9a', 0.8);
  },
  fence(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    night(ctx, s, 300);
    tree(ctx, 1150, 420, 330, '#d9e4f2');
    box(ctx, 1090, 120, 120, 12, '#5d4029');
    disc(ctx, 1144, 84, 30, '#8a7a64', '#4a3e30', 3);
    for (const x of [1132, 1156]) { disc(ctx, x, 80, 10, '#ffd75a', '#222', 3); disc(ctx, x, 80, 4, '#222'); }
    for (let i = 0; i < 26; i++) {
      const x = 40 + i * 46;
      if (x > 480 && x < 760) continue;
      polygon(ctx, [[x, 440], [x, 190], [x + 20, 168], [x + 40, 190], [x + 40, 440]], i % 2 ? '#7a5f48' : '#6a5240', '#3a2c20', 3);
    }
    for (const y of [240, 380]) for (const [x, w] of [[40, 450], [770, 470]]) box(ctx, x, y, w, 14, '#5a4434');
    for (const x of [478, 762]) box(ctx, x, 120, 30, 330, '#4a3828', { edge: '#2a1e14' });
    if (s.flags.gate_open) {
      box(ctx, 508, 140, 254, 300, '#24314e');
      polygon(ctx, [[508, 140], [572, 166], [572, 466], [508, 440]], '#5a6a86', '#22304a', 4);
    } else {
      for (let i = 0; i < 8; i++) box(ctx, 514 + i * 31, 140, 16, 300, '#5a6a86', { edge: '#22304a', line: 2 });
      for (const y of [170, 280, 400]) box(ctx, 508, y, 254, 16, '#4a5a76', { edge: '#22304a', line: 2 });
      box(ctx, 592, 262, 92, 60, '#c9a04a', { radius: 8, edge: '#5b4312', line: 4 });
      for (let i = 0; i < 3; i++) box(ctx, 602 + i * 26, 276, 20, 32, '#f4f0e0', { edge: '#222', line: 2 });
      if (s.flags.ice) for (const [x, y, r] of [[610, 290, 48], [660, 292, 52], [636, 262, 46], [640, 326, 44]]) disc(ctx, x, y, r, 'rgba(205,228,250,0.72)', 'rgba(255,255,255,0.8)', 2);
    }
    box(ctx, 870, 214, 170, 96, '#f2d25a', { radius: 6, edge: '#222', line: 4 });
    text(ctx, 'GOODS', 955, 246, { size: 28, color: '#222' });
    text(ctx, 'ONLY', 955, 282, { size: 28, color: '#222' });
    box(ctx, 0, 430, 1280, 94, down(ctx, 430, 94, '#dfe8f4', '#ffffff'));
    flakes(ctx, s);
  },
  yard(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    const lit = s.flags.lamp_lit;
    night(ctx, s, 300);
    for (let i = 0; i < s.data.numbers.wagons; i++) {
      const w = 340 / s.data.numbers.wagons;
      box(ctx, 480 + i * w, 210, w - 10, 84, ['#a5502f', '#3f6a5a', '#5a5a86'][i % 3], { edge: '#222', line: 3 });
      box(ctx, 476 + i * w, 198, w - 2, 16, '#eef3fa', { radius: 8 });
      for (const f of [0.2, 0.7]) disc(ctx, 480 + i * w + w * f, 304, 11, '#222');
    }
    box(ctx, 880, 250, 260, 180, down(ctx, 250, 180, '#8a5a3f', '#5f3a28'), { edge: '#2f1c10', line: 4 });
    polygon(ctx, [[860, 256], [1010, 176], [1160, 256]], '#eef3fa', '#9fb0ca', 4);
    box(ctx, 960, 310, 100, 120, '#3a2416', { edge: '#2f1c10', line: 4 });
    box(ctx, 356, 110, 16, 310, '#2a3348');
    box(ctx, 326, 50, 76, 74, lit ? '#ffe9a0' : '#3a4560', { radius: 8, edge: '#1c2434', line: 5 });
    polygon(ctx, [[316, 52], [364, 22], [412, 52]], '#1c2434');
    if (lit) {
      glow(ctx, 364, 90, 420, '255,220,140', 0.65);
      const c = '#8fa3c4';
      for (let i = 0; i < 9; i++) {
        const x = 510 + i * 42;
        const y = 480 - i * 7 + (i % 2) * 22;
        const kind = s.data.marks[s.data.thief].boots;
        ctx.save();
        ctx.translate(x, y);
        ctx.rotate(1.3);
        box(ctx, -9, -17, 18, 34, c, { radius: kind === 'felt' ? 9 : 7 });
        if (kind === 'nailed') for (let k = 0; k < 6; k++) disc(ctx, -4 + (k % 2) * 8, -11 + Math.floor(k / 2) * 9, 2.4, '#2b3a58');
        if (kind === 'felt') for (let k = 0; k < 3; k++) box(ctx, -7, -11 + k * 9, 14, 3, '#c4d2e6');
        ctx.restore();
      }
    } else box(ctx, 0, 0, 1280, 524, 'rgba(8,12,26,0.66)');
    flakes(ctx, s);
  },
  shed(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#6a4f3c', floor: '#4a3a30', pattern: 'planks' });
    box(ctx, 80, 150, 300, 14, '#3a2a1c');
    for (let i = 0; i < 4; i++) put(ctx, 'lamp', 120 + i * 70, 118, ['#8a9ab0', '#c9a04a', '#8a5a3f', '#6a8a6a'][i], 1);
    for (let i = 0; i < 40; i++) polygon(ctx, [[120 + (i * 41) % 250, 490], [126 + (i * 41) % 250, 440 - (i % 5) * 9], [134 + (i * 41) % 250, 490]], i % 2 ? '#e8cf80' : '#cdb05a');
    glow(ctx, 590, 280, 300, '225,235,255', 0.5);
    polygon(ctx, [[420, 450], [470, 400], [720, 400], [780, 450]], '#4f5a4a', '#2f382c', 3);
    ctx.beginPath();
    ctx.ellipse(600, 360, 110, 62, 0, 0, 7);
    ctx.fillStyle = down(ctx, 300, 120, '#ffffff', '#a9b8cc');
    ctx.fill();
    ctx.strokeStyle = '#6f8098';
    ctx.lineWidth = 4;
    ctx.stroke();
    const bow = Math.sin(s.ticks / 50) * 8;
    ctx.beginPath();
    ctx.moveTo(520, 350);
    ctx.bezierCurveTo(450, 300, 560, 250 + bow, 510, 210 + bow);
    ctx.strokeStyle = '#e4ecf6';
    ctx.lineWidth = 30;
    ctx.lineCap = 'round';
    ctx.stroke();
    ctx.lineCap = 'butt';
    disc(ctx, 508, 208 + bow, 24, '#f2f6fc', '#6f8098', 3);
    polygon(ctx, [[488, 204 + bow], [460, 218 + bow], [490, 222 + bow]], '#e0a83c', '#7a5510', 2);
    disc(ctx, 502, 202 + bow, 4, '#111');
    for (let i = 0; i < 4; i++) polygon(ctx, [[600 + i * 24, 330], [650 + i * 26, 300 - i * 6], [640 + i * 22, 370]], i % 2 ? '#d8e2f0' : '#c2d0e4', '#8a9ab4', 2);
    box(ctx, 790, 400, 170, 90, '#7a5a3a', { edge: '#3a2818', line: 4 });
    const c = DRINK[s.data.marks[s.data.thief].drink];
    put(ctx, 'cup', 872, 368, '#f2f2ec', 1.15);
    ctx.beginPath();
    ctx.ellipse(872, 347, 20, 5, 0, 0, 7);
    ctx.fillStyle = c;
    ctx.fill();
    lamp(ctx, 1060, 120, 36, '#c9984a', { chain: 100 });
  },
  gatePicture(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    night(ctx, s, 420);
    for (let i = 0; i < 14; i++) box(ctx, 20 + i * 92, 0, 34, 524, '#4a5a76', { edge: '#22304a' });
    box(ctx, 400, 20, 480, 80, '#c9a04a', { radius: 12, edge: '#5b4312', line: 4 });
    text(ctx, 'ASK THE DEPOT', 640, 62, { size: 34, color: '#3a2a10' });
  },
};

/** A drift of snow. @param {Ctx} ctx @param {number} x @param {number} y @param {number} w */
function drift(ctx, x, y, w) {
  ctx.beginPath();
  ctx.ellipse(x, y + 12, w / 1.6, 34, 0, Math.PI, 0);
  ctx.fillStyle = '#ffffff';
  ctx.fill();
  ctx.strokeStyle = '#c4d2e6';
  ctx.lineWidth = 2;
  ctx.stroke();
}
