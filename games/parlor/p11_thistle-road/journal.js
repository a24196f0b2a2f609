// @ts-check
/** The Thistle Road: what has happened, who speaks, and what is in the bag. */

import { finish } from '../../kit/game.js';
import { BALM, fullOf, nameOf } from './kinds.js';
import { land } from './land.js';

/** @typedef {import('./kinds.js').Creature} Creature */
/** @typedef {import('./rules.js').State} State */

/** Events of the story, in the order in which they usually come. */
export const EVENTS = ['home', 'warden', 'companion', 'duel', 'town', 'parcel', 'delivery', 'map', 'bell', 'friend', 'city', 'leader'];

/** @param {State} s @param {string} event */
export const has = (s, event) => s.events.includes(event);

/** An event of the story happens. @param {State} s @param {string} event */
export function happen(s, event) {
  if (!has(s, event)) s.events.push(event);
  if (s.events.length === EVENTS.length && !s.battle) {
    finish(s, 'win', `The story is told. You hold the ${land(s).names.badge}.`);
  }
}

/** Somebody speaks. @param {State} s @param {string} who @param {string[]} pages @param {{then?: string, options?: string[], index?: number}} [more] */
export function say(s, who, pages, more = {}) {
  s.talk = { who, pages, at: 0, options: more.options ?? [], cursor: 0, then: more.then ?? '', index: more.index ?? 0 };
}

/** Uses a Balm. Returns what came of it. @param {State} s @param {Creature} c */
export function balm(s, c) {
  if (!c.hp) return `${nameOf(c)} has fainted; only a rest helps.`;
  if (c.hp === fullOf(c) && !c.poison) return `${nameOf(c)} needs no Balm.`;
  take(s, 'Balm');
  c.hp = Math.min(fullOf(c), c.hp + BALM);
  c.poison = false;
  return `${nameOf(c)} has ${c.hp} of ${fullOf(c)} HP now.`;
}

/** @param {State} s @param {string} item */
export function give(s, item) {
  s.bag[item] = (s.bag[item] ?? 0) + 1;
}

/** @param {State} s @param {string} item */
export function take(s, item) {
  s.bag[item] -= 1;
  if (!s.bag[item]) delete s.bag[item];
}
