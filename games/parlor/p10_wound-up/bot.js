// @ts-check
/**
 * Wound Up, the built-in opponent: it gives the same orders as a player, and knows no more than it has seen.
 *
 * It has one of several plans, drawn by the seed: which army it builds, and when it strikes. A level says how often it gives
 * an order, how many mice and yards it wants, how large its waves are, and whether it answers what it sees.
 *
 * @typedef {{next: number, plan: number, phase: string, wave: number, strike: number,
 *   alarm: number}} Bot  `alarm`: when it was last attacked
 */

import { stream } from '../../kit/random.js';
import { UNITS, worth } from './data.js';
import { apart } from './maps.js';
import { order } from './orders.js';
import { army, home, now, room, standing, used } from './sides.js';

/** `pause`: seconds between two orders; `strike`: seconds until the first wave; `worth`: army of the first wave, in tin and oil;
 * `gift`: share of all income that it gets on top. */
export const LEVELS = {
  very_easy: { pause: 3.5, mice: 12, yards: 1, strike: 420, worth: 500, answers: false, towers: 0, research: 0, gift: 0 },
  easy: { pause: 3, mice: 14, yards: 1, strike: 400, worth: 800, answers: false, towers: 0, research: 1, gift: 0 },
  medium: { pause: 2.6, mice: 18, yards: 2, strike: 390, worth: 1200, answers: false, towers: 1, research: 2, gift: 0 },
  hard: { pause: 1.6, mice: 26, yards: 2, strike: 360, worth: 1800, answers: true, towers: 2, research: 4, gift: 0 },
  harder: { pause: 0.9, mice: 36, yards: 2, strike: 300, worth: 2600, answers: true, towers: 3, research: 6, gift: 0 },
  very_hard: { pause: 0.6, mice: 44, yards: 3, strike: 270, worth: 2600, answers: true, towers: 3, research: 8, gift: 0.4 },
  elite: { pause: 0.5, mice: 44, yards: 3, strike: 240, worth: 2600, answers: true, towers: 4, research: 10, gift: 1 },
};

/** Armies: shares of toys, and the buildings that they need in order. */
const PLANS_OF_WAR = [
  { name: 'drums', toys: { drummer: 5, frog: 2, patcher: 1 }, houses: ['workshop', 'workbench', 'workshop', 'anvil', 'workshop', 'clock'], research: ['blades_1', 'march', 'plates_1', 'blades_2'] },
  { name: 'slings', toys: { slinger: 5, bear: 2, patcher: 1 }, houses: ['workshop', 'workbench', 'workshop', 'foundry', 'anvil', 'clock'], research: ['blades_1', 'long_slings', 'plates_1', 'blades_2'] },
  { name: 'wings', toys: { glider: 3, kite: 2, slinger: 2, drummer: 1 }, houses: ['workshop', 'workbench', 'loft', 'anvil', 'loft'], research: ['wings_1', 'hulls_1', 'wings_2', 'hulls_2'] },
  { name: 'guns', toys: { drummer: 3, cannon: 2, slinger: 2 }, houses: ['workshop', 'workbench', 'foundry', 'press_hall', 'workshop', 'anvil'], research: ['long_barrel', 'blades_1', 'plates_1', 'blades_2'] },
];

/** @param {import('./rules.js').State} s @returns {Bot} */
export function newBot(s) {
  const draw = stream(s.rng, 'bot');
  return { next: 2, plan: draw.int(0, PLANS_OF_WAR.length - 1), phase: 'build', wave: 0, strike: draw.float(-30, 30), alarm: -999 };
}

/** @param {import('./rules.js').State} s @param {Bot} bot */
export function think(s, bot) {
  const level = LEVELS[/** @type {keyof typeof LEVELS} */ (s.level)];
  const a = s.sides[1];
  if (level.gift) {
    a.tin += a.income.tin * level.gift;
    a.oil += a.income.oil * level.gift;
    a.income = { tin: 0, oil: 0 };
  }
  if (now(s) < bot.next) return;
  bot.next = now(s) + level.pause * stream(s.rng, 'bot').float(0.7, 1.3);
  for (const id of wishes(s, bot, a, level)) {
    if (id === 'save') return;
    if (order(s, 1, id).ok) return;
  }
}

/** Orders by importance; the first that can be carried out is given. `save` gives none.
 * @param {import('./rules.js').State} s @param {Bot} bot @param {import('./rules.js').Side} a @param {typeof LEVELS.hard} level */
