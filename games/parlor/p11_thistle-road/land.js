// @ts-check
/**
 * Maps: what lies where, where one can walk, and where doors and edges lead.
 *
 * A seed may mirror maps left to right: all open ones together, each house by itself. Coordinates are those of the map as
 * it is then seen.
 *
 * @typedef {'up'|'down'|'left'|'right'} Way
 * @typedef {'north'|'south'|'west'|'east'} Side
 * @typedef {{name: string, look: string, event?: string, says?: string[], again?: string[], index?: number, item?: string, duel?: string,
 *   facing?: Way, sight?: number}} Thing  sight: tiles over which a trainer sees the player
 * @typedef {{name: string, kind: 'open'|'wood'|'indoor', rows: string[], links?: Partial<Record<Side, string>>, zone?: string,
 *   wild?: [string, number, number][], objects: Record<string, Thing>}} Place  wild: kind, lowest and highest level
 * @typedef {{team: [string, number][], prize: number, won: string[], lost: string[]}} Duel  what its trainer says when you have won or lost
 * @typedef {{title: string, start: string, names: Record<string, string>, starters: string[], answers: Record<string, string>,
 *   duels: Record<string, Duel>, maps: Record<string, Place>}} Land
 * @typedef {import('./rules.js').State} State
 */

import { DALE } from './dale.js';
import { MARSH } from './marsh.js';

/** @type {Record<string, Land>} */
export const LANDS = { dale: DALE, marsh: MARSH };

/** @type {Record<Way, [number, number]>} */
export const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
export const WAYS = /** @type {Way[]} */ (['up', 'down', 'left', 'right']);
/** @type {Record<Side, Way>} */
export const OUT = { north: 'up', south: 'down', west: 'left', east: 'right' };
/** @type {Record<Way, Way>} */
export const BACK = { up: 'down', down: 'up', left: 'right', right: 'left' };
const WALKABLE = '.:",=zp';

/** @param {State} s */
export const land = (s) => LANDS[s.land];
/** @param {State} s */
export const place = (s) => land(s).maps[s.map];
/** @param {Place} p */
export const widthOf = (p) => p.rows[0].length;
/** @param {Place} p */
export const heightOf = (p) => p.rows.length;
/** @param {State} s @param {string} map */
export const mirrored = (s, map) => s.mirrored.includes(land(s).maps[map].kind === 'indoor' ? map : 'open');

/** What is written at a place of a map; '' outside. @param {State} s @param {number} x @param {number} y @param {string} [map] */
export function cell(s, x, y, map = s.map) {
  const row = land(s).maps[map].rows[y];
  if (!row || x < 0 || x >= row.length) return '';
  return row[mirrored(s, map) ? row.length - 1 - x : x];
}

/** The thing at a place, if it is still there. @param {State} s @param {number} x @param {number} y @param {string} [map] */
export function thingAt(s, x, y, map = s.map) {
  const letter = cell(s, x, y, map);
  if (!isThing(letter) || s.gone.includes(`${map} ${letter}`)) return null;
  return land(s).maps[map].objects[letter];
}

/** @param {string} c */
export const isThing = (c) => c >= 'A' && c <= 'Z';
/** @param {string} c */
export const isDoor = (c) => c >= '0' && c <= '9';

/** Whether one can stand there. @param {State} s @param {number} x @param {number} y */
export function free(s, x, y) {
  const c = cell(s, x, y);
  return c !== '' && (WALKABLE.includes(c) || isDoor(c) || (isThing(c) && !thingAt(s, x, y)));
}

/** Where a step leads: the next place, the one below a ledge, or null. @param {State} s @param {number} x @param {number} y @param {Way} way
 * @returns {[number, number] | null} */
export function stepFrom(s, x, y, way) {
  const [dx, dy] = STEPS[way];
  if (free(s, x + dx, y + dy)) return [x + dx, y + dy];
  if (way === 'down' && cell(s, x, y + 1) === 'v' && free(s, x, y + 2)) return [x, y + 2];
  return null;
}

/** Where a letter, a digit or the start stands on a map. @param {State} s @param {string} map @param {string} wanted @returns {[number, number]} */
export function find(s, map, wanted) {
  const { rows } = land(s).maps[map];
  const y = rows.findIndex((row) => row.includes(wanted));
  const x = rows[y].indexOf(wanted);
  return [mirrored(s, map) ? rows[y].length - 1 - x : x, y];
}

