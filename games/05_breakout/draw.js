// @ts-check
/** Brick Yard, the picture: a walled court, bricks in bold colours, the ball with its trail. */

import { box, COLORS, disc, hud, sky, text } from '../kit/draw.js';
import { BALL_R, BRICK, LEFT, PADDLE_W, PADDLE_Y, place, RIGHT, TOP } from './rules.js';

const ROWS = [COLORS.red, COLORS.orange, COLORS.yellow, COLORS.green];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#0f1630');
  box(ctx, LEFT - 16, TOP - 16, RIGHT - LEFT + 32, 760, '#3a4a86', { radius: 14 });
  box(ctx, LEFT, TOP, RIGHT - LEFT, 760, '#18214a');
  ctx.fillStyle = 'rgba(229, 72, 77, 0.35)';
  ctx.fillRect(LEFT, 706, RIGHT - LEFT, 14);
  for (const b of s.bricks) brick(ctx, b);
  s.trail.forEach(([x, y], i) => disc(ctx, x, y, BALL_R * (0.35 + 0.08 * i), `rgba(160, 200, 255, ${0.08 + 0.05 * i})`));
  disc(ctx, s.ball.x, s.ball.y, BALL_R, '#ffffff', '#8fb0ff');
  const glow = s.flash ? '#bfe3ff' : COLORS.blue;
  box(ctx, s.paddle - PADDLE_W / 2, PADDLE_Y, PADDLE_W, 24, glow, { radius: 12, edge: '#ffffff' });
  hud(ctx, [['Level', s.level], ['Bricks left', s.bricks.length], ['Score', s.broken * 10]], { align: 'center', y: 8 });
  text(ctx, 'Brick', 84, 300, { size: 30, color: '#dfe8ff' });
  text(ctx, 'Yard', 84, 338, { size: 30, color: '#dfe8ff' });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Brick} b */
function brick(ctx, b) {
  const [x, y] = place(b);
  box(ctx, x + 3, y, BRICK.w - 6, BRICK.h, ROWS[b.row % 4], { radius: 8, edge: 'rgba(255,255,255,0.55)' });
  if (b.hits > 1) text(ctx, b.hits, x + BRICK.w / 2, y + BRICK.h / 2 + 1, { size: 26, color: '#1b2330' });
}
