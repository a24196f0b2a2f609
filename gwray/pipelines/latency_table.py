"""Measured latencies of a model, charged with `timing=realtime latency=table:FILE`.

First pass (`gwray latency`): the cells are played paused with a fixed number of requests in flight, and latencies are
read from the reply logs. Second pass: every reply is charged one of them, drawn from seed and position, independent of
the load. The values are part of the cell's specification, so an episode needs no file.
"""

from __future__ import annotations

import os
import platform
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gwray.catalog import published_protocol
from gwray.errors import UsageError
from gwray.pipelines.latency import fingerprint
from gwray.pipelines.replies import served_models
from gwray.places import read_regular
from gwray.records import LoggedReply
from gwray.spec import TimingSpec
from gwray.store import RunDir
from gwray.validation import in_words

MOST = 100
"""Maximum number of values per level. More replies are sorted and averaged in equal shares."""
TABLE = "table:"


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Level(_Stored):
    """Latencies at one number of requests in flight."""

    in_flight: int = Field(gt=0)
    replies: int
    """Number of measured replies."""
    mean_ms: float
    latencies_ms: tuple[float, ...] = Field(min_length=1, max_length=MOST)
    """Sorted and equally likely; their mean is that of all replies."""


class MeasuredCell(_Stored):
    """Latencies of one paused cell."""

    cell: str
    """Id of the cell."""
    name: str
    model: str
    served_model: str = ""
    """Model name as reported by the provider."""
    date: str
    machine: str
    """Description of the node, measured or given by the user."""
    levels: tuple[Level, ...]


class LatencyTable(_Stored):
    """The file that `gwray latency` writes."""

    cells: tuple[MeasuredCell, ...]

    def merged(self, older: LatencyTable) -> LatencyTable:
        """Returns this table with the cells of an older one that it lacks."""
        mine = {c.cell for c in self.cells}
        return self.model_copy(update={"cells": (*self.cells, *(c for c in older.cells if c.cell not in mine))})


def this_machine() -> str:
    """Returns a description of this node without its name."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def measured(runs: Iterable[tuple[int, RunDir]], machine: str) -> LatencyTable:
    """Returns the latency table of runs, given with their number of requests in flight. Replies with fewer requests in
    flight (at a run's start and end) are ignored.

    Raises `UsageError` for a cell without a single reply at one of its levels.
    """
    levels: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    cells: dict[str, tuple[str, str]] = {}
    served: dict[str, set[str]] = defaultdict(set)
    for in_flight, run in runs:
        manifest = run.manifest()
        cells |= {c.id: (c.name, c.model) for c in manifest.cells}
        for episode in manifest.episodes:
            found = levels[episode.cell][in_flight]
            lines: Sequence[LoggedReply] = run.log(episode.key).read()
            for line in lines:
                if line.in_flight == in_flight:
                    found.append(line.reply.latency_ms)
                    served[episode.cell].add(line.reply.served_model)
    for cell, by_level in levels.items():
        for in_flight, found in by_level.items():
            if not found:
                raise UsageError(
                    f"'{cells[cell][0]}' has no reply with {in_flight} requests in flight: play more tasks "
                    "(game=…), or remove that level (--in-flight)"
                )
    return LatencyTable(
        cells=tuple(
            MeasuredCell(
                cell=cell,
                name=cells[cell][0],
                model=cells[cell][1],
                served_model=served_models(served[cell]),
                date=datetime.now(UTC).date().isoformat(),
                machine=machine,
                levels=tuple(_level(n, found) for n, found in sorted(by_level.items())),
            )
            for cell, by_level in levels.items()
        ),
    )


def _level(in_flight: int, found: Sequence[float]) -> Level:
    ordered, n = sorted(found), len(found)
    shares = min(n, MOST)
    cuts = [n * i // shares for i in range(shares + 1)]
    values = tuple(round(_mean(ordered[a:b]), 3) for a, b in pairwise(cuts))
    return Level(in_flight=in_flight, replies=n, mean_ms=round(_mean(ordered), 3), latencies_ms=values)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def read_table(path: str | Path) -> LatencyTable:
    """Raises `UsageError` for a missing or invalid file."""
    try:
        return LatencyTable.model_validate_json(read_regular(path))
    except OSError as e:
        raise UsageError(
            f"cannot read the latency table '{path}' ({e.strerror}); create it with gwray latency … -o {path}"
        ) from e
    except ValidationError as e:
        raise UsageError(
            f"'{path}' is not a latency table of gwray latency: {in_words(e.errors()[0], LatencyTable)}"
        ) from e


def from_table(timing: TimingSpec, cell: str, name: str) -> TimingSpec:
    """Returns the timing of `latency=table:FILE@LEVEL` with the values of a cell. Raises `UsageError` listing the
    file's cells or levels if it lacks them."""
    path, at, level = timing.latency.removeprefix(TABLE).rpartition("@")
    if not at:
        path, level = level, str(published_protocol().in_flight)
    table = read_table(path)
    found = next((c for c in table.cells if c.cell == cell), None)
    if found is None:
        names = "; ".join(c.name for c in table.cells) or "none"
        raise UsageError(f"'{path}' has no latencies of '{name}'; the cell must be exactly the same (it has: {names}). "
                         f"Measure them with the same settings: gwray latency … -o {path}")  # fmt: skip
    values = next((one.latencies_ms for one in found.levels if str(one.in_flight) == level), None)
    if values is None:
        levels = ", ".join(str(one.in_flight) for one in found.levels)
        raise UsageError(f"'{path}' has no latencies of '{name}' with '{level}' requests in flight. Allowed: {levels}.")
    latency = f"{TABLE}{level}:{fingerprint(values)}"
    return timing.model_copy(update={"latency": latency, "latencies": values})
