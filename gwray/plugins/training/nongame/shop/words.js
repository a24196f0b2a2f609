// @ts-check
/** Words of texts, how alike two texts are, and the search over all products. */

import { catalogue } from './catalogue.js';

/** Words that say nothing about a product. */
const STOP = new Set(
  ('a about all also an and any are as at be been but by do does for from has have his her how i if in into is it its ' +
    'just me more my no not of on or our out so such than that the their them then these they this those to too up use ' +
    'very was we well were what when which will with you your').split(' '),
);
/** Lucene's BM25 as WebShop's search engine sets it. */
const K1 = 0.9;
const B = 0.4;
const MOST_FOUND = 50;

/** @param {string} text */
export function words(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Without words that say nothing and a possessive 's. @param {string} text */
function bareWords(text) {
  return words(text.replace(/['’]s\b/gi, '')).filter((word) => !STOP.has(word));
}

/** Also without numbers. @param {string} text */
export function tellingWords(text) {
  return bareWords(text).filter((word) => /\p{L}/u.test(word));
}

/** Without plural, -ing and -ed: lamps and lamp, heating and heated are one. @param {string} word */
function stem(word) {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(s|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && /[^sui]s$/.test(word)) return word.slice(0, -1);
  const base = word.replace(/(ing|ed)$/, '');
  return base.length > 3 && base !== word ? base.replace(/([^aeiouls])\1$/, '$1') : word;
}

/** @param {string} text */
function terms(text) {
  return bareWords(text).map(stem);
}

/**
 * The index: of each term, [product, frequency] pairs; of each product, the number of its terms.
 * @type {{terms: Map<string, [number, number][]>, lengths: number[], mean: number} | null}
 */
let index = null;

function makeIndex() {
  /** @type {Map<string, [number, number][]>} */
  const found = new Map();
  const lengths = catalogue().products.map((p, n) => {
    const options = [...p.options].map(([name, values]) => `${name} ${values.join(' ')}`);
    const own = terms([p.title, p.description, p.features[0] ?? '', ...options].join(' '));
    for (const term of own) {
      const places = found.get(term) ?? [];
      if (places.at(-1)?.[0] === n) places[places.length - 1][1] += 1;
      else places.push([n, 1]);
      found.set(term, places);
    }
    return own.length;
  });
  return { terms: found, lengths, mean: lengths.reduce((a, b) => a + b, 0) / lengths.length };
}

/** At most 50 products, the best first, equal ones in the order of their file. @param {string} query @returns {number[]} */
export function search(query) {
  index ??= makeIndex();
  const { lengths, mean } = index;
  /** @type {Map<number, number>} */
  const scores = new Map();
  for (const term of terms(query)) {
    const places = index.terms.get(term) ?? [];
    const rarity = Math.log(1 + (lengths.length - places.length + 0.5) / (places.length + 0.5));
    for (const [n, count] of places) {
      const share = count / (count + K1 * (1 - B + (B * lengths[n]) / mean));
      scores.set(n, (scores.get(n) ?? 0) + rarity * share);
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_FOUND).map(([n]) => n);
}

/** Whether two texts have nearly the same set of words: the token set ratio, above 85 of 100. @param {string} a @param {string} b */
export function alike(a, b) {
  const [one, two] = [new Set(words(a)), new Set(words(b))];
  if (!one.size || !two.size) return false;
  const text = (/** @type {string[]} */ given) => given.sort().join(' ');
  const common = text([...one].filter((word) => two.has(word)));
  const [all, other] = [one, two].map((own) => `${common} ${text([...own].filter((w) => !(one.has(w) && two.has(w))))}`.trim());
  const pairs = common ? [[common, all], [common, other], [all, other]] : [[all, other]];
  return pairs.some(([p, q]) => ratio(p, q) > 85);
}

/** Twice the letters in common, in order, among those of both; in percent. @param {string} a @param {string} b */
function ratio(a, b) {
  let row = new Array(b.length + 1).fill(0);
  for (const letter of a) {
    const next = [0];
    for (let i = 1; i <= b.length; i++) next.push(letter === b[i - 1] ? row[i - 1] + 1 : Math.max(row[i], next[i - 1]));
    row = next;
  }
  return Math.round((200 * row[b.length]) / (a.length + b.length));
}
