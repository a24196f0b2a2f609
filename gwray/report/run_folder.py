"""The runs in a folder, and a summary of each for the index page."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import polars as pl

from gwray.analysis import spent_cell, usage
from gwray.errors import GwrayError, UsageError
from gwray.pages import SHORT, safe_text
from gwray.report.run_view import ReadJudges, RunView
from gwray.store import RunDir

MOST_NAMED = 3
REASON = 160
"""More players than this are counted, not named."""


@dataclass(frozen=True)
class RunSummary:
    """A row of the index page; texts are bounded and visible."""

    name: str
    href: str
    day: str = ""
    age: str = ""
    """Time since its start, such as `3 h ago`."""
    players: str = ""
    games: str = ""
    planned: int = 0
    finished: int = 0
    failed: int = 0
    headline: str = ""
    live: bool = False
    spent: str = ""
    """USD or GPU-hours, as in the tables of its report."""
    reason: str = ""
    """Why episodes of a run that is not being played have no result."""
    problem: str = ""
    """Why the run cannot be read; then all else is empty."""


class RunFolder:
    """One run, or the runs in a folder, by name. A folder is listed on each request; links in it are not followed."""

    def __init__(self, where: RunDir | Path, read_judges: ReadJudges | None = None):
        self._where, self._read_judges = where, read_judges
        self._views: dict[str, RunView] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(cls, where: str, read_judges: ReadJudges | None = None) -> "RunFolder":
        """Opens a run directory, or a folder of run directories. `UsageError` if it is neither."""
        folder = Path(where)
        if RunDir.is_run(where) or not folder.is_dir():
            return cls(RunDir.open(where), read_judges)
        found = cls(folder, read_judges)
        if not found.names():
            raise UsageError(f"{where} is no run directory and contains none. Name a run, or a folder of runs.")
        return found

    @property
    def single(self) -> str | None:
        """The name of the run, if this is one run and no folder."""
        return _name(self._where) if isinstance(self._where, RunDir) else None

    def names(self) -> list[str]:
        """Names of the runs, newest first."""
        if isinstance(self._where, RunDir):
            return [_name(self._where)]
        found = {}
        for plan in self._where.glob("*/run.json"):
            if not plan.parent.is_symlink() and not plan.is_symlink() and plan.is_file():
                found[plan.parent.name] = plan.stat().st_mtime_ns
        return sorted(found, key=lambda name: (-found[name], name))

    def view(self, name: str) -> RunView | None:
        """Returns the view of a run; None if there is no such run."""
        if name not in self.names():
            return None
        with self._lock:
            if name not in self._views:
                run = self._where if isinstance(self._where, RunDir) else RunDir(self._where / name)
                self._views[name] = RunView(run, self._read_judges)
            return self._views[name]

    def summaries(self) -> Iterator[RunSummary]:
        """Yields the summaries one after the other, as they are read."""
        for name in self.names():
            if view := self.view(name):
                yield _summary(name, view)


def run_path(name: str) -> str:
    """Returns the path of a run in the site."""
    return f"runs/{quote(name, safe='')}/"


def _name(run: RunDir) -> str:
    return (run.local_path.resolve().name if run.local_path else run.url.rstrip("/").rpartition("/")[2]) or "run"


def _summary(name: str, view: RunView) -> RunSummary:
    try:
        manifest = view.run.manifest()
        totals, sentence = view.totals(), view.headline()
        frame, plan = view.snapshot()
        games = manifest.episodes.games() or frame["game"].to_list()
    except (GwrayError, OSError) as e:
        return RunSummary(safe_text(name, SHORT), run_path(name), problem=safe_text(str(e), SHORT))
    players = list(dict.fromkeys(c.name for c in plan.cells.values()))
    more = f" and {len(players) - MOST_NAMED} more" if len(players) > MOST_NAMED else ""
    return RunSummary(
        name=safe_text(name, SHORT), href=run_path(name), day=safe_text(manifest.created[:10], 10),
        players=safe_text(", ".join(players[:MOST_NAMED]) + more, SHORT),
        games=safe_text(games[0], 80) if len(games) == 1 else f"{len(games)} games",
        planned=totals["planned"], finished=totals["finished"], failed=totals["failed"], headline=sentence,
        live=view.run.is_driven(),
        age=_age(manifest.created),
        spent=spent_cell(*(usage(frame, plan, c) for c in plan.cells)).text, reason=_reason(frame, totals),
    )  # fmt: skip


def _reason(frame: pl.DataFrame, totals: Mapping[str, int]) -> str:
    """Returns the most frequent error of failed episodes; `interrupted` if others are missing."""
    if totals["finished"] == totals["planned"]:
        return ""
    failed = frame.filter(pl.col("status") == "failed")
    if failed.height == 0:
        return "interrupted, or not played yet"
    kind, message = failed.select(pl.col("error_class").mode().sort().first(), pl.col("error_message").first()).row(0)
    return safe_text(f"{kind}: {(message or '').splitlines()[0] if message else ''}", REASON)


def _age(created: str) -> str:
    try:
        then = datetime.fromisoformat(created)
    except ValueError:
        return ""
    seconds = max(0.0, (datetime.now(UTC) - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds())
    for name, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {name} ago"
    return "now"
