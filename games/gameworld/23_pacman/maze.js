// @ts-check
/**
 * Burrow Feast, the burrows: 13 by 7 crossings, joined by tunnels. One half is written down, the other mirrors it.
 *
 * A map has a character for each crossing and for each place between two: even columns and rows are crossings.
 */

export const COLUMNS = 13;
export const ROWS = 7;

/** @type {Record<string, [number, number]>} */
export const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
/** @type {Record<string, string>} */
export const BACK = { up: 'down', down: 'up', left: 'right', right: 'left' };

const HALF = [
  'o-o-o-o o-o-o',
  '|   | | |   |',
  'o-o-o o-o-o o',
  '| |   | | | |',
  'o-o-o o-o o o',
  '|   | | | | |',
  'o-o-o-o o-o-o',
  '| |   | | | |',
  'o o-o-o o-o o',
  '| | |   | | |',
  'o-o o-o-o o-o',
  '|   | |   | |',
  'o-o-o o-o-o-o',
];

/** @param {string} row */
const back = (row) => [...row].reverse().join('');
const outside = HALF.map((row) => row + back(row).slice(1));
const inside = HALF.map((row) => back(row) + row.slice(1));

/** The burrows: what is written down as the left half or the right one, and each of them on its head. */
export const MAZES = [outside, [...outside].reverse(), inside, [...inside].reverse()];
/** Crossings with a glowing berry. @type {[number, number][]} */
export const BERRIES = [[2, 1], [10, 1], [2, 5], [10, 5]];
/** Where the slimes live. @type {[number, number][]} */
export const NEST = [[6, 3], [5, 3], [7, 3]];
/** Crossings of which the seed deals the one where the hamster begins. @type {[number, number][]} */
export const STARTS = [[6, 5], [1, 5], [11, 5], [4, 6], [8, 6], [0, 6], [12, 6], [3, 5], [9, 5]];

/** A tunnel leads that way. @param {string[]} maze @param {number} col @param {number} row @param {string} way */
export function open(maze, col, row, way) {
  const [dx, dy] = WAYS[way];
  return (maze[row * 2 + dy]?.[col * 2 + dx] ?? ' ') !== ' ';
}

/** Every crumb's place in half tunnels, as on the map: `[x, y]`. @param {string[]} maze @returns {[number, number][]} */
export function crumbPlaces(maze) {
  return maze.flatMap((line, y) =>
    [...line].flatMap((c, x) => (c === ' ' ? [] : [/** @type {[number, number]} */ ([x, y])])),
  );
}
