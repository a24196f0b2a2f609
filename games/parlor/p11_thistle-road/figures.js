// @ts-check
/** The Thistle Road, what stands on the ground: people, things, and the creatures. */

import { box, disc, polygon } from '../../kit/draw.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
const INK = '#2a2430';

/** Coat, hair, hat ('' none), and skin of people. @type {Record<string, [string, string, string, string]>} */
const PEOPLE = {
  you: ['#d9692f', '#5a3a22', '#3f7d4c', '#f0c79c'],
  mother: ['#a85b7d', '#6b4226', '', '#f0c79c'],
  warden: ['#3f6a4c', '#d8d4cc', '#2f4f39', '#e5b98c'],
  rival: ['#4a5fb0', '#d9b04a', '', '#f3cfa6'],
  aunt: ['#8463a8', '#b9b4b0', '#6a4d8c', '#f0c79c'],
  child: ['#d9a441', '#7a4a2a', '', '#e9bd92'],
  fisher: ['#5a7d8f', '#3d2f27', '#d9c48a', '#d9a679'],
  pedlar: ['#7d5a3a', '#8a8378', '#5d4029', '#e2b68a'],
  drover: ['#8a4a35', '#2f2723', '#3f3a34', '#c99a6d'],
  host: ['#c75a70', '#4a2f24', '#ffffff', '#f3cfa6'],
  keeper: ['#3f8a86', '#5a3a22', '', '#e5b98c'],
  lad: ['#5f9a3f', '#3d2a1c', '#e2c14d', '#e9bd92'],
  lass: ['#d05f5a', '#8a4a24', '', '#f3cfa6'],
  leader: ['#3a3640', '#a33f36', '#d9b04a', '#c99a6d'],
};

/** A person whose feet are at (x, y). @param {Ctx} ctx @param {string} look @param {number} x @param {number} y @param {string} facing @param {number} stride */
export function person(ctx, look, x, y, facing, stride = 0) {
  const [coat, hair, hat, skin] = PEOPLE[look] ?? PEOPLE.child;
  const side = facing === 'left' ? -1 : facing === 'right' ? 1 : 0;
  ctx.save();
  ctx.translate(x, y);
  ctx.save();
  ctx.scale(1, 0.35);
  disc(ctx, 0, 0, 20, 'rgba(20,20,20,0.28)');
  ctx.restore();
  box(ctx, -11, -16 - Math.max(0, stride), 9, 16, '#4a3a30', { radius: 3 });
  box(ctx, 2, -16 - Math.max(0, -stride), 9, 16, '#4a3a30', { radius: 3 });
  box(ctx, -16, -38, 32, 26, coat, { radius: 9, edge: INK, line: 2.5 });
  disc(ctx, -16, -24 + stride, 5, skin, INK, 2);
  disc(ctx, 16, -24 - stride, 5, skin, INK, 2);
  disc(ctx, 0, -48, 17, skin, INK, 2.5);
  if (facing === 'up') disc(ctx, 0, -49, 15, hair);
  else {
    ctx.beginPath();
    ctx.arc(0, -50, 16, Math.PI, 0);
    ctx.closePath();
    ctx.fillStyle = hair;
    ctx.fill();
    if (side) {
      disc(ctx, side * 8, -46, 2.6, INK);
      box(ctx, side > 0 ? -15 : 4, -52, 11, 14, hair, { radius: 4 });
    } else for (const d of [-6, 6]) disc(ctx, d, -45, 2.6, INK);
  }
  if (hat) {
    box(ctx, -19, -58, 38, 7, hat, { radius: 3, edge: INK, line: 2 });
    box(ctx, -12, -68, 24, 12, hat, { radius: 5, edge: INK, line: 2 });
  }
  if (look === 'leader') polygon(ctx, [[-18, -14], [-24, 0], [24, 0], [18, -14]], '#a33f36', INK, 2);
  ctx.restore();
}

