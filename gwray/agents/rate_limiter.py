"""Limits requests to a model: in flight, and per second.

All callers of a model share one limiter. The limits of the profile (`max_in_flight`, `requests_per_minute`) always
apply; the limits of the provider are learned. The number in flight grows from a small start. After a refusal (HTTP 429)
all requests wait as long as the provider asks, then start evenly spaced. Their rate grows from the last accepted rate
until it is refused. From then on it lies between an accepted and a refused rate, and bisects them until they are close.
Because each refusal costs a pause, the accepted rate is then kept and raised slowly, until the next refusal starts a
new search.

`RateLimiter` is the interface for callers; `LocalRateLimiter` works within one process. With several processes, one of
them has the limiter (its methods take and return plain values only) and the others call it.
"""

import asyncio
import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol

Outcome = Literal["ok", "limited", "unavailable", "failed"]
"""Answered, refused because of a rate limit, no answer from the provider, or any other error."""
Outage = Literal["held", "over"]
"""The model answers no request: `held` while it is waited for, `over` when that took too long."""


class RateLimiter(Protocol):
    """Admits requests to models. Methods of all implementations take and return plain values."""

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        """Sets the limits of a model's profile; of several profiles of one model, the strictest limits apply.

        `model` is its `ModelSpec.key`: a provider limits a model and an account, whatever profiles are called.
        """
        ...

    async def acquire(self, model: str, request_id: str) -> int:
        """Waits until a request may start, in order of arrival. Returns the number in flight, including it."""
        ...

    async def report(
        self, model: str, request_id: str, outcome: Outcome, retry_after_s: float | None = None
    ) -> Outage | None:
        """Reports the end of a request. Required for every admitted request, including cancelled ones.

        Args:
            model: key of the model.
            request_id: as given to `acquire`.
            outcome: how the request ended.
            retry_after_s: seconds that the provider asked to wait.

        Returns:
            "held" or "over" if the provider has an outage, so that the request itself is not the cause; else None.
        """
        ...


FIRST_IN_FLIGHT = 8
"""Requests in flight at the start; each success adds one, up to the profile's limit."""
BACK_OFF_S = 0.5
"""Wait after a refusal without `retry-after`; doubles with each consecutive one."""
MAX_BACK_OFF_S = 60.0
GROWTH_PER_S = 2.7
"""Factor on the rate per second between the first refusal and the next."""
LEAST_FIRST = 2.0
"""Minimum rate (starts per second) after the first refusal."""
CLOSE = 1.11
"""Ratio of refused to accepted rate at which the search ends."""
LOWER = 0.95
"""Factor on a rate that was accepted for long and is now refused."""
TRIED_S = 1.2
"""A rate counts as accepted after this many seconds' worth of requests, longer than the window of providers …"""
TRIED = 5
"""… and at least this many requests."""
PASSED_S = 0.25
"""Seconds without a refusal after which a request counts as accepted."""
RETURN_S = 30.0
"""Seconds of full demand until a kept rate has risen to the refused rate; then it rises faster."""
SEEN_S = 10.0
"""Accepted requests are counted over this many seconds, or since the last refusal."""
OUTAGE = 5
"""Consecutive requests without an answer after which one request at a time is admitted, until one is answered."""
OUTAGE_S = 3600.0
"""Seconds to wait for the end of an outage …"""
NEVER_S = 180.0
"""… of a model that never answered: more likely its address is wrong."""
LEASE_S = 1800.0
"""Seconds after which a request without a report is dropped: its process is dead."""


