"""What the engines of hosted models did, as columns of the rows of episodes: did they or the browsers set the pace?

W&B draws one chart a column over the episodes as they end. The same readings give the same columns when the W&B run is
built again from the run directory.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime

from gwray.records import EngineReading

Value = float | int | str
FIGURES = (
    "running", "waiting", "replicas", "kv_usage", "prefix_cache_hit_rate", "mm_cache_hit_rate", "prompt_tokens_per_s",
    "generation_tokens_per_s", "requests_per_s", "lanes", "lanes_waiting",
)  # fmt: skip


class Engines:
    """All readings so far, by model."""

    def __init__(self) -> None:
        self._at: dict[str, list[float]] = {}
        self._figures: dict[str, list[tuple[float | None, ...]]] = {}

    def add(self, reading: EngineReading) -> None:
        """Take in one reading; one that is not newer than the last was read from the run directory already."""
        times = self._at.setdefault(reading.model, [])
        at = _seconds(reading.at)
        if times and at <= times[-1]:
            return
        times.append(at)
        figures = self._figures.setdefault(reading.model, [])
        figures.append(tuple(getattr(reading, f) for f in FIGURES))

    def row(self, model: str, finished_at: str) -> dict[str, Value]:
        """The figures of the last reading before an episode of this model ended; empty when nothing is hosted here."""
        times = self._at.get(model)
        if not times or not finished_at:
            return {}
        # An episode's end is known to the second, a reading to the millisecond.
        i = bisect_right(times, _seconds(finished_at) + 0.999) - 1
        if i < 0:
            return {}
        return {f"engine/{f}": v for f, v in zip(FIGURES, self._figures[model][i], strict=True) if v is not None}


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
