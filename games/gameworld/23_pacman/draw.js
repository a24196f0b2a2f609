// @ts-check
/** Burrow Feast, the picture: glowing tunnels in the earth, crumbs, a hamster, slimes with eyes. */

import { disc, hud, sky, text } from '../../kit/draw.js';
import { hearts } from '../../kit/stages.js';
import { COLUMNS, open, ROWS, WAYS } from './maze.js';
import { at, LEFT, LIVES, mazeOf, PITCH, TOP } from './rules.js';

/** @type {Record<string, string>} */
const COAT = { hunter: '#e5484d', ambusher: '#e85aad', wanderer: '#21b8a8' };

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#3d2b22', '#2a1d17');
  tunnels(ctx, mazeOf(s), 64, '#d9a05b');
  tunnels(ctx, mazeOf(s), 56, '#17110e');
  for (const p of s.crumbs) disc(ctx, ...spot(p), 6, '#ffe9b8');
  for (const p of s.berries) berry(ctx, ...spot(p), s.frame);
  if (s.cherry) cherry(ctx, LEFT + s.cherry.col * PITCH, TOP + s.cherry.row * PITCH);
  for (const slime of s.slimes) blob(ctx, slime, s.frame);
  hamster(ctx, s);
  if (s.bonus) {
    const { x, y, points, age } = s.bonus;
    text(ctx, `+${points}`, x, y - 34 - age / 3, { size: 30, color: '#7dffb0', outline: '#17110e' });
  }
  hud(ctx, [['Score', s.score], ['Burrow', s.level]]);
  text(ctx, 'Burrow Feast', 640, 38, { size: 34, color: '#ffe9b8' });
  hearts(ctx, 1138, 14, s.lives, LIVES);
}

/** @param {string} place @returns {[number, number]} */
function spot(place) {
  const [x, y] = place.split(',').map(Number);
  return [LEFT + (x * PITCH) / 2, TOP + (y * PITCH) / 2];
}

/** @param {CanvasRenderingContext2D} ctx @param {string[]} maze @param {number} width @param {string} color */
function tunnels(ctx, maze, width, color) {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.lineCap = 'round';
  ctx.beginPath();
  for (let row = 0; row < ROWS; row++) {
    for (let col = 0; col < COLUMNS; col++) {
      for (const way of ['right', 'down']) {
        if (!open(maze, col, row, way)) continue;
        const x = LEFT + col * PITCH;
        const y = TOP + row * PITCH;
        ctx.moveTo(x, y);
        ctx.lineTo(x + WAYS[way][0] * PITCH, y + WAYS[way][1] * PITCH);
      }
    }
  }
  ctx.stroke();
  ctx.lineCap = 'butt';
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} frame */
function berry(ctx, x, y, frame) {
  disc(ctx, x, y, 19 + 3 * Math.sin(frame / 9), 'rgba(120, 170, 255, 0.35)');
  disc(ctx, x, y, 13, '#5b8cff', '#dbe6ff', 3);
  disc(ctx, x - 4, y - 4, 4, '#ffffff');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function cherry(ctx, x, y) {
  ctx.strokeStyle = '#4fae4a';
  ctx.lineWidth = 4;
  ctx.beginPath();
  ctx.moveTo(x - 9, y + 6);
  ctx.quadraticCurveTo(x - 4, y - 12, x + 8, y - 18);
  ctx.quadraticCurveTo(x + 6, y - 6, x + 9, y + 8);
  ctx.stroke();
  disc(ctx, x - 9, y + 9, 10, '#ff2d55', '#ffffff', 2);
  disc(ctx, x + 10, y + 11, 10, '#ff2d55', '#ffffff', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Slime} slime @param {number} frame */
function blob(ctx, slime, frame) {
  const [x, y] = at(slime);
  const pale = slime.scared > 0;
  const last = pale && slime.scared < 90 && frame % 20 < 10;
  const fill = pale ? (last ? '#ffffff' : '#6aa8ff') : COAT[slime.kind];
  const squash = Math.sin(frame / 6) * 3;
  const wide = 27 + squash;
  ctx.beginPath();
  ctx.moveTo(x - wide, y + 20);
  ctx.bezierCurveTo(x - wide + 2, y - 6, x - 16, y - 26 + squash, x, y - 26 + squash);
  ctx.bezierCurveTo(x + 16, y - 26 + squash, x + wide - 2, y - 6, x + wide, y + 20);
  ctx.quadraticCurveTo(x, y + 29, x - wide, y + 20);
  ctx.closePath();
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = '#0d0a08';
  ctx.lineWidth = 3;
  ctx.stroke();
  disc(ctx, x - 13, y - 13, 4, 'rgba(255,255,255,0.65)');
  const [dx, dy] = WAYS[slime.way];
  for (const side of [-10, 10]) {
    disc(ctx, x + side, y - 4, 8, '#ffffff', '#0d0a08', 2);
    if (slime.asleep) disc(ctx, x + side, y - 4, 7, fill);
    else disc(ctx, x + side + dx * 3, y - 4 + dy * 3, 4, pale ? '#2a4f9e' : '#0d0a08');
  }
  if (pale) text(ctx, '~~', x, y + 12, { size: 20, color: last ? '#d33' : '#ffffff' });
}

/** Seen from above: round ears, a brown back with a pale stripe, a pink nose in front. @param {CanvasRenderingContext2D} ctx
 * @param {import('./rules.js').State} s */
function hamster(ctx, s) {
  const [x, y] = at(s.you);
  if (s.sinceCaught < 40 && s.sinceCaught % 10 < 5) return;
  const [dx, dy] = WAYS[s.you.way];
  const trot = s.you.going ? Math.sin(s.frame / 2.5) * 3 : 0;
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(Math.atan2(dy, dx));
  for (const side of [-1, 1]) {
    disc(ctx, 12 + trot * side, side * 18, 6, '#ffd9b0', '#4d2a0c', 2);
    disc(ctx, -14 - trot * side, side * 18, 6, '#ffd9b0', '#4d2a0c', 2);
  }
  ellipse(ctx, -4, 0, 26, 20, '#f0962e');
  ellipse(ctx, -10, 0, 16, 8, '#ffe2b8', false);
  ellipse(ctx, 15, 0, 14, 15, '#f7ad4c');
  for (const side of [-1, 1]) {
    disc(ctx, 7, side * 13, 6.5, '#ff9fb0', '#4d2a0c', 2);
    disc(ctx, 19, side * 7, 3.6, '#1b120a');
  }
  disc(ctx, 28, 0, 4, '#ff6f86', '#4d2a0c', 1.5);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} rx @param {number} ry
 * @param {string} fill */
function ellipse(ctx, x, y, rx, ry, fill, edge = true) {
  ctx.beginPath();
  ctx.ellipse(x, y, rx, ry, 0, 0, 7);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = '#4d2a0c';
  ctx.lineWidth = 3;
  if (edge) ctx.stroke();
}
