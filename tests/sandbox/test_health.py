"""Browsers that crash, hang, grow or lose their owner."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import psutil
import pytest
from sandbox.conftest import alive, page

from gwray.errors import BrowserError
from gwray.sandbox import Browser
from gwray.sandbox.processes import family
from gwray.sandbox.types import Limits

pytestmark = pytest.mark.asyncio(loop_scope="session")


def tree(browser: Browser) -> list[psutil.Process]:
    return family([browser._driver, browser.pid])


async def test_closing_leaves_no_process():
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
    with pytest.raises(BrowserError):
        await browser.open(page("clock/order.html"))


async def test_an_endless_loop_in_a_page_is_a_hang_and_the_browser_is_replaced():
    browser = await Browser.launch(limits=Limits(call_s=1.5))
    lane = await browser.open(page("faults/break.html", query="?hang"))
    other = await browser.open(page("clock/order.html"))
    processes = tree(browser)
    with pytest.raises(BrowserError, match="hung"):
        await lane.advance(500)
    assert "hung" in (browser.needs_replacing() or "")
    with pytest.raises(BrowserError, match="replaced"):
        await other.read()
    began = time.monotonic()
    await browser.close()
    assert time.monotonic() - began < 10
    assert alive(processes) == []


async def test_a_crashed_page_is_reported_at_once_and_the_browser_is_replaced():
    browser = await Browser.launch()
    lane = await browser.open(page("clock/intervals.html"))
    renderers = [p for p in tree(browser) if any("--type=renderer" in a for a in p.cmdline())]
    began = time.monotonic()
    reading = asyncio.ensure_future(lane.advance(2_000_000))
    await asyncio.sleep(0.1)
    for p in renderers:
        p.kill()
    with pytest.raises(BrowserError, match="crash"):
        await reading
    assert time.monotonic() - began < 10
    assert "crash" in (browser.needs_replacing() or "")
    await lane.close()
    await browser.close()


async def test_a_killed_browser_is_reported_and_closed_without_rest():
    browser = await Browser.launch()
    lane = await browser.open(page("clock/order.html"))
    processes = tree(browser)
    os.kill(browser.pid or 0, signal.SIGKILL)
    with pytest.raises(BrowserError):
        await lane.read()
    assert browser.needs_replacing()
    await browser.close()
    assert alive(processes) == []


async def test_a_browser_above_its_memory_limit_asks_to_be_replaced():
    browser = await Browser.launch(memory_limit_mb=20)
    try:
        assert "memory" in (browser.needs_replacing() or "")
        small = browser.memory_mb()
        await browser.open(page("faults/break.html", query="?fat"))
        assert browser.memory_mb() > small + 150
        browser._memory_limit_mb = 100_000
        assert browser.needs_replacing() is None
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
