"""Game time that a reply costs in `timing=realtime` and `timing=adaptive`. An input of the episode, independent of the
node's load."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gwray.catalog import Game, Task, published_protocol
from gwray.errors import UsageError
from gwray.places import read_regular
from gwray.places.validation import in_words
from gwray.records import Reply, digest
from gwray.settings import TimingSpec

FORMS = "measured, fixed:MS, uniform:LOW,HIGH, normal:MEAN,SD, lognormal:MEDIAN,SIGMA, exponential:MEAN, table:FILE"
LONGEST_MS = 60_000.0
"""Maximum charge of a reply in ms."""

_DRAWS: dict[str, tuple[int, Callable[..., float]]] = {
    "fixed": (1, lambda rng, ms: ms),
    "uniform": (2, lambda rng, low, high: rng.uniform(low, high)),
    "normal": (2, lambda rng, mean, sd: rng.gauss(mean, sd)),
    "lognormal": (2, lambda rng, median, sigma: rng.lognormvariate(math.log(median), sigma)),
    "exponential": (1, lambda rng, mean: rng.expovariate(1 / mean)),
}


@dataclass(frozen=True)
class Latency:
    """A parsed latency rule."""

    timing: TimingSpec
    kind: str
    numbers: tuple[float, ...] = ()

    def charge(
        self, reply: Reply, *, task: str, seed: int, repeat: int, decision: int, role: str, call: int = 0
    ) -> float:
        """Returns the ms to advance the game clock: the reply's latency, times the game's speed. Distributions and
        tables are drawn with a seed that depends on the reply's position in the episode, not on the cell, so two models
        get the same draws."""
        if not self.timing.charge:
            return 0.0
        if self.kind == "measured":
            ms = reply.latency_ms
        else:
            words = (self.timing.latency, self.timing.latency_seed, task, seed, repeat, decision, role, call)
            rng = random.Random(digest(*map(str, words)))
            ms = _drawn(rng, self.kind, self.numbers)
        return round(min(LONGEST_MS, max(0.0, ms)) * self.timing.speed, 3)


def _drawn(rng: random.Random, kind: str, numbers: Sequence[float]) -> float:
    # `random()` alone is the same in every version of Python.
    return numbers[int(rng.random() * len(numbers))] if kind == "table" else _DRAWS[kind][1](rng, *numbers)


def fingerprint(latencies: Sequence[float]) -> str:
    """Returns a short hash that identifies a measured distribution in cell names."""
    return digest(*map(str, latencies))[:6]


def refuse_unknown_tags(timing: TimingSpec, selected: Sequence[tuple[Game, Task]]) -> str:
    """Raises `UsageError` for a tag of `timing.paused_in` that no task of the chosen games has. Returns a notice about
    chosen tasks without any of the tags; empty if there are none."""
    known = dict.fromkeys(tag for game, _ in selected for task in game.tasks for tag in task.tags)
    for tag in timing.paused_in:
        if tag not in known:
            raise UsageError(
                f"timing.paused_in '{tag}': no task of the chosen games has this tag. Allowed: "
                f"{', '.join(known) or 'none, they have no tags'}. Use timing=realtime to charge always."
            )
    without = sum(t.tags.keys().isdisjoint(timing.paused_in) for _, t in selected) if timing.paused_in else 0
    where = ", ".join(timing.paused_in)
    return (
        f"timing=adaptive: {without} of {len(selected)} tasks have no tag {where}, so they are always charged"
        if without
        else ""
    )


def parse_latency(timing: TimingSpec) -> Latency:
    """Parses `timing.latency`. Raises `UsageError` naming the value and the forms that are allowed."""
    kind, _, rest = timing.latency.strip().partition(":")
    if kind == "measured" and not rest:
        return Latency(timing, kind)
    if kind == "table" and (not timing.charge or rest.endswith(f":{fingerprint(timing.latencies)}")):
        return Latency(timing, kind, timing.latencies)
    try:
        count, _ = _DRAWS[kind]
        numbers = tuple(float(n) for n in rest.split(","))
        good = len(numbers) == count and all(math.isfinite(n) and n >= 0 for n in numbers)
        good = good and (kind not in ("lognormal", "exponential") or numbers[0] > 0)
    except (KeyError, ValueError):
        good, numbers = False, ()
    if not good:
        raise UsageError(f"timing.latency '{timing.latency}' is not understood. Allowed: {FORMS} (milliseconds).")
    return Latency(timing, kind, numbers)


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

    def merged(self, older: "LatencyTable") -> "LatencyTable":
        """Returns this table with the cells of an older one that it lacks."""
        mine = {c.cell for c in self.cells}
        return self.model_copy(update={"cells": (*self.cells, *(c for c in older.cells if c.cell not in mine))})


def read_table(path: str | Path) -> LatencyTable:
    """Reads the file that `gwray latency` writes. Raises `UsageError` for a missing or invalid file."""
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
