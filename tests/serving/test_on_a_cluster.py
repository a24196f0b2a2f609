"""Self-hosted models on some nodes of a cluster, with browsers on the others.

The engine, Ray, Serve, the browsers and the S3 server are real; the nodes share only a read-only checkout.
"""

import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from serving.launches import START_S, is_engine

from gwray.store import RunDir

ROOT = Path(__file__).resolve().parents[2]
with pytest.MonkeyPatch.context() as bench:
    bench.syspath_prepend(ROOT / "bench")
    from cluster_hosts import HEAD, HOSTS, LIBRARY, SCRIPT, cluster, hosts, in_hub, processes

pytestmark = [pytest.mark.vllm, pytest.mark.slow]
FOURTH = "delta"


@pytest.fixture
def up(monkeypatch) -> Iterator[None]:
    """Three hosts whose Python has the engine; the test is beside them, in the network of the hub."""
    able = subprocess.run([SCRIPT, "able"], capture_output=True, text=True)
    if able.returncode:
        pytest.skip(able.stderr.strip())
    monkeypatch.setenv("GWRAY_CLUSTER_SETTINGS", f"PATH={ROOT}/.venv-vllm/bin:{os.environ['PATH']}")
    with hosts(*HOSTS), in_hub():
        yield


def sweep(host: str, run: str, *more: str) -> subprocess.Popen[bytes]:
    """Starts a sweep of short episodes on a host."""
    words = ["game=short-sums", "task=1", f"libraries=[{LIBRARY}]", "executor=ray", "executor.lanes=2",
             f"executor.address={HEAD}", "tracking.mode=disabled", f"run_dir={run}", *more]  # fmt: skip
    return subprocess.Popen([SCRIPT, "on", host, "python", str(ROOT / "launch.py"), *words])


def engine_hosts(*among: str) -> set[str]:
    return {host for host in among if any(is_engine(process) for process, _ in processes(host))}


def assert_ended(run: str, alive: Sequence[str]) -> None:
    assert not engine_hosts(*alive), "engines end with the run"
    verify = ["gwray", "verify", run, "--library", str(LIBRARY), "--executor", "inline"]
    subprocess.run([SCRIPT, "on", HOSTS[0], *verify], check=True)


def test_model_on_one_node_serves_browsers_on_others(up):
    run, engines = "s3://runs/hosted", set[str]()
    driver = sweep(HOSTS[1], run, "model=tiny-vl", "repeats=4")
    end = time.monotonic() + START_S
    while driver.poll() is None and time.monotonic() < end:
        engines |= engine_hosts(*HOSTS)
        time.sleep(0.5)
    assert driver.poll() == 0
    results = RunDir.open(run).results()
    assert len(results) == 4 and len(engines) == 1
    assert {r.machine for r in results} <= {*HOSTS} - engines  # one may join too late
    assert_ended(run, HOSTS)


@pytest.mark.whole
def test_two_models_play_on_when_a_browser_node_dies(up):
    """Episodes of the lost node resume from their logs on the other browser node; no question is answered twice."""
    cluster("join", FOURTH)  # each engine may have a node of its own
    run, repeats, names = "s3://runs/two", 8, [*HOSTS, FOURTH]
    served = ["deployment.resources.cpus=0.5", f"deployment.start_timeout_s={START_S}"]
    driver = sweep(HOSTS[0], run, "-m", "model=tiny-vl,tiny-vl-2", f"repeats={repeats}", *served)
    end, victim = time.monotonic() + START_S, ""
    engines: dict[int, str] = {}
    while not victim and driver.poll() is None and time.monotonic() < end:
        engines |= {process.pid: host for host in names for process, _ in processes(host) if is_engine(process)}
        results = RunDir.open(run).results() if RunDir.is_run(run) else []
        if len({r.model for r in results}) == 2:  # the model that came up last has most of its episodes left
            victim = next((h for r in results[::-1] if (h := r.machine) not in {*engines.values(), HOSTS[0]}), "")
        time.sleep(0.5)
    assert victim, "no episode has ended beside the engines"
    cluster("kill", victim)
    assert driver.wait(START_S) == 0
    opened = RunDir.open(run)
    assert Counter(r.model for r in opened.results()) == {"tiny-vl": repeats, "tiny-vl-2": repeats}
    assert any("actor died" in r.error_message for r in opened.each_failure()), "the node had episodes to lose"
    asked = [(key, line.decision, line.role, line.call) for key, lines in opened.logs() for line in lines]
    assert len(asked) == len({*asked})
    assert_ended(run, [host for host in names if host != victim])
