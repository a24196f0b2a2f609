// @ts-check
import { defineGame } from '../../kit/game.js';
import { drawHud } from './hud.js';
import { create, observe, update } from './rules.js';
import { drawTown } from './view.js';
import { describe } from './words.js';

/** Degrees from straight on to the middle of a side view. */
const ASIDE = 75;

/** @typedef {import('./rules.js').State} State */

defineGame({
  id: 'town',
  create,
  update,
  draw(ctx, /** @type {State} */ s) {
    drawTown(ctx, s, 0);
    drawHud(ctx, s);
  },
  observe,
  describe,
  views: {
    left: (ctx, /** @type {State} */ s) => drawTown(ctx, s, -ASIDE),
    right: (ctx, /** @type {State} */ s) => drawTown(ctx, s, ASIDE),
  },
});
