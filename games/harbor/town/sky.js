// @ts-check
/** Harbour, the evening sky all around: painted once, by bearing and height. */

import { HAZE } from './raster.js';
import { grain } from './surfaces.js';

const WIDE = 1024;
const TALL = 192;
/** Degrees above the horizon at the top; the bottom is the horizon. */
const TOP = 48;
const sky = new Uint32Array(WIDE * TALL);

const mix = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {number} */ t) => a.map((v, i) => v + (b[i] - v) * t);

/** @param {number} x @param {number} y @param {number} nx @param {number} ny @param {number} salt */
function cloud(x, y, nx, ny, salt) {
  const [u, v] = [(x / WIDE) * nx, (y / TALL) * ny];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [a, b] = [u - i, v - j];
  const [p, q] = [a * a * (3 - 2 * a), b * b * (3 - 2 * b)];
  const at = (/** @type {number} */ k, /** @type {number} */ l) => grain(k % nx, l, salt);
  return (at(i, j) * (1 - p) + at(i + 1, j) * p) * (1 - q) + (at(i, j + 1) * (1 - p) + at(i + 1, j + 1) * p) * q;
}

for (let y = 0; y < TALL; y++) {
  const up = y / TALL;
  for (let x = 0; x < WIDE; x++) {
    const bearing = (x / WIDE) * 360;
    const west = Math.max(0, Math.cos(((bearing - 262) * Math.PI) / 180));
    const low = mix([176, 128, 142], [255, 176, 104], west ** 2);
    const middle = mix([112, 94, 142], [214, 128, 120], west ** 2 * 0.8);
    let c = up < 0.35 ? mix(low, middle, up / 0.35) : mix(middle, [48, 52, 98], Math.min(1, (up - 0.35) / 0.6));
    const cover = cloud(x, y, 14, 10, 1) * 0.55 + cloud(x, y, 34, 26, 2) * 0.3 + cloud(x, y, 80, 50, 3) * 0.15;
    const lit = mix([122, 92, 126], [255, 158, 116], west ** 1.5);
    c = mix(c, lit, Math.max(0, Math.min(1, (cover - 0.54) * 5)) * (0.75 - 0.5 * up));
    const sun = Math.hypot((bearing - 262) * 0.9, (up - 0.06) * TOP);
    c = mix(c, [255, 226, 160], Math.max(0, Math.min(1, 1.4 - sun / 3)));
    const moon = Math.hypot(bearing - 84, (up - 0.62) * TOP);
    if (moon < 1.7 && Math.hypot(bearing - 83.2, (up - 0.64) * TOP) > 1.5) c = [250, 244, 224];
    if (up > 0.5 && west < 0.5 && grain(x, y, 44) < 0.0035) c = mix(c, [255, 250, 236], 0.8);
    c = mix(HAZE, c, Math.min(1, 0.25 + up * 6));
    sky[y * WIDE + x] = (0xff000000 | (Math.round(c[2]) << 16) | (Math.round(c[1]) << 8) | Math.round(c[0])) >>> 0;
  }
}

/** Fills what no face covers. @param {import('./raster.js').Picture} picture */
export function fillSky(picture) {
  const { width, height, color, depth, focal } = picture;
  const camera = /** @type {import('./raster.js').Camera} */ (picture.camera);
  const columns = new Int32Array(width);
  for (let x = 0; x < width; x++) {
    const a = camera.yaw + Math.atan((x + 0.5 - width / 2) / focal);
    columns[x] = (Math.round((a / (2 * Math.PI)) * WIDE) + WIDE * 4) % WIDE;
  }
  for (let y = 0; y < height; y++) {
    const up = ((camera.pitch + Math.atan((height / 2 - y - 0.5) / focal)) * 180) / Math.PI;
    const row = Math.max(0, Math.min(TALL - 1, Math.round((up / TOP) * TALL)));
    for (let x = 0, i = y * width; x < width; x++, i++) if (depth[i] === 0) color[i] = sky[row * WIDE + columns[x]];
  }
}
