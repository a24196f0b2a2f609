"""Chooses the actor for the next episode: the least busy one, or one that has no other episode."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable


class LanePool:
    """Lanes of several actors, for one event loop. An actor has a *generation*, which counts its starts: a restarted
    actor has no memory of earlier calls."""

    def __init__(self, lanes: int, actors: Iterable[int] = ()):
        self._lanes = lanes
        self._busy = dict.fromkeys(actors, 0)
        """Number of episodes of each present actor."""
        self._generations = dict.fromkeys(self._busy, 1)
        self._lost: set[int] = set()
        """Actors that may start or return."""
        self._reserved: set[int] = set()
        """Actors that run one episode alone, or will when their other episodes have ended."""
        self._draining: frozenset[int] = frozenset()
        """Actors that will end soon."""
        self._changed = asyncio.Event()

    @property
    def present(self) -> frozenset[int]:
        """Actors that can take episodes."""
        return frozenset(self._busy)

    @property
    def idle(self) -> frozenset[int]:
        """Returns the present actors that have no episode and are not reserved."""
        return frozenset(i for i, n in self._busy.items() if not n and i not in self._reserved)

    def add(self, actor: int) -> None:
        """Adds an actor that has started, or has been restarted."""
        self._lost.discard(actor)
        self._draining -= {actor}
        self._busy[actor] = 0
        self._generations[actor] = self._generations.get(actor, 0) + 1
        self._changed.set()

    def generation(self, actor: int) -> int:
        """Returns how often an actor has started."""
        return self._generations.get(actor, 0)

    def mark_lost(self, actor: int, generation: int = 0) -> bool:
        """Marks an actor as lost until it is added again or removed. A report about an earlier generation is ignored.
        Returns whether the actor was present."""
        if actor in self._lost or self.generation(actor) != generation:
            return False
        self._busy.pop(actor, None)
        self._lost.add(actor)
        self._changed.set()
        return True

    def drain(self, actors: Iterable[int]) -> None:
        """Sets the actors that will end soon: they get episodes only if no other actor is present."""
        self._draining = frozenset(actors)
        self._changed.set()

    def remove(self, actor: int) -> None:
        """Removes an actor that will not return."""
        self._busy.pop(actor, None)
        self._lost.discard(actor)
        self._changed.set()

    @contextlib.asynccontextmanager
    async def acquire(self, alone: bool) -> AsyncIterator[int | None]:
        """Waits for a lane of the least busy actor, or with `alone` for an actor without episodes, and yields the
        actor. Yields None if no actor is left and none is expected."""
        actor = await (self._empty_actor() if alone else self._least_busy())
        if actor is None:
            yield None
            return
        self._busy[actor] += 1
        generation = self._generations[actor]
        try:
            yield actor
        finally:
            if actor in self._busy and self._generations[actor] == generation:
                self._busy[actor] -= 1
            if alone:
                self._reserved.discard(actor)
            self._changed.set()

    async def _least_busy(self) -> int | None:
        """Waits until a preferred actor that is not reserved has a free lane, and returns the one with the fewest
        episodes. None if no actor is left and none is expected. Reserves nothing."""
        while self._busy or self._lost:
            free = [i for i in self._preferred() if self._busy[i] < self._lanes and i not in self._reserved]
            if free:
                return min(free, key=self._busy.__getitem__)
            await self._wait_for_change()
        return None

    async def _empty_actor(self) -> int | None:
        """Reserves the least busy actor, so that it gets no new episodes, and returns it when its episodes have ended.

        The actor stays reserved: the caller must release it. It is released here only if the wait is cancelled, or if
        the actor is lost during the wait; then another one is reserved. None if no actor is left and none is expected.
        """
        while self._busy or self._lost:
            free = [i for i in self._preferred() if i not in self._reserved]
            if not free:
                await self._wait_for_change()
                continue
            actor = min(free, key=self._busy.__getitem__)
            self._reserved.add(actor)
            try:
                while self._busy.get(actor):
                    await self._wait_for_change()
            except asyncio.CancelledError:
                self._reserved.discard(actor)
                self._changed.set()
                raise
            if actor in self._busy:
                return actor
            self._reserved.discard(actor)
        return None

    def _preferred(self) -> list[int]:
        """Returns the present actors that will not end soon; all present ones if there are no others."""
        return [i for i in self._busy if i not in self._draining] or list(self._busy)

    async def _wait_for_change(self) -> None:
        """Waits until the actors, their reservations or their numbers of episodes change."""
        self._changed.clear()
        await self._changed.wait()
