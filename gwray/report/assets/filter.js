// @ts-check
// Episode filters in the address: parsed, matched, sorted and written. The episode list and the replay's neighbors use
// the same filters.
"use strict";
/** @type {any} */ (window).gwrayFilter = (() => {
  const CHOICES = ["cell", "model", "interface", "game", "outcome", "ending", "label"];
  const NAMES = ["q", ...CHOICES, "replay", "sort", "hide"];
  const NUMBERS = /\b(repeat|progress|steps|resets|invalid|tokens|seconds|retries|cost) *(>=|<=|>|<|=) *(\d+(?:\.\d+)?)/g;

  /** Parses the filters after the # of an address. @returns {Record<string, string>} */
  function read(/** @type {string} */ hash) {
    const given = new URLSearchParams(hash.replace(/^#/, ""));
    return Object.fromEntries(NAMES.map((n) => [n, given.get(n) ?? ""]).filter(([, v]) => v));
  }
  const write = (/** @type {Record<string, string>} */ f) => String(new URLSearchParams(Object.entries(f).filter(([, v]) => v)));

  /** A value of an episode; repeated words are stored once. */
  function at(/** @type {any} */ d, /** @type {string} */ name, /** @type {number} */ i) {
    const c = d.columns[name];
    return c.words ? c.words[c.codes[i]] : c.values[i];
  }
  /** @returns {string[]} */
  const labels = (/** @type {any} */ d, /** @type {number} */ i) => d.labels.filter((/** @type {string} */ _, /** @type {number} */ k) => d.columns.labels.values[i] & (1 << k));
  const byName = (/** @type {string} */ a, /** @type {string} */ b) => a.localeCompare(b, "en", { numeric: true });

  /** The choices of a filter, in order. @returns {string[]} */
  function choices(/** @type {any} */ d, /** @type {string} */ name) {
    return name === "label" ? d.labels : d.columns[name].words.filter(Boolean).sort(byName);
  }

  const words = new WeakMap();
  function text(/** @type {any} */ d, /** @type {number} */ i) {
    if (!words.has(d)) words.set(d, Array.from({ length: d.n }, () => ""));
    const kept = words.get(d);
    return kept[i] ||= ["cell", "game", "task", "title", "error", "key"].map((n) => at(d, n, i) ?? "").join(" ").toLowerCase();
  }

  /** Positions of the matching episodes, in order. @returns {number[]} */
  function matches(/** @type {any} */ d, /** @type {Record<string, string>} */ f) {
    const given = (f.q ?? "").toLowerCase(), q = given.replace(NUMBERS, "").trim();
    const bounds = [...given.matchAll(NUMBERS)].map(([, name, sign, than]) => /** @type {[any[], string, number]} */ ([d.columns[name].values, sign, Number(than)]));
    const fits = (/** @type {number | null} */ v, /** @type {string} */ sign, /** @type {number} */ than) =>
      v != null && (sign.includes("=") && v === than || sign[0] === ">" && v > than || sign[0] === "<" && v < than);
    const plain = CHOICES.filter((n) => f[n] && n !== "label").map((n) => {
      const c = d.columns[n];
      return /** @type {[number[], number]} */ ([c.codes, c.words.indexOf(f[n])]);
    });
    const bit = f.label ? 1 << d.labels.indexOf(f.label) : 0, unknown = f.label && !d.labels.includes(f.label);
    const out = [];
    for (let i = 0; i < d.n; i++) {
      if (unknown || plain.some(([codes, code]) => codes[i] !== code)) continue;
      if (bit && !(d.columns.labels.values[i] & bit)) continue;
      if (f.replay && !d.columns.replay.values[i]) continue;
      if (q && !text(d, i).includes(q)) continue;
      if (bounds.some(([values, sign, than]) => !fits(values[i], sign, than))) continue;
      out.push(i);
    }
    const column = (f.sort ?? "").replace(/^-/, ""), c = d.columns[column];
    if (!c) return out;
    /** @type {any[]} */
    let keys = c.values;
    if (c.words) {
      const rank = new Map([...c.words].sort(byName).map((w, i) => [w, i]));
      keys = c.codes.map((/** @type {number} */ k) => rank.get(c.words[k]));
    }
    const sign = f.sort.startsWith("-") ? -1 : 1;
    return out.sort((a, b) => {
      const x = keys[a], y = keys[b];
      if (x == null || y == null) return Number(x == null) - Number(y == null) || a - b;
      return (x < y ? -1 : x > y ? 1 : 0) * sign || a - b;
    });
  }

  /** A description of the filters. */
  const describe = (/** @type {Record<string, string>} */ f) => [...CHOICES, "q"].filter((n) => f[n]).map((n) => f[n]).join(" · ");

  return { CHOICES, read, write, at, labels, choices, matches, describe };
})();
