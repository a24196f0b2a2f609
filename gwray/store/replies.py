"""The reply log of one episode: the truth everything else can be derived from.

Appending returns only when the line is durable, so a reply that was paid for is never asked for again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import PurePosixPath

from gwray.errors import LogDamaged
from gwray.records import LoggedReply
from gwray.store.lines import DamagedLine, append_line, read_lines
from gwray.store.storage import Storage


class ReplyLog:
    """One writer at a time (the lane that plays the episode), any number of readers."""

    def __init__(self, storage: Storage, path: str, written_by: Callable[[], str], may_begin: Callable[[], None]):
        """`may_begin` raises if no log may be begun here any more."""
        self._storage = storage
        self._path = path
        self._written_by = written_by
        self._may_begin = may_begin
        self._size: int | None = None
        """Of the file, as it was last read to go on, or written; None: neither was done here."""
        self._writing = threading.Lock()

    @property
    def url(self) -> str:
        return f"{self._storage.root}/{self._path}"

    def read(self) -> list[LoggedReply]:
        """All whole lines in order; a torn last line is left out. Empty if there is no log yet."""
        return read_lines(self._storage, self._path, LoggedReply, self._written_by)

    def read_to_go_on(self) -> list[LoggedReply]:
        """As `read`, for who plays on. `LogDamaged` if a line is no record: nothing after it can be used, and all of it
        has been set aside; the next call reads what is before."""
        self._size = self._storage.size(self._path)
        try:
            return self.read()
        except DamagedLine as e:
            aside = self.cut(len(e.before))
            raise LogDamaged(f"{e} Its first {len(e.before)} replies are used; it is kept as {aside}.") from e

    def cut(self, kept: int) -> str:
        """Keep the first so many lines, and the log as it was in `damaged/`; returns where."""
        data = self._storage.read(self._path)
        assert data is not None
        name = PurePosixPath(self._path).stem
        number = sum(n.startswith(f"{name}.") for n in self._storage.names("damaged"))
        aside = f"damaged/{name}.{number}.jsonl"
        self._storage.replace(aside, data)
        lines = [raw for raw in data.split(b"\n") if raw.strip()]
        self._storage.replace(self._path, b"".join(raw + b"\n" for raw in lines[:kept]))
        return f"{self._storage.root}/{aside}"

    def append(self, line: LoggedReply) -> None:
        """`StoreError` if the run, or the lines that were read to go on or written here before, are not there any more;
        `ConcurrentWriteError` if there are others.

        Replies of several roles, or to questions that were asked at once, arrive together: one is written after the
        other, because an object store can only put a whole object in place of another.
        """
        with self._writing:
            if not self._size:
                self._may_begin()
            self._size = append_line(self._storage, self._path, line, size=self._size)
