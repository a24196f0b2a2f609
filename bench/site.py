"""How soon a page of `gwray view` is seen: a folder with a run of 3,060 episodes, 18 cells × 170 tasks.

    python bench/site.py

"first" is the first opening after the server has begun, "again" a later one; both in a fresh browser profile. Aim: the
first contentful paint within 1 s. "ready" is when the results of the run, computed meanwhile, are there. Prints one
JSON object; exit code 1 when a page misses the aim.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from playwright.async_api import Browser, async_playwright

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/report"))

from report import study
from runs_to_report import write_run

from gwray.report import RunFolder, ViewServer
from gwray.sandbox import find_browser

AIM_S = 1.0
PAGES = {"runs": "", **{name: f"runs/run/{name}.html" for name in ("index", "episodes", "live")}}
PAINTED = "performance.getEntriesByName('first-contentful-paint').map((e) => e.startTime / 1000)[0] ?? null"


async def painted(browser: Browser, url: str) -> float:
    """Seconds until something of the page is seen."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    await page.goto(url, wait_until="commit")
    while (seconds := await page.evaluate(PAINTED)) is None:
        await page.wait_for_timeout(20)
    await context.close()
    return round(seconds, 2)


async def measure(url: str) -> dict[str, dict[str, float]]:
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=find_browser().path, args=root)
        first = {name: await painted(browser, url + path) for name, path in PAGES.items()}
        page, start = await browser.new_page(), time.perf_counter()
        await page.goto(url + PAGES["index"])
        await page.wait_for_selector("#main", timeout=300_000)
        ready = {"results": round(time.perf_counter() - start, 1)}
        again = {name: await painted(browser, url + path) for name, path in PAGES.items()}
        await browser.close()
    return {"first": first, "again": again, "ready": ready}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        frame = study(repeats=1)
        write_run(Path(folder) / "run", frame, replays=100, n_steps=30)
        with ViewServer(RunFolder.open(folder)) as server:
            times = asyncio.run(measure(server.url))
    print(json.dumps({"episodes": frame.height, "painted_s": times, "aim_s": AIM_S}))
    return int(max(*times["first"].values(), *times["again"].values()) > AIM_S)


if __name__ == "__main__":
    sys.exit(main())
