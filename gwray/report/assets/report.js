// @ts-check
// The report's page: sortable tables, figures drawn when they come into view, the table of episodes.
// Asks the network for nothing. Whatever comes from outside is put on screen as text, never as markup.
"use strict";
/** @type {any} */ (window).gwray = (() => {
  const root = document.documentElement;
  const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.addEventListener("gwray-theme", () => redraw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());

  // tables
  const number = (/** @type {string} */ s) => (s.trim() === "" ? NaN : Number(s));
  function compare(/** @type {string} */ a, /** @type {string} */ b, /** @type {number} */ sign) {
    if (a === "" || b === "") return Number(a === "") - Number(b === "");
    const x = number(a), y = number(b);
    if (!Number.isNaN(x) && !Number.isNaN(y)) return sign * (x - y);
    return sign * a.localeCompare(b, "en", { numeric: true });
  }
  function sortBy(/** @type {HTMLTableCellElement} */ head) {
    const table = /** @type {HTMLTableElement} */ (head.closest("table"));
    const before = head.getAttribute("aria-sort");
    const numeric = head.classList.contains("num");
    const next = before === "none" ? (numeric ? "descending" : "ascending") : before === "descending" ? "ascending" : "descending";
    for (const h of table.querySelectorAll("thead th")) h.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", next);
    const sign = next === "ascending" ? 1 : -1;
    const column = head.cellIndex;
    for (const body of table.tBodies) {
      if (body.className === "apart") continue;
      const rows = [...body.rows].filter((r) => r.className !== "block");
      rows.sort((p, q) => compare(p.cells[column].dataset.sort ?? "", q.cells[column].dataset.sort ?? "", sign));
      body.append(...rows);
    }
  }
  for (const button of document.querySelectorAll("table.sortable thead button"))
    button.addEventListener("click", () => sortBy(/** @type {HTMLTableCellElement} */ (button.parentElement)));

  // figures
  /** @type {Map<string, any>} */
  const data = new Map();
  const drawn = new Set();
  function themed(/** @type {any} */ figure) {
    const css = getComputedStyle(root);
    const v = (/** @type {string} */ n) => css.getPropertyValue(n).trim();
    const dark = isDark();
    const plain = figure.data.some((/** @type {any} */ t) => t.type === "heatmap");
    const axis = { showgrid: !plain, gridcolor: v("--grid"), zerolinecolor: v("--line"), linecolor: v("--line") };
    const layout = structuredClone(figure.layout);
    for (const name of Object.keys(layout)) if (/^[xy]axis\d*$/.test(name)) layout[name] = { ...axis, ...layout[name] };
    if (layout.polar) {
      layout.polar.bgcolor = "rgba(0,0,0,0)";
      layout.polar.radialaxis = { ...axis, ...layout.polar.radialaxis };
      layout.polar.angularaxis = { ...axis, ...layout.polar.angularaxis };
    }
    Object.assign(layout, {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", height: figure.height, autosize: true,
      font: { family: v("--sans"), size: 12, color: v("--ink") },
      margin: { l: 60, r: 20, t: 20, b: 50, ...layout.margin },
      legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, bgcolor: "rgba(0,0,0,0)", ...layout.legend },
      hoverlabel: { font: { family: v("--sans") } }, dragmode: false,
    });
    const traces = structuredClone(figure.data);
    for (const t of traces) {
      if (t.meta === "sequential")
        t.colorscale = dark ? [[0, "#20262c"], [0.5, "#35708f"], [1, "#cfeaf5"]] : [[0, "#f4f1ea"], [0.5, "#7fb0c7"], [1, "#123f56"]];
      if (t.meta === "diverging")
        t.colorscale = dark ? [[0, "#b8623f"], [0.5, "#22272d"], [1, "#4c9abf"]] : [[0, "#c0632f"], [0.5, "#f7f5f0"], [1, "#1f6b93"]];
    }
    return { traces, layout };
  }
  // Plotly is large: it is read when the first figure comes into view, after the tables can be used.
  /** @type {Promise<unknown> | null} */
  let needed = null;
  function script(/** @type {string} */ src) {
    return new Promise((done, failed) => {
      const s = document.createElement("script");
      s.src = src; s.onload = done; s.onerror = () => failed(new Error(`${src} is missing`));
      document.head.append(s);
    });
  }
  function need() {
    needed ??= Promise.all([script("data/figures.js"), script("assets/plotly.min.js")]);
    return needed;
  }
  async function draw(/** @type {HTMLElement} */ el) {
    await need();
    const figure = data.get("figures")?.[el.dataset.figure ?? ""];
    const plotly = /** @type {any} */ (window).Plotly;
    if (!figure || !plotly) return;
    const { traces, layout } = themed(figure);
    // A legend at the side would leave a narrow page no room for the figure.
    if (layout.legend.orientation === "v" && (el.parentElement?.clientWidth ?? 0) < 600) {
      layout.legend = { ...layout.legend, orientation: "h", x: 0, xanchor: "left", y: -0.25, yanchor: "top" };
      layout.height += 22 * traces.length;
      el.style.height = `${layout.height}px`;
    }
    drawn.add(el);
    return plotly.react(el, traces, layout, { displayModeBar: false, responsive: true, scrollZoom: false })
      .then(() => { el.dataset.drawn = "yes"; });
  }
  function redraw() { for (const el of drawn) draw(el); }
  function drawAll() { return Promise.all([...document.querySelectorAll(".canvas")].map((el) => draw(/** @type {HTMLElement} */ (el)))); }
  const near = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) { near.unobserve(e.target); draw(/** @type {HTMLElement} */ (e.target)); }
  }, { rootMargin: "300px" });
  const idle = /** @type {(f: () => void) => void} */ (window.requestIdleCallback ?? ((f) => setTimeout(f, 200)));
  addEventListener("load", () => idle(() => { for (const el of document.querySelectorAll(".canvas")) near.observe(el); }));
  root.dataset.ready = "yes"; // deferred: the document is parsed by now
  addEventListener("beforeprint", () => { drawAll(); });

  // episodes
  const PAGE = 100;
  function episodes(/** @type {any} */ d) {
    const table = byId("episodes");
    if (!table) return;
    const n = d.n;
    const at = (/** @type {string} */ name, /** @type {number} */ i) => {
      const c = d.columns[name];
      return c.words ? c.words[c.codes[i]] : c.values[i];
    };
    const cells = d.columns.cell.words, games = d.columns.game.words;
    const fill = (/** @type {string} */ id, /** @type {string[]} */ words, /** @type {string[]} */ values) => words.forEach((w, i) => {
      const o = document.createElement("option");
      o.value = values[i]; o.textContent = w; byId(id).append(o);
    });
    const numbered = (/** @type {string[]} */ w) => w.map((_, i) => String(i));
    const sorted = (/** @type {string[]} */ w) => w.map((x, i) => [x, String(i)]).sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }));
    for (const [id, words] of /** @type {[string, string[]][]} */ ([["cell", cells], ["game", games]])) {
      const s = sorted(words);
      fill(id, s.map((x) => x[0]), s.map((x) => x[1]));
    }
    fill("label", d.labels, numbered(d.labels));
    byId("label").parentElement.hidden = !d.labels.length; // nobody has looked for failures, as in the local viewer
    /** @type {[string, string, boolean][]} */
    const columns = [["cell", "cell", false], ["game", "game", false], ["task", "task", false], ["repeat", "repeat", true],
      ["outcome", "outcome", false], ["progress", "progress %", true], ["steps", "steps", true], ["resets", "resets", true],
      ["invalid", "invalid", true], ["cost", "USD", true], ["labels", "failure", false], ["key", "replay", false]];
    if (!d.labels.length) columns.splice(-2, 1);
    const head = table.tHead.rows[0];
    let order = { column: "", sign: 1 }, page = 0;
    /** @type {number[]} */
    let shown = [];
    for (const [name, title, numeric] of columns) {
      const th = document.createElement("th");
      th.scope = "col"; th.className = numeric ? "num" : "txt"; th.setAttribute("aria-sort", "none");
      const b = document.createElement("button");
      b.type = "button"; b.textContent = title;
      b.addEventListener("click", () => {
        const was = th.getAttribute("aria-sort");
        for (const h of head.cells) h.setAttribute("aria-sort", "none");
        const next = was === "none" ? (numeric ? "descending" : "ascending") : was === "descending" ? "ascending" : "descending";
        th.setAttribute("aria-sort", next);
        order = { column: name, sign: next === "ascending" ? 1 : -1 };
        page = 0; select();
      });
      th.append(b); head.append(th);
    }
    const haystack = Array.from({ length: n }, () => "");
    const text = (/** @type {number} */ i) => haystack[i] ||= `${at("cell", i)} ${at("game", i)} ${at("task", i)} ${at("error", i) ?? ""} ${at("key", i)}`.toLowerCase();
    function select() {
      const q = byId("query").value.trim().toLowerCase(), cell = byId("cell").value, game = byId("game").value;
      const outcome = byId("outcome").value, label = byId("label").value, replayed = byId("replayed").checked;
      shown = [];
      for (let i = 0; i < n; i++) {
        if (cell && d.columns.cell.codes[i] !== Number(cell)) continue;
        if (game && d.columns.game.codes[i] !== Number(game)) continue;
        if (outcome && at("outcome", i) !== outcome) continue;
        if (label && !(d.columns.labels.values[i] & (1 << Number(label)))) continue;
        if (replayed && !d.columns.replay.values[i]) continue;
        if (q && !text(i).includes(q)) continue;
        shown.push(i);
      }
      if (order.column) {
        const c = d.columns[order.column];
        /** @type {any[]} */
        let keys = c.values;
        if (c.words) {
          const rank = new Array(c.words.length);
          sorted(c.words).forEach((x, i) => { rank[Number(x[1])] = i; });
          keys = c.codes.map((/** @type {number} */ k) => rank[k]);
        }
        shown.sort((a, b) => {
          const x = keys[a], y = keys[b];
          if (x == null || y == null) return Number(x == null) - Number(y == null) || a - b;
          return (x < y ? -1 : x > y ? 1 : 0) * order.sign || a - b;
        });
      }
      byId("matches").textContent = `${shown.length.toLocaleString("en")} of ${n.toLocaleString("en")} episodes`;
      show();
    }
    function show() {
      const pages = Math.max(1, Math.ceil(shown.length / PAGE));
      page = Math.min(page, pages - 1);
      const body = document.createElement("tbody");
      for (const i of shown.slice(page * PAGE, (page + 1) * PAGE)) {
        const tr = body.insertRow();
        for (const [name, , numeric] of columns) {
          const td = tr.insertCell();
          td.className = numeric ? "num" : "txt";
          const value = name === "labels" ? null : at(name, i);
          if (name === "outcome") {
            const tag = document.createElement("span");
            tag.className = `tag ${value === "success" ? "good" : value === "failed" ? "bad" : value === "running" ? "warn" : ""}`;
            tag.textContent = value; td.append(tag);
            const e = at("error", i);
            if (e) { const s = document.createElement("small"); s.style.whiteSpace = "normal"; s.textContent = e; td.append(s); }
          } else if (name === "labels") {
            td.classList.add("labels");
            d.labels.forEach((/** @type {string} */ l, /** @type {number} */ k) => {
              if (d.columns.labels.values[i] & (1 << k)) { const t = document.createElement("span"); t.className = "tag"; t.textContent = l; td.append(t); }
            });
          } else if (name === "key") {
            if (d.columns.replay.values[i]) { const a = document.createElement("a"); a.href = `replay/${value}.html`; a.textContent = "watch"; td.append(a); }
          } else if (value == null) { td.textContent = "–"; td.classList.add("dim"); }
          else if (name === "progress") td.textContent = value.toFixed(1);
          else if (name === "cost") td.textContent = value.toFixed(3);
          else { const b = document.createElement("bdi"); b.textContent = String(value); td.append(b); }
        }
      }
      table.tBodies[0].replaceWith(body);
      byId("page").textContent = `page ${page + 1} of ${pages}`;
      byId("before").disabled = page === 0; byId("after").disabled = page >= pages - 1;
    }
    byId("before").addEventListener("click", () => { page--; show(); });
    byId("after").addEventListener("click", () => { page++; show(); });
    byId("filters").addEventListener("input", () => { page = 0; select(); });
    byId("filters").addEventListener("submit", (/** @type {Event} */ e) => e.preventDefault());
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.get("q")) byId("query").value = asked.get("q");
    if (asked.get("outcome")) byId("outcome").value = asked.get("outcome");
    select();
    root.dataset.episodes = String(n);
    const newer = byId("newer");
    if (newer) setInterval(async () => {
      const now = await fetch("/api/counts", { cache: "no-store" }).then((r) => r.json()).catch(() => null);
      if (now && now.n > (d.ended ?? n)) newer.hidden = false;
    }, 5000);
  }

  return {
    put(/** @type {string} */ name, /** @type {any} */ value) {
      data.set(name, value);
      if (name === "episodes") episodes(value);
    },
    drawAll, need, themed, data,
  };
})();
