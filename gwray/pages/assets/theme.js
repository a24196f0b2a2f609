// @ts-check
// Light or dark: what the system says, or what was chosen here. Read before the page is drawn, so that it does not flash.
"use strict";
(() => {
  const root = document.documentElement;
  // Storage may be forbidden; then the choice holds for this page.
  try { const kept = localStorage.getItem("gwray-theme"); if (kept) root.dataset.theme = kept; } catch { /* not kept */ }
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try { localStorage.setItem("gwray-theme", root.dataset.theme); } catch { /* not kept */ }
      root.dispatchEvent(new Event("gwray-theme"));
    });
  });
})();
