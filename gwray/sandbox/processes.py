"""Processes of browsers: their confinement, memory use, killing, and a watchdog that ends a browser if this process is
killed.

All processes of a browser have a marker in their environment. The watchdog is a shell process that reads from a pipe of
this process. When the pipe is closed, for any reason, it gives the browser and its driver a few seconds to end, and
then kills the remaining processes.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil
from playwright.async_api import Error
from playwright.async_api import TimeoutError as TookTooLong

MARKER = "GWRAY_BROWSER_OWNER"
"""Environment variable. If it is set for this process, the markers of its browsers start with its value."""

_WATCHDOG = """
drivers=
while read -r pid; do drivers="$drivers $pid"; done
for wait in 1 1 2; do
  left=
  for p in /proc/[0-9]*; do
    if grep -qszx "$1" "$p/environ"; then left="$left ${p#/proc/}"; fi
  done
  for pid in $drivers; do
    if grep -qsz run-driver "/proc/$pid/cmdline"; then left="$left $pid"; fi
  done
  [ -z "$left" ] && exit 0
  [ -n "$again" ] && kill -9 $left 2>/dev/null
  again=1
  sleep $wait
done
"""

LEFTOVER_AGE_S = 3600.0
"""Minimum age of temporary folders that are removed."""


class Watchdog:
    """Kills all processes with `marker` after this process has ended or `stop` was called."""

    def __init__(self, marker: str):
        self._process: subprocess.Popen[bytes] | None = None
        if not sys.platform.startswith("linux"):
            return
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _WATCHDOG, "gwray-watchdog", f"{MARKER}={marker}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=env,
            start_new_session=True,
        )

    def add_driver(self, pid: int) -> None:
        """Makes the watchdog kill this driver too, which was started without the marker."""
        if self._process and self._process.stdin:
            self._process.stdin.write(f"{pid}\n".encode())
            self._process.stdin.flush()

    def stop(self) -> None:
        """Ends the watchdog. Call it after all processes have ended."""
        if self._process is None:
            return
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


def process_tree(pids: Iterable[int | None]) -> list[psutil.Process]:
    """Returns processes and all their descendants, parents first."""
    found: dict[int, psutil.Process] = {}
    for pid in pids:
        if pid is None:
            continue
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(pid)
            for process in [top, *top.children(recursive=True)]:
                found.setdefault(process.pid, process)
    return list(found.values())


def find_driver(browser_pid: int | None) -> int | None:
    """Returns the child of this process that is an ancestor of the browser."""
    me = os.getpid()
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(browser_pid) if browser_pid else None
        while process is not None:
            if process.ppid() == me:
                return process.pid
            process = process.parent()
    return None


def memory_mb(processes: Iterable[psutil.Process]) -> float:
    """Returns the memory in MB: proportional set size (PSS) if available, otherwise resident size."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            info = process.memory_full_info()
            total += getattr(info, "pss", 0) or info.rss
    return total / 1e6


def end_heavy_pages(browser_pid: int | None, limit_mb: float) -> float:
    """Kills each page process of a browser that uses more resident memory than the limit. Returns the MB of the largest
    one, or 0."""
    most = 0.0
    for process in process_tree([browser_pid]):
        with contextlib.suppress(psutil.Error):
            used = process.memory_info().rss / 1e6
            if used > limit_mb and "--type=renderer" in process.cmdline():
                process.kill()
                most = max(most, used)
    return most


def remove_leftovers() -> None:
    """Removes browser profiles of killed processes from the temporary folder: those of this user that are older than an
    hour and older than all running drivers."""
    born = [time.time() - LEFTOVER_AGE_S]
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if any("playwright" in word for word in process.cmdline()):
                born.append(process.create_time())
    for folder in Path(tempfile.gettempdir()).glob("playwright[-_]*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            if found.st_uid == os.getuid() and folder.is_dir() and found.st_mtime < min(born):
                shutil.rmtree(folder, ignore_errors=True)


def kill_all(processes: list[psutil.Process], wait_s: float = 2.0) -> None:
    """Kills processes. psutil never kills another process with a reused id."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(processes, timeout=wait_s)


def wait_gone(processes: list[psutil.Process], wait_s: float) -> list[psutil.Process]:
    """Waits up to `wait_s` s and returns the processes that are still running; zombies count as ended."""
    end = time.monotonic() + wait_s
    while True:
        left = [p for p in processes if is_running(p)]
        if not left or time.monotonic() >= end:
            return left
        time.sleep(0.02)


def is_running(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


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


def confinements(browser: Path) -> Iterator[Confinement]:
    """Yields the ways to start this browser, the most confined one first; the last one has no sandbox."""
    env = {name: os.environ[name] for name in NEEDED if name in os.environ}
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
