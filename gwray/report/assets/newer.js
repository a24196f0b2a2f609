// @ts-check
// Says that the run has gone on since this page was made. Asked of the site's own server, every few seconds.
"use strict";
setInterval(async () => {
  const newer = document.getElementById("newer");
  if (!newer || !newer.hidden || document.hidden) return;
  const now = await fetch("api/counts", { cache: "no-store" }).then((r) => r.json()).catch(() => null);
  if (now && ["n", "ended", "looked"].some((what) => now[what] > Number(newer.dataset[what] ?? NaN))) newer.hidden = false;
}, 5000);
