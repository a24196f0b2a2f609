// @ts-check
/**
 * WebShop's files, read once per page: products, and the goals that an episode can have.
 *
 * @typedef {{asin: string, title: string, description: string, features: string[], query: string, kinds: string[],
 *   prices: number[], options: Record<string, string[]>, attributes: string[]}} Product
 * @typedef {{product: number, text: string, attributes: string[], options: string[]}} Goal
 * @typedef {'human' | 'synthetic'} Kind
 */

import { seeded, stream } from '../../kit/random.js';

const NO_PRICE = 100;
const LONGEST_ASIN = 10;

/** The contents of the three files; of one that is no JSON, the reason. */
const [PRODUCTS, ATTRIBUTES, INSTRUCTIONS] = await Promise.all(
  ['shuffle_1000', 'ins_v2_1000', 'human_ins'].map(async (name) => {
    const file = `items_${name}.json`;
    const answer = await fetch(file);
    return answer.json().catch((reason) => new Error(`${file}: ${reason.message}`));
  }),
);

/** @type {{products: Product[], goals: Record<Kind, Goal[]>} | null} */
let read = null;

/** The products in the order of their file, and all goals. Throws an Error that names what is wrong in a file. */
export function catalogue() {
  read ??= readFiles();
  return read;
}

function readFiles() {
  for (const data of [PRODUCTS, ATTRIBUTES, INSTRUCTIONS]) if (data instanceof Error) throw data;
  const attributes = members(ATTRIBUTES, 'items_ins_v2_1000.json');
  const instructions = members(INSTRUCTIONS, 'items_human_ins.json');
  if (!Array.isArray(PRODUCTS)) throw new Error('items_shuffle_1000.json is no list of products');
  /** @type {Map<string, Product>} */
  const found = new Map();
  PRODUCTS.forEach((/** @type {any} */ item, n) => {
    if (typeof item?.asin !== 'string' || typeof item.name !== 'string') {
      throw new Error(`items_shuffle_1000.json: product ${n + 1} has no text as asin and name`);
    }
    if (item.asin === 'nan' || item.asin.length > LONGEST_ASIN || found.has(item.asin)) return;
    found.set(item.asin, productOf(item, list(attributes[item.asin]?.attributes)));
  });
  const products = [...found.values()];
  const human = products.flatMap((p, n) => list(instructions[p.asin]).flatMap((i) => humanGoals(n, p, i)));
  return { products, goals: { human, synthetic: products.flatMap((p, n) => syntheticGoals(n, p, attributes[p.asin])) } };
}

/** @param {any} item @param {any[]} attributes @returns {Product} */
function productOf(item, attributes) {
  /** @type {Record<string, string[]>} */
  const options = {};
  for (const [name, contents] of Object.entries(item.customization_options || {})) {
    if (contents === null) continue;
    if (!Array.isArray(contents)) throw new Error(`items_shuffle_1000.json: option ${name} of ${item.asin} is no list`);
    options[name.toLowerCase()] = contents.map((c) => clean(String(c?.value ?? '').replaceAll('/', ' | ')).toLowerCase());
  }
  return {
    asin: item.asin,
    title: clean(item.name),
    description: clean(item.full_description),
    features: [item.small_description].flat().map(clean).filter(Boolean),
    query: clean(item.query).toLowerCase(),
    kinds: clean(item.product_category).split('›').map(clean),
    prices: pricesOf(item),
    options,
    attributes: attributes.map(String),
  };
}

/** One price, or the two bounds of one: '$10.00', '$10.00$20.00'. @param {any} item */
function pricesOf(item) {
  if (!item.pricing) return [NO_PRICE];
  const parts = String(item.pricing).split('$').slice(1, 3);
  const prices = parts.map((part) => Number(part.replace(/[^\d.]/g, '') || NaN));
  if (prices.length && prices.every(Number.isFinite)) return prices;
  throw new Error(`items_shuffle_1000.json: ${item.asin} has the pricing '${item.pricing}'; '$10.00' or '$10.00$20.00' is meant`);
}

/** One goal, or none without attributes. @param {number} n @param {Product} product @param {any} made @returns {Goal[]} */
function humanGoals(n, product, made) {
  const attributes = list(made?.instruction_attributes).map(String);
  if (!attributes.length) return [];
  const text = clean(made.instruction);
  if (!text) throw new Error(`items_human_ins.json: an instruction of ${product.asin} has attributes, but no text`);
  const options = Object.values(made.instruction_options ?? []).map((option) => clean(option).toLowerCase());
  return [{ product: n, text, attributes, options }];
}

/** A goal for each combination of the product's options. @param {number} n @param {Product} product @param {any} made */
function syntheticGoals(n, product, made) {
  const attributes = list(made?.instruction_attributes).map(String);
  if (!made?.instruction || !attributes.length) return [];
  /** @type {string[][]} */
  let combinations = [[]];
  const names = Object.keys(product.options).sort();
  for (const name of names) combinations = combinations.flatMap((c) => product.options[name].map((value) => [...c, value]));
  return combinations.map((options) => {
    const wished = options.map((value, i) => `${names[i]} ${value}`).join(' and ');
    return { product: n, text: clean(made.instruction) + (wished && ` with ${wished}`), attributes, options };
  });
}

/** The price of a product in an episode. @param {Product} product @param {number|string} seed */
export function priceOf(product, seed) {
  const [low, high = low] = product.prices;
  return low === high ? low : stream(seeded(seed), `price of ${product.asin}`).float(low, high);
}

/** @param {Product} product */
export function priceTag(product) {
  return product.prices.map((price) => `$${price.toFixed(2)}`).join(' to ');
}

/** Text with single spaces; a missing one is empty. @param {any} text */
export function clean(text) {
  return String(text ?? '').replace(/\s+/g, ' ').trim();
}

/** @param {any} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {any} data @param {string} file @returns {Record<string, any>} */
function members(data, file) {
  if (data && typeof data === 'object' && !Array.isArray(data)) return data;
  throw new Error(`${file} is no mapping from asin`);
}
