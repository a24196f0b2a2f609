"""The latency table of recorded runs."""

import os
import platform
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from gwray.errors import UsageError
from gwray.pipelines import MOST_LATENCIES, LatencyLevel, LatencyTable, MeasuredCell, served_models
from gwray.records import LoggedReply
from gwray.store import RunDir


def this_machine() -> str:
    """Returns a description of this node without its name."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def measured(runs: Iterable[tuple[int, RunDir]], machine: str) -> LatencyTable:
    """Returns the latency table of runs, given with their number of requests in flight. Replies with fewer requests in
    flight (at a run's start and end) are ignored. Raises `UsageError` for a cell without a single reply at one of its
    levels."""
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
                levels=tuple(_make_level(n, found) for n, found in sorted(by_level.items())),
            )
            for cell, by_level in levels.items()
        )
    )


def _make_level(in_flight: int, found: Sequence[float]) -> LatencyLevel:
    """Returns the distribution of latencies (in ms) at one number of requests in flight."""
    ordered, n = sorted(found), len(found)
    shares = min(n, MOST_LATENCIES)
    cuts = [n * i // shares for i in range(shares + 1)]
    values = tuple(round(_mean(ordered[a:b]), 3) for a, b in pairwise(cuts))
    return LatencyLevel(in_flight=in_flight, replies=n, mean_ms=round(_mean(ordered), 3), latencies_ms=values)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
