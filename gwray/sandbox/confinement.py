"""Starts browsers with as few privileges as possible, because they run third-party code.

A browser gets only the environment variables that it needs, so no API key is in its processes, and Chromium's own
sandbox (user namespaces and seccomp) if the kernel allows it. Otherwise the browser runs without it, and `gwray doctor`
reports that.
"""

import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from playwright.async_api import Error
from playwright.async_api import TimeoutError as TookTooLong

T = TypeVar("T")

NEEDED = (
    "PATH", "HOME", "TMPDIR", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE",
    "FONTCONFIG_PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
)  # fmt: skip
"""Environment variables that are passed on: paths of programs, libraries, fonts and temporary files, and locale."""
UNPRIVILEGED = Path(__file__).with_name("unprivileged.sh")


@dataclass(frozen=True)
class Confinement:
    """One way to start a browser."""

    program: Path
    sandboxed: bool
    """Whether Chromium's own sandbox is used."""
    env: Mapping[str, str]


def browser_environment() -> dict[str, str]:
    """The environment variables for a browser, without API keys."""
    return {name: os.environ[name] for name in NEEDED if name in os.environ}


def confinements(browser: Path) -> Iterator[Confinement]:
    """Ways to start this browser, the launch_confined first; the last is without a sandbox."""
    env = browser_environment()
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        yield Confinement(browser, True, env)
    elif sys.platform.startswith("linux"):
        yield Confinement(UNPRIVILEGED, True, {**env, "GWRAY_CHROMIUM": str(browser)})
    yield Confinement(browser, False, env)


async def launch_confined(browser: Path, start: Callable[[Confinement], Awaitable[T]]) -> T:
    """Starts a browser, confined as far as the kernel allows. Raises the error of the last attempt, or a timeout."""
    *confined, last = confinements(browser)
    for how in confined:
        try:
            return await start(how)
        except TookTooLong:
            raise
        except Error:  # it ended immediately: the kernel refused
            continue
    return await start(last)
