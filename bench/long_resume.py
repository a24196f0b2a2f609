"""A thousand-step episode: killed by kill -9 near its end, resumed by the same command, verified and viewed.

    python bench/long_resume.py [--game c05_flea-market] [--at 950]

Seconds from the start of the second command to its first new reply (Python, browser and the replay of `--at` steps
are in them), of `gwray verify`, and until the viewer shows the first of the whole episode in a real browser, three
times. Exit code 1 when the first passes 20 s, the last 1 s, or the episode does not verify.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import async_playwright

from gwray.cli.console import terminal
from gwray.cli.terminal import print_table
from gwray.report.server import ViewServer
from gwray.sandbox import find_browser
from gwray.store import RunDir

ROOT = Path(__file__).resolve().parents[1]
RESUMED_S, PAINTED_S = 20.0, 1.0
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def replies(folder: Path) -> int:
    """Lines in the reply log of the only episode."""
    return sum(file.read_bytes().count(b"\n") for file in (folder / "replies").glob("*.jsonl"))


def until(driver: subprocess.Popen[bytes], folder: Path, lines: int) -> float:
    """Wait for so many lines; when they were there."""
    while replies(folder) < lines:
        if driver.poll() is not None:
            raise SystemExit(f"the run ended with {driver.returncode} after {replies(folder)} replies, before {lines}")
        time.sleep(0.01)
    return time.perf_counter()


async def painted(url: str) -> float:
    """Seconds from opening the page until its first picture or text is shown."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=find_browser().path, args=root)
        page = await browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
        await page.goto(url, wait_until="commit")
        await page.wait_for_function(f"{FIRST_PAINT} !== undefined")
        shown = await page.evaluate(FIRST_PAINT)
        await browser.close()
    return shown / 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="c05_flea-market", help="with a budget of 1,000 steps (default: %(default)s)")
    parser.add_argument("--at", type=int, default=950, help="replies before the kill (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "run"
        words = [
            sys.executable, str(ROOT / "launch.py"), "model=random", f"game={args.game}", "task=1", "executor=inline",
            "tracking.mode=disabled", f"run_dir={folder}",
        ]  # fmt: skip
        driver = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        until(driver, folder, args.at)
        driver.kill()
        driver.wait()
        kept = replies(folder)
        began = time.perf_counter()
        driver = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        resumed = until(driver, folder, kept + 1) - began
        if driver.wait():
            return 1
        run = RunDir.open(str(folder))
        (record,) = run.results()
        began = time.perf_counter()
        verified = subprocess.run([sys.executable, "-m", "gwray", "verify", str(folder)], stdout=subprocess.DEVNULL)
        verifying = time.perf_counter() - began
        with ViewServer(run) as viewer:
            shown = [asyncio.run(painted(f"{viewer.url}replay/{record.key}.html")) for _ in range(3)]
    rows = [
        (f"killed after {kept} of {record.steps} steps, until the first new reply, s", f"{resumed:.1f}"),
        ("gwray verify, s", f"{verifying:.1f}, {'identical' if not verified.returncode else 'NOT VERIFIED'}"),
        ("first paint of its replay in the viewer, s", ", ".join(f"{s:.2f}" for s in shown)),
    ]
    load = " ".join(f"{x:.0f}" for x in os.getloadavg())
    print_table(("", ""), rows, terminal(), f"{args.game}, {datetime.now(UTC):%Y-%m-%d}, load at the end {load}")
    return int(resumed > RESUMED_S or max(shown) > PAINTED_S or verified.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
