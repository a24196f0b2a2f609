// @ts-check
/** Steady Tower, the picture: the tower with depth, the sliding slab, guide lines from the top slab's edges. */

import { box, hud, polygon, sky, text } from '../kit/draw.js';
import { SLAB } from './rules.js';

/** Height of the tower's top on the screen, once the tower is taller than that. */
const TOP_Y = 400;
const GROUND = 610;
const DEPTH = 26;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  sky(ctx, '#fbe9d0', '#f6cfae', '#e9a58c');
  const height = s.tower.length * SLAB;
  const shift = Math.max(0, height - (GROUND - TOP_Y));
  const ground = GROUND + shift;
  if (ground < 760) box(ctx, 0, ground, 1280, 200, '#8d5a4a');
  s.tower.forEach((slab, i) => {
    const y = ground - (i + 1) * SLAB;
    if (y < 760) block(ctx, slab.x, slab.w, y, slab.hue);
  });
  const top = s.tower[s.tower.length - 1];
  const y = ground - (s.tower.length + 1) * SLAB;
  guides(ctx, top, y);
  if (s.chip) block(ctx, s.chip.x, s.chip.w, y + SLAB + s.chip.y, s.chip.hue);
  if (!s.over) block(ctx, s.slider.x, s.slider.w, y - 14, s.slider.hue);
  if (s.sinceDrop < 24 && s.lastFlush) text(ctx, 'Flush!', 640, y - 70, { size: 44, color: '#fff', outline: '#7a3b2e' });
  text(ctx, s.score, 640, 92, { size: 92, color: '#ffffff', outline: '#7a3b2e' });
  hud(ctx, [['Placed', s.score], ['Width', Math.round(top.w)]]);
}

/** One slab with a lit top and a dark side. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} w @param {number} y @param {number} hue */
function block(ctx, x, w, y, hue) {
  const left = x - w / 2;
  const right = x + w / 2;
  box(ctx, left, y, w, SLAB, `hsl(${hue} 62% 52%)`);
  polygon(ctx, [[left, y], [left + DEPTH, y - DEPTH / 2], [right + DEPTH, y - DEPTH / 2], [right, y]], `hsl(${hue} 70% 68%)`);
  const side = [[right, y], [right + DEPTH, y - DEPTH / 2], [right + DEPTH, y + SLAB - DEPTH / 2], [right, y + SLAB]];
  polygon(ctx, side, `hsl(${hue} 60% 38%)`);
}

/** Dashed lines up from the edges of the top slab. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Slab} top @param {number} y */
function guides(ctx, top, y) {
  ctx.strokeStyle = 'rgba(90, 40, 30, 0.55)';
  ctx.lineWidth = 3;
  ctx.setLineDash([8, 8]);
  for (const x of [top.x - top.w / 2, top.x + top.w / 2]) {
    ctx.beginPath();
    ctx.moveTo(x, y + SLAB);
    ctx.lineTo(x, y - 60);
    ctx.stroke();
  }
  ctx.setLineDash([]);
}
