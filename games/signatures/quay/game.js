// @ts-check
/** Quay: the harbour town, with its physical state in a memory. Rules and pictures are the town's own. */

import { defineGame } from '../../kit/game.js';
import { drawHud } from '../../harbor/town/hud.js';
import * as town from '../../harbor/town/rules.js';
import { drawTown } from '../../harbor/town/view.js';
import { describe } from '../../harbor/town/words.js';
import { lay, load, store } from './heap.js';

/** Degrees from straight on to the middle of a side view, as in the town. */
const ASIDE = 75;

/** @typedef {import('../../harbor/town/rules.js').State} State */

/** The state that the memory belongs to: a state that was put back by a laboratory is another one, and goes in first.
 * @type {State|null} */
let owner = null;

defineGame({
  id: 'quay',
  create(options, rng) {
    const s = town.create(options, rng);
    owner = null;
    lay(rng.seed);
    store(s);
    return s;
  },
  update(/** @type {State} */ s, input) {
    if (s === owner) load(s);
    owner = s;
    town.update(s, input);
    store(s);
  },
  draw(ctx, /** @type {State} */ s) {
    drawTown(ctx, s, 0);
    drawHud(ctx, s);
  },
  observe: town.observe,
  describe,
  views: {
    left: (ctx, /** @type {State} */ s) => drawTown(ctx, s, -ASIDE),
    right: (ctx, /** @type {State} */ s) => drawTown(ctx, s, ASIDE),
  },
});
