"""Starting a model, without an engine: refusals before the start, and time limits."""

import asyncio
import functools
import importlib.machinery
import socket
import sys
import threading
import time
import types

import pytest
from standin import Standin

from gwray.errors import ModelUnavailable, UsageError
from gwray.serving import ClusterResources, Node, RayServing, ServingError, ray_serving, read_deployment, serve_model
from gwray.serving.weights import Weights
from gwray.settings import ModelSpec

MODEL = ModelSpec(name="tiny-vl", provider="openai_chat", self_hosted=True)


@pytest.fixture
def cpus(monkeypatch):
    """A cluster with as many CPUs as the test appends."""
    have = []
    nodes = lambda: ClusterResources((Node(cpus=sum(have), memory_gb=16),))  # noqa: E731
    monkeypatch.setattr(ray_serving.cluster, "cluster_resources", nodes)
    monkeypatch.setattr(ray_serving.cluster, "app_name", lambda name: name)
    monkeypatch.setattr(ray_serving, "_delete", lambda _: None)
    found = importlib.machinery.ModuleSpec("vllm", None)
    monkeypatch.setattr(ray_serving.importlib.util, "find_spec", lambda _: found)
    monkeypatch.setattr(ray_serving, "version", lambda _: "0.29.0")
    return have


class Started(RayServing):
    """Ray and Serve run, and applications are deployed at once."""

    def _start(self): ...
    def _run(self, up) -> str:
        return "http://127.0.0.1:1/v1"

    async def _running(self, up, timeout_s, placed): ...


@pytest.mark.parametrize("step", ["_start", "_run"])
async def test_cancelling_ends_a_deployment_that_hangs_in_a_thread(step, cpus, monkeypatch):
    """`_start` starts Ray and Serve, `_run` downloads weights: both may take for ever."""
    monkeypatch.setattr(ray_serving, "CANCELLED_S", 0.2)
    cpus.append(2)
    release, entered = threading.Event(), threading.Event()
    serving = Started(sample_every_s=0)
    monkeypatch.setattr(serving, step, lambda *_: (entered.set(), release.wait(60)))
    deploying = asyncio.create_task(serving.deploy(MODEL))
    await asyncio.to_thread(entered.wait, 10)
    began = time.monotonic()
    deploying.cancel()
    await asyncio.wait({deploying}, timeout=10)
    release.set()
    assert deploying.cancelled() and time.monotonic() - began < 5


async def test_first_chat_has_a_time_limit_and_a_message_of_its_own(cpus, monkeypatch):
    cpus.extend([2, 2])
    left: list[float] = []

    async def wait_until_ready(url, model_id, timeout_s, *, pictures, failure):
        left.append(timeout_s)
        if len(left) == 4:
            raise ModelUnavailable("no image chat succeeded in 180 s; last response: ReadTimeout")

    class Slow(Started):
        async def _running(self, up, timeout_s, placed):
            left.append(timeout_s)
            up.loaded = True

    monkeypatch.setattr(ray_serving, "wait_until_ready", wait_until_ready)
    spec = read_deployment("tiny-vl").model_copy(update={"start_timeout_s": 1000})
    serving = Slow(specs={"tiny-vl": spec}, sample_every_s=0)
    endpoint = await serving.deploy(MODEL)
    assert left == [1000, 250]
    assert (endpoint.weights, endpoint.engine) == ("tiny:0", "vllm 0.29.0")
    await serving.teardown(MODEL)
    with pytest.raises(
        ServingError, match="tiny-vl: the engine has loaded the model, but does not answer: no image chat"
    ):
        await serving.deploy(MODEL)


@pytest.fixture
def applications(monkeypatch):
    """The arguments of the applications that Serve was given; nothing runs."""
    configs = []
    monkeypatch.setattr(ray_serving, "build_app", configs.append)
    serve = types.SimpleNamespace(run_many=lambda *a, **k: None, RunTarget=lambda *a, **k: None)
    monkeypatch.setattr("ray.serve", serve, raising=False)
    monkeypatch.setitem(sys.modules, "ray.serve", serve)
    return configs


