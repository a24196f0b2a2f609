// @ts-check
/** Say So, the game around the board: one move per key, the partial scores, and the end. */

import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { move, playable, rulesOf, says, won } from './board.js';
import { CAST, makeLevel } from './levels.js';

/** @type {Record<string, [number, number]>} */
const KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
/** Updates between two moves of a key that is held. */
const REPEAT = 15;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const level = oneOf(options, 'level', [1, 2], 1);
  return {
    rng,
    level,
    board: makeLevel(level, rng),
    moves: 0,
    blocked: 0,
    /** Updates since the last move, for the picture. */
    age: 60,
    /** Updates that the arrow key has been held. */
    hold: 0,
    /** The best partial score so far: 20 for the open room, 40 with something to win, 100 at the end. */
    best: 0,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.age += 1;
  const pressed = input.keys.find((k) => k in KEYS);
  const key = pressed ?? Object.keys(KEYS).find((k) => input.held(k));
  // Each press moves, also right after another one of the same key.
  if (pressed || !key) s.hold = 0;
  if (!key) return;
  if (s.hold % REPEAT === 0) step(s, KEYS[key]);
  s.hold += 1;
}

/** @param {State} s @param {[number, number]} direction */
function step(s, direction) {
  if (s.over) return;
  if (!move(s.board, direction)) {
    s.blocked += 1;
    return;
  }
  s.moves += 1;
  s.age = 0;
  s.best = Math.max(s.best, score(s));
  if (won(s.board)) {
    s.best = 100;
    finish(s, 'win', 'You reached what wins.');
  } else if (!playable(s.board)) {
    finish(s, 'fail', 'Nothing on the board is you any more.');
  }
}

/** 20 while the barrier does not stop, 40 if something that exists also wins. @param {State} s */
function score(s) {
  const { barrier } = CAST[s.level];
  const rules = rulesOf(s.board);
  if (says(rules, barrier, 'STOP')) return 0;
  const winnable = rules.some((r) => r.is === 'WIN' && s.board.tiles.some((t) => !t.word && t.name === r.noun));
  return winnable ? 40 : 20;
}

/** @param {State} s */
export function observe(s) {
  const rules = rulesOf(s.board).map((r) => `${r.noun} IS ${r.is}`);
  return {
    game_state: { score: s.best, level: s.level, progress: s.best, board: s.board, rules },
    metrics: { moves: s.moves, blocked: s.blocked, rules: rules.length },
  };
}
