// @ts-check
// The report's page: sortable tables, figures drawn when the page is loaded.
// Makes no network requests. All values are shown as text, never as markup.
"use strict";
/** @type {any} */ (window).gwray = (() => {
  const root = document.documentElement;

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
    if (!layout.polar) { layout.xaxis ??= {}; layout.yaxis ??= {}; }
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
      if (t.type === "bar" && t.error_y) t.error_y.color = v("--ink");
      if (t.meta === "diverging")
        t.colorscale = dark ? [[0, "#b8623f"], [0.5, "#22272d"], [1, "#4c9abf"]] : [[0, "#c0632f"], [0.5, "#f7f5f0"], [1, "#1f6b93"]];
    }
    return { traces, layout };
  }
  // Plotly is large: it is loaded after the page.
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
  /** Wraps text in lines of about `most` characters. */
  function lines(/** @type {string} */ words, /** @type {number} */ most) {
    let out = "", line = "";
    for (const piece of String(words).replaceAll("<br>", " ").split(/(?<=[ _=-])/)) {
      if (line && line.length + piece.trimEnd().length > most) { out += `${line.trimEnd()}<br>`; line = ""; }
      line += piece;
    }
    return out + line;
  }
  /** Adapts a figure to a phone: names are wrapped, the legend is above or below, and only many columns need scrolling.
   * Returns the least width in pixels. */
  function narrow(/** @type {any[]} */ traces, /** @type {any} */ layout) {
    const table = traces.find((t) => t.type === "heatmap"), small = { size: 10.5 };
    const columns = table ? new Set(table.x).size : 0;
    const named = table ? table.y : layout.yaxis?.ticktext;
    layout.margin = { ...layout.margin, l: 45, r: 10 };
    if (layout.legend.orientation === "v") {
      layout.legend = { ...layout.legend, orientation: "h", x: 0, xanchor: "left", y: -0.12, yanchor: "top" };
      layout.height += 22 * traces.length;
    }
    if (named) {
      const text = named.map((/** @type {string} */ s) => lines(s, 14));
      const most = Math.max(...text.map((/** @type {string} */ s) => s.split("<br>").length));
      layout.yaxis = { ...layout.yaxis, ticktext: text, tickfont: small, ...(table ? { tickvals: named } : {}) };
      layout.margin.l = 8;
      layout.height = Math.max(layout.height, text.length * (14 * most + 10) + 120);
    }
    if (table) {
      table.showscale = false; // its fields show their values
      const few = columns <= 4;
      const head = few ? { tickvals: table.x, ticktext: table.x.map((/** @type {string} */ s) => lines(s, 9)), tickangle: 0 } : {};
      layout.xaxis = { ...layout.xaxis, tickfont: small, ...head };
    }
    if (layout.polar) {
      const names = [...new Set(traces.flatMap((t) => t.theta ?? []))];
      layout.polar.angularaxis = { ...layout.polar.angularaxis, tickvals: names, ticktext: names.map((s) => lines(s, 12)), tickfont: small };
      layout.margin.l = layout.margin.r = 64;
      layout.height -= 100;
    }
    return columns > 4 ? 110 + 74 * columns : 0;
  }
  async function draw(/** @type {HTMLElement} */ el) {
    await need();
    const figure = data.get("figures")?.[el.dataset.figure ?? ""];
    const plotly = /** @type {any} */ (window).Plotly;
    if (!figure || !plotly) return;
    const { traces, layout } = themed(figure);
    el.style.minWidth = "";
    if ((el.parentElement?.clientWidth || 600) < 600) { // 0: the figure is in a closed tab, which draws it when opened
      el.style.minWidth = `${narrow(traces, layout)}px`;
    }
    el.style.height = `${layout.height}px`;
    drawn.add(el);
    return plotly.react(el, traces, layout, { displayModeBar: false, responsive: true, scrollZoom: false })
      .then(() => { el.dataset.drawn = "yes"; });
  }
  function redraw() { for (const el of drawn) draw(el); }
  async function drawAll() { for (const el of document.querySelectorAll(".canvas")) await draw(/** @type {HTMLElement} */ (el)); }
  matchMedia("(max-width: 44rem)").addEventListener("change", () => redraw());
  // All at once, so that a print has them. Without a timeout, a page on which nothing happens may never be told that it is idle.
  addEventListener("load", () => window.requestIdleCallback ? requestIdleCallback(drawAll, { timeout: 500 }) : setTimeout(drawAll, 200));
  root.dataset.ready = "yes"; // deferred: the document is parsed by now

  // tabs: without this script, all parts are below each other
  const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".tab")]);
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".tabs a")]);
  function open(/** @type {HTMLElement} */ tab) {
    for (const t of tabs) t.hidden = t !== tab;
    for (const a of links) {
      if (a.hash === `#${tab.id}`) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    }
    for (const el of drawn) if (tab.contains(el)) draw(el);
  }
  function follow() {
    const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    const tab = /** @type {HTMLElement | null} */ (target?.closest(".tab") ?? null);
    if (!tab?.hidden) return;
    open(tab);
    target?.scrollIntoView();
  }
  if (tabs.length) open(tabs[0]);
  for (const a of links) a.addEventListener("click", (e) => {
    e.preventDefault(); // the page stays where it is
    history.replaceState(null, "", a.hash);
    const tab = document.getElementById(a.hash.slice(1));
    if (tab) open(tab);
  });
  addEventListener("hashchange", follow);
  follow();
  addEventListener("beforeprint", () => { for (const t of tabs) t.hidden = false; });

  return {
    put(/** @type {string} */ name, /** @type {any} */ value) { data.set(name, value); },
    drawAll, need, themed, data,
  };
})();
