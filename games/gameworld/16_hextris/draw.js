// @ts-check
/** Six Sides, the picture: the hexagon with its layers, falling blocks, the rim that must not be reached. */

import { box, hud, polygon, sky, text } from '../../kit/draw.js';
import { blend, shade } from '../../kit/solid.js';
import { FAR, HEX, HIGHEST, LAYER, speed } from './rules.js';

const MIDDLE = { x: 640, y: 378 };
const PAINT = ['#ff4d57', '#3b8bff', '#ffd02e', '#3ccf70', '#b266ff'];
const RIM = HEX + LAYER * (HIGHEST + 1);

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  night(ctx);
  field(ctx, s.shown);
  for (const b of s.falling) trail(ctx, b);
  core(ctx, s.shown);
  s.sides.forEach((colors, side) =>
    colors.forEach((c, h) => block(ctx, side + s.shown, HEX + h * LAYER + 1, HEX + (h + 1) * LAYER - 2, PAINT[c])),
  );
  for (const b of s.falling) block(ctx, b.lane, b.at - LAYER / 2, b.at + LAYER / 2 - 3, PAINT[b.color], 0.8);
  text(ctx, s.score, MIDDLE.x, MIDDLE.y + 2, { size: 44, color: '#ffffff' });
  hud(ctx, [['Level', s.level], ['Score', s.score], ['Speed', `× ${speed(s).toFixed(1)}`]]);
  box(ctx, 996, 14, 268, 78, 'rgba(16,20,30,0.78)', { radius: 12 });
  text(ctx, 'Three or more touching', 1130, 38, { size: 20, color: '#dfe6ff', bold: false });
  text(ctx, 'of one colour vanish.', 1130, 68, { size: 20, color: '#dfe6ff', bold: false });
  if (s.sincePraise < 40) text(ctx, `+${s.praise}`, MIDDLE.x, MIDDLE.y - 120 - s.sincePraise, { size: 52, color: '#ffffff', outline: '#10142e' });
}

/** A dark room with hexagonal tiles, brighter towards the middle. @param {CanvasRenderingContext2D} ctx */
function night(ctx) {
  sky(ctx, '#12183a', '#0b0f26');
  const light = ctx.createRadialGradient(MIDDLE.x, MIDDLE.y, 120, MIDDLE.x, MIDDLE.y, 760);
  light.addColorStop(0, '#4a58b8');
  light.addColorStop(0.55, '#232c66');
  light.addColorStop(1, '#0d122c');
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, 1280, 720);
  ctx.strokeStyle = 'rgba(150, 170, 255, 0.10)';
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let row = -1; row < 9; row++) {
    for (let i = -1; i < 14; i++) {
      const [x, y] = [i * 104 + (row % 2) * 52, row * 90 + 18];
      for (let k = 0; k < 6; k++) {
        const a = (k + 0.5) * (Math.PI / 3);
        const at = /** @type {[number, number]} */ ([x + Math.cos(a) * 56, y + Math.sin(a) * 56]);
        if (k) ctx.lineTo(...at);
        else ctx.moveTo(...at);
      }
      ctx.closePath();
    }
  }
  ctx.stroke();
}

/** The field inside the red rim, its layers as fine lines, and the six ways that blocks fall.
 * @param {CanvasRenderingContext2D} ctx @param {number} turned */
function field(ctx, turned) {
  for (let lane = 0; lane < 6; lane++) {
    slab(ctx, lane, RIM, FAR + 40, lane % 2 ? 'rgba(160, 180, 255, 0.10)' : 'rgba(160, 180, 255, 0.05)');
  }
  hexagon(ctx, RIM + 9, turned, 'rgba(255, 77, 87, 0.20)');
  hexagon(ctx, RIM, turned, '#10163a', '#ff5a63', 5);
  for (let side = 0; side < 6; side++) slab(ctx, side + turned, HEX, RIM - 3, side % 2 ? '#1b2354' : '#151c48');
  for (let h = 1; h <= HIGHEST; h++) hexagon(ctx, HEX + h * LAYER, turned, undefined, 'rgba(150, 170, 255, 0.16)', 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} turned */
function core(ctx, turned) {
  hexagon(ctx, HEX, turned, '#0c102a', '#8fa2ff', 4);
  // Each face of the middle has its own light, so that its turning is seen.
  for (let side = 0; side < 6; side++) slab(ctx, side + turned, HEX - 16, HEX - 3, blend('#3a4790', '#8fa2ff', side / 6));
  const face = ctx.createRadialGradient(MIDDLE.x - 20, MIDDLE.y - 24, 6, MIDDLE.x, MIDDLE.y, 70);
  face.addColorStop(0, '#3d4a98');
  face.addColorStop(1, '#191f4a');
  hexagon(ctx, HEX - 16, turned, face);
}

/** Point at a distance along a direction given in sixths of a turn; lane 0 comes from above. @param {number} sixths @param {number} r @returns {[number, number]} */
function at(sixths, r) {
  const a = (sixths * Math.PI) / 3;
  return [MIDDLE.x + Math.sin(a) * r, MIDDLE.y - Math.cos(a) * r];
}

/** @param {CanvasRenderingContext2D} ctx @param {number} inner Distance of a side from the middle. @param {number} turned
 * @param {string|CanvasGradient} [fill] @param {string} [edge] @param {number} [line] */
function hexagon(ctx, inner, turned, fill, edge, line = 4) {
  const r = inner / Math.cos(Math.PI / 6);
  ctx.beginPath();
  for (let i = 0; i < 6; i++) ctx.lineTo(...at(i + 0.5 + turned, r));
  ctx.closePath();
  if (fill) {
    ctx.fillStyle = fill;
    ctx.fill();
  }
  if (!edge) return;
  ctx.strokeStyle = edge;
  ctx.lineWidth = line;
  ctx.lineJoin = 'round';
  ctx.stroke();
}

/** A part of a side between two distances. @param {CanvasRenderingContext2D} ctx @param {number} side @param {number} from
 * @param {number} to @param {string} fill @param {string} [edge] @param {number} [part] Share of the side's width. */
function slab(ctx, side, from, to, fill, edge, part = 1) {
  const widen = 1 / Math.cos(Math.PI / 6);
  const half = 0.5 * part;
  /** @param {number} turn @param {number} d @returns {[number, number]} */
  const corner = (turn, d) => at(side + turn, d * (Math.abs(turn) === 0.5 ? widen : 1 / Math.cos((turn * Math.PI) / 3)));
  polygon(ctx, [corner(-half, from), corner(half, from), corner(half, to), corner(-half, to)], fill, edge, 3);
}

/** A block: lit along its outer edge, dark along its inner one. @param {CanvasRenderingContext2D} ctx @param {number} side
 * @param {number} from @param {number} to @param {string} color @param {number} [part] */
function block(ctx, side, from, to, color, part = 1) {
  slab(ctx, side, from, to, color, undefined, part);
  slab(ctx, side, from, from + 8, shade(color, 0.72), undefined, part);
  slab(ctx, side, to - 9, to, blend(color, '#ffffff', 0.5), undefined, part);
  slab(ctx, side, from, to, 'rgba(0,0,0,0)', '#0a0d20', part);
}

/** Light behind a falling block shows where it comes from. @param {CanvasRenderingContext2D} ctx
 * @param {{lane: number, color: number, at: number}} b */
function trail(ctx, b) {
  for (let i = 0; i < 4; i++) {
    const from = b.at + LAYER / 2 + i * 14;
    slab(ctx, b.lane, from, from + 14, PAINT[b.color] + ['50', '38', '22', '10'][i], undefined, 0.74 - i * 0.06);
  }
}
