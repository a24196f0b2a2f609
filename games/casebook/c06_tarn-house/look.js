// @ts-check
/** Tarn House, the pictures: a narrow house of plum and brass by lamplight. */

import { box, disc, polygon, text } from '../../kit/draw.js';
import { icon } from '../adventure/icons.js';
import { armchair, bed, chest, clock, cupboard, curtains, desk, door, down, framed, glow, lamp, pane, plant, room, rug, shadow, shelves, tone } from '../adventure/props.js';

/** @typedef {CanvasRenderingContext2D} Ctx */

export const LOOK = { frame: '#2b2140', ink: '#2a2033', paper: '#f3e9d7', accent: '#f0b455', dark: '#171126' };
const WOOD = '#6b4430';
const INKS = { red: '#d2383c', green: '#3f9d54', blue: '#3a68cf' };
const SPINES = ['#8c3b46', '#37506b', '#b98a3a', '#4d6b45', '#6a4a7c', '#c8b394'];
const NIGHT = ['#0d1730', '#24365c', '#4a5b86'];

/** A sign on keys and locks. x, y: its middle. @param {Ctx} ctx @param {string} shape @param {number} x @param {number} y @param {number} r
 * @param {string} [color] */
export function sign(ctx, shape, x, y, r, color = '#8f1f2c') {
  const turn = (/** @type {number} */ n, /** @type {number} */ far) => [x + Math.sin((n * Math.PI) / 5) * far, y - Math.cos((n * Math.PI) / 5) * far];
  if (shape === 'star') polygon(ctx, Array.from({ length: 10 }, (_, i) => turn(i, i % 2 ? r * 0.42 : r)), color);
  if (shape === 'sun') {
    for (let i = 0; i < 10; i++) polygon(ctx, [turn(i - 0.3, r * 0.6), turn(i, r), turn(i + 0.3, r * 0.6)], color);
    disc(ctx, x, y, r * 0.55, color);
  }
  if (shape === 'moon') {
    ctx.beginPath();
    ctx.arc(x, y, r * 0.9, 0.6, 5.2);
    ctx.arc(x + r * 0.42, y - r * 0.1, r * 0.72, 5, 0.9, true);
    ctx.closePath();
    ctx.fillStyle = color;
    ctx.fill();
  }
  if (shape === 'leaf') {
    ctx.beginPath();
    ctx.moveTo(x, y - r);
    ctx.quadraticCurveTo(x + r, y - r * 0.2, x, y + r * 0.7);
    ctx.quadraticCurveTo(x - r, y - r * 0.2, x, y - r);
    ctx.fillStyle = color;
    ctx.fill();
    box(ctx, x - 2, y - r * 0.4, 4, r * 1.45, tone(color.startsWith('#') ? color : '#8f1f2c', -0.4));
  }
}

/** A brass plate with a sign. @param {Ctx} ctx @param {string} shape @param {number} x @param {number} y */
function plate(ctx, shape, x, y) {
  box(ctx, x - 20, y - 20, 40, 40, '#e2bb5a', { radius: 8, edge: '#5b4312', line: 2 });
  sign(ctx, shape, x, y, 14);
}

/** A thing in a room, with light behind it so that it is seen. @param {Ctx} ctx @param {any} s @param {string} item @param {number} x
 * @param {number} y @param {number} [size] */
export function thing(ctx, s, item, x, y, size = 1) {
  glow(ctx, x, y, 60 * size, '255,230,160', 0.55);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  ITEM[item](ctx, s);
  ctx.restore();
}

const keyWith = (/** @type {string} */ id, /** @type {string} */ color) => (/** @type {Ctx} */ ctx, /** @type {any} */ s) => {
  icon(ctx, 'key', color);
  if (s) {
    disc(ctx, -12, 18, 14, '#f3e9d7', '#5b4312', 2);
    sign(ctx, s.data.shapes[id], -12, 18, 11);
  }
};

