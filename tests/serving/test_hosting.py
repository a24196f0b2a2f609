"""Hosting between plan and serving: engine samples, start errors, and stops while waiting."""

# Stand-ins have only what is called.
# pyright: reportOptionalCall=false, reportIncompatibleMethodOverride=false

import asyncio
import io
from contextlib import nullcontext

import pytest
import yaml
from rich.console import Console

from gwray.analysis import cell_summaries
from gwray.catalog import read_model
from gwray.cli.compose import job_specs
from gwray.errors import UsageError
from gwray.pipelines import run_spec
from gwray.pipelines.hosting import Hosting, deployments
from gwray.pipelines.plan import Plan, make_plan
from gwray.pipelines.schedule import ModelLoad
from gwray.pipelines.stop import Stop
from gwray.records import EngineReading
from gwray.serving import EngineSummary, RayServing, ServingError, serving_files
from gwray.serving.profile import DeploymentSpec, Resources
from gwray.serving.ray_serving import Endpoint
from gwray.settings import ExecutorSpec, ModelSpec
from gwray.store import RunDir, RunManifest, results_frame

MODEL = ModelSpec(name="mine", provider="openai_chat", self_hosted=True)
CELL = {"id": "c", "name": "mine", "model": "mine", "planned": 1}


def sample(running: float, **values: float) -> EngineReading:
    given = {"replicas": 1, "running": running, "waiting": 0, "kv_usage": 0.25, "prefix_cache_hit_rate": 0.5, **values}
    return EngineReading.model_validate({"model": "mine", "at": "2026-01-01T00:00:00", **given})


class Serving:
    """Serves at once, or fails with `trouble`."""

    on_sample = None

    def __init__(self, trouble: str = ""):
        self.trouble = trouble

    async def deploy(self, model, placed=lambda: None):
        if self.trouble:
            raise ServingError(self.trouble)
        return Endpoint("http://127.0.0.1:1/v1", model.name)

    async def teardown(self, model):
        return EngineSummary(model.name, samples=2, busy_share=0.75, requests=7, engine_hours=1.5)

    async def close(self): ...


def hosting(serving) -> Hosting:
    return Hosting(serving, ExecutorSpec(name="inline"), Console(file=io.StringIO()))


@pytest.fixture
def run(tmp_path):
    return RunDir.create(tmp_path / "run", RunManifest.model_validate({"name": "r", "cells": [CELL]}))


async def test_engine_samples_are_stored_and_tracked(run):
    tracked = []
    serving = Serving()
    host = hosting(serving)
    host.record(run, tracked.append)
    await host.up(MODEL)
    for running in (1, 4):
        serving.on_sample(sample(running))
    await host.down(MODEL)
    lines = run.engines()
    assert lines == tracked
    assert [(r.model, r.running, r.prefix_cache_hit_rate) for r in lines] == [("mine", 1, 0.5), ("mine", 4, 0.5)]
    assert lines[0].at <= lines[1].at


async def test_lanes_follow_the_load_of_the_engines(run, monkeypatch):
    deployment = DeploymentSpec(
        name="mine", model_source="x", max_model_len=512, weights_gb=1, source="", resources=Resources(gpus=2),
        tensor_parallel=2, replicas_max=3, requests_per_replica=8,
    )  # fmt: skip
    serving = RayServing(None, specs={"mine": deployment})
    monkeypatch.setattr(serving, "deploy", Serving().deploy)
    monkeypatch.setattr(serving, "teardown", Serving().teardown)
    host = hosting(serving)
    host.record(run, lambda reading: None)
    assert host.capacity("mine") is None, "not hosted yet"
    await host.up(MODEL)
    assert host.capacity("mine") == 16 and host.capacity("another") is None, "one is up, as the profile says"
    host.play(lambda model: ModelLoad(12, 12, 4))
    serving.on_sample(sample(1))
    assert host.capacity("mine") == 12 + 15, "players that hardly ask: many more may play"
    host.play(lambda model: ModelLoad(30, 12, 4))
    for _ in range(30):
        serving.on_sample(sample(14, waiting=8))
    assert host.capacity("mine") == 30 + 16 - 22, "engines that have too much to do"
    await host.down(MODEL)
    assert host.engines[-1]["gpu_hours"] == 3.0
    for replicas, wanted in ((2, 24), (3, 24), (1, 16)):
        serving.on_sample(sample(14, replicas=replicas, waiting=8))
        assert host.capacity("mine") == 30 + wanted - 22
    host.play(lambda model: ModelLoad(12, 12, 4))
    serving.on_sample(sample(14, waiting=8))
    assert host.capacity("mine") == 16, "what they had to do is of another time: players may ask what they should have"
    await host.close()
    last = run.engines()[-1]
    assert (last.lanes, last.lanes_waiting) == (12, 4)
    assert last.words() == "mine: 1 engine · 14 requests worked on · 8 waiting · 12 lanes play, 4 more wait for it"


