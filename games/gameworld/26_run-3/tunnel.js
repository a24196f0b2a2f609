// @ts-check
/** Star Tube, the tunnel: rings of tiles made section by section, always with a way through. */

import { stream } from '../../kit/random.js';

/** Tiles around the tunnel. */
export const COLS = 16;
/** Length of a ring. */
export const TILE = 3;
const FULL = (1 << COLS) - 1;
const SOLID_START = 6;
/** Rings behind the runner, which the viewer still sees. */
export const BEHIND = 4;

/**
 * `tiles`: a bit for each column that has a tile; `coin`: column of a coin or -1; `star`: the same for a star.
 * @typedef {{tiles: number, coin: number, star: number, hue: number}} Ring
 * @typedef {{rings: Ring[], first: number, column: number, sections: number}} Tunnel
 *   first: index of rings[0]; column: where the way through is at the end
 */

/** @returns {Tunnel} */
export function newTunnel() {
  const rings = Array.from({ length: BEHIND + SOLID_START }, () => ({ tiles: FULL, coin: -1, star: -1, hue: 0 }));
  return { rings, first: -BEHIND, column: 0, sections: 0 };
}

/** The ring with that index, or undefined. @param {Tunnel} t @param {number} index */
export function ringAt(t, index) {
  return t.rings[index - t.first];
}

/** @param {number} column */
export function wrap(column) {
  return ((column % COLS) + COLS) % COLS;
}

/** @param {Ring|undefined} ring @param {number} column */
export function hasTile(ring, column) {
  return !!ring && (ring.tiles & (1 << wrap(Math.floor(column)))) !== 0;
}

/** Makes rings up to an index and forgets those before another. @param {import('../../kit/random.js').Rng} rng
 * @param {Tunnel} t @param {number} upTo @param {number} before */
export function extend(rng, t, upTo, before) {
  while (t.first + t.rings.length <= upTo) section(rng, t);
  while (t.first < before) {
    t.rings.shift();
    t.first += 1;
  }
}

/** @param {import('../../kit/random.js').Rng} rng @param {Tunnel} t */
function section(rng, t) {
  const r = stream(rng, 'tunnel');
  const n = t.sections++;
  const hue = n % 6;
  const hard = Math.min(1, n / 14);
  /** @param {number} tiles @param {number} [coin] @param {number} [star] */
  const add = (tiles, coin = -1, star = -1) => t.rings.push({ tiles, coin, star, hue });

  const kind = n < 2 ? 'gap' : n === 2 ? 'bands' : r.pick(['bands', 'holes', 'gap', 'bands']);
  if (kind === 'gap') {
    // The first two lie off to a side, and the first bends, so that its way has to be looked for.
    const early = n < 2;
    if (early) t.column = wrap(t.column + r.pick(n ? [-2, 2] : [-5, -4, -3, -2, 2, 3, 4, 5]));
    const bend = n ? 0 : r.pick([-1, 1]);
    for (let i = n ? 0 : r.int(0, 2); i > 0; i--) add(FULL);
    // Nothing at all for some rings: only a jump gets across.
    for (let i = 0; i < 3; i++) add(0);
    for (let i = 0; i < 4; i++) {
      if (i === 2) t.column = wrap(t.column + bend);
      add(around(t.column, early ? 2 : 3) | scatter(r, early ? 0 : 0.5));
    }
    return;
  }
  if (kind === 'holes') {
    for (let i = r.int(9, 13); i > 0; i--) {
      if (i % 2) t.column = wrap(t.column + r.int(-1, 1));
      add(around(t.column, 2) | scatter(r, 0.5 - 0.25 * hard), i % 3 === 0 ? t.column : -1);
    }
    return;
  }
  // A few long bands; the way leads over to another one, at first always away from where one runs.
  const side = r.pick([-1, 1]);
  t.column = wrap(t.column + side * 3);
  const width = hard > 0.6 ? 2 : 3;
  const others = [wrap(t.column + r.int(6, 8)), ...(hard < 0.5 ? [wrap(t.column - r.int(6, 7))] : [])];
  const tiles = [t.column, ...others].reduce((bits, c) => bits | around(c, width), 0);
  const length = r.int(7, 10);
  const star = n % 5 === 3 ? Math.floor(length / 2) : -1;
  for (let i = 0; i < length; i++) {
    // A break in the bands, short enough for any jump.
    const broken = n > 2 && i >= 4 && i < 6;
    add(broken ? 0 : tiles, !broken && i % 2 ? t.column : -1, i === star ? t.column : -1);
  }
  // Rings to change the band on.
  for (let i = 5; i > 0; i--) add(around(t.column, 9) | scatter(r, 0.3));
}

/** Bits of so many columns with that one in the middle. @param {number} column @param {number} width */
function around(column, width) {
  let bits = 0;
  for (let i = 0; i < width; i++) bits |= 1 << wrap(column - Math.floor(width / 2) + i);
  return bits;
}

/** @param {import('../../kit/random.js').Stream} r @param {number} share */
function scatter(r, share) {
  let bits = 0;
  for (let c = 0; c < COLS; c++) if (r.chance(share)) bits |= 1 << c;
  return bits;
}
