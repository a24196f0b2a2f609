// @ts-check
/**
 * Crate Escape, the three stages: one character a column, ten columns a line.
 *
 * Floor: a digit is the height of the ground in tiles, `.` is a hole. Marks: `^` spikes on the ground,
 * `v` spikes that hang from a beam above it, `s` a spring plate, `*` a coin high above the ground.
 */

/** @typedef {{speed: number, rows: [string, string][]}} Stage */

/** @type {Stage[]} */
export const STAGES = [
  {
    speed: 6.5,
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
