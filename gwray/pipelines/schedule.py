"""Feeds the episodes of a plan to an executor until all are finished, failed for good, or somebody says stop.

Back-pressure is decided here and nowhere else: an episode is sequential, so episodes in flight are the requests in
flight, and no model gets more than its profile allows. A failed record says whether another try could succeed, whether
the failure counts against the episode's tries, and whether its model is of no use from now on; another try is played
alone, so that it disturbs nobody and shows whose fault it is. The budget stops new episodes before it is passed.

Lanes and engines follow one signal, the requests that a model is asked at once: a hosted model is given what its
engines take now, and the executor is told how many episodes could play if there were lanes enough.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple, Protocol

from gwray.local_players import LOCAL_PLAYERS
from gwray.pipelines.executor import Executor
from gwray.pipelines.product import Episodes
from gwray.records import EpisodeRecord
from gwray.spec import BudgetSpec, EpisodeSpec

LOOK_S = 2.0
"""So often it is looked whether more may start, though none has ended: lanes may have come, and engines."""


class EpisodeListener(Protocol):
    """Where records go the moment they exist; called in a thread, one call at a time."""

    def finished(self, records: Sequence[EpisodeRecord]) -> None: ...
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
        self._dearest: dict[str, tuple[float, float]] = {}
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
            most = self._dearest.get(record.cell, (0.0, 0.0))
            self._dearest[record.cell] = max(most[0], usd), max(most[1], tokens)
            del self._charged[record.key]  # nobody tries it again
        return new

    @property
    def holding(self) -> bool:
        """Episodes that were admitted have not ended yet: once they have, there may be room again."""
        return bool(self._held)

    def admits(self, spec: EpisodeSpec) -> str | None:
        """None, and the episode's expected cost is held for it; or why it may not start."""
        if self._spec.usd is None and self._spec.tokens is None:
            return None
        dearest = self._dearest.get(spec.cell_id) or (self._guess["usd"](spec), self._guess["tokens"](spec))
        expected = {"usd": dearest[0], "tokens": dearest[1]}
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


class Need(NamedTuple):
    """What an episode asks of a model."""

    model: str
    at_once: int
    limit: int
    """What the model's profile allows in flight."""


Needs = tuple[Need, ...]


class Waiting(NamedTuple):
    """An episode that is still to be played."""

    spec: EpisodeSpec
    tries: int = 0
    """That failed before and count."""
    again: bool = False
    """It is another try, and is played alone."""


class Load(NamedTuple):
    """What a model has to do with the lanes of a run."""

    requests: int
    """That its players may have open."""
    lanes: int
    """Episodes that play with it."""
    lanes_waiting: int
    """Lanes that have nothing to play although episodes wait, because the model is asked as much as it takes."""


class _Line:
    """Who waits, in the order of the plan; planned episodes are made when it is their turn."""

    def __init__(self) -> None:
        self._parts: deque[tuple[int, Sequence[EpisodeSpec], int, bool]] = deque()
        self._at = 0
        self._len = 0

    def __len__(self) -> int:
        return self._len

    def join(self, place: int, some: Sequence[EpisodeSpec], tries: int, again: bool) -> None:
        self._parts.append((place, some, tries, again))
        self._len += len(some)

    @property
    def place(self) -> int:
        return self._parts[0][0]

    def first(self) -> Waiting:
        _, some, tries, again = self._parts[0]
        return Waiting(some[self._at], tries, again)

    def leave(self) -> None:
        """The first one."""
        self._at, self._len = self._at + 1, self._len - 1
        if self._at == len(self._parts[0][1]):
            self._parts.popleft()
            self._at = 0

    def clear(self) -> None:
        self._parts.clear()
        self._at = self._len = 0


class _Lines:
    """Waiting episodes, a line for each group that needs the same of the same models: of a line either the first may
    start now or none. So what starts next is found among few, however many wait."""

    def __init__(self) -> None:
        self._lines: dict[Needs, _Line] = defaultdict(_Line)
        self._place = count()

    def join(self, needs: Needs, some: Sequence[EpisodeSpec], tries: int = 0, again: bool = False) -> None:
        """At the end: episodes that all need the same."""
        self._lines[needs].join(next(self._place), some, tries, again)

    def in_order(self) -> list[tuple[Needs, _Line]]:
        """The lines in which somebody waits, in the order of their first."""
        return sorted((item for item in self._lines.items() if item[1]), key=lambda item: item[1].place)


