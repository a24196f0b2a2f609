"""Tracks a run in a thread, so that W&B neither stops nor slows the sweep.

Only `finish` blocks. A W&B run always receives all episodes: first those that the run directory already has, in their
order, then those that end during the sweep. The step of a row is the episode's position in that order, which never
changes, so a server that has the first n rows receives only the later ones, and an offline run, which cannot be
appended to, is rewritten. In both cases every episode occurs once.
"""

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from gwray.pages import warn
from gwray.records import EngineReading, EpisodeRecord
from gwray.settings import TrackingSpec
from gwray.store import ManifestCell, RunDir
from gwray.tracking.cells import CellInfo, cell_infos, cells_of, run_facts, wandb_id
from gwray.tracking.client import Unreachable, WandbRuns, short
from gwray.tracking.mode import Mode, resolve_mode
from gwray.tracking.progress import COLUMNS, Engines, MetricsSoFar, Table, Value, table_row

Report = Callable[[str], None]
Summaries = Mapping[str, Mapping[str, Value]]

QUIET_S = 90.0
"""Seconds without progress, while finishing, after which tracking is given up."""
TABLE_ROWS = 10_000
"""W&B's own limit for a logged table."""


class Tracker:
    """One per run, in one process. This one tracks nothing."""

    def start(
        self, cells: Sequence[CellInfo | ManifestCell], sweep: str, facts: Mapping[str, str] | None = None
    ) -> None:
        """Starts tracking. `cells`: those of the manifest; `sweep`: the name that groups their W&B runs; `facts`: of
        the run, for the config of each of them (see `run_facts`)."""

    def episode(self, record: EpisodeRecord) -> None:
        """Logs an episode that finished or failed; its record is already in the run directory."""

    def engine(self, reading: EngineReading) -> None:
        """Adds a reading of a hosted model's engines; rows of episodes that end later include its values."""

    def finish(self, summaries: Summaries | None = None) -> list[str]:
        """Closes all W&B runs, with further summary values by cell id; returns their URLs or local folders."""
        return []

    def abort(self) -> None:
        """Ends tracking at once; `finish` then returns."""


def make_tracker(spec: TrackingSpec, run: RunDir, report: Report | None = None) -> Tracker:
    """Returns the tracker that `spec` selects. `report` is called at most once, with one sentence; default: `warn`."""
    mode = resolve_mode(spec)
    return Tracker() if mode == "disabled" else WandbTracker(spec, run, mode, report or warn)


def sync(
    run: RunDir, spec: TrackingSpec, report: Report | None = None, summaries: Summaries | None = None
) -> list[str]:
    """Rebuilds the W&B runs of a run directory; returns their URLs, or folders when offline. Raises `UsageError` while
    a driver plays the run, which updates them itself."""
    return rebuild(run, make_tracker(spec, run, report), summaries)


def rebuild(run: RunDir, tracker: Tracker, summaries: Summaries | None) -> list[str]:
    """Gives a tracker all episodes of a run directory; returns the URLs or folders of the W&B runs. Raises `UsageError`
    as `sync`."""
    with run.lock("synced"):
        manifest = run.manifest()
        tracker.start(cells_of(manifest), manifest.name or run.id, run_facts(manifest))
        return tracker.finish(summaries)


class TrackedCell:
    """State of one cell's W&B run."""

    def __init__(self, info: CellInfo, run_id: str):
        self.info = info
        self.wandb_id = wandb_id(run_id, info.id)
        self.progress = MetricsSoFar((info.config.get("spec") or {}).get("metrics") or ())
        self.table = Table(TABLE_ROWS)
        self.rows_sent = 1
        """Episodes in the latest table that was sent."""
        self.opened = False
        self.rows: set[str] = set()
        """Keys of its rows; `summary` has those of its summary."""
        self.summary: set[str] = set()


