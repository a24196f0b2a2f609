"""The driver's side of tracking: a thread that feeds the writer process.

Only `finish` blocks. A W&B run always receives all episodes: first those that the run directory already has, in their
order, then those that end during the sweep. The step of a row is the episode's position in that order, which never
changes, so a server that has the first n rows receives only the later ones, and an offline run, which cannot be
appended to, is rewritten. In both cases every episode occurs once.
"""

import base64
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gwray.errors import GwrayError, UsageError
from gwray.records import EngineReading, EpisodeRecord
from gwray.spec import TrackingSpec
from gwray.store import ManifestCell, RunDir
from gwray.tracking.cells import CellInfo, cell_infos, cells_of, run_facts, wandb_id
from gwray.tracking.mode import Mode, require_online, resolve_mode
from gwray.tracking.process import Unreachable, WriterExited, WriterProcess
from gwray.tracking.progress import COLUMNS, Engines, MetricsSoFar, Table, Value, table_row
from gwray.tracking.workspace import workspace_of
from gwray.visible_text import warn

Report = Callable[[str], None]
Summaries = Mapping[str, Mapping[str, Value]]

INIT_S = 30
"""Seconds to wait for the W&B server before the runs are kept offline."""
QUIET_S = 90.0
"""Seconds without a message from the writer, while finishing, after which it is killed."""
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
        """Ends the writer process at once; `finish` then returns."""


def make_tracker(spec: TrackingSpec, run: RunDir, report: Report | None = None) -> Tracker:
    """Returns the tracker that `spec` selects. `report` is called at most once per problem, with one sentence; default:
    `warn`."""
    mode = resolve_mode(spec)
    return Tracker() if mode == "disabled" else _WandbTracker(spec, run, mode, report or warn)


def sync(
    run: RunDir, spec: TrackingSpec, report: Report | None = None, summaries: Summaries | None = None
) -> list[str]:
    """Rebuilds the W&B runs of a run directory; returns their URLs, or folders when offline. Raises `UsageError` while
    a driver plays the run, which updates them itself."""
    return _rebuild(run, make_tracker(spec, run, report), summaries)


def sync_workspace(run: RunDir, spec: TrackingSpec, summaries: Summaries | None = None) -> tuple[str, list[str]]:
    """Runs `sync` and saves a workspace that compares the sweep's cells; returns its URL and those of the runs. Works
    online only, independent of the run's `tracking.mode`. Raises `UsageError` if no server can be reached or the run
    has no episode."""
    require_online()
    problems: list[str] = []
    tracker = _WandbTracker(spec, run, "online", problems.append, workspace=True)
    places = _rebuild(run, tracker, summaries)
    if tracker.workspace:
        return tracker.workspace, places
    if not problems and not places:
        raise UsageError(f"{run.url} has no episode yet: a workspace needs at least one")
    raise UsageError(f"no workspace was created. {' '.join(problems)}")


def _rebuild(run: RunDir, tracker: Tracker, summaries: Summaries | None) -> list[str]:
    with run.lock("synced"):
        finished, failed = run.outcomes()
        manifest = run.manifest()
        tracker.start(cells_of(manifest, [*finished, *failed]), manifest.name or run.id, run_facts(manifest))
        return tracker.finish(summaries)


class _Cell:
    """State of one cell's W&B run."""

    def __init__(self, info: CellInfo, run_id: str):
        self.info = info
        self.wandb_id = wandb_id(run_id, info.id)
        self.progress = MetricsSoFar()
        self.table = Table(TABLE_ROWS)
        self.rows_sent = 1
        """Episodes in the latest table that was sent."""
        self.opened = False
        self.rows: set[str] = set()
        """Keys of its rows; `summary` has those of its summary."""
        self.summary: set[str] = set()


