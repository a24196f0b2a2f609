// @ts-check
// The table of episodes: filters are kept in the address, rows can be saved as CSV. All values are shown as text, never
// as markup.
"use strict";
/** @type {any} */ (window).gwray = (() => {
  const PAGE = 100;
  const filter = /** @type {any} */ (window).gwrayFilter;
  const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
  /** @type {[string, string, boolean][]} */
  const COLUMNS = [["key", "replay", false], ["outcome", "outcome", false], ["task", "task", false],
    ["cell", "cell", false], ["repeat", "repeat", true], ["ending", "ended by", false], ["progress", "progress %", true], ["steps", "steps", true],
    ["resets", "resets", true], ["invalid", "invalid", true], ["tokens", "tokens", true], ["seconds", "seconds", true], ["retries", "retries", true], ["cost", "USD", true], ["labels", "failure", false]];
  const CSV = ["key", "cell", "model", "interface", "game", "task", "title", "repeat", "outcome", "ending", "progress", "steps", "resets", "invalid", "tokens", "seconds", "retries", "cost", "labels", "error"];

  function csv(/** @type {any} */ d, /** @type {number[]} */ rows) {
    const field = (/** @type {any} */ v) => {
      if (v == null) return "";
      if (typeof v === "number") return String(v);
      const safe = /^[=+\-@\t\r]/.test(v) ? `'${v}` : v; // no spreadsheet runs it as a formula
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const value = (/** @type {string} */ n, /** @type {number} */ i) => (n === "labels" ? filter.labels(d, i).join("; ") : filter.at(d, n, i));
    return [CSV.join(","), ...rows.map((i) => CSV.map((n) => field(value(n, i))).join(","))].join("\r\n") + "\r\n";
  }

  function show(/** @type {any} */ d) {
    const table = byId("episodes"), head = table.tHead.rows[0];
    const columns = COLUMNS.filter(([n]) => (n !== "labels" || d.labels.length)
      && (!["tokens", "retries", "cost", "resets", "invalid"].includes(n) || d.columns[n].values.some(Boolean)));
    let page = 0, f = filter.read(location.hash), csvUrl = "";
    /** @type {number[]} */
    let rows = [];

    for (const id of filter.CHOICES) {
      const found = filter.choices(d, id);
      for (const w of found) {
        const o = document.createElement("option");
        o.value = w; o.textContent = id === "game" && d.games[w] || w; byId(id).append(o);
      }
      // Filters without a choice, or equivalent to another, are hidden unless the address names them.
      const same = id === "cell" && found.length === filter.choices(d, "model").length;
      byId(id).parentElement.hidden = (found.length < (id === "label" ? 1 : 2) || same) && !f[id];
    }
    function fill() {
      for (const id of filter.CHOICES) {
        const select = byId(id), wanted = f[id] ?? "";
        if (wanted && ![...select.options].some((o) => o.value === wanted)) { const o = document.createElement("option"); o.value = o.textContent = wanted; select.append(o); }
        select.value = wanted;
      }
      byId("q").value = f.q ?? "";
      byId("replay").checked = Boolean(f.replay);
      const hide = (f.hide ?? "").split(",");
      for (const box of byId("columns").querySelectorAll("input")) box.checked = !hide.includes(box.value);
      for (const th of head.cells) {
        th.hidden = hide.includes(th.dataset.column);
        const sorted = (f.sort ?? "").replace(/^-/, "") === th.dataset.column;
        th.setAttribute("aria-sort", !sorted ? "none" : f.sort.startsWith("-") ? "descending" : "ascending");
      }
    }
    function refresh() {
      f = { q: byId("q").value.trim(), ...Object.fromEntries(filter.CHOICES.map((/** @type {string} */ id) => [id, byId(id).value])), replay: byId("replay").checked ? "1" : "", sort: f.sort ?? "", hide: f.hide ?? "" };
      select();
    }
    function select() {
      page = 0;
      rows = filter.matches(d, f);
      // Some browsers refuse frequent updates; the next one is applied.
      try { history.replaceState(null, "", filter.write(f) ? `#${filter.write(f)}` : location.pathname); } catch { /* as above */ }
      byId("matches").textContent = `${rows.length.toLocaleString("en")} of ${d.n.toLocaleString("en")} episodes`;
      byId("clear").hidden = !filter.write(f);
      byId("csv").hidden = !rows.length;
      draw();
    }
    function tag(/** @type {Element} */ cell, /** @type {string} */ text, /** @type {string} */ kind = "") {
      const t = document.createElement("span");
      t.className = `tag ${kind}`; t.textContent = text; cell.append(t);
    }
    function draw() {
      const pages = Math.max(1, Math.ceil(rows.length / PAGE));
      page = Math.min(page, pages - 1);
      const body = document.createElement("tbody"), here = filter.write(f) || "replay=1", hide = (f.hide ?? "").split(",");
      for (const i of rows.slice(page * PAGE, (page + 1) * PAGE)) {
        const tr = body.insertRow();
        for (const [name, , numeric] of columns) {
          const td = tr.insertCell(), value = filter.at(d, name, i);
          td.className = numeric ? "num" : "txt"; td.hidden = hide.includes(name);
          if (name === "outcome") {
            tag(td, value, value === "success" ? "good" : value === "failed" ? "bad" : value === "running" ? "warn" : "");
            const e = filter.at(d, "error", i);
            if (e) { const s = document.createElement("small"); s.style.whiteSpace = "normal"; s.textContent = e; td.append(s); }
          } else if (name === "labels") {
            td.classList.add("labels");
            for (const l of filter.labels(d, i)) tag(td, l);
          } else if (name === "key") {
            if (d.columns.replay.values[i]) {
              const a = document.createElement("a");
              a.href = `replay/${value}.html#step=1&${here}`; a.textContent = "watch";
              a.setAttribute("aria-label", `watch ${filter.at(d, "task", i)}, ${filter.at(d, "cell", i)}, repeat ${filter.at(d, "repeat", i)}`);
              td.append(a);
            }
          } else if (name === "task") {
            const b = document.createElement("bdi");
            td.title = `${filter.at(d, "game", i)} · ${value}`;
            b.textContent = filter.at(d, "title", i) || td.title; td.append(b);
          } else if (value == null) { td.textContent = "–"; td.classList.add("dim"); }
          else if (name === "progress") td.textContent = value.toLocaleString("en", /** @type {any} */ ({ maximumFractionDigits: 0, roundingMode: "halfEven" })); // as in Python
          else if (name === "seconds") td.textContent = value.toFixed(1);
          else if (name === "tokens") td.textContent = value.toLocaleString("en");
          else if (name === "cost") td.textContent = value.toFixed(3);
          else { const b = document.createElement("bdi"); b.textContent = String(value); td.append(b); }
        }
      }
      table.tBodies[0].replaceWith(body);
      byId("page").textContent = pages > 1 ? `page ${page + 1} of ${pages}` : "";
      byId("before").hidden = byId("after").hidden = pages === 1;
      byId("before").disabled = page === 0; byId("after").disabled = page >= pages - 1;
    }

    for (const [name, title, numeric] of columns) {
      const th = document.createElement("th"), b = document.createElement("button");
      th.scope = "col"; th.className = numeric ? "num" : "txt"; th.dataset.column = name;
      b.type = "button"; b.textContent = title;
      b.addEventListener("click", () => {
        const was = th.getAttribute("aria-sort");
        f = { ...f, sort: was === "none" ? (numeric ? `-${name}` : name) : was === "descending" ? name : `-${name}` };
        fill(); select();
      });
      th.append(b); head.append(th);
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox"; box.value = name; label.className = "check"; label.append(box, title);
      box.addEventListener("change", () => {
        f = { ...f, hide: [...byId("columns").querySelectorAll("input")].filter((x) => !x.checked).map((x) => x.value).join(",") };
        fill(); select();
      });
      byId("columns").append(label);
    }
    byId("before").addEventListener("click", () => { page--; draw(); });
    byId("after").addEventListener("click", () => { page++; draw(); });
    byId("filters").addEventListener("input", refresh);
    byId("filters").addEventListener("submit", (/** @type {Event} */ e) => e.preventDefault());
    byId("clear").addEventListener("click", () => { f = {}; fill(); select(); byId("q").focus(); });
    byId("csv").addEventListener("click", () => {
      URL.revokeObjectURL(csvUrl);
      csvUrl = byId("csv").href = URL.createObjectURL(new Blob([csv(d, rows)], { type: "text/csv" }));
    });
    addEventListener("hashchange", () => { f = filter.read(location.hash); fill(); select(); });
    fill(); select();
    byId("filters").hidden = byId("chooser").hidden = false;
    const newer = byId("newer");
    if (newer) { newer.dataset.n = String(d.n); newer.dataset.diagnosed = String(d.diagnosed); }
    document.documentElement.dataset.episodes = String(d.n);
  }

  return { put(/** @type {string} */ _, /** @type {any} */ value) { show(value); } };
})();
