"""GPU-hours that lie idle while a run hosts models: simulated with the product's rollout and schedule, on virtual time.

A model plays `requests` episodes at once, each for `episode_s`. A GPU is idle while the run could use it and no episode
is played on it, from the start until the last episode. *wave by wave*: models of a wave begin to play when all of
them are up, and the next wave loads when all of them have ended, which is what hosting without a rollout does.

    python bench/waves.py
"""

# The stand-ins have only what is called.
# pyright: reportArgumentType=false

import asyncio
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from rich.console import Console

from gwray.cli.console import terminal
from gwray.cli.terminal import print_table
from gwray.pipelines import make_plan
from gwray.pipelines.budget import Budget, Tally
from gwray.pipelines.hosting import Hosting
from gwray.pipelines.rollout import Rollout
from gwray.pipelines.schedule import Schedule
from gwray.pipelines.stop import Stop
from gwray.pipelines.waves import plan_waves
from gwray.records import EpisodeRecord
from gwray.serving import EngineSummary
from gwray.serving.ray_serving import Endpoint
from gwray.settings import BudgetSpec, ExecutorSpec, ModelSpec, RunSpec

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "tests")]

from virtual_time import VirtualLoop  # noqa: E402


@dataclass(frozen=True)
class Load:
    """A model: its GPUs, seconds until it answers, episodes, how many at once, and seconds of one."""

    gpus: int
    load_s: float
    episodes: int
    requests: int = 16
    episode_s: float = 600

    @property
    def play_s(self) -> float:
        return -(-self.episodes // self.requests) * self.episode_s


EQUAL = {name: Load(2, 300, 160) for name in "abcdef"}
UNEQUAL = {"a": Load(4, 1800, 160), "b": Load(1, 120, 320), "c": Load(1, 120, 160), "d": Load(2, 300, 640),
           "e": Load(4, 900, 160), "f": Load(2, 180, 320)}  # fmt: skip
CASES = {
    "six equal models, 8 GPUs": (EQUAL, 8, 0, 0.0),
    "unequal models, 8 GPUs": (UNEQUAL, 8, 0, 0.0),
    "unequal models, 4 of 8 GPUs held by others for two hours": (UNEQUAL, 8, 4, 7200.0),
}
"""Models, GPUs, GPUs that others hold, and for how many seconds."""


class Cluster:
    """The serving of a cluster with `free` GPUs, and the executor that plays on it."""

    on_sample, slots = None, 10_000

    def __init__(self, loads: dict[str, Load], free: int, waves: list[list[str]]):
        self.loads, self.free, self._waves = loads, free, waves
        self.busy: dict[str, list[float]] = {name: [] for name in loads}

    def waves(self, models, resources):
        return self._waves

    async def fitting(self, models):
        left, fit = self.free, []
        for name in (m.name for m in models):
            if self.loads[name].gpus <= left:
                fit.append(name)
                left -= self.loads[name].gpus
        return fit

    async def deploy(self, model, placed):
        while self.loads[model.name].gpus > self.free:  # noqa: ASYNC110
            await asyncio.sleep(1)
        self.free -= self.loads[model.name].gpus
        placed()
        await asyncio.sleep(self.loads[model.name].load_s)
        return Endpoint("http://127.0.0.1:1/v1", model.name)

    async def teardown(self, model):
        self.free += self.loads[model.name].gpus
        return EngineSummary(model.name)

    async def set_endpoints(self, endpoints): ...

    async def close(self): ...

    def want(self, lanes): ...

    async def play(self, spec, trial, *, alone=False):
        begun = asyncio.get_running_loop().time()
        await asyncio.sleep(self.loads[spec.cell.model.name].episode_s)
        self.busy[spec.cell.model.name] += [begun, asyncio.get_running_loop().time()]
        return EpisodeRecord(key=spec.key, cell=spec.cell_id, game=spec.game, task="t", progress=0.5, tries=trial)


def packed(loads: dict[str, Load], gpus: int) -> list[list[str]]:
    """Returns the models in waves: each takes the next ones that fit."""
    waves, left = [], list(loads)
    while left:
        free, wave = gpus, []
        for name in list(left):
            if loads[name].gpus <= free:
                free -= loads[name].gpus
                wave.append(name)
                left.remove(name)
        waves.append(wave)
    return waves


async def rollout(loads: dict[str, Load], gpus: int, held: int, held_s: float) -> tuple[float, float]:
    """Returns the seconds until the last episode, and the GPU-seconds in which GPUs played."""
    cluster = Cluster(loads, gpus - held, packed(loads, gpus))
    asyncio.get_running_loop().call_later(held_s, lambda: setattr(cluster, "free", cluster.free + held))
    jobs = [
        RunSpec(game=("01_2048",), task=("1",), repeats=load.episodes, name="waves", serving={"name": "ray"},
                model=ModelSpec(name=name, provider="openai_chat", self_hosted=True, model_id=name, base_url=None,
                                max_in_flight=load.requests))
        for name, load in loads.items()
    ]  # fmt: skip
    plan, console, stop = make_plan(jobs), Console(file=io.StringIO()), Stop()
    waves = plan_waves(plan, plan.episodes, lambda models: packed(loads, gpus))
    hosted = Rollout(Hosting(cluster, ExecutorSpec(name="inline"), console), waves, console, stop)
    listener = SimpleNamespace(finished=lambda records: None, failed=lambda record, final: None)
    schedule = Schedule(
        [], cluster, listener, Budget(BudgetSpec(), lambda e: 0, lambda e: 0), tries=1, more_come=True,
        tally=Tally(planned=len(plan.episodes)), roles=lambda game: ["player"],
    )  # fmt: skip
    await hosted.begin()
    playing = asyncio.create_task(schedule.run())
    await hosted.play(schedule, cluster)
    schedule.close()
    await playing
    await hosted.close()
    assert all(len(cluster.busy[name]) == 2 * load.episodes for name, load in loads.items())
    used = sum(load.gpus * (max(cluster.busy[name]) - min(cluster.busy[name])) for name, load in loads.items())
    return max(max(times) for times in cluster.busy.values()), used


def wave_by_wave(loads: dict[str, Load], gpus: int, held: int, held_s: float) -> tuple[float, float]:
    end = 0.0
    for wave in packed(loads, gpus):
        if sum(loads[n].gpus for n in wave) > gpus - held:
            end = max(end, held_s)
        end += max(loads[n].load_s for n in wave) + max(loads[n].play_s for n in wave)
    return end, sum(load.gpus * load.play_s for load in loads.values())


def main() -> None:
    rows = []
    for case, (loads, gpus, held, held_s) in CASES.items():
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            results = {
                "wave by wave": wave_by_wave(loads, gpus, held, held_s),
                "rollout": runner.run(rollout(loads, gpus, held, held_s)),
            }
        for name, (end, used) in results.items():
            could = gpus * end - held * min(held_s, end)
            rows.append([case, name, f"{end / 3600:.2f}", f"{used / 3600:.1f}", f"{(could - used) / 3600:.1f}"])
    print_table(["case", "hosting", "hours", "GPU-hours playing", "GPU-hours idle"], rows, terminal(), numbers=3)


if __name__ == "__main__":
    main()
