"""A run as the served site shows it: its current results, recently viewed episodes, and its report. Everything is read
on request and cached until the files change. The report takes longer than a page may, so a thread makes it while the
other pages are shown."""

from __future__ import annotations

import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import polars as pl

from gwray.analysis import PlannedTasks, counts, episode_frame, plan_of, run_verdict
from gwray.errors import UsageError
from gwray.pages import SHORT, safe_text
from gwray.report.results import JudgeResults
from gwray.report.site import served_report
from gwray.report.task_texts import TaskText, task_texts
from gwray.store import Episode, RunDir, RunStatus, results_frame, status_of

CACHED_EPISODES = 4
"""Episodes kept in memory, with their screenshots."""
EPISODE_MAX_AGE_S = 30.0
PATIENCE = 5
"""Results of a remote run are reused for this many times the time it took to read them, and no report is started again
before this many times the time that the last one took."""
LARGE, DELAY_S = 500, 1.0
"""The report of a run with more episodes is not waited for, and starts when the page that asked has been painted."""

Snapshot = tuple[pl.DataFrame, PlannedTasks]
"""All episodes with a result, and the plan."""
ReadJudges = Callable[[RunDir], JudgeResults]


@dataclass(frozen=True)
class Report:
    """The most recent report."""

    files: Mapping[str, bytes]
    """By path."""
    problem: str = ""
    """Why it could not be made."""
    facts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class RunView:
    """A run and its caches. Thread-safe."""

    def __init__(self, run: RunDir, read_judges: ReadJudges | None = None):
        self.run = run
        self._episodes: OrderedDict[str, tuple[float, Episode]] = OrderedDict()
        self._lock, self._reading = threading.Lock(), threading.Lock()
        self._snapshot: Snapshot | None = None
        self._stamp: object = None
        self._until = 0.0
        self._counting = threading.Lock()
        self._status: tuple[float, RunStatus] | None = None
        self._tasks: dict[str, TaskText] | None = None
        self._headline: tuple[Snapshot, str] | None = None
        self._reports = Reports(run, read_judges)

    def snapshot(self) -> Snapshot:
        """Returns all episodes with a result, forks included, and the plan."""
        with self._reading:
            stamp = self.run.stamp()
            old = stamp != self._stamp if stamp else time.monotonic() >= self._until
            if self._snapshot is None or old:
                start = time.monotonic()
                frame = episode_frame(results_frame(self.run, forks=True))
                self._snapshot = frame, plan_of(frame, [self.run.manifest()])
                end = time.monotonic()
                self._stamp, self._until = stamp, end + PATIENCE * (end - start)
            return self._snapshot

    def totals(self) -> dict[str, int]:
        frame, plan = self.snapshot()
        n = [counts(frame, plan, c) for c in plan.cells]
        return {"n": frame.height, **{x: sum(getattr(c, x) for c in n) for x in ("planned", "finished", "failed")}}

    def tasks(self) -> dict[str, TaskText]:
        """Texts by task id."""
        if self._tasks is None:
            self._tasks = task_texts([self.run])
        return self._tasks

    def status(self) -> RunStatus:
        """Returns the speed, and the episodes being played. Pages ask every second."""
        with self._counting:
            start = time.monotonic()
            if self._status is None or start >= self._status[0]:
                status, end = status_of(self.run), time.monotonic()
                self._status = end + PATIENCE * (end - start), status
            return self._status[1]

    def headline(self) -> str:
        """Returns the result in a sentence, as in the report."""
        now = self.snapshot()
        if self._headline is None or self._headline[0] is not now:
            frame = now[0].filter(pl.col("prefix").fill_null("") == "")
            self._headline = now, run_verdict(frame, plan_of(frame, [self.run.manifest().without_forks()]))
        return self._headline[1]

    @property
    def known_headline(self) -> str:
        """The last headline, for pages that are shown at once; empty before the first."""
        return self._headline[1] if self._headline else ""

    def report(self, patience_s: float) -> Report | None:
        """Returns the latest report; None if the first one takes longer than `patience_s`."""
        return self._reports.get(self.snapshot()[0], patience_s)

    def episode(self, key: str) -> Episode:
        """Returns a finished episode. Raises `StoreError` or `UsageError` if there is none."""
        if not self.run.has_episode(key):
            raise UsageError(f"episode {key} has not finished, or does not belong to this run")
        with self._lock:
            cached = self._episodes.get(key)
            if cached and time.monotonic() - cached[0] < EPISODE_MAX_AGE_S:
                self._episodes.move_to_end(key)
                return cached[1]
        episode = self.run.read_episode(key)
        with self._lock:
            self._episodes[key] = (time.monotonic(), episode)
            while len(self._episodes) > CACHED_EPISODES:
                self._episodes.popitem(last=False)
        return episode


class Reports:
    """Makes reports of a run in a thread, one at a time."""

    def __init__(self, run: RunDir, read_judges: ReadJudges | None = None):
        self._run, self._read_judges = run, read_judges
        self._made: Report | None = None
        self._frame: pl.DataFrame | None = None
        self._ready = threading.Event()
        self._busy = threading.Lock()
        self._not_before = 0.0
        self._facts: dict[str, dict[str, int]] = {}

    def get(self, frame: pl.DataFrame, patience_s: float) -> Report | None:
        """Returns the latest report; None if the first one takes longer than `patience_s`. `frame`: the run's episodes;
        a report of other ones is made again."""
        large = frame.height > LARGE
        if frame is not self._frame and time.monotonic() >= self._not_before and self._busy.acquire(blocking=False):
            self._frame = frame
            making = threading.Timer(DELAY_S if large else 0.0, self._make)
            making.daemon = True
            making.start()
        self._ready.wait(0.0 if large else patience_s)
        return self._made

    def _make(self) -> None:
        start = time.monotonic()
        sys.setswitchinterval(0.0005)  # pages need the interpreter hundreds of times for a moment
        try:
            judges = self._read_judges(self._run) if self._read_judges else JudgeResults()
            files = served_report([self._run], judges, self._facts)
            self._made = Report(files, "", dict(self._facts))
        except Exception as e:  # shown on the page; the next change of the run starts another attempt
            self._made = Report({}, safe_text(f"{type(e).__name__}: {e}", SHORT))
        finally:
            sys.setswitchinterval(0.005)
            end = time.monotonic()
            self._not_before = end + PATIENCE * (end - start)
            self._ready.set()
            self._busy.release()
