"""Looks at an engine again and again while it is up, for as long as somebody plays with it.

What a look is made of (which pages are fetched) is the hosting's affair; here is only when, and who is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from gwray.serving.metrics import Counters, EngineSample, EngineSummary, History

SAMPLE_EVERY_S = 2.0
Heard = Callable[[str, EngineSample], None]
"""Told the model's name and each reading of its engines, in the event loop."""


class Sampler:
    """One model's readings. `read` gives its counters, None or no replicas when the engine does not answer."""

    def __init__(
        self, model: str, read: Callable[[], Awaitable[Counters | None]], every_s: float, on_sample: Heard | None = None
    ):
        self._model, self._read, self._every_s, self._heard = model, read, every_s, on_sample
        self._history = History(model)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look regularly from now on; with `every_s=0` only when asked."""
        if self._every_s and self._task is None:
            self._task = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(self._every_s)

    async def look(self) -> EngineSample | None:
        """One reading now; None when there is none (the engine may be restarting)."""
        now = await self._read()
        if now is None or not now.replicas:
            return None
        seen = self._history.add(now)
        if self._heard is not None:
            self._heard(self._model, seen)
        return seen

    @property
    def anything(self) -> bool:
        """Was there a reading at all?"""
        return self._history.last is not None

    def summary(self) -> EngineSummary:
        return self._history.summary()

    async def stop(self, last: bool = True) -> EngineSummary:
        """The end of looking, with one last look; what the engine did meanwhile."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        if last:
            await self.look()
        return self.summary()
