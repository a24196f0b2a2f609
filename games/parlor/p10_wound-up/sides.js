// @ts-check
/** Wound Up: what can be read of a side, and its new houses. */

import { BUILDINGS, UNITS, worth } from './data.js';
import { apart, PLANS, REACH } from './maps.js';

/** @typedef {import('./maps.js').Point} Point @typedef {import('./rules.js').House} House */
/** @typedef {import('./rules.js').State} State @typedef {import('./rules.js').Side} Side */

export const MOST_ROOM = 120;

/** Seconds since the start. @param {State} s */
export const now = (s) => s.age / 60;

/** @param {State} s @param {number} who @param {string} kind @param {number} yard @param {Point} at @param {number} left */
export function addHouse(s, who, kind, yard, at, left) {
  /** @type {House} */
  const h = { id: s.next++, kind, yard, x: at.x, y: at.y, hp: BUILDINGS[kind].hp * (left ? 0.2 : 1), left, cooldown: 0, energy: 0, wound: 0, queue: [] };
  s.sides[who].houses.push(h);
  return h;
}

/** Houses of a kind that stand. @param {Side} a @param {string} kind */
export const standing = (a, kind) => a.houses.filter((h) => h.kind === kind && h.left <= 0);

/** Room in use, with what is being trained. @param {Side} a */
export function used(a) {
  let n = 0;
  for (const u of a.toys) n += UNITS[u.kind].room;
  for (const h of a.houses) for (const w of h.queue) n += UNITS[w.what]?.room ?? 0;
  return n;
}

/** @param {Side} a */
export const room = (a) => Math.min(MOST_ROOM, a.houses.reduce((n, h) => n + (h.left <= 0 ? BUILDINGS[h.kind].room : 0), 0));

/** Value of the army: the sum of the costs of its toys. @param {Side} a */
export const army = (a) => a.toys.reduce((n, u) => n + worth(u.kind), 0);

/** The yard of the oldest toy chest. @param {State} s @param {Side} a */
export const home = (s, a) => a.houses.find((h) => h.kind === 'chest')?.yard ?? REACH[a.who][0];

/** The yard with a chest and tin whose tin has the fewest mice. @param {State} s @param {Side} a */
export function emptiest(s, a) {
  const mice = (/** @type {number} */ y) => a.toys.filter((u) => u.job === 'tin' && u.yard === y).length;
  const open = standing(a, 'chest').map((h) => h.yard).filter((y) => s.left[y].tin > 0);
  return open.sort((x, y) => mice(x) - mice(y))[0];
}

/** The yard without a chest of its own that a side has not seen for longest; the enemy's half first. @param {State} s @param {Side} a */
export function oldest(s, a) {
  const own = new Set(a.houses.filter((h) => h.kind === 'chest').map((h) => h.yard));
  const aimed = new Set(a.toys.filter((u) => u.job === 'scout').map((u) => u.yard));
  const order = [...REACH[1 - a.who]].filter((y) => !own.has(y));
  const free = order.filter((y) => !aimed.has(y));
  return (free.length ? free : order).reduce((x, y) => (a.looked[y] < a.looked[x] ? y : x));
}

/** @param {State} s @param {Point} p */
export function nearestYard(s, p) {
  return PLANS[s.map].yards.reduce((x, y) => (apart(y, p) < apart(x, p) ? y : x)).letter;
}
