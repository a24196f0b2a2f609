"""Two drivers of one run, on one node and on two: one plays, no reply is requested twice, a late one writes nothing."""

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from object_store import bucket
from standin import Standin

from gwray.errors import TRY_LATER
from gwray.store import RunDir
from pipelines.test_survival import answer, command, replies, wait_for

__all__ = ["bucket"]
NODE = """
import socket, sys
from gwray.store import lease
lease.LEASE_S, lease.RENEW_S, lease.POLL_S = {seconds}, {seconds} / 6, 0.2
if {node!r}:
    lease._place = socket.gethostname = lambda: {node!r}
from gwray.cli.launch import main
main(sys.argv[1:])
"""


@pytest.fixture
def standin():
    with Standin(keep_bodies=False) as standin:
        standin.answer = answer
        yield standin


@pytest.fixture
def run_dir(request, tmp_path, where) -> str:
    if where == "local":
        return str(tmp_path / "run")
    return f"{request.getfixturevalue('bucket')}/{hashlib.sha256(str(tmp_path).encode()).hexdigest()}"


def start(standin: Standin, run_dir: str, node: str = "", seconds: float = 180) -> subprocess.Popen[str]:
    """Starts a driver, on this node or (named) as if on another one. `seconds`: duration of its lease."""
    words = command(standin, Path(), "executor=inline", "repeats=1", "executor.lanes=4")[2:]
    words = [f"run_dir={run_dir}" if w.startswith("run_dir=") else w for w in words]
    code = NODE.format(node=node, seconds=seconds)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([sys.executable, "-c", code, *words], start_new_session=True, **pipes)


def ended(driver: subprocess.Popen[str]) -> tuple[int, str]:
    try:
        said, _ = driver.communicate(timeout=200)
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)
    return driver.returncode, said


@pytest.mark.slow
@pytest.mark.parametrize(("where", "nodes"), [("local", ("", "")), ("s3", ("a", "b"))])
def test_drivers_that_start_at_once_request_nothing_twice(standin, run_dir, nodes):
    drivers = [start(standin, run_dir, node) for node in nodes]
    done = [ended(driver) for driver in drivers]
    codes = sorted(code for code, _ in done)
    assert codes[0] == 0 and codes[1] in (0, TRY_LATER), done
    assert standin.answered == replies(run_dir) > 0
    if codes[1] == 0:  # it waited for the lease of the other node
        assert any("episodes of this plan are finished" in said for _, said in done), done


@pytest.mark.slow
@pytest.mark.parametrize("where", ["local", pytest.param("s3", marks=pytest.mark.whole)])
def test_driver_frozen_beyond_its_lease_writes_nothing(standin, run_dir):
    """Another node finishes its run meanwhile, without a change of the command."""
    standin.latency_s = 0.05
    frozen = start(standin, run_dir, "a", seconds=12)
    try:
        wait_for(standin, 20, frozen)
        os.killpg(frozen.pid, signal.SIGSTOP)
        standin.latency_s = 0
        before = standin.answered
        code, said = ended(start(standin, run_dir, "b", seconds=12))
        assert code == 0, said
        asked, kept, seal = standin.answered, replies(run_dir), RunDir.open(run_dir).manifest().seal
        assert asked - kept <= 4, "only what was in flight was asked again"
        assert before < asked
    finally:
        os.killpg(frozen.pid, signal.SIGCONT)
    code, said = ended(frozen)
    assert code == TRY_LATER and "was taken over" in said, said
    assert standin.answered <= asked + 4 and replies(run_dir) == kept
    assert RunDir.open(run_dir).manifest().seal == seal and not RunDir.open(run_dir).failures()
