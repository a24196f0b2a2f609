"""Stores files under a prefix of any fsspec file system, with the operations of `storage.Storage`.

Object stores cannot append. A file is a chain of parts (`x`, `x.0001`, …); an append reads the last part and puts it
again with the new line, and starts a new part above `PART_BYTES`. The writer remembers the last part, so a further
append costs one PUT of at most that size, on condition that the part is still the remembered one; a first append also
costs one listing of the file's own parts and one GET. A read costs one GET per part. A put counts as durable when the
store acknowledges it. Each file has one writer at a time; S3 refuses a second one, for example an actor behind a broken
network connection.
"""

from __future__ import annotations

import itertools
import os
import posixpath
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple

from gwray.errors import ConcurrentWriteError, DiskFull
from gwray.store.io_errors import (
    READ_BYTES,
    concurrent_write_error,
    io_errors,
    missing_error,
    refuse_changed,
    refuse_large,
)
from gwray.store.lease import check_lease

PART_BYTES = 256 * 1024


class _Part(NamedTuple):
    path: str
    size: int
    version: str
    """ETag; empty if the store has none."""


class _End(NamedTuple):
    """The end of a file as this process has written it."""

    part: int
    """Index of the last part."""
    content: bytes
    """Bytes of the last part."""
    size: int
    """Size of the complete file in bytes."""
    version: str


REMEMBERED = 128
"""Files whose end is remembered."""
_REFUSED = ("PreconditionFailed", "ConditionalRequestConflict", "pre-conditions")
"""Parts of the messages of a store that rejected a conditional put."""


