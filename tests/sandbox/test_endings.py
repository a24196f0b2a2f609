"""A browser ends with its owner, for every way in which the owner can end."""

from __future__ import annotations

import subprocess
import sys
import time

import psutil
import pytest
from sandbox.conftest import PAGES, ended

from gwray.sandbox.processes import MARKER, process_tree

OWNER = """
import asyncio, sys
sys.path.insert(0, {tests!r})
from conftest import page
from gwray.sandbox import Browser
async def main():
    browser = await Browser.launch()
    lane = await browser.open(page("faults/break.html", query={query!r}))
    print(browser._driver, browser.pid, flush=True)
    await lane.advance(1000)
    await asyncio.sleep(100)
asyncio.run(main())
"""


def owner(query: str) -> tuple[subprocess.Popen[str], list[psutil.Process], str]:
    """Another Python process with a browser, that browser's processes and its marker."""
    code = OWNER.format(tests=str(PAGES.parent), query=query)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    pids = [int(n) for n in process.stdout.readline().split()]
    time.sleep(0.5)
    return process, process_tree(pids), psutil.Process(pids[1]).environ()[MARKER]


def marked(marker: str) -> list[psutil.Process]:
    found = []
    for p in psutil.process_iter():
        try:
            if p.environ().get(MARKER) == marker:
                found.append(p)
        except psutil.Error:
            pass
    return found


@pytest.mark.parametrize("query", ["", "?hang"])
@pytest.mark.slow
def test_killed_owner_ends_browser_and_driver(query):
    process, processes, marker = owner(query)
    assert len(processes) >= 4
    process.kill()
    process.wait()
    assert ended(processes)
    assert ended(marked(marker)), "nothing else of it is left"


@pytest.mark.slow
def test_stopped_driver_does_not_keep_browser_alive():
    process, processes, marker = owner("")
    processes[0].suspend()  # it cannot notice that its pipe ended
    process.kill()
    process.wait()
    assert ended(processes)
    assert ended(marked(marker))
