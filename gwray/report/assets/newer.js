// @ts-check
// Shows a notice if the run has new results since this page was made. Polls the site's own server.
"use strict";
setInterval(async () => {
  const newer = document.getElementById("newer");
  if (!newer || !newer.hidden || document.hidden) return;
  const now = await fetch("api/counts", { cache: "no-store" }).then((r) => r.json()).catch(() => null);
  if (now && ["n", "ended", "diagnosed"].some((what) => now[what] > Number(newer.dataset[what] ?? NaN))) newer.hidden = false;
}, 5000);
