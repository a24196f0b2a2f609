// @ts-check
/** Hiccup Wing, the screen in words: the bird, its bar, and the whole cave. */

import { motion, tileLines } from '../../kit/tile-words.js';
import { LEVELS } from './levels.js';
import { here, targetOf, TILE } from './rules.js';

/** Updates of a quarter of a second. */
const STEP = 15;

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const b = s.bird;
  const nest = here(s).nest;
  const marks = [
    { x: nest.x, y: nest.y, symbol: 'N' },
    { x: b.x + b.w / 2, y: b.y + b.h / 2, symbol: 'B' },
  ];
  const { lines } = tileLines(here(s).map, { x: 0, y: 0 }, marks, (char) => ('#^'.includes(char) ? char : '.'));
  const moves = motion(b.vx, b.onGround ? 0 : b.vy, STEP);
  const wings = b.gliding ? 'with its wings spread' : s.sinceFlap < 12 ? 'having just flapped' : 'with its wings folded';
  return [
    `Level ${s.stage}, "${LEVELS[s.stage - 1].name}".`,
    `The screen is 1280 wide and 720 high; y grows downwards. A block is ${TILE} pixels.`,
    `The bar "Next flap" is ${Math.round((100 * s.urge) / targetOf(s))} percent full${b.gliding ? ' and fills slowly' : ''}.`,
    `The bird is ${b.onGround ? 'on the ground' : 'in the air'}, ${wings}, facing ${b.face < 0 ? 'left' : 'right'}: ` +
      `x=${Math.round(b.x)} to ${Math.round(b.x + b.w)}, y=${Math.round(b.y)} to ${Math.round(b.y + b.h)}.`,
    moves ? `It moves ${moves} pixels in 0.25 seconds.` : 'It does not move.',
    `The nest is at x=${nest.x} to ${nest.x + TILE}, y=${nest.y} to ${nest.y + TILE}.`,
    'The cave in blocks; each row begins with the y of its upper edge, and column 0 begins at x=0:',
    ...lines,
    `# rock, ^ ${s.harmless ? 'pale thorns (harmless)' : 'dark red thorns (deadly)'}, N nest, B middle of the bird, . air`,
  ].join('\n');
}
