"""Running averages of one cell, updated after each episode: the values of a live chart.

SR is the share of episodes that reached their target, PG the mean of their best progress, both as fractions; within
a group repeats are averaged per task first and tasks weigh equally. Failed episodes have no score and are only
counted; a finished one without a score enters no average.
"""

from bisect import bisect_right
from collections.abc import Iterable
from datetime import datetime
from operator import attrgetter
from typing import Any

from gwray.analysis import TaskMeans
from gwray.records import EngineReading, EpisodeRecord

Value = float | int | str


class MetricsSoFar:
    """Averages over the finished episodes of one cell so far. Add each episode once.

    `metrics`: names of the custom metrics of the cell; others are not shown.
    """

    def __init__(self, metrics: Iterable[str] = ()) -> None:
        self._shown = {name.rpartition(".")[2] for name in metrics}
        self._groups: dict[str, TaskMeans] = {}
        self._sums = dict.fromkeys(
            ("proposals", "no_tool_call", "out_of_space", "input_tokens", "cached_tokens", "output_tokens",
             "reasoning_tokens", "steps", "latency_ms", "cost_usd"), 0.0
        )  # fmt: skip
        self._games: dict[str, TaskMeans] = {}
        self._own: dict[str, TaskMeans] = {}
        """Of custom metrics, by game and name: values of different games have different units."""
        self._priced = False
        self.finished = 0

    def add(self, record: EpisodeRecord) -> dict[str, Value]:
        """Adds a finished episode. Returns its history row: its own values and every average that it changed."""
        self.finished += 1
        for name in self._sums:
            self._sums[name] += getattr(record, name) or 0
        self._priced = self._priced or record.cost_usd is not None
        row = _episode(record)
        for name, value in record.metrics.items():
            if value == value and name.partition(".")[0] in self._shown:
                means = self._own.setdefault(f"metrics/{record.game}/{name}", TaskMeans())
                means.add(record.task, 0.0, value)
                row[f"metrics/{record.game}/{name}"] = means.pg
        if record.progress is None or record.progress != record.progress:
            return row | self._totals()  # the episode has no score
        names = ["overall"]
        if record.genre:
            names.append(f"genre/{record.genre}")
        if record.level:
            names.append(f"level/{record.level}")
        for name in names:
            group = self._groups.setdefault(name, TaskMeans())
            group.add(f"{record.game}/{record.task}", float(record.success), record.progress)
            row |= _scores(name, group)
        game = self._games.setdefault(f"pg/game/{record.game}", TaskMeans())
        game.add(record.task, 0.0, record.progress)
        row[f"pg/game/{record.game}"] = game.pg
        return row | self._totals()

    def summary(self) -> dict[str, Value]:
        """Returns all current averages and totals by chart name; empty before the first episode."""
        values: dict[str, Value] = {}
        for name in sorted(self._groups):
            values |= _scores(name, self._groups[name])
        values |= {name: means.pg for name, means in sorted((self._games | self._own).items())}
        return values | (self._totals() if self.finished else {})

    def _totals(self) -> dict[str, Value]:
        """Returns rates and totals over all finished episodes, the cost (USD) only if an episode has a price."""
        s = self._sums
        asked = s["proposals"] or 1
        values: dict[str, Value] = {
            "iar/overall": (s["no_tool_call"] + s["out_of_space"]) / asked,
            "iar/no_tool_call": s["no_tool_call"] / asked,
            "iar/out_of_space": s["out_of_space"] / asked,
            "tokens/input": int(s["input_tokens"]),
            "tokens/cached": int(s["cached_tokens"]),
            "tokens/output": int(s["output_tokens"]),
            "tokens/reasoning": int(s["reasoning_tokens"]),
            "tokens/per_step": (s["input_tokens"] + s["output_tokens"]) / (s["steps"] or 1),
            "latency/mean_ms": s["latency_ms"] / asked,
            "steps/total": int(s["steps"]),
        }
        if self._priced:
            values["cost/usd"] = s["cost_usd"]
        return values


def _scores(name: str, group: TaskMeans) -> dict[str, Value]:
    """Returns the SR and PG of a group, as fractions, by chart name."""
    return {f"sr/{name}": group.sr, f"pg/{name}": group.pg}


def _episode(record: EpisodeRecord) -> dict[str, Value]:
    """Returns an episode's own values by chart name, without missing ones and NaN."""
    row: dict[str, Value | None] = {
        "episode/key": record.key,
        "episode/game": record.game,
        "episode/task": record.task,
        "episode/seed": record.seed,
        "episode/repeat": record.repeat,
        "episode/success": int(record.success),
        "episode/progress": record.progress,
        "episode/score": record.score,
        "episode/steps": record.steps,
        "episode/resets": record.resets,
        "episode/invalid": record.no_tool_call + record.out_of_space,
        "episode/tokens": record.input_tokens + record.output_tokens,
        "episode/cost_usd": record.cost_usd,
        "episode/latency_ms": record.latency_ms / record.proposals if record.proposals else None,
    }
    return {k: v for k, v in row.items() if v is not None and v == v}


COLUMNS = (
    "key", "game", "task", "genre", "level", "seed", "repeat", "status", "success", "progress", "score", "steps",
    "resets", "ended_by", "no_tool_call", "out_of_space", "input_tokens", "output_tokens", "cost_usd",
    "latency_ms", "reproducible", "error_class", "error_message",
)  # fmt: skip
"""Columns of the table of episodes."""
_LONGEST = 2000
"""Maximum characters of a text in the table: an error message may contain a complete page."""


def table_row(record: EpisodeRecord) -> list[Any]:
    """Returns a record's values of `COLUMNS`, with long texts cut."""
    values = (getattr(record, c) for c in COLUMNS)
    return [v[:_LONGEST] if isinstance(v, str) else v for v in values]


class Table:
    """Table of one cell's episodes. Stores the keys of all finished and failed episodes, but complete records only of
    about as many as it shows, so that memory does not grow with the number of episodes.

    `rows`: maximum number of rows shown.
    """

    def __init__(self, rows: int):
        self._most = rows
        self._records: dict[str, EpisodeRecord] = {}
        self._finished: set[str] = set()
        self.failed: set[str] = set()

    def take(self, record: EpisodeRecord) -> bool:
        """Adds the record of an episode, replacing that of an earlier failed attempt.

        Returns False, and changes nothing, if the episode is already recorded as finished.
        """
        if record.key in self._finished:
            return False
        if record.status == "finished":
            self._finished.add(record.key)
            self.failed.discard(record.key)
        else:
            self.failed.add(record.key)
        self._records[record.key] = record
        if len(self._records) > 2 * self._most:
            self._records = {r.key: r for r in self.rows()}
        return True

    def __len__(self) -> int:
        """Returns the number of finished and failed episodes."""
        return len(self._finished) + len(self.failed)

    def rows(self) -> list[EpisodeRecord]:
        """Returns the records to show: the first ones by game, task, seed and repeat."""
        by = attrgetter("game", "task", "seed", "repeat", "key")
        return sorted(self._records.values(), key=by)[: self._most]


METRICS = (
    "running", "waiting", "replicas", "kv_usage", "prefix_cache_hit_rate", "generation_tokens_per_s", "requests_per_s",
    "lanes", "lanes_waiting",
)  # fmt: skip


class Engines:
    """All engine readings so far, by model."""

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
    """Returns an ISO 8601 time as seconds since 1970."""
    return datetime.fromisoformat(at).timestamp()
