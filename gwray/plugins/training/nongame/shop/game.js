// @ts-check
/** WebShop's task: find, in a shop of many products, what an instruction asks for, and buy it. One instruction an episode. */

import { defineGame } from '../../commands/commands.js';
import { finish } from '../../kit/game.js';
import { oneOf } from '../../kit/options.js';
import { stream } from '../../kit/random.js';
import { catalogue, clean, goalAt, goalsOf, priceOf } from './catalogue.js';
import { draw } from './draw.js';
import { BUY, NO_BOUND, describe, goalOf, label, linksOf, shownOf } from './pages.js';
import { meets, reward } from './reward.js';
import { search } from './words.js';

/** Upper bounds of a price that an instruction can name. */
const BOUNDS = Array.from({ length: 99 }, (_, n) => 10 * (n + 1));
const NEAREST = 4;

/** @param {import('../../kit/options.js').Options} options @param {import('../../kit/random.js').Rng} rng */
function create(options, rng) {
  /** @type {import('./catalogue.js').Kind} */
  const kind = oneOf(options, 'goals', ['human', 'synthetic'], 'human');
  const goals = goalsOf(kind);
  if (!goals) throw new Error(`no product of items_shuffle_1000.json has a ${kind} instruction with attributes`);
  const goal = stream(rng, 'goal').int(0, goals - 1);
  const price = priceOf(catalogue().products[goalAt(kind, goal).product], rng.seed);
  const near = BOUNDS.filter((bound) => bound > price).slice(0, NEAREST);
  const most = near.length > 1 ? Math.max(...stream(rng, 'bound').shuffle(near).slice(0, 2)) : NO_BOUND;
  const start = { page: 'search', query: '', found: [], number: 1, product: -1, chosen: {} };
  return { rng, kind, goal, most, reward: 0, over: null, ...start };
}

/** @param {any} s @param {{keywords: string}} args */
function find(s, { keywords }) {
  const found = search(keywords);
  Object.assign(s, { page: 'results', query: keywords, found, number: 1, product: -1, chosen: {} });
  return { ok: true, feedback: `${found.length} products found.` };
}

/** @param {any} s @param {{name: string}} args */
function click(s, { name }) {
  const link = linksOf(s).find((l) => l.name === clean(name).toLowerCase());
  if (!link) return { ok: false, feedback: `This page has nothing named "${name}" to click.` };
  if (link.to) Object.assign(s, link.to);
  else buy(s);
  return { ok: true, feedback: `Clicked ${link.name}.` };
}

/** @param {any} s */
function buy(s) {
  const product = catalogue().products[s.product];
  s.reward = reward(goalOf(s), { product, options: s.chosen, price: priceOf(product, s.rng.seed) });
  finish(s, s.reward === 1 ? 'win' : 'fail', `You bought ${product.asin}. Reward: ${s.reward.toFixed(2)} of 1.`);
}

/** The next action on the way to the reward of 1, for the scripted player. @param {any} s */
function best(s) {
  const goal = goalOf(s);
  const { asin, title, options } = goal.wished;
  const links = linksOf(s);
  const has = (/** @type {string} */ name) => links.some((l) => l.name === name);
  if (s.page === 'search' || s.page === 'results') {
    const way = [asin.toLowerCase(), 'next >'].find(has);
    return way ? `click ${way}` : `search ${label(title)}`;
  }
  if (s.page !== 'item' || catalogue().products[s.product] !== goal.wished) return 'click < prev';
  const chosen = new Map(Object.entries(s.chosen));
  for (const [name, values] of options) {
    const wish = values.find((value) => goal.options.includes(value)) ?? values.find((value) => meets(name, value, goal.options));
    const link = links.find((l) => l.option === name && l.value === wish);
    if (link && chosen.get(name) !== wish) return `click ${link.name}`;
  }
  return `click ${BUY}`;
}

/** @param {any} s */
function observe(s) {
  const { page, number, chosen } = s;
  const { wished, options } = goalOf(s);
  const shown = shownOf(s).map(([, product]) => product.asin);
  const state = { score: 100 * s.reward, page, number, shown, chosen, wished: wished.asin, options, best: s.over ? '' : best(s) };
  return { game_state: state, metrics: {}, raw: {} };
}

defineGame({ id: 'shop', create, update: () => {}, draw, observe, describe, commands: { search: find, click } });
