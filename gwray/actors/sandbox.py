"""The Ray side of playing: sandbox actors, each with one browser and several lanes, and their pool.

An actor that dies is restarted by Ray with nothing in memory; its episodes come back as failures of the machine and
are tried again, continuing from their reply logs. Until it answers, nothing is given to it: waiting costs no try.
Nothing else of gwray imports Ray but `serving`.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Mapping
from typing import Any

import ray
from pydantic import TypeAdapter
from ray.exceptions import RayError, RayTaskError

from gwray.actors.rate_limiter import RemoteRateLimiter, start_rate_limiter
from gwray.actors.seats import Seats
from gwray.errors import BrowserError, BrowserLost, GwrayError, InternalError, StoreError, UsageError
from gwray.pipelines import PlayProgress, Worker, label
from gwray.ray_connection import connect, disconnect
from gwray.records import EpisodeRecord
from gwray.spec import EpisodeSpec, ExecutorSpec

_EPISODE = TypeAdapter(EpisodeSpec)

RESTART_S = 180.0
"""An actor that does not answer for so long is given up."""


class SandboxActor:
    """A `Worker` in a process of its own."""

    def __init__(self, name: str, run_dir: str, libraries: tuple[str, ...], spec: dict[str, Any], limiter: str):
        self._lanes = [f"{name}-{i}" for i in range(spec["lanes"])]
        self._worker = Worker(
            run_dir, libraries, ExecutorSpec.model_validate(spec), limiter=RemoteRateLimiter(limiter, name)
        )

    async def play(self, spec: dict[str, Any], tries: int, alone: bool, endpoints: dict[str, str]) -> dict[str, Any]:
        self._worker.endpoints = endpoints
        lane = self._lanes.pop()
        try:
            record = await self._worker.play(_EPISODE.validate_python(spec), tries, lane, alone=alone)
        finally:
            self._lanes.append(lane)
        return record.model_dump()

    async def progress(self) -> PlayProgress:
        return self._worker.progress

    async def close(self) -> None:
        await self._worker.close()


class RayPool:
    """The `ray` executor: actors spread over the cluster, episodes given to the least busy one. `engine_cpus` are left
    free: those of the models that this run hosts."""

    def __init__(
        self, run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec, episodes: int, engine_cpus: float = 0
    ):
        self._args = (run_dir, libraries, spec.model_dump())
        self._spec = spec
        self._episodes = episodes
        self._engine_cpus = engine_cpus
        self._actors: list[Any] = []
        self._limiter: Any = None
        self._seats = Seats(0, 0)
        self._down: set[int] = set()
        """Actors that have died and not answered since."""
        self._endpoints: dict[str, str] = {}
        self._steps: dict[int, int] = {}
        self._connected = False
        self.slots = spec.lanes

    async def start(self) -> None:
        self._connected = await asyncio.to_thread(connect, self._spec.address)
        count = self._spec.actors or self._fitting()
        options: dict[str, Any] = {"max_restarts": -1, "max_task_retries": 0, "max_concurrency": self._spec.lanes + 4}
        if self._engine_cpus:  # not all CPUs of one node: an engine needs some where its GPUs are
            options["scheduling_strategy"] = "SPREAD"
        actor: Any = ray.remote(num_cpus=self._spec.cpus_per_actor, **options)(SandboxActor)
        name, self._limiter = await asyncio.to_thread(start_rate_limiter)
        self._actors = [actor.remote(f"sandbox-{i}", *self._args, name) for i in range(count)]
        self._seats = Seats(count, self._spec.lanes)
        self.slots = count * self._spec.lanes
        try:
            await asyncio.wait_for(asyncio.gather(*(a.progress.remote() for a in self._actors)), timeout=180)
        except TimeoutError as e:
            free = ray.available_resources().get("CPU", 0)
            raise UsageError(
                f"{count} sandbox actors of {self._spec.cpus_per_actor:g} CPUs did not start within 180 s; the cluster "
                f"has {free:g} CPUs free. Lower executor.actors or executor.cpus_per_actor."
            ) from e
        except RayError as e:
            raise BrowserError(f"a sandbox actor did not start: {e}") from e

    def _fitting(self) -> int:
        cpus = ray.cluster_resources().get("CPU", 1) - self._engine_cpus
        by_cpu = max(1, int(cpus / max(self._spec.cpus_per_actor, 0.01)))
        return max(1, min(by_cpu, math.ceil(self._episodes / self._spec.lanes)))

    async def play(self, spec: EpisodeSpec, tries: int, *, alone: bool = False) -> EpisodeRecord:
        while True:
            async with self._seats.taken(alone) as i:
                if i is None:
                    return _failed(spec, BrowserError("no sandbox actor is left; see the logs of Ray"), tries)
                if await self._answers(i):
                    return await self._play(i, spec, tries, alone)
                self._seats.remove(i)

    async def _play(self, i: int, spec: EpisodeSpec, tries: int, alone: bool) -> EpisodeRecord:
        try:
            data = await self._actors[i].play.remote(
                _EPISODE.dump_python(spec, mode="json"), tries, alone, self._endpoints
            )
            return EpisodeRecord.model_validate(data)
        except RayTaskError as e:
            if isinstance(e.cause, StoreError):
                raise StoreError(str(e.cause)) from e
            return _failed(spec, InternalError(f"{type(e.cause).__name__}: {e.cause}"), tries)
        except RayError as e:
            self._down.add(i)
            why = BrowserError if alone else BrowserLost
            return _failed(spec, why(f"the sandbox actor died: {e}"[:2000]), tries)

    async def _answers(self, i: int) -> bool:
        """Whether an actor can play; one that died is waited for until it is there again, or does not come back."""
        end = time.monotonic() + RESTART_S
        while i in self._down:
            try:
                await self._actors[i].progress.remote()
                self._down.discard(i)
            except RayError:
                if time.monotonic() > end:
                    return False
                await asyncio.sleep(0.5)
        return True

    async def progress(self) -> PlayProgress:
        held_back: frozenset[str] = frozenset()
        for i, actor in enumerate(self._actors):
            try:
                of_actor: PlayProgress = await actor.progress.remote()
            except RayError:
                continue
            self._steps[i] = max(self._steps.get(i, 0), of_actor.steps)
            held_back |= of_actor.held_back
        return PlayProgress(sum(self._steps.values()), held_back)

    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None:
        self._endpoints = dict(endpoints)

    async def close(self) -> None:
        if self._actors:
            closing = asyncio.gather(*(a.close.remote() for a in self._actors), return_exceptions=True)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(closing, timeout=20)
            for actor in (*self._actors, self._limiter):
                ray.kill(actor)
        self._actors = []
        if self._connected:
            await asyncio.to_thread(disconnect)


def _failed(spec: EpisodeSpec, error: GwrayError, tries: int) -> EpisodeRecord:
    told = {"status": "failed", "error_message": str(error), "tries": tries, **error.blame()}
    return label(spec).model_copy(update=told)