class _WandbTracker(Tracker):
    def __init__(self, spec: TrackingSpec, run: RunDir, mode: Mode, report: Report, *, workspace: bool = False):
        self._spec, self._run, self._mode = spec, run, mode
        self._with_workspace = workspace
        self._report = report
        self._reported: set[str] = set()
        self._given_up = False
        self._queue: queue.SimpleQueue[EpisodeRecord | EngineReading | Summaries] = queue.SimpleQueue()
        self._engines = Engines()
        self._ending: Summaries | None = None
        self._infos: list[CellInfo] = []
        self._facts: dict[str, str] = {}
        """Facts of the run, for the config of every W&B run."""
        self._cells: dict[str, _Cell] = {}
        self._sweep = ""
        self._thread: threading.Thread | None = None
        self._writer: WriterProcess | None = None

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
        return list(self._writer.links.values()) if self._writer else []

    def _wait_for(self, thread: threading.Thread) -> None:
        """Waits until the writer has ended, and kills it if it sends nothing for `QUIET_S`."""
        last = time.monotonic()
        while thread.is_alive():
            thread.join(timeout=0.2)
            if self._writer is not None:
                last = max(last, self._writer.last_message_at)
            if thread.is_alive() and time.monotonic() - last > QUIET_S:
                self._trouble(f"no response for {QUIET_S:.0f} s")
                self._given_up = True
                self.abort()
                break

    def abort(self) -> None:
        self._trouble("not all was sent")
        self._given_up = True
        if self._writer is not None:  # it has its own session, and would wait for the server
            self._writer.kill()

    def _trouble(self, what: str) -> None:
        if what not in self._reported and not self._given_up:
            self._reported.add(what)
            self._report(
                f"Weights & Biases: {what}. The run directory is not affected; "
                f"`gwray sync {self._run.url}` rebuilds the W&B runs from it."
            )

    @property
    def workspace(self) -> str:
        """Returns the URL of the saved workspace; empty before it is saved."""
        return self._writer.workspace if self._writer else ""

    # Everything below runs in the thread.

    def _work(self) -> None:
        try:
            try:
                self._write_all()
            except Unreachable:
                self._mode = "offline"
                self._write_all()
        except WriterExited:
            pass  # already reported
        except Exception as e:
            self._trouble(f"{type(e).__name__}: {e}")

    def _write_all(self) -> None:
        """Runs one writer: sends the recorded episodes, then new ones, then closes the runs."""
        self._cells = {c.id: _Cell(c, self._run.id) for c in self._infos}
        self._writer = WriterProcess(self._run, self._trouble)
        try:
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
            for cell in self._cells.values():
                if cell.opened:
                    self._close(cell, self._ending.get(cell.info.id, {}))
            if self._with_workspace and self._mode == "online":
                self._save_workspace()
            self._writer.end()
        finally:
            self._writer.kill()

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
            self._send(
                do="open",
                run=cell.wandb_id,
                mode=self._mode,
                dir=str(self._writer_process.folder),
                project=self._spec.project,
                entity=self._spec.entity,
                group=self._sweep,
                kind=cell.info.kind,
                tags=cell.info.tags,
                init_timeout=INIT_S,
                name=cell.info.name,
                config={**cell.info.config, **self._facts, "cell": cell.info.id, "run": self._run.id},
            )
        if record.status == "finished":
            step = cell.progress.finished
            row = cell.progress.add(record) | self._engines.row(record.model, record.finished_at)
            cell.rows |= set(row)
            self._send(do="row", run=cell.wandb_id, step=step, row=row)

    def _grow_table(self, cell_id: str) -> None:
        """Sends the table of episodes so far when their number has doubled: W&B keeps a version of each table."""
        cell = self._cells.get(cell_id)
        if cell and cell.opened and (count := len(cell.table)) >= 2 * cell.rows_sent:
            cell.rows_sent = count
            self._send(do="table", run=cell.wandb_id, **self._table(cell))

    def _table(self, cell: _Cell) -> dict[str, Any]:
        """Returns columns, rows and screenshots of a cell's table of episodes."""
        records = cell.table.rows()
        return {
            "columns": COLUMNS,
            "rows": [table_row(r) for r in records],
            "pictures": {i: self._pictures(records[i]) for i in _rows_with_frames(records, self._spec.screenshots)},
        }

    def _close(self, cell: _Cell, more: Mapping[str, Value]) -> None:
        failed = len(cell.table.failed)
        counts = {
            "episodes/planned": cell.info.planned or cell.progress.finished + failed,
            "episodes/finished": cell.progress.finished,
            "episodes/failed": failed,
        }
        summary = {**cell.progress.summary(), **counts, **more}
        cell.summary = set(summary)
        self._send(do="table", run=cell.wandb_id, **self._table(cell))
        self._send(do="close", run=cell.wandb_id, summary=summary)

    def _save_workspace(self) -> None:
        opened = [c for c in self._cells.values() if c.opened]
        if not opened:
            return
        logged, rows = (set().union(*names) for names in zip(*((c.summary, c.rows) for c in opened), strict=True))
        layout = workspace_of(self._sweep, [c.info for c in opened], logged, rows)
        self._send(do="workspace", run=opened[0].wandb_id, **layout)

    def _pictures(self, record: EpisodeRecord) -> list[str | None]:
        """Returns the first and last frame; None for both if the episode file is missing or damaged."""
        try:
            episode = self._run.read_episode(record.key)
        except GwrayError:
            return [None, None]
        first = next((s.screenshot for s in episode.steps if s.screenshot), None)
        return [base64.b64encode(f).decode() if f else None for f in (first, episode.meta.final_frame)]

    @property
    def _writer_process(self) -> WriterProcess:
        assert self._writer is not None
        return self._writer

    def _send(self, **message: Any) -> None:
        self._writer_process.send(message)


def _rows_with_frames(records: Sequence[EpisodeRecord], wanted: int) -> list[int]:
    """Returns the indices of rows with screenshots: finished episodes, alternating over games; deterministic."""
    games: dict[str, list[int]] = {}
    for i, record in enumerate(records):
        if record.status == "finished":
            games.setdefault(record.game, []).append(i)
    by_turn = sorted((turn, i) for rows in games.values() for turn, i in enumerate(rows))
    return [i for _, i in by_turn[:wanted]]
