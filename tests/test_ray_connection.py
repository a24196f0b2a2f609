"""The Ray connection of a process."""

import ast
import importlib.util
import os
import pkgutil
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import ray

import gwray
from gwray.errors import UsageError
from gwray.ray_connection import PRIVATE, START_TRIES, abandon, connect, path_problem, prepare

INTERNAL_KV = ("_internal_kv_get", "_internal_kv_put", "_internal_kv_del")


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_address_without_cluster_is_refused_fast(scheme, monkeypatch):
    monkeypatch.setattr(ray, "init", lambda **how: pytest.fail("Ray was asked to connect"))
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
        with pytest.raises(UsageError, match=f"'{scheme}127.0.0.1:{port}'.*executor.address=HOST:6379"):
            connect(f"{scheme}127.0.0.1:{port}")
        s.listen()
        prepare(f"{scheme}127.0.0.1:{port}")


def test_ray_address_is_used_and_its_versions_are_compared(monkeypatch):
    asked = []

    def other_version(**options):
        asked.append(options["address"])
        assert os.environ["RAY_OVERRIDE_JOB_RUNTIME_ENV"] == "1", "a job may set the same variables"
        raise RuntimeError("Version mismatch: The cluster was started with: Ray: 2.59.0, Python: 3.11.4.")

    monkeypatch.setattr(ray, "init", other_version)
    with socket.create_server(("127.0.0.1", 0)) as s:
        address = f"127.0.0.1:{s.getsockname()[1]}"
        monkeypatch.setenv("RAY_ADDRESS", address)
        with pytest.raises(UsageError, match=f"'{address}' cannot be joined.*Python: 3.11.4.*same versions"):
            connect(None)
    assert asked == [address]


@pytest.mark.slow
def test_ray_is_connected_to_in_one_place():
    def connects(file: Path) -> bool:
        calls = (n.func for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Call))
        return any(ast.unparse(f) in ("ray.init", "ray.shutdown") for f in calls)

    house = Path(gwray.__file__).parent
    assert [str(f.relative_to(house)) for f in house.rglob("*.py") if connects(f)] == ["ray_connection.py"]


def test_private_names_of_ray_are_listed_and_exist():
    """Of the required version: another one may have renamed them. No other module uses one."""
    required = re.search(r'"ray\[default\]==([\d.]+)"', Path("pyproject.toml").read_text())
    assert required and required[1] == ray.__version__ == "2.60.0", "check every name of PRIVATE with this version"
    serves = importlib.util.find_spec("fastapi") is not None
    if serves:
        importlib.import_module("ray.serve.context")
    for name in PRIVATE:  # Ray makes __ray_call__ for each handle; the tests of engines use it
        if not name.endswith("__ray_call__") and (serves or ".serve." not in name):
            pkgutil.resolve_name(name)
    house = Path(gwray.__file__).parent
    private = re.compile(r"\bray\.(_\w+|experimental|serve\.context)\b|__ray_call__|_internal_kv|_global_client")
    used = [str(f.relative_to(house)) for f in house.rglob("*.py") if private.search(f.read_text())]
    assert used == ["ray_connection.py"]
    tree = ast.walk(ast.parse((house / "ray_connection.py").read_text()))
    imported = [(n.module or "", a.name) for n in tree if isinstance(n, ast.ImportFrom) for a in n.names]
    names = {f"{module}.{name}" for module, name in imported if private.search(f"{module}.")}
    listed = {*PRIVATE, *(f"{name}.{n}" for name in PRIVATE for n in INTERNAL_KV)}
    assert names and all(any(known.startswith(name) for known in listed) for name in names), names


def test_ray_start_is_retried_and_connections_are_shared(monkeypatch):
    asked, started = [], []

    def busy(**options):
        asked.append(options)
        if len(asked) < START_TRIES:
            started.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "/ray/gcs_server"]))
            raise RuntimeError("did not start within 30 s")

    monkeypatch.setattr(ray, "init", busy)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    monkeypatch.setattr(ray, "is_initialized", lambda: len(asked) == START_TRIES)
    assert connect(None, {"ENGINE": "quiet"}) is True
    assert connect(None) is False, "who did not make it does not end it"
    assert len(asked) == START_TRIES
    assert len(started) == START_TRIES - 1 and all(p.poll() is not None for p in started), (
        "a failed start leaves nothing"
    )
    assert asked[-1]["runtime_env"]["env_vars"] == {"PYTHONDONTWRITEBYTECODE": "", "ENGINE": "quiet"}
    assert asked[-1]["namespace"] == "gwray" and asked[-1]["object_store_memory"] == 128 * 2**20


def test_ray_starts_in_sessions_of_its_own(monkeypatch):
    from ray._private import services

    sessions = []

    def start(**_):
        process = services.ConsolePopen([sys.executable, "-c", "input()"], stdin=-1)
        sessions.append(os.getsid(process.pid))
        process.communicate(b"\n")

    monkeypatch.setattr(ray, "init", start)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    connect(None)
    assert sessions != [os.getsid(0)]


@pytest.mark.parametrize("metrics", [False, True])
def test_local_ray_starts_few_processes(metrics, monkeypatch):
    """Nothing uses its dashboard, autoscaler and printed logs. Engines need the page of metrics."""
    from ray._private import utils
    from ray._private.node import Node

    names = ("start_api_server", "start_monitor", "start_log_monitor")
    usual = [getattr(Node, name) for name in names]
    reduced = []

    def start(**_):
        node: Any = None  # the replaced functions need none
        assert [getattr(Node, name)(node) for name in names] == [None, None, None]
        reduced.append(utils.get_dashboard_dependency_error() is not None)

    monkeypatch.setattr(ray, "init", start)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    connect(None, metrics=metrics)
    assert reduced == [not metrics]
    assert [getattr(Node, name) for name in names] == usual and utils.get_dashboard_dependency_error() is None


def test_abandoned_start_kills_its_processes_and_is_not_retried(monkeypatch):
    """Ctrl-C while a thread starts Ray: its shutdown at exit would wait 15 s for the killed processes."""
    started = []

    def slow(**options):
        started.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "/ray/gcs_server"]))
        started[-1].wait()
        raise RuntimeError("the process died")

    monkeypatch.setattr(ray, "init", slow)
    monkeypatch.setattr(ray, "shutdown", lambda: pytest.fail("it would wait for dead processes"))
    monkeypatch.setattr("gwray.ray_connection._start", None)
    assert not abandon(), "no start is in progress"
    with ThreadPoolExecutor() as threads:
        connecting = threads.submit(connect, None)
        while not started:
            time.sleep(0.01)
        assert abandon()
        with pytest.raises(UsageError, match="interrupted"):
            connecting.result(timeout=20)
    assert len(started) == 1 and abandon(), "the process must end by os._exit"


@pytest.mark.parametrize(("python", "good"), [("/opt/é/bin/python3.11", True), ("/my files/bin/python", False)])
def test_interpreter_path_with_space_is_refused(python, good, monkeypatch):
    assert (path_problem(python) is None) == good
    monkeypatch.setattr(ray, "init", lambda **_: pytest.fail("Ray was started"))
    monkeypatch.setattr("gwray.ray_connection.path_problem", lambda: path_problem("/my files/bin/python"))
    with pytest.raises(UsageError, match=r"contains ' '.*executor=inline"):
        connect(None)
