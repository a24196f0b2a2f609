// @ts-check
/**
 * WebShop's files, read once per page: products, and the instructions from which goals come.
 *
 * @typedef {{asin: string, title: string, description: string, features: string[], query: string, kinds: string[],
 *   prices: number[], options: Map<string, string[]>, attributes: string[]}} Product
 * @typedef {{product: number, text: string, attributes: string[], options: string[]}} Goal
 * @typedef {Goal & {choices: [string, string[]][], goals: number}} Instruction a goal for each way to choose a value of each of `choices`
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

/** @type {{products: Product[], instructions: Record<Kind, Instruction[]>} | null} */
let read = null;

/** The products in the order of their file, and all instructions. Throws an Error that names what is wrong in a file. */
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
    const { asin, name } = item ?? {};
    if (asin === 'nan' || asin?.length > LONGEST_ASIN || found.has(asin)) return;
    if (typeof asin !== 'string' || typeof name !== 'string') {
      throw new Error(`items_shuffle_1000.json: product ${n + 1} has no text as asin and name`);
    }
    found.set(asin, productOf(item, list(attributes[asin]?.attributes)));
  });
  const products = [...found.values()];
  const human = products.flatMap((p, n) => list(instructions[p.asin]).flatMap((i) => humanInstructions(n, p, i)));
  return { products, instructions: { human, synthetic: products.flatMap((p, n) => syntheticInstructions(n, p, attributes[p.asin])) } };
}

/** How many goals there are of a kind. @param {Kind} kind */
export function goalsOf(kind) {
  return catalogue().instructions[kind].reduce((sum, { goals }) => sum + goals, 0);
}

/** A goal by its number among those of its kind. @param {Kind} kind @param {number} number @returns {Goal} */
export function goalAt(kind, number) {
  const instructions = catalogue().instructions[kind];
  let [rest, n] = [number, 0];
  while (rest >= instructions[n].goals) rest -= instructions[n++].goals;
  const { product, text, attributes, options, choices } = instructions[n];
  const chosen = choices.map(([name, values]) => {
    const value = values[rest % values.length];
    rest = Math.floor(rest / values.length);
    return [name, value];
  });
  const wished = chosen.map((pair) => pair.join(' ')).join(' and ');
  return { product, text: text + (wished && ` with ${wished}`), attributes, options: [...options, ...chosen.map(([, value]) => value)] };
}

/** @param {any} item @param {any[]} attributes @returns {Product} */
function productOf(item, attributes) {
  /** @type {Map<string, string[]>} */
  const options = new Map();
  for (const [name, contents] of Object.entries(item.customization_options || {})) {
    if (contents === null) continue;
    if (!Array.isArray(contents) || contents.some((c) => typeof c?.value !== 'string')) {
      throw new Error(`items_shuffle_1000.json: option ${name} of ${item.asin} is no list of {"value": TEXT}`);
    }
    const values = contents.map((c) => clean(c.value.replaceAll('/', ' | ')).toLowerCase());
    options.set(clean(name).toLowerCase(), values.filter(Boolean));
  }
  return {
    asin: item.asin,
    title: clean(item.name),
    description: clean(item.full_description),
    features: [item.small_description].flat().map(clean),
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

/** By a person; none without attributes. @param {number} n @param {Product} product @param {any} entry @returns {Instruction[]} */
function humanInstructions(n, product, entry) {
  const attributes = list(entry?.instruction_attributes).map(String);
  if (!attributes.length) return [];
  const text = clean(entry.instruction);
  if (!text) throw new Error(`items_human_ins.json: an instruction of ${product.asin} has attributes, but no text`);
  const options = Object.values(entry.instruction_options ?? []).map((option) => clean(option).toLowerCase());
  return [{ product: n, text, attributes, options, choices: [], goals: 1 }];
}

/** From attributes; its goals choose all options. @param {number} n @param {Product} product @param {any} entry @returns {Instruction[]} */
function syntheticInstructions(n, product, entry) {
  const attributes = list(entry?.instruction_attributes).map(String);
  if (!entry?.instruction || !attributes.length) return [];
  const choices = [...product.options.keys()].sort().map((name) => /** @type {[string, string[]]} */ ([name, product.options.get(name)]));
  const goals = choices.reduce((count, [, values]) => count * values.length, 1);
  return [{ product: n, text: clean(entry.instruction), attributes, options: [], choices, goals }];
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
