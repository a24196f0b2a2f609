"""The reply log of one episode, from which everything else can be derived. `append` returns only when the line is
durable, so no request is billed twice."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import PurePosixPath

from gwray.errors import LogDamaged
from gwray.records import LoggedReply
from gwray.store.lines import DamagedLine, append_line, read_lines
from gwray.store.storage import Storage

READ_AHEAD = 32
"""Logs of a remote run that are read at the same time."""


class ReplyLog:
    """One writer at a time (the lane that plays the episode), any number of readers."""

    def __init__(self, storage: Storage, path: str, written_by: Callable[[], str], check_run: Callable[[], None]):
        """`check_run` raises if the run no longer exists; it is called before a log is created."""
        self._storage = storage
        self._path = path
        self._written_by = written_by
        self._check_run = check_run
        self._size: int | None = None
        """File size after the last write or `read_for_resume`; None before both."""
        self._writing = threading.Lock()

    @property
    def url(self) -> str:
        return f"{self._storage.root}/{self._path}"

    def read(self) -> list[LoggedReply]:
        """Returns all complete lines in order; empty if there is no log yet."""
        return read_lines(self._storage, self._path, LoggedReply, self._written_by)

    def read_for_resume(self) -> list[LoggedReply]:
        """Reads the log before the episode resumes. Raises `LogDamaged` if a line is not a record. The original log
        has then been moved to `damaged/`, and the next call reads the lines before the damage."""
        self._size = self._storage.size(self._path)
        try:
            return self.read()
        except DamagedLine as e:
            aside = self.cut(len(e.before))
            raise LogDamaged(f"{e} Its first {len(e.before)} replies are kept; the original is {aside}.") from e

    def cut(self, kept: int) -> str:
        """Truncates the log to `kept` lines and moves the original to `damaged/`; returns its place."""
        data = self._storage.read(self._path, None)
        assert data is not None
        name = PurePosixPath(self._path).stem
        number = sum(n.startswith(f"{name}.") for n in self._storage.names("damaged"))
        aside = f"damaged/{name}.{number}.jsonl"
        self._storage.replace(aside, data)
        lines = [raw for raw in data.split(b"\n") if raw.strip()]
        self._storage.replace(self._path, b"".join(raw + b"\n" for raw in lines[:kept]))
        return f"{self._storage.root}/{aside}"

    def append(self, line: LoggedReply) -> None:
        """Appends a line. Raises `StoreError` if the run or the log is gone, and `ConcurrentWriteError` if another
        process appended to the log. Concurrent replies (of several roles or parallel requests) are written one after
        the other, because an object store can only replace complete objects."""
        with self._writing:
            if not self._size:
                self._check_run()
            self._size = append_line(self._storage, self._path, line, size=self._size)


def read_logs(
    log: Callable[[str], ReplyLog], keys: Sequence[str], *, remote: bool
) -> Iterator[tuple[str, list[LoggedReply]]]:
    """Yields key and replies of each log, in order. Reads `READ_AHEAD` logs of a remote run at a time."""
    if not remote:
        yield from ((key, log(key).read()) for key in keys)
        return
    with ThreadPoolExecutor(READ_AHEAD) as pool:
        left = iter(keys)
        reading: deque[tuple[str, Future[list[LoggedReply]]]] = deque()
        while True:
            for key in islice(left, READ_AHEAD - len(reading)):
                reading.append((key, pool.submit(log(key).read)))
            if not reading:
                return
            key, lines = reading.popleft()
            yield key, lines.result()
