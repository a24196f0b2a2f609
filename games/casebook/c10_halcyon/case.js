// @ts-check
/**
 * An airship for a number: which lock asks for what, where that is told, which way round it is read, and what lies where.
 *
 * Solvable by construction. Of the two locks in the saloon one holds the handle of the bridge's door; the fuse of the engine
 * room's door lies behind the other one or on the bridge; and what a lock asks for is told in its own room or before it.
 *
 * @typedef {'gauges'|'flags'|'cases'|'route'} Kind  What a lock asks for.
 */

import { stream } from '../../kit/random.js';

/** @type {Kind[]} */
export const KINDS = ['gauges', 'flags', 'cases', 'route'];
export const LOCKS = ['bar', 'trunk', 'chest', 'locker'];
export const ROOMS = ['saloon', 'bridge', 'engine'];
/** @type {Record<string, string>} */
export const ROOM = { bar: 'saloon', trunk: 'saloon', chest: 'bridge', locker: 'engine' };
export const FLAGS = ['cross', 'disc', 'halves', 'squares', 'stripes', 'frame'];
export const LABELS = ['anchor', 'star', 'fish', 'umbrella', 'bell', 'apple'];
export const GAUGES = ['height', 'wind', 'steam'];
/** @type {Record<string, [number, number]>} */
export const WAYS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };
/** @type {Record<string, string>} */
const BACK = { north: 'south', south: 'north', east: 'west', west: 'east' };

/** Five legs that never cross, and turn at least three times. @param {any} r */
function journey(r) {
  for (;;) {
    const legs = Array.from({ length: 5 }, () => r.pick(Object.keys(WAYS)));
    let at = [0, 0];
    const seen = new Set(['0 0']);
    for (const leg of legs) {
      at = [at[0] + WAYS[leg][0], at[1] + WAYS[leg][1]];
      seen.add(at.join(' '));
    }
    const turns = legs.filter((leg, i) => i && leg !== legs[i - 1]).length;
    if (seen.size === 6 && turns >= 3) return legs;
  }
}

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `halcyon ${options.case}`, streams: {} }, 'case');
  const kinds = r.shuffle(KINDS);
  const told = ['saloon', 'saloon', r.pick(['saloon', 'bridge']), ''];
  told[3] = r.pick(told[2] === 'saloon' ? ['bridge', 'engine'] : ROOMS);
  /** @type {Record<string, number>} */
  const free = { saloon: 0, bridge: 0, engine: 0 };
  const places = r.shuffle([0, 1, 2, 3]).map((/** @type {number} */ i) => [kinds[i], { room: told[i], slot: free[told[i]]++ }]);
  const [first, second] = r.shuffle(['bar', 'trunk']);
  const next = r.pick(['fuse', 'wheel', 'ladder']);
  const late = r.shuffle(['wheel', 'ladder'].filter((t) => t !== next));
  const holds = { [first]: 'handle', [second]: next, chest: next === 'fuse' ? late[0] : 'fuse', locker: next === 'fuse' ? late[1] : late[0] };
  const gauges = Object.fromEntries(GAUGES.map((g) => [g, r.int(1, 9)]));
  const order = r.shuffle(GAUGES);
  const flags = r.shuffle(FLAGS).slice(0, 4);
  const labels = r.shuffle(LABELS).slice(0, 4);
  const weights = r.shuffle([4, 7, 9, 12, 15, 18, 23]).slice(0, 4);
  const cases = labels.map((/** @type {string} */ label, /** @type {number} */ i) => ({ label, weight: weights[i] }));
  const route = journey(r);
  const turned = { flags: r.chance(0.5), cases: r.chance(0.5), route: r.chance(0.5) };
  const rising = [...cases].sort((a, b) => a.weight - b.weight).map((c) => c.label);
  return {
    kinds: Object.fromEntries(LOCKS.map((l, i) => [l, kinds[i]])),
    where: Object.fromEntries(places),
    holds, gauges, order, flags, cases, route, turned,
    codes: {
      gauges: order.map((/** @type {string} */ g) => String(gauges[g])),
      flags: turned.flags ? [...flags].reverse() : flags,
      cases: turned.cases ? [...rising].reverse() : rising,
      route: turned.route ? [...route].reverse().map((leg) => BACK[leg]) : route,
    },
  };
}
