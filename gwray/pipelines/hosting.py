"""Hosts the models of a wave with `gwray.serving`, tears them down, and records metrics of their engines."""

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from rich.console import Console
from rich.markup import escape

from gwray.agents import sent_size
from gwray.catalog import read_models
from gwray.errors import ModelError, StoreError, UsageError
from gwray.pipelines.cells import PlannedCell
from gwray.pipelines.estimate import text_tokens
from gwray.pipelines.plan import Plan
from gwray.pipelines.schedule import ModelLoad
from gwray.pipelines.waves import Wave, hosted_here
from gwray.ray_connection import abandon, cluster_address, connect, disconnect
from gwray.records import EngineReading, redacted_text
from gwray.serving import (
    ClusterResources,
    DeploymentSpec,
    Endpoint,
    EngineSummary,
    ExternalServing,
    RayServing,
    cluster_resources,
    read_deployment,
    reserved_cpus,
    serving_files,
    this_machine,
)
from gwray.settings import CellSpec, ExecutorSpec, ModelSpec
from gwray.store import RunDir

WRITE_EVERY_S = 20.0
"""Seconds between writes of readings, so that a remote run directory gets few of them."""
NEWEST_WEIGHT = 0.3
"""Weight of the newest reading in the moving average of busy requests."""


class Serving(Protocol):
    """Interface of `RayServing` and `ExternalServing`."""

    on_sample: Callable[[EngineReading], None] | None

    def waves(self, models: Sequence[ModelSpec], resources: ClusterResources) -> list[list[str]]: ...
    async def fitting(self, models: Sequence[ModelSpec]) -> list[str]: ...
    async def deploy(self, model: ModelSpec, placed: Callable[[], None]) -> Endpoint: ...
    async def teardown(self, model: ModelSpec) -> EngineSummary | None: ...
    async def close(self) -> None: ...


class MetricsRecorder:
    """Passes readings of the engines to the run directory and a listener, and derives how many requests they accept.
    `target(model, replicas)` returns the requests that this number of engines should have in flight."""

    def __init__(self, run: RunDir, listener: Callable[[EngineReading], None], target: Callable[[str, int], float]):
        self._run = run
        self._listener = listener
        self._target = target
        self._busy: dict[str, float] = {}
        """Moving average of the requests at each model's engines."""
        self.load: Callable[[str], ModelLoad] | None = None
        """Returns the load of a model; None while no episode runs."""
        self.capacity: dict[str, int] = {}
        """Requests that the episodes of each model may have open."""
        self._unwritten: list[EngineReading] = []
        self._written_at = time.monotonic()

    def on_sample(self, reading: EngineReading) -> None:
        """Adds one reading."""
        model = reading.model
        load = self.load(model) if self.load else None
        if load:
            reading = reading.model_copy(update={"lanes": load.lanes, "lanes_waiting": load.lanes_waiting})
        busy = reading.running + reading.waiting
        self._busy[model] = NEWEST_WEIGHT * busy + (1 - NEWEST_WEIGHT) * self._busy.get(model, busy)
        if load:  # an episode waits for its game part of the time, so more episodes may run than requests are busy
            wanted = self._target(model, reading.replicas)
            self.capacity[model] = max(math.ceil(wanted), load.requests + round(wanted - self._busy[model]))
        self._unwritten.append(reading)
        self._listener(reading)
        if time.monotonic() - self._written_at >= WRITE_EVERY_S:
            self.write()

    def write(self) -> None:
        """Writes new readings. A full disk is not reported here; it stops the run elsewhere."""
        readings, self._unwritten = self._unwritten, []
        self._written_at = time.monotonic()
        if readings:
            with contextlib.suppress(StoreError):
                self._run.append_engines(readings)


