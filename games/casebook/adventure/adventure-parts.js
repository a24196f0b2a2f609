// @ts-check
/** Parts that most stories are made of: something to look at, a way to go, a clue seen from near, things to carry. */

import { clue, say } from './adventure.js';
import { box } from '../../kit/draw.js';
import { icon } from './icons.js';
import { down } from './props.js';

/** @typedef {import('./adventure.js').Spot} Spot */
/** @typedef {import('./adventure.js').Words} Words */

/** Something that answers a look, and nothing else. @param {string} id @param {Words} name @param {number[]} at @param {Words} look @returns {Spot} */
export const see = (id, name, at, look) => ({ id, name, at, look });

/** A way to another scene. @param {string} id @param {Words} name @param {number[]} at @param {string} to @param {Words} [tell] @returns {Spot} */
export const way = (id, name, at, to, tell) => ({ id, name, at, go: to, tell });

/** A clue seen from near, which counts as met. @param {string} seen the clue @param {string} name @param {string} back
 * @param {string[]} wall colours behind it, from top to bottom @param {(ctx: CanvasRenderingContext2D, s: any) => void} draw
 * @param {string} words said on coming near @param {Words} tell @returns {import('./adventure.js').Scene} */
export const near = (seen, name, back, wall, draw, words, tell) => ({
  name,
  back,
  tell,
  spots: [],
  enter(s) {
    clue(s, seen);
    say(s, words);
  },
  draw(ctx, s) {
    box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, ...wall));
    draw(ctx, s);
  },
});

/** Things to carry, by id: name, icon, colour, what a look says. @param {Record<string, [string, string, string, string]>} things
 * @returns {Record<string, import('./adventure.js').Item>} */
export const carried = (things) =>
  Object.fromEntries(
    Object.entries(things).map(([id, [name, picture, color, look]]) => [id, { name, look, icon: (/** @type {CanvasRenderingContext2D} */ ctx) => icon(ctx, picture, color) }]),
  );
