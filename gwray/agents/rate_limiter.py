"""Whose turn it is: no more requests at once, and no more per second, than a model's provider takes.

One limiter is shared by everything that talks to a model. What the profile says (`max_in_flight`,
`requests_per_minute`) always holds; what the provider really takes is learned: the number in flight grows from a few,
and after a refusal (429) everybody waits as long as the provider asks, then requests start evenly spaced at the rate
that was seen to pass, which is raised slowly and lowered at the next refusal.

`RateLimiter` is what callers know; `LocalRateLimiter` works within one process. With several processes one of them
holds the limiter (its methods take and return plain values only) and the others call it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol

Outcome = Literal["ok", "limited", "failed"]


class RateLimiter(Protocol):
    """Admission to a model."""

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        """Say what a profile allows. The first word for a model counts."""
        ...

    async def acquire(self, model: str, request_id: str) -> None:
        """Wait for the turn of one request, first come, first served."""
        ...

    async def report(self, model: str, request_id: str, outcome: Outcome, retry_after_s: float | None = None) -> None:
        """Say how the request ended. Every admitted request must be reported, also one that was cancelled."""
        ...


FIRST_IN_FLIGHT = 8
"""Requests in flight at the start; each success admits one more, up to the profile's limit."""
BACK_OFF_S = 0.5
"""Wait after a refusal without a wish of the provider; doubles with each further one in a row."""
MAX_BACK_OFF_S = 60.0
LOWER = 0.93
"""Factor on the rate at a refusal."""
RETURN_S = 15.0
"""Seconds of full demand until the rate is back where it was refused; then it rises ever faster."""
SEEN_S = 10.0
"""The rate that passes is measured over this long."""
MEASURED_S = 2.0
"""… and nothing shorter than this is a measurement."""
LEASE_S = 1800.0
"""A request that nobody reported for this long counts as gone with its process."""


@dataclass
class _ModelQueue:
    """What is known of one model."""

    max_in_flight: int
    min_spacing_s: float
    window: float
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    in_flight: dict[str, float] = field(default_factory=dict)
    admitted: deque[float] = field(default_factory=lambda: deque(maxlen=4096))
    """When requests started that were not refused (so far)."""
    ceiling: float | None = None
    """Starts per second at the last refusal; None as long as nothing was refused."""
    probing_s: float = 0.0
    """Seconds of full demand since then."""
    next_start: float = 0.0
    paused_until: float = 0.0
    lowered_at: float = float("-inf")
    succeeded_at: float = 0.0
    refusals: int = 0
    """In a row."""
    waited: bool = False
    """Did the learned spacing hold anybody up since the last success? Otherwise demand is what limits."""

    @property
    def rate(self) -> float | None:
        """Starts per second: below the ceiling at first, flat around it, then steeply above it."""
        if self.ceiling is None:
            return None
        return self.ceiling * (1 + (1 - LOWER) * (self.probing_s / RETURN_S - 1) ** 3)

    def delay(self, now: float) -> float:
        """Seconds until the next request may start; infinite while too many are in flight."""
        for request_id in [r for r, t in self.in_flight.items() if now - t > LEASE_S]:
            del self.in_flight[request_id]
        if len(self.in_flight) >= min(self.max_in_flight, int(self.window)):
            return float("inf")
        return max(self.paused_until, self.next_start) - now

    def start(self, request_id: str, now: float) -> None:
        self.in_flight[request_id] = now
        self.admitted.append(now)
        rate = self.rate
        spacing = max(self.min_spacing_s, 1 / rate if rate else 0.0)
        # A start that comes a little late does not push back all that follow.
        self.next_start = max(self.next_start, now - spacing) + spacing

    def success(self, now: float) -> None:
        self.refusals = 0
        self.window = min(self.max_in_flight, self.window + 1)
        if self.waited and self.rate:
            # An idle time is no demand, but at a low rate the next success is long in coming.
            self.probing_s += min(max(1.0, 1.5 / self.rate), now - self.succeeded_at)
        self.succeeded_at, self.waited = now, False

    def refusal(self, started: float, now: float, retry_after_s: float | None) -> None:
        if started in self.admitted:
            self.admitted.remove(started)
        wish = retry_after_s if retry_after_s is not None else min(BACK_OFF_S * 2**self.refusals, MAX_BACK_OFF_S)
        self.paused_until = max(self.paused_until, now + wish)
        if started <= self.lowered_at:
            return  # it was already on its way when the rate was lowered: one event, one answer
        self.refusals = min(self.refusals + 1, 10)
        if self.ceiling is None or self.refusals == 1:  # without a success in between nothing new is known
            self.ceiling = self._lowered(now)
        self.probing_s = 0.0
        self.window = float(self.max_in_flight)
        self.lowered_at = self.succeeded_at = now
        self.next_start = max(now, self.paused_until)

    def _lowered(self, now: float) -> float:
        """The rate that was not refused of late, counted from the first of those requests: a quiet time before says
        nothing of what the provider takes. After one, two requests are no measurement either, so the rate is at most
        halved then."""
        recent = [t for t in self.admitted if t > now - SEEN_S]
        span = now - min(recent, default=now)
        seen = max(0.5, len(recent)) / max(1.0, span)
        if self.rate is None:
            return seen
        lowest = self.rate / 2 if span < MEASURED_S else 0.05
        return max(lowest, min(self.rate, 1.1 * seen))


class LocalRateLimiter:
    """The limiter of one process and one event loop."""

    def __init__(self, first_in_flight: int = FIRST_IN_FLIGHT) -> None:
        self._first = first_in_flight
        self._lanes: dict[str, _ModelQueue] = {}

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        if model not in self._lanes:
            spacing = 60 / requests_per_minute if requests_per_minute else 0.0
            self._lanes[model] = _ModelQueue(max_in_flight, spacing, float(min(self._first, max_in_flight)))

    def resume(self, model: str, in_flight: Iterable[str]) -> None:
        """Requests that another limiter has admitted, which is no more."""
        now = asyncio.get_running_loop().time()
        self._lanes[model].in_flight |= dict.fromkeys(in_flight, now)

    async def acquire(self, model: str, request_id: str) -> None:
        lane, clock = self._lanes[model], asyncio.get_running_loop().time
        async with lane.turn:
            while (delay := lane.delay(clock())) > 0:
                lane.waited = lane.waited or delay != float("inf")
                lane.changed.clear()
                try:
                    await asyncio.wait_for(lane.changed.wait(), None if delay == float("inf") else delay)
                except TimeoutError:
                    continue
            lane.start(request_id, clock())

    async def report(self, model: str, request_id: str, outcome: Outcome, retry_after_s: float | None = None) -> None:
        lane, now = self._lanes.get(model), asyncio.get_running_loop().time()
        if lane is None:
            return  # admitted by a limiter that has died since
        started = lane.in_flight.pop(request_id, now)
        if outcome == "ok":
            lane.success(now)
        elif outcome == "limited":
            lane.refusal(started, now, retry_after_s)
        lane.changed.set()

    def learned_rate(self, model: str) -> float | None:
        """Starts per second that a model was seen to take; None if it never refused."""
        return self._lanes[model].rate
