"""A self-hosted model on one node of a cluster, with browsers on the others.

The engine, Ray, Serve, the browsers and the S3 server are real; the nodes share only a read-only checkout.
"""

import os
import subprocess
import time
from pathlib import Path

import pytest
from serving.launches import START_S, is_engine

from gwray.store import RunDir

ROOT = Path(__file__).resolve().parents[2]
with pytest.MonkeyPatch.context() as bench:
    bench.syspath_prepend(ROOT / "bench")
    from cluster_hosts import HEAD, HOSTS, LIBRARY, SCRIPT, hosts, in_hub, processes

pytestmark = [pytest.mark.vllm, pytest.mark.slow]
RUN = "s3://runs/hosted"


def test_model_on_one_node_serves_browsers_on_others(monkeypatch):
    able = subprocess.run([SCRIPT, "able"], capture_output=True, text=True)
    if able.returncode:
        pytest.skip(able.stderr.strip())
    monkeypatch.setenv("GWRAY_CLUSTER_SETTINGS", f"PATH={ROOT}/.venv-vllm/bin:{os.environ['PATH']}")
    sweep = ["model=tiny-vl", "game=short-sums", "task=1", "repeats=4", f"libraries=[{LIBRARY}]", "executor=ray",
             "executor.lanes=2", f"executor.address={HEAD}", "tracking.mode=disabled", f"run_dir={RUN}"]  # fmt: skip
    engines = set()
    with hosts(*HOSTS), in_hub():
        driver = subprocess.Popen([SCRIPT, "on", HOSTS[1], "python", str(ROOT / "launch.py"), *sweep])
        end = time.monotonic() + START_S
        while driver.poll() is None and time.monotonic() < end:
            engines |= {host for host in HOSTS if any(is_engine(process) for process, _ in processes(host))}
            time.sleep(0.5)
        assert driver.poll() == 0
        results = RunDir.open(RUN).results()
        assert len(results) == 4 and len(engines) == 1
        assert {r.machine for r in results} <= {*HOSTS} - engines  # one may join too late
        assert not [words for process, words in processes(*HOSTS) if is_engine(process)], "it ends with the run"
        subprocess.run(
            [SCRIPT, "on", HOSTS[0], "gwray", "verify", RUN, "--library", LIBRARY, "--executor", "inline"], check=True
        )
