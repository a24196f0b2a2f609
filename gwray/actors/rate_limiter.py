"""One limiter for all sandbox actors: a provider's limit is shared by everything that talks to it.

The limiter itself is `gwray.agents.LocalRateLimiter`; it lives in one actor, and `RemoteRateLimiter` is what the
others hold.
"""

from __future__ import annotations

import uuid
from typing import Any

import ray

from gwray.agents import LocalRateLimiter


class GateActor(LocalRateLimiter):
    """A `LocalRateLimiter` in a process of its own, which outlives those that hold requests."""

    def __init__(self) -> None:
        super().__init__()
        self._lives: dict[str, str] = {}
        self._held: dict[str, str] = {}
        """Model of each admitted request."""

    async def ready(self) -> bool:
        return True

    async def enrol(self, holder: str, life: str) -> None:
        """A holder begins, perhaps once more: whatever it held in an earlier life ended with that."""
        self._lives[holder] = life
        for request_id, model in [*self._held.items()]:
            if self._is_lost(request_id):
                await self.report(model, request_id, "failed")

    async def acquire(self, model: str, request_id: str) -> None:
        await super().acquire(model, request_id)
        self._held[request_id] = model
        if self._is_lost(request_id):  # its holder died while it waited
            await self.report(model, request_id, "failed")

    async def report(self, model: str, request_id: str, outcome: Any, retry_after_s: float | None = None) -> None:
        self._held.pop(request_id, None)
        await super().report(model, request_id, outcome, retry_after_s)

    def _is_lost(self, request_id: str) -> bool:
        holder, life, _ = request_id.split("/")
        return self._lives.get(holder, life) != life


class RemoteRateLimiter:
    """Calls the limiter actor of that name; a `RateLimiter`. A name, unlike a handle, survives an actor's restart."""

    def __init__(self, name: str, holder: str):
        self._actor: Any = ray.get_actor(name)
        self._prefix = f"{holder}/{uuid.uuid4().hex}"
        self._actor.enrol.remote(*self._prefix.split("/"))

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        await self._actor.declare.remote(model, max_in_flight, requests_per_minute)

    async def acquire(self, model: str, request_id: str) -> None:
        await self._actor.acquire.remote(model, f"{self._prefix}/{request_id}")

    async def report(self, model: str, request_id: str, outcome: Any, retry_after_s: float | None = None) -> None:
        await self._actor.report.remote(model, f"{self._prefix}/{request_id}", outcome, retry_after_s)


def start_rate_limiter() -> tuple[str, Any]:
    """Name and handle of a new limiter actor; it lives as long as the handle."""
    name = f"limiter-{uuid.uuid4().hex[:12]}"
    options: dict[str, Any] = {"max_concurrency": 10_000, "name": name}
    actor: Any = ray.remote(num_cpus=0, **options)(GateActor)
    handle = actor.remote()
    ray.get(handle.ready.remote())
    return name, handle
