"""A model that cannot start explains itself in the engine's own last lines, with the likely fix."""

import importlib.util

import pytest

from gwray.errors import ModelError
from gwray.serving import RayServing
from gwray.serving.faults import ServingError, failure, last_lines, likely_fix

OOM = """(EngineCore pid=71) INFO 11-21 22:28:04 [core.py:1] Loading weights
(EngineCore pid=71) ERROR 11-21 22:28:07 [core.py:1376] Traceback (most recent call last):
(EngineCore pid=71) ERROR 11-21 22:28:07 [core.py:1376]   File "/x/core.py", line 1360, in run_engine_core
(EngineCore pid=71) ERROR 11-21 22:28:07 [core.py:1376]     raise RuntimeError(
(EngineCore pid=71) ERROR 11-21 22:28:07 [core.py:1376] torch.OutOfMemoryError: CUDA out of memory. Tried 2.00 GiB
(EngineCore pid=72) ERROR 11-21 22:28:07 [core.py:1376] torch.OutOfMemoryError: CUDA out of memory. Tried 2.00 GiB
(APIServer pid=70) RuntimeError: Engine core initialization failed. See root cause above.
"""


def test_the_lines_that_say_why_are_picked_out_once_and_without_frames():
    assert last_lines(OOM) == [
        "torch.OutOfMemoryError: CUDA out of memory. Tried 2.00 GiB",
        "RuntimeError: Engine core initialization failed. See root cause above.",
    ]


def test_output_without_any_complaint_is_shown_as_it_is():
    assert last_lines("loading\nstill loading\n") == ["loading", "still loading"]


def test_a_failure_carries_the_lines_and_the_fix_and_stops_only_its_own_cells():
    error = failure("qwen", "Qwen/Q", "the engine did not start", OOM)
    assert (
        isinstance(error, ServingError)
        and isinstance(error, ModelError)
        and not error.transient
        and not error.retryable
    )
    assert "qwen: the engine did not start." in str(error)
    assert "| torch.OutOfMemoryError" in str(error)
    assert "lower max_model_len or max_num_seqs" in str(error)


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        (
            "ValueError: To serve at least one request (62.00 GiB KV cache is needed, which is larger than",
            "max_model_len",
        ),
        ("OSError: We couldn't connect to 'the hub' to load the files", "hf download Qwen/Q --local-dir /models/qwen"),
        ("OfflineModeIsEnabled: outgoing traffic has been disabled", "Pre-fetch them"),
        ("GatedRepoError: 403 Client Error", "HF_TOKEN"),
        ("OSError: You are trying to access a gated repo.\n401 Client Error.", "accept their licence"),
        ("ValueError: Invalid repository ID or local directory specified: 'Qwen/Q'", "Pre-fetch them"),
        ("RuntimeError: Cannot find any model weights with `/models/qwen`", "Pre-fetch them"),
        (
            "ray.exceptions.OutOfMemoryError: 1 worker(s) were killed due to the node running low on memory.",
            "memory_gb",
        ),
        ("torch.OutOfMemoryError: CUDA out of memory. Tried 2.00 GiB", "nvidia-smi"),
        ("ValueError: Model architectures ['Q9ForCausalLM'] are not supported for now.", "serving=external"),
        ("RuntimeError: Failed to find C compiler. Please specify via CC environment variable", "gcc"),
        ("ValueError: Unknown engine argument: max_modle_len", "conf/deployment/qwen.yaml"),
        ("ValueError: size must contain 'shortest_edge' and 'longest_edge' keys.", "mm_processor_kwargs.size"),
        ("No module named 'vllm'", "make setup-vllm"),
        ("Unsupported CPU attention configuration: head_dim=16", "tiny-vl"),
        ("something nobody has seen", "Ray's session folder"),
    ],
)
def test_known_causes_come_with_what_helps(text, fix):
    assert fix in likely_fix(text, "qwen", "Qwen/Q")


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="this Python has the engine")
async def test_a_python_without_the_engine_says_which_one_to_use_and_starts_nothing():
    import ray

    from gwray.spec import ModelSpec

    with pytest.raises(ServingError, match=r"has no engine[\s\S]*make setup-vllm"):
        await RayServing().deploy(ModelSpec(name="tiny-vl", provider="openai_chat"))
    assert not ray.is_initialized()
