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

  // The room is on the left or on the right, one of two heights; the rest of the board is the yard.
  const mirrored = draw.chance(0.5);
  const room = level === 1 ? { x: 0, y: draw.int(1, 2), w: 8, h: 8 } : { x: 0, y: 1, w: 9, h: 9 };
  const left = mirrored ? WIDTH_CELLS - room.w : room.x;
  for (let x = 0; x < room.w; x++) {
    for (let y = 0; y < room.h; y++) {
      if (x === 0 || y === 0 || x === room.w - 1 || y === room.h - 1) thing(barrier, left + x, room.y + y);
    }
  }
  // Who you are is written in the corner, out of reach of a careless push from inside.
  const edge = mirrored ? WIDTH_CELLS - 3 : 0;
  [you, 'IS', 'YOU'].forEach((name, i) => word(name, edge + i, 0));

  // Inside: the sentence of the walls, with free cells around it, and you.
  const upright = level === 2;
  const sx = left + 2 + (upright ? draw.int(1, 3) : draw.int(0, 1));
  const sy = room.y + (upright ? 3 : draw.int(3, 4));
  [barrier, 'IS', 'STOP'].forEach((name, i) => word(name, sx + (upright ? 0 : i), sy + (upright ? i : 0)));
  const start = draw.pick(upright ? [[left + 1, room.y + 1], [left + 7, room.y + 7], [left + 7, room.y + 1]] : [
    [left + 2, room.y + 6], [left + 5, room.y + 6], [left + 3, room.y + 1], [left + 5, room.y + 1],
  ]);
  thing(you, start[0], start[1]);

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
