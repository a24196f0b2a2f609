// @ts-check
// Beside a replay: its neighbours among the episodes that were filtered, and what people say of it.
"use strict";
/** @type {any} */ (window).gwrayAsides = (() => {
  const filter = /** @type {any} */ (window).gwrayFilter;
  const CAUSES = ["perception", "fine_grained_action", "instruction_following", "long_horizon_memory"];

  /** The filters that the address carries; empty: none, and no neighbours. @returns {string} */
  const among = () => filter.write(filter.read(location.hash));

  /** Neighbours of an episode among those that the address means, and the way back to them. */
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
    const place = el("span", "facts", here < 0 ? "not among " : `${(here + 1).toLocaleString("en")} of `);
    place.append(back, filter.said(f) ? `: ${filter.said(f)}` : "");
    box.append(link("← previous", here > 0 ? rows[here - 1] : undefined), place, link("next →", here < 0 ? undefined : rows[here + 1]));
    box.hidden = false;
  }

  /** What people say of the episode: read everywhere, written where a server keeps it. */
  function sayings(/** @type {any} */ el, /** @type {any} */ d, /** @type {string} */ base) {
    const note = d.annotation;
    if (!note) return null;
    const read = () => [...note.causes.map((/** @type {string} */ c) => c.replaceAll("_", " ")), ...note.tags];
    if (!d.note_to) {
      if (!read().length && !note.text) return null;
      const p = el("p", "wide sayings");
      for (const t of read()) p.append(el("span", "tag warn", t));
      p.append(el("bdi", "", note.text));
      return p;
    }
    const box = el("details", "wide sayings"), head = el("summary"), form = el("form");
    const name = () => { head.replaceChildren("Notes", ...read().map((t) => el("span", "tag warn", t)), el("bdi", "facts", note.text)); };
    const causes = el("fieldset"); causes.append(el("legend", "", "Why it failed"));
    for (const c of CAUSES) {
      const label = el("label", "check"), tick = el("input"); tick.type = "checkbox"; tick.value = c; tick.checked = note.causes.includes(c);
      label.append(tick, c.replaceAll("_", " ")); causes.append(label);
    }
    const tags = el("input"); tags.type = "text"; tags.value = note.tags.join("; ");
    const text = el("textarea"); text.rows = 3; text.value = note.text; text.maxLength = 4000;
    const save = el("button", "file-button", "Keep"), state = el("span", "facts"); state.setAttribute("role", "status");
    const field = (/** @type {string} */ title, /** @type {Element} */ e) => { const l = el("label", "", title); l.append(e); return l; };
    const foot = el("p"); foot.append(save, " ", state);
    if (!d.record.success) form.append(causes);
    form.append(field("Tags, with ; between them", tags), field("Note", text), foot);
    form.addEventListener("submit", async (/** @type {Event} */ e) => {
      e.preventDefault();
      const ticked = [...causes.querySelectorAll("input")].filter((t) => t.checked).map((t) => t.value); // not shown: as they were
      const words = { causes: ticked, tags: tags.value.split(";"), text: text.value };
      try {
        const reply = await fetch(base + d.note_to, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(words) });
        const now = await reply.json();
        if (!reply.ok) throw new Error(now.problem);
        Object.assign(note, now); name();
        state.textContent = "Kept in annotations.csv.";
      } catch (problem) { state.textContent = `Not kept: ${problem instanceof Error ? problem.message : problem}`; }
    });
    name();
    box.append(head, form);
    return box;
  }

  return { among, around, sayings };
})();
