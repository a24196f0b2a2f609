// @ts-check
/** Lily Leaper, the screen in words: the frog, and the pads in the picture from the highest to the lowest. */

import { at } from './draw.js';
import { FROG_W, LEFT, PAD_W, RIGHT, score } from './rules.js';

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const x = Math.round(s.x);
  const y = Math.round(at(s, s.h));
  const sideways = Math.round(s.vx * 12);
  const side = Math.abs(sideways) < 2 ? 'It does not move sideways.' : `It moves ${sideways < 0 ? 'left' : 'right'} by about ${Math.abs(sideways)} in 0.2 s.`;
  const pads = s.pads.map((p) => ({ ...p, y: Math.round(at(s, p.h)) })).filter((p) => !p.gone && p.y > -10 && p.y < 715);
  pads.sort((a, b) => a.y - b.y);
  return [
    `Score: ${score(s)}.`,
    `The screen is 1280 wide and 720 high; y grows downwards. The water lies between x=${LEFT} and x=${RIGHT}; its two sides are joined.`,
    `The frog (${FROG_W} wide): its middle is at x=${x}, its feet at y=${y}. It is ${s.v > 0 ? 'rising' : 'falling'} by about ${Math.abs(Math.round(s.v * 12))} in 0.2 s. ${side}`,
    `Pads, from the highest to the lowest; each is ${PAD_W} wide, x is its middle, y its upper side; then its way from the frog's feet, sideways the shorter way round:`,
    ...pads.map((p) => `${kind(p)} at x=${Math.round(p.x)}, y=${p.y}${p.flower ? ', with a pink flower' : ''}; ${place(p, x, y)}.`),
  ].join('\n');
}

/** @param {import('./rules.js').Pad} p */
function kind(p) {
  if (p.kind === 'green') return 'A green pad';
  if (p.kind === 'rotten') return 'A grey pad with holes, which does not carry,';
  if (p.kind === 'dry') return 'A brown, cracked pad';
  return `A purple pad, drifting ${p.v < 0 ? 'left' : 'right'} by ${Math.abs(Math.round(p.v * 12))} in 0.2 s,`;
}

/** Where a pad lies, seen from the frog, by the shorter way around. @param {{x: number, y: number}} p
 * @param {number} x @param {number} y */
function place(p, x, y) {
  const wide = RIGHT - LEFT;
  const dx = ((((Math.round(p.x) - x + wide / 2) % wide) + wide) % wide) - wide / 2;
  return `${Math.abs(dx)} ${dx < 0 ? 'left' : 'right'}, ${Math.abs(p.y - y)} ${p.y < y ? 'above' : 'below'}`;
}
