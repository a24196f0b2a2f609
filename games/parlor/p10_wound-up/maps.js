// @ts-check
/**
 * Wound Up, the maps: walls on a grid of 40 × 16 cells, six yards, and the ways of toys that walk. Each map is the same from
 * both sides when it is turned by half a circle.
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {Point & {letter: string, heaps: Point[], drums: Point[], slots: Point[], front: Point[]}} Yard
 */

export const CELL = 32;
export const COLUMNS = 40;
export const ROWS = 16;
export const WIDE = COLUMNS * CELL;
export const HIGH = ROWS * CELL;

/** Left halves. `yards`: x, y and the direction of the tin in degrees of the main yard, the near one and the far one. */
const HALVES = {
  rug: {
    yards: [[112, 256, 180], [508, 88, 270], [566, 424, 90]],
    walls: [
      '....................', '....................', '....................', '....................',
      '............#.......', '............#.......', '............#.....##', '............#.....##',
      '............#.....##', '............#.....##', '............#.......', '............#.......',
      '....................', '....................', '....................', '....................',
    ],
  },
  attic: {
    yards: [[112, 128, 180], [132, 420, 150], [616, 96, 270]],
    walls: [
      '....................', '....................', '....................', '....................',
      '....................', '....................', '..............###...', '..............#.....',
      '........#######.....', '..............#.....', '..............#.....', '..............#..###',
      '.................#..', '....................', '....................', '....................',
    ],
  },
};
export const MAPS = Object.keys(HALVES);

/** @param {Point} a @param {Point} b */
export const apart = (a, b) => Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));

/** @param {Point} p @returns {Point} */
const turned = (p) => ({ x: WIDE - p.x, y: HIGH - p.y });

/** @param {typeof HALVES.rug} half */
function make(half) {
  const walls = half.walls.map((row, r) => (row + [...half.walls[ROWS - 1 - r]].reverse().join('')).split('').map((c) => c === '#'));
  const free = (/** @type {Point} */ p) => p.x > 24 && p.x < WIDE - 24 && p.y > 24 && p.y < HIGH - 24 && !walls[Math.floor(p.y / CELL)][Math.floor(p.x / CELL)];
  const spots = half.yards.map(([x, y, out]) => ({ x, y, out }));
  const yards = spots.map((spot, n) => {
    const at = (/** @type {number} */ angle, /** @type {number} */ far) => ({
      x: Math.round(spot.x + far * Math.cos((angle * Math.PI) / 180)),
      y: Math.round(spot.y + far * Math.sin((angle * Math.PI) / 180)),
    });
    const heaps = Array.from({ length: 8 }, (_, i) => at(spot.out - 56 + 16 * i, 74));
    const drums = [at(spot.out - 88, 78), at(spot.out + 88, 78)];
    const grid = Array.from({ length: 165 }, (_, i) => ({ x: spot.x + ((i % 15) - 7) * 46, y: spot.y + (Math.floor(i / 15) - 5) * 44 }));
    const place = grid.filter(
      (p) =>
        free(p) &&
        apart(p, spot) > 60 &&
        apart(p, spot) < (n === 0 ? 310 : 200) &&
        [...heaps, ...drums].every((h) => apart(p, h) > 40) &&
        spots.every((o) => o === spot || apart(p, o) > (n === 0 ? 220 : apart(p, spot) + 40)),
    );
    // Towers stand where the enemy comes from; the rest stands close to the chest.
    const gate = { x: spot.x + (n === 0 ? 190 : 90), y: spot.y + (spot.y < HIGH / 2 ? 40 : -40) * (n === 0 ? 0 : 1) };
    const front = [...place].sort((a, b) => apart(a, gate) - apart(b, gate) || a.x - b.x || a.y - b.y).slice(0, 6);
    const slots = place.filter((p) => !front.includes(p)).sort((a, b) => apart(a, spot) - apart(b, spot) || a.x - b.x || a.y - b.y).slice(0, n === 0 ? 22 : 6);
    return { letter: 'ABC'[n], x: spot.x, y: spot.y, heaps, drums, slots, front };
  });
  const others = yards.map((y, n) => ({
    letter: 'FED'[n],
    ...turned(y),
    heaps: y.heaps.map(turned),
    drums: y.drums.map(turned),
    slots: y.slots.map(turned),
    front: y.front.map(turned),
  }));
  /** The yards of both sides, in the order in which each side reaches them. */
  return { walls, yards: [...yards, ...others].sort((a, b) => (a.letter < b.letter ? -1 : 1)) };
}

/** @type {Record<string, {walls: boolean[][], yards: Yard[]}>} */
export const PLANS = Object.fromEntries(Object.entries(HALVES).map(([name, half]) => [name, make(half)]));

/** Order in which a side reaches the yards. */
export const REACH = [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]];

/** Steps from each cell to a target; the same for every game, so they are computed once. @type {Map<string, Int16Array>} */
const fields = new Map();

/** @param {string} map @param {number} target a cell's number */
function field(map, target) {
  const key = `${map} ${target}`;
  const known = fields.get(key);
  if (known) return known;
  const { walls } = PLANS[map];
  const far = new Int16Array(COLUMNS * ROWS).fill(9999);
  far[target] = 0;
  const line = [target];
  for (let i = 0; i < line.length; i++) {
    const c = line[i] % COLUMNS;
    const r = Math.floor(line[i] / COLUMNS);
    for (const [dc, dr] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const n = (r + dr) * COLUMNS + c + dc;
      if (c + dc < 0 || c + dc >= COLUMNS || r + dr < 0 || r + dr >= ROWS || walls[r + dr][c + dc] || far[n] <= far[line[i]] + 1) continue;
      far[n] = far[line[i]] + 1;
      line.push(n);
    }
  }
  fields.set(key, far);
  return far;
}

/** @param {Point} p */
export const cellOf = (p) => Math.min(ROWS - 1, Math.max(0, Math.floor(p.y / CELL))) * COLUMNS + Math.min(COLUMNS - 1, Math.max(0, Math.floor(p.x / CELL)));

/** @param {string} map @param {number} cell */
export const walled = (map, cell) => PLANS[map].walls[Math.floor(cell / COLUMNS)][cell % COLUMNS];

/** Where a toy that walks to a place goes next. @param {string} map @param {Point & {id: number}} u @param {Point} goal @returns {Point} */
export function ahead(map, u, goal) {
  if (apart(u, goal) < 48) return goal;
  const far = field(map, cellOf(goal));
  const here = cellOf(u);
  const c = here % COLUMNS;
  const r = Math.floor(here / COLUMNS);
  let best = here;
  for (let dr = -1; dr <= 1; dr++) {
    for (let dc = -1; dc <= 1; dc++) {
      if (c + dc < 0 || c + dc >= COLUMNS || r + dr < 0 || r + dr >= ROWS) continue;
      const n = here + dr * COLUMNS + dc;
      // No way between two walls that touch at a corner.
      if (dc && dr && (far[here + dc] === 9999 || far[here + dr * COLUMNS] === 9999)) continue;
      if (far[n] < far[best]) best = n;
    }
  }
  if (best === here) return goal;
  return { x: (best % COLUMNS) * CELL + 16 + ((u.id * 7) % 19) - 9, y: Math.floor(best / COLUMNS) * CELL + 16 + ((u.id * 11) % 19) - 9 };
}
