"""Reads an engine's metrics at a fixed interval for as long as its model is served."""

import asyncio
from collections.abc import Awaitable, Callable

from gwray.records import EngineReading
from gwray.serving.metrics import Counters, EngineSummary, History

SAMPLE_EVERY_S = 2.0
OnSample = Callable[[EngineReading], None]
"""Called in the event loop with each reading of a model's engines."""


class Sampler:
    """Samples one model. `read` returns its counters, or None (or no replicas) if the engine does not answer."""

    def __init__(
        self,
        model: str,
        read: Callable[[], Awaitable[Counters | None]],
        every_s: float,
        on_sample: OnSample | None = None,
    ):
        self._read, self._every_s, self._on_sample = read, every_s, on_sample
        self._history = History(model)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts sampling every `every_s` seconds; with 0, samples are taken only by `sample`."""
        if self._every_s and self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            await self.sample()
            await asyncio.sleep(self._every_s)

    async def sample(self) -> EngineReading | None:
        """Takes one sample now; None if the engine does not answer, for example while it restarts."""
        counters = await self._read()
        if counters is None or not counters.replicas:
            return None
        sample = self._history.add(counters)
        if self._on_sample is not None:
            self._on_sample(sample)
        return sample

    def summary(self) -> EngineSummary:
        return self._history.summary()

    async def stop(self, last: bool = True) -> EngineSummary:
        """Stops sampling, after one last sample if `last`, and returns the summary."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        if last:
            await self.sample()
        return self.summary()
