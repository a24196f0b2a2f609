// @ts-check
/** The smallest game: always playing, its state is a log the page writes. */
const log = /** @type {any} */ (window).log = [];
const started = { seed: null, resets: 0 };
/** @type {any} */ (window).gameAPI = {
  init: (/** @type {any} */ c) => { started.seed = c.seed; },
  reset: (/** @type {any} */ c) => { started.seed = c.seed; started.resets += 1; log.length = 0; },
  getState: () => ({ status: 'playing', terminal: { isTerminal: false, outcome: null, reason: null }, log, started }),
};
