// @ts-check
/** Stone Keep, walls, floor and ceiling: one ray for each column of a small picture that is then enlarged. */

import { charAt, isWall } from './level.js';
import { doorAt } from './world.js';

export const COLUMNS = 640;
const ROWS = 360;
/** Tangent of half the horizontal angle of view. */
export const SPREAD = 0.65;
const TEX = 64;

const picture = new ImageData(COLUMNS, ROWS);
const pixels = new Uint32Array(picture.data.buffer);
const sheet = new OffscreenCanvas(COLUMNS, ROWS);
const sheetCtx = /** @type {OffscreenCanvasRenderingContext2D} */ (sheet.getContext('2d', { alpha: false, willReadFrequently: true }));

/** A repeatable number in [0, 1) for a place. @param {number} x @param {number} y */
function grain(x, y) {
  let h = Math.imul(x + 1, 0x85ebca6b) ^ Math.imul(y + 7, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** @param {(x: number, y: number) => number[]} paint @returns {Uint8Array} rgb of 64×64 */
function texture(paint) {
  const out = new Uint8Array(TEX * TEX * 3);
  for (let y = 0; y < TEX; y++) for (let x = 0; x < TEX; x++) out.set(paint(x, y), (y * TEX + x) * 3);
  return out;
}

/** @param {number} w @param {number} h @param {number[]} color @param {number[]} joint */
function bricks(w, h, color, joint) {
  return texture((x, y) => {
    const row = Math.floor(y / h);
    const shifted = x + (row % 2 ? w / 2 : 0);
    if (y % h < 2 || shifted % w < 2) return joint;
    const tone = 0.8 + 0.25 * grain(Math.floor(shifted / w) % (TEX / w), row) + 0.12 * (grain(x, y) - 0.5);
    return color.map((c) => Math.min(255, c * tone));
  });
}

const DOOR = texture((x, y) => {
  if (x < 4 || x > 59 || y < 3) return [70, 58, 40];
  if (y % 16 < 2) return [120, 92, 40];
  if (Math.hypot(x - 50, y - 34) < 4) return [255, 220, 90];
  const tone = 0.9 + 0.2 * grain(Math.floor(x / 8), 3);
  return [200 * tone, 140 * tone, 40 * tone].map((v) => Math.min(255, v));
});
/** @type {Record<string, Uint8Array>} */
const TEXTURES = {
  '#': bricks(32, 16, [128, 134, 150], [58, 62, 74]),
  B: bricks(16, 8, [176, 84, 62], [84, 46, 38]),
  W: bricks(8, 64, [126, 88, 54], [62, 42, 26]),
  D: DOOR,
};

/**
 * Draws the building from a point. Returns the distance of what each column shows, so that figures can hide behind it.
 * @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, angle: number}} eye
 * @param {import('./world.js').Door[]} doors
 */
export function drawWalls(ctx, eye, doors) {
  const a = (eye.angle * Math.PI) / 180;
  const fx = Math.cos(a);
  const fy = Math.sin(a);
  const depths = new Float64Array(COLUMNS);
  flats(eye, fx, fy);
  for (let i = 0; i < COLUMNS; i++) {
    const k = ((i + 0.5) / COLUMNS) * 2 - 1;
    const hit = cast(eye, fx - fy * k * SPREAD, fy + fx * k * SPREAD, doors);
    depths[i] = hit.depth;
    slice(i, hit);
  }
  sheetCtx.putImageData(picture, 0, 0);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(sheet, 0, 0, 1280, 720);
  return depths;
}

/** @typedef {{depth: number, u: number, char: string, side: boolean}} Hit */

/** The first wall or door on a ray. @param {{x: number, y: number}} eye @param {number} dx @param {number} dy
 * @param {import('./world.js').Door[]} doors @returns {Hit} */
function cast(eye, dx, dy, doors) {
  let x = Math.floor(eye.x);
  let y = Math.floor(eye.y);
  const sx = dx < 0 ? -1 : 1;
  const sy = dy < 0 ? -1 : 1;
  const stepX = Math.abs(1 / (dx || 1e-9));
  const stepY = Math.abs(1 / (dy || 1e-9));
  let tx = (dx < 0 ? eye.x - x : x + 1 - eye.x) * stepX;
  let ty = (dy < 0 ? eye.y - y : y + 1 - eye.y) * stepY;
  for (let n = 0; n < 64; n++) {
    const side = tx < ty;
    const t = side ? tx : ty;
    if (side) {
      x += sx;
      tx += stepX;
    } else {
      y += sy;
      ty += stepY;
    }
    const c = charAt(x, y);
    if (isWall(c)) return { depth: t, u: frac(side ? eye.y + dy * t : eye.x + dx * t), char: c, side };
    if (c !== 'D') continue;
    // A door stands in the middle of its cell and slides into the wall.
    const middle = t + (side ? stepX : stepY) / 2;
    const u = (side ? eye.y + dy * middle - y : eye.x + dx * middle - x) + (doorAt(doors, x, y)?.open ?? 0);
    if (middle < (side ? ty : tx) && u >= (doorAt(doors, x, y)?.open ?? 0) && u < 1) return { depth: middle, u, char: 'D', side };
  }
  return { depth: 64, u: 0, char: '#', side: false };
}

/** @param {number} v */
function frac(v) {
  return v - Math.floor(v);
}

/** @param {number} i @param {Hit} hit */
function slice(i, hit) {
  const tex = TEXTURES[hit.char];
  const size = ROWS / 2 / (hit.depth * SPREAD) * (COLUMNS / ROWS);
  const top = ROWS / 2 - size / 2;
  const light = Math.min(1, 1.3 / (1 + hit.depth * 0.08)) * (hit.side ? 1 : 0.78);
  const u = Math.min(TEX - 1, Math.floor(hit.u * TEX));
  const end = Math.min(ROWS, Math.ceil(top + size));
  for (let y = Math.max(0, Math.floor(top)); y < end; y++) {
    const v = Math.max(0, Math.min(TEX - 1, Math.floor(((y + 0.5 - top) / size) * TEX)));
    const at = (v * TEX + u) * 3;
    pixels[y * COLUMNS + i] =
      0xff000000 | ((tex[at + 2] * light) << 16) | ((tex[at + 1] * light) << 8) | (tex[at] * light);
  }
}

/** Floor tiles and the ceiling. @param {{x: number, y: number}} eye @param {number} fx @param {number} fy */
function flats(eye, fx, fy) {
  for (let y = ROWS / 2; y < ROWS; y++) {
    const depth = (COLUMNS / 4 / SPREAD) / (y + 0.5 - ROWS / 2);
    const light = Math.min(1, 1.3 / (1 + depth * 0.13));
    let wx = eye.x + depth * (fx + fy * SPREAD);
    let wy = eye.y + depth * (fy - fx * SPREAD);
    const dx = (-2 * fy * SPREAD * depth) / COLUMNS;
    const dy = (2 * fx * SPREAD * depth) / COLUMNS;
    const dark = pack(104 * light, 98 * light, 88 * light);
    const pale = pack(128 * light, 121 * light, 108 * light);
    const above = pack(70 * light, 80 * light, 104 * light);
    const floor = y * COLUMNS;
    const ceiling = (ROWS - 1 - y) * COLUMNS;
    for (let i = 0; i < COLUMNS; i++) {
      pixels[floor + i] = (Math.floor(wx) + Math.floor(wy)) & 1 ? dark : pale;
      pixels[ceiling + i] = above;
      wx += dx;
      wy += dy;
    }
  }
}

/** @param {number} r @param {number} g @param {number} b */
function pack(r, g, b) {
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}