/** @type {Record<string, (ctx: Ctx, s?: any) => void>} */
export const ITEM = {
  key_drawer: keyWith('key_drawer', '#d9a520'),
  key_chest: keyWith('key_chest', '#a9b3bf'),
  key_workshop: keyWith('key_workshop', '#b5663a'),
  key_trunk: keyWith('key_trunk', '#5f8f7a'),
  key_front: (ctx) => icon(ctx, 'key', '#f6f2e6'),
  crowbar(ctx) {
    ctx.strokeStyle = '#5d6774';
    ctx.lineWidth = 8;
    ctx.lineCap = 'round';
    ctx.beginPath();
    ctx.moveTo(-22, 24);
    ctx.lineTo(14, -16);
    ctx.quadraticCurveTo(22, -28, 28, -14);
    ctx.stroke();
    ctx.lineCap = 'butt';
  },
  hook: (ctx) => icon(ctx, 'hook', '#c7a15a'),
  lantern: (ctx) => icon(ctx, 'lamp', '#93a0ae'),
};

/** The picture with things to count. @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} w @param {number} h */
export function seascape(ctx, s, x, y, w, h) {
  framed(ctx, x, y, w, h, '#b48a3c', () => {
    box(ctx, 0, 0, w, h * 0.55, down(ctx, 0, h * 0.55, '#f3c98b', '#f7e6c3'));
    box(ctx, 0, h * 0.55, w, h * 0.45, down(ctx, h * 0.55, h * 0.45, '#2f7f8f', '#1d4f66'));
    polygon(ctx, [[0, h * 0.55], [0, h * 0.42], [w * 0.5, h * 0.38], [w, h * 0.46], [w, h * 0.55]], '#6d8b4a');
    const { bird, boat, house } = s.data.counts;
    for (let i = 0; i < house; i++) {
      const hx = w * (0.06 + i * 0.155);
      box(ctx, hx, h * 0.4, w * 0.075, h * 0.13, '#f4ede0');
      polygon(ctx, [[hx - 3, h * 0.4], [hx + w * 0.0375, h * 0.3], [hx + w * 0.075 + 3, h * 0.4]], '#b6402f');
    }
    for (let i = 0; i < boat; i++) {
      const bx = w * (0.12 + i * 0.185);
      const by = h * (i % 2 ? 0.86 : 0.7);
      polygon(ctx, [[bx - w * 0.06, by], [bx + w * 0.06, by], [bx + w * 0.035, by + h * 0.06], [bx - w * 0.035, by + h * 0.06]], '#55301b');
      polygon(ctx, [[bx, by - 2], [bx, by - h * 0.15], [bx + w * 0.05, by - 2]], '#fffaf0');
    }
    ctx.strokeStyle = '#2a2a33';
    ctx.lineWidth = Math.max(2.5, w / 90);
    for (let i = 0; i < bird; i++) {
      const bx = w * (0.1 + i * 0.125);
      const by = h * (i % 2 ? 0.22 : 0.12);
      ctx.beginPath();
      ctx.arc(bx - w * 0.022, by, w * 0.022, Math.PI, 0);
      ctx.arc(bx + w * 0.022, by, w * 0.022, Math.PI, 0);
      ctx.stroke();
    }
  });
}

/** @param {Ctx} ctx @param {any} s @param {number} x @param {number} y @param {number} k */
export function bottles(ctx, s, x, y, k) {
  ['green', 'blue', 'red'].forEach((c, i) => {
    const bx = x + i * 58 * k;
    box(ctx, bx + 14 * k, y, 14 * k, 22 * k, /** @type {any} */ (INKS)[c]);
    box(ctx, bx, y + 20 * k, 42 * k, 66 * k, /** @type {any} */ (INKS)[c], { radius: 9 * k, edge: '#221a1a', line: 2 });
    box(ctx, bx + 5 * k, y + 38 * k, 32 * k, 34 * k, '#fbf3df');
    text(ctx, s.data.labels[c], bx + 21 * k, y + 56 * k, { size: 26 * k });
  });
}

/** The clue that hangs or stands in this room. @param {Ctx} ctx @param {any} s @param {string} here @param {number[]} at */
function clueOf(ctx, s, here, [x, y, w, h]) {
  if (s.data.where.clock === here) clock(ctx, x + w / 2, y + h / 2, Math.min(w, h) / 2 - 12, s.data.clock.hour, s.data.clock.minute);
  if (s.data.where.picture === here) seascape(ctx, s, x + 10, y + 10, w - 20, h - 20);
  if (s.data.where.bottles === here) {
    box(ctx, x, y + h - 14, w, 12, WOOD);
    bottles(ctx, s, x + (w - 160) / 2, y + h - 100, 1);
  }
}

/** Where a room shows its clue. @type {Record<string, number[]>} */
export const CLUE_AT = { hall: [560, 70, 170, 170], study: [760, 66, 210, 160], kitchen: [520, 70, 230, 120], workshop: [90, 70, 210, 160] };

