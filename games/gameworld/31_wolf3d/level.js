// @ts-check
/** Stone Keep, the floor plan. Two rows of rooms with a hall between them; who stands where is drawn by lot. */

/** `#` `B` `W`: walls of stone, brick, wood · `D`: door · `g`: post of a guard · `m` medkit · `a` ammunition · `P`: start. */
export const PLAN = [
  '###################',
  '#.....B..g..B.....#',
  '#.g.g.B.....B..g..#',
  '#.....D..m..D.....#',
  '#...g.B.g...B.g.a.#',
  '####D####D####D####',
  '#............g...g#',
  '#P................#',
  '#.............g...#',
  '####D####D####D####',
  '#..g..W.....W...g.#',
  '#.....D..g..D..a..#',
  '#.g.g.W.m...W.g...#',
  '###################',
];

/** The guards: for each group the rectangle of its posts (left, top, right, bottom) and how many stand there. */
export const GROUPS = [
  { area: [8, 6, 17, 8], guards: 1 },
  { area: [1, 1, 5, 4], guards: 2 },
  { area: [7, 1, 11, 4], guards: 1 },
  { area: [13, 1, 17, 4], guards: 2 },
  { area: [1, 10, 5, 12], guards: 2 },
  { area: [7, 10, 11, 12], guards: 1 },
  { area: [13, 10, 17, 12], guards: 1 },
];

/** @param {number} x @param {number} y */
export function charAt(x, y) {
  return PLAN[Math.floor(y)]?.[Math.floor(x)] ?? '#';
}

/** @param {string} c */
export function isWall(c) {
  return c === '#' || c === 'B' || c === 'W';
}

/** Middles of all cells with that character. @param {string} what @returns {{x: number, y: number}[]} */
export function find(what) {
  return PLAN.flatMap((row, y) => [...row].flatMap((c, x) => (c === what ? [{ x: x + 0.5, y: y + 0.5 }] : [])));
}
