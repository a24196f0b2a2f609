// @ts-check
/** Six Sides, the picture: the hexagon with its layers, falling blocks, the rim that must not be reached. */

import { COLORS, hud, polygon, sky, text } from '../kit/draw.js';
import { FAR, HEX, HIGHEST, LAYER } from './rules.js';

const MIDDLE = { x: 640, y: 378 };
const PAINT = [COLORS.red, COLORS.blue, COLORS.yellow, COLORS.green, COLORS.purple];

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  table(ctx);
  hexagon(ctx, HEX + LAYER * (HIGHEST + 1), s.shown, '#d3d9e6', '#e5484d');
  for (let lane = 0; lane < 6; lane++) slab(ctx, lane, HEX + LAYER * (HIGHEST + 1), FAR + 16, 'rgba(120, 135, 170, 0.10)');
  hexagon(ctx, HEX, s.shown, '#2b3350', '#10162a');
  hexagon(ctx, HEX - 9, s.shown, '#37416a', '#4d5a90');
  s.sides.forEach((colors, side) =>
    colors.forEach((c, h) => slab(ctx, side + s.shown, HEX + h * LAYER + 1, HEX + (h + 1) * LAYER - 2, PAINT[c], '#1b2330')),
  );
  for (const b of s.falling) slab(ctx, b.lane, b.at - LAYER / 2, b.at + LAYER / 2 - 3, PAINT[b.color], '#1b2330', 0.8);
  text(ctx, s.score, MIDDLE.x, MIDDLE.y + 2, { size: 44, color: '#ffffff' });
  hud(ctx, [['Level', s.level], ['Score', s.score]]);
  text(ctx, 'Three or more touching', 1100, 44, { size: 22, color: '#3b4460', bold: false });
  text(ctx, 'of one colour vanish.', 1100, 74, { size: 22, color: '#3b4460', bold: false });
  if (s.sincePraise < 40) text(ctx, `+${s.praise}`, MIDDLE.x, MIDDLE.y - 120 - s.sincePraise, { size: 46, color: '#fff', outline: '#2b3350' });
}

/** A pale table with rings of hexagons and light on the middle. @param {CanvasRenderingContext2D} ctx */
function table(ctx) {
  sky(ctx, '#eef1f8', '#cdd5e6');
  for (let i = 9; i > 3; i--) hexagon(ctx, i * 82, 0, i % 2 ? 'rgba(150,166,204,0.10)' : 'rgba(255,255,255,0.22)', 'rgba(120,138,180,0.16)');
  const light = ctx.createRadialGradient(MIDDLE.x, MIDDLE.y, 60, MIDDLE.x, MIDDLE.y, 620);
  light.addColorStop(0, 'rgba(255,255,255,0.7)');
  light.addColorStop(1, 'rgba(255,255,255,0)');
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, 1280, 720);
}

/** Point at a distance along a direction given in sixths of a turn; lane 0 comes from above. @param {number} sixths @param {number} r @returns {[number, number]} */
function at(sixths, r) {
  const a = (sixths * Math.PI) / 3;
  return [MIDDLE.x + Math.sin(a) * r, MIDDLE.y - Math.cos(a) * r];
}

/** @param {CanvasRenderingContext2D} ctx @param {number} inner Distance of a side from the middle. @param {number} turned @param {string} fill @param {string} edge */
function hexagon(ctx, inner, turned, fill, edge) {
  const r = inner / Math.cos(Math.PI / 6);
  polygon(ctx, [0, 1, 2, 3, 4, 5].map((i) => at(i + 0.5 + turned, r)), fill, edge, 4);
}

/** A block over a side, between two distances. @param {CanvasRenderingContext2D} ctx @param {number} side @param {number} from @param {number} to @param {string} fill @param {string} [edge] @param {number} [part] Share of the side's width. */
function slab(ctx, side, from, to, fill, edge, part = 1) {
  const widen = 1 / Math.cos(Math.PI / 6);
  const half = 0.5 * part;
  /** @param {number} turn @param {number} d @returns {[number, number]} */
  const corner = (turn, d) => at(side + turn, d * (Math.abs(turn) === 0.5 ? widen : 1 / Math.cos((turn * Math.PI) / 3)));
  polygon(ctx, [corner(-half, from), corner(half, from), corner(half, to), corner(-half, to)], fill, edge, 2);
  // Light along the outer edge of a block.
  if (edge) polygon(ctx, [corner(-half, to - 7), corner(half, to - 7), corner(half, to - 2), corner(-half, to - 2)], 'rgba(255,255,255,0.38)');
}