/** @param {Ctx} ctx @param {any} s @param {boolean} lit */
function flame(ctx, s, x, y, lit = true) {
  if (lit) disc(ctx, x + Math.sin(s.ticks / 9), y, 6 + Math.sin(s.ticks / 5), '#ffd27a');
}

export const draws = {
  hall(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#5d4574', floor: '#7b5234', pattern: 'stripes' });
    rug(ctx, 640, 455, 620, 110, '#8d3245', '#c99b4b');
    door(ctx, 70, 120, 150, 262, '#7d4f38', { behind: '#3a2f52' });
    text(ctx, 'STUDY', 145, 92, { size: 20, color: '#f0d9a8' });
    door(ctx, 1060, 120, 150, 262, '#7d4f38');
    text(ctx, 'KITCHEN', 1135, 92, { size: 20, color: '#f0d9a8' });
    door(ctx, 300, 90, 200, 292, '#3e5a52', { knob: '#f6f2e6' });
    polygon(ctx, [[330, 120], [400, 96], [470, 120], [470, 170], [330, 170]], '#9fc3c9', '#24352f');
    text(ctx, 'FRONT DOOR', 400, 68, { size: 20, color: '#f0d9a8' });
    clueOf(ctx, s, 'hall', CLUE_AT.hall);
    polygon(ctx, [[800, 382], [800, 330], [860, 330], [860, 270], [920, 270], [920, 210], [980, 210], [980, 382]], '#8a5f40', '#3f2718');
    ctx.fillStyle = '#3f2718';
    for (const x of [812, 870, 930]) ctx.fillRect(x, 380 - (x - 700) * 0.95 - 40, 6, 110);
    text(ctx, 'UP', 890, 186, { size: 20, color: '#f0d9a8' });
    lamp(ctx, 690, 40, 40, '#c8793a', { chain: 40 });
    box(ctx, 560, 292, 170, 14, WOOD);
    desk(ctx, 566, 300, 160, 92, WOOD);
    icon(at(ctx, 612, 276), 'letter', '#efe2c6');
    ctx.restore();
    icon(at(ctx, 680, 272), 'bell', '#d8a93c');
    ctx.restore();
    box(ctx, 244, 300, 44, 92, '#4c6a78', { radius: 8, edge: '#22323a' });
    icon(at(ctx, 266, 286), 'umbrella', '#a53b47');
    ctx.restore();
  },
  study(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#3f5a52', floor: '#6d4a31', pattern: 'dots' });
    shelves(ctx, 40, 60, 280, 320, WOOD, SPINES, 4);
    pane(ctx, 420, 80, 150, 190, '#8b6a47', NIGHT);
    disc(ctx, 530, 120, 18, '#f6efcf');
    curtains(ctx, 420, 80, 150, 190, '#8a3140');
    clueOf(ctx, s, 'study', CLUE_AT.study);
    desk(ctx, 400, 330, 330, 130, WOOD, { drawers: 2, open: s.flags.drawer ? 1 : undefined });
    plate(ctx, s.data.shapes.key_drawer, 646, 373);
    lamp(ctx, 460, 280, 44, '#3f9070', { foot: 52 });
    icon(at(ctx, 560, 318), 'book', '#9b3e3b');
    ctx.restore();
    if (s.flags.drawer && !s.flags.took_in_drawer) thing(ctx, s, s.data.holds.drawer, 646, 420);
    box(ctx, 1010, 96, 160, 170, '#2e3a40', { radius: 8, edge: '#141a1e', line: 5 });
    if (s.flags.safe) {
      box(ctx, 1024, 110, 132, 142, '#0e1113');
      polygon(ctx, [[1010, 96], [966, 112], [966, 282], [1010, 266]], '#4d5c64', '#141a1e');
      if (!s.flags.took_in_safe) thing(ctx, s, s.data.holds.safe, 1090, 190);
    } else {
      disc(ctx, 1060, 190, 26, '#8c98a1', '#141a1e');
      for (let i = 0; i < 3; i++) box(ctx, 1098 + i * 20, 176, 16, 28, '#f5efdf', { edge: '#141a1e', line: 2 });
    }
    armchair(ctx, 960, 310, 190, 150, '#7a3b4a');
    plant(ctx, 1212, 430, 130);
    icon(at(ctx, 800, 292), 'globe', '#b98a3a');
    ctx.restore();
    desk(ctx, 756, 318, 92, 80, WOOD);
  },
  kitchen(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#b98b62', floor: '#8a6a55', pattern: 'tiles' });
    pane(ctx, 860, 70, 150, 150, '#f0e3c8', NIGHT);
    clueOf(ctx, s, 'kitchen', CLUE_AT.kitchen);
    cupboard(ctx, 60, 80, 190, 320, '#52707c', { open: s.flags.pantry });
    if (!s.flags.pantry) {
      polygon(ctx, [[64, 214], [246, 168], [250, 190], [68, 236]], '#8a6239', '#3f2a15');
      for (const [x, y] of [[82, 220], [228, 184]]) disc(ctx, x, y, 5, '#333');
    } else if (!s.flags.took_in_pantry) thing(ctx, s, s.data.holds.pantry, 154, 320);
    box(ctx, 310, 240, 190, 160, '#3a3d44', { radius: 8, edge: '#17181c' });
    box(ctx, 330, 300, 150, 80, '#1b1c20', { radius: 6, edge: '#62666f' });
    for (let i = 0; i < 4; i++) disc(ctx, 340 + i * 44, 268, 12, '#8a8f99', '#17181c', 2);
    icon(at(ctx, 366, 216), 'teapot', '#b85440');
    ctx.restore();
    box(ctx, 390, 0, 40, 130, '#3a3d44');
    polygon(ctx, [[340, 130], [470, 130], [500, 172], [310, 172]], '#4a4e57', '#17181c');
    desk(ctx, 560, 330, 300, 126, '#9b6c45');
    icon(at(ctx, 620, 308), 'apple', '#c8403a');
    ctx.restore();
    icon(at(ctx, 700, 306), 'cup', '#e9e2d2');
    ctx.restore();
    icon(at(ctx, 790, 306), 'knife', '#7a4a28');
    ctx.restore();
    box(ctx, 1010, 270, 110, 120, '#d9d2c2', { radius: 8, edge: '#8d8573' });
    box(ctx, 1022, 284, 86, 24, '#8d8573', { radius: 10 });
    box(ctx, 1060, 236, 10, 40, '#9aa2aa');
    door(ctx, 1150, 130, 110, 252, '#7d4f38', { open: true, behind: '#5d4574' });
    text(ctx, 'HALL', 1205, 100, { size: 20, color: '#3b2416' });
  },
  bedroom(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#3f4c76', floor: '#6b4a3c', pattern: 'stripes' });
    pane(ctx, 560, 80, 140, 170, '#c9b183', NIGHT);
    curtains(ctx, 560, 80, 140, 170, '#c98b3f');
    bed(ctx, 60, 250, 390, 190, '#a23d4c');
    desk(ctx, 480, 330, 110, 90, WOOD);
    lamp(ctx, 534, 288, 34, '#d9a04a', { foot: 44 });
    cupboard(ctx, 760, 130, 170, 262, '#75503a');
    chest(ctx, 600, 380, 190, 110, '#5e4a2e', s.flags.chest);
    if (!s.flags.chest) plate(ctx, s.data.shapes.key_chest, 740, 446);
    else if (!s.flags.took_in_chest) thing(ctx, s, s.data.holds.chest, 696, 404);
    desk(ctx, 970, 320, 170, 120, WOOD);
    box(ctx, 1004, 262, 104, 58, s.flags.casket ? '#3a1f2a' : '#8a2f4e', { radius: 10, edge: '#e2bb5a' });
    if (s.flags.casket) {
      polygon(ctx, [[1004, 262], [1016, 216], [1120, 216], [1108, 262]], '#a23f60', '#e2bb5a');
      if (!s.flags.took_in_casket) thing(ctx, s, s.data.holds.casket, 1056, 276);
    } else for (let i = 0; i < 3; i++) box(ctx, 1026 + i * 22, 280, 18, 24, '#f5efdf', { edge: '#2b1119', line: 2 });
    framed(ctx, 990, 70, 130, 110, '#b48a3c', (c) => {
      box(c, 0, 0, 130, 110, '#9fb4d0');
      disc(c, 65, 60, 26, '#ecd2ae');
      polygon(c, [[28, 110], [65, 76], [102, 110]], '#3b4a6b');
    });
    polygon(ctx, [[200, 0], [420, 0], [390, 40], [230, 40]], s.flags.trapdoor ? '#0c0e18' : '#8a6a4a', '#33261a', 5);
    if (s.flags.trapdoor) {
      for (const x of [282, 338]) box(ctx, x, 20, 8, 300, '#9c7448');
      for (let y = 50; y < 320; y += 38) box(ctx, 282, y, 64, 7, '#9c7448');
    } else {
      box(ctx, 304, 36, 12, 20, '#c0c6cd');
      disc(ctx, 310, 62, 11, '#3f4c76', '#e8ecf0', 5);
    }
    door(ctx, 1170, 130, 100, 252, '#7d4f38', { open: true, behind: '#5d4574' });
    text(ctx, 'DOWN', 1220, 100, { size: 20, color: '#f0d9a8' });
  },
  landing(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#6b4a5e', floor: '#704b33', pattern: 'planks' });
    door(ctx, 160, 110, 160, 272, '#5a6f8c');
    text(ctx, 'BEDROOM', 240, 82, { size: 20, color: '#f0d9a8' });
    door(ctx, 930, 110, 170, 272, '#4b3a30', { open: s.flags.workshop, behind: '#2b3136' });
    text(ctx, 'WORKSHOP', 1015, 82, { size: 20, color: '#f0d9a8' });
    if (!s.flags.workshop) plate(ctx, s.data.shapes.key_workshop, 1015, 250);
    framed(ctx, 560, 90, 160, 130, '#8a6a3a', (c) => {
      box(c, 0, 0, 160, 130, '#d8c8a4');
      polygon(c, [[20, 120], [50, 50], [80, 90], [110, 40], [146, 120]], '#7d8a66');
    });
    rug(ctx, 640, 440, 520, 90, '#3d5a6b', '#d0b070');
    plant(ctx, 430, 420, 150, '#5a8f5c', '#7a5a8c');
    lamp(ctx, 830, 60, 36, '#c8793a', { chain: 60 });
    polygon(ctx, [[520, 524], [560, 470], [720, 470], [760, 524]], '#2d2030', '#c99b4b', 4);
    text(ctx, 'STAIRS DOWN', 640, 500, { size: 20, color: '#f0d9a8' });
  },
  workshop(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#55606a', floor: '#5a4a3e', pattern: 'bricks' });
    clueOf(ctx, s, 'workshop', CLUE_AT.workshop);
    desk(ctx, 340, 320, 400, 140, '#8a5f3c');
    for (const [name, x, c] of /** @type {[string, number, string][]} */ ([['gear', 390, '#c9a04a'], ['hammer', 470, '#8a5a33'], ['watch', 690, '#cfd4da']])) {
      icon(at(ctx, x, 294), name, c);
      ctx.restore();
    }
    if (!s.flags.took_in_bench) thing(ctx, s, s.data.holds.bench, 580, 290);
    for (let i = 0; i < 5; i++) icon(at(ctx, 400 + i * 70, 120 + (i % 2) * 40), ['gear', 'scissors', 'hook', 'gear', 'crank'][i], ['#a5adb5', '#b0622f', '#9aa2aa', '#c9a04a', '#8f98a3'][i]), ctx.restore();
    cupboard(ctx, 830, 130, 190, 270, '#46545e', { open: s.flags.cabinet });
    if (!s.flags.cabinet) for (let i = 0; i < 3; i++) box(ctx, 890 + i * 26, 250, 22, 32, '#f5efdf', { edge: '#161b1f', line: 2 });
    else if (!s.flags.took_in_cabinet) thing(ctx, s, s.data.holds.cabinet, 925, 330);
    lamp(ctx, 600, 40, 44, '#4c7a5d', { chain: 40 });
    box(ctx, 60, 300, 200, 90, '#7a6a58', { radius: 6, edge: '#3a3128' });
    text(ctx, 'SPARE PARTS', 160, 346, { size: 22, color: '#f3e9d7' });
    door(ctx, 1110, 130, 120, 252, '#4b3a30', { open: true, behind: '#6b4a5e' });
    text(ctx, 'LANDING', 1170, 100, { size: 20, color: '#f0e3c8' });
  },
  attic(/** @type {Ctx} */ ctx, /** @type {any} */ s) {
    room(ctx, { wall: '#6b5138', floor: '#5a412b', pattern: 'planks' });
    polygon(ctx, [[0, 0], [360, 0], [0, 300]], '#3a2b1d');
    polygon(ctx, [[1280, 0], [920, 0], [1280, 300]], '#3a2b1d');
    disc(ctx, 640, 130, 62, '#8b6a47');
    disc(ctx, 640, 130, 52, '#24365c');
    disc(ctx, 662, 116, 12, '#f6efcf');
    chest(ctx, 520, 310, 250, 150, '#4e6a5c', s.flags.trunk);
    if (!s.flags.trunk) plate(ctx, s.data.shapes.key_trunk, 712, 400);
    else if (!s.flags.took_in_trunk) thing(ctx, s, 'key_front', 645, 340);
    icon(at(ctx, 395, 405), 'violin', '#a5562c');
    ctx.restore();
    icon(at(ctx, 950, 410), 'duck', '#e8bb3a');
    ctx.restore();
    shadow(ctx, 240, 450, 120);
    polygon(ctx, [[160, 450], [200, 250], [270, 250], [310, 450]], '#cfc6b4', '#8d8573');
    box(ctx, 1060, 330, 130, 110, '#8a6a48', { edge: '#4a3624' });
    box(ctx, 1060, 376, 130, 12, '#c9b183');
    polygon(ctx, [[60, 524], [110, 476], [330, 476], [280, 524]], '#15101c', '#9c7448', 6);
    text(ctx, 'LADDER DOWN', 196, 502, { size: 20, color: '#f0d9a8' });
    if (!s.flags.lit) {
      ctx.fillStyle = 'rgba(4,4,10,0.93)';
      ctx.fillRect(0, 0, 1280, 470);
      disc(ctx, 640, 130, 52, '#16233f');
      disc(ctx, 662, 116, 12, '#a9a68f');
    } else {
      glow(ctx, 840, 300, 420, '255,205,120', 0.5);
      thing(ctx, s, 'lantern', 840, 300, 1.3);
      flame(ctx, s, 840, 308);
    }
  },
};

