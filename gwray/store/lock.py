"""The lock of a run directory: one command at a time.

On a local file system the kernel's lock decides, and ends with its process; the content of the file only names the
holder. A holder on another node (shared file system) cannot be checked, so the file's content is trusted. An object
store has no locks: there the content alone decides, checked by process id and process start time.
"""

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from gwray.errors import StoreError, UsageError, boundary
from gwray.store.io_errors import io_errors
from gwray.store.storage import LocalStorage, Storage

Doing = Literal["played", "judged", "rescored", "sealed", "unpacked", "synced"]
"""Activity of the process that holds the lock."""

MOST_SHOWN = 120
"""Characters of the lock's content that are shown; the file may be hostile."""
_open_locks: set[int] = set()


@dataclass(frozen=True)
class Holder:
    """The process that holds the lock of a run directory, as named in the lock file."""

    doing: Doing
    pid: int
    host: str
    since: str
    """UTC."""
    here: bool
    """Whether it runs on this node, where it was found alive; processes of other nodes cannot be checked."""

    def __str__(self) -> str:
        return f"is being {self.doing} by process {self.pid} on host {self.host} (since {self.since or 'unknown'})"


def _close_in_child() -> None:
    # A forked child shares the lock and must not keep it after its parent died.
    for fd in _open_locks:
        os.close(fd)
    _open_locks.clear()


os.register_at_fork(after_in_child=_close_in_child)


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _me(doing: Doing) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    pid = os.getpid()
    where = {"pid": pid, "host": socket.gethostname(), "boot": _boot()}
    return {**where, "began": _start_ticks(pid), "since": now, "doing": doing}


def _start_ticks(pid: int) -> str:
    """Returns the start time of a process in kernel ticks, which differs for a dead process with the same id. Empty if
    unknown."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _parse(raw: bytes) -> dict[str, Any]:
    try:
        lock = json.loads(raw)
    except ValueError:
        return {}
    return lock if isinstance(lock, dict) else {}


def _to_holder(lock: dict[str, Any], here: bool) -> Holder:
    """Locks of earlier versions have no `doing`; they are those of a driver."""
    pid = lock.get("pid")
    return Holder(
        next((d for d in get_args(Doing) if d == lock.get("doing")), "played"),
        pid if isinstance(pid, int) else 0,
        str(lock.get("host") or "unknown")[:MOST_SHOWN],
        str(lock.get("since") or "")[:MOST_SHOWN],
        here,
    )


def _refusal(root: str, path: str, lock: dict[str, Any], here: bool) -> UsageError:
    """Returns the error for a run that another process holds. `here`: whether that process is on this node."""
    then = (
        "Wait for it, or stop it and run the same command again."
        if here
        else f"This node cannot check whether it still runs. If it does not, delete {root}/{path} and run the "
        "same command again."
    )
    return UsageError(f"{root} {_to_holder(lock, here)}. {then}")


@contextmanager
def locked(storage: Storage, path: str, doing: Doing) -> Iterator[None]:
    if isinstance(storage, LocalStorage):
        with _locked_file(storage, path, doing):
            yield
    else:
        with _locked_object(storage, path, doing):
            yield


def holder_of(storage: Storage, path: str) -> Holder | None:
    """Returns the holder according to the file's content. Probing the kernel's lock would take it for a moment, and a
    driver that starts in that moment would be refused. A holder on another node is trusted."""
    lock = _parse(storage.read(path) or b"")
    here = lock.get("host") == socket.gethostname()
    return _to_holder(lock, here) if lock and (not here or _is_running(lock)) else None


@contextmanager
def _locked_file(storage: LocalStorage, path: str, doing: Doing) -> Iterator[None]:
    """Holds the kernel's lock on a local file during the block."""
    me = _me(doing)
    with boundary(StoreError, f"locking {storage.root}"):
        storage.path.mkdir(parents=True, exist_ok=True)
        fd = os.open(storage.place(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    _open_locks.add(fd)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _refusal(storage.root, path, _parse(os.pread(fd, 4096, 0)), here=True) from None
        holder = _parse(os.pread(fd, 4096, 0))
        if holder and holder.get("host") != me["host"] and holder.get("boot") != me["boot"]:
            raise _refusal(storage.root, path, holder, here=False)
        with io_errors("lock", f"{storage.root}/{path}"):
            os.ftruncate(fd, 0)
            os.pwrite(fd, json.dumps(me).encode(), 0)
        try:
            yield
        finally:
            if os.getpid() == me["pid"]:
                os.ftruncate(fd, 0)
                fcntl.flock(fd, fcntl.LOCK_UN)  # closing is not enough while a child is just being forked
    finally:
        if fd in _open_locks:
            _open_locks.discard(fd)
            os.close(fd)


@contextmanager
def _locked_object(storage: Storage, path: str, doing: Doing) -> Iterator[None]:
    """Holds the lock in an object store during the block: an entry that others respect."""
    me = _me(doing)
    holder = _parse(storage.read(path) or b"")
    if holder:
        here = holder.get("host") == me["host"]
        if not here or _is_running(holder):
            raise _refusal(storage.root, path, holder, here)
    storage.replace(path, json.dumps(me).encode())
    try:
        yield
    finally:
        storage.replace(path, b"")


def _is_running(holder: dict[str, Any]) -> bool:
    """Returns whether that process of this node still runs. Another process may have the same id: after a reboot, or in
    a container."""
    pid = holder.get("pid")
    if not isinstance(pid, int) or holder.get("boot") not in ("", None, _boot()):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return holder.get("began") in ("", None, _start_ticks(pid))
