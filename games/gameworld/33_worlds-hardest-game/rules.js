// @ts-check
/** Saw Yard, the rules: those of the dodge maze, with five levels and clicks. */

import { beginDealt } from '../../dealt/yards.js';
import { look, play } from '../../kit/dodge.js';
import { tell } from '../../kit/dodge-words.js';
import { oneOf } from '../../kit/options.js';
import { LEVELS } from './levels.js';

/** The level that is on the screen; the state's own number goes up when it is cleared. @param {any} s */
export const levelOf = (s) => LEVELS[s.level - (s.over?.outcome === 'win' ? 2 : 1)][s.way];

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  return beginDealt(LEVELS[oneOf(options, 'level', [1, 2, 3, 4, 5], 1) - 1], rng);
}

/** @param {any} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  play(levelOf(s), s, input, true);
}

/** @param {any} s */
export function observe(s) {
  return look(levelOf(s), s);
}

/** The screen in words. @param {any} s */
export function describe(s) {
  return tell(levelOf(s), s);
}
