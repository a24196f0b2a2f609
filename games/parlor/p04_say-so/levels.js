// @ts-check
/**
 * The two levels of Say So. Both start in a room whose walls stop you while a sentence inside the room says so, and both
 * need a second sentence outside that makes something WIN. Where things lie is drawn from the seed.
 */

import { stream } from '../../kit/random.js';

/** @typedef {import('./board.js').Board} Board @typedef {import('./board.js').Tile} Tile */

export const WIDTH_CELLS = 17;
export const HEIGHT_CELLS = 11;

/** What the level is about, by level. @type {Record<number, {you: string, barrier: string, goal: string}>} */
export const CAST = {
  1: { you: 'MOTH', barrier: 'WALL', goal: 'LAMP' },
  2: { you: 'CRAB', barrier: 'HEDGE', goal: 'BELL' },
};

/**
 * The rooms: # is the barrier, the letters are the three words of its sentence, @ is where you may start. No word of the
 * sentence can be pushed out of line before the sentence has been moved under one of the two niches at its ends.
 * @type {Record<number, string[]>}
 */
const ROOMS = {
  1: [
    '#######',
    '#.###.#',
    '#.abc.#',
    '#.###.#',
    '#.###.#',
    '#.###.#',
    '#.@@@.#',
    '#######',
  ],
  2: [
    '########',
    '#......#',
    '##.###@#',
    '##a###@#',
    '##b###@#',
    '##c###@#',
    '##.###@#',
    '#......#',
    '########',
  ],
};

/** @param {number} level @param {import('../../kit/random.js').Rng} rng @returns {Board} */
export function makeLevel(level, rng) {
  const draw = stream(rng, 'level');
  const { you, barrier, goal } = CAST[level];
  /** @type {Tile[]} */
  const tiles = [];
  /** @param {string} name @param {number} x @param {number} y */
  const thing = (name, x, y) => tiles.push({ word: false, name, x, y });
  /** @param {string} name @param {number} x @param {number} y */
  const word = (name, x, y) => tiles.push({ word: true, name, x, y });

  // The room is on the left or on the right and may stand on its head; the rest of the board is the yard.
  const mirrored = draw.chance(0.5);
  const plan = draw.chance(0.5) ? [...ROOMS[level]].reverse() : ROOMS[level];
  const room = { x: 0, y: level === 1 ? draw.int(1, 2) : 1, w: plan[0].length, h: plan.length };
  const left = mirrored ? WIDTH_CELLS - room.w : room.x;
  /** @type {Record<string, number[]>} */
  const sentence = {};
  /** @type {number[][]} */
  const starts = [];
  plan.forEach((line, y) => {
    [...(mirrored ? [...line].reverse() : line)].forEach((c, x) => {
      const at = [left + x, room.y + y];
      if (c === '#') thing(barrier, at[0], at[1]);
      else if (c === '@') starts.push(at);
      else if (c !== '.') sentence[c] = at;
    });
  });
  // However the room is turned, the sentence is read from left to right or from top to bottom.
  const places = Object.values(sentence).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  [barrier, 'IS', 'STOP'].forEach((name, i) => word(name, places[i][0], places[i][1]));
  const start = draw.pick(starts);
  thing(you, start[0], start[1]);
  // Who you are is written in the corner.
  const edge = mirrored ? WIDTH_CELLS - 3 : 0;
  [you, 'IS', 'YOU'].forEach((name, i) => word(name, edge + i, 0));

  // The yard: three loose words, none next to another or at the edge, and what you want to reach.
  const yard = mirrored ? { from: 1, to: WIDTH_CELLS - room.w - 2 } : { from: room.w + 1, to: WIDTH_CELLS - 2 };
  /** @type {number[][]} */
  const free = [];
  for (let x = yard.from; x <= yard.to; x++) for (let y = 2; y <= HEIGHT_CELLS - 2; y++) free.push([x, y]);
  /** @type {number[][]} */
  const taken = [];
  const place = () => {
    const open = free.filter(([x, y]) => taken.every(([a, b]) => Math.max(Math.abs(a - x), Math.abs(b - y)) > 1));
    const cell = draw.pick(open);
    taken.push(cell);
    return cell;
  };
  for (const name of [goal, 'IS', 'WIN']) {
    const [x, y] = place();
    word(name, x, y);
  }
  const [gx, gy] = place();
  thing(goal, gx, gy);
  if (level === 2) {
    // A well swallows whatever falls into it: a careless push loses a word.
    const [x, y] = place();
    thing('WELL', x, y);
    const corner = mirrored ? 0 : WIDTH_CELLS - 3;
    ['WELL', 'IS', 'SINK'].forEach((name, i) => word(name, corner + i, 0));
  } else {
    const corner = mirrored ? 0 : WIDTH_CELLS - 3;
    ['ROCK', 'IS', 'PUSH'].forEach((name, i) => word(name, corner + i, HEIGHT_CELLS - 1));
    const [x, y] = place();
    thing('ROCK', x, y);
  }
  return { width: WIDTH_CELLS, height: HEIGHT_CELLS, tiles };
}
