"""Brings the hosted models of a plan up and down while its episodes are played."""

import asyncio
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from gwray.errors import ModelError, UsageError
from gwray.pipelines.executor import Executor
from gwray.pipelines.hosting import Hosting
from gwray.pipelines.schedule import Schedule
from gwray.pipelines.stop import Stop
from gwray.pipelines.waves import Wave, needs
from gwray.records import redacted_text
from gwray.settings import ModelSpec

POLL_INTERVAL_S = 10.0
"""Seconds between checks whether a model fits by now: engines end whenever autoscaling needs fewer."""
PLACED_S = 30.0
"""Seconds for which browsers wait for the first engines' places: other jobs may hold the GPUs for hours."""


class Rollout:
    """Each model comes up as soon as it fits on what is free on the cluster, in the order of the waves, and its
    episodes begin when all models that they need are up, whatever else is loading. Models that episodes need together
    come up together. Later waves fill what is left once all that fits of earlier ones has its place, so a model whose
    GPUs other jobs use keeps no other from playing. A model goes down when no episode needs it any more.
    """

    def __init__(self, hosting: Hosting, waves: Sequence[Wave], console: Console, stop: Stop):
        self._hosting = hosting
        self._stop = stop
        self._console = console
        self._models = {m.name: m for wave in waves for m in wave.models}
        self._left = [wave.episodes for wave in waves]
        """Episodes of each wave that have not begun, because a model is not up."""
        self._waiting = [self._groups(wave) for wave in waves]
        """Models of each wave that do not load yet, grouped by what episodes need together."""
        self._urls: dict[str, str] = {}
        self._broken: dict[str, str] = {}
        """Why models could not be served."""
        self._disabled: set[str] = set()
        self._ending: dict[str, asyncio.Task[None]] = {}
        """Models that are up, each with the task that waits for its last episode and ends it."""
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._unplaced: dict[str, asyncio.Event] = {}
        """Models that load, for which the cluster has room but has not reserved it yet."""

    @property
    def loading(self) -> list[str]:
        """Names of the models that are loading; before `begin`, of those of the first wave."""
        return [*self._loading] or ([m.name for g in self._waiting[0] for m in g] if not self._urls else [])

    def _groups(self, wave: Wave) -> list[tuple[ModelSpec, ...]]:
        """Returns the models of a wave, grouped: two that an episode needs are in one group."""
        groups = [{m.name} for m in wave.models]
        for part in wave.episodes.parts:
            together = needs(part.cell, self._models)
            joined = [g for g in groups if g & together]
            groups = [g for g in groups if not g & together] + ([set().union(*joined)] if joined else [])
        groups.sort(key=lambda g: min(n for n, m in enumerate(wave.models) if m.name in g))
        return [tuple(m for m in wave.models if m.name in g) for g in groups]

    async def begin(self) -> None:
        """Starts to load the models that fit. Returns once the cluster has reserved what their engines need, so that
        browsers take no CPU from them, or after `PLACED_S`, or if a stop is requested."""
        await self._load_fitting()
        if placed := [asyncio.create_task(event.wait()) for event in self._unplaced.values()]:
            await self._stop.or_done(asyncio.wait(placed, timeout=PLACED_S))
            for task in placed:
                task.cancel()

    async def play(self, schedule: Schedule, executor: Executor) -> None:
        """Adds the episodes of hosted models to the schedule, and returns once no model is left."""
        self._hosting.play(schedule.load)
        while not (schedule.over or self._stop.asked):
            for tasks in (self._loading, self._ending):
                for name, task in [(n, t) for n, t in tasks.items() if t.done()]:
                    task.result()
                    del tasks[name]
                    if tasks is self._ending:
                        del self._urls[name]
            await self._add_episodes(schedule, executor)
            await self._load_fitting()
            schedule.tally.loading = [*self._loading]
            if not (tasks := self._tasks):
                return
            await asyncio.wait(tasks, timeout=POLL_INTERVAL_S, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.gather(*self._ending.values())  # the schedule ends, and so they do

    @property
    def _tasks(self) -> set[asyncio.Task[None]]:
        return {*self._ending.values(), *self._loading.values()}

    async def close(self) -> None:
        """Cancels what is loading, and the waiting for last episodes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _load_fitting(self) -> None:
        """Starts to load the models that fit beside those that are up or load. If nothing is up or loads, the first
        group gets in line for its place all the same: the cluster gives it what others release."""
        for wave in self._waiting:
            for group in list(wave):
                models = [*(self._models[name] for name in self._unplaced), *group]
                fits = {*await self._hosting.fitting(models)} >= {m.name for m in group}
                if fits or not self._tasks:
                    wave.remove(group)
                    for model in group:
                        self._load(model, fits)
            if self._unplaced:
                return

    def _load(self, model: ModelSpec, fits: bool) -> None:
        placed = asyncio.Event()
        if fits:
            self._unplaced[model.name] = placed

        def on_placed() -> None:
            self._unplaced.pop(model.name, None)
            placed.set()

        async def load() -> None:
            try:
                self._urls[model.name] = await self._hosting.up(model, on_placed)
            except (ModelError, UsageError) as e:
                self._broken[model.name] = redacted_text(str(e))
            finally:
                on_placed()

        self._loading[model.name] = asyncio.create_task(self._stop.or_done(load()))

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
