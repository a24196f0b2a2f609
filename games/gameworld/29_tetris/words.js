// @ts-check
/** Falling Fours, the screen in words: the well row by row, the falling piece and where it would land, next and kept. */

import { squares } from './pieces.js';
import { COLUMNS, fits, ROWS } from './rules.js';

/** @param {import('./rules.js').State} s */
export function describe(s) {
  /** @type {string[][]} */
  const grid = Array.from({ length: ROWS }, (_, y) =>
    s.board.slice(y * COLUMNS, (y + 1) * COLUMNS).map((kind) => (kind ? '#' : '.')),
  );
  const heights = Array.from({ length: COLUMNS }, (_, x) => {
    const top = grid.findIndex((line) => line[x] === '#');
    return top < 0 ? 0 : ROWS - top;
  });
  const lines = [`Score: ${s.score}. Rows: ${s.rows}. Pieces: ${s.placed}.`];
  if (!s.over) {
    let ground = s.y;
    while (fits(s, s.x, ground + 1, s.turns)) ground += 1;
    const parts = squares(s.kind, s.turns);
    for (const [dx, dy] of parts) if (ground + dy >= 0) grid[ground + dy][s.x + dx] = '+';
    for (const [dx, dy] of parts) if (s.y + dy >= 0) grid[s.y + dy][s.x + dx] = '@';
    const columns = parts.map(([dx]) => s.x + dx + 1);
    const above = parts.filter(([, dy]) => s.y + dy < 0).length;
    lines.push(
      `The falling piece: ${shape(s.kind, s.turns)}. It is in columns ${Math.min(...columns)} to ${Math.max(...columns)}` +
        `${above ? `; ${above} of its squares are still above the well` : ''}. ` +
        (ground === s.y ? 'It rests and will stay there.' : `It can fall ${ground - s.y} more rows.`),
    );
  }
  const kept = s.kept ? `${shape(s.kept, 0)}${s.mayKeep ? '' : ' (dimmed: no more exchange for this piece)'}` : 'nothing';
  lines.push(
    `Next: ${shape(s.next, 0)}. Kept: ${kept}.`,
    'A piece is written row by row from its top, x for a square.',
    `The well, ${COLUMNS} columns and ${ROWS} rows, row 1 at the top:`,
    `   ${heights.map((_, x) => x + 1).join('')}`,
    ...grid.map((line, y) => `${String(y + 1).padStart(2)} ${line.join('')}`),
    '# resting square, @ falling piece, + where it would land, . empty',
    `Heights of the resting squares in columns 1 to ${COLUMNS}: ${heights.join(' ')}.`,
  );
  return lines.join('\n');
}

/** The squares of a piece without empty edges. @param {string} kind @param {number} turns */
function shape(kind, turns) {
  const parts = squares(kind, turns);
  const [xs, ys] = [parts.map((p) => p[0]), parts.map((p) => p[1])];
  const rows = [];
  for (let y = Math.min(...ys); y <= Math.max(...ys); y++) {
    let row = '';
    for (let x = Math.min(...xs); x <= Math.max(...xs); x++) row += parts.some((p) => p[0] === x && p[1] === y) ? 'x' : '.';
    rows.push(row);
  }
  return rows.join(' / ');
}
