"""A sweep with hosted models, interrupted at half, continues after its serving was tuned on the command line.

The command, its plan and its placement are real; a stand-in server answers in place of the engines.
"""

import os
import signal
import subprocess
import sys
import time

import pytest
from pipelines.conftest import short_library
from pipelines.test_survival import replies
from standin import Standin

from gwray.store import RunDir

COMMAND = """
import sys
from gwray.serving import RayServing
from gwray.serving.ray_serving import Endpoint

async def deploy(self, model, placed=lambda: None):
    placed()
    spec = self.spec(model.name)
    arguments = spec.engine_arguments(pictures=model.pictures)
    return Endpoint(sys.argv[1], model.model_id, spec.model_source, "stand-in", "", arguments)

RayServing.deploy = deploy
from gwray.cli.launch import main
main(sys.argv[2:])
"""
SWEEP = ["-m", "model=tiny-vl,tiny-vl-2", "game=[short-flight,short-sums]", "task=1", "repeats=2",
         "executor=inline", "executor.lanes=2", "tracking.mode=disabled"]  # fmt: skip
TUNED = ("deployment.resources.memory_gb=2", "deployment.max_num_seqs=16", "deployment.replicas_max=2")
LANES = 2


def start(standin: Standin, run_dir: str, *more: str) -> subprocess.Popen[str]:
    words = [*SWEEP, f"libraries=[{short_library()}]", f"run_dir={run_dir}", *more]
    command = [sys.executable, "-c", COMMAND, standin.base_url("openai_chat"), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.slow
def test_half_a_sweep_continues_after_its_serving_was_tuned(tmp_path):
    url = str(tmp_path / "run")
    with Standin(keep_bodies=False) as standin:
        standin.latency_s = 0.05
        driver = start(standin, url)
        end = time.monotonic() + 400
        while not RunDir.is_run(url) or 2 * len(RunDir.open(url).results()) < len(RunDir.open(url).manifest().episodes):
            assert driver.poll() is None and time.monotonic() < end, driver.communicate()[0]
            time.sleep(0.05)
        standin.latency_s = 0.5  # a busy machine is slow to notice the half
        os.kill(driver.pid, signal.SIGINT)
        said, _ = driver.communicate(timeout=200)
        assert driver.returncode == 130, said
        half, run = RunDir.open(url).results(), RunDir.open(url).manifest()
        assert len(run.episodes) / 2 <= len(half) < len(run.episodes)
        again = standin.answered - replies(url)
        assert 0 <= again <= LANES, "what was in flight"

        standin.latency_s = 0
        driver = start(standin, url, *TUNED)
        said, _ = driver.communicate(timeout=500)
        assert driver.returncode == 0, said
        after = RunDir.open(url).manifest()
        assert [c.id for c in after.cells] == [c.id for c in run.cells] and after.episodes == run.episodes
        results = RunDir.open(url).results()
        assert len(results) == len(run.episodes) and all(r in results for r in half)
        assert standin.answered - replies(url) == again
    assert {e["arguments"]["max_num_seqs"] for e in after.engines} == {8, 16}
    assert after.jobs[-1]["deployment"] == {"resources": {"memory_gb": 2}, "max_num_seqs": 16, "replicas_max": 2}
