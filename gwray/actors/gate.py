"""One gate for all sandbox actors: a provider's limit is shared by everything that talks to it.

The gate itself is `gwray.agents.LocalGate`; it lives in one actor, and `RemoteGate` is what the others hold.
"""

from __future__ import annotations

import uuid
from typing import Any

import ray

from gwray.agents import LocalGate


class GateActor(LocalGate):
    """A `LocalGate` in a process of its own."""

    async def ready(self) -> bool:
        return True


class RemoteGate:
    """Calls the gate actor of that name; a `Gate`. A name, unlike a handle, survives an actor's restart."""

    def __init__(self, name: str):
        self._actor: Any = ray.get_actor(name)

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        await self._actor.declare.remote(model, max_in_flight, requests_per_minute)

    async def acquire(self, model: str, request_id: str) -> None:
        await self._actor.acquire.remote(model, request_id)

    async def report(self, model: str, request_id: str, outcome: Any, retry_after_s: float | None = None) -> None:
        await self._actor.report.remote(model, request_id, outcome, retry_after_s)


def start_gate() -> tuple[str, Any]:
    """Name and handle of a new gate actor; it lives as long as the handle."""
    name = f"gate-{uuid.uuid4().hex[:12]}"
    options: dict[str, Any] = {"max_concurrency": 10_000, "name": name}
    actor: Any = ray.remote(num_cpus=0, **options)(GateActor)
    handle = actor.remote()
    ray.get(handle.ready.remote())
    return name, handle
