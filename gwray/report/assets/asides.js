// @ts-check
// Around a replay: its neighbors among the filtered episodes.
"use strict";
/** @type {any} */ (window).gwrayAsides = (() => {
  const filter = /** @type {any} */ (window).gwrayFilter;

  /** The filters in the address; empty: none, and no neighbors. @returns {string} */
  const among = () => filter.write(filter.read(location.hash));

  /** Previous and next episode among the filtered ones, and a link back to the list. */
  function around(/** @type {any} */ el, /** @type {HTMLElement} */ box, /** @type {string} */ key, /** @type {string} */ base, /** @type {any} */ list) {
    if (!list) return;
    const f = filter.read(location.hash), words = filter.write(f);
    const rows = filter.matches(list, f).filter((/** @type {number} */ i) => list.columns.replay.values[i]);
    const here = rows.findIndex((/** @type {number} */ i) => filter.at(list, "key", i) === key);
    const link = (/** @type {string} */ text, /** @type {number | undefined} */ i) => {
      if (i === undefined) return el("span", "dim", text);
      const a = el("a", "", text);
      a.href = `${encodeURIComponent(filter.at(list, "key", i))}.html#step=1&${words}`;
      a.title = `${filter.at(list, "task", i)}, ${filter.at(list, "cell", i)}, repeat ${filter.at(list, "repeat", i)}`;
      return a;
    };
    const back = el("a", "", `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "episode" : "episodes"}`);
    back.href = `${base}episodes.html#${words}`;
    const place = el("span", "facts", here < 0 ? "not in " : `${(here + 1).toLocaleString("en")} of `);
    place.append(back, filter.describe(f) ? `: ${filter.describe(f)}` : "");
    box.append(link("← previous", here > 0 ? rows[here - 1] : undefined), place, link("next →", here < 0 ? undefined : rows[here + 1]));
    box.hidden = false;
  }

  return { among, around };
})();
