"""Between plan and serving: what engines do is kept, and why one could not be started; waiting can be stopped."""

import asyncio
import io
from dataclasses import replace

import pytest
from rich.console import Console

from gwray.analysis import cell_summaries
from gwray.errors import UsageError
from gwray.pipelines.hosting import Hosting
from gwray.pipelines.schedule import Load
from gwray.pipelines.stop import Stop
from gwray.serving import EngineSample, EngineSummary, RayServing, ServingError
from gwray.serving.profile import DeploymentSpec, Resources
from gwray.serving.ray_serving import Endpoint
from gwray.spec import ExecutorSpec, ModelSpec
from gwray.store import RunDir, results_frame

MODEL = ModelSpec(name="mine", provider="openai_chat", self_hosted=True)
CELL = {"id": "c", "name": "mine", "model": "mine", "planned": 1}


def sample(running: float) -> EngineSample:
    return EngineSample(0.0, 1, running, 0, 0.25, 0.5, None, 100.0, 20.0, 2.0, 0)


class Serving:
    """Serves at once, unless told otherwise."""

    on_sample = None

    def __init__(self, trouble: str = ""):
        self.trouble = trouble

    async def deploy(self, model):
        if self.trouble:
            raise ServingError(self.trouble)
        return Endpoint("http://127.0.0.1:1/v1", model.name)

    async def teardown(self, model):
        return EngineSummary(model.name, samples=2, busy_share=0.75, requests=7)

    async def close(self): ...


def hosting(serving) -> Hosting:
    return Hosting(serving, ExecutorSpec(name="inline"), Console(file=io.StringIO()))


@pytest.fixture
def run(tmp_path):
    return RunDir.create(tmp_path / "run", {"name": "r", "cells": [CELL], "episodes": []})


async def test_readings_become_lines_of_the_run_directory_and_are_told_to_the_tracker(run):
    told = []
    serving = Serving()
    host = hosting(serving)
    host.record(run, told.append)
    await host.up([MODEL])
    for running in (1, 4):
        serving.on_sample("mine", sample(running))
    await host.down([MODEL])
    lines = run.engines()
    assert lines == told
    assert [(r.model, r.running, r.prefix_cache_hit_rate, r.mm_cache_hit_rate) for r in lines] == [
        ("mine", 1, 0.5, None), ("mine", 4, 0.5, None),
    ]  # fmt: skip
    assert lines[0].at <= lines[1].at


async def test_so_many_play_with_a_hosted_model_that_its_engines_have_enough_to_do_and_one_more_would(run, monkeypatch):
    deployment = DeploymentSpec(
        name="mine", model_source="x", max_model_len=512, weights_gb=1, source="", resources=Resources(gpus=1),
        replicas_max=3, requests_per_replica=8,
    )  # fmt: skip
    serving = RayServing(None, specs={"mine": deployment})
    monkeypatch.setattr(serving, "deploy", Serving().deploy)
    host = hosting(serving)
    host.record(run, lambda reading: None)
    assert host.takes("mine") is None, "not hosted yet"
    await host.up([MODEL])
    assert host.takes("mine") == 16 and host.takes("another") is None, "one is up, as the profile says"
    host.play(lambda model: Load(12, 12, 4))
    serving.on_sample("mine", sample(1))
    assert host.takes("mine") == 12 + 15, "players that hardly ask: many more may play"
    host.play(lambda model: Load(30, 12, 4))
    for _ in range(30):
        serving.on_sample("mine", replace(sample(14), waiting=8))
    assert host.takes("mine") == 30 + 16 - 22, "engines that have too much to do"
    for replicas, wanted in ((2, 24), (3, 24), (1, 16)):
        serving.on_sample("mine", replace(sample(14), replicas=replicas, waiting=8))
        assert host.takes("mine") == 30 + wanted - 22
    host.play(lambda model: Load(12, 12, 4))
    serving.on_sample("mine", replace(sample(14), waiting=8))
    assert host.takes("mine") == 16, "what they had to do is of another time: players may ask what they should have"
    await host.close()
    last = run.engines()[-1]
    assert (last.lanes, last.lanes_waiting) == (12, 4)
    assert last.words() == "mine: 1 engine · 14 requests worked on · 8 waiting · 12 lanes play, 4 more wait for it"


