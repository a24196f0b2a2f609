"""An engine that gwray started ends with its parent, even if the parent is killed; other engines live on."""

import os
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path

import psutil
import pytest

from gwray.serving.engine_process import ENGINE_VARIABLE, exit_with_parent

STARTS = """
import multiprocessing, sys, time
from gwray.serving.engine_process import exit_with_parent

def engine(child):
    exit_with_parent()
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
@pytest.mark.slow
def test_engine_of_killed_replica_ends_with_its_workers(tmp_path, ours):
    script = tmp_path / "replica.py"
    script.write_text(STARTS)
    env = {k: v for k, v in os.environ.items() if k != ENGINE_VARIABLE} | ({ENGINE_VARIABLE: "1"} if ours else {})
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


def test_entry_point_of_vllm_exists():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    entry_point = project["entry-points"]["vllm.general_plugins"]["gwray"]
    assert pkgutil.resolve_name(entry_point) is exit_with_parent
