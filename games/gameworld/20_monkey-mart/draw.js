// @ts-check
/** The Bear's Corner Shop, the picture: garden on the left, shop floor on the right, everyone sorted by depth. */

import { box, COLORS, disc, hud, polygon, text } from '../../kit/draw.js';
import { bear, customer, fruit, squirrel } from './figures.js';
import { offered, open } from './rules.js';
import { BASKET, HEARTS, PRICE, shopOf } from './shop.js';

/** @typedef {import('./shop.js').Shop} Shop */

const GARDEN = 215;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const shop = shopOf(s.plan);
  ground(ctx);
  shop.plants.forEach((p, i) => {
    mat(ctx, p.mat, '#f4e7b0', open(s, p.good), 'pick');
    plant(ctx, p, s.plants[i], open(s, p.good));
  });
  shop.shelves.forEach((p, i) => {
    // A price sign of the next shelf covers the mat from its middle on, and the cashier its right end.
    mat(ctx, p.mat, '#cfe8ff', open(s, p.good), 'stock', 0, -18);
    shelf(ctx, p, s.shelves[i], open(s, p.good));
  });
  mat(ctx, shop.till.mat, '#d9f5d0', true, 'serve', -18);
  till(ctx, s, shop.till);
  tray(ctx, s, shop.tray);
  for (const o of shop.offers) if (offered(s, o.id)) offer(ctx, s, o);

  const figures = s.customers.map((c) => ({ y: c.y, paint: () => customer(ctx, c) }));
  figures.push({ y: s.bear.y, paint: () => bear(ctx, s.bear, s.frame) });
  for (const h of s.helpers) figures.push({ y: h.y, paint: () => squirrel(ctx, h, s.frame) });
  for (const f of figures.sort((a, b) => a.y - b.y)) f.paint();
  for (const f of s.floats) {
    text(ctx, `+${f.amount}`, f.x, f.y - f.age * 0.8, { size: 30, color: '#ffe45c', outline: COLORS.ink });
  }
  top(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx */
function ground(ctx) {
  box(ctx, 0, 0, GARDEN, 720, '#7fbf5a');
  ctx.fillStyle = '#74b351';
  for (let y = 90; y < 720; y += 60) for (let x = (y / 60) % 2 ? 30 : 90; x < GARDEN; x += 90) ctx.fillRect(x, y, 14, 5);
  for (let x = GARDEN, i = 0; x < 1280; x += 71, i++) {
    for (let y = 72, j = 0; y < 720; y += 72, j++) box(ctx, x, y, 71, 72, (i + j) % 2 ? '#f3e6cf' : '#ead9bb');
  }
  box(ctx, GARDEN - 6, 66, 10, 654, '#9c7a4d');
  box(ctx, 0, 0, 1280, 78, '#5b4632');
  box(ctx, 0, 72, 1280, 8, '#3f2f20');
  // A runner from the door, a pot in the corner.
  box(ctx, 1090, 410, 172, 100, '#b8493f', { radius: 10, edge: '#7d2c25', line: 4 });
  box(ctx, 1104, 424, 158, 72, '#cf6257', { radius: 8 });
  text(ctx, 'WELCOME', 1176, 461, { size: 26, color: '#ffe9d6' });
  pot(ctx, 1215, 660);
  // The door on the right.
  box(ctx, 1256, 380, 24, 160, '#3f2f20');
  box(ctx, 1262, 388, 18, 144, '#9ed8f0');
  box(ctx, 1262, 80, 18, 300, '#8a6f50');
  box(ctx, 1262, 540, 18, 180, '#8a6f50');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function pot(ctx, x, y) {
  for (const [dx, dy] of [[-14, -22], [14, -22], [0, -34], [-8, -10], [9, -10]]) {
    disc(ctx, x + dx, y + dy, 15, '#4aa35a', '#2a6b38', 2);
  }
  polygon(ctx, [[x - 20, y], [x + 20, y], [x + 13, y + 30], [x - 13, y + 30]], '#c9703a', COLORS.ink);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./shop.js').Point} at @param {string} color @param {boolean} live @param {string} [label] */
function mat(ctx, at, color, live, label = '', dx = 0, dy = 0) {
  if (!live) return;
  ctx.beginPath();
  ctx.ellipse(at.x, at.y + 12, 62, 40, 0, 0, 7);
  ctx.fillStyle = color;
  ctx.globalAlpha = 0.85;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.setLineDash([12, 8]);
  ctx.lineWidth = 4;
  ctx.strokeStyle = '#6b5434';
  ctx.stroke();
  ctx.setLineDash([]);
  text(ctx, label, at.x + dx, at.y + 14 + dy, { size: 20, color: '#6b5434' });
}

/** @param {CanvasRenderingContext2D} ctx @param {Shop['plants'][number]} p @param {{fruit: number}} now
 * @param {boolean} live */
function plant(ctx, p, now, live) {
  const { x, y } = { x: 42, y: p.mat.y };
  if (!live) {
    box(ctx, 14, y - 30, 120, 70, '#8b6b43', { radius: 12 });
    for (let k = 0; k < 3; k++) box(ctx, 24, y - 20 + k * 20, 100, 6, '#735635', { radius: 3 });
    return;
  }
  if (p.good === 'banana') {
    box(ctx, x - 7, y - 20, 14, 62, '#8a5a3b', { radius: 5, edge: COLORS.ink, line: 2 });
    for (const [dx, dy] of [[-36, -14], [36, -14], [-26, -44], [26, -44], [0, -56]]) {
      ctx.beginPath();
      ctx.ellipse(x + dx * 0.6, y - 26 + dy * 0.45, 26, 11, Math.atan2(dy, dx), 0, 7);
      ctx.fillStyle = '#2f8f46';
      ctx.fill();
      ctx.strokeStyle = '#1b5c2b';
      ctx.lineWidth = 2;
      ctx.stroke();
    }
    for (let i = 0; i < now.fruit; i++) fruit(ctx, 'banana', x - 21 + i * 14, y + 2 + (i % 2) * 8, 1);
  } else {
    box(ctx, x - 36, y + 24, 78, 16, '#6b4a2a', { radius: 8 });
    for (let k = 0; k < 3; k++) {
      const cx = x - 22 + k * 24;
      box(ctx, cx - 4, y - 50, 8, 84, '#3f9a4a', { radius: 4, edge: '#1b5c2b', line: 2 });
      for (const side of [-1, 1]) {
        polygon(ctx, [[cx, y + 24], [cx + side * 18, y - 14], [cx + side * 5, y + 2]], '#57b45d', '#1b5c2b', 2);
      }
      polygon(ctx, [[cx - 6, y - 48], [cx, y - 68], [cx + 6, y - 48]], '#e6cf7a', '#8a6a1a', 2);
    }
    for (let i = 0; i < now.fruit; i++) fruit(ctx, 'corn', x - 22 + (i % 3) * 24, y - 26 + Math.floor(i / 3) * 28, 1.1);
  }
  box(ctx, x - 20, y + 40, 40, 24, COLORS.ink, { radius: 8 });
  text(ctx, now.fruit, x, y + 53, { size: 20, color: '#ffffff' });
}

/** @param {CanvasRenderingContext2D} ctx @param {Shop['shelves'][number]} p @param {{stock: number}} now
 * @param {boolean} live */
function shelf(ctx, p, now, live) {
  const { x, y, w, h } = p.box;
  box(ctx, x, y, w, h, live ? '#a9743f' : '#b9ab93', { radius: 8, edge: COLORS.ink });
  box(ctx, x + 6, y + 6, w - 12, h - 24, live ? '#d9a566' : '#c9bda8', { radius: 5 });
  if (!live) {
    text(ctx, 'closed', x + w / 2, y + h / 2, { size: 20, color: '#6d6353' });
    return;
  }
  for (let i = 0; i < now.stock; i++) fruit(ctx, p.good, x + 16 + i * 12, y + 18, 1);
  text(ctx, `${now.stock} / ${p.most}`, x + w / 2, y + h - 8, { size: 18, color: '#ffffff', outline: COLORS.ink });
  box(ctx, x + 24, y - 36, 92, 32, '#fff8e2', { radius: 8, edge: COLORS.ink, line: 2 });
  fruit(ctx, p.good, x + 44, y - 20, 0.9);
  disc(ctx, x + 72, y - 20, 9, '#ffd23c', '#8a6400', 2);
  text(ctx, PRICE[p.good], x + 96, y - 19, { size: 20 });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {Shop['till']} till */
function till(ctx, s, { box: { x, y, w, h } }) {
  if (s.bought.cashier) cashier(ctx, x + w - 22, y - 12, s.frame);
  box(ctx, x, y, w, h, '#7a4f9a', { radius: 8, edge: COLORS.ink });
  box(ctx, x + 10, y - 22, 54, 34, '#3d4658', { radius: 6, edge: COLORS.ink });
  box(ctx, x + 16, y - 17, 42, 14, '#9ff0b0', { radius: 3 });
  text(ctx, 'TILL', x + w / 2 + 14, y + h / 2 + 4, { size: 20, color: '#ffffff' });
}

/** Coins that have been paid and wait to be picked up. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s
 * @param {Shop['tray']} at */
function tray(ctx, s, at) {
  mat(ctx, at, '#ffe9a8', true, s.pile ? '' : 'coins');
  const coins = Math.min(14, Math.ceil(s.pile / 2));
  for (let i = 0; i < coins; i++) {
    const x = at.x - 34 + (i % 5) * 17;
    const y = at.y + 22 - Math.floor(i / 5) * 13;
    disc(ctx, x, y, 11, '#ffd23c', '#8a6400', 2.5);
    disc(ctx, x, y, 5, '#ffe98f');
  }
  if (s.pile) text(ctx, s.pile, at.x, at.y - 34, { size: 30, color: '#ffe45c', outline: COLORS.ink });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} frame */
function cashier(ctx, x, y, frame) {
  const bob = Math.sin(frame / 12) * 1.5;
  box(ctx, x - 14, y - 14 + bob, 28, 34, '#e05a8a', { radius: 10, edge: COLORS.ink, line: 2 });
  disc(ctx, x, y - 24 + bob, 16, '#f1f1f4', COLORS.ink, 2);
  for (const k of [-1, 1]) {
    box(ctx, x + k * 8 - 4, y - 58 + bob, 8, 26, '#f1f1f4', { radius: 4, edge: COLORS.ink, line: 2 });
    disc(ctx, x + k * 6, y - 26 + bob, 2.5, COLORS.ink);
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {Shop['offers'][number]} o */
function offer(ctx, s, o) {
  const can = s.money >= o.cost;
  box(ctx, o.mat.x - 56, o.mat.y - 40, 112, 84, can ? '#8fe39a' : 'rgba(255,255,255,0.75)', {
    radius: 14, edge: can ? '#1f7a3a' : '#8f8470', line: 4,
  });
  text(ctx, o.label, o.mat.x, o.mat.y - 18, { size: o.label.length > 8 ? 18 : 20 });
  disc(ctx, o.mat.x - 20, o.mat.y + 18, 13, '#ffd23c', '#8a6400', 2.5);
  text(ctx, o.cost, o.mat.x + 14, o.mat.y + 19, { size: 24 });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function top(ctx, s) {
  hud(ctx, [['Coins earned', s.earned], ['Purse', s.money], ['Basket', `${s.bear.basket.length}/${BASKET}`]]);
  for (let i = 0; i < HEARTS; i++) heart(ctx, 1060 + i * 42, 36, i < s.hearts ? COLORS.red : '#33271b');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} color */
function heart(ctx, x, y, color) {
  disc(ctx, x - 8, y - 5, 9, color);
  disc(ctx, x + 8, y - 5, 9, color);
  polygon(ctx, [[x - 16, y - 1], [x + 16, y - 1], [x, y + 17]], color);
}
