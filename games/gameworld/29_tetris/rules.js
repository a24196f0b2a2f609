// @ts-check
/** Falling Fours, the rules: pieces of four squares fall into a narrow well; full rows vanish and score. */

import { finish } from '../../kit/game.js';
import { stream } from '../../kit/random.js';
import { KINDS, squares } from './pieces.js';

export const COLUMNS = 8;
export const ROWS = 14;
export const CELL = 44;
export const LEFT = 464;
export const TOP = 84;
/** Points for one, two, three and four rows at once. */
export const POINTS = [0, 60, 150, 270, 420];
const FALL_EVERY = 30;
const SOFT_EVERY = 3;
const LOCK_AFTER = 30;
/** A held arrow moves again only after this long: a press of 0.2 seconds is one column. */
const REPEAT_AFTER = 20;
const REPEAT_EVERY = 4;
const ROWS_AIMED = 10;

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    /** Kind of the piece each square came from, or an empty string; row by row from the top. @type {string[]} */
    board: Array(COLUMNS * ROWS).fill(''),
    /** Kinds still in the bag. @type {string[]} */
    bag: [],
    kind: '',
    turns: 0,
    x: 0,
    y: 0,
    next: '',
    kept: '',
    mayKeep: true,
    fall: 0,
    resting: 0,
    heldFor: 0,
    score: 0,
    rows: 0,
    placed: 0,
    /** Rows that vanished last, for the picture. @type {number[]} */
    gone: [],
    sinceGone: 99,
    over: null,
  };
  state.next = fromBag(state);
  enter(state, take(state));
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** Every kind comes once before any comes again. @param {any} s @returns {string} */
function fromBag(s) {
  if (!s.bag.length) s.bag = stream(s.rng, 'bags').shuffle([...KINDS]);
  return s.bag.pop();
}

/** @param {any} s */
function take(s) {
  const kind = s.next;
  s.next = fromBag(s);
  return kind;
}

/** @param {any} s @param {string} kind */
function enter(s, kind) {
  Object.assign(s, { kind, turns: 0, x: kind === 'O' ? 3 : 2, y: kind === 'I' ? -1 : 0, fall: 0, resting: 0 });
  if (!fits(s, s.x, s.y, 0)) finish(s, 'fail', 'The well is full.');
}

/** @param {State} s @param {number} x @param {number} y @param {number} turns */
export function fits(s, x, y, turns) {
  return squares(s.kind, turns).every(([dx, dy]) => {
    const [cx, cy] = [x + dx, y + dy];
    return cx >= 0 && cx < COLUMNS && cy < ROWS && (cy < 0 || !s.board[cy * COLUMNS + cx]);
  });
}

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.sinceGone += 1;
  const click = input.clicked('left');
  if (input.pressed('ArrowUp', 'x') || input.clicked('right')) rotate(s, 1);
  if (input.pressed('z')) rotate(s, 3);
  if (input.pressed('Shift', 'c') && s.mayKeep) keep(s);
  if (input.pressed('ArrowLeft')) shift(s, -1);
  if (input.pressed('ArrowRight')) shift(s, 1);
  if (click) shift(s, click.x < LEFT + (s.x + 1.5) * CELL ? -1 : 1);
  const way = input.axis('ArrowLeft', 'ArrowRight');
  s.heldFor = way ? s.heldFor + 1 : 0;
  if (s.heldFor > REPEAT_AFTER && s.heldFor % REPEAT_EVERY === 0) shift(s, way);
  if (s.over) return;
  if (input.pressed('Space', 'Enter')) {
    while (fits(s, s.x, s.y + 1, s.turns)) s.y += 1;
    return settle(s);
  }
  if (!fits(s, s.x, s.y + 1, s.turns)) {
    s.resting += 1;
    if (s.resting >= LOCK_AFTER) settle(s);
    return;
  }
  s.fall += 1;
  if (s.fall >= (input.held('ArrowDown') ? SOFT_EVERY : FALL_EVERY)) {
    s.fall = 0;
    s.y += 1;
  }
}

/** @param {State} s @param {number} by */
function shift(s, by) {
  if (fits(s, s.x + by, s.y, s.turns)) s.x += by;
}

/** Turns, moving aside by up to two columns or up by a row where the piece would not fit. @param {State} s @param {number} by */
function rotate(s, by) {
  const turns = (s.turns + by) % 4;
  for (const [dx, dy] of [[0, 0], [-1, 0], [1, 0], [0, -1], [-2, 0], [2, 0]]) {
    if (!fits(s, s.x + dx, s.y + dy, turns)) continue;
    s.x += dx;
    s.y += dy;
    s.turns = turns;
    return;
  }
}

/** Puts the piece aside and takes what lay there, once a piece. @param {State} s */
function keep(s) {
  const kept = s.kept;
  s.kept = s.kind;
  s.mayKeep = false;
  enter(s, kept || take(s));
}

/** @param {State} s */
function settle(s) {
  for (const [dx, dy] of squares(s.kind, s.turns)) {
    if (s.y + dy < 0) return finish(s, 'fail', 'The well is full.');
    s.board[(s.y + dy) * COLUMNS + s.x + dx] = s.kind;
  }
  s.placed += 1;
  s.mayKeep = true;
  const full = [];
  for (let y = 0; y < ROWS; y++) if (s.board.slice(y * COLUMNS, (y + 1) * COLUMNS).every(Boolean)) full.push(y);
  for (const y of full) {
    s.board.splice(y * COLUMNS, COLUMNS);
    s.board.unshift(...Array(COLUMNS).fill(''));
  }
  if (full.length) {
    s.rows += full.length;
    s.score += POINTS[full.length];
    s.gone = full;
    s.sinceGone = 0;
  }
  enter(s, take(s));
}

/** @param {State} s */
export function observe(s) {
  const lines = [];
  for (let y = 0; y < ROWS; y++) lines.push(s.board.slice(y * COLUMNS, (y + 1) * COLUMNS).map((k) => k || '.').join(''));
  const part = Math.min(1, s.rows / ROWS_AIMED);
  return {
    game_state: {
      score: s.score,
      level: 1,
      progress: part,
      completion_progress: part,
      player: { piece: s.kind, turns: s.turns, x: s.x, y: s.y, next: s.next, kept: s.kept, may_keep: s.mayKeep },
      board: lines,
    },
    metrics: { lines_remaining: Math.max(0, ROWS_AIMED - s.rows), lines_target: ROWS_AIMED, lines: s.rows, pieces: s.placed },
    raw: { fall: s.fall, resting: s.resting },
  };
}
