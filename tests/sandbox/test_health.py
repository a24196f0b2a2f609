"""Browsers that crash, hang, grow or lose their owner."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from sandbox.conftest import alive, page

from gwray.errors import BrowserDisconnected, BrowserError, PageCrashed, PageHung
from gwray.sandbox import Browser, processes
from gwray.sandbox.cdp import BrowserHealth
from gwray.sandbox.processes import process_tree

pytestmark = pytest.mark.slow


def tree(browser: Browser) -> list[psutil.Process]:
    return process_tree([browser._driver, browser.pid])


def renderers(browser: Browser) -> list[psutil.Process]:
    """The processes of its pages."""
    found = []
    for p in tree(browser):
        with contextlib.suppress(psutil.Error):
            found += [p] if any("--type=renderer" in a for a in p.cmdline()) else []
    return found


def drivers() -> set[int]:
    """Processes of Playwright's driver that are ours."""
    found = set()
    for p in alive(psutil.Process().children()):
        with contextlib.suppress(psutil.Error):
            found |= {p.pid} if "run-driver" in p.cmdline() else set()
    return found


async def test_driver_that_does_not_start_is_reported(monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    with pytest.raises(BrowserError, match="driver did not start"):
        await Browser.launch()


async def test_missing_library_is_told_from_missing_browser(monkeypatch, tmp_path):
    ldd = tmp_path / "ldd"
    ldd.write_text("#!/bin/sh\necho '  libatomic.so.1 => not found'\n")
    ldd.chmod(0o755)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(BrowserError, match=r"lacks shared libraries: libatomic\.so\.1\. Install them .*libatomic1"):
        await Browser.launch()


async def test_closing_leaves_no_process(tmp_path, monkeypatch):
    """It leaves the compiled code of the driver for the next start, in the user's own folder."""
    monkeypatch.setenv("NODE_COMPILE_CACHE", "")
    monkeypatch.delenv("NODE_COMPILE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    browser = await Browser.launch()
    await browser.open(page("clock/order.html"))
    processes = tree(browser)
    watchdog = browser._watchdog._process.pid  # type: ignore[union-attr]
    assert browser.pid in {p.pid for p in processes}
    assert len(processes) >= 4
    assert any("chrom" in p.name() for p in processes) and any("node" in p.name() for p in processes)
    await browser.close()
    assert alive(processes) == []
    assert not psutil.pid_exists(watchdog)
    assert [f for f in (tmp_path / "gwray/node").rglob("*") if f.is_file()]
    with pytest.raises(BrowserError):
        await browser.open(page("clock/order.html"))


async def test_hung_page_does_not_affect_others():
    browser = await Browser.launch()
    other = await browser.open(page("clock/order.html"))
    lane = await browser.open(page("faults/break.html", query="?hang"))
    lane._cdp._limit_s = 1.5  # whoever answers has as long as ever, on a busy machine too
    hanging = asyncio.ensure_future(lane.advance(500))
    while not hanging.done():
        await other.advance(10)
    with pytest.raises(
        PageHung, match=r"faults/break.html hung: no answer to .* within 1.5 s, while its browser lives"
    ):
        await hanging
    with pytest.raises(BrowserError, match=r"faults/break\.html: .*hung"):
        await lane.read()
    assert (await other.read()).state["status"] == "playing"
    assert browser.needs_replacing() is None
    loops = renderers(browser)
    await lane.close()
    for _ in range(1000):
        if len(alive(loops)) < len(loops):
            break
        await asyncio.sleep(0.05)
    await other.advance(100)
    assert len(alive(loops)) == len(loops) - 1, "its loop has ended with it, and no other process"
    processes = tree(browser)
    await browser.close()
    assert alive(processes) == []


async def test_pause_of_own_process_is_not_a_hang():
    async def answer() -> str:
        time.sleep(1)  # noqa: ASYNC251 - as `docker pause` does
        await asyncio.sleep(0.05)
        return "here"

    assert await BrowserHealth().guard(answer(), 0.5, "a question") == "here"
    with pytest.raises(BrowserError, match="no answer to a question"):
        await BrowserHealth().guard(asyncio.Event().wait(), 0.5, "a question")


async def test_hung_browser_is_replaced(monkeypatch):
    monkeypatch.setattr("gwray.sandbox.cdp.LIVENESS_TIMEOUT_S", 0.5)
    browser = await Browser.launch()
    lanes = [await browser.open(page("clock/order.html")) for _ in range(2)]
    processes = tree(browser)
    for lane in lanes:
        lane._cdp._limit_s = 1.5
    psutil.Process(browser.pid).suspend()
    ended = await asyncio.gather(*(lane.advance(500) for lane in lanes), return_exceptions=True)
    assert [type(e) for e in ended] == [BrowserDisconnected, BrowserDisconnected]
    assert "hung" in (browser.needs_replacing() or "")
    with pytest.raises(BrowserDisconnected):
        await browser.open(page("clock/order.html"))
    await browser.close()
    assert alive(processes) == []


@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.15])
async def test_cancelled_start_leaves_no_driver(after_s):
    loop, said = asyncio.get_running_loop(), []
    before, handler = drivers(), loop.get_exception_handler()
    loop.set_exception_handler(lambda _, context: said.append(context))
    try:
        launching = asyncio.ensure_future(Browser.launch())
        while drivers() == before:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        await asyncio.sleep(after_s)
        launching.cancel()
        await asyncio.gather(launching, return_exceptions=True)
        if not launching.cancelled():  # it had started before it could be broken off
            await launching.result().close()
        left = drivers() - before
        await asyncio.sleep(0.3)
        gc.collect()
        assert (left, said) == (set(), [])
    finally:
        loop.set_exception_handler(handler)


