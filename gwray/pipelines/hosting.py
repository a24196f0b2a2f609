"""Between the plan and the serving room: hosts a wave's models, takes them down, writes down what their engines did."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Protocol

from rich.console import Console
from rich.markup import escape

from gwray.errors import ModelError, StoreError, UsageError
from gwray.pipelines.plan import Plan
from gwray.pipelines.schedule import Load
from gwray.pipelines.waves import Wave, hosted_here
from gwray.ray_connection import connect, disconnect
from gwray.records import EngineReading
from gwray.redaction import redacted_text
from gwray.serving import (
    ClusterResources,
    Endpoint,
    EngineSample,
    EngineSummary,
    ExternalServing,
    RayServing,
    cluster_resources,
    read_deployment,
    reserved_cpus,
    this_machine,
)
from gwray.spec import ExecutorSpec, ModelSpec
from gwray.store import RunDir

WRITE_EVERY_S = 20.0
"""Readings are written together: a remote run directory is written to once for many of them."""
NEWEST = 0.3
"""How much the last reading counts in the mean of what engines have to do."""


class Serving(Protocol):
    """What `RayServing` and `ExternalServing` have in common."""

    on_sample: Callable[[str, EngineSample], None] | None

    def waves(self, models: Sequence[ModelSpec], resources: ClusterResources) -> list[list[str]]: ...
    async def deploy(self, model: ModelSpec) -> Endpoint: ...
    async def teardown(self, model: ModelSpec) -> EngineSummary | None: ...
    async def close(self) -> None: ...


class MetricsRecorder:
    """The engines' readings of one run on their way to its directory and to whoever else listens."""

    def __init__(self, run: RunDir, listener: Callable[[EngineReading], None], wanted: Callable[[str, int], float]):
        self._run = run
        self._listener = listener
        self._wanted = wanted
        """Requests that so many engines of a model should have to do, and none of them less."""
        self._busy: dict[str, float] = {}
        """Requests that the engines of each model have to do, of late."""
        self.load: Callable[[str], Load] | None = None
        """What a model has to do with the lanes of the run; None while nothing plays."""
        self.takes: dict[str, int] = {}
        """Requests that the players of each model may have open."""
        self._unwritten: list[EngineReading] = []
        self._written_at = time.monotonic()

    def on_sample(self, model: str, sample: EngineSample) -> None:
        """Take in one reading."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        load = self.load(model) if self.load else None
        lanes = {"lanes": load.lanes, "lanes_waiting": load.lanes_waiting} if load else {}
        reading = EngineReading.model_validate({"model": model, "at": at, **_without_clock(sample), **lanes})
        busy = reading.running + reading.waiting
        self._busy[model] = NEWEST * busy + (1 - NEWEST) * self._busy.get(model, busy)
        if load:  # whoever plays is asked by turns of the model and of the game, so more may play than ask
            wanted = self._wanted(model, reading.replicas)
            self.takes[model] = max(math.ceil(wanted), load.requests + round(wanted - self._busy[model]))
        self._unwritten.append(reading)
        self._listener(reading)
        if time.monotonic() - self._written_at >= WRITE_EVERY_S:
            self.write()

    def write(self) -> None:
        """Append what has come since the last time. A full disk is not reported here: it stops the run elsewhere."""
        readings, self._unwritten = self._unwritten, []
        self._written_at = time.monotonic()
        if readings:
            with contextlib.suppress(StoreError):
                self._run.append_engines(readings)


def _without_clock(sample: EngineSample) -> dict[str, Any]:
    return {k: v for k, v in asdict(sample).items() if k != "at_s"}


class Hosting:
    """The self-hosted models of one run. `engines` fills as it stands in the manifest: the number of the wave, what was
    served and the summary of each model that was taken down, or why it could not be started."""

    def __init__(self, serving: Serving, executor: ExecutorSpec, console: Console):
        self._serving = serving
        self._executor = executor
        self._console = console
        self._series: MetricsRecorder | None = None
        self._waves_down = 0
        self._connected = False
        self._endpoints: dict[str, Endpoint] = {}
        self.engines: list[dict[str, Any]] = []

    def record(self, run: RunDir, listener: Callable[[EngineReading], None]) -> None:
        """Keep the engines' readings in the run directory from now on, and tell them to `listener`."""
        self._series = MetricsRecorder(run, listener, self._wanted)
        self._serving.on_sample = self._series.on_sample

    def play(self, load: Callable[[str], Load]) -> None:
        """From now on episodes are played; `load` tells what a model has to do with their lanes."""
        if self._series is not None:
            self._series.load = load

    def takes(self, model: str) -> int | None:
        """Requests that the players of a model may have open now: as many more than they have as its engines are short
        of what they should have to do, and never fewer than that. None: it is not hosted here, or elsewhere."""
        if not isinstance(self._serving, RayServing) or model not in self._endpoints:
            return None
        known = self._series.takes.get(model) if self._series else None
        return known if known is not None else math.ceil(self._wanted(model, 0))

    def _wanted(self, model: str, replicas: int) -> float:
        """What the engines of a model that answer should have to do, and one more as long as there may be one: so much
        makes Serve add it, and where there is no room for it, no more lanes queue for nothing."""
        spec = self._serving.spec(model) if isinstance(self._serving, RayServing) else None
        if spec is None:
            return 0.0
        return spec.requests_per_replica * min(max(replicas, spec.replicas_min) + 1, spec.replicas_max)

    def waves(self, models: Sequence[ModelSpec]) -> list[list[str]]:
        """Names of models, grouped by what fits on the cluster at once, one sandbox actor's CPUs left free."""
        return self._serving.waves(models, self._resources())

    def cpus(self, waves: Sequence[Wave]) -> float:
        """CPUs of the cluster that the browsers must leave to the engines, in the wave that takes most."""
        if not isinstance(self._serving, RayServing):
            return 0
        cluster = self._resources()
        return max((reserved_cpus([read_deployment(m.name) for m in w.models], cluster) for w in waves), default=0)

    def _resources(self) -> ClusterResources:
        spare = self._executor.cpus_per_actor if self._executor.name == "ray" else 0
        if isinstance(self._serving, RayServing) and self._executor.address is not None:
            self._connected = connect(self._executor.address) or self._connected
            return cluster_resources(reserve_cpus=spare)
        return this_machine(reserve_cpus=spare)

    async def up(self, models: Sequence[ModelSpec]) -> tuple[dict[str, str], dict[str, str]]:
        """Deploy all at once: weights take long to load. Base URLs by name, and for those that could not start, why."""
        for model in models:
            self._console.print(f"serving {model.name} …", highlight=False, style="dim")
        deployed = await asyncio.gather(*(self._serving.deploy(m) for m in models), return_exceptions=True)
        urls: dict[str, str] = {}
        broken: dict[str, str] = {}
        for name, got in zip([m.name for m in models], deployed, strict=True):
            if isinstance(got, Endpoint):
                urls[name] = got.base_url
                self._endpoints[name] = got
                if self._series:
                    self._series.takes.pop(name, None)
            elif isinstance(got, (ModelError, UsageError)):
                broken[name] = redacted_text(str(got))
                self.engines.append({"wave": self._waves_down + 1, "model": name, "error": broken[name]})
            else:
                raise got
        return urls, broken

    async def down(self, models: Sequence[ModelSpec]) -> None:
        """Take a wave's models down."""
        self._waves_down += 1
        for model in models:
            summary = await self._serving.teardown(model)
            if summary is not None:
                served = self._endpoints.get(model.name)
                what = {"weights": served.weights, "engine": served.engine} if served and served.weights else {}
                self.engines.append({"wave": self._waves_down, **what, **summary.as_dict()})
                self._console.print(escape(_sentence(summary)), highlight=False, style="dim")
        if self._series is not None:
            self._series.write()

    async def close(self) -> None:
        try:
            await self._serving.close()
        finally:
            if self._series is not None:
                self._series.write()
            if self._connected:
                disconnect()


