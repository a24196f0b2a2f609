// @ts-check
/** Miner's Descent, the screen in words: the miner, and the ledges in the picture from the nearest on. */

import { CEILING, FULL_HP, LEDGE_W, LEFT, lived, metres, MINER_H, MINER_W, RIGHT } from './rules.js';

/** @type {Record<import('./rules.js').Kind, string>} */
const LEDGES = {
  stone: 'grey',
  spikes: 'red with spikes',
  left: 'blue belt that carries to the left',
  right: 'blue belt that carries to the right',
  sand: 'cracked yellow',
};
/** The motion of a picture that is a quarter of a second later. */
const STEP = 15;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const [x, y] = [Math.round(s.x), Math.round(s.y)];
  const seen = s.ledges.filter((l) => l.y > CEILING - 40 && l.y < 720);
  const ledge = seen.find((l) => l.id === s.on);
  const rise = Math.round(s.rise * STEP);
  const lines = [
    `The screen is 1280 wide and 720 high; y grows downwards. The shaft lies between the walls at x=${LEFT} and x=${RIGHT}.`,
    `The tips of the ceiling's spikes are at y=${CEILING}; the bottom of the picture is y=720.`,
    `Time: ${(lived(s) / 1000).toFixed(1)} s. Depth: ${metres(s)} m. Health: ${s.hp} of ${FULL_HP}.`,
    `The miner is ${MINER_W} wide and ${MINER_H} high: feet at x=${x}, y=${y}, top of the head at y=${y - MINER_H}.`,
    s.on >= 0
      ? `The miner stands on a ledge (${ledge ? LEDGES[ledge.kind] : 'just below the picture'}) and rises with it by about ${rise} pixels in 0.25 seconds.`
      : `The miner is in the air, falling by about ${Math.round(s.vy * STEP)} pixels in 0.25 seconds.`,
    `All ledges rise by about ${rise} pixels in 0.25 seconds. Each is ${LEDGE_W} wide; y is its top.`,
    'Ledges in the picture, from top to bottom:',
  ];
  for (const l of seen) {
    const under = l.id === s.on ? ' The miner stands on it.' : '';
    const worn = l.worn ? ' It is giving way.' : '';
    lines.push(`- y=${Math.round(l.y)}, x=${l.x - LEDGE_W / 2} to ${l.x + LEDGE_W / 2}: ${LEDGES[l.kind]}.${under}${worn}${place(s.x, l)}`);
  }
  return lines.join('\n');
}

/** Whether the miner is above it, or to which side it lies. @param {number} x @param {import('./rules.js').Ledge} l */
function place(x, l) {
  const off = Math.round(l.x - x);
  if (Math.abs(off) < LEDGE_W / 2) return '';
  return ` Its middle is ${Math.abs(off)} to the ${off < 0 ? 'left' : 'right'} of the miner.`;
}
