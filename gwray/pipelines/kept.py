"""Pictures that an interrupted try of an episode has taken, used again while the episode is played up to that point."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from gwray.store import Taken


class KeptPictures:
    """Gives each picture once, in order, and only for the very state in which it was taken; the first state that is
    another one ends it. Taking a picture changes nothing in a game, so not taking it does not either."""

    def __init__(self, taken: Iterator[Taken]):
        self._taken = taken
        self._next: Taken | None = None

    async def open(self) -> KeptPictures:
        await self._read()
        return self

    def reaches(self, step: int) -> bool:
        """Whether there is one of the instant before this step."""
        return self._next is not None and self._next.step == step

    async def picture(self, step: int, state_hash: str) -> bytes | None:
        """That of the instant before this step, if the game is in the same state now."""
        while self._next is not None and self._next.step < step:
            await self._read()
        found = self._next
        if found is None or found.step != step:
            return None
        if found.before != state_hash:
            self._taken, self._next = iter(()), None
            return None
        await self._read()
        return found.data

    async def _read(self) -> None:
        self._next = await asyncio.to_thread(next, self._taken, None)
