// @ts-check
/** WebShop's reward of a purchase. */

import { alike, tellingWords } from './words.js';

/** @typedef {import('./catalogue.js').Product} Product */

/** Colours; an option that contains some is compared by the first of them in this list. */
const COLORS = (
  'aqua beige black blue bronze brown burgundy charcoal coral cream gold gray green grey indigo ivory khaki lavender lime ' +
  'magenta maroon mint navy olive orange peach pink plum purple red rose silver tan taupe teal turquoise violet white wine yellow'
).split(' ');
/** An option that has to be exactly the wished one. */
const EXACT = 'size';

/**
 * From 0 to 1: what share of the wished attributes, options and price the purchase meets, times how near its type is.
 * @param {{wished: Product, attributes: string[], options: string[], most: number}} goal
 * @param {{product: Product, options: Record<string, string>, price: number}} bought
 */
export function reward(goal, bought) {
  const { product } = bought;
  const texts = [product.title, product.features.join(' '), product.description].map((text) => text.toLowerCase());
  const mentions = (/** @type {string} */ value) => texts.some((text) => text.includes(value));
  const attributes = goal.attributes.filter((a) => product.attributes.some((own) => alike(own, a)) || mentions(a));
  const chosen = Object.entries(bought.options).filter(([name, value]) => mentions(normalize(value)) || meets(name, value, goal.options));
  const met = attributes.length + chosen.length + Number(bought.price <= goal.most);
  return Math.min(1, met / (goal.attributes.length + goal.options.length + 1)) * nearness(goal.wished, product);
}

/** Whether an option is one of the wished ones. @param {string} name @param {string} value @param {string[]} wished */
export function meets(name, value, wished) {
  return wished.some((wish) => normalize(wish) === normalize(value) || (name !== EXACT && alike(normalize(wish), normalize(value))));
}

/** The color of an option that has one, so that shades are equal; else the option. @param {string} option */
function normalize(option) {
  return COLORS.find((color) => option.includes(color)) ?? option;
}

/** How near the type of a product is to that of the wished one. @param {Product} wished @param {Product} product */
function nearness(wished, product) {
  const [own, other] = [wished, product].map((p) => new Set(tellingWords(p.title)));
  const share = own.size ? [...own].filter((word) => other.has(word)).length / tellingWords(wished.title).length : 0.2;
  if (share === 0) return 0;
  if (share < 0.1) return 0.1;
  const common = new Set(wished.kinds.filter((kind) => product.kinds.includes(kind)));
  return share > 0.2 || wished.query === product.query || common.size >= 2 ? 1 : 0.5;
}