/** A thing or a person on the tile whose corner is (x, y). @param {Ctx} ctx @param {import('./land.js').Thing} t @param {number} x @param {number} y @param {string} facing @param {number} age @param {boolean} empty */
export function thing(ctx, t, x, y, facing, age, empty) {
  ctx.save();
  ctx.translate(x, y);
  if (t.look === 'sign') {
    box(ctx, 32, 36, 8, 32, '#7a5a35', { edge: INK, line: 2 });
    box(ctx, 10, 12, 52, 30, '#d9b880', { radius: 5, edge: INK });
    for (const b of [21, 31]) box(ctx, 18, b, 36, 3, '#7a5a35');
  } else if (t.look === 'pouch') {
    disc(ctx, 36, 46, 16, '#b5813f', INK);
    polygon(ctx, [[26, 36], [30, 22], [42, 22], [46, 36]], '#cf9a55', INK);
    box(ctx, 26, 32, 20, 5, '#7d4a2a');
  } else if (t.look === 'basket') {
    box(ctx, 10, 34, 52, 30, '#b98a4d', { radius: 10, edge: INK });
    for (const a of [18, 32, 46]) box(ctx, a, 36, 6, 26, '#a0733a');
    ctx.strokeStyle = '#8a5f2c';
    ctx.lineWidth = 5;
    ctx.beginPath();
    ctx.arc(36, 36, 22, Math.PI, 0);
    ctx.stroke();
    if (!empty) {
      disc(ctx, 36, 34 + Math.sin(age / 25 + x) * 2, 11, '#f4e7c8', INK, 2);
      for (const d of [-4, 4]) disc(ctx, 36 + d, 32 + Math.sin(age / 25 + x) * 2, 2, INK);
    }
  } else if (t.look === 'shelf') {
    box(ctx, 6, 8, 60, 58, '#7d5634', { radius: 4, edge: INK });
    ['#b5483c', '#3f6f8f', '#d9a441', '#57874c'].forEach((c, i) => box(ctx, 12 + i * 12, 14, 10, 20, c));
    box(ctx, 16, 42, 40, 16, '#f4efe2', { radius: 2, edge: '#b5a98a', line: 2 });
  } else if (t.look === 'hearth') {
    box(ctx, 4, 6, 64, 60, '#8d8f97', { radius: 6, edge: INK });
    box(ctx, 16, 24, 40, 42, '#2a2024', { radius: 14 });
    const lick = Math.sin(age / 9) * 4;
    polygon(ctx, [[22, 64], [28, 42 + lick], [36, 30 - lick], [46, 44], [50, 64]], '#f2802b');
    polygon(ctx, [[30, 64], [36, 44 + lick], [43, 64]], '#ffd95c');
  } else person(ctx, t.look, 36, 66, facing);
  ctx.restore();
}

/** Of creatures: the shape, the colours of body, belly and mark, and what is special. @type {Record<string, [string, string, string, string, string]>} */
const LOOKS = {
  bramblet: ['beast', '#6f8f4a', '#e9dcb4', '#3f6a35', 'thorns'],
  kilnkit: ['beast', '#d9692f', '#f7e0b8', '#8f3323', 'flame'],
  puddlop: ['frog', '#4a9ac9', '#d6eef5', '#2c6a94', 'fin'],
  wrenlet: ['bird', '#a8794a', '#f0dfbd', '#6b4a2c', 'crest'],
  nibbit: ['beast', '#b5a08a', '#f2e9dc', '#7d6a58', 'ears'],
  silkgrub: ['grub', '#b9cf6a', '#e6f0b8', '#7d9a3f', ''],
  dustmoth: ['moth', '#c9b3d9', '#efe4f5', '#8a6aa8', 'spots'],
  pebblar: ['rock', '#9a9aa3', '#c3c3cb', '#6a6a75', ''],
  slabback: ['shell', '#8a7d6a', '#d9cfb8', '#5d5548', ''],
  fernip: ['lizard', '#5fae6a', '#e2f0c0', '#2f7a48', 'fern'],
  wickling: ['bird', '#e0a23a', '#fff0c4', '#b5483c', 'flame'],
  eelkin: ['eel', '#3f7fae', '#bfe3f2', '#264f75', 'fin'],
  skreel: ['bird', '#e6e8ec', '#ffffff', '#59657a', 'beak'],
  mudpup: ['beast', '#8a6a4a', '#c9ad85', '#5d4429', 'mud'],
  reedfly: ['moth', '#8fc7b5', '#dff2ea', '#3f8a75', 'thin'],
  mirehopper: ['frog', '#7d8f3f', '#d9dba0', '#4d5a24', 'weed'],
  sandflit: ['beast', '#d9c08a', '#f7ecd0', '#a3854a', 'ears'],
  kettlecrab: ['crab', '#c2553f', '#f0b08a', '#7d2f24', ''],
  smeltoad: ['frog', '#8f3a30', '#f2a24a', '#4d1f1c', 'embers'],
};

