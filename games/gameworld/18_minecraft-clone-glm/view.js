// @ts-check
/** Block Valley, the land as seen: a ray for each pixel of a small picture, which is then enlarged. No WebGL. */

import { AIR, BEDROCK, COAL, DIRT, GRASS, IRON, LEAVES, LOG, STONE } from './blocks.js';
import { EYE } from './body.js';
import { SIZE, TALL, terrain } from './terrain.js';

const W = 320;
const H = 180;
/** Pixels of the whole picture for one unit at distance one. */
export const FOCAL = 760;
const FAR = 34;
const MIST = 18;
const SKY = [142, 196, 240];

const picture = new ImageData(W, H);
const pixels = new Uint32Array(picture.data.buffer);
const sheet = new OffscreenCanvas(W, H);
const sheetCtx = /** @type {OffscreenCanvasRenderingContext2D} */ (sheet.getContext('2d', { alpha: false, willReadFrequently: true }));
const cells = new Uint8Array(SIZE * SIZE * TALL);

/** @param {number} x @param {number} y */
function grain(x, y) {
  let h = Math.imul(x + 3, 0x85ebca6b) ^ Math.imul(y + 11, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** 16×16 colours. @param {(x: number, y: number) => number[]} paint */
function texture(paint) {
  const out = new Uint8Array(768);
  for (let y = 0; y < 16; y++) for (let x = 0; x < 16; x++) out.set(paint(x, y).map((v) => Math.max(0, Math.min(255, v))), (y * 16 + x) * 3);
  return out;
}

/** @param {number[]} c @param {number} rough @param {number} salt */
function rough(c, rough, salt) {
  return texture((x, y) => {
    const rim = x === 0 || y === 0 ? 0.82 : 1;
    return c.map((v) => v * rim * (1 - rough / 2 + rough * grain(x + salt * 16, y)));
  });
}

/** Stone with lumps of another colour. @param {number[]} lump @param {number} salt */
function ore(lump, salt) {
  const lumps = [[4, 4], [11, 5], [6, 11], [12, 12]];
  return texture((x, y) => {
    const inLump = lumps.some(([lx, ly]) => Math.abs(x - lx) + Math.abs(y - ly) < 3.2);
    const rim = x === 0 || y === 0 ? 0.82 : 1;
    return (inLump ? lump : [134, 138, 146]).map((v) => v * rim * (0.9 + 0.2 * grain(x + salt * 16, y)));
  });
}

const SOIL = rough([134, 94, 62], 0.3, 2);
const TURF = rough([92, 168, 66], 0.25, 1);
const TURF_SIDE = texture((x, y) => {
  const c = y < 4 + Math.floor(grain(x, 77) * 2.5) ? [92, 168, 66] : [134, 94, 62];
  return c.map((v) => v * (x === 0 ? 0.82 : 1) * (0.86 + 0.28 * grain(x + 160, y)));
});
const BARK = texture((x, y) => [104, 72, 42].map((v) => v * (x % 4 === 0 ? 0.68 : 1) * (0.85 + 0.3 * grain(x + 60, y >> 2))));
const RINGS = texture((x, y) => {
  const d = Math.max(Math.abs(x - 7.5), Math.abs(y - 7.5));
  return d > 6.6 ? [92, 62, 36] : Math.floor(d) % 2 ? [196, 154, 100] : [166, 124, 76];
});
/** Sides, top and bottom of each block. @type {Record<number, Uint8Array[]>} */
const TEXTURES = {
  [GRASS]: [TURF_SIDE, TURF, SOIL],
  [DIRT]: [SOIL, SOIL, SOIL],
  [STONE]: Array(3).fill(rough([134, 138, 146], 0.22, 4)),
  [LOG]: [BARK, RINGS, RINGS],
  [LEAVES]: Array(3).fill(texture((x, y) => [44, 122, 52].map((v) => v * (grain(x + 90, y) < 0.25 ? 0.6 : 0.8 + 0.4 * grain(x + 120, y))))),
  [COAL]: Array(3).fill(ore([34, 34, 40], 6)),
  [IRON]: Array(3).fill(ore([240, 150, 84], 7)),
  [BEDROCK]: Array(3).fill(rough([56, 56, 62], 0.6, 9)),
};

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function drawLand(ctx, s) {
  cells.set(terrain(s.land));
  for (const i in s.edits) cells[i] = s.edits[i];
  const { x, y, z, yaw, pitch } = s.player;
  const a = (yaw * Math.PI) / 180;
  const b = (pitch * Math.PI) / 180;
  const fx = Math.sin(a) * Math.cos(b);
  const fy = Math.sin(b);
  const fz = Math.cos(a) * Math.cos(b);
  const ux = -Math.sin(a) * Math.sin(b);
  const uy = Math.cos(b);
  const uz = -Math.cos(a) * Math.sin(b);
  const scale = 1280 / W / FOCAL;
  for (let py = 0; py < H; py++) {
    const v = (H / 2 - py - 0.5) * scale;
    for (let px = 0; px < W; px++) {
      const h = (px + 0.5 - W / 2) * scale;
      pixels[py * W + px] = trace(x, y + EYE, z, fx + ux * v + Math.cos(a) * h, fy + uy * v, fz + uz * v - Math.sin(a) * h);
    }
  }
  sheetCtx.putImageData(picture, 0, 0);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(sheet, 0, 0, 1280, 720);
}

/** The colour that a ray sees. @param {number} ox @param {number} oy @param {number} oz @param {number} dx @param {number} dy
 * @param {number} dz @returns {number} */
function trace(ox, oy, oz, dx, dy, dz) {
  const norm = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
  dx = dx * norm || 1e-9;
  dy = dy * norm || 1e-9;
  dz = dz * norm || 1e-9;
  let cx = Math.floor(ox);
  let cy = Math.floor(oy);
  let cz = Math.floor(oz);
  const sx = dx < 0 ? -1 : 1;
  const sy = dy < 0 ? -1 : 1;
  const sz = dz < 0 ? -1 : 1;
  const ex = Math.abs(1 / dx);
  const ey = Math.abs(1 / dy);
  const ez = Math.abs(1 / dz);
  let nx = (dx < 0 ? ox - cx : cx + 1 - ox) * ex;
  let ny = (dy < 0 ? oy - cy : cy + 1 - oy) * ey;
  let nz = (dz < 0 ? oz - cz : cz + 1 - oz) * ez;
  for (;;) {
    let t = 0;
    let axis = 0;
    if (nx < ny && nx < nz) {
      t = nx;
      nx += ex;
      cx += sx;
    } else if (ny < nz) {
      t = ny;
      ny += ey;
      cy += sy;
      axis = 1;
    } else {
      t = nz;
      nz += ez;
      cz += sz;
      axis = 2;
    }
    if (t > FAR || cx < 0 || cz < 0 || cx >= SIZE || cz >= SIZE || cy < 0 || (cy >= TALL && sy > 0)) return sky(dy);
    if (cy >= TALL) continue;
    const block = cells[(cy * SIZE + cz) * SIZE + cx];
    if (block !== AIR) return surface(block, axis, t, ox + dx * t, oy + dy * t, oz + dz * t, sy, dy);
  }
}

/** @param {number} block @param {number} axis @param {number} t @param {number} x @param {number} y @param {number} z
 * @param {number} sy @param {number} dy */
function surface(block, axis, t, x, y, z, sy, dy) {
  const face = axis === 1 ? (sy < 0 ? 1 : 2) : 0;
  const tex = TEXTURES[block][face];
  const u = axis === 0 ? z : x;
  const v = axis === 1 ? z : -y;
  const at = (((Math.floor(v * 16) & 15) << 4) + (Math.floor(u * 16) & 15)) * 3;
  const light = axis === 1 ? (sy < 0 ? 1.05 : 0.5) : axis === 0 ? 0.84 : 0.7;
  const m = t < MIST ? 0 : (t - MIST) / (FAR - MIST);
  const k = light * (1 - m);
  const r = Math.min(255, tex[at] * k + SKY[0] * m);
  const g = Math.min(255, tex[at + 1] * k + SKY[1] * m);
  const b = Math.min(255, tex[at + 2] * k + SKY[2] * m);
  return 0xff000000 | (b << 16) | (g << 8) | r;
}

/** @param {number} dy */
function sky(dy) {
  const k = Math.max(0, Math.min(1, dy));
  const r = SKY[0] + (70 - SKY[0]) * k;
  const g = SKY[1] + (130 - SKY[1]) * k;
  const b = SKY[2] + (220 - SKY[2]) * k;
  return 0xff000000 | (b << 16) | (g << 8) | r;
}
