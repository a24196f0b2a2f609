"""Which actor plays the next episode: the least busy one, or one that has nothing else to do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Seats:
    """Lanes of several actors. For one event loop."""

    def __init__(self, actors: int, lanes: int):
        self._lanes = lanes
        self._busy = dict.fromkeys(range(actors), 0)
        """Episodes of each actor that is there."""
        self._kept: set[int] = set()
        """Actors that are one episode's alone, or will be when the others in them have ended."""
        self._changed = asyncio.Event()

    def remove(self, actor: int) -> None:
        """It does not come back."""
        self._busy.pop(actor, None)
        self._changed.set()

    @contextlib.asynccontextmanager
    async def taken(self, alone: bool) -> AsyncIterator[int | None]:
        """A free lane of the least busy actor, or an actor without any other episode; None when no actor is left."""
        actor = await (self._emptied() if alone else self._least_busy())
        if actor is not None:
            self._busy[actor] += 1
        try:
            yield actor
        finally:
            if actor in self._busy:
                self._busy[actor] -= 1
            if alone and actor is not None:
                self._kept.discard(actor)
            self._changed.set()

    async def _least_busy(self) -> int | None:
        while self._busy:
            free = [i for i, n in self._busy.items() if n < self._lanes and i not in self._kept]
            if free:
                return min(free, key=self._busy.__getitem__)
            await self._change()
        return None

    async def _emptied(self) -> int | None:
        while self._busy:
            free = [i for i in self._busy if i not in self._kept]
            if not free:
                await self._change()
                continue
            actor = min(free, key=self._busy.__getitem__)
            self._kept.add(actor)
            try:
                while self._busy.get(actor):
                    await self._change()
            except asyncio.CancelledError:
                self._kept.discard(actor)
                self._changed.set()
                raise
            if actor in self._busy:
                return actor
        return None

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
