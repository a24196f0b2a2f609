// @ts-check
/**
 * Rail and Wall, the three levels, in sections from left to right. `#` concrete, `b` cracked floor (a smash breaks it),
 * `^` spikes, `o` coin, `@` start, `F` finish. The seed deals how wide the sections of a level are and to which side it
 * leads, and in the first two where their coins lie and where the floor is cracked.
 */

import { changes, facing } from '../../dealt/stages.js';
import { stream } from '../../kit/random.js';
import { sideBySide } from '../../kit/stages.js';

/** @typedef {import('../../kit/random.js').Rng} Rng */

const HEIGHT = 15;

/** Ground with something on it, by rows from the top. @param {number} width @param {string[]} [above] */
const flat = (width, above = []) => [...above, '#'.repeat(width), '#'.repeat(width)];

/** Spikes to jump over. @param {number} width */
const spikes = (width) => ['^'.repeat(width), '#'.repeat(width)];

/** A wall that is too high to jump over, with room to slide under it. @param {number} width */
const tunnel = (width) => flat(width, [...Array(6).fill('#'.repeat(width)), '.'.repeat(width)]);

/** A block to stand on. @param {number} width @param {number} height @param {string[]} [above] what is over it
 * @param {string} [foot] its lowest row */
const block = (width, height, above = [], foot = '') => flat(width, [...above, ...Array(height - 1).fill('#'.repeat(width)), foot.padEnd(width, '#')]);

const CLIMB = [
  '..#...........',
  '..#.o.........',
  '..#...........',
  '..#...##......',
  '..#...##......',
  '..#...##......',
  '......##......',
  '......##......',
  '......##....F.',
  '##############',
  '##############',
];

const ONE = {
  /** 1 if it leads to the left; 1 if the tunnel comes before the spikes; widths: run-up, spikes, ground, tunnel, ground,
   * spikes, before the block, the block; height of the block; 1 if it is hollow; columns behind it, spikes.
   * @param {Rng} rng */
  draw(rng) {
    const r = stream(rng, 'level');
    return [
      r.int(0, 1), r.int(0, 1), r.int(3, 7), r.int(3, 4), r.int(2, 6), r.int(2, 5), r.int(3, 7), r.int(3, 4), r.int(3, 5), r.int(4, 6),
      r.int(2, 3), r.int(0, 1), r.int(2, 4), r.int(3, 4),
    ];
  },
  /** @param {number[]} plan */
  rows([turned, low, before, first, land, long, run, second, front, wide, high, hollow, behind, third]) {
    const begin = [[spikes(first), flat(land)], [tunnel(long), flat(run)]];
    if (low) begin.reverse();
    return facing(turned, sideBySide([
      flat(before, ['.@'.padEnd(before, '.')]), ...begin.flat(), spikes(second), flat(front), hollow ? block(wide, high, [], '.o') : block(wide, high, ['o'.padStart(wide, '.'), '', '']),
      flat(behind), spikes(third), CLIMB,
    ], HEIGHT));
  },
};

const TWO = {
  /** 1 if it leads to the left; widths: the first roof, gap, roof, gap, roof, gap; floor before the crack and behind it;
   * columns before the low ceiling, its width, spikes; 1 if the first coin lies behind the crack, not before it.
   * @param {Rng} rng */
  draw(rng) {
    const r = stream(rng, 'level');
    return [
      r.int(0, 1), r.int(3, 7), r.int(3, 4), r.int(2, 5), r.int(3, 4), r.int(2, 5), r.int(3, 4), r.int(2, 5), r.int(1, 4), r.int(1, 3),
      r.int(4, 7), r.int(2, 3), r.int(0, 1),
    ];
  },
  /** @param {number[]} plan */
  rows([turned, begin, gap, roof, next, third, last, before, behind, free, low, wide, side]) {
    const hall = before + 2 + behind;
    const coin = side ? hall - 1 : 0;
    const empty = '.'.repeat(hall);
    const cracked = [
      ...Array(5).fill(`${empty}#`), `${'#'.repeat(before)}bb${'#'.repeat(behind + 1)}`, ...Array(4).fill(`${empty}.`),
      `${empty.slice(0, coin)}o${empty.slice(coin + 1)}.`,
    ];
    const ceiling = [...Array(4).fill('#'.repeat(low)), '.'.repeat(low)];
    return facing(turned, sideBySide([
      block(begin, 6, ['.@']), spikes(gap), block(roof, 6), spikes(next), block(third, 6), spikes(last), block(1, 6), flat(hall + 1, cracked),
      flat(free), flat(low, ceiling), flat(4, ['..o.', '....', '....']), spikes(wide), flat(6, ['....F.']),
    ], HEIGHT));
  },
};

/** The third level, its first four sections with so many columns more at their left end: run-up, before the narrow way
 * up, before the cracked floor, before the wall. */
const SECTIONS = [
  [
    '..................',
    '...........o......',
    '..................',
    '.@......####......',
    '#####^^^####^^^###',
    '##################',
  ],
  [
    '..#.......',
    '..#.......',
    '..#...####',
    '..#...####',
    '..#...####',
    '..#...####',
    '......####',
    '......####',
    '......####',
    '##########',
    '##########',
  ],
  [
    '.....#',
    '.....#',
    '.....#',
    '.....#',
    '.....#',
    '#bbb##',
    '#.....',
    '#.....',
    '#.....',
    '#.....',
    '#.....',
    '######',
    '######',
  ],
  [
    '.#####........#...',
    '.#####........#...',
    '.#####........#...',
    '.#####........#.o.',
    '.#####........#...',
    '.#####........#...',
    '.#####............',
    '..................',
    '#######^^^########',
    '##################',
  ],
  [
    '..........',
    '....F.....',
    '..######..',
    '..######..',
    '..######..',
    '..######..',
    '..######..',
    '..######..',
    '..######..',
    '..######..',
    '##########',
    '##########',
  ],
];

const THREE = {
  /** @param {Rng} rng */
  draw: (rng) => changes(rng, 'circuit', [2, 4, 4, 3, 4]),
  /** @param {number[]} plan */
  rows: ([turned, ...wider]) =>
    facing(turned, sideBySide(SECTIONS.map((rows, i) => rows.map((row) => row[0].repeat(wider[i] ?? 0) + row)), HEIGHT)),
};

export const LEVELS = [
  { name: 'Warm-up', ...ONE },
  { name: 'Break through', ...TWO },
  { name: 'Full circuit', ...THREE },
];
