// @ts-check
/** Thirteen Days, the picture: house and field on the left, the day and the shop on the right, what to do below. */

import { bar, box, disc, polygon, sky, text } from '../../kit/draw.js';
import { BUTTONS } from './play.js';
import { COLUMNS, CROPS, FARMS, LAST_DAY, NAMES, PACE, QUALITIES } from './rules.js';

const CELL = 78;
const LEFT = 36;
const TOP = 216;
/** Colours of the plants: leaves, fruit. @type {Record<string, [string, string]>} */
const LOOKS = { parsnip: ['#3f9b3f', '#f0e2b6'], bean: ['#2f8550', '#9be05a'], cauliflower: ['#5aa15a', '#ffffff'], potato: ['#4a8f3a', '#c98f4e'] };

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, ...(s.rain ? ['#8fa3b5', '#b7c6cf'] : ['#8fd0f2', '#d9f1fb']));
  if (!s.rain) disc(ctx, 636, 62, 36, '#ffe27a', '#f6c945', 5);
  polygon(ctx, [[0, 190], [150, 120], [330, 160], [520, 110], [700, 170], [700, 720], [0, 720]], '#7fb46a');
  box(ctx, 0, 182, 700, 538, '#8cc26f');
  house(ctx, s.place === 'house');
  s.field.forEach((tile, i) => soil(ctx, tile, LEFT + (i % COLUMNS) * CELL, TOP + Math.floor(i / COLUMNS) * CELL));
  if (s.place === 'farm') farmer(ctx, s);
  if (s.rain) rain(ctx, s.age);
  if (s.job?.task === 'sleep') {
    ctx.fillStyle = `rgba(12,16,40,${0.85 * Math.min(1, s.job.age / 20)})`;
    ctx.fillRect(0, 0, 700, 634);
    text(ctx, 'z z z', 350, 320, { size: 48, color: '#ffffff' });
  }
  side(ctx, s);
  below(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx @param {boolean} home */
function house(ctx, home) {
  box(ctx, 60, 96, 190, 100, '#d9a066', { edge: '#7a4e2a', radius: 4 });
  polygon(ctx, [[42, 100], [155, 26], [268, 100]], '#b5483a', '#7a2d24', 4);
  box(ctx, 78, 122, 44, 40, home ? '#ffe9a3' : '#5c7a94', { edge: '#7a4e2a', radius: 4 });
  box(ctx, 170, 124, 50, 72, '#8a5a34', { edge: '#5c3a1f', radius: 4 });
  disc(ctx, 210, 162, 4, '#f5c518');
  if (home) person(ctx, 100, 158, 0.62);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Tile} tile @param {number} x @param {number} y */
function soil(ctx, tile, x, y) {
  const ground = tile.tilled ? (tile.wet ? '#5e4027' : '#9a6b3f') : '#7db35f';
  box(ctx, x + 2, y + 2, CELL - 4, CELL - 4, ground, { radius: 10, edge: tile.tilled ? '#4b3220' : '#6ba04f', line: 2 });
  if (tile.stone) {
    polygon(ctx, [[x + 12, y + 60], [x + 18, y + 30], [x + 38, y + 16], [x + 60, y + 28], [x + 66, y + 58]], '#a4a7ac', '#6a6d73', 3);
    polygon(ctx, [[x + 26, y + 34], [x + 38, y + 24], [x + 50, y + 32], [x + 36, y + 42]], '#c3c6ca');
    return;
  }
  if (!tile.tilled) {
    for (const [dx, dy] of [[18, 26], [50, 20], [34, 54], [58, 58]]) polygon(ctx, [[x + dx - 4, y + dy], [x + dx, y + dy - 9], [x + dx + 4, y + dy]], '#5c9345');
    return;
  }
  for (const dy of [22, 40, 58]) box(ctx, x + 10, y + dy, CELL - 20, 3, tile.wet ? '#4a311d' : '#82572f');
  if (tile.plant) plant(ctx, tile.plant, x + CELL / 2, y + CELL - 14);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Plant} p @param {number} x @param {number} y */
function plant(ctx, p, x, y) {
  const { days } = CROPS[p.kind];
  const [leaf, fruit] = LOOKS[p.kind];
  const size = 12 + 18 * (1 - Math.min(1, p.left / days));
  for (const d of [-1, 0, 1]) polygon(ctx, [[x - 3, y], [x + d * size * 0.8, y - size * 1.5], [x + 3, y]], leaf, '#275f2b', 1.5);
  if (p.left) {
    disc(ctx, x + 24, y - 40, 13, '#ffffff', '#3a2a1a', 2);
    text(ctx, p.left, x + 24, y - 39, { size: 18, color: '#3a2a1a' });
    return;
  }
  icon(ctx, p.kind, x, y - 12, 1);
  ctx.fillStyle = fruit;
  text(ctx, '!', x + 25, y - 40, { size: 28, color: '#ffef5a', outline: '#7a4e00' });
}

/** @param {CanvasRenderingContext2D} ctx @param {string} kind @param {number} x @param {number} y @param {number} size */
function icon(ctx, kind, x, y, size) {
  const [leaf, fruit] = LOOKS[kind];
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  if (kind === 'parsnip') {
    polygon(ctx, [[-10, -8], [10, -8], [0, 20]], fruit, '#a38a4a', 2);
    for (const d of [-8, 0, 8]) polygon(ctx, [[-3, -8], [d, -24], [3, -8]], leaf);
  } else if (kind === 'bean') {
    for (const d of [-8, 0, 8]) {
      box(ctx, d - 4, -16 + Math.abs(d) / 2, 8, 30, fruit, { radius: 4, edge: '#4d8a22', line: 2 });
    }
  } else if (kind === 'cauliflower') {
    for (const d of [-16, 16]) polygon(ctx, [[0, 16], [d, -8], [d * 0.4, 14]], leaf);
    for (const [dx, dy] of [[-8, 0], [8, 0], [0, -8], [0, 4]]) disc(ctx, dx, dy, 9, fruit, '#b9b9a6', 1.5);
  } else {
    disc(ctx, -6, 4, 11, fruit, '#7d5426', 2);
    disc(ctx, 8, -2, 11, fruit, '#7d5426', 2);
  }
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function farmer(ctx, s) {
  const x = LEFT + (s.at % COLUMNS) * CELL + 30;
  const y = TOP + Math.floor(s.at / COLUMNS) * CELL + 50;
  person(ctx, x, y, 1);
  const { job } = s;
  if (job?.task === 'water') {
    polygon(ctx, [[x + 14, y - 10], [x + 32, y - 10], [x + 30, y + 8], [x + 16, y + 8]], '#5a9bd4', '#2c5d8a', 2);
    for (let i = 0; i < 4; i++) disc(ctx, x + 38 + i * 4, y + 4 + ((job.age * 4 + i * 7) % 24), 2.5, '#4aa3f0');
  } else if (job?.task === 'till') {
    ctx.save();
    ctx.translate(x + 12, y - 4);
    ctx.rotate(-1 + (1.6 * job.age) / PACE.till);
    box(ctx, 0, -2, 34, 5, '#8a5a34');
    box(ctx, 30, -2, 6, 16, '#9aa3ad');
    ctx.restore();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size */
function person(ctx, x, y, size) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  box(ctx, -12, -10, 24, 28, '#3763c4', { radius: 7, edge: '#20376e', line: 2 });
  disc(ctx, 0, -22, 12, '#f2c79b', '#8a5a34', 2);
  box(ctx, -17, -33, 34, 6, '#d9a441', { radius: 3 });
  box(ctx, -10, -43, 20, 12, '#d9a441', { radius: 5 });
  disc(ctx, 4, -22, 2, '#222222');
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} age */
function rain(ctx, age) {
  ctx.strokeStyle = 'rgba(70,110,160,0.55)';
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let i = 0; i < 60; i++) {
    const x = (i * 97) % 700;
    const y = (i * 61 + age * 11) % 640;
    ctx.moveTo(x, y);
    ctx.lineTo(x - 5, y + 16);
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function side(ctx, s) {
  box(ctx, 700, 0, 580, 634, '#f4e6c6');
  box(ctx, 700, 0, 6, 634, '#a97c45');
  text(ctx, `Day ${Math.min(s.day, LAST_DAY)} of ${LAST_DAY}`, 728, 44, { size: 32, align: 'left', color: '#4b3220' });
  text(ctx, s.rain ? 'Rain' : 'Sun', 984, 46, { size: 26, align: 'left', color: s.rain ? '#3f6f9f' : '#c98a12' });
  disc(ctx, 1070, 44, 15, '#f5c518', '#a37a00');
  text(ctx, `${s.gold} gold`, 1094, 46, { size: 30, align: 'left', color: '#4b3220' });
  const most = FARMS[s.farm].energy;
  text(ctx, 'Energy', 728, 100, { size: 24, align: 'left', color: '#4b3220' });
  bar(ctx, 840, 84, 286, 32, Math.max(0, s.energy) / most, s.energy > 12 ? '#3aa655' : '#e5484d');
  text(ctx, `${s.energy} / ${most}`, 1144, 101, { size: 24, align: 'left', color: '#4b3220' });
  text(ctx, 'Shop', 728, 160, { size: 28, align: 'left', color: '#8a4b1a' });
  const heads = /** @type {[string, number][]} */ ([['cost', 962], ['days', 1020], ['sells', 1080]]);
  for (const [head, x] of heads) text(ctx, head, x, 206, { size: 19, color: '#7a5a34', bold: false });
  NAMES.forEach((name, i) => {
    const y = 259 + i * 62;
    const { buy, sell, days } = CROPS[name];
    icon(ctx, name, 744, y, 0.9);
    text(ctx, `${i + 1}  ${name}`, 768, y, { size: 22, align: 'left', color: '#4b3220' });
    [buy, days, sell].forEach((n, j) => text(ctx, n, heads[j][1], y, { size: 22, color: '#4b3220' }));
  });
  for (const b of BUTTONS.filter((one) => one.task === 'buy')) button(ctx, b, s.gold >= CROPS[/** @type {'bean'} */ (b.item)].buy);
  text(ctx, 'Bag', 728, 500, { size: 28, align: 'left', color: '#8a4b1a' });
  NAMES.forEach((name, i) => {
    const y = 534 + (i >> 1) * 44;
    const x = 728 + (i & 1) * 272;
    icon(ctx, name, x + 14, y + 2, 0.7);
    const crops = s.store[name];
    const better = [1, 2].filter((q) => crops[q]).map((q) => `${crops[q]} ${QUALITIES[q].name}`);
    const all = crops.reduce((a, b) => a + b, 0);
    text(ctx, `${s.seeds[name]} seeds, ${all} crops`, x + 36, y, { size: 20, align: 'left', color: '#4b3220', bold: false });
    if (better.length) text(ctx, `of these ${better.join(', ')}`, x + 36, y + 20, { size: 18, align: 'left', color: '#a3601a', bold: false });
  });
  text(ctx, 'fine crops sell for a quarter more, superb ones for half more', 728, 619, { size: 18, align: 'left', color: '#7a5a34', bold: false });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function below(ctx, s) {
  box(ctx, 0, 634, 1280, 86, '#4b3220');
  for (const b of BUTTONS.filter((one) => one.task !== 'buy')) button(ctx, b, (s.place === 'farm') !== (b.task === 'leave') || b.task === 'sell' || b.task === 'sleep');
  box(ctx, 290, 140, 400, 46, 'rgba(255,255,255,0.88)', { radius: 12, edge: s.ok ? '#6b8e4e' : '#c0392b', line: 3 });
  ctx.save();
  ctx.translate(490, 164);
  ctx.font = 'bold 19px sans-serif';
  ctx.scale(Math.min(1, 380 / ctx.measureText(s.said).width), 1);
  text(ctx, s.said, 0, 0, { size: 19, color: '#33281a' });
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./play.js').Button} b @param {boolean} open */
function button(ctx, b, open) {
  box(ctx, b.x, b.y, b.w, b.h, open ? '#f0b94d' : '#b9a98a', { radius: 12, edge: '#7a4e1a' });
  const label = b.key && b.task !== 'buy' ? `${b.key.toUpperCase()}  ${b.label}` : b.label;
  text(ctx, label, b.x + b.w / 2, b.y + b.h / 2 + 1, { size: 22, color: open ? '#3a2410' : '#6b6150' });
}
