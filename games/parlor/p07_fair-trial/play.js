// @ts-check
/** A Fair Trial, how an option is chosen: by its number as key, by a click on it, or by the command of agents. */

import { choose, optionsOf } from './rules.js';

/** @typedef {import('./rules.js').State} State */

/** The place of an option on the right. @param {number} index */
export const placeOf = (index) => ({ x: 868, y: 64 + index * 49, w: 396, h: 43 });

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const click = input.clicked('left');
  for (let i = 0; i < 9; i++) {
    const { x, y, w, h } = placeOf(i);
    const hit = click && i < optionsOf(s).length && click.x >= x && click.x < x + w && click.y >= y && click.y < y + h;
    if (hit || input.pressed(String(i + 1))) return choose(s, i + 1);
  }
}

export const commands = {
  /** @param {State} s @param {{option: number}} given */
  choose(s, { option }) {
    choose(s, option);
    return { ok: s.ok, feedback: s.said };
  },
};
