// @ts-check
/**
 * Crate Escape, the three stages: one character a column, ten columns a line.
 *
 * Floor: a digit is the height of the ground in tiles, `.` is a hole. Marks: `^` spikes on the ground,
 * `v` spikes that hang from a beam above it, `s` a spring plate, `*` a coin high above the ground.
 */

import { stream } from '../../kit/random.js';

/** @typedef {{speed: number, rows: [string, string][], more: string[]}} Stage `more`: ways to lay it out, of which the seed
 * deals one: a digit a line, how many columns of even ground lie before it. Each of them can be crossed. */

/** @type {Stage[]} */
export const STAGES = [
  {
    speed: 6.5,
    more: ['02020220', '01012202', '01020113', '01210031', '00103211', '01111202', '00120131'],
    rows: [
      ['0000000000', '        * '],
      ['0000000000', ' ^      v '],
      ['0000..0000', '    *     '],
      ['0011110000', '         ^'],
      ['000000..00', '      *   '],
      ['0011220000', '     * v  '],
      ['000000.000', '  ^   *   '],
      ['0000000000', '          '],
    ],
  },
  {
    speed: 6.8,
    more: ['032010110', '013000220', '013020200', '002030300', '023000210', '012020120', '021010220'],
    rows: [
      ['0000000000', '        ^ '],
      ['000..00000', '   *   ^  '],
      ['0000000000', ' v    s   '],
      ['3333300000', '  *     ^ '],
      ['00..0000..', ' *   v  * '],
      ['0000011110', ' v      ^ '],
      ['0000..0000', '         *'],
      ['0111222333', '          '],
      ['3300000000', '      ^^  '],
    ],
  },
  {
    speed: 7.2,
    more: ['024000000020', '001120110020', '000210120020', '000300120020', '010210020020', '022110000020', '012010020020'],
    rows: [
      ['0000000000', '          '],
      ['0000000000', ' ^    ^   '],
      ['00...00000', '   *     v'],
      ['00011.1100', '     *    '],
      ['000000....', '     s  * '],
      ['2222000000', '      ^   '],
      ['0000000000', '  v    ^^ '],
      ['0000..00..', '     *   *'],
      ['0000112233', '  v       '],
      ['3333000000', '  ^       '],
      ['00..0000..', '  *   ^   '],
      ['0000000000', '          '],
    ],
  },
];

/** The floor and the marks of a stage, laid out as the seed deals it.
 * @param {Stage} stage @param {import('../../kit/random.js').Rng} rng */
export function laidOut({ rows, more }, rng) {
  const way = stream(rng, 'ground').pick(more);
  const joined = (/** @type {0 | 1} */ part, /** @type {string} */ even) => rows.map((row, i) => even.repeat(Number(way[i])) + row[part]).join('');
  return { floor: joined(0, '0'), marks: joined(1, ' ') };
}
