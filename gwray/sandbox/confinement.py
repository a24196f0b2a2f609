"""What a browser is started with: as little of this machine as it can work with, because it runs strangers' code.

It gets the few environment variables that it needs, so no key is in any of its processes, and Chromium's own sandbox
(user namespaces and seccomp) wherever the kernel grants it. Where it does not, the browser runs all the same, and
`gwray doctor` says so.
"""

from __future__ import annotations

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
"""Where programs, libraries, fonts and temporary files are, and in which language. Nothing else is handed on."""
UNPRIVILEGED = Path(__file__).with_name("unprivileged.sh")


@dataclass(frozen=True)
class Confinement:
    """One way to start a browser."""

    program: Path
    sandboxed: bool
    """With Chromium's own sandbox."""
    env: Mapping[str, str]


def browser_environment() -> dict[str, str]:
    """What a browser gets to know of this process's environment: no key is in it."""
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
    """Start a browser as closely confined as the kernel allows. Raises what the last `start` raises, and whatever takes
    too long."""
    *closer, last = confinements(browser)
    for how in closer:
        try:
            return await start(how)
        except TookTooLong:
            raise
        except Error:  # it ended at once: the kernel refused
            continue
    return await start(last)
