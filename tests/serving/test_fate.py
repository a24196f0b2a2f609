"""An engine that was started by gwray ends with the process that started it, even if that is killed; others live on."""

import importlib.metadata
import os
import subprocess
import sys

import psutil
import pytest

from gwray.serving.fate import OURS

STARTS = """
import multiprocessing, sys, time
from gwray.serving.fate import share_fate

def engine(child):
    share_fate()
    if child:
        print(child.pid, flush=True)
    time.sleep(300)

def core():
    worker = multiprocessing.get_context("spawn").Process(target=engine, args=(None,), daemon=True)
    worker.start()
    engine(worker)

if __name__ == "__main__":
    started = multiprocessing.get_context("spawn").Process(target=core)
    started.start()
    print(started.pid, flush=True)
    time.sleep(300)
"""


@pytest.mark.parametrize("ours", [True, False])
def test_the_engine_of_a_killed_replica_ends_with_all_its_workers(tmp_path, ours):
    script = tmp_path / "replica.py"
    script.write_text(STARTS)
    env = {k: v for k, v in os.environ.items() if k != OURS} | ({OURS: "1"} if ours else {})
    replica = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=env)
    engines = []
    try:
        assert replica.stdout
        engines = [psutil.Process(int(replica.stdout.readline())) for _ in range(2)]
        replica.kill()
        _, alive = psutil.wait_procs(engines, timeout=60 if ours else 1)
        assert len(alive) == (0 if ours else 2)
    finally:
        replica.kill()
        replica.wait()
        for process in engines:
            if process.is_running():
                process.kill()


def test_the_engine_finds_it():
    (found,) = importlib.metadata.entry_points(group="vllm.general_plugins", name="gwray")
    assert found.load().__name__ == "share_fate"
