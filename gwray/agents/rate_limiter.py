"""Limits requests to a model: in flight, and per second.

All callers of a model share one limiter. The limits of the profile (`max_in_flight`, `requests_per_minute`) always
apply; the limits of the provider are learned. The number in flight grows from a small start. After a refusal (HTTP 429)
all requests wait as long as the provider asks, then start evenly spaced. Their rate doubles quickly from the first
accepted rate until the next refusal. From then on, each refusal lowers it a little, and without refusals it rises:
slowly at first, since each refusal costs a pause, then faster, since the limit may have been raised.

`RateLimiter` is the interface for callers; `LocalRateLimiter` works within one process. With several processes, one of
them has the limiter (its methods take and return plain values only) and the others call it.
"""

import asyncio
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
GROWTH_PER_S = 1.5
"""Factor on the rate per second between the first refusal and the next …"""
SEARCH_S = 9.0
"""… for at most so many seconds of full demand."""
FOUND = 0.85
"""Factor on the rate at which that growth ended."""
LOWER = 0.94
"""Factor on the rate for each later refused request …"""
LEAST_LEFT = 0.5
"""… but together not less for those that were under way at once."""
RISE = 0.1
"""Share by which a rate rises in `RISE_S` seconds of full demand without a refusal; by the fourth power of the time."""
RISE_S = 20.0
LEAST_FIRST = 2.0
"""Minimum rate (starts per second) after the first refusal …"""
LEAST = 0.2
"""… and later."""
SEEN_S = 10.0
"""Accepted requests are counted over this many seconds."""
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
    starts: deque[float] = field(default_factory=lambda: deque(maxlen=4096))
    """Start times of requests that were not refused."""
    learned: float = 0.0
    """Starts per second after the last refusal; 0 before the first."""
    searching: bool = True
    """Whether the rate was refused once only, so that the limit may be far above it."""
    lowest: float = 0.0
    """Rate below which the refusals of one moment do not lower it."""
    risen_s: float = 0.0
    """Seconds of full demand since the last refusal."""
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
    def rate(self) -> float:
        """Allowed starts per second; 0 before the first refusal."""
        if self.searching:
            return self.learned * GROWTH_PER_S ** min(self.risen_s, SEARCH_S)
        return self.learned * (1 + RISE * (self.risen_s / RISE_S) ** 4)

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
        self.starts.append(now)
        spacing = max(self.min_spacing_s, 1 / self.rate if self.learned else 0.0)
        # A start that is a little late does not delay all later ones.
        self.next_start = max(self.next_start, now - spacing) + spacing

    def success(self, now: float) -> None:
        self.refusals = self.unanswered = 0
        self.answered = True
        self.window = min(self.max_in_flight, self.window + 1)
        if self.waited and self.learned:
            # Idle time is not demand, but at a low rate successes are far apart.
            self.risen_s += max(0.0, min(max(1.0, 1.5 / self.learned), now - self.succeeded_at))
        self.succeeded_at, self.waited = now, False

    def refusal(self, started: float, now: float, retry_after_s: float | None) -> None:
        if started in self.starts:
            self.starts.remove(started)
        news = started > self.lowered_at  # otherwise sent before the rate was lowered: belongs to the same event
        again = self.refusals if news else max(0, self.refusals - 1)
        wish = retry_after_s if retry_after_s is not None else min(BACK_OFF_S * 2**again, MAX_BACK_OFF_S)
        self.paused_until = max(self.paused_until, now + wish)
        if not self.learned or (self.searching and not news):
            recent = [t for t in self.starts if t > now - SEEN_S]
            self.learned = max(LEAST_FIRST, len(recent) / max(1.0, now - min(recent, default=now)))
        else:
            if news:
                self.learned = self.rate * (FOUND if self.searching else 1)
                self.lowest, self.searching = self.learned * LEAST_LEFT, False
            self.learned = max(LEAST, self.lowest, LOWER * self.learned)
        if news:
            self.refusals = min(self.refusals + 1, 10)
            self.window = float(self.max_in_flight)
            self.lowered_at = now
        self.risen_s, self.succeeded_at = 0.0, max(now, self.paused_until)
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
