// @ts-check
// The wall of lanes: asks for their latest frames once a second. Everything is put on screen as text.
"use strict";
(() => {
  const wall = /** @type {HTMLElement} */ (document.getElementById("wall"));
  const state = /** @type {HTMLElement} */ (document.getElementById("state"));
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
    for (const name of ["task", "player", "step"]) {
      text[name] = document.createElement(name === "task" ? "strong" : "span");
      caption.append(text[name]);
    }
    link.append(img, progress, caption);
    root.append(link);
    wall.append(root);
    return { root, img, text, bar, at: "" };
  }

  async function refresh() {
    try {
      const reply = await fetch("/api/live", { cache: "no-store" });
      const now = await reply.json();
      const seen = new Set();
      for (const lane of now.lanes) {
        seen.add(lane.lane);
        const t = lanes.get(lane.lane) ?? tile(lane.lane);
        lanes.set(lane.lane, t);
        const percent = Math.round(100 * lane.progress);
        t.text.task.textContent = `${lane.game} · ${lane.task}`;
        t.text.player.textContent = lane.player;
        t.text.step.textContent = `step ${lane.step} · ${percent} %${lane.finished ? " · finished" : ""}${lane.waiting_for ? ` · ${lane.waiting_for} answers nobody: waiting` : ""}`;
        t.bar.style.width = `${percent}%`;
        t.root.classList.toggle("stale", lane.age_s > 60 || lane.waiting_for !== "");
        t.img.alt = `Latest frame of lane ${lane.lane}`;
        if (lane.watchable) t.root.firstElementChild?.setAttribute("href", `/replay/${lane.episode}.html`);
        else t.root.firstElementChild?.removeAttribute("href");
        if (lane.picture && lane.picture !== t.at) {
          t.at = lane.picture;
          t.img.src = `/live/${encodeURIComponent(lane.lane)}.jpg?at=${encodeURIComponent(lane.picture)}`;
        }
      }
      for (const [name, t] of lanes) {
        if (seen.has(name)) continue;
        t.root.remove();
        lanes.delete(name);
      }
      state.textContent = now.lanes.length
        ? `${now.lanes.length} ${now.lanes.length === 1 ? "lane" : "lanes"} · ${now.finished} of ${now.planned} episodes finished, ${now.failed} failed`
        : "No lane has shown a frame yet. Lanes show theirs when the run was started with executor.live=true.";
    } catch {
      state.textContent = "The viewer's server does not answer.";
    }
    setTimeout(refresh, document.hidden ? 5000 : 1000);
  }
  refresh();
})();
