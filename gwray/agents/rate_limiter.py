"""Whose turn it is: no more requests at once, and no more per second, than a model's provider takes.

One limiter is shared by everything that talks to a model. What the profile says (`max_in_flight`,
`requests_per_minute`) always holds; what the provider really takes is learned: the number in flight grows from a few,
and after a refusal (429) everybody waits as long as the provider asks, then requests start evenly spaced. Their rate
grows from what was seen to pass until it is refused, and lies from then on between one that passed and one that was
refused. The middle of the two is tried until they are close: each refusal costs a pause, so what passes is then kept
and raised slowly, and looked for again at the next refusal.

`RateLimiter` is what callers know; `LocalRateLimiter` works within one process. With several processes one of them
holds the limiter (its methods take and return plain values only) and the others call it.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol

Outcome = Literal["ok", "limited", "unavailable", "failed"]
"""Answered, refused for being asked too often, not answered by the provider, or anything else."""
Outage = Literal["held", "over"]
"""Nobody is answered: the model is held back, or has been for too long."""


class RateLimiter(Protocol):
    """Admission to a model."""

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        """Say what a profile allows. The first word for a model counts."""
        ...

    async def acquire(self, model: str, request_id: str) -> int:
        """Wait for the turn of one request, first come, first served. Returns how many are in flight then, with it."""
        ...

    async def report(
        self, model: str, request_id: str, outcome: Outcome, retry_after_s: float | None = None
    ) -> Outage | None:
        """Say how the request ended. Every admitted request must be reported, also one that was cancelled. Returns
        whether the provider has an outage, so that this request is not to blame."""
        ...


FIRST_IN_FLIGHT = 8
"""Requests in flight at the start; each success admits one more, up to the profile's limit."""
BACK_OFF_S = 0.5
"""Wait after a refusal without a wish of the provider; doubles with each further one in a row."""
MAX_BACK_OFF_S = 60.0
GROWTH_PER_S = 2.7
"""Factor on the rate per second, from the first refusal to the next."""
LEAST_FIRST = 2.0
"""Starts per second at the first refusal, if fewer passed before."""
CLOSE = 1.11
"""A rate that was refused, in terms of one that passed, when nothing between them is looked for any more."""
LOWER = 0.95
"""Factor on a rate that had passed for long and was refused: what lies below passes, or the limit has changed."""
TRIED_S = 1.2
"""So many seconds' worth of requests must pass at a rate, longer than what providers count by …"""
TRIED = 5
"""… and no fewer requests than these."""
PASSED_S = 0.25
"""A refusal comes sooner than a reply: what is not refused by then has passed."""
RETURN_S = 30.0
"""Seconds of full demand until what is kept is back at what was refused; then it rises ever faster."""
SEEN_S = 10.0
"""What passed is counted over this long, or since the last refusal."""
OUTAGE = 5
"""After so many requests in a row that nobody answered, one at a time is let through until one is answered."""
OUTAGE_S = 3600.0
"""How long an outage is waited for …"""
NEVER_S = 180.0
"""… of a model that has not answered once: more likely its address is wrong."""
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
    admitted: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=4096))
    """When requests started that were not refused (so far), and at which rate."""
    low: float = 0.0
    """Starts per second that passed; at first, where their growth begins. 0 as long as nothing was refused."""
    high: float = 0.0
    """Starts per second that were refused; 0 as long as the rate grows."""
    proven: bool = False
    """Has `low` passed since it was last refused?"""
    since: float = 0.0
    """When the rate that is tried was first used."""
    probing_s: float = 0.0
    """Seconds of full demand at a rate that is kept."""
    next_start: float = 0.0
    paused_until: float = 0.0
    lowered_at: float = float("-inf")
    succeeded_at: float = 0.0
    refusals: int = 0
    """In a row."""
    unanswered: int = 0
    """In a row."""
    unanswered_since: float = 0.0
    answered: bool = False
    """Once at least."""
    waited: bool = False
    """Did the learned spacing hold anybody up since the last success? Otherwise demand is what limits."""

    @property
    def kept(self) -> bool:
        """Nothing between what passed and what was refused is looked for any more."""
        return self.high <= CLOSE * self.low

    def rate(self, now: float) -> float | None:
        """Starts per second; None as long as nothing was refused."""
        if not self.low:
            return None
        if not self.high:
            return self.low * GROWTH_PER_S ** max(0.0, now - self.since)
        if not self.kept:
            return math.sqrt(self.low * self.high)
        return self.low * (1 + (CLOSE - 1) * (self.probing_s / RETURN_S) ** 4)

    def delay(self, now: float) -> float:
        """Seconds until the next request may start; infinite while too many are in flight."""
        for request_id in [r for r, t in self.in_flight.items() if now - t > LEASE_S]:
            del self.in_flight[request_id]
        window = 1 if self.unanswered >= OUTAGE else int(self.window)
        if len(self.in_flight) >= min(self.max_in_flight, window):
            return float("inf")
        return max(self.paused_until, self.next_start) - now

    def start(self, request_id: str, now: float) -> None:
        self.in_flight[request_id] = now
        rate = self.rate(now)
        if rate and self.high and rate > CLOSE**2 * self.high:  # the limit is another one now
            self.low, self.high, self.since, self.probing_s = rate, 0.0, now, 0.0
        elif rate and self.high and not self.kept:
            passed = sum(self.since <= t < now - PASSED_S for t, _ in self.admitted)
            if passed >= max(TRIED, TRIED_S * rate):
                self.low, self.proven, self.since = rate, True, now
                rate = self.rate(now)
        self.admitted.append((now, rate or 0.0))
        spacing = max(self.min_spacing_s, 1 / rate if rate else 0.0)
        # A start that comes a little late does not push back all that follow.
        self.next_start = max(self.next_start, now - spacing) + spacing

    def success(self, now: float) -> None:
        self.refusals = self.unanswered = 0
        self.answered = True
        self.window = min(self.max_in_flight, self.window + 1)
        if self.waited and self.high and self.kept:
            # An idle time is no demand, but at a low rate the next success is long in coming.
            self.probing_s += min(max(1.0, 1.5 / self.low), now - self.succeeded_at)
            self.proven = self.proven or self.probing_s > RETURN_S / 5
        self.succeeded_at, self.waited = now, False

    def refusal(self, started: float, now: float, retry_after_s: float | None) -> None:
        refused = next((a for a in self.admitted if a[0] == started), None)
        if refused is not None:
            self.admitted.remove(refused)
        again = self.refusals if started > self.lowered_at else max(0, self.refusals - 1)
        wish = retry_after_s if retry_after_s is not None else min(BACK_OFF_S * 2**again, MAX_BACK_OFF_S)
        self.paused_until = max(self.paused_until, now + wish)
        if started <= self.lowered_at:  # it was already on its way when the rate was lowered: one event, one answer
            if not self.high:
                self.low = max(LEAST_FIRST, self._seen(now))  # fewer of the first were let in than it seemed
            self.since = self.next_start = max(self.next_start, self.paused_until)
            return
        self.refusals = min(self.refusals + 1, 10)
        if not self.low:
            self.low = max(LEAST_FIRST, self._seen(now))
        elif any(t > self.lowered_at for t, _ in self.admitted):  # without one that passed, nothing new is known
            self._lower(pace=refused[1] if refused else 0.0, now=now)
        self.probing_s, self.since = 0.0, max(now, self.paused_until)
        self.window = float(self.max_in_flight)
        self.lowered_at = self.succeeded_at = now
        self.next_start = max(now, self.paused_until)

    def no_answer(self, now: float) -> Outage | None:
        """The provider did not answer. Several times in a row is an outage: its failures are nobody's in particular."""
        if not self.unanswered:
            self.unanswered_since = now
        self.unanswered += 1
        if self.unanswered < OUTAGE:
            return None
        pause = min(BACK_OFF_S * 2 ** min(self.unanswered - OUTAGE, 10), MAX_BACK_OFF_S)
        self.paused_until = max(self.paused_until, now + pause)
        patience = OUTAGE_S if self.answered else NEVER_S
        return "held" if now - self.unanswered_since < patience else "over"

    def _lower(self, pace: float, now: float) -> None:
        """A rate was refused: what passed is below it."""
        rate = pace or self.rate(now) or self.high
        seen = self._seen(now)
        if not self.high:
            self.low = rate / GROWTH_PER_S**0.8
        elif not self.proven:
            self.low = min(LOWER * min(self.low, rate), max(seen, self.low / 1.5))
        self.proven = self.proven and not self.kept
        self.high = rate
        self.low = max(0.05, min(self.low, LOWER * rate))

    def _seen(self, now: float) -> float:
        """Requests a second that were not refused since the last refusal, pauses included: no more than is allowed."""
        first = not self.high or self.lowered_at < now - SEEN_S
        begun = now - SEEN_S if first else self.lowered_at
        recent = [t for t, _ in self.admitted if t > begun]
        if first:  # a quiet time before says nothing of what the provider takes
            begun = min(recent, default=now)
        return max(0.5, len(recent)) / max(1.0, now - begun)


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

    async def acquire(self, model: str, request_id: str) -> int:
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
            return len(lane.in_flight)

    async def report(
        self, model: str, request_id: str, outcome: Outcome, retry_after_s: float | None = None
    ) -> Outage | None:
        lane, now = self._lanes.get(model), asyncio.get_running_loop().time()
        if lane is None:
            return None  # admitted by a limiter that has died since
        started = lane.in_flight.pop(request_id, now)
        lane.changed.set()
        if outcome == "ok":
            lane.success(now)
        elif outcome == "limited":
            lane.refusal(started, now, retry_after_s)
        return lane.no_answer(now) if outcome == "unavailable" else None

    def learned_rate(self, model: str) -> float | None:
        """Starts per second that a model was seen to take; None if it never refused."""
        return self._lanes[model].rate(asyncio.get_running_loop().time())
