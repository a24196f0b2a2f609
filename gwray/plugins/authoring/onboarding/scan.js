// @ts-check
/**
 * What a page offers: where it can be clicked, and the values that its state may consist of.
 *
 * Read as an expression of `probe`, so it must change nothing. Getters are not called.
 * @param {string[]} declared names that its scripts declare
 */
(declared) => {
  const WORD = /^[A-Za-z_]\w*$/;
  const MAX_VALUES = 800;
  const MAX_KEYS = 60;
  const MAX_DEPTH = 4;
  /** @type {Record<string, any>} */
  const values = {};
  let found = 0;
  const seen = new Set();
  /** @param {string} name @param {any} value */
  const take = (name, value) => {
    const plain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && value.length < 40);
    if (plain && found < MAX_VALUES) {
      values[name] = value;
      found += 1;
    }
    return plain;
  };
  /** @param {string} path @param {any} value @param {number} depth */
  const walk = (path, value, depth) => {
    if (take(path, value) || value === null || typeof value !== 'object' || depth === 0 || seen.has(value)) return;
    if (value instanceof Node || value instanceof Event || ArrayBuffer.isView(value) || value === window) return;
    seen.add(value);
    if (Array.isArray(value)) take(`${path}.length`, value.length);
    const keys = Object.keys(value).filter((key) => WORD.test(key));
    for (const key of Array.isArray(value) ? [] : keys.slice(0, MAX_KEYS)) {
      const how = Object.getOwnPropertyDescriptor(value, key);
      if (how && 'value' in how) walk(`${path}.${key}`, how.value, depth - 1);
    }
  };
  // Built-in values of a page are not enumerable, or have getters.
  for (const name of new Set([...Object.keys(window), ...declared])) {
    if (!WORD.test(name)) continue;
    const how = Object.getOwnPropertyDescriptor(window, name);
    if (how && !('value' in how)) continue;
    try {
      walk(name, (0, eval)(name), MAX_DEPTH);
    } catch {
      continue; // not declared here, or not yet initialised
    }
  }
  /** @param {Element} element */
  const selectorOf = (element) => {
    if (element.id && document.querySelectorAll(`#${CSS.escape(element.id)}`).length === 1) return `#${CSS.escape(element.id)}`;
    const named = [...element.classList].map((name) => `.${CSS.escape(name)}`);
    return named.find((name) => document.querySelectorAll(name).length === 1) || '';
  };
  for (const element of document.querySelectorAll('body *')) {
    const text = element.childElementCount ? '' : (element.textContent || '').trim();
    const selector = text.length < 40 && /\d/.test(text) ? selectorOf(element) : '';
    if (!selector) continue;
    if (Number.isFinite(Number(text))) take(`dom:${selector}`, Number(text));
    else take(`parseFloat(document.querySelector(${JSON.stringify(selector)}).textContent.replace(/[^\\d.-]/g, ''))`, parseFloat(text.replace(/[^\d.-]/g, '')));
  }
  for (let i = 0; i < localStorage.length; i++) {
    const key = localStorage.key(i) || '';
    const value = localStorage.getItem(key);
    if (value && Number.isFinite(Number(value))) take(`storage:${key}`, Number(value));
  }
  /** @param {Element} element */
  const spot = (element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const inside = box.width > 4 && box.height > 4 && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
    const hit = inside ? document.elementFromPoint(x, y) : null;
    const text = (element.textContent || element.getAttribute('aria-label') || element.id || '').trim().slice(0, 30);
    return hit && (element.contains(hit) || hit.contains(element)) ? [{ x: Math.round(x), y: Math.round(y), text, size: box.width * box.height }] : [];
  };
  const clickable = [...document.querySelectorAll('button, [onclick], [role=button], input[type=button], input[type=submit], a:not([href^=http])')];
  const pointed = [...document.querySelectorAll('body *')].filter((e) => getComputedStyle(e).cursor === 'pointer' && !clickable.some((c) => c.contains(e)));
  const api = /** @type {any} */ (window).gameAPI;
  return {
    contract: !!api && ['init', 'reset', 'getState'].every((name) => typeof api[name] === 'function'),
    title: document.title,
    buttons: [...clickable, ...pointed].flatMap(spot),
    canvases: [...document.querySelectorAll('canvas')].flatMap(spot),
    values,
  };
}
