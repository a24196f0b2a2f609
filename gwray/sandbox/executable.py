"""Which browser to use, and how to get one when there is none."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from gwray.errors import BrowserError

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Looked for in this order: the headless shell needs a third of the memory of the others."""

PLACES = (
    "/usr/bin",
    "/usr/local/bin",
    "/usr/lib/chromium",
    "/opt/google/chrome",
    "/opt/chromium",
    "/snap/bin",
    "/Applications/Chromium.app/Contents/MacOS",
    "/Applications/Google Chrome.app/Contents/MacOS",
)
_MAC_NAMES = ("Chromium", "Google Chrome")

HOW_TO_GET_ONE = """No Chromium found. Three ways to get one:
  1. apt-get install -y --no-install-recommends chromium-headless-shell   (Debian, Ubuntu)
  2. playwright install chromium-headless-shell                           (downloads Playwright's own build)
  3. set GWRAY_BROWSER=/path/to/chromium                                  (any Chromium or Chrome you have)"""


@dataclass(frozen=True)
class BrowserChoice:
    """A browser that exists on this machine."""

    path: Path
    how: str
    """How it was found: `GWRAY_BROWSER`, `PATH`, a folder, or `playwright`."""


def find_browser() -> BrowserChoice:
    """The first browser in the order GWRAY_BROWSER, PATH, usual folders, Playwright's own; `BrowserError` if none."""
    wish = os.environ.get("GWRAY_BROWSER")
    if wish:
        path = Path(wish).expanduser()
        if not _runs(path):
            raise BrowserError(f"GWRAY_BROWSER is '{wish}', which is not a program. Unset it, or:\n{HOW_TO_GET_ONE}")
        return BrowserChoice(path, "GWRAY_BROWSER")
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return BrowserChoice(Path(found), "PATH")
        for place in PLACES:
            if _runs(Path(place) / name):
                return BrowserChoice(Path(place) / name, place)
    for place in PLACES:
        for name in _MAC_NAMES:
            if _runs(Path(place) / name):
                return BrowserChoice(Path(place) / name, place)
    own = _playwrights()
    if own:
        return BrowserChoice(own, "playwright")
    raise BrowserError(HOW_TO_GET_ONE)


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _playwrights() -> Path | None:
    """Newest build below Playwright's download folder."""
    folders = [
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH", ""),
        "~/.cache/ms-playwright",
        "~/Library/Caches/ms-playwright",
    ]
    patterns = (
        "chromium_headless_shell-*/*/headless_shell",
        "chromium_headless_shell-*/*/chrome-headless-shell",
        "chromium-*/*/chrome",
        "chromium-*/*/Chromium.app/Contents/MacOS/Chromium",
    )
    for pattern in patterns:
        builds = [p for f in folders if f for p in Path(f).expanduser().glob(pattern) if _runs(p)]
        if builds:
            return max(builds, key=lambda p: [int(n) for n in p.parts[-3].split("-") if n.isdecimal()] or [0])
    return None
