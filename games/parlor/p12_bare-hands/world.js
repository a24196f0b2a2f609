// @ts-check
/** Bare Hands, the land: rows of letters, made of a seed. */

import { stream } from '../../kit/random.js';

export const WIDE = 192;
export const DEEP = 72;
/** Blocks on each side of the start without trees, reeds and ore in reach. */
const CLEARING = 36;

/** @typedef {{low: number, hills: number, crag: number, forests: number[][], shores: number[][], shift: number}} Shape */

/** @type {Record<string, Shape>} */
export const MAPS = {
  meadow: { low: 20, hills: 4, crag: 0, forests: [[14, 56], [136, 178]], shores: [[2, 10], [182, 189]], shift: 0 },
  highland: { low: 18, hills: 6, crag: 7, forests: [[30, 52], [150, 184]], shores: [[10, 22], [138, 146]], shift: 4 },
};

/** @param {import('../../kit/random.js').Rng} rng @param {string} map */
export function makeWorld(rng, map) {
  const shape = MAPS[map];
  const draw = stream(rng, 'land');
  const tops = heights(draw, shape);
  const rows = Array.from({ length: DEEP }, (_, y) => Array.from({ length: WIDE }, (_, x) => ground(draw, tops, x, y)));
  caves(draw, rows, tops);
  for (const [letter, from, to, count, size] of veins(shape)) {
    for (let n = 0; n < Number(count); n++) vein(draw, rows, tops, String(letter), Number(from), Number(to), Number(size));
  }
  for (let n = 0; n < 16; n++) depths(draw, rows);
  for (const [from, to] of shape.shores) shore(draw, rows, tops, from, to);
  for (const [from, to] of shape.forests) forest(draw, rows, tops, from, to);
  return { rows: rows.map((row) => row.join('')), tops };
}

/** @param {import('../../kit/random.js').Stream} draw @param {Shape} shape */
function heights(draw, shape) {
  const waves = [17, 31, 53].map((length) => ({ length, phase: draw.float(0, length), size: draw.float(0.5, 1) }));
  return Array.from({ length: WIDE }, (_, x) => {
    const wave = waves.reduce((sum, w) => sum + w.size * Math.sin(((x + w.phase) / w.length) * 2 * Math.PI), 0) / 3;
    const crag = shape.crag * Math.max(0, Math.sin(((x + waves[0].phase) / 41) * 2 * Math.PI)) ** 3;
    return Math.round(shape.low - shape.hills * wave - crag);
  });
}

/** @param {import('../../kit/random.js').Stream} draw @param {number[]} tops @param {number} x @param {number} y */
function ground(draw, tops, x, y) {
  const depth = y - tops[x];
  if (depth < 0) return '.';
  if (y >= DEEP - 2 || x === 0 || x === WIDE - 1) return 'b';
  if (depth === 0) return 'g';
  if (depth < 4) return 'd';
  return 's';
}

/** @param {Shape} shape letter, from row, to row, how many, how large */
function veins(shape) {
  const d = shape.shift;
  return [
    ['v', 26, 60, 44, 6],
    ['c', 26, 60, 46, 5],
    ['i', 30 + d, 62, 44, 4],
    ['o', 46 + d, 68, 26, 4],
    ['k', 54 + d, 69, 24, 3],
  ];
}

/** @param {import('../../kit/random.js').Stream} draw @param {string[][]} rows @param {number[]} tops
 * @param {string} letter @param {number} from @param {number} to @param {number} size */
function vein(draw, rows, tops, letter, from, to, size) {
  let [x, y] = [draw.int(3, WIDE - 4), draw.int(from, to)];
  for (let n = 0; n < size; n++) {
    if (rows[y]?.[x] === 's' && y > tops[x] + 4) rows[y][x] = letter;
    x += draw.int(-1, 1);
    y += draw.int(-1, 1);
  }
}

/** @param {import('../../kit/random.js').Stream} draw @param {string[][]} rows @param {number[]} tops */
function caves(draw, rows, tops) {
  for (let n = 0; n < 26; n++) {
    let [x, y] = [draw.int(6, WIDE - 7), draw.int(30, 62)];
    const way = draw.pick([-1, 1]);
    for (let step = draw.int(10, 34); step > 0; step--) {
      for (const [dx, dy] of [[0, 0], [0, -1], [draw.int(-1, 1), draw.int(-1, 1)]]) {
        const [cx, cy] = [x + dx, y + dy];
        if (cx > 1 && cx < WIDE - 2 && cy > tops[cx] + 5 && cy < DEEP - 3) rows[cy][cx] = '.';
      }
      x += draw.chance(0.8) ? way : 0;
      y += draw.int(-1, 1);
    }
  }
}

/** A pocket of magma in nightglass. @param {import('../../kit/random.js').Stream} draw @param {string[][]} rows */
function depths(draw, rows) {
  const [x, y] = [draw.int(6, WIDE - 7), draw.int(62, DEEP - 6)];
  for (let dy = -1; dy <= 2; dy++) {
    for (let dx = -3; dx <= 3; dx++) {
      if (Math.abs(dx) + Math.abs(dy) > 4) continue;
      rows[y + dy][x + dx] = dy === 1 && Math.abs(dx) < 2 ? 'm' : 'n';
    }
  }
}

/** A pond with sand and reeds. @param {import('../../kit/random.js').Stream} draw @param {string[][]} rows
 * @param {number[]} tops @param {number} from @param {number} to */
function shore(draw, rows, tops, from, to) {
  const level = Math.max(...tops.slice(from, to + 1));
  for (let x = from; x <= to; x++) {
    const bank = x - from < 2 || to - x < 2;
    for (let y = 0; y < level + 6; y++) {
      if (y < level) rows[y][x] = '.';
      else if (y === level && !bank) rows[y][x] = 'w';
      else rows[y][x] = y < level + 3 ? 'a' : 's';
    }
    tops[x] = level;
    if (bank) for (let y = level - 1; y > level - 1 - draw.int(2, 3); y--) rows[y][x] = 'r';
  }
}

/** @param {import('../../kit/random.js').Stream} draw @param {string[][]} rows @param {number[]} tops
 * @param {number} from @param {number} to */
function forest(draw, rows, tops, from, to) {
  for (let x = from + draw.int(0, 2); x <= to; x += draw.int(3, 6)) {
    const [top, tall] = [tops[x], draw.int(4, 6)];
    if (rows[top][x] !== 'g' || Math.abs(x - WIDE / 2) < CLEARING) continue;
    for (let dy = -2; dy <= 1; dy++) {
      for (let dx = -2; dx <= 2; dx++) {
        const [cx, cy] = [x + dx, top - tall + dy];
        if (Math.abs(dx) + Math.abs(dy) < 4 && rows[cy]?.[cx] === '.') rows[cy][cx] = 'f';
      }
    }
    for (let y = top - 1; y >= top - tall; y--) rows[y][x] = 'l';
  }
}
