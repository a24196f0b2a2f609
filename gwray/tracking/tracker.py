"""The driver's end of tracking: hands everything to a thread, which feeds the writer process.

No method but `finish` waits for anything. A W&B run is always told whole: first all episodes that the run directory
already has, in their order, then those that end while the sweep goes on. The step of a row is the episode's position
in that order, which never changes, so a server that has the first n rows is sent only what follows, and an offline
run, which cannot be added to, is written anew. Either way every episode is there once.
"""

from __future__ import annotations

import base64
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gwray.errors import GwrayError, UsageError
from gwray.records import EngineReading, EpisodeRecord
from gwray.spec import TrackingSpec
from gwray.store import ManifestCell, RunDir
from gwray.tracking.cells import CellInfo, cells_of, wandb_id
from gwray.tracking.engines import Engines
from gwray.tracking.mode import Mode, require_online, resolve_mode
from gwray.tracking.process import Unreachable, WriterGone, WriterProcess
from gwray.tracking.progress import COLUMNS, MetricsSoFar, Table, Value, table_row
from gwray.tracking.workspace import workspace_of

Report = Callable[[str], None]
Summaries = Mapping[str, Mapping[str, Value]]

INIT_S = 30
"""W&B's server must have answered by then, or the runs are kept offline."""
QUIET_S = 90.0
"""While finishing, the writer may be silent for this long before it is given up."""
TABLE_ROWS = 10_000
"""W&B's own limit for a logged table."""


class Tracker(Protocol):
    """One per run, in one process."""

    def start(self, cells: Sequence[CellInfo | ManifestCell], sweep: str) -> None:
        """`cells`: as the manifest has them; `sweep`: the name that groups their W&B runs."""
        ...

    def episode(self, record: EpisodeRecord) -> None:
        """An episode ended, finished or finally failed; its record is already in the run directory."""
        ...

    def engine(self, reading: EngineReading) -> None:
        """A look at the engines of a hosted model; the rows of episodes that end from now on carry its figures."""
        ...

    def finish(self, summaries: Summaries | None = None) -> list[str]:
        """Close all W&B runs, with further summary values by cell id; returns their URLs or local folders."""
        ...


class _NoTracker:
    def start(self, cells: Sequence[CellInfo | ManifestCell], sweep: str) -> None: ...
    def episode(self, record: EpisodeRecord) -> None: ...
    def engine(self, reading: EngineReading) -> None: ...
    def finish(self, summaries: Summaries | None = None) -> list[str]:
        return []


def make_tracker(spec: TrackingSpec, run: RunDir, report: Report | None = None) -> Tracker:
    """`report` is called at most once per kind of trouble, with one sentence; default: standard error."""
    mode = resolve_mode(spec)
    return _NoTracker() if mode == "disabled" else _WandbTracker(spec, run, mode, report or _to_stderr)


def sync(
    run: RunDir, spec: TrackingSpec, report: Report | None = None, summaries: Summaries | None = None
) -> list[str]:
    """(Re)build the W&B runs of a run directory; returns their URLs, or folders when offline.

    Refused while a driver works on the run: it keeps them up to date itself.
    """
    return _rebuild(run, make_tracker(spec, run, report), summaries)


def sync_workspace(run: RunDir, spec: TrackingSpec, summaries: Summaries | None = None) -> tuple[str, list[str]]:
    """`sync`, and then a workspace in which to compare the sweep's cells; returns its URL and those of the runs.

    Online, whatever the run's own `tracking.mode` was. `UsageError` where that cannot be, or where nothing was played.
    """
    require_online()
    said: list[str] = []
    tracker = _WandbTracker(spec, run, "online", said.append, workspace=True)
    places = _rebuild(run, tracker, summaries)
    if tracker.workspace:
        return tracker.workspace, places
    if not said and not places:
        raise UsageError(f"{run.url} has no episode yet: a workspace shows what was played")
    raise UsageError(f"no workspace was made. {' '.join(said)}")


def _rebuild(run: RunDir, tracker: Tracker, summaries: Summaries | None) -> list[str]:
    with run.lock("synced"):
        finished, failed = run.outcomes()
        manifest = run.manifest()
        tracker.start(cells_of(manifest, [*finished, *failed]), manifest.name or run.id)
        return tracker.finish(summaries)


def _to_stderr(message: str) -> None:
    print(message, file=sys.stderr)


class _Cell:
    """What has been sent of one cell."""

    def __init__(self, info: CellInfo, run_id: str):
        self.info = info
        self.wandb_id = wandb_id(run_id, info.id)
        self.progress = MetricsSoFar()
        self.table = Table(TABLE_ROWS)
        self.opened = False
        self.rows: set[str] = set()
        """The names that its rows have, and its summary."""
        self.summary: set[str] = set()


