"""The comparison of several runs of a folder: a report over all of them, made when it is asked for."""

import hashlib
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from gwray.errors import UsageError
from gwray.pages import SERVED_POLICY
from gwray.report.run_folder import RunFolder, run_path
from gwray.report.run_view import Report, Reports, RunView
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
        self._reports: OrderedDict[str, Reports] = OrderedDict()
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

    def report(self, id: str, patience_s: float) -> Report | None:
        """Returns the latest report of a comparison; None if the first one takes longer than `patience_s`. Raises
        `UsageError` if the comparison is not known."""
        views = self._views(id)
        with self._lock:
            reports = self._reports.pop(id, None) or Reports([view.run for view in views], page=FRAME)
            self._reports[id] = reports
            while len(self._reports) > KEPT:
                self._reports.popitem(last=False)
        return reports.get([view.snapshot()[0] for view in views], patience_s)

    def waiting(self, id: str) -> dict[str, Any]:
        """Returns the template values of the page that is shown until the report is made."""
        views = self._views(id)
        totals = sum((Counter(view.totals()) for view in views), Counter())
        return {"title": " + ".join(safe_text(name, SHORT) for name in self._names[id]), "totals": totals, **FRAME}

    def _views(self, id: str) -> list[RunView]:
        views = [view for name in self._names.get(id, ()) if (view := self._runs.view(name))]
        if not views:
            raise UsageError("no such comparison; choose the runs again in the list of runs")
        return views

    def page_of(self, id: str, key: str, path: str) -> str | None:
        """Returns the path of an episode's page in the site of its run; None if no run has it."""
        for name in self._names.get(id, ()):
            view = self._runs.view(name)
            if view is not None and view.run.has_episode(key):
                return f"/{run_path(name)}{path}"
        return None
