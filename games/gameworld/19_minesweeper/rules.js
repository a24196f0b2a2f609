// @ts-check
/** Quiet Field, the rules: 9×9 closed cells, 10 of them mined; numbers count the mines around a cell. */

import { finish } from '../../kit/game.js';
import { cellAt, cells, flood, makeGrid, neighbours } from '../../kit/grid.js';
import { stream } from '../../kit/random.js';

export const SIZE = 9;
export const MINES = 10;
/** Layouts to choose from. */
const LAYOUTS = 12;
const SAFE = SIZE * SIZE - MINES;

/** Where the board lies; game.yaml names the same centres. */
export const PLACE = { x: 334, y: 76, size: 68 };

/** @typedef {{col: number, row: number}} Cell */

/** @param {import('../../kit/options.js').Options} _options @param {import('../../kit/random.js').Rng} rng */
export function create(_options, rng) {
  return {
    rng,
    /** The mines are laid when the first cell is opened. */
    laid: false,
    mines: makeGrid(SIZE, SIZE, false),
    open: makeGrid(SIZE, SIZE, false),
    flags: makeGrid(SIZE, SIZE, false),
    /** @type {Cell|null} the last cell clicked */
    last: null,
    /** @type {Cell|null} */
    hit: null,
    over: null,
  };
}

/** @typedef {ReturnType<typeof create>} State */

/** @param {State} s @param {import('../../kit/input.js').Input} input */
export function update(s, input) {
  for (const click of input.clicks) {
    const cell = cellAt(PLACE, s.open, click);
    if (!cell || s.over) continue;
    s.last = cell;
    if (click.button === 'left') reveal(s, cell);
    if (click.button === 'right') flag(s, cell);
  }
}

/** @param {State} s @param {Cell} cell */
function reveal(s, { col, row }) {
  if (s.open[row][col] || s.flags[row][col]) return;
  if (!s.laid) lay(s, col, row);
  if (s.mines[row][col]) {
    s.hit = { col, row };
    finish(s, 'fail', 'A mine was opened.');
    return;
  }
  const area = around(s, col, row) ? [[col, row]] : opened(s, col, row);
  for (const [c, r] of area) {
    s.open[r][c] = true;
    s.flags[r][c] = false;
  }
  if (count(s.open) === SAFE) finish(s, 'win', 'Every safe cell is open.');
}

/** An empty area and its numbered rim. @param {Pick<State, 'mines'|'open'>} s @param {number} col @param {number} row */
function opened(s, col, row) {
  const empty = flood(s.open, col, row, (c, r) => !around(s, c, r) && !s.mines[r][c] && !s.open[r][c], true);
  return empty.flatMap(([c, r]) => [[c, r], ...neighbours(s.open, c, r, true)]);
}

/**
 * No mine on the first cell nor next to it, so that it always opens an area. Of several layouts the one that needs
 * the most clicks is taken: otherwise one lucky click may open most of the field.
 * @param {State} s @param {number} col @param {number} row
 */
function lay(s, col, row) {
  const far = cells(s.mines).filter((c) => Math.abs(c.col - col) > 1 || Math.abs(c.row - row) > 1);
  let most = -1;
  for (let i = 0; i < LAYOUTS; i++) {
    const mines = makeGrid(SIZE, SIZE, false);
    for (const c of stream(s.rng, 'mines').shuffle(far).slice(0, MINES)) mines[c.row][c.col] = true;
    const clicks = clicksNeeded(mines);
    if (clicks > most) {
      most = clicks;
      s.mines = mines;
    }
  }
  s.laid = true;
}

/** Fewest clicks that open every safe cell: one for each empty area and one for each number that none of them opens.
 * @param {boolean[][]} mines */
function clicksNeeded(mines) {
  const s = { mines, open: makeGrid(SIZE, SIZE, false) };
  let clicks = 0;
  const clear = cells(mines).filter((c) => !c.value);
  for (const c of clear) {
    if (s.open[c.row][c.col] || around(s, c.col, c.row)) continue;
    for (const [x, y] of opened(s, c.col, c.row)) s.open[y][x] = true;
    clicks += 1;
  }
  return clicks + clear.filter((c) => !s.open[c.row][c.col]).length;
}

/** There are only as many flags as mines. @param {State} s @param {Cell} cell */
function flag(s, { col, row }) {
  if (s.open[row][col]) return;
  if (s.flags[row][col]) s.flags[row][col] = false;
  else if (count(s.flags) < MINES) s.flags[row][col] = true;
}

/** Mines next to a cell. @param {Pick<State, 'mines'>} s @param {number} col @param {number} row */
export function around(s, col, row) {
  return neighbours(s.mines, col, row, true).filter(([c, r]) => s.mines[r][c]).length;
}

/** @param {boolean[][]} grid */
export function count(grid) {
  return grid.flat().filter(Boolean).length;
}

/** The board as it is seen: `.` closed, `F` flag, a digit, and `*` for the mine that was opened. @param {State} s */
function seen(s) {
  return s.open.map((line, row) =>
    line.map((open, col) => {
      if (s.hit?.col === col && s.hit.row === row) return '*';
      if (open) return String(around(s, col, row));
      return s.flags[row][col] ? 'F' : '.';
    }),
  );
}

/** @param {State} s */
export function observe(s) {
  const score = count(s.open);
  const flags = count(s.flags);
  const right = s.flags.flat().filter((f, i) => f && s.mines.flat()[i]).length;
  return {
    game_state: {
      score,
      level: 1,
      progress: score,
      completion_progress: score / SAFE,
      board: seen(s),
    },
    metrics: {
      primary_score: score,
      revealed_safe_cells: score,
      total_safe_cells: SAFE,
      // A wrong flag takes one away: marking cells at random must not pay.
      correct_flags: Math.max(0, right - (flags - right)),
      total_mines: MINES,
      remaining_mines: MINES - flags,
    },
    raw: { flags, flags_on_mines: right, mines: s.mines.map((line) => line.map((m) => (m ? '*' : '.')).join('')) },
  };
}
