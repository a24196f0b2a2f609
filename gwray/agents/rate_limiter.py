"""Whose turn it is: no more requests at once, and no more per second, than a model's provider takes.

One limiter is shared by everything that talks to a model. What the profile says (`max_in_flight`,
`requests_per_minute`) always holds; what the provider really takes is learned: the number in flight grows from a few,
and after a refusal (429) everybody waits as long as the provider asks, then requests start evenly spaced at the rate
that was seen to pass, which is raised slowly and lowered at the next refusal. A refusal that comes before anything was
measured says only that so many at once were too many: the rate is then looked for, quickly and then once more finely.

`RateLimiter` is what callers know; `LocalRateLimiter` works within one process. With several processes one of them
holds the limiter (its methods take and return plain values only) and the others call it.
"""

from __future__ import annotations

import asyncio
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

    async def acquire(self, model: str, request_id: str) -> None:
        """Wait for the turn of one request, first come, first served."""
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
LOWER = 0.93
"""Factor on the rate at a refusal."""
RETURN_S = 15.0
"""Seconds of full demand until the rate is back where it was refused; then it rises ever faster."""
SEEN_S = 10.0
"""The rate that passes is measured over this long."""
MEASURED_S = 2.0
"""… and nothing shorter than this is a measurement."""
SEARCH = (1.25, 1.03)
"""Factors on the rate for each request that passes while it is looked for: at first, and after one more refusal."""
PASSED_S = 0.25
"""A refusal comes sooner than a reply: what is not refused by then has passed."""
SEARCHED = 30
"""When so many passed since the last refusal, how long they took is a measurement, and nothing is looked for."""
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
    ceiling: float | None = None
    """Starts per second at the last refusal; None as long as nothing was refused."""
    searches: list[float] = field(default_factory=list)
    """What is left of `SEARCH` while the rate is looked for."""
    passed: int = 0
    """Requests since then that were not refused within `PASSED_S`, while the rate is looked for."""
    probing_s: float = 0.0
    """Seconds of full demand since then."""
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
    def rate(self) -> float | None:
        """Starts per second: below the ceiling at first, flat around it, then steeply above it; while it is looked for,
        as much higher as has passed."""
        if self.ceiling is None:
            return None
        if self.searches:
            return self.ceiling * self.searches[0] ** min(self.passed, SEARCHED)
        return self.ceiling * (1 + (1 - LOWER) * (self.probing_s / RETURN_S - 1) ** 3)

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
        if self.searches:
            since = [t for t, _ in self.admitted if t > self.lowered_at]
            self.passed = sum(t < now - PASSED_S for t in since)
        rate = self.rate
        self.admitted.append((now, rate or 0.0))
        spacing = max(self.min_spacing_s, 1 / rate if rate else 0.0)
        # A start that comes a little late does not push back all that follow.
        self.next_start = max(self.next_start, now - spacing) + spacing

    def success(self, now: float) -> None:
        self.refusals = self.unanswered = 0
        self.answered = True
        self.window = min(self.max_in_flight, self.window + 1)
        if self.waited and self.rate:
            # An idle time is no demand, but at a low rate the next success is long in coming.
            self.probing_s += min(max(1.0, 1.5 / self.rate), now - self.succeeded_at)
        self.succeeded_at, self.waited = now, False

    def refusal(self, started: float, now: float, retry_after_s: float | None) -> None:
        refused = next((a for a in self.admitted if a[0] == started), None)
        if refused is not None:
            self.admitted.remove(refused)
        wish = retry_after_s if retry_after_s is not None else min(BACK_OFF_S * 2**self.refusals, MAX_BACK_OFF_S)
        self.paused_until = max(self.paused_until, now + wish)
        if started <= self.lowered_at:  # it was already on its way when the rate was lowered: one event, one answer
            if len(self.searches) == len(SEARCH) and not self.passed:
                self.ceiling = self._seen(now)[0]  # fewer of those at the start were let in than it seemed
            return
        self.refusals = min(self.refusals + 1, 10)
        if self.ceiling is None or self.refusals == 1:  # without a success in between nothing new is known
            self._lower(started, now)
        self.probing_s, self.passed = 0.0, 0
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

    def _lower(self, started: float, now: float) -> None:
        """Take what was seen to pass for the rate. Where that is no measurement, look for it: half of what hardly
        passed at all, else what passed last."""
        seen, span, count = self._seen(now)
        rate = self.rate or seen
        if self.ceiling is None:
            self.ceiling = seen
            self.searches = [] if count > SEARCHED else list(SEARCH if span < MEASURED_S else SEARCH[1:])
        elif self.searches and self.passed < 2:
            self.ceiling = rate * (0.5 if len(self.searches) == len(SEARCH) else LOWER)
        elif self.searches and self.passed < SEARCHED:
            self.ceiling = max((pace for t, pace in self.admitted if self.lowered_at < t < started), default=rate / 2)
            self.searches = self.searches[1:]
        else:
            self.searches = []
            # After one, two requests are no measurement either, so the rate is at most halved then.
            self.ceiling = max(rate / 2 if span < MEASURED_S else 0.05, min(rate, 1.1 * seen))

    def _seen(self, now: float) -> tuple[float, float, int]:
        """Requests a second that were not refused of late, over how long, and how many: counted from the first of them,
        since a quiet time before says nothing of what the provider takes."""
        recent = [t for t, _ in self.admitted if t > now - SEEN_S]
        span = now - min(recent, default=now)
        return max(0.5, len(recent)) / max(1.0, span), span, len(recent)


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
        return self._lanes[model].rate
