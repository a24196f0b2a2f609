// @ts-check
/** Block Valley, the land: a meadow with trees, one great tree, and a rock with ore. A pure function of the seed. */

import { seeded, stream } from '../../kit/random.js';
import { AIR, BEDROCK, COAL, DIRT, GRASS, IRON, LEAVES, LOG, STONE } from './blocks.js';

export const SIZE = 48;
export const TALL = 28;
const GROUND = 9;
const SOIL = 4;
export const START = 24;

/** @param {number} x @param {number} y @param {number} z */
export function index(x, y, z) {
  return (y * SIZE + z) * SIZE + x;
}

/** @param {number} x @param {number} y @param {number} z */
export function inside(x, y, z) {
  return x >= 0 && z >= 0 && y >= 0 && x < SIZE && z < SIZE && y < TALL;
}

/** The last land that was made; the same seed always gives the same one. @type {{seed: any, land: Uint8Array}|null} */
let known = null;

/** @param {number|string} seed @returns {Uint8Array} read only */
export function terrain(seed) {
  if (known?.seed !== seed) known = { seed, land: make(seed) };
  return /** @type {{land: Uint8Array}} */ (known).land;
}

/** @param {number|string} seed */
function make(seed) {
  const rng = seeded(seed);
  const land = new Uint8Array(SIZE * SIZE * TALL);
  const heights = meadow(rng, land);
  const rock = outcrop(rng, land, heights);
  plant(rng, land, heights, rock);
  return land;
}

/** @param {import('../../kit/random.js').Rng} rng @param {Uint8Array} land @returns {number[]} y of the highest block */
function meadow(rng, land) {
  const r = stream(rng, 'hills');
  const waves = [0, 1, 2].map((i) => ({ a: r.float(0, 6.28), k: 0.12 + 0.07 * i, p: r.float(0, 6.28), h: 1.1 / (1 + i) }));
  const heights = [];
  for (let z = 0; z < SIZE; z++) {
    for (let x = 0; x < SIZE; x++) {
      const calm = Math.min(1, Math.hypot(x - START, z - START) / 10);
      const wave = waves.reduce((sum, w) => sum + w.h * Math.sin((x * Math.cos(w.a) + z * Math.sin(w.a)) * w.k + w.p), 0);
      const top = Math.round(GROUND + wave * calm);
      heights.push(top);
      for (let y = 0; y <= top; y++) {
        let block = y === 0 ? BEDROCK : y < top - SOIL ? STONE : y < top ? DIRT : GRASS;
        if (block === STONE) block = r.chance(0.012) ? IRON : r.chance(0.04) ? COAL : STONE;
        land[index(x, y, z)] = block;
      }
    }
  }
  return heights;
}

/** A flat-topped rock with steep sides, full of ore. @param {import('../../kit/random.js').Rng} rng @param {Uint8Array} land
 * @param {number[]} heights */
function outcrop(rng, land, heights) {
  const r = stream(rng, 'rock');
  const a = r.pick([0, 1, 2, 3, 4, 5, 6, 7]) * (Math.PI / 4);
  const rock = { x: START + Math.sin(a) * 13, z: START + Math.cos(a) * 13, radius: 6 };
  for (let z = 0; z < SIZE; z++) {
    for (let x = 0; x < SIZE; x++) {
      const d = Math.hypot(x - rock.x, z - rock.z) + r.float(-0.4, 0.4);
      if (d > rock.radius) continue;
      const top = GROUND + (d < 3.5 ? 6 : 5) + (r.chance(0.25) ? 1 : 0);
      for (let y = 1; y <= top; y++) {
        const ore = r.chance(0.045) ? IRON : r.chance(0.09) ? COAL : STONE;
        land[index(x, y, z)] = ore;
      }
      heights[z * SIZE + x] = top;
    }
  }
  return rock;
}

/** @param {import('../../kit/random.js').Rng} rng @param {Uint8Array} land @param {number[]} heights
 * @param {{x: number, z: number, radius: number}} rock */
function plant(rng, land, heights, rock) {
  const r = stream(rng, 'trees');
  /** @type {{x: number, z: number}[]} */
  const trees = [];
  for (let tries = 0; tries < 300 && trees.length < 12; tries++) {
    const great = trees.length === 0;
    const a = r.float(0, 6.28);
    const d = great ? 8 : r.float(6, 21);
    const x = Math.round(START + Math.sin(a) * d);
    const z = Math.round(START + Math.cos(a) * d);
    if (x < 4 || z < 4 || x > SIZE - 6 || z > SIZE - 6) continue;
    if (Math.hypot(x - rock.x, z - rock.z) < rock.radius + 3.5) continue;
    if (trees.some((t) => Math.hypot(t.x - x, t.z - z) < 6)) continue;
    trees.push({ x, z });
    const foot = heights[z * SIZE + x];
    if (great) crown(r, land, x + 0.5, foot + 8, z + 0.5, 3.6);
    else crown(r, land, x, foot + 5, z, 2.4);
    for (let i = 1; i <= (great ? 8 : r.int(4, 5)); i++) {
      for (const [dx, dz] of great ? [[0, 0], [1, 0], [0, 1], [1, 1]] : [[0, 0]]) land[index(x + dx, foot + i, z + dz)] = LOG;
    }
    if (great) for (const [dx, dz] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
      for (let y = foot; y > foot - 3 && land[index(x + dx, y, z + dz)] === AIR; y--) land[index(x + dx, y, z + dz)] = LOG;
    }
  }
}

/** @param {import('../../kit/random.js').Stream} r @param {Uint8Array} land @param {number} cx @param {number} cy @param {number} cz
 * @param {number} radius */
function crown(r, land, cx, cy, cz, radius) {
  const n = Math.ceil(radius);
  for (let y = Math.floor(cy) - n; y <= cy + n; y++) {
    for (let z = Math.floor(cz) - n; z <= cz + n + 1; z++) {
      for (let x = Math.floor(cx) - n; x <= cx + n + 1; x++) {
        const d = Math.hypot(x - cx, (y - cy) * 1.25, z - cz);
        if (!inside(x, y, z) || d > radius || (d > radius - 0.6 && r.chance(0.3))) continue;
        if (land[index(x, y, z)] === AIR) land[index(x, y, z)] = LEAVES;
      }
    }
  }
}
