"""Feeds the episodes of a plan to an executor until all are finished, failed for good, or somebody says stop.

Back-pressure is decided here and nowhere else: an episode is sequential, so episodes in flight are the requests in
flight, and no model gets more than its profile allows. A failed record says whether another try could succeed, whether
the failure counts against the episode's tries, and whether its model is of no use from now on; another try is played
alone, so that it disturbs nobody and shows whose fault it is. The budget stops new episodes before it is passed.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gwray.pipelines.executor import Executor
from gwray.records import EpisodeRecord
from gwray.spec import BudgetSpec, EpisodeSpec, ModelSpec


class EpisodeListener(Protocol):
    """Where records go the moment they exist."""

    def finished(self, record: EpisodeRecord) -> None: ...
    def failed(self, record: EpisodeRecord, final: bool) -> None: ...


@dataclass
class Tally:
    """How far the run is."""

    planned: int
    finished: int = 0
    failed: int = 0
    in_flight: int = 0
    retried: int = 0
    skipped: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Reason → episodes that were not started."""
    usd: float = 0.0
    tokens: int = 0


class Budget:
    """Says whether one more episode fits. What an episode costs is learnt from those that ended."""

    def __init__(
        self, spec: BudgetSpec, guess_usd: Callable[[EpisodeSpec], float], guess_tokens: Callable[[EpisodeSpec], int]
    ):
        self._spec = spec
        self._guess = {"usd": guess_usd, "tokens": guess_tokens}
        self._spent = {"usd": 0.0, "tokens": 0.0}
        self._seen: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._held: dict[str, tuple[float, float]] = {}
        self._charged: dict[str, tuple[float, int]] = {}

    def charge(self, record: EpisodeRecord) -> tuple[float, int]:
        """Count what an episode has cost (also those of earlier invocations), and return what of it is new: another
        try reports the replies of the tries before it again."""
        usd, tokens = record.cost_usd or 0.0, record.input_tokens + record.output_tokens
        before = self._charged.get(record.key, (0.0, 0))
        new = max(0.0, usd - before[0]), max(0, tokens - before[1])
        self._charged[record.key] = before[0] + new[0], before[1] + new[1]
        self._spent["usd"] += new[0]
        self._spent["tokens"] += new[1]
        self._held.pop(record.key, None)
        if record.status == "finished":
            self._seen[record.cell].append((usd, tokens))
        return new

    @property
    def holding(self) -> bool:
        """Episodes that were admitted have not ended yet: once they have, there may be room again."""
        return bool(self._held)

    def admits(self, spec: EpisodeSpec) -> str | None:
        """None, and the episode's expected cost is held for it; or why it may not start."""
        if self._spec.usd is None and self._spec.tokens is None:
            return None
        seen = self._seen[spec.cell_id]
        expected = {
            "usd": max((u for u, _ in seen), default=self._guess["usd"](spec)),
            "tokens": max((t for _, t in seen), default=self._guess["tokens"](spec)),
        }
        held = {"usd": sum(u for u, _ in self._held.values()), "tokens": sum(t for _, t in self._held.values())}
        for unit, limit in (("usd", self._spec.usd), ("tokens", self._spec.tokens)):
            if limit is not None and self._spent[unit] + held[unit] + expected[unit] > limit:
                return f"budget.{unit}={limit:g} would be passed"
        self._held[spec.key] = (expected["usd"], expected["tokens"])
        return None


def requests_in_flight(spec: EpisodeSpec, model: str, roles: Sequence[str]) -> int:
    """How many of an episode's roles may ask a model at once; a role has one question open, or one batch, whose size
    the limiter of requests holds down."""
    players = [spec.cell.player(r) for r in roles]
    return sum(model in {m.name for m in (p.model, *p.helpers.values())} for p in players)


