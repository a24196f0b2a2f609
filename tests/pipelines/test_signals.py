"""Ctrl-C, and SIGTERM by which batch systems stop a job: ended in order, nothing lost, nothing left running."""

import asyncio
import os
import signal
import subprocess
import time

import pytest
from standin import Standin

from gwray.ray_connection import end_leftovers
from pipelines.conftest import gone, processes_of
from pipelines.test_survival import answer, command

SIGNALS = {
    "ctrl-c": signal.SIGINT, "terminate": signal.SIGTERM, "terminate all": signal.SIGTERM, "hang up": signal.SIGHUP
}  # fmt: skip
BROWSER = ("headless", "chrom")


def heard() -> None:
    """The tests may run under nohup or behind a script, whose children ignore these."""
    for each in (signal.SIGHUP, signal.SIGINT):
        signal.signal(each, signal.SIG_DFL)


@pytest.mark.parametrize(
    ("executor", "how", "twice"),
    [
        ("inline", "terminate", False),
        pytest.param("ray", "terminate all", False, marks=pytest.mark.whole),
        pytest.param("ray", "ctrl-c", False, marks=pytest.mark.whole),
        pytest.param("ray", "ctrl-c", True, marks=pytest.mark.whole),
        pytest.param("inline", "hang up", False, marks=pytest.mark.whole),
    ],
)
@pytest.mark.slow
async def test_interrupted_run_prints_how_to_resume(tmp_path, marked, executor, how, twice):
    with Standin(keep_bodies=False) as standin:
        standin.answer = answer
        standin.latency_s = 0.05
        where = [f"executor={executor}", *(["executor.actors=1"] * (executor == "ray"))]
        driver = subprocess.Popen(
            command(standin, tmp_path / "run", *where), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            preexec_fn=heard, start_new_session=True,
        )  # fmt: skip
        while standin.answered < 20:
            assert driver.poll() is None, driver.communicate()[0]
            time.sleep(0.01)
        if how == "terminate all":  # the process group, as `timeout` and systemd do
            os.killpg(driver.pid, SIGNALS[how])
        else:
            driver.send_signal(SIGNALS[how])
        began = time.monotonic()
        if twice:
            time.sleep(0.5)
            driver.send_signal(SIGNALS[how])
        output, _ = driver.communicate(timeout=200)
        assert driver.returncode == 130, output
        assert time.monotonic() - began < 55, "Ray waits 60 s for a head that was killed"
        assert "same command again to resume" in output
        assert "Traceback" not in output and "***" not in output, "neither Python's stack nor a native one"
        while twice and processes_of(marked, *BROWSER, "raylet", "gcs_server"):
            await asyncio.sleep(0.2)
        if twice:  # left at once, Ray's own agents would wait a minute for a head that is gone
            end_leftovers()  # as the next start would
        assert not await gone(marked)
