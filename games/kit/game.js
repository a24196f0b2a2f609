// @ts-check
/**
 * The door of the kit: `defineGame` turns four functions into a page that fulfils `window.gameAPI`.
 *
 * A game is data and four functions; it never touches the page, the clock or `Math.random`:
 *   create(options, rng) → state      plain JSON-able data; keep `rng` in it
 *   update(state, input)              exactly 1/60 s; changes nothing but the state
 *   draw(ctx, state)                  a pure function of the state
 *   observe(state) → {game_state, metrics, raw, status?}
 * and, where the game offers it (`text: true`, `views: […]` in game.yaml):
 *   describe(state, role) → string    what a person at the screen could see and count, and nothing that is hidden
 *   views {name: (ctx, state) => void} further pictures of the same instant
 * The game is over when `state.over` is set (see `finish`); it then stands still until it is reset.
 *
 * @typedef {import('./input.js').Input} Input
 * @typedef {import('./random.js').Rng} Rng
 * @typedef {import('./options.js').Options} Options
 * @typedef {{game_state?: object, metrics?: object, raw?: object, status?: 'ready'|'playing'|'menu'|'paused'}} Observed
 * @typedef {{
 *   id: string,
 *   create: (options: Options, rng: Rng) => any,
 *   update: (state: any, input: Input) => void,
 *   draw: (ctx: CanvasRenderingContext2D, state: any) => void,
 *   observe: (state: any) => Observed,
 *   describe?: (state: any, role: string) => string,
 *   views?: Record<string, (ctx: CanvasRenderingContext2D, state: any) => void>,
 *   overlay?: boolean,
 * }} Game  `overlay: false`: the game draws its own end of the game.
 */

import { drawEnd } from './draw.js';
import { listen } from './input.js';
import { makeLab } from './lab.js';
import { runLive, runStepped } from './loop.js';
import { parseOptions } from './options.js';
import { makeCanvas, makePage } from './page.js';
import { Session } from './session.js';

export { HEIGHT, WIDTH } from './page.js';
export { FRAME_MS } from './session.js';

const DEFAULT_SEED = 42;

/** Ends the game. @param {any} state @param {'win'|'fail'} outcome @param {string} reason one short sentence */
export function finish(state, outcome, reason) {
  state.over ??= { outcome, reason };
}

/** Makes the page play this game. @param {Game} game */
export function defineGame(game) {
  const page = makePage();
  const options = parseOptions(location);
  const session = new Session(game, options, options.seed ?? DEFAULT_SEED);
  /** Nobody called `init`: a person opened the page, may start again with Enter and leave with Escape. */
  let person = true;

  const draw = () => {
    page.ctx.save();
    game.draw(page.ctx, session.state);
    page.ctx.restore();
    if (session.state.over && game.overlay !== false) drawEnd(page.ctx, session.state.over, person);
  };
  const update = () => {
    session.step();
    if (!person) return;
    if (session.state.over && session.input.pressed('Enter')) session.reset(Number(session.seed) + 1);
    if (session.input.pressed('Escape')) location.href = '../../';
  };
  const lab = makeLab(session);
  const stepped = '__gwray' in window;

  const api = {
    /** @param {{seed?: number|string}} [config] */
    init(config) {
      person = false;
      api.reset(config);
    },
    /** @param {{seed?: number|string}} [again] */
    reset(again) {
      if (stepped) lab.align(performance.now());
      lab.reset(again?.seed);
    },
    getState: () => session.read(),
    /** The screen in words, for one role. Works on a copy: looking changes nothing. @param {string} role */
    describe(role) {
      if (!game.describe) throw new Error(`${game.id} has no description in words`);
      const over = session.state.over;
      const end = over ? `The game is over (${over.outcome === 'win' ? 'won' : 'lost'}). ${over.reason}\n` : '';
      return end + game.describe(structuredClone(session.state), role);
    },
    /** Another picture of this instant, on a canvas of its own. @param {string} view @returns {HTMLCanvasElement} */
    look(view) {
      const drawView = game.views?.[view];
      if (!drawView) throw new Error(`${game.id} has no view '${view}'; its views: ${Object.keys(game.views ?? {}).join(', ') || 'none'}`);
      const { canvas, ctx } = makeCanvas();
      drawView(ctx, structuredClone(session.state));
      return canvas;
    },
    draw,
    lab,
  };

  try {
    session.reset();
  } catch (error) {
    // The page stays, says why, and gives the same reason to whoever calls `init`.
    page.fail(`${game.id} cannot start: ${/** @type {Error} */ (error).message}`);
    const refuse = () => {
      throw error;
    };
    Object.assign(window, { gameAPI: { init: refuse, reset: refuse, getState: refuse } });
    return;
  }
  Object.assign(window, { gameAPI: api });
  listen(session.input, page.toCanvas);
  if (stepped) {
    runStepped(() => !person && update());
  } else {
    addEventListener('blur', () => session.input.clear());
    runLive(update, draw);
  }
}
