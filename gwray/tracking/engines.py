"""Adds engine metrics to the rows of episodes, which shows whether engines or browsers are the bottleneck.

W&B draws one chart per column over the episodes as they end. A rebuild from the run directory gives the same columns.
"""

from bisect import bisect_right
from datetime import datetime

from gwray.records import EngineReading

Value = float | int | str
METRICS = (
    "running", "waiting", "replicas", "kv_usage", "prefix_cache_hit_rate", "mm_cache_hit_rate", "prompt_tokens_per_s",
    "generation_tokens_per_s", "requests_per_s", "lanes", "lanes_waiting",
)  # fmt: skip


class Engines:
    """All readings so far, by model."""

    def __init__(self) -> None:
        self._at: dict[str, list[float]] = {}
        self._values: dict[str, list[tuple[float | None, ...]]] = {}

    def add(self, reading: EngineReading) -> None:
        """Adds a reading. Readings that are not newer than the last one are duplicates and ignored."""
        times = self._at.setdefault(reading.model, [])
        at = _seconds(reading.at)
        if times and at <= times[-1]:
            return
        times.append(at)
        values = self._values.setdefault(reading.model, [])
        values.append(tuple(getattr(reading, f) for f in METRICS))

    def row(self, model: str, finished_at: str) -> dict[str, Value]:
        """Returns the values of the last reading before an episode ended; empty for models that are not hosted."""
        times = self._at.get(model)
        if not times or not finished_at:
            return {}
        # An episode's end is known to the second, a reading to the millisecond.
        i = bisect_right(times, _seconds(finished_at) + 0.999) - 1
        if i < 0:
            return {}
        return {f"engine/{f}": v for f, v in zip(METRICS, self._values[model][i], strict=True) if v is not None}


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