class Hosting:
    """The self-hosted models of one run. `engines` is the manifest's entry: for each model, in the order in which they
    ended, what was served and a summary, or the start error."""

    def __init__(self, serving: Serving, executor: ExecutorSpec, console: Console):
        self._serving = serving
        self._executor = executor
        self._console = console
        self._series: MetricsRecorder | None = None
        self._connected = False
        self._endpoints: dict[str, Endpoint] = {}
        self._up: dict[str, ModelSpec] = {}
        """Models that have not been torn down."""
        self._revisions: dict[tuple[str, str], str] = {}
        """Revision of each model's weights that earlier commands of the run have served."""
        self.engines: list[dict[str, Any]] = []

    def record(self, run: RunDir, listener: Callable[[EngineReading], None]) -> None:
        """Records readings of the engines in the run directory from now on, and passes them to `listener`."""
        self._series = MetricsRecorder(run, listener, self._target_requests)
        self._serving.on_sample = self._series.on_sample
        engines = run.manifest().engines
        served = ([str(e.get(fact, "")) for fact in ("model", "weights", "revision")] for e in engines)
        self._revisions = {(model, weights): revision for model, weights, revision in served if revision}

    def play(self, load: Callable[[str], ModelLoad]) -> None:
        """Begins the episodes; `load` returns the load of a model."""
        if self._series is not None:
            self._series.load = load

    def capacity(self, model: str) -> int | None:
        """Returns how many requests the episodes of a model may have open now: at least the engines' target, and more
        if the engines have fewer busy requests than that. None: the model is not hosted by this run."""
        if not isinstance(self._serving, RayServing) or model not in self._endpoints:
            return None
        known = self._series.capacity.get(model) if self._series else None
        return known if known is not None else math.ceil(self._target_requests(model, 0))

    def _target_requests(self, model: str, replicas: int) -> float:
        """Returns the requests that a model's running engines should have in flight, plus one engine's worth while
        Serve may add one: that makes Serve add it, and bounds the queue if there is no room for it."""
        spec = self.spec(model)
        if spec is None:
            return 0.0
        return spec.requests_per_replica * min(max(replicas, spec.replicas_min) + 1, spec.replicas_max)

    def spec(self, model: str) -> DeploymentSpec | None:
        """Returns the serving profile of a model; None for an external server."""
        return self._serving.spec(model) if isinstance(self._serving, RayServing) else None

    def waves(self, models: Sequence[ModelSpec]) -> list[list[str]]:
        """Groups models that fit on the cluster together, with the CPUs of one sandbox actor left free."""
        return self._serving.waves(models, self._resources())

    def cpus(self, waves: Sequence[Wave]) -> float:
        """Returns the CPUs that browsers must leave to the engines, in the largest wave."""
        if not isinstance(self._serving, RayServing):
            return 0
        cluster = self._resources()
        return max((reserved_cpus([self._serving.spec(m.name) for m in w.models], cluster) for w in waves), default=0)

    def _resources(self) -> ClusterResources:
        """Returns the resources for engines: those of the cluster or of this machine, without the CPUs of one sandbox
        actor."""
        spare = self._executor.cpus_per_actor if self._executor.name == "ray" else 0
        if isinstance(self._serving, RayServing) and (address := cluster_address(self._executor.address)):
            self._connected = connect(address) or self._connected
            return cluster_resources(reserve_cpus=spare)
        return this_machine(reserve_cpus=spare)

    async def fitting(self, models: Sequence[ModelSpec]) -> list[str]:
        """Returns the names of those models that fit beside what runs on the cluster now."""
        return await self._serving.fitting(models)

    async def up(self, model: ModelSpec, placed: Callable[[], None] = lambda: None) -> str:
        """Deploys a model and returns its base URL. Calls `placed` once its engines have their place on the cluster.
        Raises `ModelError` or `UsageError` if it cannot start."""
        self._console.print(f"serving {model.name} …", highlight=False, style="dim")
        try:
            served = await self._serving.deploy(model, placed)
            before = self._revisions.get((model.name, served.weights))
            if before and served.revision and before != served.revision and "revision" not in model.deployment:
                await self._serving.teardown(model)
                raise UsageError(
                    f"{model.name}: the run has replies of revision {before} of {served.weights}, and now "
                    f"{served.revision} is there. Choose another name=… or run_dir=…, or put the earlier weights back."
                )
        except (ModelError, UsageError) as e:
            self.engines.append({"model": model.name, "error": redacted_text(str(e))})
            raise
        self._endpoints[model.name], self._up[model.name] = served, model
        if self._series:
            self._series.capacity.pop(model.name, None)
        return served.base_url

    async def down(self, model: ModelSpec) -> None:
        """Tears a model down, and records what was served."""
        summary = await self._serving.teardown(model)
        self._up.pop(model.name, None)
        facts = served.facts() if (served := self._endpoints.get(model.name)) else {}
        if summary is not None or facts:
            self.engines.append({**facts, **(asdict(summary) if summary else {"model": model.name})})
        if summary is not None and (spec := self.spec(model.name)):
            self.engines[-1]["gpu_hours"] = summary.engine_hours * spec.resources.gpus
        if summary is not None:
            self._console.print(escape(_sentence(summary)), highlight=False, style="dim")
        if self._series is not None:
            self._series.write()

    async def close(self) -> None:
        """Tears down all models; those of an interrupted run are recorded as any."""
        abandon()
        try:
            for model in list(self._up.values()):
                await self.down(model)
            await self._serving.close()
        finally:
            if self._series is not None:
                self._series.write()
            if self._connected:
                disconnect()


