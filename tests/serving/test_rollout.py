"""Models come up as soon as they fit, and go down after their last episode."""

# Stand-ins have only what is called.
# pyright: reportArgumentType=false, reportOptionalCall=false, reportIncompatibleMethodOverride=false

import asyncio
import io
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import pytest
from pipelines.conftest import make_executor
from pipelines.test_schedule import EpisodeListener, Players
from rich.console import Console
from verification.forging import SOLUTION, counters

import gwray.pipelines.rollout as rollout_module
from gwray.errors import StoreError
from gwray.pipelines.budget import Budget, Tally
from gwray.pipelines.hosting import Hosting
from gwray.pipelines.plan import make_plan
from gwray.pipelines.rollout import Rollout
from gwray.pipelines.run import run_plan
from gwray.pipelines.schedule import Schedule
from gwray.pipelines.stop import Stop
from gwray.pipelines.waves import Wave, plan_waves
from gwray.serving import EngineSummary, ServingError
from gwray.serving.ray_serving import Endpoint
from gwray.settings import BudgetSpec, ExecutorSpec, ModelSpec, RunSpec

GPUS = {"big": 3, "small": 1, "next": 3, "third": 2}
WAVES = [["big", "small"], ["next"], ["third"]]
TOGETHER = ["a", "ac", "b", "cd"]
"""Models of each cell."""


class Cluster:
    """Four GPUs, `held` of them by others; writes down what happens. A model without room waits in line."""

    on_sample = None

    def __init__(self, broken: Sequence[str] = (), *, held: int = 0, slow: Mapping[str, asyncio.Event] | None = None):
        self.free = 4 - held
        self.slow = slow or {}
        self.events: list[str] = []
        self._broken = broken

    def waves(self, models, resources):
        return WAVES

    async def fitting(self, models):
        left, fit = self.free, []
        for name in (m.name for m in models):
            if GPUS[name] <= left:
                fit.append(name)
                left -= GPUS[name]
        return fit

    async def deploy(self, model, placed):
        while GPUS[model.name] > self.free:
            if f"queue {model.name}" not in self.events:
                self.events.append(f"queue {model.name}")
            await asyncio.sleep(0.001)
        self.free -= GPUS[model.name]
        self.events.append(f"load {model.name}")
        placed()
        await asyncio.sleep(0.01)
        if model.name in self.slow:
            await self.slow[model.name].wait()
        if model.name in self._broken:
            self.free += GPUS[model.name]
            raise ServingError("no weights")
        return Endpoint(f"http://127.0.0.1:1/{model.name}/v1", model.name)

    async def teardown(self, model):
        self.free += GPUS[model.name]
        self.events.append(f"end {model.name}")
        return EngineSummary(model.name)

    async def close(self): ...


class Lanes(Players):
    """Plays an episode of `big` for as long as `open` is not set, and others in no time."""

    def __init__(self) -> None:
        super().__init__(slots=8)
        self.open, self.endpoints = asyncio.Event(), {}

    async def set_endpoints(self, endpoints):
        self.endpoints = dict(endpoints)

    async def play(self, spec, tries, *, alone=False):
        names = {m.name for m in spec.cell.models()} - {"api"}
        assert names <= self.endpoints.keys()
        if "big" in names:
            await self.open.wait()
        return await super().play(spec, tries, alone=alone)