class Schedule:
    """One pass over episodes. `stop()` ends it after the lanes have let go; nothing that arrived is lost."""

    def __init__(
        self,
        episodes: Sequence[EpisodeSpec],
        executor: Executor,
        sink: EpisodeListener,
        budget: Budget,
        *,
        tries: int,
        roles: Callable[[str], Sequence[str]],
        tally: Tally,
    ):
        self._waiting = list(episodes)
        self._executor = executor
        self._sink = sink
        self._budget = budget
        self._tries = tries
        self._roles = roles
        self.tally = tally
        self._in_flight: dict[str, int] = defaultdict(int)
        self._stopped_models: dict[str, str] = {}
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Start nothing more and let go of what is in flight."""
        self._stopping.set()

    def give_up(self, model: str, reason: str) -> None:
        """Start no episode of this model."""
        self._stopped_models.setdefault(model, reason)

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    async def run(self) -> None:
        """Play until nothing is waiting. Raises `StoreError` when records can no longer be kept."""
        playing: dict[asyncio.Task[EpisodeRecord], tuple[EpisodeSpec, int]] = {}
        tries: dict[str, int] = defaultdict(int)
        suspects: set[str] = set()
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            while self._waiting or playing:
                while len(playing) < self._executor.slots and (spec := self._next()) is not None:
                    tries[spec.key] += 1
                    self._count(spec, +1)
                    alone = spec.key in suspects
                    task = asyncio.create_task(self._executor.play(spec, tries[spec.key], alone=alone))
                    playing[task] = (spec, tries[spec.key])
                if not playing:
                    break
                await asyncio.wait({*playing, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if stopping.done():
                    break
                for task in [t for t in playing if t.done()]:
                    spec, attempt = playing.pop(task)
                    self._count(spec, -1)
                    record = task.result()
                    self._settle(spec, record, attempt)
                    suspects.add(spec.key)
                    tries[spec.key] -= not record.costs_try
        finally:
            stopping.cancel()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for spec, _ in playing.values():
                self._count(spec, -1)

    def _next(self) -> EpisodeSpec | None:
        """The first waiting episode that may start now; those that never may are dropped with their reason."""
        i = 0
        while i < len(self._waiting):
            spec = self._waiting[i]
            dead = next((m.name for m in spec.cell.models() if m.name in self._stopped_models), None)
            if dead is not None:
                self.tally.skipped[self._stopped_models[dead]] += 1
                self._waiting.pop(i)
                continue
            if all(self._room(m, spec) for m in spec.cell.models()):
                reason = self._budget.admits(spec)
                if reason is None:
                    return self._waiting.pop(i)
                if not self._budget.holding:
                    self._waiting.pop(i)
                    self.tally.skipped[reason] += 1
                    continue
            i += 1
        return None

    def _room(self, model: ModelSpec, spec: EpisodeSpec) -> bool:
        need = requests_in_flight(spec, model.name, self._roles(spec.game))
        now = self._in_flight[model.name]
        return now == 0 or now + need <= model.max_in_flight

    def _count(self, spec: EpisodeSpec, sign: int) -> None:
        self.tally.in_flight += sign
        for model in spec.cell.models():
            self._in_flight[model.name] += sign * requests_in_flight(spec, model.name, self._roles(spec.game))

    def _settle(self, spec: EpisodeSpec, record: EpisodeRecord, attempt: int) -> None:
        usd, tokens = self._budget.charge(record)
        self.tally.usd += usd
        self.tally.tokens += tokens
        if record.status == "finished":
            self.tally.finished += 1
            self._sink.finished(record)
            return
        again = record.retryable and (attempt < self._tries or not record.costs_try)
        self._sink.failed(record, final=not again)
        if again:
            self.tally.retried += 1
            self._waiting.append(spec)
            return
        self.tally.failed += 1
        if record.stops_model:
            for model in spec.cell.models():
                reason = f"{model.name}: {record.error_class}: {record.error_message}"
                self._stopped_models.setdefault(model.name, reason)
