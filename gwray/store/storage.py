"""Stores files in a folder on a local disk, or under a prefix of any fsspec file system.

Both have the same few operations. A path is relative to the root and uses "/".

- `LocalStorage`: `append` is written *and* fsynced when it returns; `replace` writes a temporary file in the same
  folder, fsyncs and renames it; the folder of a new file is fsynced too. A write that fails halfway (disk full) is
  reverted, so a file contains complete appends only.
- `ObjectStorage`, see `object_storage`.

This module does not interpret the bytes.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import re
import socket
import stat
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import IO, Protocol

import fsspec
import psutil
from fsspec.implementations.local import LocalFileSystem

from gwray.errors import StoreError
from gwray.store.io_errors import (
    READ_BYTES,
    concurrent_write_error,
    io_errors,
    missing_error,
    refuse_changed,
    refuse_large,
)
from gwray.store.lease import check_lease
from gwray.store.object_storage import ObjectStorage


class Storage(Protocol):
    root: str

    def begin(self) -> None:
        """Creates the root. No other method does, so a removed run is never recreated in part."""
        ...

    def exists(self, path: str) -> bool: ...
    def read(self, path: str, most: int | None = READ_BYTES) -> bytes | None:
        """Returns the content of a file; None if it does not exist. Raises `StoreError` for more than `most` bytes."""
        ...

    def reader(self, path: str) -> IO[bytes] | None:
        """Opens a file at its start; None if it does not exist."""
        ...

    def replace(self, path: str, data: bytes) -> None:
        """Writes a file atomically: a reader sees the old or the new bytes, never a mixture."""
        ...

    def swap(self, path: str, old: bytes, new: bytes) -> bool:
        """Replaces a small file if its content is `old` (empty also if it does not exist); returns whether it did. Of
        several processes that swap the same content, one does."""
        ...

    def scratch(self, path: str) -> Path:
        """Creates an empty local file in which large content is prepared for `put`."""
        ...

    def preparing(self, path: str) -> AbstractContextManager[None]:
        """Converts I/O errors in a file from `scratch`: to `StoreError` if it is in the run directory, to `DiskFull`
        otherwise."""
        ...

    def stale_scratch(self, path: str) -> list[Path]:
        """Returns files from `scratch` for this path whose writers were killed on this node."""
        ...

    def put(self, path: str, prepared: Path) -> None:
        """Moves a file from `scratch` to `path`, atomically."""
        ...

    def append(self, path: str, data: bytes, is_complete: IsComplete, *, size: int | None = None) -> int:
        """Appends complete lines and returns the new file size. Text after the last newline, left by an interrupted
        writer, gets its newline if `is_complete` accepts it, and is cut off otherwise.

        Args:
            size: The file size that this writer last saw; None to append to whatever is there.

        Raises:
            ConcurrentWriteError: The file has another size.
            StoreError: The file is gone: the appended lines would be taken for the complete file.
        """
        ...

    def size(self, path: str) -> int:
        """Returns the size in bytes; 0 if the file does not exist."""
        ...

    def open(self, path: str) -> IO[bytes]:
        """Opens a seekable reader, for formats that need only parts of a file."""
        ...

    def names(self, folder: str) -> list[str]:
        """Returns the names of the files in a folder, sorted; empty if the folder does not exist."""
        ...


IsComplete = Callable[[bytes], bool]


def storage_for(url: str) -> Storage:
    fs, path = fsspec.core.url_to_fs(url)
    if isinstance(fs, LocalFileSystem):
        return LocalStorage(Path(path))
    return ObjectStorage(fs, path, url)


class LocalStorage:
    def __init__(self, root: Path):
        self.path = root
        self.root = str(root)
        self._temporary = itertools.count()

    def begin(self) -> None:
        with io_errors("make", self.root):
            self.path.mkdir(parents=True, exist_ok=True)

    def place(self, path: str) -> Path:
        """Returns the local path. Raises `StoreError` if a link leads out of the run directory, which may be hostile,
        or if the path is neither a file nor a folder."""
        target = self.path / path
        real = os.path.realpath(target)
        if not Path(real).is_relative_to(os.path.realpath(self.path)):
            raise StoreError(
                f"{target} leads to {real}, out of the run directory, where nothing is read or written. Replace the "
                "link by the file, or move the complete run directory and link that."
            )
        with suppress(OSError):
            kind = stat.S_IFMT(Path(real).stat().st_mode)
            if kind not in (stat.S_IFREG, stat.S_IFDIR):
                raise StoreError(f"{target} is neither a file nor a folder; remove it.")
        return target

    def _make_folder(self, target: Path) -> None:
        if not self.path.is_dir():
            raise missing_error(self.root)
        target.parent.mkdir(parents=True, exist_ok=True)

    def exists(self, path: str) -> bool:
        return self.place(path).is_file()

    def read(self, path: str, most: int | None = READ_BYTES) -> bytes | None:
        with io_errors("read", str(self.path / path)):
            try:
                file = self.place(path)
                refuse_large(str(file), file.stat().st_size, most)
                return file.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def reader(self, path: str) -> IO[bytes] | None:
        with io_errors("read", str(self.path / path)):
            try:
                return self.place(path).open("rb")
            except (FileNotFoundError, NotADirectoryError):
                return None

    def open(self, path: str) -> IO[bytes]:
        with io_errors("open", str(self.path / path)):
            return self.place(path).open("rb")

    def names(self, folder: str) -> list[str]:
        with io_errors("list", str(self.path / folder)):
            try:
                return sorted(e.name for e in os.scandir(self.place(folder)) if e.is_file())
            except FileNotFoundError:
                return []

    def swap(self, path: str, old: bytes, new: bytes) -> bool:
        target = self.place(path)
        with io_errors("write", str(target)):
            fd = os.open(target, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | (0 if old else os.O_CREAT), 0o644)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                if os.pread(fd, 1 << 16, 0) != old:
                    return False
                os.pwrite(fd, new, 0)
                os.ftruncate(fd, len(new))
                return True
            finally:
                os.close(fd)

    def replace(self, path: str, data: bytes) -> None:
        target = self.place(path)
        with io_errors("write", str(target)):
            self._make_folder(target)
            temporary = target.with_name(f".{target.name}.{self._mine()}")
            try:
                temporary.write_bytes(data)
                self.put(path, temporary)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            for file in _stale(target.parent, f".{target.name}"):
                file.unlink(missing_ok=True)

    def preparing(self, path: str) -> AbstractContextManager[None]:
        return io_errors("write", f"{self.root}/{path}")

    def scratch(self, path: str) -> Path:
        mine = self.place(UNFINISHED) / f"{Path(path).name}.{self._mine()}"
        with io_errors("write", str(mine)):
            self._make_folder(mine)
            mine.touch()
            return mine

    def _mine(self) -> str:
        """Returns the end of a temporary file's name, which tells whose it is."""
        return f"{_WHO}.{os.getpid()}.{next(self._temporary)}.tmp"

    def stale_scratch(self, path: str) -> list[Path]:
        self.place(path)  # refused now, and not once the file is complete
        return _stale(self.place(UNFINISHED), Path(path).name)

    def put(self, path: str, prepared: Path) -> None:
        check_lease(self.root)
        target = self.place(path)
        with io_errors("write", str(target)):
            self._make_folder(target)
            with prepared.open("rb+") as file:
                os.fsync(file.fileno())
            prepared.replace(target)
            _fsync_folder(target.parent)

    def append(self, path: str, data: bytes, is_complete: IsComplete, *, size: int | None = None) -> int:
        check_lease(self.root)
        target = self.place(path)
        with io_errors("append to", str(target)):
            # Locked, so that a repair never cuts off a line that another process is writing.
            fd, created = self._open_locked(path, begin=not size)
            try:
                end = os.fstat(fd).st_size
                refuse_changed(str(target), size, end)
                if tail := _tail(fd, end):
                    if is_complete(tail):
                        data = b"\n" + data
                    else:
                        end -= len(tail)
                        os.ftruncate(fd, end)
                try:
                    _write_all(fd, data)
                    os.fsync(fd)
                except BaseException:
                    # A partial line is removed; if that fails too, readers tolerate it.
                    with suppress(OSError):
                        os.ftruncate(fd, end)
                    raise
                if not os.path.samestat(os.fstat(fd), target.stat()):  # a copy has replaced it meanwhile
                    raise concurrent_write_error(str(target))
            finally:
                os.close(fd)
            if created:
                _fsync_folder(target.parent)
            return end + len(data)

    def size(self, path: str) -> int:
        try:
            return self.place(path).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return 0

    def _open_locked(self, path: str, begin: bool) -> tuple[int, bool]:
        """Opens a file for appending and locks it; `begin`: create it if it is missing. Returns the descriptor and
        whether it was created. A copy replaces a file whose lock is not released: a late write changes the old file."""
        target, flags = self.place(path), os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT if begin else 0)
        if created := begin and not target.exists():
            self._make_folder(target)
        frozen = time.monotonic() + LOCK_S
        while True:
            try:
                fd = os.open(target, flags, 0o644)
            except FileNotFoundError:
                raise missing_error(str(target)) from None
            with suppress(BlockingIOError, FileNotFoundError):  # held by another process, or removed meanwhile
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(fd), target.stat()):
                    return fd, created
            os.close(fd)
            if time.monotonic() > frozen:
                self.replace(path, target.read_bytes())
                frozen = time.monotonic() + LOCK_S
            time.sleep(0.01)


_WHO = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())
LOCK_S = 30.0
"""Seconds after which a process that has a file locked counts as frozen: a write takes milliseconds."""
UNFINISHED = "unfinished"
"""Folder of scratch files: those of killed writers are found without listing all episodes."""


def _stale(folder: Path, name: str) -> list[Path]:
    """Returns the temporary files for this name whose writers were killed on this node."""
    stem = f"{name}.{_WHO}."
    found = [(file, file.name.removeprefix(stem).partition(".")[0]) for file in folder.glob(f"{stem}*.tmp")]
    return [file for file, pid in found if pid.isdecimal() and not psutil.pid_exists(int(pid))]


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _tail(fd: int, end: int) -> bytes:
    """Returns the bytes after the last newline."""
    tail = b""
    while end:
        size = min(end, 64 * 1024)
        end -= size
        block = os.pread(fd, size, end)
        cut = block.rfind(b"\n")
        if cut >= 0:
            return block[cut + 1 :] + tail
        tail = block + tail
    return tail


def _fsync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError:
        pass  # some network file systems refuse; the file itself is synced
    finally:
        os.close(fd)
