// @ts-check
// Light or dark theme: the system's, or the one chosen here. Loaded before the page is drawn, to avoid a flash.
"use strict";
(() => {
  const root = document.documentElement;
  // Without storage, the choice applies to this page only.
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
