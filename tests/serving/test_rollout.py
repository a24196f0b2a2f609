"""Models come up as soon as they fit, and go down after their last episode."""

import asyncio
import io
from collections.abc import Sequence

import pytest
from pipelines.conftest import make_executor
from pipelines.forging import SOLUTION, counters
from pipelines.test_schedule import EpisodeListener, Players
from rich.console import Console

import gwray.pipelines.rollout as rollout_module
from gwray.errors import StoreError
from gwray.pipelines.hosting import Hosting
from gwray.pipelines.plan import make_plan
from gwray.pipelines.rollout import Rollout
from gwray.pipelines.run import run_plan
from gwray.pipelines.schedule import Budget, Schedule, Tally
from gwray.pipelines.stop import Stop
from gwray.pipelines.waves import plan_waves
from gwray.serving import EngineSummary, ServingError
from gwray.serving.ray_serving import Endpoint
from gwray.spec import BudgetSpec, ExecutorSpec, ModelSpec, RunSpec

GPUS = {"big": 3, "small": 1, "next": 3, "third": 2}
WAVES = [["big", "small"], ["next"], ["third"]]


class Cluster:
    """Four GPUs; writes down what happens."""

    on_sample = on_placed = None

    def __init__(self, broken: Sequence[str] = ()):
        self.free = 4
        self.events: list[str] = []
        self._broken = broken

    def waves(self, models, resources):
        return WAVES

    async def fitting(self, models):
        return [m.name for m in models if GPUS[m.name] <= self.free]

    async def deploy(self, model):
        assert GPUS[model.name] <= self.free, f"{model.name} does not fit"
        self.free -= GPUS[model.name]
        self.events.append(f"load {model.name}")
        await asyncio.sleep(0.01)
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
    assert [(e["model"], "error" in e) for e in hosting.engines] == [
        ("small", True), ("big", False), ("next", False), ("third", True),
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

    async def deploy(self, model):
        self.on_placed(model.name)
        await self._played.wait()
        return await super().deploy(model)


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