/** A creature whose feet are at (x, y); it looks to the right, to the left if `turned`. @param {Ctx} ctx @param {string} kind @param {number} x @param {number} y
 * @param {number} size  1: about 120 pixels @param {boolean} turned @param {number} age */
export function creature(ctx, kind, x, y, size, turned, age) {
  const [shape, body, belly, mark, special] = LOOKS[kind];
  ctx.save();
  ctx.translate(x, y);
  ctx.save();
  ctx.scale(size, size * 0.25);
  disc(ctx, 0, 0, 56, 'rgba(20,20,20,0.25)');
  ctx.restore();
  ctx.scale(turned ? -size : size, size);
  ctx.translate(0, Math.sin(age / 22) * 1.5);
  SHAPES[shape](ctx, body, belly, mark, special, age);
  ctx.restore();
}

/** @param {Ctx} ctx @param {number} x @param {number} y */
function eye(ctx, x, y, r = 8) {
  disc(ctx, x, y, r, '#ffffff', INK, 2.5);
  disc(ctx, x + r / 3, y, r / 2, INK);
  disc(ctx, x + r / 2, y - r / 4, r / 6, '#ffffff');
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} age @param {number} [h] */
function flame(ctx, x, y, age, h = 36) {
  const lick = Math.sin(age / 8) * 4;
  polygon(ctx, [[x - 13, y], [x - 10, y - h * 0.5], [x - 3 + lick, y - h], [x + 5, y - h * 0.55], [x + 13, y - h * 0.6], [x + 12, y]], '#f2802b', '#a3401f');
  polygon(ctx, [[x - 6, y], [x + lick / 2, y - h * 0.55], [x + 6, y]], '#ffd95c');
}

