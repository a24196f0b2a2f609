// @ts-check
/** Block Valley, what one has: items beyond the beginning, the tool in hand, the block in hand. */

import { ITEMS, PLACED, SLOTS, TOOLS } from './blocks.js';

export const FIRST_DIRT = 5;

/** @typedef {import('./rules.js').State} State */

/** What one has more than at the beginning. @param {State} s @returns {Record<string, number>} */
export function gains(s) {
  const items = /** @type {Record<string, number>} */ (s.items);
  return Object.fromEntries(ITEMS.map((i) => [i, Math.max(0, items[i] - (i === 'dirt' ? FIRST_DIRT : 0))]));
}

/** The tool of the chosen slot, or ''. @param {State} s */
export function toolOf(s) {
  return TOOLS[s.slot - 1] ?? '';
}

/** What the chosen slot puts down, or undefined for a tool. @param {State} s @returns {number|undefined} */
export function blockOf(s) {
  return PLACED[SLOTS[s.slot - 1]];
}
