"""The lease of a run directory: one command at a time, on any node.

The holder rewrites `driver.lock` every `RENEW_S` seconds. Another command takes the lease over at once if the holder
was a process of this machine that has ended, and otherwise when the lease was not renewed for `LEASE_S` seconds. The
file is replaced only if it still has the content that was read (`Storage.swap`), so one of two commands gets it. Every
process that writes to the run calls `check_lease` before each write: a process that was frozen or disconnected for
longer than its lease writes nothing.
"""

import json
import os
import socket
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import psutil

from gwray.errors import LeaseLost, RunInUse, StoreError, boundary

Doing = Literal["played", "judged", "rescored", "sealed", "unpacked", "synced"]
"""Activity of the process that holds the lease."""

LEASE_S = 180.0
"""Seconds without renewal after which another command may take over."""
RENEW_S = 30.0
"""Seconds between renewals, and between checks of other processes that write for the holder."""
POLL_S = 1.0
"""Seconds between looks at a lease that may run out."""
MOST_SHOWN = 120
"""Characters of the lease's content that are shown; the file may be hostile."""


class Storage(Protocol):
    """Operations of `storage.Storage` that a lease needs."""

    root: str

    def begin(self) -> None: ...
    def read(self, path: str) -> bytes | None: ...
    def swap(self, path: str, old: bytes, new: bytes) -> bool: ...


@dataclass(frozen=True)
class Holder:
    """The process that holds the lease of a run directory."""

    doing: Doing
    pid: int
    host: str
    since: str
    """UTC."""

    def __str__(self) -> str:
        return f"is being {self.doing} by process {self.pid} on host {self.host} (since {self.since or 'unknown'})"


class Lease:
    """A lease that this process renews, or that it only watches because it writes for the process that renews it."""

    def __init__(self, storage: Storage, path: str, content: bytes, *, renews: bool):
        self._storage, self._path, self._content, self._renews = storage, path, content, renews
        self.token = str(_parse(content).get("id") or "")
        """Identifies this lease among all leases of the run."""
        self._asked = self._good = _clock()
        """Times of the last look at the file, and of the last look that found the lease valid."""
        self._lost = ""
        self._checking = threading.Lock()
        self._ended = threading.Event()

    def check(self) -> None:
        """Looks at the file if that was not done for `RENEW_S` seconds. Raises `LeaseLost` if another process has taken
        the lease over, or will soon because this one could not be renewed."""
        with self._checking:
            now = _clock()
            if not self._lost and now - self._asked >= RENEW_S:
                self._asked = now
                with suppress(StoreError):  # out of reach for the moment; the time limit below decides
                    if self._renewed():
                        self._good = now  # it may have been frozen since
                if not self._lost and _clock() - self._good > LEASE_S - 2 * RENEW_S:
                    self._lost = f"The lease of {self._storage.root} has not been renewed for too long"
            if self._lost:
                raise LeaseLost(f"{self._lost}; this process stops writing. The same command resumes the run.")

    def _renewed(self) -> bool:
        """Renews the lease, or returns whether its holder did."""
        if self._renews:
            new = _stamped(_parse(self._content))
            if self._storage.swap(self._path, self._content, new):
                self._content = new
                return True
        there = self._storage.read(self._path) or b""
        holder = _parse(there)
        if holder.get("id") != self.token:
            now = str(_to_holder(holder)) if holder else "was released"
            self._lost = f"The lease of {self._storage.root} was taken over: it {now}"
            return False
        changed, self._content = there != self._content, there
        return changed

    def keep(self) -> None:
        """Renews the lease until `release`; runs in a thread of its own."""
        while not self._ended.wait(RENEW_S):
            with suppress(StoreError):
                self.check()

    def release(self) -> None:
        self._ended.set()
        with self._checking, suppress(StoreError):
            self._storage.swap(self._path, self._content, b"")


_leases: dict[str, Lease] = {}
"""Leases that this process holds or watches, by run directory."""
os.register_at_fork(after_in_child=_leases.clear)


def check_lease(root: str) -> None:
    """Raises `LeaseLost` if this process wrote to the run under a lease that it no longer has."""
    if (lease := _leases.get(root)) is not None:
        lease.check()