async def test_crashed_page_does_not_affect_others():
    browser = await Browser.launch()
    before = tree(browser)
    lane = await browser.open(page("clock/intervals.html"))
    its_own = [p for p in renderers(browser) if p not in before]
    other = await browser.open(page("clock/order.html"))

    async def play_on() -> None:
        while True:
            await lane.advance(100_000)

    playing = asyncio.ensure_future(play_on())
    await asyncio.sleep(0.1)
    for p in its_own:
        p.kill()
    with pytest.raises(PageCrashed, match=r"clock/intervals\.html: .*the page crashed"):
        await playing
    await other.advance(100)
    assert browser.needs_replacing() is None
    await lane.close()
    await browser.close()


async def test_a_killed_browser_is_reported_and_closed_without_rest():
    browser = await Browser.launch()
    lanes = [await browser.open(page("clock/order.html")) for _ in range(3)]
    processes = tree(browser)
    playing = [asyncio.ensure_future(lane.advance(100_000)) for lane in lanes]
    os.kill(browser.pid or 0, signal.SIGKILL)
    ended = await asyncio.gather(*playing, return_exceptions=True)
    assert [type(e) for e in ended] == [BrowserDisconnected] * 3, "which of them did it is not known"
    assert browser.needs_replacing()
    await browser.close()
    assert alive(processes) == []


async def test_a_browser_above_its_memory_limit_asks_to_be_replaced():
    browser = await Browser.launch(memory_limit_mb=100_000)  # so much that no page is ended for it meanwhile
    try:
        assert browser.needs_replacing() is None
        browser._memory_limit_mb = 20
        assert "memory" in (browser.needs_replacing() or "")
        small = browser.memory_mb()
        await browser.open(page("faults/break.html", query="?fat"))
        assert browser.memory_mb() > small + 150
    finally:
        await browser.close()


async def test_a_browser_that_cannot_start_is_named(tmp_path: Path):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(BrowserError, match="did not start"):
        await Browser.launch(executable=broken)
    with pytest.raises(BrowserError, match="does not exist"):
        await Browser.launch(executable=tmp_path / "none")


async def test_old_profiles_of_killed_browsers_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("psutil.process_iter", lambda: [])
    old, new, other = (tmp_path / n for n in ("playwright_chromiumdev_profile-a", "playwright-artifacts-b", "mine"))
    for folder in (old, new, other):
        (folder / "inner").mkdir(parents=True)
    for folder in (old, other):
        os.utime(folder, (0, 0))
    with subprocess.Popen(["sleep", "600"]) as living:  # noqa: ASYNC220
        driver = psutil.Process(living.pid)
        monkeypatch.setattr(driver, "cmdline", lambda: ["node", "/x/playwright/driver/cli.js", "run-driver"])
        monkeypatch.setattr(driver, "create_time", lambda: -1.0)
        monkeypatch.setattr("psutil.process_iter", lambda: [driver])
        processes.remove_leftovers()
        assert old.exists(), "a driver that lives is older"
        living.kill()
    monkeypatch.setattr("psutil.process_iter", lambda: [])
    processes.remove_leftovers()
    assert (old.exists(), new.exists(), other.exists()) == (False, True, True)
