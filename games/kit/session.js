// @ts-check
/**
 * One game being played: its state, its input and its frame count. No page, no clock, no drawing.
 *
 * The kit's promise lives here: the state after n updates depends on options, seed and input, and nothing else.
 */

import { Input } from './input.js';
import { seeded } from './random.js';

/** Length of one update in ms of game time. */
export const FRAME_MS = 1000 / 60;

/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./options.js').Options} Options */

export class Session {
  /** @param {Game} game @param {Options} options @param {number|string} seed */
  constructor(game, options, seed) {
    this.game = game;
    this.options = options;
    this.seed = seed;
    this.input = new Input();
    this.frames = 0;
    /** @type {any} */
    this.state = null;
  }

  /** Starts the task from its beginning; everything before is forgotten. @param {number|string} seed */
  reset(seed = this.seed) {
    this.seed = seed;
    this.frames = 0;
    this.input.clear();
    const state = this.game.create(structuredClone(this.options), seeded(seed));
    // Through a copy, so that a state which is no plain data fails here and not in a search hours later.
    this.state = structuredClone(state);
    this.state.over ??= null;
  }

  /** One update of 1/60 s; a finished game stays as it is. */
  step() {
    this.input.begin();
    if (this.state.over) return;
    this.game.update(this.state, this.input);
    this.frames += 1;
  }

  /** The JSON that `getState()` returns. */
  read() {
    const seen = this.game.observe(this.state);
    const over = this.state.over;
    const { game_state = {}, metrics = {}, raw = {}, ...rest } = seen;
    return {
      gameId: this.game.id,
      seed: this.seed,
      timestampMs: Date.now(),
      gameTimeMs: Math.round(this.frames * FRAME_MS * 1000) / 1000,
      status: over ? 'terminal' : (rest.status ?? 'playing'),
      terminal: { isTerminal: !!over, outcome: over?.outcome ?? null, reason: over?.reason ?? null },
      game_state: { score: 0, level: 1, progress: 0, player: {}, board: null, entities: [], ...game_state },
      metrics,
      raw,
    };
  }

  snapshot() {
    return structuredClone({ seed: this.seed, frames: this.frames, state: this.state, input: this.input.now });
  }

  /** @param {ReturnType<Session['snapshot']>} saved */
  restore(saved) {
    const copy = structuredClone(saved);
    this.seed = copy.seed;
    this.frames = copy.frames;
    this.state = copy.state;
    this.input.now = copy.input;
  }
}
