"""Schedules the episodes of a plan onto an executor until every episode has finished or failed, or the run stops.

This is the only place that applies back-pressure. An episode is sequential, so the number of episodes in flight bounds
the number of requests in flight; no model gets more than its profile allows. A failed record says whether a retry can
succeed, whether it counts against the retry limit, and whether the model is disabled. Retries run alone, undisturbed.

A hosted model gets as many requests as its engines accept now, the executor the episodes that enough lanes could play.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple, Protocol

from gwray.pipelines.budget import Budget, Tally
from gwray.pipelines.executor import Executor
from gwray.pipelines.product import Episodes, Repeats, play_order
from gwray.records import EpisodeRecord
from gwray.settings import LOCAL_PLAYERS, EpisodeSpec, model_label

POLL_INTERVAL_S = 2.0
"""Seconds between checks for newly available lanes or engines."""


class EpisodeListener(Protocol):
    """Receives records as soon as they exist; called in a thread, one call at a time."""

    def finished(self, records: Sequence[EpisodeRecord]) -> None: ...
    def failed(self, record: EpisodeRecord, final: bool) -> None: ...


def requests_in_flight(spec: EpisodeSpec, model: str, roles: Sequence[str]) -> int:
    """Returns how many roles of an episode may ask a model, given by its label, concurrently. A role has one open
    question, or one batch, whose size the rate limiter bounds."""
    players = [spec.cell.player(r) for r in roles]
    return sum(model in {model_label(m) for m in (p.model, *p.helpers.values())} for p in players)


class ModelDemand(NamedTuple):
    """Concurrent requests that one episode needs from one model."""

    model: str
    """Label of the model."""
    requests: int
    limit: int
    """Requests in flight that the model's profile allows."""
    name: str
    """Name of its profile, and of its deployment where the run hosts it."""


Demands = tuple[ModelDemand, ...]


class QueuedEpisode(NamedTuple):
    """An episode that waits for a lane."""

    spec: EpisodeSpec
    failed_attempts: int = 0
    """Failed attempts that count against the retry limit."""
    isolated: bool = False
    """Whether this is a retry and must run alone."""


class ModelLoad(NamedTuple):
    """Current use of one model by the lanes of a run."""

    requests: int
    """Requests that its episodes may have open."""
    lanes: int
    """Episodes in flight that use it."""
    lanes_waiting: int
    """Idle lanes although episodes wait, because the model is at its limit."""


Position = tuple[float, int]
"""Place of an episode in the order of play: its repeat, and the rank of its part. Retries come last."""


class _Queue:
    """Waiting episodes in the order of play. Specs are built lazily, when they reach the front."""

    def __init__(self) -> None:
        self._heap: list[tuple[Position, int, Sequence[EpisodeSpec], int, bool]] = []
        """First waiting episode of each part: position, index in the part, part, failed attempts, isolated."""
        self._len = 0

    def __len__(self) -> int:
        return self._len

    def push(self, position: Position, episodes: Sequence[EpisodeSpec], failed_attempts: int, isolated: bool) -> None:
        heappush(self._heap, (position, 0, episodes, failed_attempts, isolated))
        self._len += len(episodes)

    @property
    def position(self) -> Position:
        """Position of the first episode among all queues."""
        return self._heap[0][0]

    def peek(self) -> QueuedEpisode:
        _, at, episodes, failed_attempts, isolated = self._heap[0]
        return QueuedEpisode(episodes[at], failed_attempts, isolated)

    def pop(self) -> None:
        (_, rank), at, episodes, failed_attempts, isolated = heappop(self._heap)
        self._len -= 1
        if at + 1 < len(episodes):
            heappush(self._heap, ((_repeat(episodes, at + 1), rank), at + 1, episodes, failed_attempts, isolated))

    def clear(self) -> None:
        self._heap.clear()
        self._len = 0


def _repeat(episodes: Sequence[EpisodeSpec], at: int) -> int:
    return episodes.rounds[at][1] if isinstance(episodes, Repeats) else at


class _Queues:
    """One queue per set of demands: of each queue, either the first episode may start now or none. So the next episode
    is found among few queues, however many episodes wait."""

    def __init__(self) -> None:
        self._queues: dict[Demands, _Queue] = defaultdict(_Queue)
        self._ranks = count()
        self.first: set[Demands] = set()
        """Demands of the episodes that go before all others."""

    def push(self, demands: Demands, part: Sequence[EpisodeSpec]) -> None:
        """Appends planned episodes that all have these demands."""
        self._queues[demands].push((_repeat(part, 0), next(self._ranks)), part, 0, False)

    def retry(self, demands: Demands, spec: EpisodeSpec, failed_attempts: int, isolated: bool) -> None:
        """Appends an episode behind all planned ones."""
        self._queues[demands].push((math.inf, next(self._ranks)), (spec,), failed_attempts, isolated)

    def in_order(self) -> list[tuple[Demands, _Queue]]:
        """Returns the non-empty queues in the order of their first episodes."""
        waiting = (item for item in self._queues.items() if item[1])
        return sorted(waiting, key=lambda item: (item[0] not in self.first, item[1].position))


