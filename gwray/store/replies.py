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

    def __init__(self, storage: Storage, path: str, written_by: Callable[[], str]):
        self._storage = storage
        self._path = path
        self._written_by = written_by

    @property
    def url(self) -> str:
        return f"{self._storage.root}/{self._path}"

    def read(self) -> list[LoggedReply]:
        """All whole lines in order; a torn last line is left out. Empty if there is no log yet."""
        return read_lines(self._storage, self._path, LoggedReply, self._written_by)

    def append(self, line: LoggedReply) -> None:
        append_line(self._storage, self._path, line)
