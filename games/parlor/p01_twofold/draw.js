// @ts-check
/** Twofold, the picture: the board of `01_2048`, and beside it how far the goal is and how many dead moves are left. */

import { draw as drawBoard } from '../../gameworld/01_2048/draw.js';
import { bar, box, disc, text } from '../../kit/draw.js';
import { DEAD, GOAL } from './rules.js';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  ctx.save();
  // The board trembles when a move changes nothing.
  if (s.shake < 12) ctx.translate(s.shake % 4 < 2 ? 5 : -5, 0);
  drawBoard(ctx, s);
  ctx.restore();
  const ground = ctx.createLinearGradient(0, 0, 0, 720);
  ground.addColorStop(0, '#27324a');
  ground.addColorStop(1, '#1a2236');
  box(ctx, 0, 0, 326, 720, ground);
  text(ctx, 'Twofold', 165, 96, { size: 52, color: '#ffe28a' });
  const lines = ['Slide all tiles with', 'the arrow keys, or', 'swipe with the mouse.', '', 'Equal tiles that meet', 'become one of twice', 'the value.'];
  lines.forEach((line, i) => text(ctx, line, 165, 168 + i * 32, { size: 23, color: '#b9c6de', bold: false }));
  text(ctx, `Goal: ${GOAL} points`, 165, 440, { size: 24, color: '#ffffff' });
  bar(ctx, 40, 462, 250, 26, s.score / GOAL, '#f7d154');
  text(ctx, 'Dead moves', 165, 548, { size: 24, color: '#ffffff' });
  for (let i = 0; i < DEAD; i++) disc(ctx, 65 + i * 50, 592, 17, i < s.dead ? '#ef6a4a' : '#33405c', '#8090b0');
  text(ctx, `${DEAD} in a row end the game`, 165, 640, { size: 20, color: '#b9c6de', bold: false });
}