class Schedule:
    """One pass over episodes. `stop()` ends it after the lanes have let go; nothing that arrived is lost.

    `takes`: requests that the players of a hosted model may have open, by what its engines have to do now; None where
    its profile alone says how many.
    """

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
        takes: Callable[[str], int | None] = lambda model: None,
    ):
        self._executor = executor
        self._sink = sink
        self._budget = budget
        self._tries = tries
        self._roles = roles
        self._takes = takes
        self.tally = tally
        self._known_needs: dict[tuple[str, str], Needs] = {}
        self._waiting = _Lines()
        for part in episodes.parts if isinstance(episodes, Episodes) else [(e,) for e in episodes]:
            self._waiting.join(self._needs(part[0]), part)
        self._in_flight: dict[str, int] = defaultdict(int)
        self._playing: dict[str, int] = defaultdict(int)
        """Episodes by model."""
        self._stopped_models: dict[str, str] = {}
        self._stopping = False
        self._ended: asyncio.Queue[asyncio.Task[EpisodeRecord] | None] = asyncio.Queue()
        """Plays that have ended; None: look around, we are to stop."""

    def stop(self) -> None:
        """Start nothing more and let go of what is in flight."""
        self._stopping = True
        self._ended.put_nowait(None)

    def give_up(self, model: str, reason: str) -> None:
        """Start no episode of this model."""
        self._stopped_models.setdefault(model, reason)

    @property
    def stopped(self) -> bool:
        return self._stopping

    async def run(self) -> None:
        """Play until nothing is waiting. Raises `StoreError` when records can no longer be kept."""
        playing: dict[asyncio.Task[EpisodeRecord], Waiting] = {}
        try:
            while not self._stopping:
                while len(playing) < self._executor.slots and (one := self._next()) is not None:
                    self._count(one.spec, +1)
                    task = asyncio.create_task(self._executor.play(one.spec, one.tries + 1, alone=one.again))
                    task.add_done_callback(self._ended.put_nowait)
                    playing[task] = one
                if not playing:
                    break
                self._executor.want(self.demand)
                await self._settle({task: playing.pop(task) for task in await self._some_ended()})
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for one in playing.values():
                self._count(one.spec, -1)

    @property
    def demand(self) -> int:
        """Episodes that play, or would if there were lanes enough."""
        asked, more = self._in_flight.copy(), 0
        for needs, line in self._waiting.in_order():
            some = min([len(line), *(self._places(n, asked[n.model]) for n in needs)])
            more += some
            for need in needs:
                asked[need.model] += some * need.at_once
        return self.tally.in_flight + more

    def load(self, model: str) -> Load:
        """Of one model, as it is now."""
        asked = self._in_flight[model]
        held = [len(line) for needs, line in self._waiting.in_order()
                if any(n.model == model and not self._places(n, asked) for n in needs)]  # fmt: skip
        free = max(0, self._executor.slots - self.tally.in_flight)
        return Load(asked, self._playing[model], min(sum(held), free))

    async def _some_ended(self) -> list[asyncio.Task[EpisodeRecord]]:
        """All plays that have ended by now; none when we are to stop, or after a while without any."""
        try:
            async with asyncio.timeout(LOOK_S):
                ended = [await self._ended.get()]
        except TimeoutError:
            return []
        while not self._ended.empty():
            ended.append(self._ended.get_nowait())
        return [task for task in ended if task is not None]

    def _next(self) -> Waiting | None:
        """The first waiting episode that may start now; those that never may are dropped with their reason."""
        for needs, line in self._waiting.in_order():
            dead = next((n.model for n in needs if n.model in self._stopped_models), None)
            if dead is not None:
                self.tally.skipped[self._stopped_models[dead]] += len(line)
                line.clear()
                continue
            if not all(self._places(n, self._in_flight[n.model]) for n in needs):
                continue
            while line:
                one = line.first()
                reason = self._budget.admits(one.spec)
                if reason is None:
                    line.leave()
                    return one
                if self._budget.holding:
                    break
                self.tally.skipped[reason] += 1
                line.leave()
        return None

    def _needs(self, spec: EpisodeSpec) -> Needs:
        known = self._known_needs.get((spec.cell_id, spec.game))
        if known is None:
            roles = self._roles(spec.game)
            models = [m for m in spec.cell.models() if m.provider not in LOCAL_PLAYERS]
            known = tuple(Need(m.name, requests_in_flight(spec, m.name, roles), m.max_in_flight) for m in models)
            self._known_needs[spec.cell_id, spec.game] = known
        return known

    def _places(self, need: Need, asked: int) -> int:
        """Episodes that may begin while a model is asked so much."""
        takes = self._takes(need.model)
        room = (need.limit if takes is None else min(need.limit, takes)) - asked
        return max(room // max(need.at_once, 1), int(asked == 0))

    def _count(self, spec: EpisodeSpec, sign: int) -> None:
        self.tally.in_flight += sign
        for need in self._needs(spec):
            self._in_flight[need.model] += sign * need.at_once
            self._playing[need.model] += sign

    async def _settle(self, ended: Mapping[asyncio.Task[EpisodeRecord], Waiting]) -> None:
        """Keep what those who have ended brought; the others play on while a slow store takes it. Raises what cannot be
        a record, when the others' are kept."""
        finished: list[EpisodeRecord] = []
        try:
            for task, one in ended.items():
                self._count(one.spec, -1)
                record = task.result()
                usd, tokens = self._budget.charge(record)
                self.tally.usd += usd
                self.tally.tokens += tokens
                if record.status == "finished":
                    finished.append(record)
                else:
                    await self._failed(one, record)
        finally:
            if finished:
                self.tally.finished += len(finished)
                await asyncio.to_thread(self._sink.finished, finished)

    async def _failed(self, one: Waiting, record: EpisodeRecord) -> None:
        tries = one.tries + record.costs_try
        again = record.retryable and (one.tries + 1 < self._tries or not record.costs_try)
        await asyncio.to_thread(self._sink.failed, record, not again)
        if again:
            self.tally.retried += 1
            self._waiting.join(self._needs(one.spec), (one.spec,), tries, again=True)
            return
        self.tally.failed += 1
        if record.stops_model:
            for model in one.spec.cell.models():
                reason = f"{model.name}: {record.error_class}: {record.error_message}"
                self._stopped_models.setdefault(model.name, reason)
