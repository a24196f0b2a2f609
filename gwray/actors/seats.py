"""Which actor plays the next episode: the least busy one, or one that has nothing else to do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable


class Seats:
    """Lanes of several actors. For one event loop."""

    def __init__(self, lanes: int, actors: Iterable[int] = ()):
        self._lanes = lanes
        self._busy = dict.fromkeys(actors, 0)
        """Episodes of each actor that is there."""
        self._lives = dict.fromkeys(self._busy, 1)
        """How often each actor has come."""
        self._lost: set[int] = set()
        """Actors that may come (back)."""
        self._kept: set[int] = set()
        """Actors that are one episode's alone, or will be when the others in them have ended."""
        self._leaving: frozenset[int] = frozenset()
        """Actors that will not be there for long."""
        self._changed = asyncio.Event()

    @property
    def present(self) -> frozenset[int]:
        """Actors that are there."""
        return frozenset(self._busy)

    @property
    def idle(self) -> frozenset[int]:
        """Those of them that have nothing to do, and are kept for nobody."""
        return frozenset(i for i, n in self._busy.items() if not n and i not in self._kept)

    def add(self, actor: int) -> None:
        """It is there, perhaps again, and has nothing to do."""
        self._lost.discard(actor)
        self._leaving -= {actor}
        self._busy[actor] = 0
        self._lives[actor] = self._lives.get(actor, 0) + 1
        self._changed.set()

    def life(self, actor: int) -> int:
        """How often it has come."""
        return self._lives.get(actor, 0)

    def lose(self, actor: int, life: int = 0) -> bool:
        """It is not there, and may come (back). `life`: the one that has ended; what is said of an earlier one changes
        nothing. Returns whether it was there."""
        if actor in self._lost or self.life(actor) != life:
            return False
        self._busy.pop(actor, None)
        self._lost.add(actor)
        self._changed.set()
        return True

    def leave(self, actors: Iterable[int]) -> None:
        """These, and no others, will not be there for long: they end what they have, and get more only where no other
        is there."""
        self._leaving = frozenset(actors)
        self._changed.set()

    def remove(self, actor: int) -> None:
        """It does not come (back)."""
        self._busy.pop(actor, None)
        self._lost.discard(actor)
        self._changed.set()

    @contextlib.asynccontextmanager
    async def taken(self, alone: bool) -> AsyncIterator[int | None]:
        """A free lane of the least busy actor, or an actor without any other episode; None when no actor is left and
        none is coming."""
        actor = await (self._emptied() if alone else self._least_busy())
        if actor is None:
            yield None
            return
        self._busy[actor] += 1
        life = self._lives[actor]
        try:
            yield actor
        finally:
            # One that was lost meanwhile and is back knows nothing of what was in it.
            if actor in self._busy and self._lives[actor] == life:
                self._busy[actor] -= 1
            if alone:
                self._kept.discard(actor)
            self._changed.set()

    async def _least_busy(self) -> int | None:
        while self._busy or self._lost:
            free = [i for i in self._staying() if self._busy[i] < self._lanes and i not in self._kept]
            if free:
                return min(free, key=self._busy.__getitem__)
            await self._change()
        return None

    async def _emptied(self) -> int | None:
        while self._busy or self._lost:
            free = [i for i in self._staying() if i not in self._kept]
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
            self._kept.discard(actor)
        return None

    def _staying(self) -> list[int]:
        return [i for i in self._busy if i not in self._leaving] or list(self._busy)

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
