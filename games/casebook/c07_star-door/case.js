// @ts-check
/** The patterns of one observatory, for a number. No pattern is its own mirror image, so how it is turned matters. */

import { stream } from '../../kit/random.js';

export const ANIMALS = ['owl', 'hare', 'fox', 'fish', 'snail', 'crow'];
/** Four crystals, and what each lock is. */
export const CRYSTALS = ['red', 'blue', 'white', 'green'];

/** Upside down, as water shows it. @param {boolean[]} cells nine, row by row */
export const flipped = (cells) => [6, 7, 8, 3, 4, 5, 0, 1, 2].map((i) => cells[i]);

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `star door ${options.case}`, streams: {} }, 'case');
  const pattern = () => {
    for (;;) {
      const lit = r.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8]).slice(0, r.int(4, 5));
      const cells = Array.from({ length: 9 }, (_, i) => lit.includes(i));
      if (flipped(cells).some((c, i) => c !== cells[i])) return cells;
    }
  };
  return { tower: pattern(), pond: pattern(), moon: r.int(0, 7), statues: r.shuffle(ANIMALS).slice(0, 4), stand: r.shuffle([0, 1, 2, 3]) };
}