def make_hosting(plan: Plan, console: Console) -> Hosting:
    """The hosting that `serving=` names; nothing is started yet."""
    choice, executor = plan.settings.serving, plan.settings.executor
    if choice.name == "external":
        if not choice.base_url:
            raise UsageError("serving=external needs serving.base_url=http://HOST:PORT/v1")
        return Hosting(ExternalServing(choice.base_url), executor, console)
    if choice.name == "vllm_cpu":
        on_gpu = [m.name for m in hosted_here(plan) if read_deployment(m.name).engine != "cpu"]
        if on_gpu:
            raise UsageError(f"serving=vllm_cpu: {', '.join(on_gpu)} need GPUs; the CPU engine serves tiny models only")

    def say(text: str) -> None:
        console.print(escape(text), highlight=False, style="dim")

    return Hosting(RayServing(executor.address, say=say), executor, console)


def _sentence(e: EngineSummary) -> str:
    """What limited the run, in one line."""
    share = e.busy_share
    had = "" if share is None else f", requests under way at {share * e.samples:.0f} of {e.samples} looks"
    cache = "" if e.prefix_cache_hit_rate is None else f", prefix cache hits {100 * e.prefix_cache_hit_rate:.0f} %"
    speed = "" if e.generation_tokens_per_s is None else f", {e.generation_tokens_per_s:.0f} tokens/s"
    return f"{e.model}: {e.requests:.0f} requests{speed}{had}{cache}"