function* wishes(s, bot, a, level) {
  const count = (/** @type {string} */ kind) => a.houses.filter((h) => h.kind === kind).length;
  const plan = PLANS_OF_WAR[bot.plan];
  yield* war(s, bot, a, level);
  const mice = a.toys.filter((u) => u.kind === 'mouse').length + a.houses.reduce((n, h) => n + h.queue.filter((w) => w.what === 'mouse').length, 0);
  const want = Math.min(level.mice, 16 * count('chest') + 3 * count('oil_press') + 2);
  const chest = standing(a, 'chest').find((h) => !h.queue.length);
  const alarm = level.answers && now(s) - bot.alarm < 50;
  // An army that matches its own is answered with toys that can be had at once, more workshops and towers before all else.
  if (alarm && army(a) < 1.5 * met(s, a)) {
    if (room(a) - used(a) < 2 && !a.houses.some((h) => h.kind === 'shelf' && h.left > 0)) yield 'build_shelf';
    if (standing(a, 'workshop').some((h) => !h.queue.length)) yield* toys(a, plan.toys, level, true);
    yield 'wind_workshop';
    if (!count('anvil')) yield 'build_anvil';
    if (count('workshop') < 3) yield 'build_workshop';
    if (count('tower') < level.towers + 4) yield 'build_tower';
  }
  // Its first tower stands before the first toys of an early attack arrive.
  if (level.answers && mice > 12 && count('workshop') && !count('tower')) {
    if (!count('anvil')) yield 'build_anvil';
    yield 'build_tower';
    if (count('anvil')) yield 'save';
  }
  if (room(a) - used(a) < 3 + 2 * standing(a, 'workshop').length && !a.houses.some((h) => h.kind === 'shelf' && h.left > 0) && room(a) < 120) yield 'build_shelf';
  if (chest && mice < want) yield 'train_mouse';
  if (standing(a, 'chest').some((h) => h.energy >= 50)) yield* ['wind_machines', 'wind_workshop', 'wind_chest'];
  if (mice >= 14 && count('chest') < level.yards) {
    yield 'build_chest';
    if (a.tin > 250 && army(a) > 300) yield 'save';
  }
  if (count('workshop') && (count('tower') || !level.answers) && count('oil_press') < Math.min(2 * count('chest'), mice > 24 ? 4 : 2)) yield 'build_oil_press';
  if (a.toys.filter((u) => u.job === 'oil').length < 3 * standing(a, 'oil_press').length && mice > 10) yield 'mice_to_oil';
  const tin = (/** @type {number} */ y) => a.toys.filter((u) => u.job === 'tin' && u.yard === y).length;
  if (standing(a, 'chest').some((h) => tin(h.yard) > 18) && standing(a, 'chest').some((h) => tin(h.yard) < 10)) yield 'spread_mice';
  // Under attack, and early on, toys that can be had at once come before those of the plan.
  if (level.answers && army(a) < (alarm ? 1500 : 400)) yield* toys(a, plan.toys, level, true);
  if (alarm) {
    if (count('workshop') && !count('anvil')) yield 'build_anvil';
    if (count('tower') < level.towers + 4) yield 'build_tower';
    if (a.houses.some((h) => h.kind === 'tower' && h.hp < 200)) yield 'repair';
  }
  const grounded = level.answers && helpless(a);
  const missing = lacks(grounded ? ['workshop', 'workbench', 'loft', 'loft', ...plan.houses] : plan.houses, a);
  if (missing && (mice > 12 || !count('workshop'))) yield `build_${missing}`;
  if (count('anvil') && count('tower') < level.towers && army(a) > 400) yield 'build_tower';
  if (army(a) > 700) for (const r of plan.research.slice(0, level.research)) yield `research_${r}`;
  yield* toys(a, plan.toys, level);
  if (a.tin > 500) yield* ['build_workshop', 'train_drummer', 'build_tower'];
}

/** Value of the enemy's armed toys that were seen in the last minute. @param {import('./rules.js').State} s @param {import('./rules.js').Side} a */
function met(s, a) {
  const recent = Object.values(a.seenToys).filter((e) => now(s) - e.at < 60 && e.kind !== 'mouse' && UNITS[e.kind].damage > 0);
  return recent.reduce((n, e) => n + worth(e.kind), 0);
}

/** Whether most of the enemy's toys that were seen cannot hit flying toys. @param {import('./rules.js').Side} a */
function helpless(a) {
  const armed = Object.values(a.seenToys).filter((e) => UNITS[e.kind].damage > 0 && e.kind !== 'mouse');
  return armed.length > 4 && armed.filter((e) => UNITS[e.kind].hits === 'ground').length > 0.9 * armed.length;
}