def make_hosting(plan: Plan, console: Console) -> Hosting:
    """Returns the hosting that `serving=` selects; starts nothing."""
    choice, executor = plan.settings.serving, plan.settings.executor
    if choice.name == "external":
        if not choice.base_url:
            raise UsageError("serving=external needs serving.base_url=http://HOST:PORT/v1")
        return Hosting(ExternalServing(choice.base_url), executor, console)
    specs = deployments(plan)
    if choice.name == "vllm_cpu":
        on_gpu = [name for name, spec in specs.items() if spec.engine != "cpu"]
        if on_gpu:
            raise UsageError(f"serving=vllm_cpu: {', '.join(on_gpu)} need GPUs; the CPU engine serves tiny models only")

    def say(text: str) -> None:
        console.print(escape(text), highlight=False, style="dim")

    return Hosting(RayServing(executor.address, specs=specs, say=say), executor, console)


def deployments(plan: Plan) -> dict[str, DeploymentSpec]:
    """Returns the serving profile of each model that the run hosts, with the overrides of `deployment.…`, and with room
    for the images of the longest prompt. Raises `UsageError` for a profile of another model."""
    hosted = {m.name for m in hosted_here(plan)}
    known = {m.name: m.model_id for m in read_models()}
    specs: dict[str, DeploymentSpec] = {}
    jobs = [(j.model, j.deployment) for j in plan.jobs]
    served = {read_deployment(m.name, changes).name for m, changes in jobs if m.name in serving_files()}
    for model, overrides in jobs + [(m, {}) for m in plan.models() if m.name not in served]:
        own = known.get(model.name, model.model_id)
        if model.name in serving_files() and (spec := read_deployment(model.name, overrides)).name in hosted:
            if model.model_id != own and "model_source" not in overrides:
                raise UsageError(
                    f"conf/deployment/{model.name}.yaml hosts {own}, not model.model_id={model.model_id}: "
                    "set deployment.model_source, add files of its own to both folders, or use serving=external"
                )
            if specs.setdefault(spec.name, spec) != spec:
                raise UsageError(
                    f"two jobs serve {spec.name} with different values of deployment.…. Only those that can change "
                    "replies (docs/serving.md) can be swept over; give two commands for the others."
                )
    for cell in plan.cells:
        for model in (m for m in cell.spec.models() if m.name in specs and m.pictures):
            spec, most = specs[model.name], images_per_prompt(cell.spec)
            if most > spec.images_per_prompt:
                specs[model.name] = spec.model_copy(update={"images_per_prompt": most})
        for model in (m for m in (cell.spec.model, *cell.spec.roles.values()) if m.name in specs):
            _require_context(plan, cell, model, specs[model.name].max_model_len)
    return specs


def _require_context(plan: Plan, cell: PlannedCell, model: ModelSpec, limit: int) -> None:
    """Raises `UsageError` if an episode's longest prompt and a reply exceed the engine's context of `limit` tokens: it
    would refuse the request, late in the episode."""
    if model.image.factor == 1:  # the size of an image in tokens is unknown
        return
    for part in plan.episodes.of_cell(cell.id).parts:
        game = plan.library.game(part.game)
        w, h = sent_size(*game.viewport, model.image)
        tokens = w * h // model.image.factor**2
        turns = game.task(part.task, cell.spec.limit.steps).budget
        images = images_per_prompt(cell.spec, turns)
        text = math.ceil(1.25 * text_tokens(min(cell.spec.agent.memory_rounds, turns)))  # a margin for long prompts
        needed = images * tokens + text + model.sampling.max_output_tokens
        if needed > limit:
            raise UsageError(
                f"{cell.name}: a prompt has up to {images} images of {tokens:,} tokens, and a reply up to "
                f"{model.sampling.max_output_tokens:,} tokens. With about {text:,} tokens of text that is more than "
                f"{model.name} is served with, a context of {limit:,} tokens. Lower memory_rounds, set "
                "memory_format=text, or raise deployment.max_model_len."
            )


def images_per_prompt(cell: CellSpec, turns: int | None = None) -> int:
    """Returns the most images that one prompt of a cell has: all views, now and of each past round that it repeats.
    `turns`: of an episode; None: any number."""
    views = len(cell.observation.views) if cell.observation.pictures else 0
    rounds = cell.agent.memory_rounds if cell.agent.memory_format != "text" else 0
    return views * (1 + rounds if turns is None else min(1 + rounds, turns))


def _sentence(e: EngineSummary) -> str:
    """Returns a one-line summary of an engine."""
    share = e.busy_share
    had = "" if share is None else f", busy in {share * e.samples:.0f} of {e.samples} samples"
    cache = "" if e.prefix_cache_hit_rate is None else f", prefix cache hits {100 * e.prefix_cache_hit_rate:.0f} %"
    speed = "" if e.generation_tokens_per_s is None else f", {e.generation_tokens_per_s:.0f} tokens/s"
    return f"{e.model}: {e.requests:.0f} requests{speed}{had}{cache}"