class WandbTracker(Tracker):
    """Tracks a run in W&B."""

    def on_closed(self, runs: WandbRuns, sweep: str, cells: Sequence[TrackedCell]) -> None:
        """Does nothing. Called in the thread after the online runs of all cells were closed."""

    def __init__(self, spec: TrackingSpec, run: RunDir, mode: Mode, report: Report):
        self._spec, self._run = spec, run
        self._mode: Mode = mode
        self._report = report
        self._reported = False
        self._given_up = False
        self._queue: queue.SimpleQueue[EpisodeRecord | EngineReading | Summaries] = queue.SimpleQueue()
        self._engines = Engines()
        self._ending: Summaries | None = None
        self._infos: list[CellInfo] = []
        self._facts: dict[str, str] = {}
        """Facts of the run, for the config of every W&B run."""
        self._cells: dict[str, TrackedCell] = {}
        self._sweep = ""
        self._thread: threading.Thread | None = None
        self._runs = WandbRuns(run, spec, mode)
        self._progress_at = 0.0

    def start(
        self, cells: Sequence[CellInfo | ManifestCell], sweep: str, facts: Mapping[str, str] | None = None
    ) -> None:
        self._infos = cell_infos(cells)
        self._sweep = sweep
        self._facts = dict(facts or {})
        self._thread = threading.Thread(target=self._work, name="gwray-tracking", daemon=True)
        self._thread.start()

    def episode(self, record: EpisodeRecord) -> None:
        self._queue.put(record)

    def engine(self, reading: EngineReading) -> None:
        self._queue.put(reading)

    def finish(self, summaries: Summaries | None = None) -> list[str]:
        thread, self._thread = self._thread, None
        if thread is None:
            return []
        self._queue.put(summaries or {})
        try:
            self._wait_for(thread)
        except BaseException:  # Ctrl-C
            self.abort()
            raise
        return list(self._runs.links.values())

    def _wait_for(self, thread: threading.Thread) -> None:
        """Waits until the thread has ended, and gives up when it makes no progress for `QUIET_S`."""
        began = time.monotonic()
        while thread.is_alive():
            thread.join(timeout=0.2)
            if thread.is_alive() and time.monotonic() - max(began, self._progress_at) > QUIET_S:
                self._trouble(f"no response for {QUIET_S:.0f} s")
                self._given_up = True
                self.abort()
                break

    def abort(self) -> None:
        self._trouble("not all was sent")
        self._given_up = True
        self._runs.abandon()

    def _trouble(self, what: str) -> None:
        """Reports the first problem: later ones follow from it, and the way out is the same."""
        if not self._reported and not self._given_up:
            self._reported = True
            self._report(
                f"Weights & Biases: {what}. The run directory is not affected; "
                f"`gwray sync {self._run.url}` rebuilds the W&B runs from it."
            )

    # Everything below runs in the thread.

    def _work(self) -> None:
        try:
            try:
                self._write_all()
            except Unreachable as e:
                self._trouble(f"online mode failed ({e}), continuing offline")
                self._runs.abandon()  # the client cannot start the same run offline in the same service
                self._mode = "offline"
                self._runs = WandbRuns(self._run, self._spec, self._mode)
                self._write_all()
        except Exception as e:
            if not self._given_up:
                self._trouble(short(e))
                self._runs.abandon()

    def _write_all(self) -> None:
        """Logs the recorded episodes, then new ones, then closes the W&B runs."""
        self._runs.begin()
        self._cells = {c.id: TrackedCell(c, self._run.id) for c in self._infos}
        outcomes = self._run.outcomes()
        for reading in self._run.engines():  # read after the outcomes, so that every episode has its readings
            self._engines.add(reading)
        for records in outcomes:
            for record in records:
                self._take(record)
        while self._ending is None:
            item = self._queue.get()
            if isinstance(item, EpisodeRecord):
                self._take(item)
                self._grow_table(item.cell)
            elif isinstance(item, EngineReading):
                self._engines.add(item)
            else:
                self._ending = item
        opened = [cell for cell in self._cells.values() if cell.opened]
        for cell in opened:
            self._close(cell, self._ending.get(cell.info.id, {}))
        if opened and self._mode == "online":
            self.on_closed(self._runs, self._sweep, opened)
        self._runs.end()

    def _take(self, record: EpisodeRecord) -> None:
        """Adds a record to its cell's table and charts, and opens the cell's W&B run for its first one. Ignores records
        of unknown cells and of episodes that are already recorded as finished."""
        cell = self._cells.get(record.cell)
        if cell is None:
            return
        if not cell.table.take(record):
            return  # already read from the run directory
        if not cell.opened:
            cell.opened = True
            config = {**cell.info.config, **self._facts, "cell": cell.info.id, "run": self._run.id}
            self._runs.open(cell.wandb_id, cell.info, self._sweep, config)
        if record.status == "finished":
            step = cell.progress.finished
            row = cell.progress.add(record) | self._engines.row(record.model, record.finished_at)
            cell.rows |= set(row)
            self._runs.row(cell.wandb_id, step, row)
        self._progress_at = time.monotonic()

    def _grow_table(self, cell_id: str) -> None:
        """Sends the table of episodes so far when their number has doubled: W&B keeps a version of each table."""
        cell = self._cells.get(cell_id)
        if cell and cell.opened and (count := len(cell.table)) >= 2 * cell.rows_sent:
            cell.rows_sent = count
            self._send_table(cell)

    def _send_table(self, cell: TrackedCell) -> None:
        """Sends a cell's table of episodes. A failure is reported, and later rows are still sent: a table is also an
        artifact, for which the client asks the server first."""
        try:
            self._runs.table(cell.wandb_id, COLUMNS, [table_row(r) for r in cell.table.rows()])
        except Exception as e:
            self._trouble(f"the table of episodes could not be logged ({short(e)})")
        self._progress_at = time.monotonic()

    def _close(self, cell: TrackedCell, more: Mapping[str, Value]) -> None:
        failed = len(cell.table.failed)
        counts = {
            "episodes/planned": cell.info.planned or cell.progress.finished + failed,
            "episodes/finished": cell.progress.finished,
            "episodes/failed": failed,
        }
        summary = {**cell.progress.summary(), **counts, **more}
        cell.summary = set(summary)
        self._send_table(cell)
        self._runs.close(cell.wandb_id, summary)
        self._progress_at = time.monotonic()
