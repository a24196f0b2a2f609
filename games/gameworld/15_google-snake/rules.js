// @ts-check
/** Garden Worm, the rules: a worm crawls one square every 12 frames, eats apples, grows, and must not bite anything. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';

export const COLUMNS = 9;
export const ROWS = 7;
export const CELL = 80;
export const LEFT = 300;
export const TOP = 100;
/** Updates per square: one agent step of 200 ms is one square. */
export const PACE = 12;

/** @type {Record<string, [number, number]>} */
export const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    /** Squares of the body, head first. @type {[number, number][]} */
    body: [[3, 4], [2, 4], [1, 4]],
    way: 'ArrowRight',
    wanted: 'ArrowRight',
    clock: 0,
    apple: [7, 2],
    score: 0,
    eaten: 99,
    over: null,
  };
  state.apple = freeSquare(state);
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  for (const key of Object.keys(WAYS)) if (input.pressed(key)) turn(s, key);
  const click = input.clicked('left');
  if (click) turn(s, towards(s, click));
  s.eaten += 1;
  s.clock += 1;
  if (s.clock % PACE) return;
  s.way = s.wanted;
  const [dx, dy] = WAYS[s.way];
  /** @type {[number, number]} */
  const head = [s.body[0][0] + dx, s.body[0][1] + dy];
  const eats = head[0] === s.apple[0] && head[1] === s.apple[1];
  if (head[0] < 0 || head[1] < 0 || head[0] >= COLUMNS || head[1] >= ROWS) {
    return finish(s, 'fail', 'The worm ran into the fence.');
  }
  // The tail's square is free by the time the head arrives, unless the worm grows now.
  const blocking = eats ? s.body : s.body.slice(0, -1);
  if (blocking.some(([x, y]) => x === head[0] && y === head[1])) {
    return finish(s, 'fail', 'The worm bit itself.');
  }
  s.body.unshift(head);
  if (!eats) {
    s.body.pop();
    return;
  }
  s.score += 1;
  s.eaten = 0;
  if (s.body.length === COLUMNS * ROWS) return finish(s, 'win', 'The garden is full of worm.');
  s.apple = freeSquare(s);
}

/** Turns at the next square; a worm cannot turn back into its own neck. @param {State} s @param {string} key */
function turn(s, key) {
  const [dx, dy] = WAYS[key];
  const [wx, wy] = WAYS[s.way];
  if (dx + wx || dy + wy) s.wanted = key;
}

/** The direction that leads from the head towards a clicked point. @param {State} s @param {{x: number, y: number}} p */
function towards(s, p) {
  const dx = p.x - (LEFT + (s.body[0][0] + 0.5) * CELL);
  const dy = p.y - (TOP + (s.body[0][1] + 0.5) * CELL);
  if (Math.abs(dx) > Math.abs(dy)) return dx < 0 ? 'ArrowLeft' : 'ArrowRight';
  return dy < 0 ? 'ArrowUp' : 'ArrowDown';
}

/** @param {{rng: import('../../kit/random.js').Rng, body: [number, number][]}} s @returns {[number, number]} */
function freeSquare(s) {
  /** @type {[number, number][]} */
  const free = [];
  for (let y = 0; y < ROWS; y++) {
    for (let x = 0; x < COLUMNS; x++) if (!s.body.some(([bx, by]) => bx === x && by === y)) free.push([x, y]);
  }
  return stream(s.rng, 'apples').pick(free);
}

/** @param {State} s */
export function observe(s) {
  const squares = s.body.map(([x, y]) => ({ x, y }));
  return {
    game_state: {
      score: s.score,
      level: 1,
      progress: s.score,
      player: { x: s.body[0][0], y: s.body[0][1], direction: s.way.slice(5).toLowerCase() },
      board: { columns: COLUMNS, rows: ROWS, apple: { x: s.apple[0], y: s.apple[1] } },
      entities: squares,
    },
    metrics: { snake_length: s.body.length, speed: 60 / PACE, board_width: COLUMNS, board_height: ROWS },
    raw: { next: s.wanted.slice(5).toLowerCase(), frames_to_move: PACE - (s.clock % PACE) },
  };
}

/** The screen in words; columns and rows are counted from 1. @param {State} s */
export function describe(s) {
  const name = (/** @type {number[]} */ [x, y]) => `(${x + 1},${y + 1})`;
  const apple = s.body.some(([x, y]) => x === s.apple[0] && y === s.apple[1]) ? null : s.apple;
  const board = Array.from({ length: ROWS }, () => Array(COLUMNS).fill('.'));
  if (apple) board[apple[1]][apple[0]] = 'A';
  s.body.forEach(([x, y], i) => (board[y][x] = i === 0 ? 'H' : i === s.body.length - 1 ? 'T' : 'o'));
  const way = (/** @type {string} */ key) => key.slice(5).toLowerCase();
  return [
    `Apples: ${s.score}. Length: ${s.body.length}.`,
    `Squares are named (column,row), counted from 1 at the top left; the lawn has ${COLUMNS} columns and ${ROWS} rows, with a fence around it.`,
    `The worm's head is at ${name(s.body[0])} and looks ${way(s.way)}; the white arrow shows that it crawls ${way(s.wanted)} next.`,
    `The worm from head to tail: ${s.body.map(name).join(' ')}`,
    ...(apple ? [`The apple is at ${name(apple)}.`] : []),
    'The lawn (H head, o body, T tail, A apple, . free), the top row first:',
    ...board.map((line) => line.join(' ')),
    `A square is ${CELL} pixels wide and high; the middle of (1,1) is at x=${LEFT + CELL / 2}, y=${TOP + CELL / 2}.`,
  ].join('\n');
}
