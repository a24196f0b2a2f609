"""A sweep on three hosts that share a checkout which they can only read and an S3 server, and nothing else.

The hosts are those of `scripts/cluster.sh`, the faults those of `bench/cluster_faults.py`: here each at one moment.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pipelines.test_survival import answer, replies, results, wait_for
from standin import Standin
from tracking.wandb_server import WandbServer

from gwray.store import RunDir

ROOT = Path(__file__).resolve().parents[2]
with pytest.MonkeyPatch.context() as bench:
    bench.syspath_prepend(ROOT / "bench")
    from cluster_faults import LATENCY_S, Calm, Line, command, keep_logs, parse_options, sweep, undisturbed
    from cluster_hosts import HEAD, HOSTS, HUB, SCRIPT, cluster, hosts, in_hub
    from faults import IN_FLIGHT

pytestmark = pytest.mark.cluster
REPEATS = 2
SEED = 2940
"""Of moments at which every host has replies to lose: after 13 to 19 of 192."""
FOURTH, FIFTH = "delta", "epsilon"


@pytest.fixture(scope="module")
def up() -> Iterator[None]:
    """Three hosts; the tests are beside them, in the network of the hub."""
    able = subprocess.run([SCRIPT, "able"], capture_output=True, text=True)
    if able.returncode:
        pytest.skip(able.stderr.strip())
    with hosts(*HOSTS), in_hub():
        yield


@pytest.fixture(scope="module")
def standin(up) -> Iterator[Standin]:
    with Standin(keep_bodies=False, host=HUB) as server:
        server.answer, server.latency_s = answer, LATENCY_S
        yield server


@pytest.fixture(scope="module")
def calm(standin) -> Calm:
    """`s3://runs/calm`, which nothing disturbed."""
    return undisturbed(standin, REPEATS)


@pytest.fixture
def changed_gamma(up) -> Iterator[None]:
    """Gives the third host another gwray than that of the checkout."""
    file = ROOT / "gwray" / "__init__.py"
    edit = 's/^__version__ = .*/__version__ = "0.1.9"/'
    change = f"sed '{edit}' {file} > /tmp/version.py && mount --bind /tmp/version.py {file}"
    cluster("on", HOSTS[2], "bash", "-c", change)
    yield
    cluster("on", HOSTS[2], "umount", str(file))


@pytest.fixture
def delta(up) -> Iterator[None]:
    """Ends the fourth host after the test."""
    yield
    cluster("kill", FOURTH)


def test_sweep_on_three_nodes_equals_one_node(calm, standin, tmp_path):
    run = RunDir.open("s3://runs/calm")
    assert {r.machine for r in run.results()} == {*HOSTS}, "each has played"
    here = [f"run_dir={tmp_path}/run", "executor=inline", "tracking.mode=disabled"]
    subprocess.run([sys.executable, "launch.py", *sweep(standin, REPEATS), *here], cwd=ROOT, check=True, timeout=600)
    assert results(tmp_path / "run") == calm.results, "states and pictures too"


def assert_verifies(url: str, host: str) -> None:
    """Replays a complete run on a host."""
    run = RunDir.open(url)
    trusted = [w for folder in run.manifest().libraries for w in ("--library", folder)]
    words = [SCRIPT, "on", host, "gwray", "verify", url, "--executor", "inline", *trusted]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(run.manifest().episodes)} identical" in done.stdout


def test_other_node_verifies_the_run(calm, delta):
    cluster("join", FOURTH, "bare")
    assert_verifies("s3://runs/calm", FOURTH)


RARE = [pytest.param(line, marks=pytest.mark.whole) for line in ("actor", "disk-full", "store-slow")]


@pytest.mark.parametrize("line", ["driver", "host", "link", *RARE])
def test_one_broken_part_loses_nothing(calm, standin, line):
    words = ["--line", line, "--seed", str(SEED), "--count", "1", "--repeats", str(REPEATS)]
    with WandbServer(host=HUB) as wandb:
        count = Line(line, parse_options(words), standin, calm, wandb).run(float("inf"))
    again = f"sudo {sys.executable} bench/cluster_faults.py {shlex.join(words)} --results build/faults.jsonl"
    if count.wrong:
        keep_logs(line)
    assert not count.wrong, f"seed {SEED}; logs in build/faults-{line}; again: {again}"
    assert count.strikes == 1, f"the run was over before the strike; again: {again}"


HOLD = """
import ray, sys
ray.init(sys.argv[1], logging_level=50)
hold = ray.remote(num_cpus=1)(type("Other", (), {"ready": lambda self: True})).remote()
ray.get(hold.ready.remote())
print("held", flush=True)
sys.stdin.read()
"""


def test_sweep_on_a_shared_cluster_uses_what_it_can(standin, delta, changed_gamma):
    """Another job holds a node, one has no browser, one another gwray, and only the command's machine has the key."""
    cluster("join", FOURTH, env=os.environ | {"GWRAY_CLUSTER_SETTINGS": "GWRAY_BROWSER=/nowhere"})
    key, asked = "sk-lab-0123456789abcdef", len(standin.seen)
    words = [*command(standin, "shared", repeats=REPEATS), "model.api_key_env=LAB_KEY"]
    words.insert(words.index("env") + 1, f"LAB_KEY={key}")
    hold = [SCRIPT, "on", HOSTS[1], "python", "-c", HOLD, HEAD]
    with subprocess.Popen(hold, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout and other.stdout.readline() == "held\n"
            standin.key = key
            done = subprocess.run(words, capture_output=True, text=True, timeout=600)
        finally:
            standin.key = None
            other.terminate()
    output = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 0, output
    assert "node delta is not used: it has no browser" in output
    assert "node gamma is not used: it runs a different gwray version" in output
    run = RunDir.open("s3://runs/shared")
    assert len(run.results()) == len(run.manifest().episodes)
    assert {r.machine for r in run.results()} == {HOSTS[0]}
    assert {s.status for s in standin.seen[asked:]} == {200}, "every actor has sent the key"


@pytest.fixture
def another_head(up) -> Iterator[None]:
    """Ends the fifth host after the test."""
    yield
    subprocess.run([SCRIPT, "kill", FIFTH], check=False)


@pytest.mark.whole
def test_run_of_a_lost_head_continues_under_another_name(standin, another_head):
    """A one-node cluster is lost with its driver; the same command continues on a new one with another host name."""
    url, before = "s3://runs/moved", standin.answered
    here = ["executor=ray", "executor.address=auto", "tracking.mode=disabled", f"run_dir={url}"]
    words = ["python", str(ROOT / "launch.py"), *sweep(standin, 1), *here]
    cluster("join", FOURTH, FOURTH)
    try:
        driver = subprocess.Popen([SCRIPT, "on", FOURTH, *words])
        wait_for(standin, before + 40, driver)
    finally:
        cluster("kill", FOURTH)
    driver.wait(60)
    lost = standin.answered - before - replies(url)
    assert 0 <= lost <= IN_FLIGHT

    cluster("join", FIFTH, FIFTH)
    done = subprocess.run([SCRIPT, "on", FIFTH, *words], capture_output=True, text=True, timeout=600)
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert f"on host {FOURTH}" in " ".join(output.split()), "it has waited for the lease"
    run = RunDir.open(url)
    assert standin.answered - before - replies(url) <= lost, "nothing that was kept is requested again"
    assert FIFTH in {r.machine for r in run.results()}
    assert not run.failures()
    assert_verifies(url, FIFTH)