def played(cluster: Cluster, lanes: Lanes, *models: str, trouble: str = "", more: Sequence[RunSpec] = ()):
    """A rollout of these models and one without hosting, its schedule, and a task that runs both."""
    jobs = [
        RunSpec(
            game=("01_2048",), task=("1",), repeats=3, name="rollout",
            model=ModelSpec(name=name, provider="openai_chat", self_hosted=name in GPUS, model_id=name, base_url=None),
            serving={"name": "ray"},
        )
        for name in (*models, "api")
    ]  # fmt: skip
    plan = make_plan([*jobs, *more])
    console = Console(file=io.StringIO())
    waves = plan_waves(
        plan, plan.episodes, lambda models: [[n for n in w if n in {m.name for m in models}] for w in WAVES]
    )
    hosting = Hosting(cluster, ExecutorSpec(name="inline"), console)
    rollout = Rollout(hosting, [w for w in waves if w.models], console, stop := Stop())
    listener = EpisodeListener()
    lanes.trouble = {e.key: [trouble] for w in waves if not w.models for e in w.episodes} if trouble else {}
    schedule = Schedule(
        [e for w in waves if not w.models for e in w.episodes], lanes, listener,
        Budget(BudgetSpec(), lambda e: 0, lambda e: 0), tries=1, tally=Tally(planned=len(plan.episodes)),
        roles=lambda game: ["player"], more_come=True,
    )  # fmt: skip

    async def run() -> None:
        await rollout.begin()
        playing = asyncio.create_task(schedule.run())
        try:
            await rollout.play(schedule, lanes)
            schedule.close()
            await playing
        finally:
            await rollout.close()

    def ask() -> None:
        schedule.stop()
        stop._ask()

    return hosting, schedule, listener, run, ask


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(rollout_module, "POLL_INTERVAL_S", 0.005)


async def until(cluster: Cluster, event: str) -> None:
    async with asyncio.timeout(20):
        while event not in cluster.events:  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def test_next_model_loads_while_the_last_episodes_of_another_are_played():
    cluster, lanes = Cluster(), Lanes()
    GPUS["next"] = 1  # fits on what `small` leaves
    try:
        _, _, listener, run, _ = played(cluster, lanes, "big", "small", "next", "third")
        running = asyncio.create_task(run())
        await until(cluster, "end next")
        assert cluster.events == ["load big", "load small", "end small", "load next", "end next"], "third needs two"
        lanes.open.set()
        await running
        assert cluster.events[5:] == ["end big", "load third", "end third"] and cluster.free == 4
        assert len(listener.good) == 5 * 3
    finally:
        GPUS["next"] = 3


async def test_loaded_model_plays_while_another_one_loads():
    cluster, lanes = Cluster(slow={"big": (loaded := asyncio.Event())}), Lanes()
    lanes.open.set()
    _, _, listener, run, _ = played(cluster, lanes, "big", "small", "next")
    running = asyncio.create_task(run())
    await until(cluster, "end small")
    assert cluster.events == ["load big", "load small", "end small"] and len(listener.good) == 2 * 3
    loaded.set()
    await running
    assert len(listener.good) == 4 * 3


async def test_model_whose_gpus_others_use_keeps_none_from_playing():
    """It waits in line, models of later waves use what is free, and it loads once the others release their GPUs."""
    cluster, lanes = Cluster(held=2), Lanes()
    lanes.open.set()
    _, _, listener, run, _ = played(cluster, lanes, "big", "small", "next", "third")
    running = asyncio.create_task(run())
    await until(cluster, "end third")
    assert [e for e in cluster.events if not e.startswith("end")] == ["queue big", "load small", "load third"]
    cluster.free += 2
    await running
    assert [e for e in cluster.events if e.startswith("load")][2:] == ["load big", "load next"]
    assert len(listener.good) == 5 * 3 and cluster.free == 4


def test_models_that_an_episode_needs_together_are_one_group():
    """They load together or not at all: one of them would hold its GPUs idle until the others have room."""
    models = {name: ModelSpec(name=name, provider="openai_chat", model_id=name, self_hosted=True) for name in "abcd"}
    cells = [SimpleNamespace(models=lambda names=names: [models[n] for n in names]) for names in TOGETHER]
    episodes = SimpleNamespace(parts=[SimpleNamespace(cell=cell) for cell in cells])
    rollout = Rollout(None, [Wave(tuple(models.values()), episodes)], None, Stop())
    assert [[m.name for m in group] for group in rollout._waiting[0]] == [["a", "c", "d"], ["b"]]


