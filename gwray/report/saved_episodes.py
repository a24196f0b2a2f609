"""Episode files and reply logs of the runs in a report."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

import polars as pl

from gwray.errors import StoreError
from gwray.records import LoggedReply, StepRecord
from gwray.store import Episode, RunDir

T = TypeVar("T")


class SavedEpisodes:
    """Episode files and reply logs of all runs. One that cannot be read is listed in `damaged` and skipped."""

    def __init__(self, runs: Sequence[RunDir], frame: pl.DataFrame):
        # Several runs may have played an episode, and not all of them to its end: the one whose row counts is read.
        rows = frame.sort(pl.col("status") != "finished", maintain_order=True).unique("key", keep="first")
        where = dict(rows.select("key", "run").iter_rows())
        self.runs = {k: run for run in runs for k in run.episode_keys() if where.get(k) == run.url}
        self.run_dirs = tuple(runs)
        by_url = {run.url: run for run in runs}
        self._played = [(key, cell, by_url[url]) for key, cell, url in rows.select("key", "cell", "run").iter_rows()]
        self.damaged: dict[str, str] = {}

    def steps(self, key: str) -> list[StepRecord] | None:
        return self._read(key, self.runs[key], lambda run: run.read_steps(key, images=False))

    def episode(self, key: str) -> Episode | None:
        return self._read(key, self.runs[key], lambda run: run.read_episode(key))

    def replies(self, cells: Collection[str]) -> Iterator[tuple[str, LoggedReply]]:
        """Returns the replies of these cells, each with its cell; one log in memory at a time."""
        for key, cell, run in self._played:
            if cell in cells:
                lines = self._read(key, run, lambda run, key=key: run.log(key).read())
                yield from ((cell, line) for line in lines or ())

    def _read(self, key: str, run: RunDir, read: Callable[[RunDir], T]) -> T | None:
        try:
            return read(run)
        except StoreError as e:
            self.damaged[key] = str(e)
            return None
