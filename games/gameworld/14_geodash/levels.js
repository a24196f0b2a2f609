// @ts-check
/**
 * Pulse Jumper, the three tracks: one character a half beat (a quarter of a second of running).
 *
 * `^` one spike, `w` two spikes side by side, `#` a block to jump onto or over, `%` a block with a spike behind it,
 * `o` an orb in the air that must not be touched, `F` a gate that turns gravity over, `.` free way.
 * Everything that stands on the ground hangs from the ceiling while gravity is turned over.
 */

/** Places an obstacle a half beat later, or leaves it, as the seed deals; between two of them stay two free characters at least.
 * @param {string} track @param {import('../../kit/random.js').Stream} r */
export function shifted(track, r) {
  const gaps = track.split(/[^.]/).map((free) => free.length);
  const things = [...track].filter((c) => c !== '.');
  let before = 0;
  return gaps
    .map((gap, i) => {
      const last = i === gaps.length - 1;
      const later = last ? 0 : gap <= 2 ? Math.max(before, Number(r.chance(0.5))) : Number(r.chance(0.5));
      const free = gap + later - before;
      before = later;
      return '.'.repeat(Math.max(0, free)) + (things[i] ?? '');
    })
    .join('');
}

/** @typedef {{name: string, speed: number, color: number, track: string}} Level */

/** @type {Level[]} */
export const LEVELS = [
  {
    name: 'First Pulse',
    speed: 7,
    color: 205,
    track: '......^...^...^...#...^...o..^...^..^...w...#...^..^...o...^...w..^...^..#...^...^..^.........',
  },
  {
    name: 'Upside Town',
    speed: 7.6,
    color: 285,
    track: '.....^...^..w...#..^...F...^...^..o..^...w...F..^..^...#...w...^..F..^...^...w..F...^..^.......',
  },
  {
    name: 'Red Shift',
    speed: 8.2,
    color: 345,
    track: '....^..^...w...F..^..w...o..^...#..F...w..^...^..o..w..F..^...%...^..F..w...^..^...w..^......',
  },
];
