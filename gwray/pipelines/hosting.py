"""Between the plan and the serving room: hosts a wave's models, takes them down, writes down what their engines did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rich.console import Console
from rich.markup import escape

from gwray.errors import ModelError, UsageError
from gwray.pipelines.plan import Plan
from gwray.pipelines.waves import hosted_here
from gwray.serving import (
    ClusterResources,
    EngineSummary,
    ExternalServing,
    RayServing,
    cluster_resources,
    read_serving,
    this_machine,
)
from gwray.serving.ray_serving import Endpoint
from gwray.spec import ExecutorSpec, ModelSpec


class Serving(Protocol):
    """What `RayServing` and `ExternalServing` have in common."""

    def waves(self, models: Sequence[ModelSpec], resources: ClusterResources) -> list[list[str]]: ...
    async def deploy(self, model: ModelSpec) -> Endpoint: ...
    async def teardown(self, model: ModelSpec) -> EngineSummary | None: ...
    async def close(self) -> None: ...


class Hosting:
    """The self-hosted models of one run. `engines` fills with one summary for each model that was taken down."""

    def __init__(self, serving: Serving, executor: ExecutorSpec, console: Console):
        self._serving = serving
        self._executor = executor
        self._console = console
        self.engines: list[EngineSummary] = []

    def waves(self, models: Sequence[ModelSpec]) -> list[list[str]]:
        """Names of models, grouped by what fits on the cluster at once, one sandbox actor's CPUs left free."""
        return self._serving.waves(models, self._resources())

    def _resources(self) -> ClusterResources:
        spare = self._executor.cpus_per_actor if self._executor.name == "ray" else 0
        if isinstance(self._serving, RayServing) and self._executor.address is not None:
            from gwray.actors import connect

            connect(self._executor.address)
            return cluster_resources(reserve_cpus=spare)
        return this_machine(reserve_cpus=spare)

    async def up(self, models: Sequence[ModelSpec]) -> tuple[dict[str, str], dict[str, str]]:
        """Deploy; base URLs by name, and for those that could not start, why."""
        urls: dict[str, str] = {}
        broken: dict[str, str] = {}
        for model in models:
            self._console.print(f"serving {model.name} …", highlight=False, style="dim")
            try:
                urls[model.name] = (await self._serving.deploy(model)).base_url
            except ModelError as e:
                broken[model.name] = str(e)
        return urls, broken

    async def down(self, models: Sequence[ModelSpec]) -> None:
        """Take a wave's models down."""
        for model in models:
            summary = await self._serving.teardown(model)
            if summary is not None:
                self.engines.append(summary)
                self._console.print(escape(_sentence(summary)), highlight=False, style="dim")

    async def close(self) -> None:
        await self._serving.close()


def make_hosting(plan: Plan, console: Console) -> Hosting:
    """The hosting that `serving=` names; nothing is started yet."""
    choice, executor = plan.settings.serving, plan.settings.executor
    if choice.name == "external":
        if not choice.base_url:
            raise UsageError("serving=external needs serving.base_url=http://HOST:PORT/v1")
        return Hosting(ExternalServing(choice.base_url), executor, console)
    if choice.name == "vllm_cpu":
        on_gpu = [m.name for m in hosted_here(plan) if read_serving(m.name).engine != "cpu"]
        if on_gpu:
            raise UsageError(f"serving=vllm_cpu: {', '.join(on_gpu)} need GPUs; the CPU engine serves tiny models only")
    return Hosting(RayServing(executor.address), executor, console)


def _sentence(e: EngineSummary) -> str:
    """What limited the run, in one line."""
    busy = "" if e.busy_share is None else f", engine busy {100 * e.busy_share:.0f} % of the time"
    cache = "" if e.prefix_cache_hit_rate is None else f", prefix cache hits {100 * e.prefix_cache_hit_rate:.0f} %"
    speed = "" if e.generation_tokens_per_s is None else f", {e.generation_tokens_per_s:.0f} tokens/s"
    return f"{e.model}: {e.requests:.0f} requests{speed}{busy}{cache}"
