"""A call to a model: its turn at the limiter, the retries and the price around a client's one request.

Connections and limits belong to a `ClientPool`, which belongs to whoever plays: all roles of all its episodes share
them, and closing it closes nobody else's.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping

from gwray.agents.clients import Client, make_client
from gwray.agents.cost import cost_usd
from gwray.agents.messages import Request
from gwray.agents.rate_limiter import LocalRateLimiter, Outage, Outcome, RateLimiter
from gwray.agents.retry import Policy, Tries
from gwray.agents.served import substitute_model
from gwray.errors import ModelDown, ModelUnavailable, RateLimited
from gwray.records import Reply, canonical
from gwray.spec import ModelSpec

GRACE_S = 5.0
"""How much longer than its own time limit a request may take: that limit starts again with every byte of a reply."""


class ClientPool:
    """Connections by profile, and the limiter that all requests pass. For one event loop.

    `limiter`: admission shared with other processes; None: one of this pool's own.
    """

    def __init__(self, limiter: RateLimiter | None = None):
        self.limiter: RateLimiter = limiter or LocalRateLimiter()
        self.endpoints: Mapping[str, str] = {}
        """Base URLs of self-hosted models that are up now, by profile name."""
        self.held_back: set[str] = set()
        """Models that answer nobody now and are waited for."""
        self.on_held_back: Callable[[], None] = lambda: None
        """Called when they are others."""
        self._clients: dict[str, Client] = {}

    def hold_back(self, model: str, held: bool) -> None:
        """A model answers nobody, or somebody again."""
        if held == (model in self.held_back):
            return
        self.held_back ^= {model}
        self.on_held_back()

    def caller(self, model: ModelSpec) -> ModelCaller:
        """A way to ask that model. Opens nothing yet."""
        url = self.endpoints.get(model.name)
        return ModelCaller(model.model_copy(update={"base_url": url}) if url else model, self)

    def client(self, model: ModelSpec) -> Client:
        """The connection of that profile, opened at its first use. Raises `AuthError` for a missing key."""
        identity = canonical(model.model_dump(mode="json"))
        if identity not in self._clients:
            self._clients[identity] = make_client(model)
        return self._clients[identity]

    async def close(self) -> None:
        """Close the connections."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.close()


class ModelCaller:
    """Asks one model. Nothing is opened, and no key is read, before the first question."""

    def __init__(self, spec: ModelSpec, pool: ClientPool):
        self._spec = spec
        self._pool = pool
        self._count = 0

    async def ask(self, request: Request) -> Reply:
        """One reply, however many tries it takes. Raises `ModelError`."""
        client, limiter = self._pool.client(self._spec), self._pool.limiter
        await limiter.declare(self._spec.name, self._spec.max_in_flight, self._spec.requests_per_minute)
        tries = Tries(Policy.from_spec(self._spec))
        async for attempt in tries.context():
            with attempt:
                reply = await self._once(client, limiter, request, tries)
                price = cost_usd(self._spec, reply.usage, substitute_model(self._spec, request.model_id, reply))
                return reply.model_copy(update={"requests": tries.requests, "cost_usd": price})
        raise AssertionError("the retry context ends with a reply or an error")

    async def _once(self, client: Client, limiter: RateLimiter, request: Request, tries: Tries) -> Reply:
        self._count += 1
        request_id = f"{os.getpid()}-{id(self)}-{self._count}"
        in_flight = await limiter.acquire(self._spec.name, request_id)
        outcome: Outcome = "failed"
        retry_after_s: float | None = None
        started = time.perf_counter()
        outage: Outage | None = None
        try:
            try:
                tries.requests += 1
                reply = await asyncio.wait_for(client.send(request), self._spec.timeout_s + GRACE_S)
                outcome = "ok"
                return reply.model_copy(update={"in_flight": in_flight})
            except TimeoutError:
                outcome = "unavailable"
                raise ModelUnavailable(f"no reply within {self._spec.timeout_s:g} s") from None
            except RateLimited as e:
                outcome, retry_after_s = "limited", e.retry_after_s
                raise
            except ModelUnavailable:
                outcome = "unavailable"
                raise
            finally:
                tries.spent_s += time.perf_counter() - started
                outage = await limiter.report(self._spec.name, request_id, outcome, retry_after_s)
                tries.held = outage == "held"
                if tries.held:
                    self._pool.hold_back(self._spec.name, True)
                elif outage == "over" or outcome in ("ok", "limited"):
                    self._pool.hold_back(self._spec.name, False)
        except ModelUnavailable as e:
            if outage != "over":
                raise
            raise ModelDown(f"{self._spec.name} has answered nobody for a long time: {e}", status=e.status) from e
