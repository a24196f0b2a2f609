// @ts-check
/**
 * Task options from the page address: `?level=2&harmless_spikes=true` → {level: 2, harmless_spikes: true};
 * `#infinite/1` → {hash: ['infinite', 1]}.
 *
 * @typedef {Record<string, any>} Options
 */

/** @param {{search: string, hash: string}} address @returns {Options} */
export function parseOptions(address) {
  /** @type {Options} */
  const options = {};
  for (const [name, value] of new URLSearchParams(address.search)) options[name] = plain(value);
  const hash = decodeURIComponent(address.hash.replace(/^#\/?/, ''));
  if (hash) options.hash = hash.split('/').map(plain);
  return options;
}

/** @param {string} text */
function plain(text) {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * The value of an option that must be one of a list; an Error names what is allowed.
 * @template T @param {Options} options @param {string} name @param {readonly T[]} allowed @param {T} fallback
 * @returns {T}
 */
export function oneOf(options, name, allowed, fallback) {
  const value = options[name] ?? fallback;
  if (!allowed.includes(value)) {
    throw new Error(`option ${name}=${value} does not exist; allowed: ${allowed.join(', ')}`);
  }
  return value;
}
