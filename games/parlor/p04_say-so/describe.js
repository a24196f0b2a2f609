// @ts-check
/** Say So in words: the size of the board, every thing and word tile, and the sentences that hold. */

import { rulesOf } from './board.js';

/** @param {import('./rules.js').State} s */
export function describe(s) {
  const { board } = s;
  const rules = rulesOf(board).map((r) => `${r.noun} IS ${r.is}`);
  return [
    `The board has ${board.width} columns (x from 0) and ${board.height} rows (y from 0); x grows to the right, y downwards.`,
    `Moves so far: ${s.moves}.`,
    `Rules that hold now: ${rules.join('; ') || 'none'}.`,
    'Word tiles (x, y):',
    ...listed(board.tiles.filter((t) => t.word)),
    'Things (x, y):',
    ...listed(board.tiles.filter((t) => !t.word)),
  ].join('\n');
}

/** One line per name, with all its places in reading order. @param {import('./board.js').Tile[]} tiles */
function listed(tiles) {
  const names = [...new Set(tiles.map((t) => t.name))].sort();
  return names.map((name) => {
    const places = tiles.filter((t) => t.name === name).sort((a, b) => a.y - b.y || a.x - b.x);
    return `- ${name}: ${places.map((t) => `(${t.x}, ${t.y})`).join(' ')}`;
  });
}
