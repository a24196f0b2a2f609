"""Waiting for what an actor answers, over a network that may have been cut meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
KNOCK_S = 20.0


async def heard(answer: Awaitable[T], knock: Callable[[], object]) -> T:
    """What an actor answers. `knock` says something else to it every `KNOCK_S` seconds meanwhile.

    Where a cable was out for a while, the actor's end may have given up the connection, and the answer with it. Who
    only waits is told so by gRPC's keepalive, after 300 + 120 s in Ray; who sends is told at once, and all calls on
    that connection fail then.
    """
    waiting = asyncio.ensure_future(answer)
    try:
        while not (await asyncio.wait({waiting}, timeout=KNOCK_S))[0]:
            knock()
        return waiting.result()
    finally:
        waiting.cancel()
