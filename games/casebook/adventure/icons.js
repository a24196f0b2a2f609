// @ts-check
/**
 * Small things to carry or to find, each drawn within about 60×60 around the origin: `icon(ctx, 'key', '#d9a520')`.
 *
 * @typedef {CanvasRenderingContext2D} Ctx
 */

import { box, disc, polygon } from '../../kit/draw.js';
import { stroke as line, tone } from './props.js';

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} rx @param {number} ry @param {string} fill @param {string} [edge] */
function oval(ctx, x, y, rx, ry, fill, edge) {
  ctx.beginPath();
  ctx.ellipse(x, y, rx, ry, 0, 0, 7);
  ctx.fillStyle = fill;
  ctx.fill();
  if (!edge) return;
  ctx.strokeStyle = edge;
  ctx.lineWidth = 2;
  ctx.stroke();
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} r @param {string} color @param {number} width @param {number} [a] @param {number} [b] */
function ring(ctx, x, y, r, color, width, a = 0, b = 7) {
  ctx.beginPath();
  ctx.arc(x, y, r, a, b);
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.stroke();
}

/** @type {Record<string, (ctx: Ctx, c: string, d: string) => void>} c: its colour, d: the same darker */
const ICONS = {
  key(ctx, c, d) {
    ring(ctx, -14, 0, 10, d, 9);
    ring(ctx, -14, 0, 10, c, 6);
    line(ctx, [[-4, 0], [26, 0], [26, 10]], c, 6);
    line(ctx, [[15, 0], [15, 9]], c, 6);
  },
  letter(ctx, c, d) {
    box(ctx, -27, -19, 54, 38, c, { edge: d, line: 2 });
    line(ctx, [[-27, -19], [0, 5], [27, -19]], d, 2);
    disc(ctx, 0, 5, 7, '#b3262e');
  },
  note(ctx, c, d) {
    polygon(ctx, [[-20, -26], [12, -26], [22, -15], [22, 26], [-20, 26]], c, d, 2);
    for (let y = -10; y < 20; y += 9) line(ctx, [[-12, y], [13, y]], d, 2);
  },
  photo(ctx, c, d) {
    box(ctx, -22, -26, 44, 52, '#f4f0e6', { edge: d, line: 2 });
    box(ctx, -17, -21, 34, 32, c);
    disc(ctx, 0, -9, 7, '#eac9a8');
    polygon(ctx, [[-12, 11], [0, -2], [12, 11]], d);
  },
  coin(ctx, c, d) {
    disc(ctx, 0, 0, 23, c, d, 3);
    ring(ctx, 0, 0, 16, d, 2);
    polygon(ctx, [[0, -11], [4, -3], [11, -3], [5, 3], [8, 11], [0, 6], [-8, 11], [-5, 3], [-11, -3], [-4, -3]], d);
  },
  bottle(ctx, c, d) {
    box(ctx, -6, -28, 12, 18, c, { edge: d, line: 2 });
    box(ctx, -14, -12, 28, 40, c, { radius: 8, edge: d, line: 2 });
    box(ctx, -11, 0, 22, 16, '#f6efdc');
    box(ctx, -7, -31, 14, 6, '#8a5a33');
  },
  knife(ctx, c, d) {
    polygon(ctx, [[-4, -4], [28, -20], [24, -8], [2, 5]], '#d5dbe2', '#77808c', 2);
    line(ctx, [[-3, 1], [-24, 16]], c, 11);
    line(ctx, [[-8, 4], [-20, 13]], d, 2);
  },
  rope(ctx, c, d) {
    for (const r of [22, 15, 8]) {
      ring(ctx, 0, 0, r, d, 7);
      ring(ctx, 0, 0, r, c, 4);
    }
    line(ctx, [[18, 12], [28, 24]], c, 6);
  },
  lamp(ctx, c, d) {
    ring(ctx, 0, -18, 11, d, 4);
    box(ctx, -14, -16, 28, 7, d);
    box(ctx, -12, -9, 24, 28, '#fff1b8', { edge: d, line: 3 });
    disc(ctx, 0, 6, 7, '#f39b24');
    box(ctx, -17, 18, 34, 9, c, { edge: d, line: 2 });
  },
  candle(ctx, c, d) {
    box(ctx, -8, -10, 16, 34, c, { edge: d, line: 2 });
    oval(ctx, 0, -20, 5, 10, '#f7a52b');
    oval(ctx, 0, -17, 2.5, 5, '#fff3c0');
    oval(ctx, 0, 25, 20, 5, '#a3752b');
  },
  crank(ctx, c, d) {
    line(ctx, [[-22, 12], [4, 12], [4, -14], [24, -14]], d, 11);
    line(ctx, [[-22, 12], [4, 12], [4, -14], [24, -14]], c, 7);
    box(ctx, 14, -22, 16, 16, '#7d4a24', { radius: 5 });
  },
  gear(ctx, c, d) {
    for (let i = 0; i < 8; i++) {
      ctx.save();
      ctx.rotate((i * Math.PI) / 4);
      box(ctx, -6, -28, 12, 14, c, { edge: d, line: 2 });
      ctx.restore();
    }
    disc(ctx, 0, 0, 19, c, d, 2);
    disc(ctx, 0, 0, 7, '#20242c');
  },
  book(ctx, c, d) {
    box(ctx, -21, -26, 42, 52, c, { radius: 4, edge: d, line: 3 });
    box(ctx, -21, -26, 9, 52, d);
    box(ctx, -6, -14, 21, 12, '#f2dfa6');
  },
  ticket(ctx, c, d) {
    box(ctx, -28, -16, 56, 32, c, { radius: 4, edge: d, line: 2 });
    disc(ctx, -28, 0, 6, '#333');
    disc(ctx, 28, 0, 6, '#333');
    line(ctx, [[-12, -6], [14, -6]], d, 3);
    line(ctx, [[-12, 5], [6, 5]], d, 3);
  },
  ring(ctx, c, d) {
    ring(ctx, 0, 8, 17, d, 9);
    ring(ctx, 0, 8, 17, c, 6);
    polygon(ctx, [[-10, -16], [0, -28], [10, -16], [0, -6]], '#6fd3f2', '#2b7f9e', 2);
  },
  feather(ctx, c, d) {
    ctx.save();
    ctx.rotate(0.6);
    oval(ctx, 0, -6, 9, 24, c, d);
    line(ctx, [[0, -28], [0, 28]], d, 3);
    ctx.restore();
  },
  magnet(ctx, c) {
    ring(ctx, 0, -3, 18, c, 13, Math.PI, 0);
    for (const x of [-18, 18]) {
      box(ctx, x - 6.5, -3, 13, 16, c);
      box(ctx, x - 6.5, 13, 13, 11, '#e4e7ea', { edge: '#777', line: 1 });
    }
  },
  hook(ctx, c, d) {
    line(ctx, [[0, -28], [0, 8]], c, 6);
    ring(ctx, -10, 8, 10, c, 6, 0, Math.PI);
    ring(ctx, 0, -26, 5, d, 4);
  },
  hammer(ctx, c, d) {
    line(ctx, [[-18, 24], [8, -8]], c, 9);
    ctx.save();
    ctx.translate(8, -10);
    ctx.rotate(0.7);
    box(ctx, -20, -9, 40, 18, '#8d97a4', { radius: 4, edge: '#4d5560', line: 2 });
    ctx.restore();
    line(ctx, [[-18, 24], [-14, 19]], d, 9);
  },
  match(ctx, c, d) {
    box(ctx, -26, -12, 52, 26, c, { edge: d, line: 2 });
    box(ctx, -26, 6, 52, 8, '#57371f');
    for (const x of [-12, 0, 12]) {
      line(ctx, [[x, -12], [x, -22]], '#e9d3a4', 4);
      disc(ctx, x, -24, 4, '#c2332b');
    }
  },
  cup(ctx, c, d) {
    ring(ctx, 20, 0, 9, d, 6);
    polygon(ctx, [[-20, -18], [20, -18], [13, 20], [-13, 20]], c, d, 2);
    oval(ctx, 0, -18, 20, 5, d);
    oval(ctx, 0, 23, 24, 4, c, d);
  },
  flower(ctx, c) {
    line(ctx, [[0, 2], [2, 28]], '#3d8b45', 5);
    oval(ctx, 10, 18, 9, 4, '#4aa355');
    for (let i = 0; i < 6; i++) disc(ctx, Math.cos(i * 1.047) * 12, -10 + Math.sin(i * 1.047) * 12, 8, c);
    disc(ctx, 0, -10, 7, '#f7d34a');
  },
  apple(ctx, c, d) {
    disc(ctx, -8, 4, 16, c);
    disc(ctx, 8, 4, 16, c);
    line(ctx, [[0, -8], [3, -22]], '#5f3b1e', 4);
    oval(ctx, 12, -18, 9, 5, '#4aa355');
    disc(ctx, -11, -1, 4, tone(d, 0.6));
  },
  watch(ctx, c, d) {
    ring(ctx, 0, -24, 6, d, 4);
    disc(ctx, 0, 4, 22, c, d, 3);
    disc(ctx, 0, 4, 16, '#fbf6e8');
    line(ctx, [[0, 4], [0, -7]], '#222', 3);
    line(ctx, [[0, 4], [8, 8]], '#222', 3);
  },
  scissors(ctx, c) {
    line(ctx, [[-8, 8], [20, -26]], '#b9c1ca', 6);
    line(ctx, [[8, 8], [-20, -26]], '#cdd4dc', 6);
    ring(ctx, -13, 17, 9, c, 6);
    ring(ctx, 13, 17, 9, c, 6);
  },
  umbrella(ctx, c, d) {
    ctx.beginPath();
    ctx.arc(0, 0, 28, Math.PI, 0);
    ctx.fillStyle = c;
    ctx.fill();
    for (const x of [-19, 0, 19]) disc(ctx, x, 0, 9.5, c);
    line(ctx, [[0, 0], [0, 22]], d, 4);
    ring(ctx, 6, 22, 6, d, 4, 0, Math.PI);
    for (const x of [-10, 10]) line(ctx, [[0, -28], [x, -2]], d, 2);
  },
  hat(ctx, c, d) {
    oval(ctx, 0, 14, 30, 8, c, d);
    box(ctx, -17, -20, 34, 34, c, { radius: 6 });
    box(ctx, -17, 2, 34, 9, d);
  },
  shoe(ctx, c, d) {
    polygon(ctx, [[-26, -16], [-4, -16], [2, -2], [26, 4], [28, 16], [-26, 16]], c, d, 2);
    box(ctx, -28, 14, 57, 6, d);
    for (const x of [-2, 4]) line(ctx, [[x, -8], [x + 8, -4]], '#fff', 2);
  },
  fish(ctx, c, d) {
    oval(ctx, -4, 0, 22, 12, c, d);
    polygon(ctx, [[14, 0], [29, -13], [29, 13]], c, d, 2);
    disc(ctx, -16, -3, 3, '#111');
    ring(ctx, -8, 0, 9, d, 2, -1, 1);
  },
  bell(ctx, c, d) {
    polygon(ctx, [[-8, -22], [8, -22], [15, 6], [23, 16], [-23, 16], [-15, 6]], c, d, 2);
    disc(ctx, 0, -24, 5, d);
    disc(ctx, 0, 19, 6, d);
  },
  horn(ctx, c, d) {
    polygon(ctx, [[-28, -3], [6, -6], [26, -20], [26, 20], [6, 6], [-28, 3]], c, d, 2);
    for (const x of [-12, -4, 4]) box(ctx, x, -14, 5, 10, d);
  },
  violin(ctx, c, d) {
    ctx.save();
    ctx.rotate(0.5);
    oval(ctx, 0, 14, 14, 13, c, d);
    oval(ctx, 0, -2, 10, 9, c, d);
    box(ctx, -2.5, -31, 5, 40, d);
    box(ctx, -6, 12, 12, 4, d);
    ctx.restore();
  },
  dice(ctx, c, d) {
    box(ctx, -20, -20, 40, 40, c, { radius: 8, edge: d, line: 3 });
    for (const [x, y] of [[-10, -10], [10, 10], [0, 0], [10, -10], [-10, 10]]) disc(ctx, x, y, 4, d);
  },
  crown(ctx, c, d) {
    polygon(ctx, [[-25, 16], [-28, -14], [-13, 0], [0, -22], [13, 0], [28, -14], [25, 16]], c, d, 2);
    for (const x of [-14, 0, 14]) disc(ctx, x, 9, 4, '#c8323c');
  },
  anchor(ctx, c) {
    ring(ctx, 0, -21, 6, c, 5);
    line(ctx, [[0, -14], [0, 24]], c, 6);
    line(ctx, [[-14, -7], [14, -7]], c, 6);
    ring(ctx, 0, 4, 21, c, 6, 0.3, Math.PI - 0.3);
  },
  shell(ctx, c, d) {
    polygon(ctx, [[-2, 24], [29, 24], [29, 2], [20, -8]], '#f4d9cf', d, 2);
    disc(ctx, -4, 2, 23, c, d, 2);
    const turn = Array.from({ length: 28 }, (_, i) => [-4 + (21 - 0.72 * i) * Math.cos(i / 2.1), 2 + (21 - 0.72 * i) * Math.sin(i / 2.1)]);
    line(ctx, turn, d, 3);
  },
  spoon(ctx, c, d) {
    ctx.save();
    ctx.rotate(0.7);
    oval(ctx, 0, -17, 9, 13, c, d);
    box(ctx, -2.5, -5, 5, 34, c, { radius: 2, edge: d, line: 1 });
    ctx.restore();
  },
  comb(ctx, c) {
    box(ctx, -27, -14, 54, 12, c, { radius: 5 });
    for (let x = -25; x < 26; x += 7) box(ctx, x, -4, 4, 20, c);
  },
  globe(ctx, c) {
    disc(ctx, 0, -4, 20, '#4f9ed9', '#245a86', 2);
    oval(ctx, -7, -9, 8, 6, '#5fae57');
    oval(ctx, 7, 2, 7, 8, '#5fae57');
    ring(ctx, 0, -4, 24, c, 4, -1.2, 1.9);
    box(ctx, -13, 22, 26, 7, c, { radius: 3 });
    box(ctx, -2, 18, 4, 6, c);
  },
  yarn(ctx, c, d) {
    for (const side of [-1, 1]) {
      line(ctx, [[side * 25, -27], [-side * 14, 18]], '#d9c08a', 3);
      disc(ctx, side * 25, -27, 4, '#8a6a3a');
    }
    disc(ctx, 0, 2, 20, c);
    for (const a of [-10, 0, 10]) ring(ctx, a, a / 2, 17, d, 2, -1.6, 1.6);
    line(ctx, [[14, 16], [26, 26], [30, 20]], c, 3);
  },
  star(ctx, c, d) {
    const points = Array.from({ length: 10 }, (_, i) => [Math.sin((i * Math.PI) / 5) * (i % 2 ? 11 : 27), -Math.cos((i * Math.PI) / 5) * (i % 2 ? 11 : 27)]);
    polygon(ctx, points, c, d, 2);
  },
  gem(ctx, c, d) {
    polygon(ctx, [[-15, -18], [15, -18], [27, -4], [0, 26], [-27, -4]], c, d, 2);
    line(ctx, [[-27, -4], [27, -4]], d, 2);
    line(ctx, [[-8, -4], [0, 26], [8, -4]], d, 2);
  },
  fuse(ctx, c) {
    box(ctx, -22, -10, 44, 20, 'rgba(215,235,245,0.9)', { radius: 4, edge: '#68757f', line: 2 });
    box(ctx, -28, -12, 13, 24, c, { radius: 3 });
    box(ctx, 15, -12, 13, 24, c, { radius: 3 });
    line(ctx, [[-15, 0], [-5, -4], [5, 4], [15, 0]], '#555', 2);
  },
  mask(ctx, c, d) {
    polygon(ctx, [[-28, -12], [0, -4], [28, -12], [22, 12], [8, 12], [0, 4], [-8, 12], [-22, 12]], c, d, 2);
    oval(ctx, -13, 1, 6, 4, '#1c1c22');
    oval(ctx, 13, 1, 6, 4, '#1c1c22');
  },
  teapot(ctx, c, d) {
    ring(ctx, 24, 2, 9, d, 5);
    polygon(ctx, [[-14, 4], [-30, -12], [-25, -14], [-10, -4]], c, d, 2);
    oval(ctx, 0, 5, 21, 17, c, d);
    oval(ctx, 0, -12, 10, 4, d);
    disc(ctx, 0, -18, 4, d);
  },
  lens(ctx, c, d) {
    disc(ctx, -6, -6, 18, 'rgba(190,225,240,0.8)', c, 6);
    line(ctx, [[9, 9], [25, 25]], d, 9);
  },
  duck(ctx, c, d) {
    oval(ctx, 2, 10, 24, 14, c, d);
    disc(ctx, -13, -10, 12, c, d, 2);
    polygon(ctx, [[-24, -12], [-33, -6], [-22, -4]], '#ee7d22');
    disc(ctx, -16, -13, 2.5, '#111');
  },
  pear(ctx, c, d) {
    oval(ctx, 0, 10, 18, 17, c);
    oval(ctx, 0, -8, 10, 14, c);
    line(ctx, [[0, -20], [4, -29]], '#5f3b1e', 4);
    oval(ctx, -7, 8, 4, 7, tone(d, 0.6));
  },
  mouse(ctx, c, d) {
    oval(ctx, 0, 6, 22, 13, c, d);
    disc(ctx, -14, -6, 8, c, d, 2);
    disc(ctx, -18, 4, 2.5, '#111');
    line(ctx, [[20, 10], [28, 0], [24, -12]], '#d79b9b', 4);
  },
  pipe(ctx, c, d) {
    line(ctx, [[-26, -10], [-4, -4], [6, 8]], d, 7);
    box(ctx, 2, -16, 22, 32, c, { radius: 8, edge: d, line: 2 });
    oval(ctx, 13, -15, 10, 4, '#2a1c12');
  },
  oil(ctx, c, d) {
    polygon(ctx, [[-24, -4], [10, -4], [10, 24], [-24, 24]], c, d, 2);
    line(ctx, [[8, 2], [28, -20]], d, 5);
    ring(ctx, -24, 10, 8, d, 4, 1.6, 4.7);
    box(ctx, -12, -12, 10, 8, d);
  },
  scuttle(ctx, c, d) {
    ring(ctx, 2, -8, 24, d, 4, Math.PI, 2 * Math.PI);
    polygon(ctx, [[-28, -12], [30, -4], [16, 26], [-14, 26]], c, d, 3);
    oval(ctx, 1, -6, 24, 6, d);
  },
};

export const NAMES = Object.keys(ICONS);

/** @param {Ctx} ctx @param {string} name @param {string} [color] `#rrggbb` */
export function icon(ctx, name, color = '#d9a520') {
  ctx.save();
  ICONS[name](ctx, color, tone(color, -0.4));
  ctx.restore();
}

/** The same somewhere in a picture. x, y: its middle. @param {Ctx} ctx @param {string} name @param {number} x @param {number} y
 * @param {string} [color] @param {number} [scale] */
export function put(ctx, name, x, y, color, scale = 1) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(scale, scale);
  icon(ctx, name, color);
  ctx.restore();
}
