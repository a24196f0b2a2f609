"""When the models of a plan are up, and how many GPU-hours are idle: real plan, schedule and rollout, simulated time.

A reply takes 5 s (hosted) or 8 s (others) plus 0.5 s of game, an episode one reply per step of its budget. An engine
answers as many requests at once as its profile aims at, more wait; replicas follow the requests in flight as Serve's
autoscaling does. A model loads in two minutes plus its weights at 0.5 GB/s. GPUs are idle while no replica with a
request holds them, until the last model has ended. `--in-order`: wave after wave, with the episodes of models behind an
API in the first one, as until 2026-11-25.

    python bench/waves.py [--in-order] [--nodes 2] [--gpus 4] [--split MODEL=GPUS] [--lanes 256] [OVERRIDE …]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import math
import selectors
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from rich.console import Console

from gwray.cli.compose import job_specs
from gwray.cli.console import terminal
from gwray.cli.terminal import print_table
from gwray.pipelines import PlayProgress, make_plan, plan_waves
from gwray.pipelines.hosting import Hosting, deployments
from gwray.pipelines.plan import Plan
from gwray.pipelines.rollout import Rollout
from gwray.pipelines.schedule import Budget, Schedule, Tally
from gwray.pipelines.stop import Stop
from gwray.pipelines.waves import Wave
from gwray.records import EpisodeRecord
from gwray.serving import DeploymentSpec, EngineSample, EngineSummary, RayServing
from gwray.serving.placement import ClusterResources, Node, fitting, waves
from gwray.serving.ray_serving import Endpoint
from gwray.spec import BudgetSpec, EpisodeSpec, ExecutorSpec, ModelSpec
from gwray.store import RunManifest

HOSTED_S, OTHER_S, GAME_S = 5.0, 8.0, 0.5
STEPS = 10
"""Steps that are simulated as one."""
SAMPLE_S, UPSCALE_S, DOWNSCALE_S, TEARDOWN_S = 10.0, 30.0, 600.0, 20.0


class SimulatedTime(asyncio.SelectorEventLoop):
    """An event loop whose time jumps to the next timer."""

    def __init__(self) -> None:
        self.now = 0.0
        loop = self

        class Selector(selectors.DefaultSelector):
            def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
                found = super().select(0)
                if not found and timeout:
                    loop.now += timeout
                return found

        super().__init__(Selector())

    def time(self) -> float:
        return self.now


class Engines(RayServing):
    """Simulated engines on a cluster."""

    def __init__(self, specs: Mapping[str, DeploymentSpec], cluster: ClusterResources):
        super().__init__(specs=specs)
        self.cluster = cluster
        self.replicas: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self.busy: dict[str, float] = defaultdict(float)
        """GPU-seconds with a request."""
        self.times: dict[str, list[float]] = defaultdict(list)
        """Hours at which a model began to load, was up and ended."""
        self._scaling: dict[str, asyncio.Task[None]] = {}

    def free(self, *, without: str = "") -> list[float]:
        """Returns the free GPUs of each node; engines are placed as tight as possible, the largest first."""
        free = [n.gpus for n in self.cluster.nodes]
        held = [self.spec(m).resources.gpus for m, n in self.replicas.items() if m != without for _ in range(n)]
        for gpus in sorted(held, reverse=True):
            node = min((i for i, f in enumerate(free) if f >= gpus), key=lambda i: free[i])
            free[node] -= gpus
        return free

    async def fitting(self, models: Sequence[ModelSpec]) -> list[str]:
        nodes = tuple(Node(cpus=1e6, gpus=gpus) for gpus in self.free())
        specs = [self.spec(m.name) for m in models]
        return fitting([s.model_copy(update={"resources": _only_gpus(s)}) for s in specs], ClusterResources(nodes))

    def load_s(self, model: str) -> float:
        return 120 + self.spec(model).weights_gb / 0.5

    async def deploy(self, model: ModelSpec) -> Endpoint:
        name, loop = model.name, asyncio.get_running_loop()
        self.replicas[name] = self.spec(name).replicas_min
        self.times[name] = [loop.time()]
        if self.on_placed:
            self.on_placed(name)
        await asyncio.sleep(self.load_s(name))
        self.times[name].append(loop.time())
        self._scaling[name] = asyncio.create_task(self._scale(name))
        return Endpoint(f"http://127.0.0.1:1/{name}/v1", name)

    async def teardown(self, model: ModelSpec) -> EngineSummary | None:
        if task := self._scaling.pop(model.name, None):
            if task.done():
                task.result()
            task.cancel()
            await asyncio.sleep(TEARDOWN_S)
            self.times[model.name].append(asyncio.get_running_loop().time())
        self.replicas.pop(model.name, None)
        return EngineSummary(model.name)

    async def _scale(self, name: str) -> None:
        spec, wants_more, wants_less = self.spec(name), 0.0, 0.0
        while True:
            await asyncio.sleep(SAMPLE_S)
            n, requests = self.replicas[name], self.requests[name]
            self.busy[name] += SAMPLE_S * min(n, requests) * spec.resources.gpus
            if self.on_sample:
                waiting = max(0.0, requests - n * spec.max_num_seqs)
                self.on_sample(
                    name, EngineSample(0.0, n, requests - waiting, waiting, 0.0, None, None, None, None, None, 0)
                )
            wanted = min(max(math.ceil(requests / spec.requests_per_replica), spec.replicas_min), spec.replicas_max)
            wants_more = wants_more + SAMPLE_S if wanted > n else 0.0
            wants_less = wants_less + SAMPLE_S if wanted < n else 0.0
            if wants_more >= UPSCALE_S and max(self.free()) >= spec.resources.gpus:
                self.replicas[name] += 1
            if wants_less >= DOWNSCALE_S:
                self.replicas[name] = wanted

    async def close(self) -> None: ...


def _only_gpus(spec: DeploymentSpec) -> object:
    return spec.resources.model_copy(update={"memory_gb": 0, "gpu_memory_gb": 0, "accelerator_type": None})


class Lanes:
    """Plays an episode by waiting."""

    def __init__(self, slots: int, engines: Engines, plan: Plan):
        self.slots, self._engines, self._plan = slots, engines, plan

    def want(self, lanes: int) -> None: ...
    async def start(self) -> None: ...
    async def close(self) -> None: ...
    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None: ...
    async def progress(self) -> PlayProgress:
        return PlayProgress()

    async def play(self, spec: EpisodeSpec, tries: int, *, alone: bool = False) -> EpisodeRecord:
        task = self._plan.library.game(spec.game).task(spec.task, spec.cell.limit.steps)
        name = spec.cell.model.name
        hosted = name in self._engines.replicas
        self._engines.requests[name] += hosted
        for _ in range(max(1, task.budget // STEPS)):
            reply_s = OTHER_S
            if hosted:
                rate = self._engines.replicas[name] * self._engines.spec(name).requests_per_replica
                reply_s = HOSTED_S * max(1.0, self._engines.requests[name] / rate)
            await asyncio.sleep(STEPS * (reply_s + GAME_S))
        self._engines.requests[name] -= hosted
        return EpisodeRecord(key=spec.key, cell=spec.cell_id, game=spec.game, task=spec.task, progress=0.5)


class Listener:
    def finished(self, records: Sequence[EpisodeRecord]) -> None: ...
    def failed(self, record: EpisodeRecord, final: bool) -> None: ...


class Nowhere:
    """In place of a run directory."""

    def append_engines(self, readings: Sequence[object]) -> None: ...
    def manifest(self) -> RunManifest:
        return RunManifest()


async def simulate(plan: Plan, planned: list[Wave], engines: Engines, lanes: int, *, in_order: bool) -> float:
    """Returns the seconds until the last episode ends."""
    console = Console(file=io.StringIO())
    hosting = Hosting(engines, ExecutorSpec(name="inline"), console)
    hosting.record(Nowhere(), lambda reading: None)  # type: ignore[arg-type]
    executor = Lanes(lanes, engines, plan)

    def schedule(episodes: Sequence[EpisodeSpec], *, more_come: bool) -> Schedule:
        return Schedule(
            episodes, executor, Listener(), Budget(BudgetSpec(), lambda e: 0, lambda e: 0), tries=1,
            tally=Tally(planned=len(plan.episodes)), capacity=hosting.capacity, more_come=more_come,
            roles=lambda game: [r.name for r in plan.library.game(game).roles],
        )  # fmt: skip

    others, hosted = [w for w in planned if not w.models], [w for w in planned if w.models]
    if in_order:
        for number, wave in enumerate(hosted):
            await hosting.up(wave.models)
            more = [e for w in others for e in w.episodes] if number == 0 else []
            one = schedule([*wave.episodes, *more], more_come=False)
            hosting.play(one.load)
            await one.run()
            await asyncio.gather(*(hosting.down(m) for m in wave.models))
        return asyncio.get_running_loop().time()
    rollout = Rollout(hosting, hosted, console, Stop())
    await rollout.begin()
    one = schedule([e for w in others for e in w.episodes], more_come=True)
    playing = asyncio.create_task(one.run())
    await rollout.play(one, executor)
    one.close()
    await playing
    return asyncio.get_running_loop().time()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--in-order", action="store_true")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--gpus", type=int, default=4, help="of a node")
    parser.add_argument("--split", default="", help="MODEL=GPUS: tensor parallelism of a model")
    parser.add_argument("--lanes", type=int, default=256)
    parser.add_argument("overrides", nargs="*", default=["experiment=main"])
    args = parser.parse_args()
    plan = make_plan(job_specs([*args.overrides, "tracking.mode=disabled"]))
    specs = deployments(plan)
    if args.split:
        name, _, gpus = args.split.partition("=")
        spec = specs[name]
        resources = spec.resources.model_copy(update={"gpus": int(gpus)})
        specs[name] = spec.model_copy(update={"tensor_parallel": int(gpus), "resources": resources})
    cluster = ClusterResources(tuple(Node(cpus=256, gpus=args.gpus, gpu_memory_gb=80) for _ in range(args.nodes)))
    planned = plan_waves(plan, plan.episodes, lambda models: waves([specs[m.name] for m in models], cluster))
    engines = Engines(specs, cluster)
    with contextlib.closing(SimulatedTime()) as loop:
        total_s = loop.run_until_complete(simulate(plan, planned, engines, args.lanes, in_order=args.in_order))
    rows = [
        (name, *(f"{t / 3600:.2f}" for t in times), f"{engines.busy[name] / 3600:.1f}")
        for name, times in sorted(engines.times.items(), key=lambda item: item[1])
    ]
    end_s = max(times[-1] for times in engines.times.values())
    gpus, busy = args.nodes * args.gpus, sum(engines.busy.values()) / 3600
    title = f"{args.nodes} × {args.gpus} GPUs, {len(plan.episodes):,} episodes, {args.lanes} lanes"
    print_table(("model", "loads at, h", "up, h", "ended, h", "GPU-hours with requests"), rows, terminal(), title, 4)
    held = gpus * end_s / 3600
    print(f"GPUs are free after {end_s / 3600:.2f} h, all episodes end after {total_s / 3600:.2f} h; ", end="")
    print(f"{held:.1f} GPU-hours, {held - busy:.1f} of them idle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
