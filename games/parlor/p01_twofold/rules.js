// @ts-check
/**
 * Twofold: the sliding tiles of `01_2048`, with the rule that a row of moves that change nothing ends the game.
 */

import { create as deal, observe as look, update as play } from '../../gameworld/01_2048/rules.js';
import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';

/** Moves in a row that change nothing and end the game. */
export const DEAD = 5;
/** The score at which the game is won. */
export const GOAL = 20000;
/** @type {Record<string, string>} */
const KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };
/** Tiles that a scattered start adds to the two of every start. */
const SCATTERED = [2, 4, 4, 8, 16];

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
export function create(options, rng) {
  const start = oneOf(options, 'start', ['plain', 'scattered'], 'plain');
  const tiles = deal(options, rng);
  if (start === 'scattered') scatter(tiles);
  return {
    ...tiles,
    start,
    /** Moves in a row that changed nothing. */
    dead: 0,
    /** Frames since the last such move, for the picture. */
    shake: 60,
    /** The last move and what was there before it. @type {{move: string, board: number[][], score: number}|null} */
    last: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {ReturnType<typeof deal>} tiles */
function scatter(tiles) {
  const draw = stream(tiles.rng, 'scattered');
  for (const value of SCATTERED) {
    const free = tiles.board.flatMap((line, row) => line.flatMap((v, col) => (v ? [] : [[row, col]])));
    const [row, col] = draw.pick(free);
    tiles.board[row][col] = value;
  }
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  const before = { board: s.board, score: s.score, moves: s.moves };
  const swiped = s.grip !== null && input.mouseHeld('left');
  play(s, input);
  s.shake += 1;
  const key = input.keys.find((k) => k in KEYS);
  if (s.moves > before.moves) {
    s.dead = 0;
    s.last = { move: KEYS[key ?? ''] ?? 'swipe', board: before.board, score: before.score };
  } else if (key || (swiped && s.grip === null)) {
    s.dead += 1;
    s.shake = 0;
    s.last = { move: KEYS[key ?? ''] ?? 'swipe', board: before.board, score: before.score };
  }
  if (s.score >= GOAL) finish(s, 'win', `You have ${GOAL} points.`);
  else if (s.dead >= DEAD) finish(s, 'fail', `${DEAD} moves in a row changed nothing.`);
}

/** @param {State} s */
export function observe(s) {
  const seen = look(s);
  return { ...seen, metrics: { ...seen.metrics, dead_moves: s.dead } };
}
