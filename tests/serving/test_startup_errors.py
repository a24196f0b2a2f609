"""The error of a model that cannot start shows the last lines of the engine's log."""

import importlib.util

import pytest

from gwray.errors import ModelError
from gwray.serving import RayServing
from gwray.serving.probe import ServingError, last_lines, startup_error

LOG = """(EngineCore pid=71) INFO 11-21 22:28:04 [core.py:1] Loading weights
(EngineCore pid=71)   File "/x/core.py", line 1360, in run_engine_core
(EngineCore pid=71) torch.OutOfMemoryError: CUDA out of memory. Tried 2.00 GiB
(EngineCore pid=71) torch.OutOfMemoryError: CUDA out of memory. Tried 2.00 GiB
(APIServer pid=70) RuntimeError: Engine core initialization failed. See root cause above.
"""


def test_startup_error_shows_distinct_error_lines():
    error = startup_error("qwen", "the engine did not start", LOG)
    assert isinstance(error, ServingError) and isinstance(error, ModelError)
    assert not error.transient and not error.retryable
    assert str(error).startswith("qwen: the engine did not start.\n  | (EngineCore pid=71) torch.OutOfMemoryError")
    assert str(error).count("|") == 2 and "docs/serving.md" in str(error)
    assert last_lines("loading\nstill loading\n") == ["loading", "still loading"]
    mild = "WARNING 11-21 22:28:03 [importing.py:1] Disabling Triton to prevent runtime errors.\n"
    assert last_lines(mild + LOG) == last_lines(LOG), "a warning about errors is none"


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="this Python has the engine")
async def test_python_without_engine_is_refused_before_ray_starts():
    import ray

    from gwray.settings import ModelSpec

    with pytest.raises(ServingError, match=r"has no engine[\s\S]*make setup-vllm"):
        await RayServing().deploy(ModelSpec(name="tiny-vl", provider="openai_chat"))
    assert not ray.is_initialized()
