// @ts-check
/** Turbo Goal, the picture: a hall in the evening, blue on the left, orange on the right. */

import { bar, box, COLORS, disc, polygon, sky, text } from '../../kit/draw.js';
import { BALL_R, BAR, CAR_H, CAR_W, FLOOR, FULL, LEFT, RIGHT, TOP } from './physics.js';
import { CHEER, MATCH, PADS } from './rules.js';

const BLUE = '#2f7df6';
const ORANGE = '#ff7a1a';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#171b3a', '#2b2f63', '#474a8c');
  stands(ctx, s);
  pitch(ctx);
  goal(ctx, LEFT, -1, BLUE);
  goal(ctx, RIGHT, 1, ORANGE);
  PADS.forEach((x, i) => pad(ctx, x, s.pads[i] === 0));
  s.cars.forEach((c, i) => car(ctx, c, i ? ORANGE : BLUE, s.frame));
  ball(ctx, s.ball);
  top(ctx, s);
  if (s.cheer > 0 && !s.over) cheer(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function stands(ctx, s) {
  for (let row = 0; row < 5; row++) {
    const y = 170 + row * 44;
    box(ctx, LEFT, y + 16, RIGHT - LEFT, 28, row % 2 ? '#2a2d5c' : '#25284f');
    for (let i = 0; i < 34; i++) {
      const x = LEFT + 18 + i * 34 + (row % 2) * 14;
      if (x > RIGHT - 10) continue;
      // Only while a goal is celebrated do the people move.
      const up = s.cheer ? Math.max(0, Math.sin(s.cheer / 3 + i * 1.7 + row)) * 8 : 0;
      disc(ctx, x, y + 12 - up, 9, ['#4c5596', '#5a4f8f', '#6a5f9f', '#3f5d8f'][(i * 7 + row * 3) % 4]);
    }
  }
  for (const x of [220, 640, 1060]) {
    const g = ctx.createRadialGradient(x, TOP + 6, 4, x, TOP + 60, 260);
    g.addColorStop(0, 'rgba(255,250,210,0.35)');
    g.addColorStop(1, 'rgba(255,250,210,0)');
    ctx.fillStyle = g;
    ctx.fillRect(x - 260, TOP, 520, 320);
    box(ctx, x - 50, TOP, 100, 12, '#fff7d0', { radius: 5 });
  }
}

/** @param {CanvasRenderingContext2D} ctx */
function pitch(ctx) {
  box(ctx, 0, TOP - 14, 1280, 14, '#10132a');
  for (const [x, color] of /** @type {[number, string][]} */ ([[0, BLUE], [RIGHT, ORANGE]])) {
    box(ctx, x, TOP, 70, BAR - TOP, '#141733');
    box(ctx, x ? x : LEFT - 8, TOP, 8, BAR - TOP, color);
  }
  box(ctx, 0, FLOOR, 1280, 90, '#1f7a3f');
  for (let x = 0; x < 1280; x += 160) box(ctx, x, FLOOR, 80, 90, '#268a49');
  box(ctx, 0, FLOOR - 2, 1280, 6, '#eafff0');
  box(ctx, 638, FLOOR, 4, 90, 'rgba(255,255,255,0.6)');
  ctx.beginPath();
  ctx.ellipse(640, FLOOR + 45, 120, 30, 0, 0, 7);
  ctx.strokeStyle = 'rgba(255,255,255,0.6)';
  ctx.lineWidth = 4;
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} side @param {string} color */
function goal(ctx, x, side, color) {
  const back = side < 0 ? 0 : 1280;
  box(ctx, Math.min(x, back), BAR, 70, FLOOR - BAR, '#0d1024');
  ctx.strokeStyle = 'rgba(255,255,255,0.4)';
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let y = BAR + 12; y < FLOOR; y += 18) {
    ctx.moveTo(x, y);
    ctx.lineTo(back, y);
  }
  for (let d = 8; d < 70; d += 16) {
    ctx.moveTo(x + side * d, BAR);
    ctx.lineTo(x + side * d, FLOOR);
  }
  ctx.stroke();
  box(ctx, Math.min(x, back) - (side > 0 ? 10 : 0), BAR - 12, 80, 14, color, { radius: 5, edge: COLORS.ink });
  ctx.fillStyle = color;
  ctx.globalAlpha = 0.55;
  ctx.fillRect(x - 3, BAR, 6, FLOOR - BAR);
  ctx.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {boolean} ready */
function pad(ctx, x, ready) {
  ctx.beginPath();
  ctx.ellipse(x, FLOOR + 8, 58, 13, 0, 0, 7);
  ctx.fillStyle = ready ? '#ffe45c' : '#15552c';
  ctx.fill();
  ctx.strokeStyle = COLORS.ink;
  ctx.lineWidth = 3;
  ctx.stroke();
  const bolt = [[-4, -1], [10, -1], [2, 7], [9, 7], [-8, 19], [-2, 10], [-10, 10]];
  if (ready) polygon(ctx, bolt.map(([dx, dy]) => [x + dx, FLOOR + dy]), '#b06a00');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./physics.js').Car} c @param {string} color @param {number} frame */
function car(ctx, c, color, frame) {
  ctx.save();
  ctx.translate(c.x, c.y);
  ctx.scale(c.face, 1);
  if (!c.ground) ctx.rotate(Math.max(-0.3, Math.min(0.3, c.vy * 0.025)));
  const w = CAR_W / 2;
  const h = CAR_H / 2;
  if (c.flame) {
    const long = 40 + (frame % 3) * 12;
    polygon(ctx, [[-w, -10], [-w - long, 2], [-w, 14]], '#ff9d2e');
    polygon(ctx, [[-w, -4], [-w - long * 0.6, 2], [-w, 8]], '#fff3b0');
  }
  const body = [[-w, h - 8], [-w, -6], [-w + 10, -8], [-w + 26, -h - 8], [14, -h - 8], [32, -6], [w, 2], [w, h - 8]];
  polygon(ctx, body, color, '#ffffff', 3);
  polygon(ctx, [[-w + 30, -h - 2], [10, -h - 2], [24, -6], [-w + 22, -6]], '#cfeaff', COLORS.ink, 2);
  polygon(ctx, [[-w - 2, -16], [-w + 16, -16], [-w + 12, -8], [-w, -8]], COLORS.ink);
  for (const x of [-w + 24, w - 24]) {
    disc(ctx, x, h - 9, 14, '#14161f', '#ffffff', 2.5);
    ctx.save();
    ctx.translate(x, h - 9);
    ctx.rotate((c.x * c.face) / 14);
    box(ctx, -9, -2, 18, 4, '#c9d0dc');
    box(ctx, -2, -9, 4, 18, '#c9d0dc');
    ctx.restore();
  }
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./physics.js').Ball} b */
function ball(ctx, b) {
  ctx.beginPath();
  ctx.ellipse(b.x, FLOOR + 6, Math.max(10, 36 - (FLOOR - b.y) / 18), 6, 0, 0, 7);
  ctx.fillStyle = 'rgba(0,0,0,0.35)';
  ctx.fill();
  disc(ctx, b.x, b.y, BALL_R, '#f4f6fb', COLORS.ink);
  for (let i = 0; i < 6; i++) {
    const a = b.turn + (i * Math.PI) / 3;
    if (i % 2) continue;
    polygon(ctx, [0, 1, 2, 3, 4].map((k) => {
      const t = a + (k * 2 * Math.PI) / 5;
      return [b.x + Math.cos(a) * 21 + Math.cos(t) * 9, b.y + Math.sin(a) * 21 + Math.sin(t) * 9];
    }), '#444b63');
  }
  ctx.strokeStyle = COLORS.ink;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.arc(b.x, b.y, BALL_R, 0, 7);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function top(ctx, s) {
  box(ctx, 0, 0, 1280, TOP - 14, '#10132a');
  box(ctx, 470, 8, 150, 56, BLUE, { radius: 12 });
  box(ctx, 660, 8, 150, 56, ORANGE, { radius: 12 });
  text(ctx, `You ${s.goals[0]}`, 545, 38, { size: 32, color: '#ffffff' });
  text(ctx, `${s.goals[1]} Rival`, 735, 38, { size: 32, color: '#ffffff' });
  text(ctx, ':', 640, 34, { size: 36, color: '#ffffff' });
  text(ctx, `first to ${MATCH} goals wins`, 850, 38, { size: 20, color: '#b8bfdf', align: 'left', bold: false });
  text(ctx, 'Boost', 24, 38, { size: 22, color: '#dfe6ff', align: 'left' });
  bar(ctx, 100, 22, 240, 30, s.cars[0].boost / FULL, '#39b8ff');
  text(ctx, Math.floor(s.cars[0].boost), 360, 38, { size: 22, color: '#dfe6ff', align: 'left' });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function cheer(ctx, s) {
  const what = s.scorer === 0 ? 'GOAL FOR YOU!' : s.scorer === 1 ? 'Goal for the rival' : 'Own goal: does not count';
  const color = s.scorer === 0 ? '#7fd0ff' : s.scorer === 1 ? '#ffb27a' : '#e8e8f2';
  text(ctx, what, 640, 250, { size: 64 + (s.cheer * 6) / CHEER, color, outline: COLORS.ink });
}
