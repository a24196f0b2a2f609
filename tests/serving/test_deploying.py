"""What happens around an engine's start, without an engine: refusals before it, and how long it is waited for."""

import asyncio
import importlib.machinery
import socket

import pytest

from gwray.errors import UsageError
from gwray.serving import ClusterResources, Node, RayServing, ServingError, ray_serving, read_serving, serve_model
from gwray.spec import ModelSpec

MODEL = ModelSpec(name="tiny-vl", provider="openai_chat", self_hosted=True)


@pytest.fixture
def cpus(monkeypatch):
    """A cluster of as many CPUs as the test appends."""
    have = []
    nodes = lambda: ClusterResources((Node(cpus=sum(have), memory_gb=16),))  # noqa: E731
    monkeypatch.setattr(ray_serving.cluster, "resources", nodes)
    monkeypatch.setattr(ray_serving.cluster, "app_name", lambda name: name)
    monkeypatch.setattr(ray_serving, "_delete", lambda _: None)
    found = importlib.machinery.ModuleSpec("vllm", None)
    monkeypatch.setattr(ray_serving.importlib.util, "find_spec", lambda _: found)
    monkeypatch.setattr(ray_serving, "version", lambda _: "0.29.0")
    return have


class Started(RayServing):
    """Ray and Serve are up, and an application is handed over at once."""

    def _start(self): ...
    def _run(self, up):
        return "http://127.0.0.1:1/v1"

    async def _running(self, up, timeout_s):
        await asyncio.sleep(0.3)


async def test_one_time_limit_covers_the_start_and_the_first_picture(cpus, monkeypatch):
    cpus.append(2)
    left = []

    async def ready(url, model_id, timeout_s, *, died):
        left.append(timeout_s)

    monkeypatch.setattr(ray_serving, "ready", ready)
    spec = read_serving("tiny-vl").model_copy(update={"start_timeout_s": 10})
    serving = Started(specs={"tiny-vl": spec}, sample_every_s=0)
    endpoint = await serving.deploy(MODEL)
    assert 8 < left[0] <= 9.7
    assert (endpoint.weights, endpoint.engine) == ("tiny:0", "vllm 0.29.0")


async def test_what_no_node_has_is_refused_instead_of_waited_for(cpus):
    cpus.append(0.5)
    with pytest.raises(ServingError, match=r"tiny-vl needs 1 CPU\(s\).* this cluster has 0\.5"):
        await Started().deploy(MODEL)


async def test_a_cluster_that_does_not_answer_is_named(cpus, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    with pytest.raises(UsageError, match=r"no Ray cluster answers at '127\.0\.0\.1:9'"):
        await RayServing("127.0.0.1:9").deploy(MODEL)


async def test_who_waits_for_another_job_s_gpus_is_told_so_once(cpus, monkeypatch):
    said, states = [], ["DEPLOYING", "DEPLOYING", "DEPLOYING", "RUNNING"]
    slow = "Deployment 'x' has 1 replicas that have taken more than 30s to be scheduled."
    monkeypatch.setattr(ray_serving, "_status", lambda _: (states.pop(0), slow))
    monkeypatch.setattr(ray_serving, "POLL_S", 0.01)
    up = ray_serving._Up("app", read_serving("tiny-vl"), "tiny-vl")
    await RayServing(say=said.append)._running(up, 10)
    assert said == ["tiny-vl waits for a node with room; another job may hold what it needs (see `ray status`)"]


async def test_a_port_that_is_taken_is_refused_before_anything_starts(cpus):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is taken"):
            await serve_model(MODEL, port=port)
