"""Parses the Prometheus text that vLLM publishes into samples and summaries of an engine. One sample sums over all
replicas of a model. Counters become rates between two samples. They show the bottleneck of a run: an engine without
running requests waits for browsers, one with waiting requests is the bottleneck itself."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from prometheus_client.parser import text_string_to_metric_families

from gwray.records import EngineReading


@dataclass(frozen=True)
class Counters:
    """Totals since the engines started and current levels, summed over replicas."""

    at_s: float = 0
    """Monotonic time in seconds."""
    replicas: int = 0
    running: float = 0
    waiting: float = 0
    kv_usage: float = 0
    """Highest KV cache usage of the replicas, 0 to 1."""
    prefix_queries: float = 0
    prefix_hits: float = 0
    mm_queries: float = 0
    mm_hits: float = 0
    prompt_tokens: float = 0
    generation_tokens: float = 0
    requests: float = 0
    """Finished requests, with any outcome."""
    preemptions: float = 0
    by_engine: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Counters of each engine: one may be replaced, added or unreachable while the others continue."""


@dataclass
class EngineSummary:
    """Summary of a run's samples of one model."""

    model: str
    samples: int = 0
    seconds: float = 0
    busy_share: float | None = None
    """Share of samples in which the engine had requests."""
    mean_running: float | None = None
    max_waiting: float = 0
    max_kv_usage: float = 0
    prefix_cache_hit_rate: float | None = None
    mm_cache_hit_rate: float | None = None
    prompt_tokens_per_s: float | None = None
    generation_tokens_per_s: float | None = None
    requests: float = 0
    requests_per_s: float | None = None
    engine_hours: float = 0
    """Hours of all replicas, from the first reading to the last."""
    restarts: int = 0
    """Engines that replaced another: counters that were reset, and engines beyond the most that ever ran at once."""


_COUNTED = {
    "num_requests_running": "running",
    "num_requests_waiting": "waiting",
    "prefix_cache_queries_total": "prefix_queries",
    "prefix_cache_hits_total": "prefix_hits",
    "mm_cache_queries_total": "mm_queries",
    "mm_cache_hits_total": "mm_hits",
    "prompt_tokens_total": "prompt_tokens",
    "generation_tokens_total": "generation_tokens",
    "request_success_total": "requests",
    "num_preemptions_total": "preemptions",
}


def parse(texts: Iterable[str] | Mapping[str, str], model_id: str, at_s: float | None = None) -> Counters:
    """Parses the counters of one model from the metrics pages of its replicas, or of Ray's nodes (with all models).

    Args:
        texts: Pages by their addresses, or in a fixed order.
        model_id: Name of the model in the labels.
        at_s: Monotonic time of the reading in seconds; None: now.
    """
    pages = texts.items() if isinstance(texts, Mapping) else enumerate(texts)
    engines: dict[str, dict[str, float]] = {}
    kv = 0.0
    up: set[str] = set()
    for page, text in pages:
        for name, labels, value in _samples(text):
            if labels.get("model_name") != model_id:
                continue
            engine = f"{page} {labels.get('ReplicaId', '')} {labels.get('engine', '')}"
            if name == "kv_cache_usage_perc":
                kv = max(kv, value)
                up.add(engine)
            elif name in _COUNTED:
                counted = engines.setdefault(engine, dict.fromkeys(_COUNTED.values(), 0.0))
                counted[_COUNTED[name]] += value
    totals = {n: sum(e[n] for e in engines.values()) for n in _COUNTED.values()}
    at = time.monotonic() if at_s is None else at_s
    return Counters(at_s=at, replicas=len(up), kv_usage=kv, by_engine=engines, **totals)


def _samples(text: str) -> Iterator[tuple[str, Mapping[str, str], float]]:
    """Yields the names (without the prefix of vLLM or of Ray's exporter), labels and values of vLLM's samples."""
    lines = "\n".join(line for line in text.splitlines() if "vllm" in line and not line.startswith("#"))
    for family in text_string_to_metric_families(lines):
        for found in family.samples:
            yield found.name.removeprefix("ray_").removeprefix("vllm")[1:], found.labels, found.value


