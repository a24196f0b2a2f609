"""Finds the browser to use, and tells how to install one or the libraries that it lacks."""

import os
import platform
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import playwright

from gwray.errors import BrowserError

NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "Chromium", "Google Chrome",
)  # fmt: skip
"""Program names in search order: the headless shell needs a third of the memory of the others."""

PLACES = (
    "/usr/bin", "/usr/local/bin", "/usr/lib/chromium", "/opt/google/chrome", "/opt/chromium", "/snap/bin",
    "/Applications/Chromium.app/Contents/MacOS", "/Applications/Google Chrome.app/Contents/MacOS",
)  # fmt: skip

APT_INSTALL = "apt-get update && apt-get install -y --no-install-recommends "
BASE_PACKAGES = "libatomic1 fonts-dejavu-core"
"""The library that Playwright's driver needs, and a font for the pages."""


def install_command() -> str:
    """Returns the one shell command with which an administrator of this machine makes a browser work for every user."""
    playwright_cli = f"{shlex.quote(sys.executable)} -m playwright"
    if _distribution() == "debian":
        return _as_root(f"{APT_INSTALL}chromium-headless-shell {BASE_PACKAGES}")
    if shutil.which("apt-get"):  # Ubuntu packages neither the headless shell nor, outside of snap, Chromium
        libraries = _as_root(f"{APT_INSTALL}{BASE_PACKAGES} && {playwright_cli} install-deps chromium")
        return f"{libraries} && {playwright_cli} install --only-shell chromium"
    return f"{playwright_cli} install --with-deps --only-shell chromium"


def how_to_install() -> str:
    """Returns the ways to get a browser on this machine, as text of several lines."""
    return f"""No Chromium was found. Install one in one of three ways:
  1. with administrator rights (ask for exactly this command): {install_command()}
  2. without them: {shlex.quote(sys.executable)} -m playwright install --only-shell chromium
  3. use a Chromium or Chrome that you have: export GWRAY_BROWSER=/path/to/chromium"""


def driver_program() -> Path:
    """Returns the Node program of Playwright's driver."""
    return Path(os.environ.get("PLAYWRIGHT_NODEJS_PATH") or Path(playwright.__file__).parent / "driver" / "node")


def missing_libraries(browser: Path | None = None) -> str | None:
    """Returns a message if Playwright's driver or `browser` lacks shared libraries, with the command to install them.
    Returns None where nothing is missing, and where `ldd` cannot tell."""
    for name, program in (("Playwright's driver", driver_program()), ("the browser", browser)):
        if program is not None and (names := _unresolved(program)):
            return (
                f"{name} {program} is installed but lacks shared libraries: {', '.join(names)}. "
                f"Install them with administrator rights: {install_command()}"
            )
    return None


def _unresolved(program: Path) -> list[str]:
    """Returns the shared libraries of `program` that the dynamic linker does not find."""
    ldd = shutil.which("ldd")
    if ldd is None or not program.is_file():
        return []
    try:
        out = subprocess.run([ldd, str(program)], capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return sorted({line.split()[0] for line in out.splitlines() if "=> not found" in line})


def _as_root(steps: str) -> str:
    return steps if os.geteuid() == 0 else f"sudo sh -c {shlex.quote(steps)}"


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("ID", "")
    except OSError:
        return ""


@dataclass(frozen=True)
class BrowserChoice:
    """A browser executable on this machine."""

    path: Path
    how: str
    """How it was found: `GWRAY_BROWSER`, `PATH`, a folder, or `playwright`."""


def find_browser() -> BrowserChoice:
    """Returns the first browser in the order GWRAY_BROWSER, PATH, usual folders, Playwright's downloads. Raises
    `BrowserError`, with the ways to install one, if there is none."""
    configured = os.environ.get("GWRAY_BROWSER")
    if configured:
        path = Path(configured).expanduser()
        if not _runs(path):
            raise BrowserError(
                f"GWRAY_BROWSER is '{configured}', which is not an executable file. Correct or unset it."
            )
        return BrowserChoice(path, "GWRAY_BROWSER")
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return BrowserChoice(Path(found), "PATH")
        for place in PLACES:
            if _runs(Path(place) / name):
                return BrowserChoice(Path(place) / name, place)
    downloaded = _playwright_build()
    if downloaded:
        return BrowserChoice(downloaded, "playwright")
    raise BrowserError(how_to_install())


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _playwright_build() -> Path | None:
    """Returns the newest build in Playwright's download folders."""
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
