"""A call to a model: its turn at the gate, the retries and the price around a client's one request.

One caller per profile is shared by all seats of a process, so that connections and limits are shared too.
"""

from __future__ import annotations

import asyncio
import os
import time
import weakref

from gwray.agents.clients import Client, make_client
from gwray.agents.cost import cost_usd
from gwray.agents.limits import Gate, LocalGate, Outcome
from gwray.agents.messages import Request
from gwray.agents.retry import Policy, Tries
from gwray.errors import ModelUnavailable, RateLimited
from gwray.records import Reply, canonical
from gwray.spec import ModelSpec

_Loop = asyncio.AbstractEventLoop
_gates: weakref.WeakKeyDictionary[_Loop, LocalGate] = weakref.WeakKeyDictionary()
_clients: weakref.WeakKeyDictionary[_Loop, dict[str, Client]] = weakref.WeakKeyDictionary()


class Caller:
    """Asks one model. Nothing is opened, and no key is read, before the first question."""

    def __init__(self, spec: ModelSpec, gate: Gate | None = None):
        self._spec = spec
        self._identity = canonical(spec.model_dump(mode="json"))
        self._gate = gate
        self._count = 0

    async def ask(self, request: Request) -> Reply:
        """One reply, however many tries it takes. Raises `ModelError`."""
        client, gate = self._client(), self._gate or _local_gate()
        await gate.declare(self._spec.name, self._spec.max_in_flight, self._spec.requests_per_minute)
        tries = Tries(Policy.of(self._spec))
        async for attempt in tries.context():
            with attempt:
                reply = await self._once(client, gate, request, tries)
                price = cost_usd(self._spec, reply.usage)
                return reply.model_copy(update={"requests": tries.requests, "cost_usd": price})
        raise AssertionError("the retry context ends with a reply or an error")

    async def _once(self, client: Client, gate: Gate, request: Request, tries: Tries) -> Reply:
        self._count += 1
        request_id = f"{os.getpid()}-{id(self)}-{self._count}"
        await gate.acquire(self._spec.name, request_id)
        outcome: Outcome = "failed"
        retry_after_s: float | None = None
        started = time.perf_counter()
        try:
            tries.requests += 1
            reply = await asyncio.wait_for(client.send(request), self._spec.timeout_s + 5)
            outcome = "ok"
            return reply
        except TimeoutError:
            raise ModelUnavailable(f"no reply within {self._spec.timeout_s:g} s") from None
        except RateLimited as e:
            outcome, retry_after_s = "limited", e.retry_after_s
            raise
        finally:
            tries.spent_s += time.perf_counter() - started
            await gate.report(self._spec.name, request_id, outcome, retry_after_s)

    def _client(self) -> Client:
        clients = _clients.setdefault(asyncio.get_running_loop(), {})
        if self._identity not in clients:
            clients[self._identity] = make_client(self._spec)
        return clients[self._identity]


def _local_gate() -> LocalGate:
    loop = asyncio.get_running_loop()
    if loop not in _gates:
        _gates[loop] = LocalGate()
    return _gates[loop]


async def close_clients() -> None:
    """Close the connections that this event loop's callers opened."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.close()


__all__ = ["Caller", "close_clients"]
