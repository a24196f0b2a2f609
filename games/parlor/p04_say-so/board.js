// @ts-check
/**
 * The board of Say So: things and word tiles, the sentences that they form, and one move.
 *
 * Nothing here draws or reads input. A tile is `{word, name, x, y}`; x grows to the right and y downwards.
 *
 * @typedef {{word: boolean, name: string, x: number, y: number}} Tile
 * @typedef {{noun: string, is: string}} Rule
 * @typedef {{width: number, height: number, tiles: Tile[]}} Board
 * @typedef {[number, number]} Step
 */

export const NOUNS = ['MOTH', 'WALL', 'ROCK', 'LAMP', 'CRAB', 'HEDGE', 'BELL', 'WELL'];
export const PROPERTIES = ['YOU', 'STOP', 'PUSH', 'WIN', 'SINK'];

/** The sentences NOUN IS X that are written on the board, left to right or top to bottom, without repeats.
 * @param {Board} board @returns {Rule[]} */
export function rulesOf(board) {
  const words = new Map(board.tiles.filter((t) => t.word).map((t) => [`${t.x},${t.y}`, t.name]));
  /** @type {Map<string, Rule>} */
  const found = new Map();
  for (const tile of board.tiles) {
    if (!tile.word || !NOUNS.includes(tile.name)) continue;
    for (const [dx, dy] of [[1, 0], [0, 1]]) {
      const is = words.get(`${tile.x + 2 * dx},${tile.y + 2 * dy}`);
      if (words.get(`${tile.x + dx},${tile.y + dy}`) !== 'IS' || !is || is === 'IS') continue;
      found.set(`${tile.name} IS ${is}`, { noun: tile.name, is });
    }
  }
  return [...found.keys()].sort().map((key) => /** @type {Rule} */ (found.get(key)));
}

/** Whether a sentence is written. @param {Rule[]} rules @param {string} noun @param {string} is */
export function says(rules, noun, is) {
  return rules.some((r) => r.noun === noun && r.is === is);
}

/** Whether a thing or word has a property. Words can always be pushed. @param {Rule[]} rules @param {Tile} tile
 * @param {string} property */
function has(rules, tile, property) {
  return tile.word ? property === 'PUSH' : says(rules, tile.name, property);
}

/** @param {Board} board @param {number} x @param {number} y */
export function at(board, x, y) {
  return board.tiles.filter((t) => t.x === x && t.y === y);
}

/** The tiles that move along when something enters a cell, nearest last; null if the way is blocked.
 * @param {Board} board @param {Rule[]} rules @param {number} x @param {number} y @param {Step} step
 * @returns {Tile[]|null} */
function pushed(board, rules, x, y, step) {
  if (x < 0 || y < 0 || x >= board.width || y >= board.height) return null;
  const here = at(board, x, y);
  const loose = here.filter((t) => has(rules, t, 'PUSH'));
  if (here.some((t) => has(rules, t, 'STOP') && !loose.includes(t))) return null;
  if (!loose.length) return [];
  const further = pushed(board, rules, x + step[0], y + step[1], step);
  return further && [...further, ...loose];
}

/** Moves everything that is YOU one cell and applies what follows. Changes the board; returns whether anything moved.
 * @param {Board} board @param {Step} step */
export function move(board, step) {
  const [dx, dy] = step;
  const rules = rulesOf(board);
  const yours = board.tiles.filter((t) => has(rules, t, 'YOU'));
  // Those in front go first, so that a row of them moves as one.
  yours.sort((a, b) => (b.x - a.x) * dx + (b.y - a.y) * dy);
  let moved = false;
  for (const tile of yours) {
    const along = pushed(board, rules, tile.x + dx, tile.y + dy, step);
    if (!along) continue;
    for (const t of along) [t.x, t.y] = [t.x + dx, t.y + dy];
    [tile.x, tile.y] = [tile.x + dx, tile.y + dy];
    moved = true;
  }
  if (moved) settle(board);
  return moved;
}

/** Things become others (NOUN IS NOUN), and what meets a SINK vanishes with it. @param {Board} board */
function settle(board) {
  const rules = rulesOf(board);
  for (const tile of board.tiles) {
    const other = tile.word ? undefined : rules.find((r) => r.noun === tile.name && NOUNS.includes(r.is));
    if (other && !says(rules, tile.name, tile.name)) tile.name = other.is;
  }
  const drains = board.tiles.filter((t) => has(rules, t, 'SINK'));
  for (const drain of drains) {
    const victim = board.tiles.find((t) => t !== drain && t.x === drain.x && t.y === drain.y);
    if (victim && board.tiles.includes(drain)) board.tiles = board.tiles.filter((t) => t !== drain && t !== victim);
  }
}

/** Whether something that is YOU is, or stands on, something that is WIN. @param {Board} board */
export function won(board) {
  const rules = rulesOf(board);
  const yours = board.tiles.filter((t) => has(rules, t, 'YOU'));
  return yours.some((you) => at(board, you.x, you.y).some((t) => has(rules, t, 'WIN')));
}

/** Whether anything is YOU. @param {Board} board */
export function playable(board) {
  const rules = rulesOf(board);
  return board.tiles.some((t) => has(rules, t, 'YOU'));
}