async def test_engine_summary_is_stored_and_in_the_cells_summary(run):
    host = hosting(Serving())
    await host.down(MODEL)
    run.write_manifest(run.manifest().model_copy(update={"engines": host.engines}))
    (engine,) = run.manifest().engines
    assert (engine["model"], engine["busy_share"]) == ("mine", 0.75)
    figures = cell_summaries(results_frame(run), run.manifest())["c"]
    assert figures["engine/requests"] == 7


class Wave(Serving):
    """Serves two models, each only once the other is requested too."""

    def __init__(self):
        super().__init__()
        self.both = asyncio.Barrier(2)

    async def deploy(self, model, placed=lambda: None):
        await self.both.wait()
        if model.name == "other":
            raise UsageError("other: model_source 'x' is neither a path nor a hub id")
        return Endpoint("http://127.0.0.1:1/v1", model.name, "Qwen/Q-FP8", "vllm 0.29.0")


async def test_wave_loads_together_and_bad_profile_fails_alone():
    host = hosting(Wave())
    other = MODEL.model_copy(update={"name": "other"})
    up = asyncio.gather(host.up(MODEL), host.up(other), return_exceptions=True)
    url, broken = await asyncio.wait_for(up, 60)
    assert isinstance(url, str) and "neither a path" in str(broken)
    await host.down(MODEL)
    assert [(e["model"], e.get("weights"), e.get("engine")) for e in host.engines] == [
        ("other", None, None), ("mine", "Qwen/Q-FP8", "vllm 0.29.0"),
    ]  # fmt: skip


@pytest.mark.parametrize("lost", [False, True])
async def test_interrupted_run_records_what_was_served(lost):
    """Also if the engine's summary was lost in a teardown that was cancelled."""

    class Up(Serving):
        async def deploy(self, model, placed=lambda: None):
            return Endpoint("http://127.0.0.1:1/v1", model.name, "Qwen/Q-FP8", "vllm 0.29.0", "0" * 40)

        async def teardown(self, model):
            return None if lost else await super().teardown(model)

    host = hosting(Up())
    await host.up(MODEL)
    await host.close()
    (engine,) = host.engines
    assert (engine["model"], engine["weights"], engine["revision"]) == ("mine", "Qwen/Q-FP8", "0" * 40)
    await host.close()
    assert len(host.engines) == 1


async def test_stop_while_loading_releases_every_model():
    begun, let_go, first = asyncio.Barrier(3), [], asyncio.Event()

    class Slow(Serving):
        async def deploy(self, model, placed=lambda: None):
            await begun.wait()
            try:
                await asyncio.sleep(600)
            finally:
                await (asyncio.sleep(0.02) if model.name == "mine" else first.wait())
                first.set()
                let_go.append(model.name)

    host, other = hosting(Slow()), MODEL.model_copy(update={"name": "other"})
    loading = asyncio.gather(host.up(MODEL), host.up(other))
    await begun.wait()
    await asyncio.sleep(0)
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading
    assert let_go == ["mine", "other"]


