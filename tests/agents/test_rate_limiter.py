"""The rate limiter in virtual time: many episodes against providers that refuse requests."""

from __future__ import annotations

import asyncio
import itertools
import math
import random
from collections import deque
from collections.abc import Coroutine
from typing import Any

import pytest
from virtual_time import VirtualLoop

from gwray.agents.rate_limiter import NEVER_S, OUTAGE_S, LocalRateLimiter


def virtually(work: Coroutine[Any, Any, Any]) -> Any:
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()


class Provider:
    """Admits `per_s` requests a second and answers the rest with a refusal."""

    def __init__(self, per_s: float, kind: str, *, tell: bool, latency_s: float):
        self.per_s, self.kind, self.tell, self.latency_s = per_s, kind, tell, latency_s
        self.requests = self.refused = self.in_flight = self.most = self.trouble = 0
        self._times: deque[float] = deque()
        self._tokens, self._at = per_s, 0.0
        self._draw = random.Random(1)

    def _wait(self, now: float) -> float | None:
        if self.kind == "bucket":
            self._tokens = min(self.per_s, self._tokens + (now - self._at) * self.per_s)
            self._at = now
            if self._tokens < 1:
                return (1 - self._tokens) / self.per_s
            self._tokens -= 1
            return None
        if self.kind == "minute":  # a fixed window of a minute
            while self._times and self._times[0] // 60 != now // 60:
                self._times.popleft()
            if len(self._times) >= self.per_s * 60:
                return 60 - now % 60
        else:
            while self._times and now - self._times[0] >= 1:
                self._times.popleft()
            if len(self._times) >= self.per_s:
                return 1 - (now - self._times[0])
        self._times.append(now)
        return None

    async def send(self) -> float | None:
        """Returns None if answered, otherwise the wait that the response stated (-1: none)."""
        self.requests += 1
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            await asyncio.sleep(0.02)
            if self.trouble > 0:
                self.trouble -= 1
                return -1
            if (wait := self._wait(asyncio.get_running_loop().time())) is not None:
                self.refused += 1
                return wait if self.tell else -1
            await asyncio.sleep(self.latency_s * self._draw.uniform(0.5, 1.5))
            return None
        finally:
            self.in_flight -= 1


async def play(provider: Provider, limiter: LocalRateLimiter, episodes: int, steps: int, in_flight: int) -> float:
    """Seconds it takes."""
    await limiter.declare("m", in_flight, None)
    ids = itertools.count()

    async def episode() -> None:
        for _ in range(steps):
            while True:
                request = str(next(ids))
                await limiter.acquire("m", request)
                wait = await provider.send()
                if wait is None:
                    await limiter.report("m", request, "ok")
                    break
                await limiter.report("m", request, "limited", None if wait < 0 else wait)

    await asyncio.gather(*(episode() for _ in range(episodes)))
    return asyncio.get_running_loop().time()


@pytest.mark.parametrize("kind", ["window", "bucket", "minute"])
@pytest.mark.parametrize("tell", [True, False], ids=["with Retry-After", "without"])
@pytest.mark.parametrize("latency_s", [0.01, 2.0])
def test_two_hundred_episodes_share_five_requests_per_second(kind, tell, latency_s):
    provider, episodes, steps = Provider(5, kind, tell=tell, latency_s=latency_s), 200, 10
    took = virtually(play(provider, LocalRateLimiter(), episodes, steps, 200))
    needed = episodes * steps
    assert provider.requests <= 1.2 * needed
    assert needed / took >= 0.85 * 5


def test_limiter_adapts_to_lowered_and_raised_limits():
    provider = Provider(20, "bucket", tell=True, latency_s=0.1)

    async def work() -> tuple[float, float, float]:
        limiter = LocalRateLimiter()
        rates = []
        for per_s in (20, 5, 20):
            provider.per_s = per_s
            started = asyncio.get_running_loop().time()
            await play(provider, limiter, 100, 30, 100)
            rates.append(3000 / (asyncio.get_running_loop().time() - started))
        return rates[0], rates[1], rates[2]

    first, low, again = virtually(work())
    assert first > 17 and low > 4.25 and again > 14
    assert provider.requests < 1.2 * 9000


def test_profile_limits_in_flight_and_per_minute():
    provider = Provider(1e9, "window", tell=True, latency_s=10)
    virtually(play(provider, LocalRateLimiter(), 50, 2, 7))
    assert provider.most == 7

    async def starts() -> list[float]:
        limiter, times = LocalRateLimiter(), []
        await limiter.declare("m", 100, 60)
        for i in range(5):
            await limiter.acquire("m", str(i))
            times.append(asyncio.get_running_loop().time())
        return times

    assert virtually(starts()) == [0, 1, 2, 3, 4]