async def test_what_does_not_fit_waits_for_the_end_of_a_wave():
    cluster, lanes = Cluster(), Lanes()
    _, _, listener, run, _ = played(cluster, lanes, "big", "small", "next")
    running = asyncio.create_task(run())
    await until(cluster, "end small")
    await asyncio.sleep(0.05)
    assert cluster.events[-1] == "end small"
    lanes.open.set()
    await running
    assert cluster.events[3:] == ["end big", "load next", "end next"] and len(listener.good) == 4 * 3


async def test_model_that_cannot_be_served_skips_only_its_episodes():
    cluster, lanes = Cluster(broken=["small", "third"]), Lanes()
    lanes.open.set()
    hosting, schedule, listener, run, _ = played(cluster, lanes, "big", "small", "next", "third")
    await run()
    assert len(listener.good) == 3 * 3 and dict(schedule.tally.skipped) == {"no weights": 6}
    assert sorted((e["model"], "error" in e) for e in hosting.engines) == [
        ("big", False), ("next", False), ("small", True), ("third", True),
    ]  # fmt: skip
    assert cluster.free == 4


async def test_run_that_fails_ends_the_rollout():
    cluster, lanes = Cluster(), Lanes()
    _, _, _, run, _ = played(cluster, lanes, "big", "small", trouble="StoreError")
    with pytest.raises(StoreError):
        await asyncio.wait_for(run(), 20)


async def test_stop_ends_models_that_are_up_and_cancels_the_one_that_loads():
    cluster, lanes = Cluster(), Lanes()
    GPUS["next"] = 1
    try:
        hosting, _, _, run, stop = played(cluster, lanes, "big", "small", "next", "third")
        running = asyncio.create_task(run())
        await until(cluster, "load next")
        stop()
        await asyncio.wait_for(running, 20)
        assert cluster.events[-1] == "end big" and "load third" not in cluster.events
        assert [e["model"] for e in hosting.engines] == ["small", "big"], "with a summary each"
    finally:
        GPUS["next"] = 3


class Loading(Cluster):
    """Has a place for `big` at once, and loads it until `played` is set."""

    def __init__(self, played: asyncio.Event):
        super().__init__(broken=["big"])
        self._played = played

    def waves(self, models, resources):
        return [["big"]]

    async def deploy(self, model, placed):
        placed()
        await self._played.wait()
        return await super().deploy(model, placed)


async def test_other_episodes_are_played_while_the_first_model_loads(tmp_path, monkeypatch):
    """The engine is up only after all episodes without a hosted model have ended."""
    played, console, others = asyncio.Event(), Console(file=io.StringIO()), 6
    cluster, tallies = Loading(played), []

    class Shown:
        """Stands for the progress bar."""

        def __init__(self, tally: Tally, progress):
            tallies.append(tally)

        async def __aenter__(self):
            async def watch() -> None:
                while tallies[0].finished < others:  # noqa: ASYNC110
                    await asyncio.sleep(0.002)
                assert tallies[0].loading == ["big"]
                played.set()

            self._watching = asyncio.create_task(watch())

        async def __aexit__(self, *_: object) -> None:
            await self._watching

    monkeypatch.setattr(
        "gwray.pipelines.run.make_hosting", lambda *_: Hosting(cluster, ExecutorSpec(name="inline"), console)
    )
    common = {"libraries": (str(counters(tmp_path)),), "game": ("library:counters",), "run_dir": str(tmp_path / "run"),
              "tracking": {"mode": "disabled"}, "executor": {"name": "inline"}, "serving": {"name": "ray"}}  # fmt: skip
    hosted = ModelSpec(name="big", provider="openai_chat", model_id="big", self_hosted=True)
    jobs = [{**common, "model": {"name": "fixed", **SOLUTION}}, {**common, "model": hosted}]
    async with asyncio.timeout(60):
        ended = await run_plan(make_plan([RunSpec.model_validate(j) for j in jobs]), console, make_executor, Shown)
    assert ended.tally.finished == others and dict(ended.tally.skipped) == {"no weights": others}
    assert tallies[0].loading == []