@dataclass
class _ModelQueue:
    """State of one model."""

    max_in_flight: int
    min_spacing_s: float
    window: float
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    in_flight: dict[str, float] = field(default_factory=dict)
    admitted: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=4096))
    """Start time and rate of requests that were not refused yet."""
    low: float = 0.0
    """Accepted rate (starts per second); at first, the start of its growth. 0 before the first refusal."""
    high: float = 0.0
    """Refused rate (starts per second); 0 while the rate grows."""
    proven: bool = False
    """Whether `low` was accepted since it was last refused."""
    since: float = 0.0
    """Time at which the current rate was first used."""
    probing_s: float = 0.0
    """Seconds of full demand at a kept rate."""
    next_start: float = 0.0
    paused_until: float = 0.0
    lowered_at: float = float("-inf")
    succeeded_at: float = 0.0
    refusals: int = 0
    """Consecutive refusals."""
    unanswered: int = 0
    """Consecutive requests without an answer."""
    unanswered_since: float = 0.0
    answered: bool = False
    """Whether it ever answered."""
    waited: bool = False
    """Whether the learned spacing delayed a request since the last success; otherwise demand is the limit."""

    @property
    def kept(self) -> bool:
        """Whether the search between accepted and refused rate has ended."""
        return self.high <= CLOSE * self.low

    def rate(self, now: float) -> float | None:
        """Returns the allowed starts per second; None before the first refusal."""
        if not self.low:
            return None
        if not self.high:
            return self.low * GROWTH_PER_S ** max(0.0, now - self.since)
        if not self.kept:
            return math.sqrt(self.low * self.high)
        return self.low * (1 + (CLOSE - 1) * (self.probing_s / RETURN_S) ** 4)

    def delay(self, now: float) -> float:
        """Returns the seconds until the next request may start; infinite while too many are in flight."""
        for request_id in [r for r, t in self.in_flight.items() if now - t > LEASE_S]:
            del self.in_flight[request_id]
        window = 1 if self.unanswered >= OUTAGE else int(self.window)
        if len(self.in_flight) >= min(self.max_in_flight, window):
            return float("inf")
        return max(self.paused_until, self.next_start) - now

    def start(self, request_id: str, now: float) -> None:
        self.in_flight[request_id] = now
        rate = self.rate(now)
        if rate and self.high and rate > CLOSE**2 * self.high:  # the limit has changed
            self.low, self.high, self.since, self.probing_s = rate, 0.0, now, 0.0
        elif rate and self.high and not self.kept:
            passed = sum(self.since <= t < now - PASSED_S for t, _ in self.admitted)
            if passed >= max(TRIED, TRIED_S * rate):
                self.low, self.proven, self.since = rate, True, now
                rate = self.rate(now)
        self.admitted.append((now, rate or 0.0))
        spacing = max(self.min_spacing_s, 1 / rate if rate else 0.0)
        # A start that is a little late does not delay all later ones.
        self.next_start = max(self.next_start, now - spacing) + spacing

    def success(self, now: float) -> None:
        self.refusals = self.unanswered = 0
        self.answered = True
        self.window = min(self.max_in_flight, self.window + 1)
        if self.waited and self.high and self.kept:
            # Idle time is not demand, but at a low rate successes are far apart.
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
        if started <= self.lowered_at:  # sent before the rate was lowered: belongs to the same event
            if not self.high:
                self.low = max(
                    LEAST_FIRST, self._accepted_rate(now)
                )  # fewer of the first requests were accepted than assumed
            self.since = self.next_start = max(self.next_start, self.paused_until)
            return
        self.refusals = min(self.refusals + 1, 10)
        if not self.low:
            self.low = max(LEAST_FIRST, self._accepted_rate(now))
        elif any(
            t > self.lowered_at for t, _ in self.admitted
        ):  # without an accepted request there is no new information
            self._lower(used_rate=refused[1] if refused else 0.0, now=now)
        self.probing_s, self.since = 0.0, max(now, self.paused_until)
        self.window = float(self.max_in_flight)
        self.lowered_at = self.succeeded_at = now
        self.next_start = max(now, self.paused_until)

    def no_answer(self, now: float) -> Outage | None:
        """Records a request without an answer. Several in a row are an outage, which no single request causes."""
        if not self.unanswered:
            self.unanswered_since = now
        self.unanswered += 1
        if self.unanswered < OUTAGE:
            return None
        pause = min(BACK_OFF_S * 2 ** min(self.unanswered - OUTAGE, 10), MAX_BACK_OFF_S)
        self.paused_until = max(self.paused_until, now + pause)
        patience = OUTAGE_S if self.answered else NEVER_S
        return "held" if now - self.unanswered_since < patience else "over"

    def _lower(self, used_rate: float, now: float) -> None:
        """Lowers the accepted rate after a refusal."""
        rate = used_rate or self.rate(now) or self.high
        accepted = self._accepted_rate(now)
        if not self.high:
            self.low = rate / GROWTH_PER_S**0.8
        elif not self.proven:
            self.low = min(LOWER * min(self.low, rate), max(accepted, self.low / 1.5))
        self.proven = self.proven and not self.kept
        self.high = rate
        self.low = max(0.05, min(self.low, LOWER * rate))

    def _accepted_rate(self, now: float) -> float:
        """Returns accepted requests per second since the last refusal, including pauses: at most the allowed rate."""
        first = not self.high or self.lowered_at < now - SEEN_S
        begun = now - SEEN_S if first else self.lowered_at
        recent = [t for t, _ in self.admitted if t > begun]
        if first:  # idle time before says nothing about the limit
            begun = min(recent, default=now)
        return max(0.5, len(recent)) / max(1.0, now - begun)


class LocalRateLimiter:
    """The limiter of one process and one event loop."""

    def __init__(self) -> None:
        self._queues: dict[str, _ModelQueue] = {}

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        spacing = 60 / requests_per_minute if requests_per_minute else 0.0
        if model not in self._queues:
            self._queues[model] = _ModelQueue(max_in_flight, spacing, float(min(FIRST_IN_FLIGHT, max_in_flight)))
        queue = self._queues[model]
        queue.max_in_flight = min(queue.max_in_flight, max_in_flight)
        queue.min_spacing_s = max(queue.min_spacing_s, spacing)

    def resume(self, model: str, in_flight: Iterable[str]) -> None:
        """Takes over requests that a limiter which no longer exists had admitted."""
        now = asyncio.get_running_loop().time()
        self._queues[model].in_flight |= dict.fromkeys(in_flight, now)

    async def acquire(self, model: str, request_id: str) -> int:
        queue, clock = self._queues[model], asyncio.get_running_loop().time
        async with queue.turn:
            while (delay := queue.delay(clock())) > 0:
                queue.waited = queue.waited or delay != float("inf")
                queue.changed.clear()
                try:
                    await asyncio.wait_for(queue.changed.wait(), None if delay == float("inf") else delay)
                except TimeoutError:
                    continue
            queue.start(request_id, clock())
            return len(queue.in_flight)

    async def report(
        self, model: str, request_id: str, outcome: Outcome, retry_after_s: float | None = None
    ) -> Outage | None:
        queue, now = self._queues.get(model), asyncio.get_running_loop().time()
        if queue is None:
            return None  # admitted by a limiter that no longer exists
        started = queue.in_flight.pop(request_id, now)
        queue.changed.set()
        if outcome == "ok":
            queue.success(now)
        elif outcome == "limited":
            queue.refusal(started, now, retry_after_s)
        return queue.no_answer(now) if outcome == "unavailable" else None
