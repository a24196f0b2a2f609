// @ts-check
/** One month for a number: who likes to be talked to how, who is where on which day, whose birthday is when, who longs for what. */

import { stream } from '../../kit/random.js';

export const PEOPLE = ['tove', 'emil', 'ida'];
export const TONES = ['plain', 'curious', 'playful'];
export const GIFTS = ['shell', 'book', 'flower', 'bell', 'teapot', 'yarn'];
export const DAYS = 30;
export const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** @param {any} options @param {any} rng */
export function makeCase(options, rng) {
  const r = stream(options.case === undefined ? rng : { seed: `tides ${options.case}`, streams: {} }, 'case');
  const tones = r.shuffle(TONES);
  const gifts = r.shuffle(GIFTS);
  const dates = r.shuffle([14, 17, 19, 22, 24, 26]);
  /** Where somebody is on each weekday: five days at home, one on the market, one away. @type {Record<string, string[]>} */
  const week = Object.fromEntries(PEOPLE.map((who) => [who, r.shuffle(['home', 'home', 'home', 'home', 'home', 'market', 'away'])]));
  return {
    week,
    tones: Object.fromEntries(PEOPLE.map((who, i) => [who, tones[i]])),
    gifts: Object.fromEntries(PEOPLE.map((who, i) => [who, gifts[i]])),
    birthdays: Object.fromEntries(PEOPLE.map((who, i) => [who, dates[i]])),
    // In which order the three answers stand, by person and topic.
    orders: Object.fromEntries(PEOPLE.map((who) => [who, Array.from({ length: 8 }, () => r.shuffle([0, 1, 2]))])),
  };
}
