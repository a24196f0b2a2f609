// @ts-check
/** The pages of the shop: what they say, and what can be clicked on them. */

import { catalogue, goalAt, priceTag } from './catalogue.js';

export const PER_PAGE = 10;
/** The longest name that an action can give. */
export const LONGEST_NAME = 64;
/** Characters of a page, and of a product's title on it. */
const MOST_TEXT = 2900;
const MOST_TITLE = 150;
export const BUY = 'buy now';
/** The price bound of an instruction that names none. */
export const NO_BOUND = 1e6;

/** @typedef {import('./catalogue.js').Product} Product */

/**
 * `to`: what a click changes in the state, missing where it buys; `option`: the name of the option of which it chooses `value`.
 * @typedef {{kind: 'button' | 'product' | 'option', name: string, to?: Record<string, any>, option?: string, value?: string}} Link
 * @typedef {{name: string, chosen: string | undefined, values: string[], more: string}} Option
 */

/** The goal of an episode, with its product. @param {any} s */
export function goalOf(s) {
  const { product, text, attributes, options } = goalAt(s.kind, s.goal);
  const bound = s.most < NO_BOUND ? `, for at most ${s.most.toFixed(2)} dollars` : '';
  return { wished: catalogue().products[product], text: text.replace(/^[.\s]+|[.\s]+$/g, '') + bound, attributes, options, most: s.most };
}

/** The products on a page of results. @param {any} s @returns {[number, Product][]} */
export function shownOf(s) {
  const shown = s.found.slice((s.number - 1) * PER_PAGE, s.number * PER_PAGE);
  return shown.map((/** @type {number} */ n) => [n, catalogue().products[n]]);
}

/** What can be clicked. Of equal names only the last. @param {any} s @returns {Link[]} */
export function linksOf(s) {
  return [...new Map(allLinks(s).map((link) => [link.name, link])).values()];
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
  const choices = [...options].flatMap(([option, values]) =>
    values.map((value) => ({ ...button(label(value), { chosen: { ...s.chosen, [option]: value } }), kind: /** @type {const} */ ('option'), option, value })),
  );
  return [...choices, home, toResults, ...texts, button(BUY)];
}

/**
 * The options of the product: of each the first values, as many as fit, and how many more there are.
 * @param {any} s @param {(options: Option[]) => boolean} fits @returns {Option[]}
 */
export function optionsOf(s, fits) {
  const all = [...catalogue().products[s.product].options];
  const chosen = new Map(Object.entries(s.chosen));
  const first = (/** @type {number} */ count) =>
    all.map(([name, values]) => {
      const more = values.length > count ? `and ${values.length - count} more` : '';
      return { name, chosen: chosen.get(name), values: values.slice(0, count), more };
    });
  const most = Math.max(0, ...all.map(([, values]) => values.length));
  let count = 0;
  while (count < most && fits(first(count + 1))) count += 1;
  return first(count);
}

/** @param {string} name @param {Record<string, any>} [to] @returns {Link} */
function button(name, to) {
  return { kind: 'button', name, to };
}

/** The name of an option's value, as long as an action can give it. @param {string} value */
export function label(value) {
  return [...value].slice(0, LONGEST_NAME).join('').trim();
}

/** @param {string} text @param {number} most */
export function cut(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 2).join('').trim()} …` : text;
}

/** A page in words. @param {any} s */
export function describe(s) {
  const buttons = `To click: ${linksOf(s).filter((l) => l.kind === 'button').map((l) => l.name).join(', ')}`;
  const page = [`Instruction: ${goalOf(s).text}`, ...pageLines(s, buttons)].join('\n');
  if (s.page !== 'item') return cut(page, MOST_TEXT);
  const withOptions = (/** @type {Option[]} */ options) => [page, ...options.map(optionLine)].join('\n');
  return cut(withOptions(optionsOf(s, (options) => withOptions(options).length <= MOST_TEXT)), MOST_TEXT);
}

/** @param {Option} option */
export function nameLine({ name, chosen }) {
  return `${name} (${chosen === undefined ? 'none chosen' : `chosen: ${label(chosen)}`}):`;
}

/** @param {Option} option */
function optionLine(option) {
  const { values, more } = option;
  return `${nameLine(option)} ${[...values.map(label), ...(more ? [more] : [])].join('; ')}`;
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
  return [head, `Price: ${priceTag(product)}`, product.options.size ? `${buttons}, or a value of an option.` : buttons];
}
