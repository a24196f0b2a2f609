// @ts-check
/** Up and Over in words: the name and the top left corner of everything that can be seen. */

import { AHEAD, BEHIND, H, SIZES } from './rules.js';
import { TILE } from './stages.js';

const NAMES = { trunk: 'Trunks', crates: 'Crates', step: 'Steps', snail: 'Snails', wasp: 'Wasps' };

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const left = s.hero.x - BEHIND;
  /** @type {Record<string, string[]>} */
  const found = { Trunks: [], Crates: [], Steps: [], Ditches: [], Thorns: [], Snails: [], Wasps: [], Flag: [] };
  /** @param {string} name @param {number} x @param {number} w @param {(x: number) => string} words */
  const add = (name, x, w, words) => {
    if (x < s.hero.x + AHEAD && x + w > left) found[name].push(words(x - left));
  };
  for (const k of s.solids) add(NAMES[k.kind], k.x, k.w, (x) => `(${x}, ${k.h})`);
  /** @param {number} x @param {number} w  where something begins and ends, as far as it can be seen */
  const reach = (x, w) => (x + w > BEHIND + AHEAD ? `from ${x} on` : `from ${Math.max(0, x)} to ${x + w}`);
  for (const d of s.ditches) add('Ditches', d.x, d.w, (x) => reach(x, d.w));
  for (const t of s.thorns) add('Thorns', t.x, t.w, (x) => `${reach(x, t.w)}, everything above ${t.low}`);
  for (const f of s.foes) {
    const [w, h] = SIZES[f.kind];
    if (!f.flat) add(NAMES[f.kind], f.x, w, (x) => `(${x}, ${Math.round(f.y + h)})${f.kind === 'snail' ? `, crawls to the ${f.vx < 0 ? 'left' : 'right'}` : ''}`);
  }
  add('Flag', s.flag, TILE, (x) => `at ${x}`);
  return [
    `Position of the hare: (${BEHIND}, ${Math.round(s.hero.y + H)})${s.hero.ground ? '' : ', in the air'}`,
    'Positions of all objects:',
    ...Object.entries(found).map(([name, places]) => `- ${name}: ${places.join(', ') || 'none'}`),
    '(x, y) is the top left corner of an object: x counts to the right, y is its height above the ground.',
  ].join('\n');
}
