// @ts-check
/** A tile map in words: the part that a view shows, as rows of symbols with the places of rows and columns. */

import { tileAt } from './platform.js';

/** @typedef {{x: number, y: number, symbol: string}} Mark  a point of the map, in pixels, whose cell gets the symbol */

/**
 * Rows of symbols, each after the y of its upper edge on the canvas; a first line counts the columns, the last digit of
 * each. Later marks lie over earlier ones.
 * @param {import('./platform.js').TileMap} map @param {{x: number, y: number}} view @param {Mark[]} marks
 * @param {(char: string) => string} look  the symbol for a map's character
 * @returns {{lines: string[], left: number}} `left`: x of the first column on the canvas
 */
export function tileLines(map, view, marks, look, width = 1280, height = 720) {
  const t = map.tile;
  const col = Math.max(0, Math.floor(view.x / t));
  const row = Math.max(0, Math.floor(view.y / t));
  const cols = Math.min(map.rows[0].length, Math.ceil((view.x + width) / t)) - col;
  const rows = Math.min(map.rows.length, Math.ceil((view.y + height) / t)) - row;
  const grid = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols }, (_, c) => look(tileAt(map, col + c, row + r))),
  );
  for (const { x, y, symbol } of marks) {
    const [c, r] = [Math.floor(x / t) - col, Math.floor(y / t) - row];
    if (grid[r]?.[c] !== undefined) grid[r][c] = symbol;
  }
  const digits = Array.from({ length: cols }, (_, c) => c % 10).join('');
  const lines = grid.map((line, r) => `${String((row + r) * t - view.y).padStart(4)} ${line.join('')}`);
  return { lines: [`     ${digits}`, ...lines], left: col * t - view.x };
}

/** How something moves, as seen over so many updates. @param {number} vx @param {number} vy @param {number} frames
 * @returns {string} `right by 96 and up by 40`, or an empty string */
export function motion(vx, vy, frames) {
  const [dx, dy] = [Math.round(vx * frames), Math.round(vy * frames)];
  const parts = [];
  if (dx) parts.push(`${dx < 0 ? 'left' : 'right'} by ${Math.abs(dx)}`);
  if (dy) parts.push(`${dy < 0 ? 'up' : 'down'} by ${Math.abs(dy)}`);
  return parts.join(' and ');
}
