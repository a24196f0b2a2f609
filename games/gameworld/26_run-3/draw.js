// @ts-check
/** Star Tube, the picture: the inside of the tunnel, turned so that the runner is always at the bottom. */

import { box, COLORS, disc, hud, polygon, text } from '../../kit/draw.js';
import { Scene, shade } from '../../kit/solid.js';
import { distanceOf, VIEW_RINGS } from './rules.js';
import { COLS, hasTile, ringAt, TILE } from './tunnel.js';

const RADIUS = 5;
const SPACE = '#0b0f22';
const HUES = ['#4f7cf0', '#21a88f', '#c25fd0', '#e0803a', '#58a83e', '#d9536f'];
const BACK = 7;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  background(ctx, s);
  const cam = { x: 0, y: -1.0, z: s.z - BACK, focal: 640, horizon: 300 };
  const scene = new Scene(cam, { color: SPACE, near: 30, far: 82 });
  const first = Math.floor((s.z - BACK) / TILE);
  for (let i = first; i < first + VIEW_RINGS; i++) {
    const ring = ringAt(s.tunnel, i);
    if (ring) paintRing(scene, s, ring, i);
  }
  const at = point(s, s.u, s.h, s.z);
  scene.sprite(at, (c, x, y, k) => runner(c, x, y, k, s), -1.5);
  scene.paint(ctx);
  hud(ctx, [['Distance', distanceOf(s).toFixed(0)], ['Coins', s.coins], ['Stars', s.stars]]);
  if (s.frames < 75) {
    box(ctx, 330, 96, 620, 54, 'rgba(16,20,30,0.85)', { radius: 14 });
    text(ctx, 'Left and right turn the tunnel, up jumps', 640, 124, { size: 26, color: COLORS.white });
  }
}

/** World point over a column. @param {import('./rules.js').State} s @param {number} u @param {number} h @param {number} z
 * @returns {[number, number, number]} */
function point(s, u, h, z) {
  const a = ((u - s.roll) * 2 * Math.PI) / COLS;
  return [Math.sin(a) * (RADIUS - h), -Math.cos(a) * (RADIUS - h), z];
}

/** @param {Scene} scene @param {import('./rules.js').State} s @param {import('./tunnel.js').Ring} ring @param {number} i */
function paintRing(scene, s, ring, i) {
  const z = i * TILE;
  for (let c = 0; c < COLS; c++) {
    if (!hasTile(ring, c)) continue;
    const color = shade(HUES[ring.hue], (i + c) % 2 ? 1.12 : 0.9);
    scene.face([point(s, c, 0, z), point(s, c + 1, 0, z), point(s, c + 1, 0, z + TILE), point(s, c, 0, z + TILE)], color, {
      edge: '#10142c',
      line: 2,
      bias: 2,
    });
  }
  if (ring.coin >= 0) {
    scene.sprite(point(s, ring.coin + 0.5, 0.7, z + TILE / 2), (ctx, x, y, k) => {
      disc(ctx, x, y, 0.36 * k, '#ffd43b', '#7a4d00', Math.max(1, 0.07 * k));
    });
  }
  if (ring.star >= 0) {
    scene.sprite(point(s, ring.star + 0.5, 0.9, z + TILE / 2), (ctx, x, y, k) => star(ctx, x, y, 0.6 * k));
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r */
function star(ctx, x, y, r) {
  const points = [];
  for (let i = 0; i < 10; i++) {
    const a = (i * Math.PI) / 5 - Math.PI / 2;
    const d = i % 2 ? r * 0.45 : r;
    points.push([x + Math.cos(a) * d, y + Math.sin(a) * d]);
  }
  polygon(ctx, points, '#ffffff', '#e85aad', Math.max(1, r * 0.12));
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function background(ctx, s) {
  ctx.fillStyle = SPACE;
  ctx.fillRect(0, 0, 1280, 720);
  const turn = (-s.roll * 2 * Math.PI) / COLS;
  for (let i = 0; i < 90; i++) {
    const a = i * 2.399 + turn;
    const d = 60 + ((i * 7919) % 760);
    ctx.fillStyle = i % 3 ? '#8fa0d8' : '#ffffff';
    const size = 1.5 + (i % 3);
    ctx.fillRect(640 + Math.cos(a) * d, 300 + Math.sin(a) * d, size, size);
  }
  const g = ctx.createRadialGradient(640, 300, 4, 640, 300, 120);
  g.addColorStop(0, 'rgba(160,190,255,0.55)');
  g.addColorStop(1, 'rgba(160,190,255,0)');
  ctx.fillStyle = g;
  ctx.fillRect(520, 180, 240, 240);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} k
 * @param {import('./rules.js').State} s */
function runner(ctx, x, y, k, s) {
  const swing = s.h > 0 || s.falling ? 0.7 : Math.sin(s.frames * 0.5);
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(((s.roll - s.u) * 2 * Math.PI) / COLS);
  ctx.scale(k, k);
  if (!s.falling) {
    ctx.fillStyle = 'rgba(0,0,0,0.4)';
    ctx.beginPath();
    ctx.ellipse(0, s.h, 0.5, 0.14, 0, 0, 7);
    ctx.fill();
  }
  for (const side of [-1, 1]) {
    const lift = Math.max(0, side * swing) * 0.3;
    box(ctx, side * 0.22 - 0.12, -0.55 - lift, 0.24, 0.5, '#ffffff', { radius: 0.1, edge: COLORS.ink, line: 0.05 });
    disc(ctx, side * 0.58, -0.95 + side * swing * 0.18, 0.15, '#ffffff', COLORS.ink, 0.05);
  }
  box(ctx, -0.5, -1.45, 1, 1.05, '#f2802b', { radius: 0.4, edge: COLORS.ink, line: 0.06 });
  box(ctx, -0.26, -1.2, 0.52, 0.5, '#5b6478', { radius: 0.1, edge: COLORS.ink, line: 0.05 });
  for (const side of [-1, 1]) {
    polygon(ctx, [[side * 0.14, -1.4], [side * 0.36, -1.9], [side * 0.4, -1.3]], '#f2802b', COLORS.ink, 0.05);
  }
  ctx.restore();
}
