// @ts-check
/** Villa Celadon, the pictures: a rich house after dark, in emerald, rose and gold, first by candles and then by light. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { put } from '../adventure/icons.js';
import { standing } from '../adventure/people.js';
import { clock, curtains, desk, door, down, glow, lamp, pane, plant, shadow, shelves, stroke, tone } from '../adventure/props.js';
import { ALONG, GUESTS, SIDES, STANDS } from './case.js';
import { GOLD, head, portraits, SWEET } from './near.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#1d4a3c', ink: '#1c2a24', paper: '#fbf3ea', accent: '#f0a0b0', dark: '#12291f', serif: true };

/** @type {Record<string, import('../adventure/people.js').Face>} */
export const FACES = {
  celadon: { skin: '#f0d2bc', hair: '#e8e4dc', style: 'bun', coat: '#2f8a68', collar: '#d8b45a', mood: 'smile' },
  basil: { skin: '#e4b092', hair: '#3a2418', style: 'curls', coat: '#22262e', extra: 'tie', mood: 'plain', beard: 'moustache' },
  ines: { skin: '#8a5a40', hair: '#1c1618', style: 'bun', coat: '#b07a2c', glasses: true, mood: 'plain' },
  otto: { skin: '#eec0a0', hair: '#a8602c', style: 'hat', topper: '#fbf8f0', coat: '#f4efe4', extra: 'apron', mood: 'frown' },
  greta: { skin: '#ecc4ac', hair: '#b8b4c0', style: 'long', coat: '#8a3a6a', glasses: true, mood: 'frown', extra: 'scarf' },
  lucan: { skin: '#b87f58', hair: '#22201e', style: 'cap', topper: '#7a2438', coat: '#3f5a8a', extra: 'scarf', beard: 'full', mood: 'smile' },
};
const GREEN = '#2f6f58';
/** A green wall above a floor of black and white. @param {Ctx} ctx @param {string} [wall] */
function room(ctx, wall = GREEN) {
  box(ctx, 0, 0, 1280, 400, down(ctx, 0, 400, tone(wall, 0.1), tone(wall, -0.18)));
  for (let y = 20, i = 0; y < 300; y += 46, i++) {
    for (let x = 24 + (i % 2) * 40; x < 1280; x += 80) {
      polygon(ctx, [[x, y - 12], [x + 8, y], [x, y + 12], [x - 8, y]], tone(wall, 0.17));
      disc(ctx, x, y, 3, GOLD);
    }
  }
  box(ctx, 0, 306, 1280, 94, tone(wall, -0.42));
  for (let x = 10; x < 1280; x += 128) box(ctx, x, 318, 108, 66, 'rgba(255,255,255,0.05)', { edge: GOLD, line: 2 });
  box(ctx, 0, 300, 1280, 7, GOLD);
  box(ctx, 0, 400, 1280, 124, '#efe8da');
  const rows = [400, 424, 458, 524];
  for (let r = 0; r < 3; r++) {
    const [near, far] = [80 + (rows[r + 1] - 400) * 0.8, 80 + (rows[r] - 400) * 0.8];
    for (let i = -7; i < 7; i++) {
      if ((i + r) % 2 || Math.abs(i + 0.5) * far > 640 + far) continue;
      polygon(ctx, [[640 + i * far, rows[r]], [640 + (i + 1) * far, rows[r]], [640 + (i + 1) * near, rows[r + 1]], [640 + i * near, rows[r + 1]]], '#2a2e2c');
    }
  }
}

/** What the missing light does to a picture; candles: where some stand. @param {Ctx} ctx @param {any} s @param {number[][]} candles @param {number} [depth] */
function dusk(ctx, s, candles, depth = 0.46) {
  if (s.flags.lights) return;
  box(ctx, 0, 0, 1280, 524, `rgba(6,16,26,${depth})`);
  for (const [x, y] of candles) {
    glow(ctx, x, y, 230 + Math.sin(s.ticks / 9 + x) * 8, '255,205,120', 0.55);
    put(ctx, 'candle', x, y, '#f2ead4', 0.9);
  }
}

