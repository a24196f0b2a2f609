// @ts-check
/** The pages of the shop: what they say, and what can be clicked on them. */

import { catalogue, priceTag } from './catalogue.js';

export const PER_PAGE = 10;
/** The longest name that an action can give. */
export const LONGEST_NAME = 64;
/** Characters of a page, of a product's title on it, and of all options. */
const MOST_TEXT = 2900;
const MOST_TITLE = 150;
const MOST_OPTIONS = 1700;
export const BUY = 'buy now';

/** @typedef {import('./catalogue.js').Product} Product */

/**
 * `to`: what a click changes in the state, missing where it buys; `option`: the name of an option whose value it chooses.
 * @typedef {{kind: 'button' | 'product' | 'option', name: string, to?: Record<string, any>, option?: string}} Link
 */

/** The goal of an episode, with its product. @param {any} s */
export function goalOf(s) {
  const { products, goals } = catalogue();
  const { product, text, attributes, options } = goals[/** @type {import('./catalogue.js').Kind} */ (s.kind)][s.goal];
  const bound = s.bounded ? `, for at most ${s.most.toFixed(2)} dollars` : '';
  return { wished: products[product], text: text.replace(/^[.\s]+|[.\s]+$/g, '') + bound, attributes, options, most: s.most };
}

/** The products on a page of results. @param {any} s @returns {[number, Product][]} */
export function shownOf(s) {
  const shown = s.found.slice((s.number - 1) * PER_PAGE, s.number * PER_PAGE);
  return shown.map((/** @type {number} */ n) => [n, catalogue().products[n]]);
}

/** What can be clicked. Of equal names only the first. @param {any} s @returns {Link[]} */
export function linksOf(s) {
  /** @type {Map<string, Link>} */
  const links = new Map();
  for (const link of allLinks(s)) if (!links.has(link.name)) links.set(link.name, link);
  return [...links.values()];
}

/** @param {any} s @returns {Link[]} */
function allLinks(s) {
  if (s.page === 'search') return [];
  const home = button('back to search', { page: 'search', product: -1, chosen: {} });
  if (s.page === 'results') {
    return [
      home,
      ...(s.number > 1 ? [button('< prev', { number: s.number - 1 })] : []),
      ...(s.number * PER_PAGE < s.found.length ? [button('next >', { number: s.number + 1 })] : []),
      ...shownOf(s).map(([n, p]) => ({ ...button(p.asin.toLowerCase(), { page: 'item', product: n }), kind: /** @type {const} */ ('product') })),
    ];
  }
  if (s.page !== 'item') return [home, button('< prev', { page: 'item' })];
  const toResults = button('< prev', { page: 'results', product: -1, chosen: {} });
  const texts = ['description', 'features'].map((page) => button(page, { page }));
  const { options } = catalogue().products[s.product];
  const values = Object.entries(options).flatMap(([option, own]) =>
    own.map((value) => ({ kind: /** @type {const} */ ('option'), name: label(value), option, to: { chosen: { ...s.chosen, [option]: value } } })),
  );
  return [home, toResults, ...texts, button(BUY), ...values];
}

/** @param {string} name @param {Record<string, any>} [to] @returns {Link} */
function button(name, to) {
  return { kind: 'button', name, to };
}

/** The name of an option's value, as long as an action can give it. @param {string} value */
export function label(value) {
  return value.slice(0, LONGEST_NAME).trim();
}

/** @param {string} text @param {number} most */
export function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 2).trim()} …` : text;
}

/** A page in words. @param {any} s */
export function describe(s) {
  const goal = cut(goalOf(s).text, 500);
  const buttons = `To click: ${linksOf(s).filter((l) => l.kind === 'button').map((l) => l.name).join(', ')}`;
  return cut([`Instruction: ${goal}`, ...pageLines(s, buttons)].join('\n'), MOST_TEXT);
}

/** @param {any} s @param {string} buttons */
function pageLines(s, buttons) {
  if (s.page === 'search') return ['This is the search page. There is nothing to click.'];
  if (s.page === 'results') {
    const pages = Math.max(1, Math.ceil(s.found.length / PER_PAGE));
    const lines = shownOf(s).map(([, p]) => `${p.asin.toLowerCase()}: ${cut(p.title, MOST_TITLE)}, ${priceTag(p)}`);
    return [`Results for "${s.query}": ${s.found.length} products, page ${s.number} of ${pages}.`, ...lines, `${buttons}, or a product's number.`];
  }
  const product = catalogue().products[s.product];
  const head = `Product ${product.asin.toLowerCase()}: ${cut(product.title, 2 * MOST_TITLE)}`;
  if (s.page === 'description') return [head, buttons, `Description: ${product.description || 'none'}`];
  if (s.page === 'features') return [head, buttons, 'Features:', ...product.features.map((feature) => `- ${feature}`)];
  const names = Object.keys(product.options);
  const options = names.map((name) => {
    const values = linksOf(s).filter((l) => l.option === name).map((l) => l.name);
    const chosen = s.chosen[name] ? `chosen: ${label(s.chosen[name])}` : 'none chosen';
    return `${name} (${chosen}): ${cut(values.join('; '), Math.floor(MOST_OPTIONS / names.length))}`;
  });
  return [head, `Price: ${priceTag(product)}`, options.length ? `${buttons}, or a value of an option.` : buttons, ...options];
}
