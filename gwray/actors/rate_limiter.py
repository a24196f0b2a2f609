"""One limiter for all sandbox actors: a provider's limit is shared by everything that talks to it.

The limiter itself is `gwray.agents.LocalRateLimiter`; it lives in one actor, and `RemoteRateLimiter` is what the
others hold. An actor that dies is started again by Ray with nothing in memory: its holders tell it once more what
profiles allow and what they have in flight, and what a provider takes is learned anew.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import ray
from ray.exceptions import RayActorError

from gwray.actors.heard import heard
from gwray.agents import LocalRateLimiter
from gwray.errors import BrowserError

RESTART_S = 120.0
"""A limiter that does not answer for so long is not coming back."""
TELL_S = 2.0
"""For so long after the first of its holders has told it what is in flight, one that was started again admits nobody:
the others tell it too."""
Limits = tuple[int, float | None]
"""What a profile allows: requests in flight, and requests a minute."""
Told = list[tuple[str, Limits, list[str]]]
"""What a holder knows: model, what its profile allows, and the requests in flight."""


class GateActor(LocalRateLimiter):
    """A `LocalRateLimiter` in a process of its own, which outlives those that hold requests."""

    def __init__(self) -> None:
        super().__init__()
        self._lives: dict[str, str] = {}
        self._held: dict[str, str] = {}
        """Model of each admitted request."""
        self._left: set[str] = set()
        """Lives that are said to be over, and have not been heard of since."""
        again = ray.get_runtime_context().was_current_actor_reconstructed
        self._tell_s = TELL_S if again else 0.0
        self._opens_at = time.monotonic() + self._tell_s

    async def ready(self) -> bool:
        return True

    async def enrol(self, holder: str, life: str, told: Told) -> None:
        """A holder begins, perhaps once more: whatever it held in an earlier life ended with that."""
        if not self._lives:  # from the first on who tells: all of them may have stood still until now
            self._opens_at = time.monotonic() + self._tell_s
        self._lives[holder] = life
        for model, limits, in_flight in told:
            await self.declare(model, *limits)
            self.resume(model, in_flight)
            self._held |= dict.fromkeys(in_flight, model)
        await self._let_go()

    async def leave(self, holder: str) -> None:
        """A holder is said to have died, and may never come back: what it has in flight is nobody's. If it lives, its
        next request says so."""
        if holder in self._lives:
            self._left.add(self._lives[holder])
        await self._let_go()

    async def _let_go(self) -> None:
        for request_id, model in [*self._held.items()]:
            if self._is_lost(request_id):
                await self.report(model, request_id, "failed")

    async def admit(self, model: str, request_id: str, limits: Limits) -> int:
        """`acquire`, also of one that has been started again since it was told of the model."""
        self._left.discard(request_id.split("/")[1])
        await self.declare(model, *limits)
        await asyncio.sleep(self._opens_at - time.monotonic())
        in_flight = await super().acquire(model, request_id)
        self._held[request_id] = model
        if self._is_lost(request_id):  # its holder died while it waited
            await self.report(model, request_id, "failed")
        return in_flight

    async def report(self, model: str, request_id: str, outcome: Any, retry_after_s: float | None = None) -> Any:
        self._held.pop(request_id, None)
        return await super().report(model, request_id, outcome, retry_after_s)

    def _is_lost(self, request_id: str) -> bool:
        holder, life, _ = request_id.split("/")
        return self._lives.get(holder, life) != life or life in self._left


class RemoteRateLimiter:
    """Calls the limiter actor of that name; a `RateLimiter`. A name, unlike a handle, survives an actor's restart."""

    def __init__(self, name: str, holder: str):
        self._actor: Any = ray.get_actor(name)
        self._holder, self._life = holder, uuid.uuid4().hex
        self._limits: dict[str, Limits] = {}
        self._in_flight: dict[str, str] = {}
        """Model of each request that was admitted and not reported."""
        self._reached = 0
        """How often the actor was found anew."""
        self._finding = asyncio.Lock()
        self._actor.enrol.remote(holder, self._life, [])

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        self._limits.setdefault(model, (max_in_flight, requests_per_minute))
        await self._call("declare", model, max_in_flight, requests_per_minute)

    async def acquire(self, model: str, request_id: str) -> int:
        in_flight = await self._call("admit", model, self._named(request_id), self._limits[model])
        self._in_flight[self._named(request_id)] = model
        return in_flight

    async def report(self, model: str, request_id: str, outcome: Any, retry_after_s: float | None = None) -> Any:
        self._in_flight.pop(self._named(request_id), None)
        return await self._call("report", model, self._named(request_id), outcome, retry_after_s)

    def _named(self, request_id: str) -> str:
        return f"{self._holder}/{self._life}/{request_id}"

    async def _call(self, method: str, *args: Any) -> Any:
        """Ask the actor; if it has died, ask the next one. `BrowserError` when there is none."""
        while True:
            reached = self._reached
            try:
                return await heard(getattr(self._actor, method).remote(*args), self._actor.ready.remote)
            except RayActorError:
                await self._find(reached)

    async def _find(self, reached: int) -> None:
        """Wait for the next actor and tell it everything, once for all calls that failed together."""
        end = time.monotonic() + RESTART_S
        async with self._finding:
            while self._reached == reached:
                of_model = {m: [r for r, of in self._in_flight.items() if of == m] for m in self._limits}
                told: Told = [(m, limits, of_model[m]) for m, limits in self._limits.items()]
                try:
                    await heard(self._actor.enrol.remote(self._holder, self._life, told), self._actor.ready.remote)
                    self._reached += 1
                except RayActorError as e:
                    if time.monotonic() > end:
                        raise BrowserError(f"the limiter of requests died and was not started again: {e}") from e
                    await asyncio.sleep(0.2)


def start_rate_limiter() -> tuple[str, Any]:
    """Name and handle of a new limiter actor; it lives as long as the handle."""
    name = f"limiter-{uuid.uuid4().hex[:12]}"
    options: dict[str, Any] = {"max_concurrency": 10_000, "name": name, "max_restarts": -1}
    actor: Any = ray.remote(num_cpus=0, **options)(GateActor)
    handle = actor.remote()
    ray.get(handle.ready.remote())
    return name, handle