def serve_at(monkeypatch, host):
    """Serve listens on `host`; its proxy is on 192.0.2.7."""
    details = {"http_options": {"host": host, "port": 8000}, "proxies": {"node": {"node_ip": "192.0.2.7"}}}
    monkeypatch.setattr(ray_serving.cluster, "serve_details", lambda: details)


@pytest.mark.parametrize(("nodes", "host"), [(2, "0.0.0.0"), (1, "127.0.0.1")])
def test_weights_may_lie_on_other_nodes_only(nodes, host, applications, monkeypatch):
    """A folder of the GPU nodes is given to the engine as it is; the engine's address must be one for all nodes."""
    monkeypatch.setattr(ray_serving.cluster, "cluster_resources", lambda: ClusterResources((Node(cpus=8),) * nodes))
    serve_at(monkeypatch, host)
    spec = read_deployment("qwen3-vl-30b-a3b").model_copy(update={"model_source": "/models/only-there"})
    start = functools.partial(RayServing()._run, ray_serving._Deployment("app", spec, "org/model"))
    if nodes == 1:
        with pytest.raises(ServingError, match="/models/only-there does not exist on this machine"):
            start()
        return
    assert start() == "http://192.0.2.7:8000/app/v1"
    (config,) = applications
    assert config["model_loading_config"] == {"model_id": "org/model", "model_source": "/models/only-there"}
    assert config["runtime_env"]["env_vars"]["HF_HUB_OFFLINE"] == "1"


