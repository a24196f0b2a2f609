// @ts-check
/** Garden Worm, the picture: a mown lawn behind a wooden fence in a flower garden, a worm with a face, an apple. */

import { box, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { CELL, COLUMNS, LEFT, ROWS, TOP, WAYS } from './rules.js';

const WIDE = COLUMNS * CELL;
const HIGH = ROWS * CELL;

/** Middle of a square. @param {number} x @param {number} y @returns {[number, number]} */
const centre = (x, y) => [LEFT + (x + 0.5) * CELL, TOP + (y + 0.5) * CELL];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  garden(ctx);
  fence(ctx);
  lawn(ctx);
  apple(ctx, s.apple[0], s.apple[1]);
  worm(ctx, s);
  hud(ctx, [['Apples', s.score], ['Length', s.body.length]], { align: 'center' });
  board(ctx);
}

/** A hedge of leaves with flowers in it. @param {CanvasRenderingContext2D} ctx */
function garden(ctx) {
  sky(ctx, '#1d4a2c', '#123520');
  const greens = ['#1f5a33', '#276b3c', '#2f7a42', '#1a4d2c'];
  for (let i = 0; i < 260; i++) {
    const x = (i * 137) % 1300;
    const y = (i * 89 + (i % 7) * 31) % 740;
    if (x > LEFT + 10 && x < LEFT + WIDE - 10 && y > TOP && y < TOP + HIGH) continue;
    ctx.beginPath();
    ctx.ellipse(x, y, 24, 10, (i * 2.4) % 6.28, 0, 7);
    ctx.fillStyle = greens[i % 4];
    ctx.fill();
  }
  const petals = ['#ff8fb8', '#ffd34d', '#f4f0ff', '#ff8a5c'];
  const places = [[40, 110], [120, 168], [218, 122], [70, 540], [176, 588], [238, 528], [110, 660], [220, 690], [1074, 150], [1164, 108], [1240, 190], [1090, 660], [1188, 688], [1250, 610], [32, 640], [1120, 572], [400, 704], [620, 706], [880, 704]];
  places.forEach(([x, y], i) => flower(ctx, x, y, 13 + (i % 3) * 3, petals[i % 4]));
  sunflower(ctx, 1110, 520, 250);
  sunflower(ctx, 1208, 540, 330);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r @param {string} color */
function flower(ctx, x, y, r, color) {
  for (let i = 0; i < 6; i++) disc(ctx, x + Math.cos(i * 1.047) * r * 0.8, y + Math.sin(i * 1.047) * r * 0.8, r * 0.52, color);
  disc(ctx, x, y, r * 0.45, color === '#ffd34d' ? '#a8561d' : '#ffd34d');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} foot @param {number} top */
function sunflower(ctx, x, foot, top) {
  box(ctx, x - 5, top, 10, foot - top, '#3f8f3a', { radius: 4, edge: '#1d4a1c' });
  for (const side of [-1, 1]) {
    ctx.beginPath();
    ctx.ellipse(x + side * 26, top + (foot - top) * (side < 0 ? 0.5 : 0.68), 30, 12, side * -0.5, 0, 7);
    ctx.fillStyle = '#4fa847';
    ctx.fill();
    ctx.strokeStyle = '#1d4a1c';
    ctx.lineWidth = 3;
    ctx.stroke();
  }
  for (let i = 0; i < 14; i++) {
    const a = (i / 14) * Math.PI * 2;
    const [c, q] = [Math.cos(a), Math.sin(a)];
    polygon(ctx, [[x + c * 20 - q * 11, top + q * 20 + c * 11], [x + c * 54, top + q * 54], [x + c * 20 + q * 11, top + q * 20 - c * 11]], i % 2 ? '#ffc928' : '#ffab1f', '#9a5a0c', 2);
  }
  disc(ctx, x, top, 25, '#6b3d1d', '#3d210e');
  for (let i = 0; i < 12; i++) disc(ctx, x + Math.cos(i * 2.4) * i * 1.6, top + Math.sin(i * 2.4) * i * 1.6, 2.2, '#a86a35');
  box(ctx, x - 34, foot - 12, 68, 16, '#b4552d', { radius: 4, edge: '#5c2412' });
  polygon(ctx, [[x - 28, foot + 4], [x + 28, foot + 4], [x + 20, foot + 52], [x - 20, foot + 52]], '#c9683a', '#5c2412');
}

/** Boards with grain and posts, and their shadow. @param {CanvasRenderingContext2D} ctx */
function fence(ctx) {
  box(ctx, LEFT - 16, TOP - 10, WIDE + 44, HIGH + 40, 'rgba(5, 22, 10, 0.55)', { radius: 18 });
  box(ctx, LEFT - 20, TOP - 20, WIDE + 40, HIGH + 40, '#9a6a3c', { radius: 8, edge: '#4a2a14', line: 4 });
  ctx.strokeStyle = 'rgba(74, 42, 20, 0.55)';
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (const d of [8, 14]) {
    ctx.rect(LEFT - d, TOP - d, WIDE + 2 * d, HIGH + 2 * d);
  }
  ctx.stroke();
  for (let x = 0; x <= COLUMNS; x += 1.5) for (const y of [TOP - 22, TOP + HIGH - 2]) post(ctx, LEFT + x * CELL, y);
  for (let y = 1; y < ROWS; y += 1.25) for (const x of [LEFT - 10, LEFT + WIDE + 10]) post(ctx, x, TOP + y * CELL);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function post(ctx, x, y) {
  box(ctx, x - 10, y - 2, 20, 24, '#c48d54', { radius: 6, edge: '#4a2a14' });
  disc(ctx, x, y + 10, 3, '#5c3518');
}

/** Mown squares, blades of grass and a few daisies; the fence throws its shadow on the upper and left edge.
 * @param {CanvasRenderingContext2D} ctx */
function lawn(ctx) {
  for (let y = 0; y < ROWS; y++) {
    for (let x = 0; x < COLUMNS; x++) {
      ctx.fillStyle = (x + y) % 2 ? '#8fce5a' : '#a6dc70';
      ctx.fillRect(LEFT + x * CELL, TOP + y * CELL, CELL, CELL);
    }
  }
  ctx.strokeStyle = 'rgba(52, 120, 40, 0.4)';
  ctx.lineWidth = 2;
  ctx.lineCap = 'round';
  ctx.beginPath();
  for (let i = 0; i < 90; i++) {
    const x = LEFT + 14 + ((i * 151) % (WIDE - 28));
    const y = TOP + 20 + ((i * 97 + (i % 5) * 23) % (HIGH - 30));
    for (const d of [-5, 0, 5]) (ctx.moveTo(x + d * 0.5, y), ctx.lineTo(x + d, y - 9 + Math.abs(d) * 0.5));
  }
  ctx.stroke();
  for (let i = 0; i < 16; i++) {
    const [x, y] = [LEFT + 24 + ((i * 263) % (WIDE - 48)), TOP + 24 + ((i * 181) % (HIGH - 48))];
    for (const [dx, dy] of [[-3, 0], [3, 0], [0, -3], [0, 3]]) disc(ctx, x + dx, y + dy, 2.4, 'rgba(255,255,255,0.8)');
    disc(ctx, x, y, 2, '#f5c518');
  }
  for (const [w, h] of [[WIDE, 14], [12, HIGH]]) box(ctx, LEFT, TOP, w, h, 'rgba(20, 60, 20, 0.28)');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} column @param {number} row */
function apple(ctx, column, row) {
  const [x, y] = centre(column, row);
  ctx.beginPath();
  ctx.ellipse(x + 2, y + 27, 25, 7, 0, 0, 7);
  ctx.fillStyle = 'rgba(20, 60, 20, 0.4)';
  ctx.fill();
  const skin = ctx.createRadialGradient(x - 9, y - 6, 4, x, y + 4, 32);
  skin.addColorStop(0, '#ff7d74');
  skin.addColorStop(0.5, '#e5353b');
  skin.addColorStop(1, '#a31621');
  ctx.beginPath();
  ctx.moveTo(x, y - 13);
  ctx.bezierCurveTo(x + 14, y - 24, x + 31, y - 12, x + 27, y + 8);
  ctx.bezierCurveTo(x + 23, y + 28, x + 10, y + 32, x, y + 26);
  ctx.bezierCurveTo(x - 10, y + 32, x - 23, y + 28, x - 27, y + 8);
  ctx.bezierCurveTo(x - 31, y - 12, x - 14, y - 24, x, y - 13);
  ctx.fillStyle = skin;
  ctx.fill();
  ctx.strokeStyle = '#5c0a12';
  ctx.lineWidth = 3;
  ctx.stroke();
  box(ctx, x - 2, y - 29, 5, 18, '#5c3518', { radius: 2 });
  ctx.beginPath();
  ctx.moveTo(x + 3, y - 18);
  ctx.quadraticCurveTo(x + 10, y - 36, x + 28, y - 29);
  ctx.quadraticCurveTo(x + 20, y - 13, x + 3, y - 18);
  ctx.fillStyle = '#3fa33f';
  ctx.fill();
  ctx.strokeStyle = '#17521c';
  ctx.stroke();
  ctx.beginPath();
  ctx.ellipse(x - 13, y - 3, 5, 9, 0.5, 0, 7);
  ctx.fillStyle = 'rgba(255,255,255,0.7)';
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function worm(ctx, s) {
  const points = s.body.map(([x, y]) => centre(x, y));
  ctx.lineCap = ctx.lineJoin = 'round';
  /** @type {[number, string, number][]} */
  const layers = [[56, 'rgba(20, 60, 20, 0.35)', 7], [56, '#1a2566', 0], [48, '#3555dc', 0], [30, '#4d70f2', -6], [9, 'rgba(190, 208, 255, 0.75)', -13]];
  for (const [width, color, down] of layers) {
    ctx.strokeStyle = color;
    ctx.lineWidth = width;
    ctx.beginPath();
    for (const [x, y] of points) ctx.lineTo(x, y + down);
    ctx.stroke();
  }
  rings(ctx, points);
  head(ctx, s, points[0]);
}

/** Bands across the body, between one square and the next. @param {CanvasRenderingContext2D} ctx @param {number[][]} points */
function rings(ctx, points) {
  ctx.strokeStyle = 'rgba(26, 37, 102, 0.6)';
  ctx.lineWidth = 4;
  ctx.beginPath();
  for (let i = 1; i < points.length; i++) {
    const [x, y] = points[i];
    const [ax, ay] = points[i - 1];
    const [dx, dy] = [(ax - x) / CELL, (ay - y) / CELL];
    for (const t of [0.2, 0.5, 0.8]) {
      // Inside a bend the bands would cross.
      const before = points[i + 1];
      const bend = before && (before[0] - ax) * (before[1] - ay) !== 0;
      const ahead = points[i - 2];
      const turns = ahead && (ahead[0] - x) * (ahead[1] - y) !== 0;
      if ((bend && t < 0.4) || (turns && t > 0.6)) continue;
      const [cx, cy] = [x + dx * CELL * t, y + dy * CELL * t];
      ctx.moveTo(cx - dy * 21 - dx * 4, cy + dx * 21 - dy * 4);
      ctx.quadraticCurveTo(cx + dx * 5, cy + dy * 5, cx + dy * 21 - dx * 4, cy - dx * 21 - dy * 4);
    }
  }
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {number[]} at */
function head(ctx, s, [x, y]) {
  const [dx, dy] = WAYS[s.way];
  const skin = ctx.createRadialGradient(x - 8, y - 12, 4, x, y, 34);
  skin.addColorStop(0, '#a9bcff');
  skin.addColorStop(1, s.eaten < 10 ? '#7f9aff' : '#4a6bf0');
  disc(ctx, x, y, 32, skin, '#1a2566', 4);
  for (const side of [-1, 1]) {
    disc(ctx, x - dx * 4 - dy * side * 22, y - dy * 4 + dx * side * 22, 5, 'rgba(255, 130, 170, 0.75)');
    const ex = x + dx * 12 - dy * side * 13;
    const ey = y + dy * 12 + dx * side * 13;
    disc(ctx, ex, ey, 10, '#ffffff', '#1a2566', 2.5);
    disc(ctx, ex + dx * 3.5, ey + dy * 3.5, 5, '#10163a');
    disc(ctx, ex + dx * 3 - 1.5, ey + dy * 3 - 2, 1.7, '#ffffff');
  }
  // A small arrow shows where the worm goes next.
  const [wx, wy] = WAYS[s.wanted];
  const tip = [x + wx * 55, y + wy * 55];
  const base = [x + wx * 40, y + wy * 40];
  polygon(ctx, [tip, [base[0] - wy * 12, base[1] + wx * 12], [base[0] + wy * 12, base[1] - wx * 12]], '#ffffff', '#1a2566', 3);
}

/** The wooden board at the left that says what it is about. @param {CanvasRenderingContext2D} ctx */
function board(ctx) {
  for (const x of [70, 184]) box(ctx, x, 440, 18, 70, '#7d5029', { edge: '#4a2a14' });
  box(ctx, 22, 224, 230, 226, '#b98149', { radius: 12, edge: '#4a2a14', line: 4 });
  for (const y of [282, 338, 394]) box(ctx, 26, y, 222, 2, 'rgba(74, 42, 20, 0.45)');
  text(ctx, 'Garden', 137, 258, { size: 38, color: '#fff6e0', outline: '#4a2a14' });
  text(ctx, 'Worm', 137, 310, { size: 38, color: '#fff6e0', outline: '#4a2a14' });
  text(ctx, 'Eat apples. Avoid', 137, 367, { size: 22, color: '#2c170a', bold: false });
  text(ctx, 'fence and body.', 137, 422, { size: 22, color: '#2c170a', bold: false });
}