class _WandbTracker:
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
        self._cells: dict[str, _Cell] = {}
        self._sweep = ""
        self._thread: threading.Thread | None = None
        self._writer: WriterProcess | None = None

    def start(self, cells: Sequence[CellInfo | ManifestCell], sweep: str) -> None:
        self._infos = [CellInfo.of(c) for c in cells]
        self._sweep = sweep
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
        heard = time.monotonic()
        while thread.is_alive():
            thread.join(timeout=0.2)
            if self._writer is not None:
                heard = max(heard, self._writer.heard)
            if thread.is_alive() and time.monotonic() - heard > QUIET_S:
                self._trouble(f"no answer for {QUIET_S:.0f} s")
                self._given_up = True
                if self._writer is not None:
                    self._writer.kill()
                break
        return list(self._writer.links.values()) if self._writer else []

    def _trouble(self, what: str) -> None:
        if what not in self._reported and not self._given_up:
            self._reported.add(what)
            self._report(
                f"Weights & Biases: {what}. The run directory is not affected; "
                f"`gwray sync {self._run.url}` builds the W&B runs from it."
            )

    @property
    def workspace(self) -> str:
        """The address of the workspace, once it is saved."""
        return self._writer.workspace if self._writer else ""

    # Everything below runs in the thread.

    def _work(self) -> None:
        try:
            try:
                self._tell_all()
            except Unreachable:
                self._mode = "offline"
                self._tell_all()
        except WriterGone:
            pass  # it said why
        except Exception as e:
            self._trouble(f"{type(e).__name__}: {e}")

    def _tell_all(self) -> None:
        """One writer's life: everything there is, then what comes, then the end."""
        self._cells = {c.id: _Cell(c, self._run.id) for c in self._infos}
        self._writer = WriterProcess(self._run, self._trouble)
        try:
            outcomes = self._run.outcomes()
            for reading in self._run.engines():  # read after them: an episode that is there has its readings there too
                self._engines.add(reading)
            for records in outcomes:
                for record in records:
                    self._take(record)
            while self._ending is None:
                item = self._queue.get()
                if isinstance(item, EpisodeRecord):
                    self._take(item)
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
        cell = self._cells.get(record.cell)
        if cell is None:
            return
        if not cell.table.take(record):
            return  # read from the run directory just before it was announced
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
                init_timeout=INIT_S,
                name=cell.info.name,
                config={**cell.info.config, "cell": cell.info.id, "run": self._run.id},
            )
        if record.status == "finished":
            step = cell.progress.finished
            row = cell.progress.add(record) | self._engines.row(record.model, record.finished_at)
            cell.rows |= set(row)
            self._send(do="row", run=cell.wandb_id, step=step, row=row)

    def _close(self, cell: _Cell, more: Mapping[str, Value]) -> None:
        records = cell.table.rows()
        failed = len(cell.table.failed)
        counts = {
            "episodes/planned": cell.info.planned or cell.progress.finished + failed,
            "episodes/finished": cell.progress.finished,
            "episodes/failed": failed,
        }
        summary = {**cell.progress.summary(), **counts, **more}
        cell.summary = set(summary)
        self._send(
            do="close",
            run=cell.wandb_id,
            summary=summary,
            columns=COLUMNS,
            rows=[table_row(r) for r in records],
            pictures={i: self._pictures(records[i]) for i in _pictured(records, self._spec.screenshots)},
        )

    def _save_workspace(self) -> None:
        told = [c for c in self._cells.values() if c.opened]
        if not told:
            return
        logged, rows = (set().union(*names) for names in zip(*((c.summary, c.rows) for c in told), strict=True))
        layout = workspace_of(self._sweep, [c.info for c in told], logged, rows)
        self._send(do="workspace", run=told[0].wandb_id, **layout)

    def _pictures(self, record: EpisodeRecord) -> list[str | None]:
        """First and last frame. A missing or damaged episode file costs its pictures only."""
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


def _pictured(records: Sequence[EpisodeRecord], wanted: int) -> list[int]:
    """Which rows get pictures: finished episodes, one game after the other, the same whenever they are chosen."""
    games: dict[str, list[int]] = {}
    for i, record in enumerate(records):
        if record.status == "finished":
            games.setdefault(record.game, []).append(i)
    by_turn = sorted((turn, i) for rows in games.values() for turn, i in enumerate(rows))
    return [i for _, i in by_turn[:wanted]]
