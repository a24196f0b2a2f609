"""Stores files under a prefix of any fsspec file system, with the operations of `storage.Storage`.

Object stores cannot append. A file is a chain of parts (`x`, `x.0001`, …); an append reads the last part and puts it
again with the new line, and starts a new part above `PART_BYTES`. An append costs one listing, one GET and one PUT of
at most that size; a read costs one GET per part. A put counts as durable when the store acknowledges it. Each file has
one writer at a time; S3 refuses a second one, for example an actor behind a broken network connection.
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

from gwray.errors import DiskFull
from gwray.store.io_errors import (
    READ_BYTES,
    concurrent_write_error,
    io_errors,
    missing_error,
    refuse_changed,
    refuse_large,
)

PART_BYTES = 256 * 1024


class _Part(NamedTuple):
    path: str
    size: int
    version: str
    """ETag; empty if the store has none."""


_REFUSED = ("PreconditionFailed", "ConditionalRequestConflict", "pre-conditions")
"""Parts of the messages of a store that rejected a conditional put."""


class ObjectStorage:
    def __init__(self, fs: Any, path: str, url: str):
        self.fs = fs
        self.root = url.rstrip("/")
        self._prefix = path.rstrip("/")
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
            return b"".join(self.fs.cat_file(p.path) for p in parts) if parts else None

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

    def replace(self, path: str, data: bytes) -> None:
        with io_errors("write", f"{self.root}/{path}"):
            later = self._parts(path)[1:]
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
        with io_errors("write", f"{self.root}/{path}"):
            later = self._parts(path)[1:]
            self.fs.makedirs(posixpath.dirname(self._full(path)), exist_ok=True)
            self.fs.put_file(str(prepared), self._full(path))
            if later:
                self.fs.rm(later)
        prepared.unlink()

    def append(self, path: str, data: bytes, is_complete: Callable[[bytes], bool], *, size: int | None = None) -> int:
        name = f"{self.root}/{path}"
        with io_errors("append to", name):
            parts = self._listed(path)
            if not parts and size:
                raise missing_error(name)
            refuse_changed(name, size, there := sum(part.size for part in parts))
            if not parts:
                self._put_if(self._full(path), data, "", name)
                return len(data)
            last = self.fs.cat_file(parts[-1].path)
            complete, tail = last[: last.rfind(b"\n") + 1], last[last.rfind(b"\n") + 1 :]
            head = last + b"\n" if tail and is_complete(tail) else complete
            if head == last and len(head) + len(data) > PART_BYTES:
                self._put_if(f"{self._full(path)}.{len(parts):04d}", data, "", name)
            else:
                self._put_if(parts[-1].path, head + data, parts[-1].version, name)
            return there - len(last) + len(head) + len(data)

    def size(self, path: str) -> int:
        with io_errors("look for", f"{self.root}/{path}"):
            return sum(part.size for part in self._listed(path))

    def _put_if(self, full: str, data: bytes, version: str, name: str) -> None:
        """Replaces this version, or (empty) creates the object. Raises `ConcurrentWriteError` if another process wrote
        it meanwhile; without conditional puts in the store, the last writer wins."""
        if not self._conditions:
            self._put(full, data)
            return
        try:
            self._put(full, data, **({"IfMatch": version} if version else {"IfNoneMatch": "*"}))
        except Exception as e:
            message = f"{e} {e.__cause__}"
            if "NotImplemented" in message:
                self._conditions = False
                self._put(full, data)
            elif not any(word in message for word in _REFUSED):
                raise
            elif self.fs.cat_file(full) != data:  # or it was our own put, whose response was lost
                raise concurrent_write_error(name) from e

    def _put(self, full: str, data: bytes, **conditions: str) -> None:
        self.fs.makedirs(posixpath.dirname(full), exist_ok=True)
        self.fs.pipe_file(full, data, **conditions)

    def _parts(self, path: str) -> list[str]:
        return [part.path for part in self._listed(path)]

    def _listed(self, path: str) -> list[_Part]:
        """Returns the object and its numbered successors, in order."""
        name, folder = posixpath.basename(path), posixpath.dirname(path)
        found = {posixpath.basename(f["name"]): f for f in self._files(folder)}
        names = itertools.chain([name], (f"{name}.{i:04d}" for i in itertools.count(1)))
        parts = [found[n] for n in itertools.takewhile(lambda n: n in found, names)]
        return [_Part(f["name"], int(f["size"] or 0), str(f.get("ETag") or "")) for f in parts]