/** @param {Ctx} ctx @param {number} x @param {number} y */
function at(ctx, x, y) {
  ctx.save();
  ctx.translate(x, y);
  return ctx;
}

/** The wall behind a lock, with the plate that says where its code is told. @param {string} lock @param {string} wall */
export const lockPicture = (lock, wall) => (/** @type {Ctx} */ ctx, /** @type {any} */ s) => {
  box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, tone(wall, 0.1), tone(wall, -0.4)));
  box(ctx, 300, 8, 680, 100, '#e2bb5a', { radius: 14, edge: '#5b4312', line: 4 });
  const kind = s.data.kinds[lock];
  if (kind === 'clock') {
    disc(ctx, 640, 58, 40, '#f6f0df', '#5b4312', 5);
    for (let i = 0; i < 12; i++) disc(ctx, 640 + Math.sin(i * 0.5236) * 31, 58 - Math.cos(i * 0.5236) * 31, 3, '#222');
  }
  if (kind === 'picture') s.data.order.forEach((/** @type {string} */ what, /** @type {number} */ i) => engraved(ctx, what, 490 + i * 150, 58));
  if (kind === 'bottles') {
    s.data.colors.forEach((/** @type {string} */ c, /** @type {number} */ i) => {
      box(ctx, 484 + i * 150, 20, 12, 20, /** @type {any} */ (INKS)[c]);
      box(ctx, 470 + i * 150, 38, 40, 58, /** @type {any} */ (INKS)[c], { radius: 8, edge: '#2a1a10', line: 2 });
    });
  }
};

/** @param {Ctx} ctx @param {string} what @param {number} x @param {number} y */
function engraved(ctx, what, x, y) {
  const ink = '#4a3410';
  if (what === 'house') {
    box(ctx, x - 24, y - 4, 48, 34, ink);
    polygon(ctx, [[x - 34, y - 2], [x, y - 34], [x + 34, y - 2]], ink);
  }
  if (what === 'boat') {
    polygon(ctx, [[x - 36, y + 12], [x + 36, y + 12], [x + 20, y + 32], [x - 20, y + 32]], ink);
    polygon(ctx, [[x, y + 6], [x, y - 36], [x + 28, y + 6]], ink);
  }
  if (what === 'bird') {
    ctx.strokeStyle = ink;
    ctx.lineWidth = 8;
    ctx.beginPath();
    ctx.arc(x - 18, y, 18, Math.PI, 0);
    ctx.arc(x + 18, y, 18, Math.PI, 0);
    ctx.stroke();
  }
}