class Schedule:
    """One pass over episodes. `stop` cancels episodes in flight; replies and records that arrived are kept. With
    `more_come`, further episodes can be added while it runs, until `close`.

    Args:
        episodes: start in the order of `play_order` if they are a plan's, or else as given.
        executor: where they run.
        listener: receives their records.
        budget: stops new episodes before it would be exceeded.
        tries: attempts per episode that may fail by its own fault.
        roles: role names of a game.
        tally: is updated as episodes end.
        capacity: requests that the engines of a hosted model accept now; None: only its profile limits them.
    """

    def __init__(
        self,
        episodes: Sequence[EpisodeSpec],
        executor: Executor,
        listener: EpisodeListener,
        budget: Budget,
        *,
        tries: int,
        roles: Callable[[str], Sequence[str]],
        tally: Tally,
        capacity: Callable[[str], int | None] = lambda model: None,
        more_come: bool = False,
    ):
        self._executor = executor
        self._listener = listener
        self._budget = budget
        self._tries = tries
        self._roles = roles
        self._capacity = capacity
        self.tally = tally
        self._known_demands: dict[tuple[str, str], Demands] = {}
        self._waiting = _Queues()
        self._more_come = more_come
        self.over = False
        """Whether `run` has ended."""
        self._push(episodes)
        self._in_flight: dict[str, int] = defaultdict(int)
        self._playing: dict[str, int] = defaultdict(int)
        """Episodes in flight by model."""
        self._disabled_models: dict[str, str] = {}
        self._stopping = False
        self._ended: asyncio.Queue[asyncio.Task[EpisodeRecord] | None] = asyncio.Queue()
        """Tasks of episodes that have ended; None wakes the loop."""
        self._stored = asyncio.Event()
        """Set whenever episodes have ended."""

    def _push(self, episodes: Sequence[EpisodeSpec]) -> set[Demands]:
        """Appends episodes to the queues and returns their sets of demands."""
        found = set()
        for part in play_order(episodes) if isinstance(episodes, Episodes) else [(e,) for e in episodes]:
            found.add(demands := self._demands(part[0]))
            self._waiting.push(demands, part)
        return found

    def add(self, episodes: Sequence[EpisodeSpec]) -> None:
        """Adds episodes that go before all that wait: GPUs are kept for them."""
        self._waiting.first |= self._push(episodes)
        self._ended.put_nowait(None)

    def close(self) -> None:
        """Lets `run` return once no episode is left."""
        self._more_come = False
        self._ended.put_nowait(None)

    async def without(self, models: Collection[str]) -> None:
        """Waits until no episode that needs a model of these profiles waits or is played, or until `run` has ended."""
        while not self.over and any(self._uses(m) for m in models):
            self._stored.clear()
            await self._stored.wait()

    def _uses(self, model: str) -> bool:
        waiting = any(d.name == model for demands, _ in self._waiting.in_order() for d in demands)
        return waiting or any(self._playing[label] for label in self._labels(model))

    def stop(self) -> None:
        """Starts no more episodes and cancels those in flight."""
        self._stopping = True
        self._ended.put_nowait(None)

    def disable_model(self, model: str, reason: str) -> None:
        """Skips all waiting episodes of the models of this profile."""
        for label in self._labels(model):
            self._disabled_models.setdefault(label, reason)

    def _labels(self, name: str) -> set[str]:
        return {d.model for demands in self._known_demands.values() for d in demands if d.name == name}

    async def run(self) -> None:
        """Plays until no episode waits. Raises `StoreError` when records can no longer be stored."""
        playing: dict[asyncio.Task[EpisodeRecord], QueuedEpisode] = {}
        try:
            while not self._stopping:
                while len(playing) < self._executor.slots and (one := self._next()) is not None:
                    self._count(one.spec, +1)
                    task = asyncio.create_task(
                        self._executor.play(one.spec, one.failed_attempts + 1, alone=one.isolated)
                    )
                    task.add_done_callback(self._ended.put_nowait)
                    playing[task] = one
                if not playing and not self._more_come:
                    break
                self._executor.want(self.demand)
                await self._store({task: playing.pop(task) for task in await self._wait_for_ended()})
                self._stored.set()
        finally:
            self.over = True
            self._stored.set()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for one in playing.values():
                self._count(one.spec, -1)

    @property
    def demand(self) -> int:
        """Episodes in flight, plus those that could start if there were enough lanes."""
        requests, startable = self._in_flight.copy(), 0
        for demands, queue in self._waiting.in_order():
            fitting = min([len(queue), *(self._free_slots(d, requests[d.model]) for d in demands)])
            startable += fitting
            for demand in demands:
                requests[demand.model] += fitting * demand.requests
        return self.tally.in_flight + startable

    def load(self, model: str) -> ModelLoad:
        """Returns the current load of the models of a profile."""
        labels = self._labels(model)
        full = {
            demands: any(d.name == model and not self._free_slots(d, self._in_flight[d.model]) for d in demands)
            for demands, _ in self._waiting.in_order()
        }
        blocked = [len(queue) for demands, queue in self._waiting.in_order() if full[demands]]
        idle_lanes = max(0, self._executor.slots - self.tally.in_flight)
        requests, lanes = (sum(counts[label] for label in labels) for counts in (self._in_flight, self._playing))
        return ModelLoad(requests, lanes, min(sum(blocked), idle_lanes))

    async def _wait_for_ended(self) -> list[asyncio.Task[EpisodeRecord]]:
        """Waits until an episode ends, and returns all that have ended; returns none after `stop` or a timeout."""
        try:
            async with asyncio.timeout(POLL_INTERVAL_S):
                ended = [await self._ended.get()]
        except TimeoutError:
            return []
        while not self._ended.empty():
            ended.append(self._ended.get_nowait())
        return [task for task in ended if task is not None]

    def _next(self) -> QueuedEpisode | None:
        """Removes and returns the first episode that may start now. Episodes that can never start are skipped."""
        for demands, queue in self._waiting.in_order():
            disabled = next((d.model for d in demands if d.model in self._disabled_models), None)
            if disabled is not None:
                self.tally.skipped[self._disabled_models[disabled]] += len(queue)
                queue.clear()
                continue
            if not all(self._free_slots(d, self._in_flight[d.model]) for d in demands):
                continue
            while queue:
                one = queue.peek()
                reason = self._budget.reserve(one.spec)
                if reason is None:
                    queue.pop()
                    return one
                if self._budget.has_reservations:
                    break
                self.tally.skipped[reason] += 1
                queue.pop()
        return None

    def _demands(self, spec: EpisodeSpec) -> Demands:
        """Returns the demands of an episode: one for each model that it asks."""
        known = self._known_demands.get((spec.cell_id, spec.game))
        if known is None:
            roles = self._roles(spec.game)
            models = {model_label(m): m for m in spec.cell.models() if m.provider not in LOCAL_PLAYERS}
            known = tuple(
                ModelDemand(label, requests_in_flight(spec, label, roles), m.max_in_flight, m.name)
                for label, m in models.items()
            )
            self._known_demands[spec.cell_id, spec.game] = known
        return known

    def _free_slots(self, demand: ModelDemand, requests: int) -> int:
        """Returns how many episodes may start while a model has `requests` in flight; at least one if it has none."""
        capacity = self._capacity(demand.name)
        free = (demand.limit if capacity is None else min(demand.limit, capacity)) - requests
        return max(free // max(demand.requests, 1), int(requests == 0))

    def _count(self, spec: EpisodeSpec, sign: int) -> None:
        self.tally.in_flight += sign
        for demand in self._demands(spec):
            self._in_flight[demand.model] += sign * demand.requests
            self._playing[demand.model] += sign

    async def _store(self, ended: Mapping[asyncio.Task[EpisodeRecord], QueuedEpisode]) -> None:
        """Stores the records of ended episodes; others continue while a slow store writes. If a task raised, its error
        is raised after the other records are stored."""
        finished: list[EpisodeRecord] = []
        try:
            for task, one in ended.items():
                self._count(one.spec, -1)
                record = task.result()
                self.tally.add(record, *self._budget.charge(record, one.spec))
                if record.status == "finished":
                    finished.append(record)
                else:
                    await self._failed(one, record)
        finally:
            if finished:
                self.tally.finished += len(finished)
                await asyncio.to_thread(self._listener.finished, finished)

    async def _failed(self, one: QueuedEpisode, record: EpisodeRecord) -> None:
        """Handles a failed episode: queues a retry if one can succeed, and disables its models if the record says
        so."""
        failed_attempts = one.failed_attempts + record.costs_try
        retry = record.retryable and (one.failed_attempts + 1 < self._tries or not record.costs_try)
        await asyncio.to_thread(self._listener.failed, record, not retry)
        if retry:
            self.tally.retried += 1
            return self._waiting.retry(self._demands(one.spec), one.spec, failed_attempts, isolated=True)
        self.tally.failed += 1
        if record.stops_model:
            for model in one.spec.cell.models():
                reason = f"{model_label(model)}: {record.error_class}: {record.error_message}"
                self._disabled_models.setdefault(model_label(model), reason)
