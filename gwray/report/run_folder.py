"""The runs that lie in a folder, each with what a reader wants to know before opening it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from gwray.errors import GwrayError, UsageError
from gwray.report.run_view import More, RunView
from gwray.report.sanitize import SHORT, safe_text
from gwray.store import RunDir

NAMED = 3
"""More models than these are counted, not named."""


@dataclass(frozen=True)
class Line:
    """A run in the index; texts are made visible and bounded."""

    name: str
    href: str
    day: str = ""
    players: str = ""
    games: str = ""
    planned: int = 0
    finished: int = 0
    failed: int = 0
    headline: str = ""
    live: bool = False
    sealed: bool = False
    verified: str = ""
    """What its folder says of being verified."""
    problem: str = ""
    """Why it cannot be read; then nothing else is known of it."""


class Runs:
    """One run, or those that lie in a folder, by name. A folder is read again whenever it is asked; links in it are not
    followed."""

    def __init__(self, where: RunDir | Path, more: More | None = None):
        self._where, self._more = where, more
        self._shelves: dict[str, RunView] = {}
        self._lock = threading.Lock()

    @classmethod
    def at(cls, where: str, more: More | None = None) -> Runs:
        """A run directory, or a folder of run directories. `UsageError` if it is neither."""
        folder = Path(where)
        if RunDir.is_run(where) or not folder.is_dir():
            return cls(RunDir.open(where), more)
        found = cls(folder, more)
        if not found.names():
            raise UsageError(f"{where} is no run directory and holds none. Name a run, or the folder that runs lie in.")
        return found

    @property
    def only(self) -> str | None:
        """The name of the run, where there is one and no folder."""
        return _name(self._where) if isinstance(self._where, RunDir) else None

    def names(self) -> list[str]:
        """The newest first."""
        if isinstance(self._where, RunDir):
            return [_name(self._where)]
        there = {}
        for plan in self._where.glob("*/run.json"):
            if plan.parent.is_symlink() or plan.is_symlink() or not plan.is_file():
                continue
            there[plan.parent.name] = plan.stat().st_mtime_ns
        return sorted(there, key=lambda name: (-there[name], name))

    def shelf(self, name: str) -> RunView | None:
        """None if there is no such run."""
        if name not in self.names():
            return None
        with self._lock:
            if name not in self._shelves:
                run = self._where if isinstance(self._where, RunDir) else RunDir(self._where / name)
                self._shelves[name] = RunView(run, self._more)
            return self._shelves[name]

    def lines(self) -> Iterator[Line]:
        """One after the other, as they have been read."""
        for name in self.names():
            if shelf := self.shelf(name):
                yield _line(name, shelf)


def path_of(name: str) -> str:
    """Where a run lies in the site."""
    return f"runs/{quote(name, safe='')}/"


def _name(run: RunDir) -> str:
    return (run.local_path.resolve().name if run.local_path else run.url.rstrip("/").rpartition("/")[2]) or "run"


def _line(name: str, shelf: RunView) -> Line:
    try:
        manifest = shelf.run.manifest()
        totals, sentence, verified = shelf.totals(), shelf.headline(), shelf.verified()
        frame, plan = shelf.now()
        games = list(dict.fromkeys(str(e["game"]) for e in manifest.get("episodes") or ())) or frame["game"].to_list()
    except (GwrayError, OSError) as e:
        return Line(safe_text(name, SHORT), path_of(name), problem=safe_text(str(e), SHORT))
    players = list(dict.fromkeys(c.name for c in plan.cells.values()))
    more = f" and {len(players) - NAMED} more" if len(players) > NAMED else ""
    named = ", ".join(players[:NAMED]) + more
    return Line(
        safe_text(name, SHORT),
        path_of(name),
        safe_text(str(manifest.get("created") or "")[:10], 10),
        safe_text(named, SHORT),
        safe_text(games[0], 80) if len(games) == 1 else f"{len(games)} games",
        totals["planned"],
        totals["finished"],
        totals["failed"],
        sentence,
        shelf.run.is_driven(),
        bool(manifest.get("seal")),
        safe_text(verified, SHORT),
    )
