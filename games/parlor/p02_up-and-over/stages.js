// @ts-check
/**
 * The two stages of Up and Over, as pieces from left to right. The order of the pieces is fixed; how far one is from the
 * next is drawn from the seed, within a tile.
 *
 * `run n`: n tiles of free ground · `trunk n`, `crates n`: n tiles high · `steps h…`: columns of these heights ·
 * `ditch n`: n tiles wide · `snail`, `wasp`: there · `thorns n low`: n tiles long from there on, `low` pixels above the ground.
 *
 * @typedef {{kind: 'trunk'|'crates'|'step', x: number, w: number, h: number}} Solid  stands on the ground
 * @typedef {{x: number, w: number}} Ditch
 * @typedef {{x: number, w: number, low: number}} Thorns
 * @typedef {{kind: 'snail'|'wasp', x: number, y: number, vx: number, age: number, flat: number}} Foe  `y`: height of its feet
 * @typedef {{solids: Solid[], ditches: Ditch[], thorns: Thorns[], foes: Foe[], start: number, flag: number}} Stage
 */

import { stream } from '../../kit/random.js';

export const TILE = 48;
const START = 260;
const TRUNK = 2 * TILE;

/** @type {Record<string, [string, ...number[]][]>} */
const STAGES = {
  meadow: [
    ['run', 3], ['trunk', 3], ['gap', 2.5], ['thorns', 9, 112], ['run', 2], ['crates', 1], ['run', 6.5],
    ['ditch', 3], ['run', 5], ['snail'], ['run', 1], ['trunk', 2], ['ditch', 2], ['run', 3],
    ['steps', 1, 2, 3], ['ditch', 2], ['steps', 3, 2, 1], ['run', 4], ['wasp'], ['run', 3], ['crates', 2], ['run', 6],
    ['snail'], ['run', 2], ['snail'], ['run', 2], ['ditch', 4], ['run', 3], ['trunk', 3], ['run', 6], ['snail'],
    ['thorns', 5, 168], ['run', 1], ['crates', 2], ['run', 5], ['ditch', 3], ['run', 4], ['wasp'], ['run', 2],
    ['steps', 1, 2, 3, 3], ['run', 2], ['ditch', 2], ['run', 1], ['ditch', 3], ['run', 4], ['trunk', 1], ['run', 5],
    ['snail'], ['run', 1], ['snail'], ['thorns', 6, 144], ['run', 3], ['ditch', 1], ['run', 4], ['trunk', 2], ['ditch', 3],
    ['trunk', 2], ['run', 5], ['wasp'], ['run', 1], ['crates', 3], ['run', 4], ['snail'], ['run', 2], ['ditch', 4],
    ['steps', 1, 2, 3], ['run', 4],
  ],
  hill: [
    ['run', 3], ['crates', 3], ['gap', 3], ['thorns', 8, 112], ['run', 3], ['ditch', 1], ['run', 6],
    ['thorns', 4, 160], ['run', 1], ['crates', 2], ['run', 5], ['steps', 3],
    ['ditch', 3], ['run', 4], ['wasp'], ['run', 3], ['trunk', 1], ['ditch', 2], ['trunk', 2], ['ditch', 2], ['trunk', 3],
    ['run', 6], ['snail'], ['run', 3], ['ditch', 4], ['run', 3], ['thorns', 7, 144], ['run', 2], ['ditch', 2], ['run', 6],
    ['crates', 3], ['run', 5], ['snail'], ['run', 1], ['steps', 2, 2], ['ditch', 3], ['steps', 2, 2], ['run', 4], ['wasp'],
    ['run', 2], ['wasp'], ['run', 3], ['crates', 2], ['ditch', 1], ['crates', 2], ['run', 5], ['snail'], ['run', 2],
    ['ditch', 4], ['run', 2], ['trunk', 3], ['run', 4], ['thorns', 4, 168], ['run', 1], ['trunk', 2], ['run', 5], ['snail'],
    ['run', 1], ['snail'], ['run', 2], ['ditch', 2], ['steps', 1], ['ditch', 2], ['steps', 2], ['ditch', 2], ['steps', 3],
    ['run', 5], ['wasp'], ['run', 2], ['crates', 2], ['run', 4], ['ditch', 4], ['run', 3], ['steps', 3, 2, 1], ['run', 4],
  ],
};
export const NAMES = Object.keys(STAGES);

/** @param {string} name @param {import('../../kit/random.js').Rng} rng @returns {Stage} */
export function build(name, rng) {
  const draw = stream(rng, 'stage');
  let x = START;
  /** @type {Stage} */
  const stage = { solids: [], ditches: [], thorns: [], foes: [], start: START, flag: 0 };
  /** @param {Solid['kind']} kind @param {number} w @param {number} tiles */
  const stand = (kind, w, tiles) => {
    stage.solids.push({ kind, x, w, h: tiles * TILE });
    x += w;
  };
  for (const [piece, n, ...more] of STAGES[name]) {
    if (piece === 'run') x += n * TILE + 4 * draw.int(0, TILE / 4 - 1);
    else if (piece === 'gap') x += n * TILE;
    else if (piece === 'trunk') stand('trunk', TRUNK, n);
    else if (piece === 'crates') stand('crates', TILE, n);
    else if (piece === 'steps') for (const h of [n, ...more]) stand('step', TILE, h);
    else if (piece === 'thorns') stage.thorns.push({ x, w: n * TILE, low: more[0] });
    else if (piece === 'ditch') {
      stage.ditches.push({ x, w: n * TILE });
      x += n * TILE;
    } else {
      const snail = piece === 'snail';
      stage.foes.push({ kind: snail ? 'snail' : 'wasp', x, y: snail ? 0 : 60, vx: snail ? -1 : 0, age: draw.int(0, 89), flat: 0 });
    }
  }
  stage.flag = x;
  return stage;
}
