"""Parses the Prometheus text that vLLM publishes into samples and summaries of an engine. One sample sums over all
replicas of a model. Counters become rates between two samples. They show the bottleneck of a run: an engine without
running requests waits for browsers, one with waiting requests is the bottleneck itself."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from prometheus_client.parser import text_string_to_metric_families

from gwray.records import EngineReading

LEVELS = {"num_requests_running": "running", "num_requests_waiting": "waiting"}
COUNTERS = {
    "prefix_cache_queries_total": "prefix_queries",
    "prefix_cache_hits_total": "prefix_hits",
    "generation_tokens_total": "generation_tokens",
    "request_success_total": "requests",
}
Engine = dict[str, float]
"""Values of one engine by name, as in `LEVELS` and `COUNTERS`; `kv_usage` is the share of its KV cache in use."""


@dataclass(frozen=True)
class Counters:
    """Current levels of a model's engines, and their totals since they started. One engine may be replaced, added or
    unreachable while the others continue."""

    at_s: float = 0
    """Monotonic time in seconds."""
    engines: Mapping[str, Engine] = field(default_factory=dict)

    @property
    def replicas(self) -> int:
        return len(self.engines)

    def total(self, name: str) -> float:
        return sum(engine[name] for engine in self.engines.values())


@dataclass
class EngineSummary:
    """Summary of a run's samples of one model."""

    model: str
    samples: int = 0
    busy_share: float | None = None
    """Share of samples in which the engine had requests."""
    prefix_cache_hit_rate: float | None = None
    generation_tokens_per_s: float | None = None
    requests: float = 0
    """Finished requests, with any outcome."""
    requests_per_s: float | None = None
    engine_hours: float = 0
    """Hours of all replicas, from the first reading to the last."""
    restarts: int = 0
    """Engines that replaced another: counters that were reset, and engines beyond the most that ever ran at once."""


def parse(pages: Mapping[str, str], model_id: str, at_s: float | None = None) -> Counters:
    """Parses the counters of one model from the metrics pages of its replicas.

    Args:
        pages: Pages by the names of the replicas.
        model_id: Name of the model in the labels.
        at_s: Monotonic time of the reading in seconds; None: now.
    """
    engines: dict[str, Engine] = {}
    for page, text in pages.items():
        for name, labels, value in _samples(text):
            if labels.get("model_name") == model_id:
                empty = dict.fromkeys((*LEVELS.values(), *COUNTERS.values(), "kv_usage"), 0.0)
                engine = engines.setdefault(f"{page} {labels.get('engine', '')}", empty)
                engine[name] += value
    return Counters(time.monotonic() if at_s is None else at_s, engines)


def _samples(text: str) -> Iterator[tuple[str, Mapping[str, str], float]]:
    """Yields names, labels and values of the samples that are counted."""
    names = {f"vllm:{name}": ours for name, ours in ({"kv_cache_usage_perc": "kv_usage"} | LEVELS | COUNTERS).items()}
    lines = "\n".join(line for line in text.splitlines() if line.partition("{")[0] in names)
    for family in text_string_to_metric_families(lines):
        for found in family.samples:
            yield names[found.name], found.labels, found.value


@dataclass
class History:
    """Samples of one model during a run, kept as sums: memory does not grow with the run."""

    model: str
    last: Counters | None = None
    first_s: float = 0
    _samples: int = 0
    _busy: int = 0
    _engine_s: float = 0
    _resets: int = 0
    _most_at_once: int = 0
    _engines: dict[str, Engine] = field(default_factory=dict)
    """Last values of each engine, also of one that is unreachable for one reading."""
    _sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(COUNTERS.values(), 0.0))

    def add(self, now: Counters) -> EngineReading:
        """Adds one reading and returns it: current levels, with rates since the previous one (hit rates since the start
        if it is the first); a rate without any event is None."""
        added, seconds = dict.fromkeys(COUNTERS.values(), 0.0), None
        for name, values in now.engines.items():
            base = self._engines.get(name, {})
            if values["generation_tokens"] < base.get("generation_tokens", 0):  # it was restarted and counts from zero
                self._resets += 1
                base = {}
            for counter in added:
                added[counter] += max(values[counter] - base.get(counter, 0), 0)
        if self.last is None:
            self.first_s = now.at_s
        else:
            seconds = now.at_s - self.last.at_s
            self._engine_s += now.replicas * seconds
            self._sums = {name: total + added[name] for name, total in self._sums.items()}
        self._engines |= now.engines
        self._most_at_once = max(self._most_at_once, now.replicas)
        self._samples += 1
        self._busy += now.total("running") + now.total("waiting") > 0
        self.last = now
        return EngineReading(
            model=self.model,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            replicas=now.replicas,
            running=now.total("running"),
            waiting=now.total("waiting"),
            kv_usage=max((engine["kv_usage"] for engine in now.engines.values()), default=0.0),
            prefix_cache_hit_rate=_rate(added["prefix_hits"], added["prefix_queries"]),
            generation_tokens_per_s=_rate(added["generation_tokens"], seconds),
            requests_per_s=_rate(added["requests"], seconds),
        )

    def summary(self) -> EngineSummary:
        if self.last is None:
            return EngineSummary(self.model)
        seconds, sums = self.last.at_s - self.first_s, self._sums
        return EngineSummary(
            model=self.model,
            samples=self._samples,
            busy_share=self._busy / self._samples,
            prefix_cache_hit_rate=_rate(sums["prefix_hits"], sums["prefix_queries"]),
            generation_tokens_per_s=_rate(sums["generation_tokens"], seconds),
            requests=sums["requests"],
            requests_per_s=_rate(sums["requests"], seconds),
            engine_hours=self._engine_s / 3600,
            restarts=self._resets + max(len(self._engines) - self._most_at_once, 0),
        )


def _rate(count: float, total: float | None) -> float | None:
    return count / total if total else None
