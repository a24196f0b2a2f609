"""How long until a report of the full published study can be used: 30,600 episodes, 18 cells × 170 tasks × 10 repeats.

    python bench/report.py

Builds the report of a synthetic run, then opens its two big pages in a real browser, offline, three times each with a
fresh profile. "results" and "episodes": until a sort, asked for as soon as the page lets us, has been done; aim under
3 s. "figure": until the first figure is drawn. Prints one JSON object; exit code 1 when a page misses the aim.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import polars as pl
from playwright.async_api import Browser, async_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/report"))

from runs_to_report import sweep, write_run

from gwray.analysis import published
from gwray.report import build_report
from gwray.sandbox import find_browser

AIM_S = 3.0
REPEATS = 3


def study(repeats: int = 10) -> pl.DataFrame:
    """The 18 published pairs with progress near the published one."""
    rows = published("table6_main").filter(pl.col("interface") != "human").to_dicts()
    parts = [
        sweep({r["model"]: r["overall_pg"] / 100}, repeats=repeats, seed=i, interface=r["interface"])
        for i, r in enumerate(rows)
    ]
    return pl.concat(parts)


async def opened(browser: Browser, url: str, ready: str, act: str | None, done: str) -> float:
    """Seconds until `done` shows, after a click on `act` (or scrolling to the first figure)."""
    context = await browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    start = time.perf_counter()
    await page.goto(url, wait_until="commit")
    await page.wait_for_selector(ready)
    if act:
        await page.click(act)
    else:
        await page.locator(".canvas").first.scroll_into_view_if_needed()
    await page.wait_for_selector(done)
    seconds = time.perf_counter() - start
    await context.close()
    return seconds


async def measure(site: Path) -> dict[str, list[float]]:
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    results = "#main thead th:nth-child(3) button", "#main th:nth-child(3)[aria-sort=descending]"
    episodes = "#episodes th[data-column=progress] button", "#episodes th[data-column=progress][aria-sort=descending]"
    times: dict[str, list[float]] = {"results": [], "episodes": [], "figure": []}
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=find_browser().path, args=root)
        for _ in range(REPEATS):
            url = (site / "index.html").as_uri()
            times["results"].append(await opened(browser, url, "html[data-ready]", *results))
            times["figure"].append(await opened(browser, url, "html[data-ready]", None, ".canvas[data-drawn]"))
            url = (site / "episodes.html").as_uri()
            times["episodes"].append(await opened(browser, url, "html[data-episodes]", *episodes))
        await browser.close()
    return times


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        frame = study()
        run = write_run(Path(folder) / "run", frame)
        start = time.perf_counter()
        site = build_report([run], Path(folder) / "site", images=False).parent
        built = time.perf_counter() - start
        times = asyncio.run(measure(site))
        slowest = {k: round(max(v), 2) for k, v in times.items()}
        megabytes = {p: round((site / p).stat().st_size / 1e6, 2) for p in ("index.html", "data/episodes.js")}
    print(
        json.dumps(
            {"episodes": frame.height, "build_s": round(built, 1), "interactive_s_slowest": slowest,
             "interactive_s": {k: [round(x, 2) for x in v] for k, v in times.items()}, "size_mb": megabytes,
             "aim_s": AIM_S}
        )
    )  # fmt: skip
    return int(max(slowest["results"], slowest["episodes"]) > AIM_S)


if __name__ == "__main__":
    sys.exit(main())
