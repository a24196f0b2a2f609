// @ts-check
/** Star Tube, the screen in words: the robot, and the rings of tiles in front of it, unrolled. */

import { distanceOf, speedOf } from './rules.js';
import { COLS, hasTile, ringAt, TILE, wrap } from './tunnel.js';

/** Rings ahead whose tiles a person can still tell apart in the picture. */
const RINGS = 18;
/** Updates of a step of 0.2 seconds. */
const STEP = 12;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const here = Math.floor(s.z / TILE);
  const column = Math.floor(s.u);
  const first = column - COLS / 2;
  const rings = Array.from({ length: RINGS }, (_, i) => `${String(i).padStart(2)} ${row(s, here + i, first)}`);
  const part = Math.round((s.u - column) * 100);
  const drift = Math.round(s.side * STEP * 10) / 10;
  return [
    `Distance: ${distanceOf(s).toFixed(0)}. Coins: ${s.coins}. Stars: ${s.stars}.`,
    `The robot runs forward about ${((speedOf(s) * STEP) / TILE).toFixed(1)} rings of tiles in 0.2 seconds. It is ${height(s)}.`,
    `It is in column 8 of the tunnel as unrolled below, ${part} percent of the way from the column's left edge to its right edge, ` +
      `and ${Math.round(((s.z / TILE) % 1) * 100)} percent along ring 0.`,
    drift ? `It moves ${drift < 0 ? 'left' : 'right'} by about ${Math.abs(drift)} columns in 0.2 seconds.` : 'It does not move sideways.',
    'The tunnel ahead, unrolled: one row for each ring, ring 0 is the one at the robot, later rows are farther away. Columns 0 to 15 go',
    'around the tunnel from left to right; column 0 is also the neighbour of column 15.',
    '   0123456789012345',
    ...rings,
    '# tile, . hole, o coin above a tile, * star above a tile, c coin above a hole, s star above a hole',
  ].join('\n');
}

/** @param {import('./rules.js').State} s @param {number} index @param {number} first */
function row(s, index, first) {
  const ring = ringAt(s.tunnel, index);
  return Array.from({ length: COLS }, (_, i) => {
    const c = wrap(first + i);
    const tile = hasTile(ring, c);
    if (ring?.star === c) return tile ? '*' : 's';
    if (ring?.coin === c) return tile ? 'o' : 'c';
    return tile ? '#' : '.';
  }).join('');
}

/** @param {import('./rules.js').State} s */
function height(s) {
  if (s.falling) return 'falling out of the tunnel';
  if (s.h <= 0) return 'on the wall';
  return `in the air, ${s.h.toFixed(1)} units above the wall and ${s.vh > 0 ? 'rising' : 'coming down'} (a jump is 2.4 units high)`;
}