@pytest.mark.parametrize(("name", "warned"), [("HF_TOKEN", True), ("HF_TOKEN_PATH", False)])
def test_token_of_the_hub_can_stay_out_of_the_dashboard(name, warned, applications, monkeypatch):
    for variable in ("HF_TOKEN", "HF_TOKEN_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(name, "/shared/token")
    monkeypatch.setattr(ray_serving.cluster, "cluster_resources", lambda: ClusterResources((Node(cpus=8),) * 2))
    serve_at(monkeypatch, "0.0.0.0")
    spec = read_deployment("qwen3-vl-30b-a3b").model_copy(update={"model_source": "/models/only-there"})
    messages = []
    RayServing("192.0.2.7:6379", say=messages.append)._run(ray_serving._Deployment("app", spec, "org/model"))
    assert applications[0]["runtime_env"]["env_vars"][name] == "/shared/token"
    assert [("unset it and set HF_TOKEN_PATH" in m) for m in messages] == [True] * warned


async def test_text_only_model_gets_no_image_limits_and_no_image(monkeypatch, cpus, applications):
    cpus.append(2)
    monkeypatch.setattr(ray_serving, "resolve", lambda spec, *, elsewhere: Weights("/weights", True))
    serve_at(monkeypatch, "127.0.0.1")

    class Served(Started):
        def _run(self, up) -> str:
            RayServing._run(self, up)
            return server.base_url("openai_chat")

    with Standin() as server:
        for model in (MODEL, MODEL.model_copy(update={"name": "words", "pictures": False})):
            spec = read_deployment("tiny-vl").model_copy(update={"name": model.name})
            await Served(specs={model.name: spec}, sample_every_s=0).deploy(model)
    limits = [c["engine_kwargs"].get("limit_mm_per_prompt") for c in applications]
    assert limits == [{"image": 8, "video": 0}, None]
    kinds = [[part["type"] for part in s.body["messages"][-1]["content"]] for s in server.seen]
    assert kinds == [["text", "image_url"], ["text"]] and server.problems == []


async def test_model_larger_than_any_node_is_refused(cpus):
    cpus.append(0.5)
    with pytest.raises(ServingError, match=r"tiny-vl needs 1 CPU\(s\).* this cluster has 0\.5"):
        await Started().deploy(MODEL)


async def test_unreachable_cluster_is_named(cpus, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    with pytest.raises(UsageError, match=r"no Ray cluster answers at '127\.0\.0\.1:9'"):
        await RayServing("127.0.0.1:9").deploy(MODEL)


@pytest.mark.parametrize(
    ("found", "served"), [({"n1": "b"}, True), ({"n1": "c"}, False), ({"n1": "b", "n2": "c"}, False)]
)
async def test_engines_weights_must_be_those_of_the_plan(found, served, cpus, monkeypatch):
    """A folder may hold other weights on the nodes than on the machine of the plan."""
    cpus.append(2)
    spec = read_deployment("tiny-vl").model_copy(update={"model_source": "/models/only-there"})

    def on_engine_nodes(app, call, asked):
        assert asked.revision == planned and call is ray_serving.revision
        if wrong := [f for f in found.values() if planned and f != planned]:
            raise UsageError(f"the digest {wrong[0]}, not revision {planned}")
        return list(found.values())

    async def wait_until_ready(*_, **__): ...

    monkeypatch.setattr(ray_serving.cluster, "on_engine_nodes", on_engine_nodes)
    monkeypatch.setattr(ray_serving, "wait_until_ready", wait_until_ready)
    for planned in ("b", ""):
        model = MODEL.model_copy(update={"deployment": {"revision": planned} if planned else {}})
        deploying = Started(specs={"tiny-vl": spec}, sample_every_s=0).deploy(model)
        if served or (not planned and len(found) == 1):
            assert (await deploying).facts()["revision"] == found["n1"]
        else:
            with pytest.raises(
                UsageError, match="not revision b" if planned else "different weights in /models/only-th"
            ):
                await deploying


def test_status_is_read_without_building_configurations(monkeypatch):
    """`serve.status()` builds them, and fails in one of two threads that do so at once: two models start."""
    engine = {"message": "Loading.", "status": "UPDATING"}
    found = {"app": {"status": "DEPLOYING", "message": "", "deployments": {"LLMServer": engine}}}
    monkeypatch.setattr(ray_serving.cluster, "serve_details", lambda: {"applications": found})
    assert [ray_serving._status(a) for a in ("app", "b")] == [("DEPLOYING", "Loading."), ("NOT_STARTED", "")]


async def test_loading_is_reported_once_per_stage(cpus, monkeypatch):
    """Only a model without a place is reported as waiting."""
    messages, states, groups = [], ["DEPLOYING"] * 6 + ["RUNNING"], ["PENDING"] * 2 + ["CREATED"]
    line = "(EngineCore pid=71) INFO 11-25 10:00:00 [default_loader.py:384] Loading weights took 3.20 seconds"
    logs = [[], [], [], ["starting"], ["starting"], ["starting", line]]
    slow = "Deployment 'x' has 1 replicas that have taken more than 30s to be scheduled."
    table = {"another": {"name": "SERVE_REPLICA::app-2#LLM#f", "state": "PENDING"},
             "earlier": {"name": "SERVE_REPLICA::app#LLM#e", "state": "REMOVED"}}  # fmt: skip
    monkeypatch.setattr(
        "ray.util.placement_group_table",
        lambda: table | {"this": {"name": "SERVE_REPLICA::app#LLM#d", "state": groups.pop(0)}},
    )
    monkeypatch.setattr(ray_serving, "_status", lambda _: (states.pop(0), slow))
    monkeypatch.setattr(ray_serving.cluster, "replica_log", lambda _: logs.pop(0))
    monkeypatch.setattr(ray_serving, "POLL_S", 0.01)
    monkeypatch.setattr(ray_serving, "LOADING_S", 0.0)
    up = ray_serving._Deployment("app", read_deployment("tiny-vl"), "tiny-vl")
    serving = RayServing(say=messages.append)
    await serving._running(up, 60, lambda: messages.append("tiny-vl is placed"))
    kept = dict.fromkeys(messages)
    waits = "tiny-vl is loading, 0 s: it waits for a node with enough free resources (see `ray status`)"
    assert list(kept) == [
        waits,
        "tiny-vl is placed",
        "tiny-vl is loading, 0 s: its process starts",
        "tiny-vl is loading, 0 s: starting",
        "tiny-vl is loading, 0 s: Loading weights took 3.20 seconds",
    ]
    assert all(messages.count(m) == 1 for m in kept if m != "tiny-vl is placed")


async def test_port_in_use_is_refused_before_start(cpus):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is in use"):
            await serve_model(MODEL, port=port)
