// @ts-check
/** Steady Tower, the picture: the tower with depth, the sliding slab, guide lines from the top slab's edges. */

import { box, disc, hud, polygon, sky, text } from '../../kit/draw.js';
import { SLAB } from './rules.js';

/** Height of the tower's top on the screen, once the tower is taller than that. */
const TOP_Y = 400;
const GROUND = 610;
const DEPTH = 26;

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const height = s.tower.length * SLAB;
  const shift = Math.max(0, height - (GROUND - TOP_Y));
  const ground = GROUND + shift;
  air(ctx, shift);
  if (ground < 760) square(ctx, ground);
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

/** Morning sky, sun, clouds and the roofs of a town that sink as the tower grows.
 * @param {CanvasRenderingContext2D} ctx @param {number} shift */
function air(ctx, shift) {
  sky(ctx, '#8fc7e8', '#f6dcc0', '#f0ab8d');
  const glow = ctx.createRadialGradient(1010, 250, 40, 1010, 250, 380);
  glow.addColorStop(0, 'rgba(255,244,205,0.9)');
  glow.addColorStop(1, 'rgba(255,236,190,0)');
  box(ctx, 0, 0, 1280, 720, glow);
  disc(ctx, 1010, 250, 58, '#fff6da');
  for (let i = 0; i < 9; i++) {
    const y = ((((i * 157 + shift * 0.35) % 900) + 900) % 900) - 100;
    const x = i % 2 ? 90 + ((i * 71) % 240) : 930 + ((i * 53) % 270);
    ctx.fillStyle = 'rgba(255,255,255,0.75)';
    ctx.beginPath();
    ctx.ellipse(x, y, 84, 20, 0, 0, 7);
    ctx.ellipse(x - 28, y - 15, 40, 22, 0, 0, 7);
    ctx.ellipse(x + 26, y - 11, 46, 20, 0, 0, 7);
    ctx.fill();
  }
  for (const [layer, [wall, roof]] of [['#e7b3a2', '#d9968a'], ['#cf8d83', '#b8706f']].entries()) {
    const down = shift * (0.3 + 0.25 * layer);
    for (let i = 0; i < 13; i++) {
      const x = i * 104 - 40 + layer * 48;
      const h = 96 - layer * 34 + ((i * 61 + layer * 37) % 110);
      const y = GROUND - h + down;
      box(ctx, x, y, 84, 720, wall);
      if ((i + layer) % 3) polygon(ctx, [[x - 6, y], [x + 42, y - 36], [x + 90, y]], roof);
      else box(ctx, x - 4, y - 12, 92, 14, roof);
      for (let k = 0; k < 6; k++) box(ctx, x + 14 + (k % 3) * 22, y + 20 + Math.floor(k / 3) * 34, 11, 17, 'rgba(255,240,205,0.55)');
    }
  }
}

/** The paved place that the tower stands on. @param {CanvasRenderingContext2D} ctx @param {number} ground */
function square(ctx, ground) {
  const stone = ctx.createLinearGradient(0, ground, 0, ground + 150);
  stone.addColorStop(0, '#b47b66');
  stone.addColorStop(1, '#74473c');
  box(ctx, 0, ground - 14, 1280, 240, stone);
  box(ctx, 0, ground - 14, 1280, 4, '#d9a48c');
  ctx.strokeStyle = 'rgba(70,36,30,0.35)';
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  for (let i = -12; i <= 12; i++) (ctx.moveTo(640 + i * 74, ground - 10), ctx.lineTo(640 + i * 130, ground + 170));
  for (const y of [22, 62, 120]) (ctx.moveTo(0, ground + y), ctx.lineTo(1280, ground + y));
  ctx.stroke();
}

/** One slab with a lit top and a dark side. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} w @param {number} y @param {number} hue */
function block(ctx, x, w, y, hue) {
  const left = x - w / 2;
  const right = x + w / 2;
  const front = ctx.createLinearGradient(0, y, 0, y + SLAB);
  front.addColorStop(0, `hsl(${hue} 66% 58%)`);
  front.addColorStop(1, `hsl(${hue} 60% 46%)`);
  box(ctx, left, y, w, SLAB, front);
  box(ctx, left, y, w, 3, `hsl(${hue} 80% 80%)`);
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
