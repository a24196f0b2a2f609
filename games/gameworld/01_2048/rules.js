// @ts-check
/** Double Up, the rules: tiles slide as far as they can, equal ones merge, a new tile comes after each move. */

import { finish } from '../../kit/game.js';
import { cells, makeGrid, turn } from '../../kit/grid.js';
import { stream } from '../../kit/random.js';

export const SIZE = 4;
/** Updates that the sliding picture takes; the board itself changes at once. */
export const SLIDE = 5;
const FOUR = 0.1;
const SWIPE = 60;

/** @typedef {'up'|'down'|'left'|'right'} Direction */
/** @typedef {{from: [number, number], to: [number, number], value: number}} Slid  cells as [col, row] */

/** Clockwise quarter turns after which a move in that direction is a move to the left. */
const TURNS = { left: 0, down: 1, right: 2, up: 3 };
/** @type {Record<string, Direction>} */
const KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  const state = {
    rng,
    board: makeGrid(SIZE, SIZE, 0),
    score: 0,
    moves: 0,
    /** Updates since the last move. */
    age: SLIDE + 60,
    /** @type {Slid[]} */
    slid: [],
    /** @type {[number, number][]} */
    merged: [],
    /** @type {[number, number]|null} */
    born: null,
    /** @type {{x: number, y: number}|null} where a swipe of the mouse began */
    grip: null,
    over: null,
  };
  spawn(state);
  spawn(state);
  state.born = null;
  return state;
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  s.age += 1;
  const direction = wanted(s, input);
  if (direction) move(s, direction);
}

/** The move asked for: the first arrow key, or a swipe of the mouse. @param {State} s
 * @param {import('../../kit/input.js').Input} input @returns {Direction|null} */
function wanted(s, input) {
  const key = input.keys.find((k) => k in KEYS);
  if (key) return KEYS[key];
  const click = input.clicked('left');
  if (click) s.grip = { x: click.x, y: click.y };
  if (!s.grip) return null;
  const dx = input.mouse.x - s.grip.x;
  const dy = input.mouse.y - s.grip.y;
  const far = Math.max(Math.abs(dx), Math.abs(dy)) >= SWIPE;
  if (far || !input.mouseHeld('left')) s.grip = null;
  if (!far) return null;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 'right' : 'left';
  return dy > 0 ? 'down' : 'up';
}

/** @param {State} s @param {Direction} direction */
function move(s, direction) {
  const result = slide(s.board, direction);
  if (!result.changed) return;
  s.board = result.board;
  s.score += result.gain;
  s.slid = result.slid;
  s.merged = result.merged;
  s.moves += 1;
  s.age = 0;
  spawn(s);
  const stuck = Object.values(KEYS).every((d) => !slide(s.board, d).changed);
  if (stuck) finish(s, 'fail', 'The board is full and nothing can merge.');
}

/** The board after a move, without the new tile. @param {number[][]} board @param {Direction} direction */
export function slide(board, direction) {
  const turns = TURNS[direction];
  let grid = board;
  for (let i = 0; i < turns; i++) grid = turn(grid);
  /** Back from the turned board. @param {number} col @param {number} row @returns {[number, number]} */
  const back = (col, row) => {
    for (let i = turns; i < 4 && turns; i++) [col, row] = [SIZE - 1 - row, col];
    return [col, row];
  };
  let gain = 0;
  let changed = false;
  /** @type {Slid[]} */
  const slid = [];
  /** @type {[number, number][]} */
  const merged = [];
  let out = grid.map((line, row) => {
    /** @type {number[]} */
    const kept = [];
    let open = false;
    line.forEach((value, col) => {
      if (!value) return;
      if (open && kept[kept.length - 1] === value) {
        kept[kept.length - 1] = value * 2;
        gain += value * 2;
        open = false;
        merged.push(back(kept.length - 1, row));
      } else {
        kept.push(value);
        open = true;
      }
      if (kept.length - 1 !== col) changed = true;
      slid.push({ from: back(col, row), to: back(kept.length - 1, row), value });
    });
    return [...kept, ...Array(SIZE - kept.length).fill(0)];
  });
  for (let i = turns; i < 4 && turns; i++) out = turn(out);
  return { board: out, gain, changed, slid, merged };
}

/** @param {State} s */
function spawn(s) {
  const free = cells(s.board).filter((c) => !c.value);
  const tiles = stream(s.rng, 'tiles');
  const { col, row } = tiles.pick(free);
  s.board[row][col] = tiles.chance(FOUR) ? 4 : 2;
  s.born = [col, row];
}

/** @param {State} s */
export function largest(s) {
  return Math.max(...s.board.flat());
}

/** @param {State} s */
export function observe(s) {
  const top = largest(s);
  return {
    game_state: { score: s.score, level: top, progress: s.score, board: s.board },
    metrics: { largest_tile: top, moves: s.moves, free_cells: s.board.flat().filter((v) => !v).length },
  };
}

/** The screen in words. @param {State} s */
export function describe(s) {
  // While the tiles slide, the new one is not to be seen yet.
  const unborn = s.age < SLIDE ? s.born : null;
  const rows = s.board.map((line, row) =>
    line.map((value, col) => String(value && !(unborn?.[0] === col && unborn[1] === row) ? value : '.').padStart(6)).join(''),
  );
  return [
    `Score: ${s.score}. Largest tile: ${largest(s)}. Moves: ${s.moves}.`,
    `The board, 4 by 4 cells, the top row first (a number is a tile, . is an empty cell):`,
    ...rows,
    ...(unborn ? ['The tiles are still sliding to these places.'] : []),
  ].join('\n');
}