/** @type {Record<string, (ctx: Ctx, body: string, belly: string, mark: string, special: string, age: number) => void>} */
const SHAPES = {
  beast(ctx, body, belly, mark, special, age) {
    for (const d of [-34, -14, 12, 30]) box(ctx, d - 7, -26, 14, 26, mark, { radius: 6, edge: INK });
    if (special === 'flame') flame(ctx, -54, -46, age, 44);
    else disc(ctx, -50, -44, 12, special === 'ears' ? belly : mark, INK);
    ctx.save();
    ctx.scale(1.35, 1);
    disc(ctx, -4, -44, 32, body, INK);
    disc(ctx, 2, -34, 20, belly);
    ctx.restore();
    if (special === 'thorns') for (let i = 0; i < 7; i++) polygon(ctx, [[-44 + i * 11, -62 - i * 1.5], [-42 + i * 9, -92 - (i % 2) * 10], [-32 + i * 11, -64 - i]], i % 2 ? mark : '#8fb05a', INK, 2.5);
    if (special === 'mud') for (const [a, b, r] of [[-30, -58, 8], [-8, -66, 6], [-20, -40, 7]]) disc(ctx, a, b, r, mark);
    const long = special === 'ears';
    for (const d of [20, 46]) polygon(ctx, [[d - 8, -84], [d + (long ? -8 : d > 30 ? 10 : -6), long ? -138 : -116], [d + 10, -86]], body, INK);
    disc(ctx, 34, -72, 26, body, INK);
    disc(ctx, 46, -64, 13, belly);
    disc(ctx, 56, -68, 5, INK);
    eye(ctx, 36, -78);
  },
  frog(ctx, body, belly, mark, special, age) {
    for (const d of [-1, 1]) {
      ctx.save();
      ctx.translate(d * 38, -14);
      ctx.scale(1.2, 0.8);
      disc(ctx, 0, 0, 22, mark, INK);
      ctx.restore();
    }
    disc(ctx, 0, -44, 42, body, INK);
    disc(ctx, 6, -34, 28, belly);
    for (const d of [-16, 22]) {
      disc(ctx, d, -86, 15, body, INK);
      eye(ctx, d + 2, -87, 9);
    }
    ctx.strokeStyle = INK;
    ctx.lineWidth = 4;
    ctx.beginPath();
    ctx.arc(8, -62, 20, 0.15 * Math.PI, 0.85 * Math.PI);
    ctx.stroke();
    if (special === 'fin') polygon(ctx, [[-42, -60], [-66, -84], [-40, -34]], mark, INK);
    if (special === 'weed') for (const d of [-30, -18, -6]) polygon(ctx, [[d, -78], [d - 8, -112], [d + 8, -80]], '#9ab34a', INK, 2.5);
    if (special === 'embers') for (const d of [-30, -4]) flame(ctx, d, -78, age + d, 30);
  },
  bird(ctx, body, belly, mark, special, age) {
    for (const d of [-8, 12]) box(ctx, d, -16, 6, 16, '#d9a441', { edge: INK, line: 2 });
    polygon(ctx, [[-30, -40], [-72, -30], [-66, -50], [-34, -60]], mark, INK);
    disc(ctx, -2, -46, 34, body, INK);
    disc(ctx, 8, -38, 22, belly);
    const flap = Math.sin(age / 14) * 5;
    polygon(ctx, [[-8, -58], [-48, -40 + flap], [-34, -22 + flap], [2, -36]], mark, INK);
    disc(ctx, 20, -82, 24, body, INK);
    polygon(ctx, [[40, -88], [special === 'beak' ? 76 : 62, -80], [40, -72]], '#e8a23a', INK);
    eye(ctx, 24, -86);
    if (special === 'crest') for (const d of [-4, 6, 16]) polygon(ctx, [[d + 2, -100], [d - 8, -124], [d + 12, -102]], mark, INK, 2.5);
    if (special === 'flame') flame(ctx, 18, -102, age, 40);
  },
  grub(ctx, body, belly, mark) {
    for (const [i, r] of [[0, 18], [1, 22], [2, 25], [3, 30]]) {
      const a = -56 + i * 34;
      for (const d of [-6, 6]) box(ctx, a + d - 3, -12, 6, 12, mark, { radius: 3 });
      disc(ctx, a, -12 - r, r, i % 2 ? body : belly, INK);
    }
    for (const d of [38, 54]) {
      ctx.strokeStyle = INK;
      ctx.lineWidth = 4;
      ctx.beginPath();
      ctx.moveTo(d, -66);
      ctx.lineTo(d + (d > 40 ? 12 : -6), -90);
      ctx.stroke();
      disc(ctx, d + (d > 40 ? 12 : -6), -92, 6, mark, INK, 2);
    }
    eye(ctx, 54, -48, 9);
  },
  moth(ctx, body, belly, mark, special, age) {
    const beat = Math.sin(age / 7) * 8;
    const w = special === 'thin' ? 0.6 : 1;
    for (const d of [-1, 1]) {
      polygon(ctx, [[0, -70], [d * 66, -112 * (0.9 + 0.1 * w) + beat * d], [d * 74, -74 + beat * d], [d * 20, -48]], body, INK);
      polygon(ctx, [[0, -56], [d * 54 * w, -34 + beat * d], [d * 30 * w, -14], [0, -36]], belly, INK);
      if (special === 'spots') disc(ctx, d * 50, -86 + beat * d, 9, mark);
    }
    box(ctx, -11, -80, 22, 62, mark, { radius: 11, edge: INK });
    for (const b of [-52, -40, -28]) box(ctx, -10, b, 20, 4, belly);
    disc(ctx, 0, -86, 16, mark, INK);
    eye(ctx, 5, -88, 7);
    for (const d of [-6, 8]) polygon(ctx, [[d, -98], [d * 3, -122], [d + 4, -100]], INK);
  },
  rock(ctx, body, belly, mark) {
    for (const d of [-1, 1]) polygon(ctx, [[d * 40, -52], [d * 74, -34], [d * 70, -12], [d * 46, -22]], mark, INK);
    polygon(ctx, [[-46, -2], [-52, -44], [-26, -86], [16, -94], [48, -66], [50, -20], [36, -2]], body, INK, 4);
    polygon(ctx, [[-26, -84], [14, -92], [2, -60], [-34, -54]], belly);
    polygon(ctx, [[20, -20], [48, -30], [44, -6], [26, -4]], mark);
    eye(ctx, 4, -50, 9);
    eye(ctx, 32, -52, 9);
    box(ctx, 6, -30, 26, 5, INK, { radius: 2 });
  },
  shell(ctx, body, belly, mark) {
    for (const d of [-40, 24]) box(ctx, d, -26, 24, 26, belly, { radius: 8, edge: INK });
    polygon(ctx, [[-66, -22], [-58, -62], [-30, -92], [10, -96], [40, -70], [48, -22]], body, INK, 4);
    for (const [a, b, c] of [[-44, -60, 14], [-12, -72, 16], [20, -58, 13]]) polygon(ctx, [[a - c, b], [a - c / 2, b - c], [a + c / 2, b - c], [a + c, b], [a, b + c]], mark, INK, 2.5);
    disc(ctx, 60, -46, 24, belly, INK);
    eye(ctx, 64, -52, 8);
    box(ctx, 60, -34, 20, 4, INK, { radius: 2 });
  },
  lizard(ctx, body, belly, mark, special) {
    polygon(ctx, [[-30, -40], [-84, -54], [-92, -74], [-70, -40], [-30, -18]], body, INK);
    for (const d of [-22, 16]) box(ctx, d, -24, 14, 24, mark, { radius: 6, edge: INK });
    ctx.save();
    ctx.scale(1.3, 1);
    disc(ctx, -2, -38, 28, body, INK);
    disc(ctx, 2, -30, 18, belly);
    ctx.restore();
    disc(ctx, 36, -68, 24, body, INK);
    eye(ctx, 40, -74);
    box(ctx, 44, -58, 16, 4, INK, { radius: 2 });
    if (special === 'fern') for (const [i, h] of [[0, 34], [1, 46], [2, 34]]) polygon(ctx, [[8 + i * 10, -84], [-16 + i * 16, -88 - h], [22 + i * 10, -88]], i === 1 ? '#83c96a' : mark, INK, 2.5);
  },
  eel(ctx, body, belly, mark, special, age) {
    ctx.lineJoin = 'round';
    for (const [width, color] of /** @type {[number, string][]} */ ([[44, INK], [36, body]])) {
      ctx.strokeStyle = color;
      ctx.lineWidth = width;
      ctx.lineCap = 'round';
      ctx.beginPath();
      ctx.moveTo(-62, -24);
      ctx.bezierCurveTo(-30, -4 + Math.sin(age / 18) * 4, -4, -20, 8, -44);
      ctx.lineTo(26, -80);
      ctx.stroke();
    }
    polygon(ctx, [[-60, -34], [-96, -50], [-84, -22], [-96, 2], [-58, -14]], mark, INK);
    if (special === 'fin') polygon(ctx, [[-2, -48], [-34, -84], [2, -104], [16, -90]], mark, INK);
    disc(ctx, 30, -84, 27, body, INK);
    disc(ctx, 40, -74, 14, belly);
    eye(ctx, 34, -90, 9);
    box(ctx, 42, -72, 16, 4, INK, { radius: 2 });
  },
  crab(ctx, body, belly, mark, special, age) {
    for (const d of [-1, 1]) {
      for (const n of [0, 1, 2]) polygon(ctx, [[d * (24 + n * 10), -24], [d * (44 + n * 14), -30 + n * 6], [d * (48 + n * 12), 0], [d * (40 + n * 12), -18]], mark, INK, 2.5);
      const snap = Math.sin(age / 16) * 4;
      polygon(ctx, [[d * 44, -56], [d * 60, -86], [d * 88, -92 - snap], [d * 72, -76], [d * 88, -68], [d * 62, -56]], body, INK);
    }
    ctx.save();
    ctx.scale(1.35, 1);
    disc(ctx, 0, -42, 34, body, INK);
    disc(ctx, 0, -34, 22, belly);
    ctx.restore();
    box(ctx, -22, -84, 44, 12, mark, { radius: 5, edge: INK });
    disc(ctx, 0, -90, 7, mark, INK);
    for (const d of [-14, 18]) eye(ctx, d, -56, 9);
    ctx.strokeStyle = 'rgba(255,255,255,0.75)';
    ctx.lineWidth = 5;
    ctx.beginPath();
    ctx.arc(-14 + Math.sin(age / 20) * 3, -112, 9, 0.5 * Math.PI, 1.6 * Math.PI);
    ctx.stroke();
  },
};
