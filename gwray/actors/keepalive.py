"""Waiting for the result of an actor call over a network that may be interrupted."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
KEEPALIVE_S = 20.0


async def await_with_keepalive(result: Awaitable[T], ping: Callable[[], object]) -> T:
    """Returns the result of an actor call, and calls `ping` every `KEEPALIVE_S` seconds until it arrives.

    After a network interruption the actor's side may have closed the connection and dropped the result. A caller that
    only waits notices that after gRPC's keepalive, 300 + 120 s in Ray. A caller that sends notices it at once, and all
    calls on the connection fail then.
    """
    pending = asyncio.ensure_future(result)
    try:
        while not (await asyncio.wait({pending}, timeout=KEEPALIVE_S))[0]:
            ping()
        return pending.result()
    finally:
        pending.cancel()