/** The first building of a list that is not there yet. @param {string[]} list @param {import('./rules.js').Side} a */
function lacks(list, a) {
  /** @type {Record<string, number>} */
  const seen = {};
  for (const kind of list) {
    seen[kind] = (seen[kind] ?? 0) + 1;
    if (a.houses.filter((h) => h.kind === kind).length < seen[kind]) return kind;
  }
  return '';
}

/** @param {import('./rules.js').Side} a @param {Record<string, number>} shares @param {typeof LEVELS.hard} level
 * @param {boolean} [quick] any toy that can be paid */
function* toys(a, shares, level, quick = false) {
  /** @type {Record<string, number>} */
  const want = { ...shares };
  if (level.answers) {
    const enemies = Object.values(a.seenToys);
    const part = (/** @type {(k: string) => boolean} */ f) => enemies.filter((e) => e.kind !== 'mouse' && f(e.kind)).length;
    if (helpless(a)) Object.assign(want, { kite: 3, glider: 6 });
    if (part((k) => UNITS[k].air && UNITS[k].damage > 0) > 1) want.slinger = (want.slinger ?? 0) + 6;
    if (part((k) => UNITS[k].heavy && !UNITS[k].air) > 4) want.bear = (want.bear ?? 0) + 2;
    if (part((k) => !UNITS[k].heavy && !UNITS[k].air) > 6) want.frog = (want.frog ?? 0) + 3;
  }
  const there = (/** @type {string} */ k) => a.toys.filter((u) => u.kind === k).length + a.houses.reduce((n, h) => n + h.queue.filter((w) => w.what === k).length, 0);
  const kinds = Object.keys(want).sort((x, y) => there(x) / want[x] - there(y) / want[y]);
  const able = kinds.filter((k) => [UNITS[k].at, UNITS[k].needs].every((h) => !h || standing(a, h).length));
  if (quick) {
    for (const k of able) if (UNITS[k].damage) yield `train_${k}`;
    yield 'train_drummer';
    return;
  }
  // It saves for what it lacks most, so that its army keeps its shares.
  if (able.length) yield `train_${able[0]}`;
  if (able.length && a.tin > 300) yield `train_${able[1] ?? able[0]}`;
}

/** Attack, defence and retreat. @param {import('./rules.js').State} s @param {Bot} bot @param {import('./rules.js').Side} a
 * @param {typeof LEVELS.hard} level */
function* war(s, bot, a, level) {
  const chests = a.houses.filter((h) => h.kind === 'chest');
  const near = Object.values(a.seenToys).filter((e) => now(s) - e.at < 4 && UNITS[e.kind].damage > 0 && e.kind !== 'mouse' && chests.some((h) => apart(h, e) < 330));
  const threat = near.reduce((n, e) => n + worth(e.kind), 0);
  const own = army(a);
  const out = a.toys.filter((u) => u.job === 'attack');
  if (threat > 0) {
    bot.alarm = now(s);
    if (bot.phase !== 'defend' && (threat > 250 || out.length === 0)) {
      bot.phase = 'defend';
      const yard = chests.reduce((x, y) => (apart(y, near[0]) < apart(x, near[0]) ? y : x)).yard;
      yield yard === home(s, a) ? 'defend_home' : 'defend_outpost';
    }
    if (threat > own + 300 && own < 600 && near.length > 1 && a.toys.filter((u) => u.job === 'tin').length > 4) yield 'mice_fight';
  } else if (a.toys.some((u) => u.job === 'fight')) yield 'mice_work';
  if (bot.phase === 'defend' && !threat) {
    bot.phase = 'build';
    yield 'retreat';
  }
  if (bot.phase === 'attack') {
    const force = out.reduce((n, u) => n + worth(u.kind), 0);
    const met = Object.values(a.seenToys).filter((e) => now(s) - e.at < 6 && e.kind !== 'mouse').reduce((n, e) => n + worth(e.kind), 0);
    if (force < 0.35 * bot.wave || (level.answers && met > 2 * force + 400)) {
      bot.phase = 'build';
      yield 'retreat';
    } else if (a.toys.filter((u) => u.job === 'home').reduce((n, u) => n + worth(u.kind), 0) > 0.4 * force) {
      // What has been made since then follows as a body.
      bot.wave = own;
      yield 'attack';
    }
  }
  const full = used(a) > 112;
  if (bot.phase === 'build' && !threat && own >= (bot.wave ? Math.min(4200, 1.25 * level.worth) : level.worth) && (now(s) > level.strike + bot.strike || full)) {
    bot.phase = 'attack';
    bot.wave = own;
    yield 'attack';
  }
  if (level.answers && now(s) > 100 && now(s) - Math.max(...a.looked.slice(0, 1)) > 90 && bot.phase === 'build' && !a.toys.some((u) => u.job === 'scout')) yield 'scout_mouse';
}
