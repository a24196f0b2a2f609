"""Lays out a sweep's W&B workspace: sections and panels for the keys that its cells logged. Only logged keys get
panels, so no panel is empty. `saving` converts the layout to W&B objects. Saving again replaces the workspace of the
same sweep, including manual changes."""

import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

from gwray.records import digest
from gwray.settings import FACTS, in_order
from gwray.tracking import CellInfo

COLUMNS = (
    "episodes/planned", "episodes/finished", "episodes/failed", "sr/overall", "pg/overall", "iar/overall", "cost/usd",
)  # fmt: skip
"""Columns of the table of runs. A cell whose first two values differ is not comparable yet."""
MOST_RUNS = 100
"""Cells per panel: more bars are not distinguishable."""

Panel = dict[str, Any]


def workspace_of(sweep: str, cells: Sequence[CellInfo], logged: Collection[str], history: Collection[str]) -> Panel:
    """Returns the layout of a sweep's workspace, for `save_workspace`.

    Args:
        sweep: name of the sweep.
        cells: the cells that it compares.
        logged: keys of the summaries that cells have logged.
        history: keys of the rows that they have logged.
    """
    sections = {
        "Cells": [
            *(_bar(name, [name]) for name in ("pg/overall", "sr/overall", "iar/overall", "cost/usd")),
            *(_interval(score) for score in ("pg", "sr")),
        ],
        "Profiles": [
            _bar(f"{score} by {group}", sorted(k for k in logged if k.startswith(f"{score}/{group}/")))
            for group in ("genre", "level")
            for score in ("pg", "sr")
        ],
        "Running": [*(_line(name) for name in ("pg/overall", "sr/overall", "tokens/per_step"))],
        "Settings": _settings(cells),
        "Reruns": [
            *(
                _bar(f"{score} of each repeat", sorted(k for k in logged if _repeat_of(k, score)))
                for score in ("pg", "sr")
            ),
            _bar("pg/overall, mean over reruns", ["pg/overall"], by=("cell",)),
        ],
        "Engines": [_line(name) for name in sorted(history) if name.startswith("engine/")],
        "Episodes": [_panel("table", "", ["episodes"])],
    }
    kept: list[Panel] = []
    for name, panels in sections.items():
        shown = [p for p in panels if p["metrics"] and set(p["metrics"]) <= _keys(p, logged, history)]
        if shown:
            kept.append({"name": name, "panels": shown})
    return {
        "view": digest("workspace", sweep)[:11],
        "name": _title(sweep),
        "group": sweep,
        "columns": [c for c in COLUMNS if c in logged],
        "order": "pg/overall",
        "sections": kept,
        "runs": min(MOST_RUNS, max(10, len(cells))),
    }


def _interval(score: str) -> Panel:
    """Returns bars of a score between the ends of its 95 % interval: W&B draws error bars of groups of runs only."""
    ends = [f"{score}/overall/low", f"{score}/overall", f"{score}/overall/high"]
    return _panel("bar", f"{score}/overall in its 95 % interval", ends)


def _repeat_of(key: str, score: str) -> bool:
    return key.startswith(f"rerun/{score}/") and key.rpartition("/")[2].isdigit()


def _settings(cells: Sequence[CellInfo]) -> list[Panel]:
    axes = [f"axes.{name}" for name in in_order(c.config.get("axes") or {} for c in cells)]
    # Every cell has the facts; only cells that differ from the default have an axis.
    facts = {f"axes.{axis}": column for column, axis in FACTS.items() if all(column in c.config for c in cells)}
    by = ["label", "interface", *(facts.get(axis, axis) for axis in axes)]
    # W&B treats a dot as access to a nested dictionary, so it cannot group by an axis with a dot in its name.
    bars = [_bar(f"pg/overall by {name}", ["pg/overall"], by=(name,)) for name in by if name.count(".") < 2]
    return [_panel("parallel", "Which setting matters", ["pg/overall"], tuple(by)), *bars]


def _keys(panel: Panel, logged: Collection[str], history: Collection[str]) -> set[str]:
    return set(history) if panel["kind"] == "line" else {*logged, "episodes"}


def _bar(title: str, metrics: Sequence[str], by: tuple[str, ...] = ()) -> Panel:
    return _panel("bar", title, metrics, by)


def _line(metric: str) -> Panel:
    return _panel("line", metric, [metric])


def _panel(kind: str, title: str, metrics: Sequence[str], by: tuple[str, ...] = ()) -> Panel:
    return {"kind": kind, "title": title, "metrics": list(metrics), "by": list(by)}


def _title(sweep: str) -> str:
    """Removes symbols, which W&B forbids in workspace names (`=` included)."""
    plain = "".join(c if unicodedata.category(c)[0] not in "SC" else " " for c in sweep)
    return " ".join(plain.split()) or "gwray"
