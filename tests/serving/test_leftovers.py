"""Leftovers of a killed run on a shared cluster are removed by the next run, and nothing else.

Ray Serve is real here; the applications have no engine.
"""

import json
import os
import subprocess
import sys
import time

import psutil
import pytest

pytestmark = [pytest.mark.vllm, pytest.mark.slow]

# Ray would ask for a token that the clusters of other tests on this machine may have left.
ENV = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}

CRASHES = """
import os, sys, ray
ray.init(address=sys.argv[1], namespace="gwray", log_to_driver=False)
from ray import serve
from gwray.serving import cluster
@serve.deployment(ray_actor_options={"num_cpus": 0})
class Model:
    def __call__(self, _): return "here"
if not cluster.serve_runs():
    serve.start(proxy_location="Disabled")
    if sys.argv[2] == "ours": cluster.mark_serve()
name = cluster.app_name("tiny-vl") if sys.argv[2] == "ours" else "other-app"
serve.run(Model.bind(), name=name, route_prefix="/" + name)
print("up", name, flush=True)
if sys.argv[2] == "ours": os.kill(os.getpid(), 9)
"""
CLEANS = """
import sys, ray
ray.init(address=sys.argv[1], namespace="gwray", log_to_driver=False)
from gwray.serving import cluster, remove_leftovers
print("removed", remove_leftovers(), "left", cluster.serve_runs(), flush=True)
"""


ENDS = """
import asyncio, sys, ray
ray.init(address=sys.argv[1], namespace="gwray", log_to_driver=False)
from gwray.serving import RayServing, cluster
asyncio.run(RayServing(sys.argv[1]).close())
print("left", cluster.serve_runs(), flush=True)
"""


@pytest.fixture
def address(tmp_path):
    """A cluster that outlives its drivers."""
    from gwray.serving.environment import free_port

    port = free_port()
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", f"--port={port}"]
    command += [
        "--num-cpus=2",
        "--include-dashboard=false",
        "--disable-usage-stats",
        f"--temp-dir=/tmp/gr{os.getpid()}",
    ]
    head = subprocess.Popen(command, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"127.0.0.1:{port}"
    has_a_node = f"import ray; ray.init(address={address!r}, log_to_driver=False); assert ray.nodes()"
    end = time.monotonic() + 200
    while subprocess.run([sys.executable, "-c", has_a_node], env=ENV, capture_output=True).returncode:
        assert head.poll() is None and time.monotonic() < end, "the cluster did not start"
    yield address
    for process in [*psutil.Process(head.pid).children(recursive=True), head]:  # in good order it would drain for long
        process.kill()
    head.wait()


def run(script, *args):
    done = subprocess.run([sys.executable, "-c", script, *args], capture_output=True, text=True, env=ENV)
    assert done.stdout, done.stderr
    return done.stdout


def test_models_and_serve_of_killed_run_are_removed(address):
    assert "up gwray-" in run(CRASHES, address, "ours")
    assert run(CLEANS, address).startswith("removed ['gwray-") and "'serve'] left False" in run_again(address)


def run_again(address):
    """A second crash and clean-up on the same cluster: nothing of the first is in the way."""
    run(CRASHES, address, "ours")
    return run(CLEANS, address)


def test_last_run_stops_serve_of_an_ended_run(address):
    run(CRASHES, address, "ours")
    assert run(ENDS, address) == "left False\n"


def test_other_applications_are_kept(address):
    run(CRASHES, address, "theirs")
    run(CRASHES, address, "ours")
    cleaned = run(CLEANS, address)
    assert "gwray-" in cleaned and "other-app" not in cleaned
    assert "'serve'" not in cleaned and "left True" in cleaned


def test_doctor_lists_models_that_fit_on_cluster(address):
    gwray = [sys.executable, "-c", "from gwray.cli import main; main()", "doctor", "--json"]
    done = subprocess.run([*gwray, "--address", address], capture_output=True, text=True, env=ENV)
    (models,) = (f for f in json.loads(done.stdout) if f["what"] == "models")
    assert models["detail"] == f"can be hosted on {address}: learner, tiny-vl, tiny-vl-2", (
        "the cluster has two CPUs and no GPU"
    )
    assert "qwen3-vl-30b-a3b" in models["fix"]
