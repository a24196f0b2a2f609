"""One run as the site knows it: its results as they are now, the episodes that were looked at last, and its report.

Everything is read when a page asks for it, and believed as long as the files are as they were. The report takes longer
than a page may, so it is made apart, while whatever needs only the results is shown.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from gwray.analysis import Diagnosis, PlannedTasks, counts, episode_frame, main_table, plan_of
from gwray.errors import UsageError
from gwray.report.notes import Note, read_notes, with_note
from gwray.report.sanitize import SHORT, safe_text
from gwray.report.site import build_report
from gwray.report.summary import headline
from gwray.report.unfinished import Replays, UnfinishedEpisode, begun
from gwray.store import Episode, RunDir, read_verified, results_frame, without_forks

if TYPE_CHECKING:
    from gwray.pipelines import RunStatus

KEPT = 4
"""Episodes held in memory, with their pictures."""
FRESH_S = 30.0
"""How long one is believed before its file is read again."""
PATIENCE = 5
"""Results of a remote run are believed for so many times as long as it took to read them, and no report is begun again
before so many times as long as the last one took."""

LARGE, AFTER_S = 500, 1.0
"""The report of a run of more episodes is not waited for, and begins when the page that asked has been seen."""

Results = tuple[pl.DataFrame, PlannedTasks]
More = Callable[[RunDir], Mapping[str, Any]]
"""What a report is told beside the run, as `build_report` takes it."""


@dataclass(frozen=True)
class Report:
    """A report as it was made last."""

    files: Mapping[str, bytes]
    """By path in its folder."""
    problem: str = ""
    """Why there is none."""
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)


class RunView:
    """A run that is looked at. Several threads may ask."""

    def __init__(self, run: RunDir, more: More | None = None):
        self.run = run
        self._episodes: OrderedDict[str, tuple[float, Episode]] = OrderedDict()
        self._lock, self._reading, self._writing = threading.Lock(), threading.Lock(), threading.Lock()
        self._replays = Replays(run)
        self._now: Results | None = None
        self._stamp: object = None
        self._until = 0.0
        self._counting = threading.Lock()
        self._status: tuple[float, RunStatus] | None = None
        self._line: tuple[Results, str] | None = None
        self._verified: tuple[Results, str] | None = None
        self._reports = _Reports(run, more)

    def now(self) -> Results:
        """All episodes with a result, forks too, and what was planned."""
        with self._reading:
            stamp = self.run.stamp()
            old = stamp != self._stamp if stamp else time.monotonic() >= self._until
            if self._now is None or old:
                start = time.monotonic()
                frame = episode_frame(results_frame(self.run, forks=True))
                self._now = frame, plan_of(frame, [self.run.manifest()])
                end = time.monotonic()
                self._stamp, self._until = stamp, end + PATIENCE * (end - start)
            return self._now

    def totals(self) -> dict[str, int]:
        """What there is and how far the run is."""
        frame, plan = self.now()
        n = [counts(frame, plan, c) for c in plan.cells]
        return {
            "n": frame.height, "planned": sum(c.planned for c in n), "finished": sum(c.finished for c in n),
            "failed": sum(c.failed for c in n),
        }  # fmt: skip

    def status(self) -> RunStatus:
        """How fast it goes, and which episodes are being played. Pages ask every second."""
        from gwray.pipelines import status_of

        with self._counting:
            start = time.monotonic()
            if self._status is None or start >= self._status[0]:
                status, end = status_of(self.run), time.monotonic()
                self._status = end + PATIENCE * (end - start), status
            return self._status[1]

    def headline(self) -> str:
        """What came out, in a sentence; the same as in its report."""
        now = self.now()
        if self._line is None or self._line[0] is not now:
            frame = now[0].filter(pl.col("prefix").fill_null("") == "")
            rows = main_table(frame, [without_forks(self.run.manifest())], comparisons=())
            self._line = now, headline(rows)
        return self._line[1]

    def verified(self) -> str:
        """What its folder says of being verified; empty if nothing."""
        now = self.now()
        if self._verified is None or self._verified[0] is not now:
            found = read_verified(self.run)
            self._verified = now, found.sentence if found else ""
        return self._verified[1]

    def report(self, patience_s: float) -> Report | None:
        """The last one that was made, an older one where the run has gone on; None if the first still takes longer."""
        return self._reports.get(self.now()[0], patience_s)

    def watchable(self, frame: pl.DataFrame) -> set[str]:
        """Saved episodes, and failed ones: their logs say how far they came."""
        failed = frame.filter(pl.col("status") == "failed")["key"]
        return {*self.run.episode_keys(), *(set(failed) & set(self.run.logged_keys()))}

    def begun(self, frame: pl.DataFrame) -> list[UnfinishedEpisode]:
        return begun(self.run, self.run.manifest(), set(frame["key"]))

    def state(self) -> str:
        """What an episode without a result is."""
        return "running" if self.run.is_driven() else "unfinished"

    def look(self, key: str, *, fresh: bool = False) -> tuple[Episode, str | None]:
        """The episode; if it has not ended, also a remark on what is shown of it. `fresh`: as far as it is now.
        `StoreError` or `UsageError` if there is none."""
        if self.run.has_episode(key):
            return self._ended(key), None
        so_far = self._replays.get(key, fresh=fresh)
        if so_far is None:
            raise UsageError(f"episode {key} has not begun, or is not of this run")
        return so_far.episode, so_far.why

    def _ended(self, key: str) -> Episode:
        with self._lock:
            held = self._episodes.get(key)
            if held and time.monotonic() - held[0] < FRESH_S:
                self._episodes.move_to_end(key)
                return held[1]
        episode = self.run.read_episode(key)
        with self._lock:
            self._episodes[key] = (time.monotonic(), episode)
            while len(self._episodes) > KEPT:
                self._episodes.popitem(last=False)
        return episode

    def notes(self) -> dict[str, Note]:
        """What people said of its episodes."""
        text = self.run.read_annotations()
        return read_notes(text, self._keys()) if text else {}

    def say(self, key: str, note: Note) -> None:
        """Replace what is said of an episode. `UsageError` if it is not of this run, or the file cannot be kept."""
        keys = self._keys()
        if key not in keys:
            raise UsageError(f"episode {safe_text(key, 60)} is not of this run")
        with self._writing:
            self.run.write_annotations(with_note(self.run.read_annotations(), key, note, keys))

    def _keys(self) -> set[str]:
        frame, plan = self.now()
        return {*frame["key"], *plan.episodes["key"]}


class _Reports:
    """Makes the report of a run in a thread of its own, one after the other."""

    def __init__(self, run: RunDir, more: More | None):
        self._run, self._more = run, more
        self._made: Report | None = None
        self._of: object = None
        self._ready = threading.Event()
        self._busy = threading.Lock()
        self._not_before = 0.0
        self._diagnoses: dict[str, Diagnosis] = {}

    def get(self, of: pl.DataFrame, patience_s: float) -> Report | None:
        large = of.height > LARGE
        if self._of is not of and time.monotonic() >= self._not_before and self._busy.acquire(blocking=False):
            self._of = of
            making = threading.Timer(AFTER_S if large else 0.0, self._make)
            making.daemon = True
            making.start()
        self._ready.wait(0.0 if large else patience_s)
        return self._made

    def _make(self) -> None:
        start = time.monotonic()
        sys.setswitchinterval(0.0005)  # a page needs the interpreter hundreds of times for a moment
        try:
            self._made = self._report()
        except Exception as e:  # a page says so, and the next change of the run is another try
            self._made = Report({}, safe_text(f"{type(e).__name__}: {e}", SHORT))
        finally:
            sys.setswitchinterval(0.005)
            end = time.monotonic()
            self._not_before = end + PATIENCE * (end - start)
            self._ready.set()
            self._busy.release()

    def _report(self) -> Report:
        more = dict(self._more(self._run)) if self._more else {}
        with tempfile.TemporaryDirectory(prefix="gwray-") as folder:
            build_report([self._run], folder, images=False, served=True, diagnosed=self._diagnoses, **more)
            root = Path(folder)
            kept = [root / "index.html", root / "data/figures.js", *root.glob("tables/*"), *root.glob("figures/*")]
            files = {file.relative_to(root).as_posix(): file.read_bytes() for file in kept}
        return Report(files, "", dict(self._diagnoses))