def test_strictest_profile_of_a_model_limits_all():
    async def starts() -> list[float]:
        limiter, times = LocalRateLimiter(), []
        await limiter.declare("m", 100, None)
        await limiter.declare("m", 100, 60)
        for i in range(3):
            await limiter.acquire("m", str(i))
            times.append(asyncio.get_running_loop().time())
        return times

    assert virtually(starts()) == [0, 1, 2]


def test_cancelled_wait_and_dead_process_block_no_one():
    async def work() -> None:
        limiter = LocalRateLimiter()
        await limiter.declare("m", 1, None)
        await limiter.acquire("m", "lost")
        waiting = asyncio.create_task(limiter.acquire("m", "second"))
        await asyncio.sleep(1)
        waiting.cancel()
        third = asyncio.create_task(limiter.acquire("m", "third"))
        await asyncio.sleep(1)
        assert not third.done()
        await limiter.report("m", "lost", "failed")
        await asyncio.wait_for(third, 1)

    virtually(work())


class StrictProvider:
    """Allows `at_once` requests within `at_once / per_s` seconds, from the first ones on: one, or a second's worth."""

    def __init__(self, per_s: float, at_once: int, tell: str):
        self.per_s, self.at_once, self.tell = per_s, at_once, tell
        self.admitted: list[float] = []

    async def send(self) -> float | None:
        """Returns None if answered, otherwise the wait that the response stated (-1: none)."""
        await asyncio.sleep(0.02)
        now = asyncio.get_running_loop().time()
        if len(self.admitted) >= self.at_once:
            wait = self.admitted[-self.at_once] + self.at_once / self.per_s - now
            if wait > 1e-9:
                return {"seconds": math.ceil(wait), "date": math.ceil(now + wait) - now, "nonsense": -1.0}[self.tell]
        self.admitted.append(now)
        await asyncio.sleep(0.5)
        return None


@pytest.mark.parametrize("tell", ["seconds", "date", "nonsense"])
@pytest.mark.parametrize("per_s", [3, 5, 20])
@pytest.mark.parametrize("spread", [True, False], ids=["one at a time", "by the second"])
def test_most_of_the_limit_is_used_within_ten_seconds(tell, per_s, spread):
    provider = StrictProvider(per_s, 1 if spread else per_s, tell)

    async def work() -> None:
        playing = asyncio.create_task(play(provider, LocalRateLimiter(), 80, 10_000, 64))  # type: ignore[arg-type]
        await asyncio.sleep(40)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

    virtually(work())
    later = [t for t in provider.admitted if 10 <= t < 40]
    assert len(later) >= 0.85 * per_s * 30, "within ten seconds it is found, and refusals cost little from then on"


@pytest.mark.parametrize("wish_s", [-1.0, 0.0, 1.0], ids=["no wish", "at once", "a second"])
def test_provider_refusing_every_other_request_is_slowed_down(wish_s):
    class Moody:
        answered = refused = 0
        draw = random.Random(3)

        async def send(self) -> float | None:
            await asyncio.sleep(0.02)
            if self.draw.random() < 0.5:
                self.refused += 1
                return wish_s
            await asyncio.sleep(1)
            self.answered += 1
            return None

    provider = Moody()
    took = virtually(play(provider, LocalRateLimiter(), 8, 25, 8))  # type: ignore[arg-type]
    assert provider.answered == 200 and provider.refused < 300, "each is answered once, and lost to no refusal"
    assert took < 2400, "slower than it would have to be, since no rate is right, but never at a standstill"


@pytest.mark.parametrize(("answered", "patience_s"), [(True, OUTAGE_S), (False, NEVER_S)])
def test_outage_sends_few_requests_until_one_is_answered(answered, patience_s):
    async def work() -> None:
        limiter, now = LocalRateLimiter(), asyncio.get_running_loop().time
        await limiter.declare("m", 8, None)
        if answered:
            await limiter.acquire("m", "first")
            await limiter.report("m", "first", "ok")
        sent, at = itertools.count(), {"began": now()}

        async def ask() -> None:
            while "over" not in at:
                request = str(next(sent))
                await limiter.acquire("m", request)
                await asyncio.sleep(0.1)
                if await limiter.report("m", request, "unavailable") == "over":
                    at.setdefault("over", now())

        await asyncio.wait_for(asyncio.gather(*(ask() for _ in range(8))), 10 * patience_s)
        assert patience_s <= at["over"] - at["began"] <= patience_s + 70
        assert next(sent) < 20 + patience_s / 60, "one a minute in the end"
        await limiter.acquire("m", "probe")
        await limiter.report("m", "probe", "ok")
        for n in range(6):
            await asyncio.wait_for(limiter.acquire("m", f"again {n}"), 1)

    virtually(work())