/** The guests who stand in a room. @param {Ctx} ctx @param {any} s @param {string} room */
function guests(ctx, s, room) {
  for (const who of GUESTS) {
    const { room: in_, place } = s.data.stands[who];
    if (in_ === room) standing(ctx, FACES[who], STANDS[room][place][0], STANDS[room][place][1], 258);
  }
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {boolean} on */
function chandelier(ctx, x, y, on) {
  box(ctx, x - 3, 0, 6, y, GOLD);
  for (const dx of [-80, -40, 0, 40, 80]) {
    stroke(ctx, [[x, y], [x + dx, y + 26]], GOLD, 5);
    box(ctx, x + dx - 6, y + 2, 12, 26, '#f6f0e0');
    if (on) disc(ctx, x + dx, y - 4, 8, '#fff2b0');
    for (let i = 0; i < 3; i++) polygon(ctx, [[x + dx - 5 + i * 5, y + 34], [x + dx - 2 + i * 5, y + 50], [x + dx + 1 + i * 5, y + 34]], '#cfe8e4');
  }
  if (on) glow(ctx, x, y, 420, '255,240,190', 0.5);
}

export const draws = {
  hall(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx);
    door(ctx, 44, 118, 112, 276, '#6a3a2c', { open: true, behind: s.flags.lights ? '#e8c98a' : '#1c1a20' });
    door(ctx, 204, 118, 112, 276, '#6a3a2c', { open: true, behind: s.flags.lights ? '#c98a9a' : '#221a22' });
    door(ctx, 364, 118, 112, 276, '#4a2a34', { open: s.flags.study, behind: '#3a5a4a' });
    if (!s.flags.study) for (let i = 0; i < 3; i++) box(ctx, 386 + i * 26, 240, 20, 28, '#fbf3ea', { radius: 4, edge: GOLD, line: 2 });
    for (const [x, t] of /** @type {[number, string][]} */ ([[100, 'DINING'], [260, 'MUSIC'], [420, 'STUDY'], [1040, 'TERRACE']])) text(ctx, t, x, 92, { size: 18, color: '#f6e6c0' });
    box(ctx, 524, 196, 10, 200, '#5a3a2c');
    put(ctx, 'hat', 528, 214, '#22242c', 0.9);
    put(ctx, 'umbrella', 530, 300, '#d8788c', 0.9);
    box(ctx, 506, 388, 46, 12, '#5a3a2c', { radius: 5 });
    clock(ctx, 735, 272, 28, 11, 58, GOLD);
    box(ctx, 712, 306, 46, 10, GOLD, { radius: 4 });
    box(ctx, 780, 92, 150, 304, GOLD, { radius: 60 });
    box(ctx, 792, 104, 126, 292, s.flags.conservatory ? '#7fc79a' : down(ctx, 104, 292, '#9fd8c0', '#4f9a80'), { radius: 52 });
    if (s.flags.conservatory) plant(ctx, 856, 392, 128, '#2f8a4f');
    else {
      for (const y of [180, 260, 330]) box(ctx, 792, y, 126, 6, GOLD);
      box(ctx, 852, 104, 6, 292, GOLD);
      disc(ctx, 896, 280, 12, '#8fe0c0', GOLD, 3);
    }
    door(ctx, 984, 118, 112, 276, '#6a3a2c', { open: true, behind: '#1c2c58' });
    box(ctx, 1140, 200, 124, 200, '#16231e', { edge: GOLD, line: 6 });
    for (let i = 0; i < 5; i++) box(ctx, 1146 + i * 12, 250 + i * 30, 112 - i * 12, 12, '#8a7a5c');
    chandelier(ctx, 640, 40, s.flags.lights);
    standing(ctx, FACES.celadon, 630, 432, 270);
    dusk(ctx, s, [[730, 200], [330, 220]], 0.36);
  },
  dining(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, '#7a2f48');
    box(ctx, 44, 30, 104, 210, '#5a3424', { radius: 8, edge: '#2f1a10', line: 4 });
    clock(ctx, 96, 86, 38, 11, 0, GOLD);
    box(ctx, 70, 140, 52, 88, '#2f1a10');
    disc(ctx, 96, 200, 14, GOLD);
    pane(ctx, 430, 50, 160, 150, GOLD, ['#16264a', '#3a4a7a']);
    curtains(ctx, 430, 50, 160, 150, '#2f8a68');
    chandelier(ctx, 750, 46, s.flags.lights);
    shadow(ctx, 140, 412, 180);
    box(ctx, 90, 320, 100, 90, '#efe8da', { edge: '#b8ae9c', line: 3 });
    box(ctx, 70, 282, 140, 46, '#8a3a6a', { radius: 20, edge: GOLD, line: 3 });
    disc(ctx, 140, 300, 26, '#6a2850');
    door(ctx, 1160, 120, 96, 276, '#4a2a1c');
    for (const x of [390, 560, 730]) box(ctx, x, 222, 100, 90, '#8a3a52', { radius: 16, edge: GOLD, line: 4 });
    shadow(ctx, 620, 436, 700);
    polygon(ctx, [[340, 270], [900, 270], [950, 346], [290, 346]], '#fbf6ec', '#d8cfc0', 3);
    polygon(ctx, [[290, 346], [950, 346], [936, 408], [304, 408]], '#e4dccb');
    for (const x of [326, 896]) box(ctx, x, 406, 20, 34, '#4a2a1c');
    if (s.flags.lights) SIDES.forEach((side, i) => ALONG.forEach((along, j) => {
      const c = SWEET[s.data.sweet[side][along]];
      const [x, y] = [400 + j * 210 + i * (j - 1) * 26, i ? 328 : 288];
      ctx.beginPath();
      ctx.ellipse(x, y, 32, 10, 0, 0, 7);
      ctx.fillStyle = '#ffffff';
      ctx.fill();
      ctx.strokeStyle = GOLD;
      ctx.lineWidth = 2;
      ctx.stroke();
      polygon(ctx, [[x - 16, y], [x - 12, y - 22], [x + 12, y - 22], [x + 16, y]], c, tone(c, -0.4), 2);
    }));
    guests(ctx, s, 'dining');
    dusk(ctx, s, [[1080, 300]], 0.84);
  },
  music(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, '#5a4a7a');
    portraits(ctx, s, 272, 44, 112);
    stroke(ctx, [[90, 410], [86, 160], [110, 130], [150, 150], [196, 380], [90, 410]], GOLD, 12);
    disc(ctx, 92, 150, 16, GOLD);
    shadow(ctx, 460, 396, 400);
    polygon(ctx, [[290, 280], [640, 280], [652, 240], [560, 222], [330, 226]], '#1f1a1c', '#000000', 4);
    box(ctx, 270, 278, 384, 44, down(ctx, 278, 44, '#3a3236', '#1a1618'), { radius: 8, edge: '#000' });
    box(ctx, 290, 300, 344, 20, '#fbf6ec');
    for (let i = 0; i < 26; i++) if (i % 7 !== 2 && i % 7 !== 6) box(ctx, 298 + i * 13, 300, 6, 12, '#1a1618');
    for (const x of [290, 460, 620]) box(ctx, x, 320, 16, 70, '#1f1a1c');
    box(ctx, 396, 412, 150, 24, '#7a2f48', { radius: 10, edge: '#3a1422' });
    for (const x of [410, 520]) box(ctx, x, 434, 14, 46, '#3a2a24');
    box(ctx, 776, 300, 90, 100, '#efe8da', { edge: '#b8ae9c', line: 3 });
    head(ctx, 'crown', 820, 304, 120, false);
    box(ctx, 770, 292, 100, 12, '#dcd4c4');
    stroke(ctx, [[802, 250], [812, 244], [820, 248], [828, 244], [838, 250]], '#c8283c', 5);
    for (let i = 0; i < 6; i++) box(ctx, 1136 + i * 22, 30, 22, 380 - (i % 2) * 8, i % 2 ? '#b8566c' : '#d8788c', { radius: 8 });
    box(ctx, 1120, 22, 150, 12, GOLD, { radius: 6 });
    guests(ctx, s, 'music');
    dusk(ctx, s, [[900, 160], [250, 250]], 0.3);
  },
  kitchen(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 400, '#e4e8da');
    for (let y = 0; y < 400; y += 50) for (let x = 0; x < 1280; x += 50) box(ctx, x + 2, y + 2, 46, 46, (x + y) % 100 ? '#eef2e6' : '#dfe6d6', { radius: 4 });
    box(ctx, 0, 400, 1280, 124, down(ctx, 400, 124, '#a85a4a', '#c8786a'));
    for (let x = -40; x < 1280; x += 90) stroke(ctx, [[x + 60, 400], [x, 524]], '#8a463a', 3);
    box(ctx, 290, 56, 380, 10, '#5a3a2c');
    for (let i = 0; i < 6; i++) {
      const [x, r] = [320 + i * 64, 30 - i * 2];
      stroke(ctx, [[x, 66], [x, 92]], '#8a4a24', 6);
      disc(ctx, x, 92 + r, r, '#c8783c', '#7a3c18', 4);
      disc(ctx, x - r * 0.3, 92 + r * 0.7, r * 0.3, '#f0b078');
    }
    box(ctx, 64, 214, 192, 196, '#2f4a44', { radius: 8, edge: '#16241f', line: 4 });
    box(ctx, 84, 300, 152, 84, '#16241f', { radius: 6, edge: GOLD, line: 3 });
    disc(ctx, 160, 344, 26, '#c8502c');
    for (const x of [104, 160, 216]) disc(ctx, x, 240, 12, '#8a9a94', '#16241f', 3);
    box(ctx, 120, 0, 60, 214, '#3f5a54');
    box(ctx, 280, 300, 300, 16, '#c9a06a', { edge: '#7a5a34' });
    box(ctx, 296, 316, 268, 84, '#a9814f', { edge: '#6a4a2a' });
    for (const x of [306, 436]) {
      box(ctx, x, 328, 118, 46, '#b98f5a', { radius: 5, edge: '#6a4a2a', line: 3 });
      disc(ctx, x + 59, 351, 7, GOLD, '#5b4312', 2);
    }
    for (const [x, n] of /** @type {[number, string][]} */ ([[314, 'duck'], [360, 'star'], [406, 'bell'], [452, 'fish'], [498, 'crown'], [546, 'apple']])) put(ctx, n, x, 272, '#c8783c', 0.72);
    guests(ctx, s, 'kitchen');
    shadow(ctx, 920, 486, 110);
    disc(ctx, 924, 452, 34, '#3a3a40');
    disc(ctx, 900, 420, 20, '#3a3a40');
    for (const dx of [-12, 12]) polygon(ctx, [[900 + dx - 7, 408], [900 + dx, 390], [900 + dx + 7, 408]], '#3a3a40');
    for (const dx of [-7, 7]) disc(ctx, 900 + dx, 418, 4, '#c8e07a');
    disc(ctx, 900, 430, 7, '#fdfaf4');
    stroke(ctx, [[954, 464], [976, 440], [970, 410]], '#3a3a40', 9);
    box(ctx, 1060, 150, 170, 256, '#1a1c1a', { edge: '#8a8478', line: 10 });
    for (let i = 0; i < 6; i++) box(ctx, 1070 + i * 12, 220 + i * 30, 150 - i * 12, 12, '#8a8478');
    dusk(ctx, s, [[790, 230], [250, 180]], 0.36);
  },
  cellar(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 420, down(ctx, 0, 420, '#4a5650', '#39433e'));
    for (let y = 0, i = 0; y < 420; y += 42, i++) for (let x = (i % 2) * 46 - 20; x < 1280; x += 92) box(ctx, x, y, 88, 38, i % 3 ? 'rgba(255,255,240,0.05)' : 'rgba(0,0,0,0.1)', { radius: 6 });
    box(ctx, 0, 420, 1280, 104, '#574f44');
    for (const y of [236, 330]) box(ctx, 150, y, 260, 12, '#5a4634');
    for (const [n, x, y, c] of /** @type {[string, number, number, string][]} */ ([['bottle', 190, 204, '#6a2438'], ['crank', 260, 206, '#8fa8a0'], ['candle', 330, 204, '#f2ead4'], ['bottle', 380, 204, '#3f6a4a'], ['rope', 210, 300, '#c8b08a'], ['bottle', 300, 298, '#6a2438'], ['bottle', 350, 298, '#8a6a2c']])) put(ctx, n, x, y, c, 0.9);
    box(ctx, 566, 116, 188, 220, '#2f3a38', { radius: 8, edge: '#8a9a94', line: 5 });
    for (let r = 0; r < 2; r++) for (let i = 0; i < 3; i++) {
      const [x, y] = [596 + i * 48, 150 + r * 84];
      box(ctx, x, y, 32, 62, '#fbf3ea', { radius: 5, edge: '#5a6a64', line: 3 });
      if (r === 0 && i === 1 && !s.flags.lights) box(ctx, x + 4, y + 8, 24, 46, '#12201c', { edge: '#c8283c', line: 3 });
      else box(ctx, x + 11, y + 10, 10, 42, GOLD);
    }
    disc(ctx, 732, 320, 7, s.flags.lights ? '#6affa0' : '#5a1c24');
    for (let i = 0; i < 3; i++) {
      const [x, y] = [930 + i * 90, 340 - (i % 2) * 10];
      shadow(ctx, x, y + 90, 100);
      box(ctx, x - 44, y - 70, 88, 160, down(ctx, y - 70, 160, '#9a6a3c', '#5f3e22'), { radius: 26, edge: '#33200f', line: 3 });
      for (const dy of [-40, 50]) box(ctx, x - 46, y + dy, 92, 9, '#3a3a36');
    }
    for (let i = 0; i < 7; i++) stroke(ctx, [[1270, 10], [1100 + i * 26, 24 + i * 18]], 'rgba(230,236,230,0.5)', 2);
    for (let r = 1; r < 5; r++) stroke(ctx, Array.from({ length: 7 }, (_, i) => [1270 - (170 - i * 26) * r * 0.2, 10 + (14 + i * 18) * r * 0.2]), 'rgba(230,236,230,0.5)', 2);
    for (let i = 0; i < 7; i++) {
      ctx.beginPath();
      ctx.ellipse(470 + i * 42, 470 + (i % 2) * 22, 16, 8, 0.2, 0, 7);
      ctx.fillStyle = 'rgba(20,18,14,0.45)';
      ctx.fill();
    }
    dusk(ctx, s, [[480, 300], [820, 180]], 0.4);
  },
  terrace(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 300, down(ctx, 0, 300, '#0f1c3c', '#2c4a7a'));
    for (let i = 0; i < 60; i++) disc(ctx, (i * 211) % 1280, (i * 67) % 220, 1 + (i % 3) * 0.7, '#f0f4ff');
    disc(ctx, 1115, 80, 52, '#f6f2dc');
    glow(ctx, 1115, 80, 220, '230,236,255', 0.45);
    for (const [x, y, r] of [[1098, 70, 9], [1130, 96, 13]]) disc(ctx, x, y, r, '#e2dcc0');
    for (let i = 0; i < 14; i++) disc(ctx, i * 100, 290, 60 + (i % 3) * 14, i % 2 ? '#17402f' : '#1d4c38');
    box(ctx, 0, 300, 1280, 80, '#1f5a3c');
    box(ctx, 0, 372, 1280, 152, down(ctx, 372, 152, '#8f9a94', '#b8c0b8'));
    for (let i = 0; i < 14; i++) stroke(ctx, [[640 + (i - 7) * 100, 372], [640 + (i - 7) * 190, 524]], '#7a857e', 3);
    box(ctx, 0, 318, 1280, 14, '#d8dcd2');
    for (let x = 20; x < 1280; x += 52) {
      box(ctx, x, 330, 18, 44, '#c8cec2', { radius: 8 });
    }
    box(ctx, 0, 366, 1280, 12, '#d8dcd2');
    stroke(ctx, [[440, 20], [630, 60], [820, 22]], '#2a2a34', 3);
    [[500, 66, '#f0a0b0'], [570, 84, '#f6d88a'], [640, 90, '#4a4a52'], [710, 84, '#9fe0b8']].forEach(([x, y, c], i) => {
      if (i !== 2) glow(ctx, +x, +y, 110, '255,225,170', 0.5);
      box(ctx, +x - 22, +y - 26, 44, 54, String(c), { radius: 20, edge: '#2a2a34', line: 2 });
    });
    guests(ctx, s, 'terrace');
    for (const [x, y] of [[944, 450], [1044, 450]]) stroke(ctx, [[x, y], [994, 250]], '#7a5a3a', 8);
    box(ctx, 938, 270, 116, 110, '#101218', { edge: '#c9a06a', line: 5 });
    for (const dx of [-6, 6]) disc(ctx, 1020 + dx, 340, 3, '#3a3a2c');
    for (let i = -4; i <= 4; i++) stroke(ctx, [[1160, 440], [1160 + i * 19, 356 + Math.abs(i) * 6]], i % 2 ? '#1f8a7a' : '#2f6fb0', 8);
    for (let i = -4; i <= 4; i++) disc(ctx, 1160 + i * 19, 354 + Math.abs(i) * 6, 10, '#d8b45a', '#1f5a9a', 4);
    ctx.beginPath();
    ctx.ellipse(1160, 440, 38, 24, 0, 0, 7);
    ctx.fillStyle = '#2456b0';
    ctx.fill();
    stroke(ctx, [[1140, 430], [1128, 396], [1134, 380]], '#2456b0', 12);
    disc(ctx, 1132, 376, 10, '#2456b0');
    polygon(ctx, [[1124, 374], [1108, 380], [1124, 382]], '#e0a83c');
  },
  study(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, '#3f5a4a');
    shelves(ctx, 60, 60, 240, 340, '#4a3226', ['#c8ccd8', '#8c3b46', '#4a7a8a', '#3f7a5f', '#c9a04a'], 4);
    desk(ctx, 380, 350, 310, 104, '#6a4030', { drawers: 3 });
    box(ctx, 424, 312, 160, 36, '#2c5a4a', { radius: 5, edge: GOLD, line: 4 });
    box(ctx, 436, 318, 136, 22, '#f4e9d8');
    for (let i = 0; i < 4; i++) stroke(ctx, [[446 + i * 32, 330], [464 + i * 32, 326]], '#2c3470', 3);
    put(ctx, 'feather', 624, 320, '#f6f0e0', 0.9);
    lamp(ctx, 664, 268, 30, '#2f8a68', { foot: 80, on: s.flags.lights });
    put(ctx, 'globe', 825, 340, '#8a5a34', 2.2);
    box(ctx, 796, 392, 58, 56, '#6a4030');
    box(ctx, 944, 94, 162, 142, '#5a6a64', { radius: 8, edge: '#22302c', line: 6 });
    box(ctx, 962, 110, 126, 110, '#12201c');
    polygon(ctx, [[994, 206], [1062, 206], [1062, 172]], '#f4d0b0', '#8a5a34', 3);
    disc(ctx, 1050, 166, 7, '#c01c30');
    polygon(ctx, [[944, 94], [904, 110], [904, 246], [944, 236]], '#6f807a', '#22302c', 4);
    box(ctx, 930, 276, 230, 130, '#e8dfd0', { edge: '#a89c88', line: 5 });
    box(ctx, 916, 262, 258, 20, '#f4ece0', { edge: '#a89c88' });
    box(ctx, 976, 306, 138, 100, '#1a1614');
    for (let i = 0; i < 4; i++) polygon(ctx, [[986 + i * 32, 404], [1002 + i * 32, 350 + Math.sin(s.ticks / 8 + i * 2) * 12], [1016 + i * 32, 404]], i % 2 ? '#f4b03c' : '#e0602c');
    glow(ctx, 1045, 380, 200, '255,190,110', 0.4);
  },
  conservatory(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 400, down(ctx, 0, 400, '#16264a', '#3f7a70'));
    for (let x = 0; x <= 1280; x += 128) box(ctx, x - 4, 0, 8, 400, '#e8efe8');
    for (const y of [90, 220]) box(ctx, 0, y, 1280, 6, '#e8efe8');
    polygon(ctx, [[0, 0], [640, 0], [0, 60]], 'rgba(255,255,255,0.08)');
    box(ctx, 0, 396, 1280, 128, down(ctx, 396, 128, '#b8a890', '#d8ccb8'));
    for (let i = -8; i <= 8; i++) stroke(ctx, [[640 + i * 100, 396], [640 + i * 190, 524]], '#9a8c76', 3);
    box(ctx, 60, 190, 240, 16, '#8a6a4a');
    for (let i = 0; i < 6; i++) {
      const x = 82 + i * 40;
      stroke(ctx, [[x, 188], [x + (i % 2 ? 8 : -8), 110 + (i % 3) * 16]], '#3f8a4f', 5);
      for (let k = 0; k < 5; k++) disc(ctx, x + (i % 2 ? 8 : -8) + Math.cos(k * 1.26) * 12, 100 + (i % 3) * 16 + Math.sin(k * 1.26) * 12, 10, ['#f4a0bc', '#f6f0e0', '#c080d8'][i % 3]);
      disc(ctx, x + (i % 2 ? 8 : -8), 100 + (i % 3) * 16, 6, '#e0a83c');
    }
    shadow(ctx, 640, 446, 380, 26);
    polygon(ctx, [[480, 350], [800, 350], [760, 440], [520, 440]], '#cfd8d0', '#7a8a82', 4);
    ctx.beginPath();
    ctx.ellipse(640, 352, 160, 30, 0, 0, 7);
    ctx.fillStyle = '#5fa8b0';
    ctx.fill();
    ctx.strokeStyle = '#7a8a82';
    ctx.lineWidth = 6;
    ctx.stroke();
    box(ctx, 622, 230, 36, 120, '#cfd8d0', { edge: '#7a8a82' });
    polygon(ctx, [[570, 226], [710, 226], [670, 260], [610, 260]], '#cfd8d0', '#7a8a82', 4);
    if (s.flags.dry) {
      polygon(ctx, [[552, 352], [590, 326], [632, 350], [600, 372]], '#fdfaf4', '#b8ae9c', 3);
      for (let i = 0; i < 5; i++) disc(ctx, 604 + i * 9, 362 + (i % 2) * 4, 5, '#fbf8f2', '#b8ae9c', 2);
    } else {
      for (let i = 0; i < 11; i++) {
        const a = (i - 5) / 5;
        stroke(ctx, Array.from({ length: 9 }, (_, t) => [640 + a * t * 17, 226 - Math.sin((t / 8) * Math.PI) * 92 + t * 14 + Math.sin(s.ticks / 6 + i + t) * 3]), 'rgba(225,245,250,0.6)', 6);
      }
      for (let i = 0; i < 24; i++) disc(ctx, 500 + ((i * 61) % 280), 300 + ((i * 37 + s.ticks) % 56), 5, 'rgba(240,250,255,0.7)');
    }
    box(ctx, 244, 380, 20, 76, '#6a7a72', { edge: '#3a4640' });
    disc(ctx, 254, 370, 22, '#8fa8a0', '#3a4640', 4);
    if (s.flags.dry) put(ctx, 'crank', 262, 356, '#8fa8a0', 1);
    else box(ctx, 247, 363, 14, 14, '#22302c');
    box(ctx, 1026, 150, 22, 250, '#7a5a3a');
    for (let i = 0; i < 7; i++) {
      ctx.save();
      ctx.translate(1036, 150);
      ctx.rotate(-1.9 + i * 0.63);
      ctx.beginPath();
      ctx.ellipse(64, 0, 66, 14, 0, 0, 7);
      ctx.fillStyle = i % 2 ? '#2f8a4f' : '#3fa05f';
      ctx.fill();
      ctx.restore();
    }
    box(ctx, 990, 384, 92, 50, '#b5623c', { radius: 6, edge: '#6a3418' });
    shadow(ctx, 956, 482, 100);
    disc(ctx, 956, 456, 28, '#5fae57', '#2f6a2c', 3);
    disc(ctx, 956, 464, 16, '#f0ece0');
    for (const dx of [-14, 14]) {
      disc(ctx, 956 + dx, 430, 11, '#5fae57', '#2f6a2c', 3);
      disc(ctx, 956 + dx, 430, 4, '#111');
    }
    for (const y of [396, 424]) box(ctx, 1070, y, 170, 12, '#22302c', { radius: 5 });
    for (const x of [1084, 1150, 1216]) box(ctx, x, 396, 8, 78, '#22302c');
  },
  lockPicture(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, '#5a3440', '#2f1a24'));
    for (const x of [60, 980]) box(ctx, x, 40, 240, 440, 'rgba(255,255,255,0.05)', { radius: 8, edge: GOLD, line: 4 });
    box(ctx, 390, 6, 500, 104, '#fbf3ea', { radius: 10, edge: GOLD, line: 6 });
    s.data.asked.forEach((/** @type {string} */ h, /** @type {number} */ i) => head(ctx, h, 490 + i * 150, 106, 92, true));
  },
};