def increments(now: Counters, before: Counters | None) -> dict[str, float]:
    """Returns the increase of each counter. A new engine, or one whose counters were reset, counts from zero."""
    out = dict.fromkeys(_COUNTED.values(), 0.0)
    for engine, values in now.by_engine.items():
        base = before.by_engine.get(engine, {}) if before else {}
        if _was_reset(values, base):
            base = {}
        for name in out:
            out[name] += max(values[name] - base.get(name, 0), 0)
    return out


def _was_reset(values: Mapping[str, float], base: Mapping[str, float]) -> bool:
    return values["generation_tokens"] < base.get("generation_tokens", 0)


def sample(model: str, now: Counters, before: Counters | None = None) -> EngineReading:
    """Returns current levels, with rates since `before` (since the start if it is None); a rate without any event is
    None."""
    added = increments(now, before)
    seconds = None if before is None else now.at_s - before.at_s

    def per_s(name: str) -> float | None:
        return added[name] / seconds if seconds else None

    return EngineReading(
        model=model,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        replicas=now.replicas,
        running=now.running,
        waiting=now.waiting,
        kv_usage=now.kv_usage,
        prefix_cache_hit_rate=_rate(added["prefix_hits"], added["prefix_queries"]),
        mm_cache_hit_rate=_rate(added["mm_hits"], added["mm_queries"]),
        prompt_tokens_per_s=per_s("prompt_tokens"),
        generation_tokens_per_s=per_s("generation_tokens"),
        requests_per_s=per_s("requests"),
        preemptions=now.preemptions,
    )


@dataclass
class History:
    """Samples of one model during a run, kept as sums: memory does not grow with the run."""

    model: str
    last: Counters | None = None
    first_s: float = 0
    _samples: int = 0
    _busy: int = 0
    _running: float = 0
    _max_waiting: float = 0
    _max_kv: float = 0
    _engine_s: float = 0
    _resets: int = 0
    _most_at_once: int = 0
    _engines: dict[str, Mapping[str, float]] = field(default_factory=dict)
    _sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_COUNTED.values(), 0.0))

    def add(self, now: Counters) -> EngineReading:
        """Adds one reading and returns it as a sample, with rates since the previous one."""
        before = self.last and replace(self.last, by_engine=dict(self._engines))
        out = sample(self.model, now, before)
        if before is None:
            self.first_s = now.at_s
        else:
            self._engine_s += now.replicas * (now.at_s - before.at_s)
            self._resets += sum(_was_reset(v, self._engines.get(e, {})) for e, v in now.by_engine.items())
            for name, value in increments(now, before).items():
                self._sums[name] += value
        self._engines.update(now.by_engine)  # keeps an engine that is unreachable for one reading
        self._most_at_once = max(self._most_at_once, now.replicas)
        self._samples += 1
        self._busy += now.running + now.waiting > 0
        self._running += now.running
        self._max_waiting = max(self._max_waiting, now.waiting)
        self._max_kv = max(self._max_kv, now.kv_usage)
        self.last = now
        return out

    def summary(self) -> EngineSummary:
        if self.last is None:
            return EngineSummary(self.model)
        seconds, sums = self.last.at_s - self.first_s, self._sums
        return EngineSummary(
            model=self.model,
            samples=self._samples,
            seconds=seconds,
            busy_share=self._busy / self._samples,
            mean_running=self._running / self._samples,
            max_waiting=self._max_waiting,
            max_kv_usage=self._max_kv,
            prefix_cache_hit_rate=_rate(sums["prefix_hits"], sums["prefix_queries"]),
            mm_cache_hit_rate=_rate(sums["mm_hits"], sums["mm_queries"]),
            prompt_tokens_per_s=sums["prompt_tokens"] / seconds if seconds else None,
            generation_tokens_per_s=sums["generation_tokens"] / seconds if seconds else None,
            requests=sums["requests"],
            requests_per_s=sums["requests"] / seconds if seconds else None,
            engine_hours=self._engine_s / 3600,
            restarts=self._resets + max(len(self._engines) - self._most_at_once, 0),
        )


def _rate(hits: float, queries: float) -> float | None:
    return hits / queries if queries > 0 else None
