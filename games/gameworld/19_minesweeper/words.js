// @ts-check
/** Quiet Field, the screen in words: the board as it is seen, and the two numbers beside it. */

import { cellName } from '../../kit/grid.js';
import { around, count, MINES, SIZE } from './rules.js';

/** What a person sees of a cell: mines only at the end. @param {import('./rules.js').State} s @param {number} col
 * @param {number} row */
function look(s, col, row) {
  if (s.hit?.col === col && s.hit.row === row) return '!';
  if (s.flags[row][col]) return s.over && !s.mines[row][col] ? 'X' : 'F';
  if (s.over && s.mines[row][col]) return '*';
  return s.open[row][col] ? String(around(s, col, row)) : '#';
}

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const columns = Array.from({ length: SIZE }, (_, i) => i);
  const signs = '# closed cell, F flag, 0 open blank cell, 1 to 8 open cell with so many mines around';
  const atEnd = s.over ? ', * mine, ! the mine that was opened, X flag on a safe cell' : '';
  return [
    `Open safe cells: ${count(s.open)} / ${SIZE * SIZE - MINES}. Flags left: ${MINES - count(s.flags)}. Mines in the field: ${MINES}.`,
    ...(s.last ? [`The cell clicked last is ${cellName(s.last.col, s.last.row)}.`] : []),
    `The field (${signs}${atEnd}):`,
    `  ${columns.map((col) => cellName(col, 0)[0]).join(' ')}`,
    ...columns.map((row) => `${row + 1} ${columns.map((col) => look(s, col, row)).join(' ')}`),
  ].join('\n');
}