async def test_secrets_in_engine_log_are_redacted(monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_correct-horse-battery")
    host = hosting(Serving(trouble="mine: 401 for hf_correct-horse-battery"))
    with pytest.raises(ServingError):
        await host.up(MODEL)
    (engine,) = host.engines
    assert "battery" not in engine["error"] and "401" in engine["error"]


async def test_start_error_is_stored():
    host = hosting(Serving(trouble="mine: the engine did not start. Out of memory, needs more memory"))
    with pytest.raises(ServingError, match="more memory") as broken:
        await host.up(MODEL)
    assert host.engines == [{"model": "mine", "error": str(broken.value)}]


async def test_stop_cancels_waiting_and_starts_nothing():
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


async def test_result_and_error_are_passed_on():
    async def good():
        return 7

    async def bad():
        raise ServingError("no")

    assert await Stop().or_done(good()) == 7
    with pytest.raises(ServingError):
        await Stop().or_done(bad())


def hosted_plan(*jobs: dict) -> Plan:
    common = {"game": "01_2048", "task": "1", "tracking": {"mode": "disabled"}}
    return make_plan([run_spec({"model": "qwen3-vl-30b-a3b", **common, **job}) for job in jobs])


def test_served_weights_are_part_of_the_identity_and_can_be_swept():
    """Another quantization, context or weights is another cell; resources and replicas are not."""
    changes = [
        {"engine_kwargs": {"quantization": None}},
        {"engine_kwargs": {"quantization": "fp8"}},
        {"model_source": "Some/AWQ"},
    ]
    plan = hosted_plan(*({"deployment": change} for change in changes))
    assert len({c.id for c in plan.cells}) == 3
    external = {"serving": {"name": "external", "base_url": "http://127.0.0.1:1/v1"}}
    elsewhere = hosted_plan(external)
    assert elsewhere.cells[0].id != plan.cells[0].id and not elsewhere.cells[0].spec.model.deployment
    assert not plan.notices and not elsewhere.notices
    (notice,) = hosted_plan({**external, "deployment": changes[1]}).notices
    assert notice.startswith("deployment.… changes nothing")
    specs = deployments(plan)
    added = ("", "+quantization=fp8", "+model_source=Some-AWQ")
    assert list(specs) == [f"qwen3-vl-30b-a3b{more}" for more in added]
    assert specs["qwen3-vl-30b-a3b+quantization=fp8"].engine_arguments()["quantization"] == "fp8"
    assert plan.cells[2].spec.model.deployment["model_source"] == "Some/AWQ"
    assert plan.cells[0].spec.model.deployment["engine_kwargs"]["dtype"] == "bfloat16"
    with pytest.raises(UsageError, match=r"setting deployment of qwen3-vl-30b-a3b: resources\.gpus is 2"):
        hosted_plan({"deployment": {"tensor_parallel": 4}})
    with pytest.raises(UsageError, match=r"setting deployment of qwen3-vl-30b-a3b: .*max_model"):
        hosted_plan({"deployment": {"max_model": 1}})
    with pytest.raises(UsageError, match=r"hosts Qwen/Qwen3-VL-30B-A3B-Instruct, not model\.model_id=Other/Model"):
        deployments(hosted_plan({"model": {**read_model("qwen3-vl-30b-a3b").model_dump(), "model_id": "Other/Model"}}))


RESOURCES = (
    "resources.memory_gb=48", "max_num_seqs=16", "replicas_max=2", "requests_per_replica=8", "start_timeout_s=3600",
    "images_per_prompt=12", "engine_kwargs.gpu_memory_utilization=0.8", "engine_kwargs.enable_prefix_caching=false",
    "env.FOO=1", "env.FLAG=on",
)  # fmt: skip


@pytest.mark.parametrize("word", RESOURCES)
def test_resources_of_the_engine_keep_cell_name_and_run(word):
    """They are served and recorded all the same."""
    words = ["model=ui-tars-1.5-7b", "game=01_2048", "task=1", "interface=computer_use"]
    plain, tuned = make_plan(job_specs(words)), make_plan(job_specs([*words, f"deployment.{word}"]))
    assert [e.key for e in plain.episodes] == [e.key for e in tuned.episodes]
    assert (plain.cells, plain.run_dir) == (tuned.cells, tuned.run_dir)
    (before,), (after,) = deployments(plain).values(), deployments(tuned).values()
    assert before.name == after.name == "ui-tars-1.5-7b" and before != after
    assert tuned.manifest().jobs[0]["deployment"] and not plain.manifest().jobs[0]["deployment"]
    with pytest.raises(UsageError, match=r"two jobs serve ui-tars.* with different values"):
        deployments(make_plan(job_specs(words) + job_specs([*words, f"deployment.{word}"])))


def test_folders_of_weights_share_a_cell_if_their_content_is_equal(tmp_path, monkeypatch):
    """Also under another path of the profile. A folder that only other nodes have is known by its path."""
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "conf" / "deployment").mkdir(parents=True)
    given = yaml.safe_load(serving_files()["tiny-vl"].read_text())
    cells = {}
    for name, content in {"a": "1", "copy of a": "1", "b": "2", "absent": None, "absent too": None}.items():
        folder = tmp_path / name
        if content:
            folder.mkdir()
            (folder / "model.safetensors").write_text(content)
        profile = {**given, "model_source": str(folder)}
        (tmp_path / "conf" / "deployment" / "tiny-vl.yaml").write_text(yaml.safe_dump(profile))
        (cell,) = hosted_plan({"model": "tiny-vl"}).cells
        cells[name] = cell.id
        served = cell.spec.model.deployment
        assert ("revision" in served, "model_source" in served) == (bool(content), not content)
    assert cells["a"] == cells["copy of a"] and len(set(cells.values())) == 4