class LeaseFile:
    """The file with the lease of a run directory."""

    def __init__(self, storage: Storage):
        self._storage, self._path = storage, "driver.lock"

    @contextmanager
    def hold(self, doing: Doing) -> Iterator[None]:
        """Holds the lease during the block; see `wait`. Raises `RunInUse` if another command works on the run."""
        storage = self._storage
        here = {"id": uuid.uuid4().hex, "pid": os.getpid(), "host": socket.gethostname(), "place": _place()}
        mine = _stamped({**here, "began": _began(os.getpid()), "since": _now(), "doing": doing})
        with boundary(StoreError, f"locking {storage.root}"):
            storage.begin()
            self.wait()
            before = self._read()
            if is_held(before) or not storage.swap(self._path, before, mine):
                raise self._in_use(self._read() or before)
        lease = _leases[storage.root] = Lease(storage, self._path, mine, renews=True)
        threading.Thread(target=lease.keep, name="gwray-lease", daemon=True).start()
        try:
            yield
        finally:
            if _leases.get(storage.root) is lease:
                del _leases[storage.root]
                lease.release()

    def wait(self) -> None:
        """Waits until the lease of another machine is released or runs out. Raises `RunInUse` once its holder renews
        it, and at once if the holder is a process of this machine."""
        before = self._read()
        if not is_held(before):
            return
        if _parse(before).get("place") == _place():
            raise self._in_use(before)
        left, holder = LEASE_S - _age(_parse(before)), _to_holder(_parse(before))
        print(
            f"{self._storage.root} {holder}. Waiting up to {left:.0f} s to see whether it still runs …", file=sys.stderr
        )
        while is_held(now := self._read()):
            if now != before:
                raise self._in_use(now)
            time.sleep(POLL_S)

    def holder(self) -> Holder | None:
        """Returns the command that works on the run; None if there is none, or its lease has run out."""
        raw = self._read()
        return _to_holder(_parse(raw)) if is_held(raw) else None

    def token(self) -> str:
        """Returns the token of the lease that this process holds, for `watch`; empty if it holds none."""
        lease = _leases.get(self._storage.root)
        return lease.token if lease else ""

    def watch(self, token: str) -> None:
        """Makes all writes of this process to the run fail once the lease with this token is no longer valid. Empty:
        the run is written without a lease."""
        if token:
            content = json.dumps({"id": token}).encode()
            _leases[self._storage.root] = Lease(self._storage, self._path, content, renews=False)

    def _read(self) -> bytes:
        return self._storage.read(self._path) or b""

    def _in_use(self, raw: bytes) -> RunInUse:
        now = _to_holder(_parse(raw))
        return RunInUse(f"{self._storage.root} {now}. Wait for it, or stop it and run the same command again.")


def is_held(raw: bytes) -> bool:
    """Returns whether this is the content of a valid lease."""
    lease = _parse(raw)
    return bool(lease) and (_is_running(lease) if lease.get("place") == _place() else _age(lease) < LEASE_S)


def _clock() -> float:
    """Returns seconds that also pass while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _stamped(lease: dict[str, Any]) -> bytes:
    """Returns the content of a lease that is renewed now. The number makes each renewal differ from the last."""
    return json.dumps({**lease, "renewed": _now(), "number": int(lease.get("number") or 0) + 1}).encode()


def _age(lease: dict[str, Any]) -> float:
    """Returns the seconds since the last renewal; the clocks of two machines may differ by less than a lease."""
    try:
        return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(lease["renewed"])).total_seconds())
    except (KeyError, TypeError, ValueError):
        return LEASE_S


def _place() -> str:
    """Identifies the processes that can check each other by id: those of one boot and one namespace of ids."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return socket.gethostname()


def _began(pid: int) -> float:
    """Returns the start time of a process, which differs for a dead process with the same id."""
    return round(psutil.Process(pid).create_time(), 2)


def _is_running(lease: dict[str, Any]) -> bool:
    """Returns whether that process of this machine still runs."""
    with suppress(psutil.Error, KeyError, TypeError, ValueError, OverflowError):
        return abs(_began(lease["pid"]) - lease["began"]) < 1
    return False


def _parse(raw: bytes) -> dict[str, Any]:
    try:
        lease = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return lease if isinstance(lease, dict) else {}


def _to_holder(lease: dict[str, Any]) -> Holder:
    pid = lease.get("pid")
    return Holder(
        next((d for d in get_args(Doing) if d == lease.get("doing")), "played"),
        pid if isinstance(pid, int) else 0,
        str(lease.get("host") or "unknown")[:MOST_SHOWN],
        str(lease.get("since") or "")[:MOST_SHOWN],
    )
