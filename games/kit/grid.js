// @ts-check
/**
 * Boards of equal cells: making, looking up, neighbours, turning, and where a cell lies on the canvas.
 *
 * A grid is an array of rows, `grid[row][col]`. Cell names are as in game.yaml: letters are columns, numbers rows.
 *
 * @template T @typedef {T[][]} Grid
 */

/** @typedef {{x: number, y: number, size: number, gap?: number}} Place  top left corner, cell size, space between */

/** @template T @param {number} cols @param {number} rows @param {T | ((col: number, row: number) => T)} fill
 * @returns {T[][]} */
export function makeGrid(cols, rows, fill) {
  const make = typeof fill === 'function' ? /** @type {(c: number, r: number) => T} */ (fill) : () => fill;
  return Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_, col) => make(col, row)));
}

/** @param {any[][]} grid @param {number} col @param {number} row */
export function inside(grid, col, row) {
  return row >= 0 && row < grid.length && col >= 0 && col < grid[row].length;
}

/** Every cell with its value. @template T @param {T[][]} grid @returns {{col: number, row: number, value: T}[]} */
export function cells(grid) {
  return grid.flatMap((line, row) => line.map((value, col) => ({ col, row, value })));
}

/** Neighbours that exist: four, or eight with `diagonal`. @param {any[][]} grid @param {number} col
 * @param {number} row @returns {[number, number][]} */
export function neighbours(grid, col, row, diagonal = false) {
  /** @type {[number, number][]} */
  const around = [];
  for (let dr = -1; dr <= 1; dr++) {
    for (let dc = -1; dc <= 1; dc++) {
      if ((dr || dc) && (diagonal || !dr || !dc) && inside(grid, col + dc, row + dr)) around.push([col + dc, row + dr]);
    }
  }
  return around;
}

/** Cells reached from a start through neighbours that `enter` allows. @param {any[][]} grid @param {number} col
 * @param {number} row @param {(col: number, row: number) => boolean} enter @returns {[number, number][]} */
export function flood(grid, col, row, enter, diagonal = false) {
  const seen = new Set([`${col},${row}`]);
  /** @type {[number, number][]} */
  const reached = [[col, row]];
  for (let i = 0; i < reached.length; i++) {
    for (const [c, r] of neighbours(grid, ...reached[i], diagonal)) {
      if (seen.has(`${c},${r}`) || !enter(c, r)) continue;
      seen.add(`${c},${r}`);
      reached.push([c, r]);
    }
  }
  return reached;
}

/** Turned by 90° clockwise. @template T @param {T[][]} grid @returns {T[][]} */
export function turn(grid) {
  return grid[0].map((_, col) => grid.map((line) => line[col]).reverse());
}

/** `c4` for column 2, row 3. @param {number} col @param {number} row */
export function cellName(col, row) {
  return String.fromCharCode(97 + col) + (row + 1);
}

/** Top left corner of a cell on the canvas. @param {Place} place @param {number} col @param {number} row */
export function corner(place, col, row) {
  const pitch = place.size + (place.gap ?? 0);
  return { x: place.x + col * pitch, y: place.y + row * pitch };
}

/** The cell under a point, or null. @param {Place} place @param {any[][]} grid @param {{x: number, y: number}} point */
export function cellAt(place, grid, point) {
  const pitch = place.size + (place.gap ?? 0);
  const col = Math.floor((point.x - place.x) / pitch);
  const row = Math.floor((point.y - place.y) / pitch);
  return inside(grid, col, row) ? { col, row } : null;
}
