"""Tests share browsers, and one played run."""

import pytest

try:
    from shared_browser import own_browser, run_async, session_loop, shared_browser
except ImportError:  # the training environment lacks what the shared browsers need
    __all__ = []
else:
    __all__ = ["own_browser", "session_loop", "shared_browser"]


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Two games by text, one of them by an agent of three modules."""
    from pipelines.conftest import play

    base = {"model": "scripted", "observation": {"views": [], "text": True}, "limit": {"steps": 4}, "task": "1",
            "executor": {"name": "inline", "lanes": 2}}  # fmt: skip
    modular = {"name": "orak_reflection_planning", "modules": ["critique", "subtask", "act"]}
    jobs = ({**base, "game": "15_google-snake"}, {**base, "game": "p01_twofold", "agent": modular})
    return run_async(play(tmp_path_factory.mktemp("run"), *jobs)).run
