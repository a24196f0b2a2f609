// @ts-check
/** Wound Up, what a side may know: all of its own, and of the enemy what it sees or has seen. */

import { BUILDINGS, UNITS, worth } from './data.js';
import { PLANS, REACH } from './maps.js';
import { FULL } from './rules.js';
import { army, now, room, used } from './sides.js';

/** The sides by name, as the roles of a match of two. */
export const ROLES = ['red', 'blue'];
/** The side of a role; a single player has the left one. @param {string} role */
export const sideOf = (role) => Math.max(0, ROLES.indexOf(role));

/** Seconds after which a seen enemy is no longer in sight. */
const FRESH = 1;

/** How many of each. @param {string[]} list @returns {Record<string, number>} */
function tally(list) {
  /** @type {Record<string, number>} */
  const out = {};
  for (const k of list) out[k] = (out[k] ?? 0) + 1;
  return out;
}

/** @param {import('./rules.js').State} s @param {number} who */
export function knows(s, who) {
  const a = s.sides[who];
  const { yards } = PLANS[s.map];
  const busy = a.houses.flatMap((h) => h.queue.map((w, i) => ({ what: w.what, at: h.kind, left: Math.ceil(w.left), now: i === 0, wound: h.wound > 0 })));
  const rising = a.houses.filter((h) => h.left > 0).map((h) => ({ what: h.kind, left: Math.ceil(h.left) }));
  const seen = Object.values(a.seenToys);
  const sight = seen.filter((e) => now(s) - e.at <= FRESH);
  const own = a.toys.filter((u) => u.kind !== 'mouse');
  return {
    time: Math.floor(now(s)),
    tin: Math.floor(a.tin),
    oil: Math.floor(a.oil),
    used: used(a),
    room: room(a),
    winding: Math.floor(Math.max(0, ...a.houses.filter((h) => h.kind === 'chest' && h.left <= 0).map((h) => h.energy))),
    mice: tally(a.toys.filter((u) => u.kind === 'mouse').map((u) => u.job)),
    army: tally(own.map((u) => u.kind)),
    army_value: army(a),
    jobs: tally(own.filter((u) => u.job !== 'home').map((u) => `${u.job} ${u.kind}`)),
    worn: own.filter((u) => u.hp < 0.4 * UNITS[u.kind].hp).length,
    houses: tally(a.houses.filter((h) => h.left <= 0).map((h) => h.kind)),
    damaged: a.houses.filter((h) => h.left <= 0 && h.hp < 0.9 * BUILDINGS[h.kind].hp).map((h) => ({ what: h.kind, health: Math.round((100 * h.hp) / BUILDINGS[h.kind].hp) })),
    rising,
    busy,
    research: [...a.known],
    yards: REACH[who].map((n) => {
      const mine = a.houses.some((h) => h.kind === 'chest' && h.yard === n);
      const theirs = Object.values(a.seenHouses).filter((h) => Math.abs(h.x - yards[n].x) < 270 && closest(yards, h) === n);
      return {
        letter: yards[n].letter,
        mine,
        mice: a.toys.filter((u) => u.job === 'tin' && u.yard === n).length,
        full: FULL,
        tin: mine ? s.left[n].tin : null,
        oil: mine ? s.left[n].oil : null,
        enemy: tally(theirs.map((h) => h.kind)),
        looked: a.looked[n] < 0 ? null : Math.floor(now(s) - a.looked[n]),
      };
    }),
    in_sight: tally(sight.map((e) => e.kind)),
    near_home: tally(sight.filter((e) => a.houses.some((h) => Math.abs(h.x - e.x) < 260 && Math.abs(h.y - e.y) < 260)).map((e) => e.kind)),
    remembered: tally(seen.map((e) => e.kind)),
    remembered_value: seen.reduce((n, e) => n + worth(e.kind), 0),
    lost: a.lost,
    killed: a.killed,
    news: a.news.map((n) => `${clock(n.at)} ${n.said}`),
  };
}

/** @param {{x: number, y: number}[]} yards @param {{x: number, y: number}} p */
function closest(yards, p) {
  const far = (/** @type {number} */ i) => (yards[i].x - p.x) ** 2 + (yards[i].y - p.y) ** 2;
  return yards.reduce((best, _, i) => (far(i) < far(best) ? i : best), 0);
}

/** @param {number} seconds */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