async def test_run_is_not_continued_with_other_weights_of_the_same_name(run):
    """Only where the plan cannot tell: of a folder on other nodes, or of the newest commit on the hub."""

    class Changed(Serving):
        async def deploy(self, model, placed=lambda: None):
            return Endpoint("http://127.0.0.1:1/v1", model.name, "/models/m", "vllm 0.29.0", "b" * 40)

    known = {"model": "mine", "weights": "/models/m", "revision": "a" * 40}
    run.write_manifest(run.manifest().model_copy(update={"engines": (known, {"model": ["odd"]})}))
    planned = MODEL.model_copy(update={"deployment": {"revision": "b" * 40}})
    for model, served in ((MODEL, False), (planned, True)):
        host = hosting(Changed())
        host.record(run, lambda reading: None)
        changed = f"replies of revision {'a' * 40} of /models/m, and now {'b' * 40} is"
        with nullcontext() if served else pytest.raises(UsageError, match=changed):
            await host.up(model)


def test_engine_and_client_agree_on_images():
    plan = hosted_plan({"memory_rounds": 10}, {"model": "ui-tars-1.5-7b", "interface": "computer_use"})
    specs = deployments(plan)
    assert specs["qwen3-vl-30b-a3b"].images_per_prompt == 11, "ten rounds and the current screenshot"
    for cell in plan.cells:
        assert (cell.spec.model.image.max_pixels or 0) <= (specs[cell.spec.model.name].most_pixels or 0)


def test_prompts_longer_than_the_context_are_refused():
    """The engine would refuse them late in an episode."""
    job = {"model": "ui-tars-1.5-7b", "interface": "computer_use", "memory_rounds": 50, "memory_format": "images"}
    with pytest.raises(UsageError, match=r"51 images of 1,196 tokens, and a reply .*1,024 .*a context of 32,768"):
        deployments(hosted_plan(job))
    tight = {"model": "qwen2.5-vl-7b", "memory_rounds": 10}  # 13,156 tokens of images and 2,048 of a reply
    with pytest.raises(UsageError, match=r"11 images .* 2,048 tokens\. With about 2,625 tokens of text .* 16,384"):
        deployments(hosted_plan(tight))
    assert deployments(hosted_plan({**tight, "memory_rounds": 8}))
    for change in ({"memory_format": "text"}, {"limit": {"steps": 9}}, {"deployment": {"max_model_len": 81920}}):
        assert deployments(hosted_plan(job | change))
