"""A browser gets no key, and runs in Chromium's own sandbox where the kernel allows it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import psutil
import pytest
from sandbox.conftest import page
from user_namespaces import grants_namespaces

from gwray.errors import BrowserError
from gwray.sandbox import Browser, find_browser
from gwray.sandbox.processes import MARKER, NEEDED, Confinement, process_tree

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
KEY = "sk-test-0123456789abcdef"


def of_browser(browser: Browser) -> list[psutil.Process]:
    return process_tree([browser.pid])


def renderers(browser: Browser) -> list[psutil.Process]:
    return [p for p in of_browser(browser) if any("--type=renderer" in a for a in p.cmdline())]


def environment(process: psutil.Process) -> list[str]:
    """`NAME=value`, as the process was started with."""
    return Path(f"/proc/{process.pid}/environ").read_bytes().decode().split("\0")


def status(process: psutil.Process, name: str) -> list[str]:
    """The words of a line of `/proc/PID/status`."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(line for line in lines if line.startswith(f"{name}:")).split()[1:]


async def test_browser_environment_has_no_keys(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("SOMETHING_ELSE", "of-no-concern")
    browser = await Browser.launch()
    try:
        await browser.open(page("clock/order.html"))
        said = [line for p in of_browser(browser) for line in environment(p)]
        assert not [line for line in said if KEY in line or "of-no-concern" in line]
        names = {line.partition("=")[0] for line in environment(psutil.Process(browser.pid))}
        ours = {*NEEDED, MARKER, "GWRAY_CHROMIUM"}
        debian = {"CHROME_WRAPPER", "GDK_BACKEND", "SESSION_MANAGER", "GNOME_DISABLE_CRASH_DIALOG"}
        assert {n for n in names if n in os.environ} <= ours | debian | {"PWD", "_", "SHLVL", "OLDPWD"}
    finally:
        await browser.close()


async def test_chromium_sandbox_is_used_if_allowed():
    browser = await Browser.launch()
    try:
        lane = await browser.open(page("clock/order.html"))
        await lane.advance(100)
        assert browser.sandboxed == grants_namespaces()
        for process in renderers(browser):
            assert (status(process, "Seccomp") == ["2"]) == browser.sandboxed
            assert (len(status(process, "NSpid")) > 1) == browser.sandboxed
            assert not browser.sandboxed or int(status(process, "CapEff")[0], 16) == 0
        assert renderers(browser)
    finally:
        await browser.close()


async def test_browser_runs_without_sandbox_if_refused(monkeypatch, tmp_path):
    refused = tmp_path / "refused"
    refused.write_text("#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n")
    refused.chmod(0o755)
    env = {"PATH": os.environ["PATH"]}
    ways = [Confinement(refused, True, env), Confinement(find_browser().path, False, env)]
    monkeypatch.setattr("gwray.sandbox.processes.confinements", lambda path: iter(ways))
    browser = await Browser.launch()
    try:
        lane = await browser.open(page("clock/order.html"))
        assert (await lane.read()).state["status"] == "playing"
        assert not browser.sandboxed
    finally:
        await browser.close()
    ways[1] = Confinement(refused, False, env)
    with pytest.raises(BrowserError, match="did not start"):
        await Browser.launch()
