"""Fixtures of the tests that play runs, and forged copies of runs."""

import shutil
from pathlib import Path

import pytest
from pipelines.conftest import marked, own_browser, play, session_loop, shared_browser
from shared_browser import run_async

from gwray.store import RunDir
from verification.forging import forger, honest, own_cache

__all__ = ["forger", "honest", "marked", "own_browser", "own_cache", "session_loop", "shared_browser"]


@pytest.fixture(scope="module")
def finished(request, tmp_path_factory) -> Path:
    """A finished run of the module's `JOBS`."""
    folder = tmp_path_factory.mktemp("finished")
    assert run_async(play(folder, *request.module.JOBS)).complete
    return folder / "run"


@pytest.fixture
def run(finished, tmp_path) -> RunDir:
    """A copy of the finished run."""
    shutil.copytree(finished, tmp_path / "run")
    return RunDir.open(tmp_path / "run")
