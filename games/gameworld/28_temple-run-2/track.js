// @ts-check
/** Ruin Runner, the path: straight stretches that end in corners, with obstacles and coins. Units and frames. */

import { stream } from '../../kit/random.js';

export const LANE = 2;
/** Half the width of the path. */
export const HALF = 3;

/**
 * `at`: middle along the stretch; `lanes`: where it stands. log: jump; beam: slide; block: another lane; gap: jump.
 * @typedef {{kind: 'log'|'beam'|'block'|'gap', at: number, lanes: number[]}} Item
 * @typedef {{at: number, lane: number, taken: boolean}} Coin
 * @typedef {{heading: number, x: number, z: number, length: number, turn: number, items: Item[], coins: Coin[]}} Stretch
 *   x, z: the middle of the corner where it begins; heading: quarter turns to the right since the start; turn: -1 left, 1 right
 */

/** Length along the path of each kind. */
export const DEPTH = { log: 0.7, beam: 0.6, block: 1.6, gap: 2.2 };

const ALL = [-1, 0, 1];

/** @param {Stretch} t @param {number} along @param {number} side @returns {[number, number]} world x and z */
export function place(t, along, side) {
  const [fx, fz] = forward(t.heading);
  return [t.x + fx * along + fz * side, t.z + fz * along - fx * side];
}

/** @param {number} heading @returns {[number, number]} */
export function forward(heading) {
  return /** @type {[number, number][]} */ ([[0, 1], [1, 0], [0, -1], [-1, 0]])[((heading % 4) + 4) % 4];
}

/**
 * The stretch after `before`. `pace` is the distance of a second at the speed the runner will about have.
 * @param {import('../../kit/random.js').Rng} rng @param {Stretch|null} before @param {number} pace
 */
export function nextStretch(rng, before, pace) {
  const r = stream(rng, 'path');
  const [x, z] = before ? place(before, before.length, 0) : [0, 0];
  const heading = before ? before.heading + before.turn : 0;
  // Never back towards the start: the path would meet itself.
  const turns = heading ? [-heading] : [-1, 1];
  /** @type {Stretch} */
  const t = {
    heading,
    x,
    z,
    length: 0,
    turn: r.pick(turns),
    items: [],
    coins: [],
  };
  let at = before ? 13 : 24;
  const n = before ? r.int(2, 4) : 3;
  for (let i = 0; i < n; i++) {
    const kind = r.pick(/** @type {const} */ (['log', 'log', 'beam', 'beam', 'block', 'block', 'gap']));
    const lanes = kind === 'block' ? r.pick([[-1], [0], [1], [-1, 0], [0, 1], [-1, 1]]) : ALL;
    t.items.push({ kind, at, lanes });
    const gap = pace * (kind === 'block' ? 1.3 : 1.2) + r.float(0, 5);
    coins(t, at + 3, at + gap - 3, kind === 'block' ? ALL.filter((l) => !lanes.includes(l)) : ALL, r);
    at = Math.round((at + gap) * 10) / 10;
  }
  t.length = Math.round(at + 4);
  return t;
}

/** @param {Stretch} t @param {number} from @param {number} to @param {number[]} lanes @param {any} r */
function coins(t, from, to, lanes, r) {
  const lane = r.pick(lanes);
  if (r.chance(0.3)) return;
  for (let at = from; at <= to; at += 2) t.coins.push({ at: Math.round(at * 10) / 10, lane, taken: false });
}
