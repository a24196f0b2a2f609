"""`ray job submit` and `ray job stop`: a stopped job ends in order, and the same job again resumes the sweep."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from pipelines.test_survival import answer, command, replies
from standin import Standin

from gwray.serving.environment import free_port
from gwray.store import RunDir

RAY = [sys.executable, "-m", "ray.scripts.scripts"]
ENV = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")} | {"RAY_AUTH_MODE": "disabled"}


def ray(*words: str) -> str:
    done = subprocess.run([*RAY, *words], env=ENV, capture_output=True, text=True, timeout=400)
    return done.stdout + done.stderr


@pytest.fixture
def jobs():
    """Yields the address of the job server of a cluster that outlives its drivers."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    words = ["start", "--head", "--block", "--num-cpus=2", f"--port={free_port()}", f"--dashboard-port={port}",
             "--disable-usage-stats", f"--temp-dir=/tmp/gj{os.getpid()}"]  # fmt: skip
    head = subprocess.Popen([*RAY, *words], env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 200
        while "[]" not in ray("job", "list", "--address", address):
            assert head.poll() is None and time.monotonic() < end, "the cluster did not start"
        yield address
    finally:
        for process in [*psutil.Process(head.pid).children(recursive=True), head]:
            process.kill()
        head.wait()


@pytest.mark.slow
@pytest.mark.whole
def test_stopped_job_ends_in_order_and_resumes(jobs, tmp_path: Path):
    with Standin(keep_bodies=False) as standin:
        standin.answer, standin.latency_s = answer, 0.05
        sweep = command(standin, tmp_path / "run", "executor=ray", "executor.actors=1", "repeats=1")
        submit = ["job", "submit", "--address", jobs]
        end = time.monotonic() + 200
        while "successfully" not in ray(*submit, "--no-wait", "--submission-id", "first", "--", *sweep):
            assert time.monotonic() < end, "the agent that starts jobs came up later than the job server"
        while standin.answered < 20:
            assert time.monotonic() < end, ray("job", "logs", "--address", jobs, "first")
            time.sleep(0.05)
        assert "was stopped" in ray("job", "stop", "--address", jobs, "first")
        said = ray("job", "logs", "--address", jobs, "first")
        assert "same command again to resume" in said and "Traceback" not in said, said
        standin.latency_s = 0
        assert "succeeded" in (said := ray(*submit, "--", *sweep)), said
        run = RunDir.open(str(tmp_path / "run"))
        assert len(run.results()) == len(run.manifest().episodes) and not run.failures()
        assert standin.answered - replies(str(tmp_path / "run")) <= 4, "only what was in flight"
