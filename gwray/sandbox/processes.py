"""No browser outlives its owner: memory, killing, and a watchdog for the case that this process dies hard.

All processes of a browser carry a marker in their environment. The watchdog is a tiny shell that waits for the end of a
pipe only this process holds open; when the pipe ends, for whatever reason, it gives the browser and its driver
a moment to leave by themselves and then kills what is left of them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

MARKER = "GWRAY_BROWSER_OWNER"
"""Whoever starts us and sets it finds our browsers by it: each one's marker begins with what it says."""

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

LEFT_FOR_S = 3600.0
"""Older temporary folders may be those of a process that is no more."""


class Watchdog:
    """Kills everything that carries `marker` once this process is gone or `stop` is called."""

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

    def also(self, pid: int) -> None:
        """Kill this driver too, which was started without the marker."""
        if self._process and self._process.stdin:
            self._process.stdin.write(f"{pid}\n".encode())
            self._process.stdin.flush()

    def stop(self) -> None:
        """To be called when nothing is left to kill."""
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


def family(pids: Iterable[int | None]) -> list[psutil.Process]:
    """These processes and all below them, parents first."""
    found: dict[int, psutil.Process] = {}
    for pid in pids:
        if pid is None:
            continue
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(pid)
            for process in [top, *top.children(recursive=True)]:
                found.setdefault(process.pid, process)
    return list(found.values())


def driver_of(browser_pid: int | None) -> int | None:
    """The child of this process from which the browser descends."""
    me = os.getpid()
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(browser_pid) if browser_pid else None
        while process is not None:
            if process.ppid() == me:
                return process.pid
            process = process.parent()
    return None


def memory_mb(processes: Iterable[psutil.Process]) -> float:
    """Memory in MB: shared pages counted once where the system can tell (PSS), else resident size."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            info = process.memory_full_info()
            total += getattr(info, "pss", 0) or info.rss
    return total / 1e6


def end_heavy_pages(browser_pid: int | None, limit_mb: float) -> float:
    """Kill the processes of pages of this browser that have more resident memory than this each; returns the MB of the
    largest, 0 if there is none."""
    most = 0.0
    for process in family([browser_pid]):
        with contextlib.suppress(psutil.Error):
            used = process.memory_info().rss / 1e6
            if used > limit_mb and "--type=renderer" in process.cmdline():
                process.kill()
                most = max(most, used)
    return most


def remove_leftovers() -> None:
    """Remove the profiles that browsers of killed processes left in the temporary folder: this user's that are older
    than an hour, and than every driver that lives."""
    born = [time.time() - LEFT_FOR_S]
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
    """Kill these processes; psutil makes sure that a reused id is never hit."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(processes, timeout=wait_s)


def wait_gone(processes: list[psutil.Process], wait_s: float) -> list[psutil.Process]:
    """Those still alive after at most `wait_s` real seconds; processes that only wait to be reaped count as gone."""
    end = time.monotonic() + wait_s
    while True:
        left = [p for p in processes if _lives(p)]
        if not left or time.monotonic() >= end:
            return left
        time.sleep(0.02)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
