"""Game time that a reply costs in `timing=realtime` and `timing=adaptive`. An input of the episode, independent of the
node's load."""

import math
import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from gwray.catalog import Task
from gwray.errors import UsageError
from gwray.records import Reply, digest
from gwray.spec import TimingSpec

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
        """Returns the ms to advance the game clock: the reply's latency, times the game's speed.

        Distributions and tables are drawn with a seed that depends on the reply's position in the episode, not on the
        cell, so two models get the same draws.
        """
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


def refuse_unknown_tags(timing: TimingSpec, tasks: Collection[Task]) -> str:
    """Raises `UsageError` for a tag of `timing.paused_in` that no task has. Returns a notice about tasks without any of
    the tags; empty if there are none."""
    known = dict.fromkeys(tag for task in tasks for tag in task.tags)
    for tag in timing.paused_in:
        if tag not in known:
            raise UsageError(
                f"timing.paused_in '{tag}': no chosen task has this tag. Allowed: "
                f"{', '.join(known) or 'none, they have no tags'}. Use timing=realtime to charge always."
            )
    without = sum(task.tags.keys().isdisjoint(timing.paused_in) for task in tasks) if timing.paused_in else 0
    where = ", ".join(timing.paused_in)
    return (
        f"timing=adaptive: {without} of {len(tasks)} tasks have no tag {where}, so they are always charged"
        if without
        else ""
    )


def parse_latency(timing: TimingSpec) -> Latency:
    """Read `timing.latency`. Raises `UsageError` naming the value and the forms that are allowed."""
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
