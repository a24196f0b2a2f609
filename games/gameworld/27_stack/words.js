// @ts-check
/** Steady Tower, the screen in words: the sliding slab, the top of the tower, and how far they are apart. */

import { CENTRE, REACH } from './rules.js';

/** Updates of a step of 0.2 seconds. */
const STEP = 12;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const top = s.tower[s.tower.length - 1];
  const it = s.slider;
  const lines = [
    `Placed: ${s.score}. Width of the top slab: ${Math.round(top.w)}.`,
    'The screen is 1280 wide; x grows to the right.',
    `The top slab of the tower lies at ${span(top)}. Dashed lines mark its two edges.`,
  ];
  if (s.sinceDrop < 24 && s.lastFlush) lines.push('The screen says: Flush! The last drop was flush.');
  if (s.over) return [...lines, 'No slab is sliding any more.'].join('\n');
  const off = Math.round(it.x - top.x);
  const side = off < 0 ? 'left' : 'right';
  const comes = off && Math.sign(off) !== it.way ? 'It comes nearer.' : 'It moves away.';
  lines.push(
    `The sliding slab is at ${span(it)}, moving ${it.way < 0 ? 'left' : 'right'} by about ${Math.round(it.speed * STEP)} pixels in 0.2 seconds.`,
    off ? `It is ${Math.abs(off)} pixels too far ${side} to be flush. ${comes}` : 'It is exactly flush now.',
    `It turns back when its middle is at x=${CENTRE - REACH} or x=${CENTRE + REACH}.`,
  );
  return lines.join('\n');
}

/** @param {{x: number, w: number}} slab */
function span({ x, w }) {
  return `x=${Math.round(x - w / 2)} to ${Math.round(x + w / 2)} (middle ${Math.round(x)}, width ${Math.round(w)})`;
}