/** The map and place to which a door leads. @param {State} s @param {string} map @param {string} digit @returns {{map: string, at: [number, number]}} */
export function through(s, map, digit) {
  const to = Object.keys(land(s).maps).find((m) => m !== map && land(s).maps[m].rows.some((row) => row.includes(digit)));
  if (!to) throw new Error(`door ${digit} of ${map} leads nowhere`);
  return { map: to, at: find(s, to, digit) };
}

/** The map beyond a side, or ''. @param {State} s @param {Side} side @param {string} [map] */
export function beyond(s, side, map = s.map) {
  const turned = mirrored(s, map) ? /** @type {Record<Side, Side>} */ ({ west: 'east', east: 'west', north: 'north', south: 'south' })[side] : side;
  return land(s).maps[map].links?.[turned] ?? '';
}

/** Places at a side of a map where one can walk off it, in order. @param {State} s @param {Side} side @param {string} [map]
 * @returns {[number, number][]} */
export function rim(s, side, map = s.map) {
  const p = land(s).maps[map];
  const w = widthOf(p);
  const h = heightOf(p);
  const all = side === 'north' || side === 'south'
    ? Array.from({ length: w }, (_, x) => [x, side === 'north' ? 0 : h - 1])
    : Array.from({ length: h }, (_, y) => [side === 'west' ? 0 : w - 1, y]);
  return /** @type {[number, number][]} */ (all.filter(([x, y]) => WALKABLE.includes(cell(s, x, y, map))));
}

/** Where one arrives who walks off a map. @param {State} s @param {Side} side @param {number} x @param {number} y */
export function across(s, side, x, y) {
  const map = beyond(s, side);
  const opposite = /** @type {Record<Side, Side>} */ ({ north: 'south', south: 'north', west: 'east', east: 'west' })[side];
  const here = rim(s, side).findIndex(([a, b]) => a === x && b === y);
  const there = rim(s, opposite, map);
  return { map, at: there[here % there.length] };
}

/** Cells around the player that can be seen: four to the left, above and below, five to the right. */
export const SIGHT = { left: 4, right: 5, up: 4, down: 4 };

/** Marks what is seen from here. @param {State} s */
export function look(s) {
  const p = place(s);
  const w = widthOf(p);
  s.known[s.map] ??= p.rows.map(() => '?'.repeat(w));
  const rows = s.known[s.map];
  for (let y = Math.max(0, s.y - SIGHT.up); y <= Math.min(heightOf(p) - 1, s.y + SIGHT.down); y++) {
    const from = Math.max(0, s.x - SIGHT.left);
    const to = Math.min(w - 1, s.x + SIGHT.right);
    rows[y] = rows[y].slice(0, from) + '!'.repeat(to - from + 1) + rows[y].slice(to + 1);
  }
}

/** @param {State} s @param {number} x @param {number} y */
export const known = (s, x, y) => s.known[s.map]?.[y]?.[x] === '!';

/** Things of this map that have been seen and are still there, and doors. @param {State} s
 * @returns {{x: number, y: number, name: string, thing: Thing | null}[]} */
export function notable(s) {
  const out = [];
  const p = place(s);
  for (let y = 0; y < heightOf(p); y++) {
    for (let x = 0; x < widthOf(p); x++) {
      if (!known(s, x, y)) continue;
      const thing = thingAt(s, x, y);
      if (thing) out.push({ x, y, name: thing.name, thing });
      else if (isDoor(cell(s, x, y))) out.push({ x, y, name: 'WarpPoint', thing: null });
    }
  }
  return out;
}

/** The shortest way over known ground, as directions; null if there is none. Doors are entered only as the goal.
 * @param {State} s @param {(x: number, y: number) => boolean} goal @returns {Way[] | null} */
export function route(s, goal) {
  /** @type {Map<string, {from: string, way: Way} | null>} */
  const seen = new Map([[`${s.x},${s.y}`, null]]);
  const queue = [[s.x, s.y]];
  for (const [x, y] of queue) {
    const key = `${x},${y}`;
    if (goal(x, y)) {
      /** @type {Way[]} */
      const ways = [];
      for (let at = seen.get(key); at; at = seen.get(at.from)) ways.unshift(at.way);
      return ways;
    }
    if (isDoor(cell(s, x, y)) && seen.get(key)) continue;
    for (const way of WAYS) {
      const to = stepFrom(s, x, y, way);
      if (!to || !known(s, to[0], to[1]) || seen.has(to.join())) continue;
      seen.set(to.join(), { from: key, way });
      queue.push(to);
    }
  }
  return null;
}
