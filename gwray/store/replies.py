"""The reply log of one episode: the truth everything else can be derived from.

Appending returns only when the line is durable, so a reply that was paid for is never asked for again.
"""

from __future__ import annotations

from collections.abc import Callable

from gwray.records import LoggedReply
from gwray.store.lines import append_line, read_lines
from gwray.store.storage import Storage


class ReplyLog:
    """One writer at a time (the lane that plays the episode), any number of readers."""

    def __init__(self, storage: Storage, path: str, written_by: Callable[[], str], may_begin: Callable[[], None]):
        """`may_begin` raises if no log may be begun here any more."""
        self._storage = storage
        self._path = path
        self._written_by = written_by
        self._may_begin = may_begin
        self._begun = False

    @property
    def url(self) -> str:
        return f"{self._storage.root}/{self._path}"

    def read(self) -> list[LoggedReply]:
        """All whole lines in order; a torn last line is left out. Empty if there is no log yet."""
        lines = read_lines(self._storage, self._path, LoggedReply, self._written_by)
        self._begun = self._begun or bool(lines)
        return lines

    def append(self, line: LoggedReply) -> None:
        """`StoreError` if the run, or the lines that were read or written here before, are not there any more."""
        if not self._begun:
            self._may_begin()
        append_line(self._storage, self._path, line, begin=not self._begun)
        self._begun = True
