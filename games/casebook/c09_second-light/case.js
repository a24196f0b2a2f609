// @ts-check
/**
 * A house of mirrors for a number: five tables on which light is led around, and where the way of the light is told.
 *
 * Solvable by construction: the way of the light is drawn first, its corners become mirrors and its signs lie on it, then
 * most mirrors are turned the wrong way and others are added that nobody needs.
 *
 * @typedef {'E'|'W'|'N'|'S'} Dir
 * @typedef {{c: number, r: number, slash: boolean}} Mirror  `slash`: it stands like a / before anybody has turned it.
 * @typedef {{c: number, r: number, sign: string}} Lens
 * @typedef {{row: number, out: number, mirrors: Mirror[], lenses: Lens[], turn: number[]}} Board
 *   The light comes in from the left in `row`; the eye is at the right in row `out`. `turn`: the mirrors that a walkthrough turns.
 */

import { stream } from '../../kit/random.js';

export const SIGNS = ['sun', 'moon', 'star', 'drop', 'leaf', 'key'];
export const COLUMNS = 9;
export const ROWS = 4;
/** The tables that hide a glass. */
export const TABLES = ['clock', 'wardrobe', 'piano', 'fountain'];
/** The hours of the sundial at which there is a sign. */
export const HOURS = ['II', 'IV', 'VI', 'VIII', 'X', 'XII'];

/** @type {Record<Dir, [number, number]>} */
const STEP = { E: [1, 0], W: [-1, 0], N: [0, -1], S: [0, 1] };
/** @type {Record<string, Dir>} */
const SLASH = { E: 'N', N: 'E', W: 'S', S: 'W' };
/** @type {Record<string, Dir>} */
const BACKSLASH = { E: 'S', S: 'E', W: 'N', N: 'W' };

/** The way of the light: its points, the signs that it goes through, and whether it ends in the eye.
 * @param {Board} board @param {boolean[]} turned by mirror */
export function trace(board, turned) {
  /** @type {Dir} */
  let dir = 'E';
  let [c, r] = [-1, board.row];
  const points = [[c, r]];
  const signs = [];
  for (;;) {
    c += STEP[dir][0];
    r += STEP[dir][1];
    if (c < 0 || c >= COLUMNS || r < 0 || r >= ROWS) break;
    const lens = board.lenses.find((l) => l.c === c && l.r === r);
    if (lens) signs.push(lens.sign);
    const i = board.mirrors.findIndex((m) => m.c === c && m.r === r);
    if (i < 0) continue;
    points.push([c, r]);
    dir = (board.mirrors[i].slash !== !!turned[i] ? SLASH : BACKSLASH)[dir];
  }
  points.push([c, r]);
  return { points, signs, eye: c === COLUMNS && r === board.out };
}

/** A way with so many corners that never meets itself, or null. @param {any} r @param {number} corners */
function way(r, corners) {
  let [x, y] = [-1, r.int(0, ROWS - 1)];
  const row = y;
  /** @type {Dir} */
  let dir = 'E';
  const used = new Set();
  const mirrors = [];
  const straight = [];
  const on = () => {
    x += STEP[dir][0];
    y += STEP[dir][1];
    const free = x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && !used.has(`${x} ${y}`);
    used.add(`${x} ${y}`);
    return free;
  };
  for (let i = 0; i < corners; i++) {
    const far = r.int(1, 3);
    for (let n = 0; n < far; n++) {
      if (!on()) return null;
      if (n < far - 1) straight.push([x, y]);
    }
    /** @type {Dir} */
    const next = i % 2 === 0 ? r.pick(['N', 'S']) : i === corners - 1 || r.chance(0.6) ? 'E' : 'W';
    mirrors.push({ c: x, r: y, slash: SLASH[dir] === next });
    dir = next;
  }
  while (x < COLUMNS - 1) {
    if (!on()) return null;
    straight.push([x, y]);
  }
  return { row, out: y, mirrors, straight, used };
}

/** A table whose light must go through these signs, in this order. @param {any} r @param {number} corners @param {string[]} told @returns {Board} */
function table(r, corners, told) {
  for (;;) {
    const w = way(r, corners);
    if (!w || w.straight.length < told.length + 1) continue;
    const at = r.shuffle(w.straight.map((_, i) => i)).slice(0, told.length).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
    const lenses = at.map((/** @type {number} */ i, /** @type {number} */ n) => ({ c: w.straight[i][0], r: w.straight[i][1], sign: told[n] }));
    const free = r.shuffle(Array.from({ length: COLUMNS * ROWS }, (_, i) => [i % COLUMNS, Math.floor(i / COLUMNS)]).filter(([c, y]) => !w.used.has(`${c} ${y}`)));
    const others = r.shuffle(SIGNS.filter((s) => !told.includes(s)));
    for (const sign of others.slice(0, 3)) {
      const [c, y] = /** @type {number[]} */ (free.pop());
      lenses.push({ c, r: y, sign });
    }
    const wrong = r.shuffle(w.mirrors.map((_, i) => i)).slice(0, corners === 4 ? 4 : r.int(4, corners));
    const mirrors = w.mirrors.map((m, i) => ({ ...m, slash: m.slash !== wrong.includes(i) }));
    for (const [c, y] of free.slice(0, 3)) mirrors.push({ c, r: y, slash: r.chance(0.5) });
    return { row: w.row, out: w.out, mirrors, lenses, turn: wrong.sort() };
  }
}

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `second light ${options.case}`, streams: {} }, 'case');
  const three = () => r.shuffle(SIGNS).slice(0, 3);
  const told = { window: three(), vanity: three(), candles: three() };
  const dial = r.shuffle(SIGNS);
  const hours = r.shuffle([0, 1, 2, 3, 4, 5]).slice(0, 3);
  /** What the light must go through, by table. @type {Record<string, string[]>} */
  const codes = {
    piano: told.window,
    // What stands in a mirror is read from the other side.
    fountain: [...told.vanity].reverse(),
    wardrobe: told.candles,
    clock: hours.map((/** @type {number} */ h) => dial[h]),
  };
  return {
    ...told, dial, hours, codes,
    stand: r.pick([[1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 2, 1]]),
    boards: {
      ...Object.fromEntries(TABLES.map((t, i) => [t, table(r, i < 2 ? 4 : 6, codes[t])])),
      gate: table(r, 6, ['ring 1', 'ring 2', 'ring 3', 'ring 4']),
    },
  };
}
