// @ts-check
/** Twofold in words: board and score before the last move, that move, board and score now. */

import { DEAD } from './rules.js';
import { SLIDE } from '../../gameworld/01_2048/rules.js';

/** @param {number[][]} board */
const rows = (board) => board.map((line) => `[${line.join(', ')}]`);

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const { last } = s;
  // While the tiles slide, the new one cannot be seen yet.
  const unborn = s.age < SLIDE ? s.born : null;
  const now = s.board.map((line, row) => line.map((v, col) => (unborn?.[0] === col && unborn[1] === row ? 0 : v)));
  const before = last
    ? ['Board before the last move:', ...rows(last.board), `Score then: ${last.score}.`, `Last move: ${last.move}${s.dead ? ', which changed nothing' : ''}.`]
    : ['No move has been made yet.'];
  return [
    ...before,
    'Board now (the top row first; 0 is an empty cell):',
    ...rows(now),
    `Score now: ${s.score}. Moves: ${s.moves}.`,
    `Moves in a row that changed nothing: ${s.dead} of ${DEAD}.`,
    ...(unborn ? ['The tiles are still sliding to these places.'] : []),
  ].join('\n');
}
