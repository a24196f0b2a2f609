// @ts-check
/** Brick Yard, the picture: a walled court, bricks in bold colours, the ball with its trail. */

import { box, COLORS, disc, hud, sky, text } from '../../kit/draw.js';
import { BALL_R, BRICK, LEFT, PADDLE_W, PADDLE_Y, place, RIGHT, TOP } from './rules.js';

const ROWS = [COLORS.red, COLORS.orange, COLORS.yellow, COLORS.green];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  yard(ctx);
  for (const b of s.bricks) box(ctx, place(b)[0] + 11, place(b)[1] + 12, BRICK.w - 6, BRICK.h, 'rgba(4, 8, 26, 0.5)', { radius: 8 });
  for (const b of s.bricks) brick(ctx, b);
  s.trail.forEach(([x, y], i) => disc(ctx, x, y, BALL_R * (0.35 + 0.08 * i), `rgba(160, 200, 255, ${0.08 + 0.05 * i})`));
  disc(ctx, s.ball.x, s.ball.y, BALL_R + 12, 'rgba(160, 200, 255, 0.16)');
  disc(ctx, s.ball.x, s.ball.y, BALL_R, '#ffffff', '#8fb0ff');
  const glow = s.flash ? '#bfe3ff' : COLORS.blue;
  box(ctx, s.paddle - PADDLE_W / 2 + 6, PADDLE_Y + 9, PADDLE_W, 24, 'rgba(4, 8, 26, 0.5)', { radius: 12 });
  box(ctx, s.paddle - PADDLE_W / 2, PADDLE_Y, PADDLE_W, 24, glow, { radius: 12, edge: '#ffffff' });
  box(ctx, s.paddle - PADDLE_W / 2 + 14, PADDLE_Y + 5, PADDLE_W - 28, 5, 'rgba(255, 255, 255, 0.6)', { radius: 2 });
  hud(ctx, [['Level', s.level], ['Bricks left', s.bricks.length], ['Score', s.broken * 10]], { align: 'center', y: 8 });
  text(ctx, 'Brick', 84, 300, { size: 30, color: '#dfe8ff' });
  text(ctx, 'Yard', 84, 338, { size: 30, color: '#dfe8ff' });
}

/** Night around a lit court: a wall of stones, paving, a lamp at each side, the red line that ends a ball.
 * @param {CanvasRenderingContext2D} ctx */
function yard(ctx) {
  sky(ctx, '#0b1026', '#141c40');
  for (let row = 0; row < 13; row++) {
    for (let i = -1; i < 15; i++) {
      const x = i * 96 + (row % 2) * 48;
      box(ctx, x + 2, row * 58 + 2, 92, 54, (i * 5 + row * 3) % 4 ? '#161e42' : '#1a2450', { radius: 5 });
    }
  }
  const wall = ctx.createLinearGradient(0, TOP - 16, 0, 720);
  wall.addColorStop(0, '#6d82cf');
  wall.addColorStop(1, '#33427e');
  box(ctx, LEFT - 20, TOP - 20, RIGHT - LEFT + 40, 780, 'rgba(4, 8, 26, 0.6)', { radius: 18 });
  box(ctx, LEFT - 16, TOP - 16, RIGHT - LEFT + 32, 760, wall, { radius: 14, edge: '#0b1026' });
  const floor = ctx.createRadialGradient(640, 260, 60, 640, 380, 640);
  floor.addColorStop(0, '#2a377a');
  floor.addColorStop(1, '#121a3f');
  box(ctx, LEFT, TOP, RIGHT - LEFT, 760, floor);
  ctx.strokeStyle = 'rgba(140, 165, 255, 0.08)';
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let x = LEFT + 60; x < RIGHT; x += 60) (ctx.moveTo(x, TOP), ctx.lineTo(x, 720));
  for (let y = TOP + 60; y < 720; y += 60) (ctx.moveTo(LEFT, y), ctx.lineTo(RIGHT, y));
  ctx.stroke();
  const inner = ctx.createLinearGradient(0, TOP, 0, TOP + 50);
  inner.addColorStop(0, 'rgba(4, 8, 26, 0.6)');
  inner.addColorStop(1, 'rgba(4, 8, 26, 0)');
  box(ctx, LEFT, TOP, RIGHT - LEFT, 50, inner);
  const lost = ctx.createLinearGradient(0, 650, 0, 720);
  lost.addColorStop(0, 'rgba(229, 72, 77, 0)');
  lost.addColorStop(1, 'rgba(229, 72, 77, 0.6)');
  box(ctx, LEFT, 650, RIGHT - LEFT, 70, lost);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Brick} b */
function brick(ctx, b) {
  const [x, y] = place(b);
  box(ctx, x + 3, y, BRICK.w - 6, BRICK.h, ROWS[b.row % 4], { radius: 8, edge: 'rgba(255,255,255,0.55)' });
  box(ctx, x + 8, y + 4, BRICK.w - 16, BRICK.h * 0.28, 'rgba(255, 255, 255, 0.35)', { radius: 4 });
  box(ctx, x + 5, y + BRICK.h * 0.72, BRICK.w - 10, BRICK.h * 0.26, 'rgba(20, 10, 40, 0.2)', { radius: 5 });
  if (b.hits > 1) text(ctx, b.hits, x + BRICK.w / 2, y + BRICK.h / 2 + 1, { size: 26, color: '#1b2330' });
}
