// @ts-check
import { defineGame } from '../../kit/game.js';
import { lay, load, store } from './heap.js';
import { drawHud } from './hud.js';
import * as rules from './rules.js';
import { drawTown } from './view.js';
import { describe } from './words.js';

/** Degrees from straight on to the middle of a side view. */
const ASIDE = 75;

/** @typedef {import('./rules.js').State} State */

/** The state that the memory belongs to. A state that a laboratory has put back is another one, and goes in first.
 * @type {State|null} */
let owner = null;

defineGame({
  id: 'town',
  create(options, rng) {
    const s = rules.create(options, rng);
    owner = null;
    lay(rng.seed);
    store(s);
    return s;
  },
  update(/** @type {State} */ s, input) {
    if (s === owner) load(s);
    owner = s;
    rules.update(s, input);
    store(s);
  },
  draw(ctx, /** @type {State} */ s) {
    drawTown(ctx, s, 0);
    drawHud(ctx, s);
  },
  observe: rules.observe,
  describe,
  views: {
    left: (ctx, /** @type {State} */ s) => drawTown(ctx, s, -ASIDE),
    right: (ctx, /** @type {State} */ s) => drawTown(ctx, s, ASIDE),
  },
});