async def test_what_an_engine_did_is_a_summary_of_its_wave_and_of_its_cells(run):
    host = hosting(Serving())
    await host.down([])
    await host.down([MODEL])
    run.write_manifest({**run.manifest(), "engines": host.engines})
    (engine,) = run.manifest()["engines"]
    assert (engine["wave"], engine["model"], engine["busy_share"]) == (2, "mine", 0.75)
    figures = cell_summaries(results_frame(run), run.manifest())["c"]
    assert figures["engine/requests"] == 7 and "engine/wave" not in figures


class Wave(Serving):
    """Serves two models, each only once the other has been asked for too."""

    def __init__(self):
        super().__init__()
        self.both = asyncio.Barrier(2)

    async def deploy(self, model):
        await self.both.wait()
        if model.name == "other":
            raise UsageError("other: model_source 'x' is neither a path nor a hub id")
        return Endpoint("http://127.0.0.1:1/v1", model.name, "Qwen/Q-FP8", "vllm 0.29.0")


async def test_the_models_of_a_wave_load_together_and_a_wrong_profile_is_that_model_s_own_affair():
    host = hosting(Wave())
    other = MODEL.model_copy(update={"name": "other"})
    urls, broken = await asyncio.wait_for(host.up([MODEL, other]), 60)
    assert list(urls) == ["mine"] and "neither a path" in broken["other"]
    await host.down([MODEL])
    assert [(e["model"], e.get("weights"), e.get("engine")) for e in host.engines] == [
        ("other", None, None), ("mine", "Qwen/Q-FP8", "vllm 0.29.0"),
    ]  # fmt: skip


async def test_a_stop_while_a_wave_loads_waits_until_every_model_of_it_is_let_go():
    begun, let_go, first = asyncio.Barrier(3), [], asyncio.Event()

    class Slow(Serving):
        async def deploy(self, model):
            await begun.wait()
            try:
                await asyncio.sleep(600)
            finally:
                await (asyncio.sleep(0.02) if model.name == "mine" else first.wait())
                first.set()
                let_go.append(model.name)

    loading = asyncio.create_task(hosting(Slow()).up([MODEL, MODEL.model_copy(update={"name": "other"})]))
    await begun.wait()
    await asyncio.sleep(0)
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading
    assert let_go == ["mine", "other"]


async def test_no_secret_of_an_engine_s_last_lines_is_written_down(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_correct-horse-battery")
    host = hosting(Serving(trouble="mine: 401 for hf_correct-horse-battery"))
    _, broken = await host.up([MODEL])
    assert "battery" not in str([broken, host.engines]) and "401" in broken["mine"]


async def test_why_a_model_could_not_be_served_is_kept():
    host = hosting(Serving(trouble="mine: the engine did not start. Likely fix: more memory"))
    urls, broken = await host.up([MODEL])
    assert urls == {} and "more memory" in broken["mine"]
    assert host.engines == [{"wave": 1, "model": "mine", "error": broken["mine"]}]


async def test_a_stop_ends_what_is_waited_for_and_nothing_new_is_begun():
    stop, begun, ended = Stop(), asyncio.Event(), []

    async def slow():
        try:
            begun.set()
            await asyncio.sleep(600)
        finally:
            ended.append("slow")

    async def stop_it():
        await begun.wait()
        stop._ask()

    asking = asyncio.create_task(stop_it())
    assert await stop.or_done(slow()) is None and ended == ["slow"]
    assert await stop.or_done(slow()) is None and ended == ["slow"]
    await asking


async def test_what_is_done_in_time_is_handed_on_with_its_error():
    async def good():
        return 7

    async def bad():
        raise ServingError("no")

    assert await Stop().or_done(good()) == 7
    with pytest.raises(ServingError):
        await Stop().or_done(bad())
