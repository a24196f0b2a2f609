"""Brings the hosted models of a plan up and down while its episodes are played."""

import asyncio
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markup import escape

from gwray.pipelines.executor import Executor
from gwray.pipelines.hosting import Hosting
from gwray.pipelines.schedule import Schedule
from gwray.pipelines.stop import Stop
from gwray.pipelines.waves import Wave, needs
from gwray.spec import ModelSpec

POLL_INTERVAL_S = 10.0
"""Seconds between checks whether a model fits by now: engines end whenever autoscaling needs fewer."""


class Rollout:
    """Models come up in the order of the waves, each as soon as it fits beside those that are up: the next one loads
    while the last episodes of an earlier one are played, the first one while episodes without a hosted model are. A
    model goes down when no episode needs it any more, and its episodes begin when all models that they need are up. The
    models of a wave fit together, so at the latest they come up when all earlier waves have ended.
    """

    def __init__(self, hosting: Hosting, waves: Sequence[Wave], console: Console, stop: Stop):
        self._hosting = hosting
        self._stop = stop
        self._console = console
        self._models = {m.name: m for wave in waves for m in wave.models}
        self._left = [wave.episodes for wave in waves]
        """Episodes of each wave that have not begun, because a model is not up."""
        self._waiting = [list(wave.models) for wave in waves]
        """Models of each wave that are not up yet."""
        self._urls: dict[str, str] = {}
        self._broken: dict[str, str] = {}
        """Why models could not be served."""
        self._disabled: set[str] = set()
        self._ending: dict[str, asyncio.Task[None]] = {}
        """Models that are up, each with the task that waits for its last episode and ends it."""
        self._loading: asyncio.Task[None] | None = None
        self.loading = [m.name for m in self._waiting[0]]
        """Names of the models that are loading: before `begin`, of those that it will load."""

    async def begin(self) -> None:
        """Starts to load the models of the first wave. Returns once the cluster has reserved what their engines need,
        so that browsers take no CPU from them, or after a time limit, or if a stop is requested."""
        placed = asyncio.Event()
        self._load(self._waiting[0], placed.set)
        await self._stop.or_done(placed.wait())

    async def play(self, schedule: Schedule, executor: Executor) -> None:
        """Adds the episodes of hosted models to the schedule, and returns once no model is left."""
        self._hosting.play(schedule.load)
        while not (schedule.over or self._stop.asked):
            await self._add_episodes(schedule, executor)
            for name, task in [(n, t) for n, t in self._ending.items() if t.done()]:
                task.result()
                del self._ending[name], self._urls[name]
            if self._loading is None and (models := await self._fitting()):
                self._load(models)
            schedule.tally.loading = self.loading
            if not (tasks := self._tasks):
                return
            await asyncio.wait(tasks, timeout=POLL_INTERVAL_S, return_when=asyncio.FIRST_COMPLETED)
            if self._loading is not None and self._loading.done():
                self._loading.result()
                self._loading, self.loading = None, []
        await asyncio.gather(*self._ending.values())  # the schedule ends, and so they do

    @property
    def _tasks(self) -> set[asyncio.Task[None]]:
        return {*self._ending.values(), *([self._loading] if self._loading else [])}

    async def close(self) -> None:
        """Cancels what is loading, and the waiting for last episodes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _fitting(self) -> list[ModelSpec]:
        """Returns the models that can be loaded now: of the first wave with models that are not up."""
        first = next((models for models in self._waiting if models), [])
        return await self._hosting.fitting(first) if first and self._ending else list(first)

    def _load(self, models: Sequence[ModelSpec], placed: Callable[[], None] = lambda: None) -> None:
        """Starts to load models; calls `placed` once the cluster has room for all of them, or they cannot start."""

        async def load() -> None:
            urls, broken = await self._hosting.up(models, placed)
            self._urls |= urls
            self._broken |= broken
            for waiting in self._waiting:
                waiting[:] = [m for m in waiting if m.name not in urls and m.name not in broken]

        self.loading = [m.name for m in models]
        self._loading = asyncio.create_task(self._stop.or_done(load()))

    async def _add_episodes(self, schedule: Schedule, executor: Executor) -> None:
        """Adds the episodes of models that have come up."""
        known = {*self._urls, *self._broken}
        await executor.set_endpoints(self._urls)
        for number, left in enumerate(self._left):
            now, self._left[number] = left.divided(lambda part: needs(part.cell, self._models) <= known)
            if now:
                schedule.add(now)
        for name in self._broken.keys() - self._disabled:
            why = self._broken[name]
            self._disabled.add(name)
            self._console.print(f"[red]{name} could not be served:[/] {escape(why)}", highlight=False)
            schedule.disable_model(name, why)
        wanted = {name for left in self._left for part in left.parts for name in needs(part.cell, self._models)}
        for name in self._urls.keys() - self._ending.keys() - wanted:
            self._ending[name] = asyncio.create_task(self._end(name, schedule))

    async def _end(self, name: str, schedule: Schedule) -> None:
        await schedule.without([name])
        await self._hosting.down(self._models[name])