class ObjectStorage:
    def __init__(self, fs: Any, path: str, url: str):
        self.fs = fs
        self.root = url.rstrip("/")
        self._prefix = path.rstrip("/")
        self._ends: dict[str, _End] = {}
        self._folders: set[str] = set()
        """Folders that exist."""
        self._conditions = "s3" in ((fs.protocol,) if isinstance(fs.protocol, str) else fs.protocol)

    def begin(self) -> None:
        """Does nothing: object stores have no folders."""

    def _full(self, path: str) -> str:
        return posixpath.join(self._prefix, path)

    def exists(self, path: str) -> bool:
        with io_errors("look for", f"{self.root}/{path}"):
            self.fs.invalidate_cache()
            return bool(self.fs.exists(self._full(path)))

    def read(self, path: str, most: int | None = READ_BYTES) -> bytes | None:
        with io_errors("read", f"{self.root}/{path}"):
            parts = self._listed(path)
            refuse_large(f"{self.root}/{path}", sum(p.size for p in parts), most)
            if len(parts) < 2:
                return self.fs.cat_file(parts[0].path) if parts else None
            content = self.fs.cat([p.path for p in parts])  # concurrently
            return b"".join(content[p.path] for p in parts)

    def reader(self, path: str) -> IO[bytes] | None:
        data = self.read(path, None)  # it is stored in parts
        return None if data is None else BytesIO(data)

    def open(self, path: str) -> IO[bytes]:
        with io_errors("open", f"{self.root}/{path}"):
            return self.fs.open(self._full(path), "rb")

    def names(self, folder: str) -> list[str]:
        with io_errors("list", f"{self.root}/{folder}"):
            return sorted(posixpath.basename(f["name"]) for f in self._files(folder))

    def _files(self, folder: str) -> list[dict[str, Any]]:
        self.fs.invalidate_cache()
        try:
            found = self.fs.ls(self._full(folder), detail=True)
        except FileNotFoundError:
            return []
        return [f for f in found if f["type"] == "file"]

    def swap(self, path: str, old: bytes, new: bytes) -> bool:
        name, full = f"{self.root}/{path}", self._full(path)
        with io_errors("write", name):
            parts = self._listed(path)
            if (self.fs.cat_file(full) if parts else b"") != old:
                return False
            try:
                self._put_if(full, new, parts[0].version if parts else "", name)
            except ConcurrentWriteError:
                return False
            return self._conditions or self.fs.cat_file(full) == new  # without conditions the last writer wins

    def replace(self, path: str, data: bytes) -> None:
        check_lease(self.root)
        with io_errors("write", f"{self.root}/{path}"):
            later = [part.path for part in self._listed(path)[1:]]
            self._ends.pop(path, None)
            self._put(self._full(path), data)
            if later:
                self.fs.rm(later)

    @contextmanager
    def preparing(self, path: str) -> Iterator[None]:
        try:
            yield
        except OSError as e:
            raise DiskFull(
                f"{socket.gethostname()} could not write {posixpath.basename(path)} to its temporary folder: {e}. "
                f"Every reply is in {self.root}, and the episode resumes on a node with free disk space."
            ) from e

    def scratch(self, path: str) -> Path:
        with self.preparing(path):
            fd, name = tempfile.mkstemp(prefix="gwray-", suffix=f"-{posixpath.basename(path)}")
            os.close(fd)
        return Path(name)

    def stale_scratch(self, path: str) -> list[Path]:
        return []  # the temporary folder is shared with other users

    def put(self, path: str, prepared: Path) -> None:
        check_lease(self.root)
        with io_errors("write", f"{self.root}/{path}"):
            later = [part.path for part in self._listed(path)[1:]]
            self._ends.pop(path, None)
            self._make_folder(self._full(path))
            self.fs.put_file(str(prepared), self._full(path))
            if later:
                self.fs.rm(later)
        prepared.unlink()

    def append(self, path: str, data: bytes, is_complete: Callable[[bytes], bool], *, size: int | None = None) -> int:
        check_lease(self.root)
        name = f"{self.root}/{path}"
        with io_errors("append to", name):
            if (end := self._ends.pop(path, None)) and size in (None, end.size):
                try:
                    return self._append(path, data, is_complete, end, name)
                except (ConcurrentWriteError, FileNotFoundError):
                    pass  # judged by what is there now
            parts = self._listed(path)
            if not parts and size:
                raise missing_error(name)
            refuse_changed(name, size, there := sum(part.size for part in parts))
            last = self.fs.cat_file(parts[-1].path) if parts else b""
            end = _End(max(len(parts) - 1, 0), last, there, parts[-1].version if parts else "")
            return self._append(path, data, is_complete, end, name)

    def _append(self, path: str, data: bytes, is_complete: Callable[[bytes], bool], end: _End, name: str) -> int:
        """Appends to a file with this end and returns its new size. Raises `ConcurrentWriteError` for another end."""
        last = end.content
        complete, tail = last[: last.rfind(b"\n") + 1], last[last.rfind(b"\n") + 1 :]
        head = last + b"\n" if tail and is_complete(tail) else complete
        index, version = end.part, end.version
        if head and head == last and len(head) + len(data) > PART_BYTES:
            index, head, version = index + 1, b"", ""
        part = f"{self._full(path)}.{index:04d}" if index else self._full(path)
        written = self._put_if(part, head + data, version, name)
        new = end.size + len(data) + (0 if index > end.part else len(head) - len(last))
        if written:
            self._ends[path] = _End(index, head + data, new, written)
            if len(self._ends) > REMEMBERED:
                del self._ends[next(iter(self._ends))]
        return new

    def size(self, path: str) -> int:
        with io_errors("look for", f"{self.root}/{path}"):
            return sum(part.size for part in self._listed(path))

    def _put_if(self, full: str, data: bytes, version: str, name: str) -> str:
        """Replaces this version, or (empty) creates the object; returns the new version, empty if it is unknown. Raises
        `ConcurrentWriteError` if another process wrote it meanwhile; without conditional puts in the store, the last
        writer wins."""
        if not self._conditions:
            self._put(full, data)
            return ""
        try:
            return self._put(full, data, **({"IfMatch": version} if version else {"IfNoneMatch": "*"}))
        except Exception as e:
            message = f"{e} {e.__cause__}"
            if "NotImplemented" in message:
                self._conditions = False
                self._put(full, data)
            elif not any(word in message for word in _REFUSED):
                raise
            elif self.fs.cat_file(full) != data:  # or it was our own put, whose response was lost
                raise concurrent_write_error(name) from e
            return ""

    def _put(self, full: str, data: bytes, **conditions: str) -> str:
        """Writes an object; returns its version, empty if the store has none."""
        self._make_folder(full)
        done = self.fs.pipe_file(full, data, **conditions)
        return str(done.get("ETag") or "") if isinstance(done, dict) else ""

    def _make_folder(self, full: str) -> None:
        """Makes the folder of an object once: on S3 this asks for the bucket."""
        if (folder := posixpath.dirname(full)) not in self._folders:
            self.fs.makedirs(folder, exist_ok=True)
            self._folders.add(folder)

    def _listed(self, path: str) -> list[_Part]:
        """Returns the object and its numbered successors, in order. Lists only names that begin with the object's."""
        name, folder = posixpath.basename(path), posixpath.dirname(self._full(path))
        self.fs.invalidate_cache()
        try:
            listed = self.fs.find(folder, maxdepth=1, detail=True, prefix=name)
        except FileNotFoundError:
            return []
        found = {posixpath.basename(f["name"]): f for f in listed.values()}
        names = itertools.chain([name], (f"{name}.{i:04d}" for i in itertools.count(1)))
        parts = [found[n] for n in itertools.takewhile(lambda n: n in found, names)]
        return [_Part(f["name"], int(f["size"] or 0), str(f.get("ETag") or "")) for f in parts]
