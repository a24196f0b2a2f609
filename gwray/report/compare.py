"""The comparison of several runs of a folder: a report over all of them, made when it is asked for."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from gwray.errors import UsageError
from gwray.pages import SERVED_POLICY
from gwray.report.results import JudgeResults
from gwray.report.run_folder import RunFolder, run_path
from gwray.report.site import served_report
from gwray.visible_text import SHORT, safe_text

FRAME: Mapping[str, Any] = {
    "served": False, "policy": SERVED_POLICY, "home": "../../",
    "pages": (("Runs", "../../"), ("Results", "index.html"), ("Episodes", "episodes.html")),
}  # fmt: skip
"""Template values of the pages of a comparison."""
KEPT = 4
"""Comparisons whose pages are kept in memory."""


class Comparisons:
    """Comparisons of runs in a folder, by an id that follows from their names."""

    def __init__(self, runs: RunFolder):
        self._runs = runs
        self._names: dict[str, tuple[str, ...]] = {}
        self._made: OrderedDict[str, tuple[list[pl.DataFrame], dict[str, bytes]]] = OrderedDict()
        self._lock = threading.Lock()

    def id_of(self, names: Sequence[str]) -> str:
        """Returns the id of a comparison. Raises `UsageError` unless there are two or more runs of the folder."""
        known = self._runs.names()
        chosen = tuple(dict.fromkeys(name for name in names if name in known))
        if len(chosen) < 2:
            found = ", ".join(safe_text(n, SHORT) for n in names) or "nothing"
            raise UsageError(f"a comparison needs two or more runs of this folder; {found} was chosen")
        id = hashlib.sha256("\n".join(chosen).encode()).hexdigest()[:12]
        self._names[id] = chosen
        return id

    def file(self, id: str, path: str) -> bytes | None:
        """Returns a file of the report; None if there is none. It is made again when a run has changed."""
        views = [view for name in self._names.get(id, ()) if (view := self._runs.view(name))]
        if not views:
            return None
        with self._lock:
            frames = [view.snapshot()[0] for view in views]
            made = self._made.pop(id, None)
            if made is None or any(old is not new for old, new in zip(made[0], frames, strict=True)):
                made = frames, served_report([v.run for v in views], JudgeResults(), {}, FRAME)
            self._made[id] = made
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
            return made[1].get(path)

    def page_of(self, id: str, key: str, path: str) -> str | None:
        """Returns the path of an episode's page in the site of its run; None if no run has it."""
        for name in self._names.get(id, ()):
            view = self._runs.view(name)
            if view is not None and view.run.has_episode(key):
                return f"/{run_path(name)}{path}"
        return None
