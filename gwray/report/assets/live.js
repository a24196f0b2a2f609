// @ts-check
// The live page: polls the lanes' latest screenshots once a second, and opens the results when the run ends.
// All values are shown as text.
"use strict";
(() => {
  const grid = /** @type {HTMLElement} */ (document.getElementById("lanes"));
  const state = /** @type {HTMLElement} */ (document.getElementById("state"));
  const others = /** @type {HTMLElement} */ (document.getElementById("others"));
  const engines = /** @type {HTMLElement} */ (document.getElementById("engines"));
  const running = /** @type {HTMLElement} */ (document.getElementById("running"));
  const ended = /** @type {HTMLElement} */ (document.getElementById("ended"));
  const activity = /** @type {HTMLElement} */ (ended.firstElementChild);
  let wasDriven = ended.hidden;  // as the server saw it: the run may end before the first poll
  /** @type {Map<string, {root: HTMLElement, img: HTMLImageElement, text: Record<string, HTMLElement>, bar: HTMLElement, at: string}>} */
  const lanes = new Map();

  function tile(/** @type {string} */ lane) {
    const root = document.createElement("li");
    root.className = "tile";
    root.dataset.lane = lane;
    const link = document.createElement("a");
    const img = document.createElement("img");
    img.alt = "";
    const progress = document.createElement("div");
    progress.className = "meter";
    const bar = document.createElement("i");
    progress.append(bar);
    /** @type {Record<string, HTMLElement>} */
    const text = {};
    const caption = document.createElement("div");
    caption.className = "caption";
    for (const name of ["task", "player", "step", "reply"]) {
      text[name] = document.createElement(name === "task" ? "strong" : "span");
      caption.append(text[name]);
    }
    link.append(img, progress, caption);
    root.append(link);
    grid.append(root);
    return { root, img, text, bar, at: "" };
  }

  const ago = (/** @type {number} */ s) => (s < 90 ? `${Math.round(s)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`);

  /** Episodes without a screenshot, known by their replies. */
  function list(/** @type {any[]} */ now) {
    others.hidden = !now.length;
    document.getElementById("playing")?.replaceChildren(...now.map((p) => {
      const li = document.createElement("li"), box = document.createElement("span");
      box.className = "card";
      for (const [tag, text] of [["strong", p.title], ["bdi", p.player], ["code", p.reply], ["em", `${p.decisions} ${p.decisions === 1 ? "turn" : "turns"} · last reply ${ago(p.silent_s)} ago`]]) {
        const e = document.createElement(tag); e.textContent = text; box.append(e);
      }
      li.append(box);
      return li;
    }));
  }

  /** Running progress, cells × games. */
  let filled = "";
  function fill(/** @type {{games: string[], cells: string[], rows: [number | null, number, number][][]}} */ grid) {
    const text = JSON.stringify(grid);
    if (text === filled) return;
    filled = text;
    running.hidden = !grid.cells.length;
    const head = document.createElement("tr");
    for (const name of ["", ...grid.games]) {
      const th = document.createElement("th");
      th.scope = "col"; th.textContent = name; head.append(th);
    }
    const rows = grid.rows.map((values, i) => {
      const row = document.createElement("tr"), th = document.createElement("th");
      th.scope = "row"; th.textContent = grid.cells[i]; row.append(th);
      for (const [progress, finished, planned] of values) {
        const td = document.createElement("td"), small = document.createElement("small");
        td.textContent = progress === null ? "–" : `${progress}`;
        if (progress !== null) td.style.setProperty("--share", `${Math.round(0.3 * progress)}%`);
        small.textContent = ` ${finished}/${planned}`;
        td.append(small); row.append(td);
      }
      return row;
    });
    const table = /** @type {HTMLTableElement} */ (running.querySelector("table"));
    table.tHead?.replaceChildren(head);
    table.tBodies[0].replaceChildren(...rows);
  }

  async function refresh() {
    try {
      const reply = await fetch("api/live", { cache: "no-store" });
      const now = await reply.json();
      const seen = new Set();
      for (const lane of now.lanes) {
        seen.add(lane.lane);
        const t = lanes.get(lane.lane) ?? tile(lane.lane);
        lanes.set(lane.lane, t);
        const percent = Math.round(100 * lane.progress);
        t.text.task.textContent = lane.title;
        t.text.reply.textContent = lane.reply;
        t.text.player.textContent = lane.player;
        t.text.step.textContent = `step ${lane.step} · ${percent} %${lane.finished ? " · finished" : lane.age_s > 10 ? ` · ${ago(lane.age_s)} ago` : ""}${lane.waiting_for ? ` · ${lane.waiting_for} does not answer: waiting` : ""}`;
        t.bar.style.width = `${percent}%`;
        t.root.classList.toggle("stale", lane.age_s > 60 || lane.waiting_for !== "");
        t.img.alt = `Latest frame of lane ${lane.lane}`;
        if (lane.finished) t.root.firstElementChild?.setAttribute("href", `replay/${lane.episode}.html`);
        else t.root.firstElementChild?.removeAttribute("href");
        if (lane.picture && lane.picture !== t.at) {
          t.at = lane.picture;
          t.img.src = `live/${encodeURIComponent(lane.lane)}.jpg?at=${encodeURIComponent(lane.picture)}`;
        }
      }
      for (const [name, t] of lanes) {
        if (seen.has(name)) continue;
        t.root.remove();
        lanes.delete(name);
      }
      list(now.others);
      fill(now.grid);
      state.textContent = [
        ...(now.lanes.length ? [`${now.lanes.length} ${now.lanes.length === 1 ? "lane" : "lanes"}`] : []),
        `${now.finished} of ${now.planned} episodes finished, ${now.failed} failed`,
        ...(now.driven && now.episodes_per_minute ? [`${now.episodes_per_minute.toFixed(1)} a minute`, `${now.steps_per_second.toFixed(1)} steps a second`] : []),
        ...(now.driven && now.eta_s ? [`about ${ago(now.eta_s)} to go`] : []),
        ...(now.cost_usd ? [`$${now.cost_usd.toFixed(2)} so far`] : []),
      ].join(" · ");
      engines.hidden = !now.engines.length;
      engines.textContent = now.engines.join("\n");
      if (wasDriven && !now.driven) location.replace("index.html");
      wasDriven = now.driven;
      ended.hidden = now.driven;
      activity.textContent = now.activity;
    } catch {
      state.textContent = "The server does not respond; showing the last known state.";
      for (const t of lanes.values()) t.root.classList.add("stale");
    }
    setTimeout(refresh, document.hidden ? 5000 : 1000);
  }
  refresh();
})();
