// @ts-check
// Around a replay: its neighbors among the filtered episodes, and its annotation.
"use strict";
/** @type {any} */ (window).gwrayAsides = (() => {
  const filter = /** @type {any} */ (window).gwrayFilter;
  const CAUSES = ["perception", "fine_grained_action", "instruction_following", "long_horizon_memory"];

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

  /** The annotation of an episode: read-only in a static report, editable on a server. */
  function annotation(/** @type {any} */ el, /** @type {any} */ d, /** @type {string} */ base) {
    const note = d.annotation;
    if (!note) return null;
    const read = () => [...note.causes.map((/** @type {string} */ c) => c.replaceAll("_", " ")), ...note.tags];
    if (!d.note_to) {
      if (!read().length && !note.text) return null;
      const p = el("p", "wide annotation");
      for (const t of read()) p.append(el("span", "tag warn", t));
      p.append(el("bdi", "", note.text));
      return p;
    }
    const box = el("details", "wide annotation"), head = el("summary"), form = el("form");
    const name = () => { head.replaceChildren("Notes", ...read().map((t) => el("span", "tag warn", t)), el("bdi", "facts", note.text)); };
    const causes = el("fieldset"); causes.append(el("legend", "", "Why it failed"));
    for (const c of CAUSES) {
      const label = el("label", "check"), tick = el("input"); tick.type = "checkbox"; tick.value = c; tick.checked = note.causes.includes(c);
      label.append(tick, c.replaceAll("_", " ")); causes.append(label);
    }
    const tags = el("input"); tags.type = "text"; tags.value = note.tags.join("; ");
    const text = el("textarea"); text.rows = 3; text.value = note.text; text.maxLength = 4000;
    const save = el("button", "file-button", "Save"), state = el("span", "facts"); state.setAttribute("role", "status");
    const field = (/** @type {string} */ title, /** @type {Element} */ e) => { const l = el("label", "", title); l.append(e); return l; };
    const foot = el("p"); foot.append(save, " ", state);
    if (!d.record.success) form.append(causes);
    form.append(field("Tags, separated by ;", tags), field("Note", text), foot);
    form.addEventListener("submit", async (/** @type {Event} */ e) => {
      e.preventDefault();
      const ticked = [...causes.querySelectorAll("input")].filter((t) => t.checked).map((t) => t.value); // not shown: as they were
      const words = { causes: ticked, tags: tags.value.split(";"), text: text.value };
      try {
        const reply = await fetch(base + d.note_to, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(words) });
        const now = await reply.json();
        if (!reply.ok) throw new Error(now.problem);
        Object.assign(note, now); name();
        state.textContent = "Saved in annotations.csv.";
      } catch (problem) { state.textContent = `Not saved: ${problem instanceof Error ? problem.message : problem}`; }
    });
    name();
    box.append(head, form);
    return box;
  }

  return { among, around, annotation };
})();
