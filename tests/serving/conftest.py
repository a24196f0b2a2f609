"""Tests marked `vllm` need the engine in the Python that runs them: `.venv-vllm/bin/python -m pytest -m vllm`."""

import importlib.util
import os

import pytest

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # workers would recompile the engine at each start


def pytest_collection_modifyitems(items):
    if importlib.util.find_spec("vllm") is None:
        skip = pytest.mark.skip(reason="no engine here: make setup-vllm, then .venv-vllm/bin/python -m pytest -m vllm")
        for item in items:
            if item.get_closest_marker("vllm") and "serving" in item.nodeid:
                item.add_marker(skip)
