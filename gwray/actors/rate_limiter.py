"""One rate limiter for all sandbox actors, because they share a provider's limit.

The limiter is `gwray.agents.LocalRateLimiter` in an actor of its own; sandbox actors call it through
`RemoteRateLimiter`. If the limiter's actor dies, Ray restarts it with empty memory: the clients then send the limits of
profiles and their requests in flight again, and the provider's rate is learned from the start.
"""

import asyncio
import time
import uuid
from typing import Any

import ray
from ray.exceptions import RayActorError

from gwray.actors.keepalive import await_with_keepalive
from gwray.agents import LocalRateLimiter
from gwray.errors import BrowserError

RESTART_S = 120.0
"""Seconds after which a limiter that does not answer is considered dead."""
REJOIN_S = 2.0
"""Seconds that a restarted limiter admits no request after the first client registered, so that the others can."""
Limits = tuple[int, float | None]
"""Limits of a profile: requests in flight, and requests per minute."""
ClientState = list[tuple[str, Limits, list[str]]]
"""State of a client: for each model its limits and the ids of requests in flight."""


class RateLimiterActor(LocalRateLimiter):
    """A `LocalRateLimiter` in its own process, which outlives its clients. A request id is `client/session/number`; a
    session is one life of a client's process."""

    def __init__(self) -> None:
        super().__init__()
        self._sessions: dict[str, str] = {}
        """Current session of each client."""
        self._in_flight_models: dict[str, str] = {}
        """Model of each admitted request."""
        self._ended: set[str] = set()
        """Sessions that were reported as ended and have sent no request since."""
        restarted = ray.get_runtime_context().was_current_actor_reconstructed
        self._rejoin_s = REJOIN_S if restarted else 0.0
        self._opens_at = time.monotonic() + self._rejoin_s

    async def ready(self) -> bool:
        return True

    async def register(self, client: str, session: str, state: ClientState) -> None:
        """Registers a client, or a new session of it: requests of its earlier session are released."""
        if not self._sessions:  # counted from the first client: all of them may have been paused until now
            self._opens_at = time.monotonic() + self._rejoin_s
        self._sessions[client] = session
        for model, limits, in_flight in state:
            await self.declare(model, *limits)
            self.resume(model, in_flight)
            self._in_flight_models |= dict.fromkeys(in_flight, model)
        await self._release()

    async def leave(self, client: str) -> None:
        """Releases the requests of a client that was reported dead. If it lives, its next request revokes that."""
        if client in self._sessions:
            self._ended.add(self._sessions[client])
        await self._release()

    async def _release(self) -> None:
        for request_id, model in [*self._in_flight_models.items()]:
            if self._is_lost(request_id):
                await self.report(model, request_id, "failed")

    async def acquire(self, model: str, request_id: str, limits: Limits | None = None) -> int:
        """Admits a request, as `LocalRateLimiter.acquire`; `limits` declares the model to a limiter that was
        restarted."""
        self._ended.discard(request_id.split("/")[1])
        if limits is not None:
            await self.declare(model, *limits)
        await asyncio.sleep(self._opens_at - time.monotonic())
        in_flight = await super().acquire(model, request_id)
        self._in_flight_models[request_id] = model
        if self._is_lost(request_id):  # its client died while it waited
            await self.report(model, request_id, "failed")
        return in_flight

    async def report(self, model: str, request_id: str, outcome: Any, retry_after_s: float | None = None) -> Any:
        self._in_flight_models.pop(request_id, None)
        return await super().report(model, request_id, outcome, retry_after_s)

    def _is_lost(self, request_id: str) -> bool:
        client, session, _ = request_id.split("/")
        return self._sessions.get(client, session) != session or session in self._ended


class RemoteRateLimiter:
    """A `RateLimiter` that calls the limiter actor. It uses the actor's name: a handle does not survive a restart."""

    def __init__(self, name: str, client: str):
        self._actor: Any = ray.get_actor(name)
        self._client, self._session = client, uuid.uuid4().hex
        self._limits: dict[str, Limits] = {}
        self._in_flight: dict[str, str] = {}
        """Model of each admitted request that is not reported yet."""
        self._reconnects = 0
        self._reconnecting = asyncio.Lock()
        self._actor.register.remote(client, self._session, [])

    async def declare(self, model: str, max_in_flight: int, requests_per_minute: float | None) -> None:
        self._limits[model] = (max_in_flight, requests_per_minute)
        await self._call("declare", model, max_in_flight, requests_per_minute)

    async def acquire(self, model: str, request_id: str) -> int:
        in_flight = await self._call("acquire", model, self._full_id(request_id), self._limits[model])
        self._in_flight[self._full_id(request_id)] = model
        return in_flight

    async def report(self, model: str, request_id: str, outcome: Any, retry_after_s: float | None = None) -> Any:
        self._in_flight.pop(self._full_id(request_id), None)
        return await self._call("report", model, self._full_id(request_id), outcome, retry_after_s)

    def _full_id(self, request_id: str) -> str:
        return f"{self._client}/{self._session}/{request_id}"

    async def _call(self, method: str, *args: Any) -> Any:
        """Calls the actor; reconnects if it was restarted. Raises `BrowserError` if it is not."""
        while True:
            reconnects = self._reconnects
            try:
                return await await_with_keepalive(getattr(self._actor, method).remote(*args), self._actor.ready.remote)
            except RayActorError:
                await self._reconnect(reconnects)

    async def _reconnect(self, reconnects: int) -> None:
        """Waits for the restarted actor and registers, once for all calls that failed together."""
        end = time.monotonic() + RESTART_S
        async with self._reconnecting:
            while self._reconnects == reconnects:
                requests = {m: [r for r, model in self._in_flight.items() if model == m] for m in self._limits}
                state: ClientState = [(m, limits, requests[m]) for m, limits in self._limits.items()]
                registered = self._actor.register.remote(self._client, self._session, state)
                try:
                    await await_with_keepalive(registered, self._actor.ready.remote)
                    self._reconnects += 1
                except RayActorError as e:
                    if time.monotonic() > end:
                        raise BrowserError(f"the rate limiter died and was not restarted: {e}") from e
                    await asyncio.sleep(0.2)


def start_rate_limiter() -> tuple[str, Any]:
    """Starts a limiter actor and returns its name and handle, before it answers. It lives as long as the handle."""
    name = f"limiter-{uuid.uuid4().hex[:12]}"
    options: dict[str, Any] = {"max_concurrency": 10_000, "name": name, "max_restarts": -1}
    actor: Any = ray.remote(num_cpus=0, **options)(RateLimiterActor)
    return name, actor.remote()
