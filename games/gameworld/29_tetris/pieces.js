// @ts-check
/** The seven ways to join four squares, and their quarter turns. */

/** @type {Record<string, {color: string, rows: string[]}>} */
const SHAPES = {
  I: { color: '#12a5a0', rows: ['....', 'XXXX', '....', '....'] },
  O: { color: '#f5c518', rows: ['XX', 'XX'] },
  T: { color: '#8250df', rows: ['.X.', 'XXX', '...'] },
  S: { color: '#3aa655', rows: ['.XX', 'XX.', '...'] },
  Z: { color: '#e5484d', rows: ['XX.', '.XX', '...'] },
  J: { color: '#2f6fed', rows: ['X..', 'XXX', '...'] },
  L: { color: '#f2802b', rows: ['..X', 'XXX', '...'] },
};

export const KINDS = Object.keys(SHAPES);

/** @param {string} kind */
export const colorOf = (kind) => SHAPES[kind].color;

/** Squares of a piece after `turns` quarter turns clockwise, as [column, row] from its corner. @param {string} kind @param {number} turns @returns {[number, number][]} */
export function squares(kind, turns) {
  const { rows } = SHAPES[kind];
  const size = rows.length;
  /** @type {[number, number][]} */
  const out = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (rows[y][x] !== 'X') continue;
      let [a, b] = [x, y];
      for (let i = 0; i < turns % 4; i++) [a, b] = [size - 1 - b, a];
      out.push([a, b]);
    }
  }
  return out;
}
