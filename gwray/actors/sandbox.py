"""Playing with Ray: sandbox actors, each with one browser and several lanes. If an actor dies, its episodes fail as
node failures and are retried: they resume from their reply logs."""

import asyncio
import contextlib
import os
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter
from ray.exceptions import RayError

from gwray.actors.pool import ActorPool, Member
from gwray.actors.rate_limiter import RemoteRateLimiter, start_rate_limiter
from gwray.errors import GwrayError, StoreError
from gwray.pipelines import NodeRequirements, PlayProgress, Worker, code_hash, label, rules_of
from gwray.records import EpisodeRecord
from gwray.settings import LOCAL_PLAYERS, CellSpec, EpisodeSpec, ExecutorSpec
from gwray.store import RunDir

_EPISODE = TypeAdapter(EpisodeSpec)
PROGRESS_S = 5.0
"""Seconds in which an actor must report its progress: one that is cut off must not stop the display."""


class SandboxActor(Member):
    """A `Worker` in its own process. It opens the run directory with the first episode. `keys`: environment variables
    with the API keys of the run's models. They are an argument because Ray shows a runtime environment to everybody."""

    def __init__(
        self,
        name: str,
        run_dir: str,
        libraries: tuple[str, ...],
        spec: dict[str, Any],
        limiter: str,
        keys: Mapping[str, str],
        lease: str,
    ):
        os.environ.update(keys)
        self._lanes = [f"{name}-{i}" for i in range(spec["lanes"])]
        self._make = lambda: Worker(
            run_dir, libraries, ExecutorSpec.model_validate(spec), limiter=RemoteRateLimiter(limiter, name)
        )
        self._watch_lease = lambda: RunDir(run_dir).lease.watch(lease)
        self._made: Worker | None = None

    @property
    def _worker(self) -> Worker:
        if self._made is None:
            self._watch_lease()
            self._made = self._make()
        return self._made

    async def play(self, spec: dict[str, Any], trial: int, alone: bool, endpoints: dict[str, str]) -> dict[str, Any]:
        """Plays one episode in a free lane and returns its record as plain values. `trial`: number of this trial, from
        1. `alone`: use a separate browser. `endpoints`: base URLs of self-hosted models, by profile name."""
        self._worker.endpoints = endpoints
        lane = self._lanes.pop()
        try:
            record = await self._worker.play(_EPISODE.validate_python(spec), trial, lane, alone=alone)
        finally:
            self._lanes.append(lane)
        return record.model_dump()

    async def progress(self) -> PlayProgress:
        return self._worker.progress

    async def close(self) -> None:
        if self._made is not None:
            await self._made.close()


class RayExecutor:
    """The `ray` executor: actors spread over the cluster; each episode goes to the least busy one. `engine_cpus` are
    left free for the models that the run hosts."""

    def __init__(
        self, run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec, episodes: int, engine_cpus: float = 0
    ):
        self._run_dir, self._libraries, self._spec = run_dir, libraries, spec
        self._pool = ActorPool(spec, episodes, engine_cpus)
        self._limiter: Any = None
        self._endpoints: dict[str, str] = {}
        self._steps: dict[int, int] = {}

    @property
    def slots(self) -> int:
        return self._pool.slots

    def want(self, lanes: int) -> None:
        self._pool.want(lanes)

    async def start(self) -> None:
        """Starts the rate limiter and the first actor."""
        await self._pool.connect()
        name, self._limiter = await asyncio.to_thread(start_rate_limiter)
        manifest = await asyncio.to_thread(RunDir.open(self._run_dir).manifest)
        games = manifest.games
        rules = await asyncio.to_thread(rules_of, self._libraries, games)
        models = {m.identity: m for c in manifest.cells for m in CellSpec.model_validate(c.spec).models()}
        asked = tuple(m for m in models.values() if m.provider not in LOCAL_PLAYERS)
        requirements = NodeRequirements(code_hash(), self._libraries, games, rules, models=asked, run_dir=self._run_dir)
        keys = {key: os.environ[key] for key in {m.api_key_env for m in asked} if key and os.environ.get(key)}
        self._pool.on_lost = lambda i: self._limiter.leave.remote(f"sandbox-{i}")
        lease = RunDir(self._run_dir).lease.token()
        args = (self._run_dir, self._libraries, self._spec.model_dump(), name, keys, lease)
        await self._pool.start(SandboxActor, lambda i: (f"sandbox-{i}", *args), requirements)
        await self._limiter.ready.remote()  # it has started beside the actors

    async def play(self, spec: EpisodeSpec, trial: int, *, alone: bool = False) -> EpisodeRecord:
        args = _EPISODE.dump_python(spec, mode="json"), trial, alone, self._endpoints
        try:
            return EpisodeRecord.model_validate(await self._pool.call("play", *args, alone=alone))
        except StoreError:
            raise
        except GwrayError as e:
            return _failed_record(spec, e, trial)

    async def progress(self) -> PlayProgress:
        held_back: dict[str, float] = {}
        actors = self._pool.actors
        for i, progress in zip(actors, await asyncio.gather(*map(_progress, actors.values())), strict=True):
            self._steps[i] = max(self._steps.get(i, 0), progress.steps)
            held_back |= {m: max(t, held_back.get(m, t)) for m, t in progress.held_back.items()}
        return PlayProgress(sum(self._steps.values()), held_back, self._pool.notices)

    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None:
        self._endpoints = dict(endpoints)

    async def close(self) -> None:
        await self._pool.close(self._limiter)


async def _progress(actor: Any) -> PlayProgress:
    """Returns an actor's progress; none if it does not answer in time."""
    with contextlib.suppress(RayError, TimeoutError):
        return await asyncio.wait_for(actor.progress.remote(), PROGRESS_S)
    return PlayProgress()


def _failed_record(spec: EpisodeSpec, error: GwrayError, trial: int) -> EpisodeRecord:
    fields = {"status": "failed", "error_message": str(error), "tries": trial, **error.error_fields()}
    return label(spec).model_copy(update=fields)
