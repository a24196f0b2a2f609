"""The profiles of conf/deployment are complete and consistent with conf/model; errors name the file."""

from pathlib import Path

import pytest
import yaml

from gwray.catalog import read_models
from gwray.errors import UsageError
from gwray.serving import DeploymentSpec, read_deployment, serving_files
from gwray.serving.deployment import llm_config
from gwray.serving.weights import Weights

CONF = Path(__file__).resolve().parents[2] / "conf"
NAMES = sorted(serving_files())


def test_benchmark_models_have_profiles():
    assert {"qwen3-vl-30b-a3b", "qwen3-vl-235b-a22b", "ui-tars-1.5-7b", "qwen2.5-vl-7b", "qwen2.5-vl-32b"} <= set(NAMES)
    assert {"tiny-vl", "tiny-vl-2"} <= set(NAMES)


def test_self_hosted_models_have_profiles():
    assert {m.name for m in read_models() if m.self_hosted} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_profile_is_valid_and_names_its_source(name):
    spec = read_deployment(name)
    assert spec.name == name
    assert len(spec.source) > 40
    if spec.engine == "gpu":
        capacity = spec.resources.gpus * spec.resources.gpu_memory_gb * 0.9
        assert spec.weights_gb < capacity, "the weights do not fit into the GPUs the profile asks for"
        assert spec.resources.gpus == spec.tensor_parallel
    assert spec.engine_arguments()["limit_mm_per_prompt"] == {"image": spec.images_per_prompt, "video": 0}
    assert "limit_mm_per_prompt" not in spec.engine_arguments(pictures=False)


@pytest.mark.parametrize("name", NAMES)
def test_profile_accepts_the_images_of_its_model(name):
    file = CONF / "model" / f"{name}.yaml"
    if not file.exists():
        pytest.skip("no such model profile yet")
    model = yaml.safe_load(file.read_text())
    assert model["self_hosted"] is True
    spec = read_deployment(name)
    allowed = spec.mm_processor_kwargs.get("size", {}).get("longest_edge")
    sent = min(model.get("image", {}).get("max_pixels") or 1280 * 720, 1288 * 736)
    assert allowed is None or allowed >= sent, "the engine would resize what the client has already resized"


def test_misspelled_field_is_named_with_its_file(tmp_path, monkeypatch):
    own = tmp_path / "conf" / "deployment"
    own.mkdir(parents=True)
    (own / "mine.yaml").write_text("name: mine\nmodel_sorce: x\n")
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=r"mine\.yaml: .*Did you mean model_source"):
        read_deployment("mine")


def test_missing_profile_says_what_to_do():
    with pytest.raises(UsageError, match=r"Did you mean qwen2\.5-vl-7b.*a file in conf/deployment/.*serving=external"):
        read_deployment("qwen2.5-vl-7")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"replicas_min": 3, "replicas_max": 2}, "smaller than replicas_min"),
        ({"tensor_parallel": 2}, "gpus is 1, but a replica uses 2"),
        ({"resources": {"gpus": 4}, "tensor_parallel": 2}, "gpus is 4, but a replica uses 2"),
        ({"resources": {"gpus": 0}}, "gpus is 0, but a replica uses 1"),
        ({"engine": "cpu"}, "uses no GPUs"),
    ],
)
def test_contradictions_in_profile_are_refused(change, says):
    base = {"name": "m", "model_source": "a/b", "max_model_len": 4096, "weights_gb": 1, "source": "test"}
    with pytest.raises(ValueError, match=says):
        DeploymentSpec.model_validate(base | change)


def test_profile_name_must_equal_file_name(tmp_path, monkeypatch):
    own = tmp_path / "conf" / "deployment"
    own.mkdir(parents=True)
    (own / "mine.yaml").write_text((CONF / "deployment" / "tiny-vl.yaml").read_text())
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=r"mine\.yaml: name is 'tiny-vl', which must be that of the file: 'mine'"):
        read_deployment("mine")


@pytest.mark.parametrize("name", NAMES)
def test_max_in_flight_matches_replicas(name):
    """Otherwise autoscaling would never reach its last replicas, and their GPUs stay idle."""
    spec, model = read_deployment(name), yaml.safe_load((CONF / "model" / f"{name}.yaml").read_text())
    assert model["max_in_flight"] >= spec.replicas_max * spec.requests_per_replica


SHAPES = {
    "qwen2.5-vl-7b": (28, 28, 4),
    "uground-v1-7b": (28, 28, 4), "ui-tars-1.5-7b": (28, 28, 4), "qwen2.5-vl-32b": (64, 40, 8),
    "qwen3-vl-30b-a3b": (48, 32, 4), "qwen3-vl-235b-a22b": (94, 64, 4), "qwen3.5": (8, 16, 8),
    "qwen3.5-35b-a3b": (10, 16, 4), "qwen3.5-122b-a10b": (12, 32, 4),
    "llama-3.2-1b": (16, 32, 4), "llama-3.2-3b": (28, 24, 8), "llama-3.3-70b": (80, 64, 8),
    "qwen2.5-3b": (36, 16, 2), "qwen2.5-7b": (28, 28, 4), "qwen2.5-72b": (80, 64, 8),
    "minitron-4b": (32, 24, 8), "minitron-8b": (40, 32, 8), "deepseek-r1": (61, 128, 24),
}  # fmt: skip
"""Layers with a key-value cache, attention heads and key-value heads (of 128; one of 256 counts as two, one of 64 as
half) by the models' config.json. The latent attention of DeepSeek-R1 keeps 576 values a token on every GPU, which count
as three heads."""
UTILIZATION, OVERHEAD_GB, STEP_TOKENS = 0.92, 2.0, 3000
"""vLLM's default share of a GPU; activations and CUDA graphs; a step's text, picture and reply."""


@pytest.mark.parametrize("name", [n for n in NAMES if read_deployment(n).engine == "gpu"])
def test_context_fits_next_to_weights(name):
    spec = read_deployment(name)
    layers, heads, kv_heads = SHAPES[name]
    assert heads % spec.tensor_parallel == 0
    assert max(kv_heads, spec.tensor_parallel) % min(kv_heads, spec.tensor_parallel) == 0
    bytes_per_token = layers * 2 * max(kv_heads // spec.tensor_parallel, 1) * 128 * 2
    free_gb = UTILIZATION * spec.resources.gpu_memory_gb - spec.weights_gb / spec.tensor_parallel - OVERHEAD_GB
    tokens = free_gb * 1e9 / bytes_per_token
    assert tokens > spec.max_model_len, "a full context could not be started"
    assert tokens > spec.requests_per_replica * STEP_TOKENS, "requests would wait for room in the cache"


def test_commit_belongs_to_the_weights_of_the_profile():
    pinned = read_deployment("qwen3-vl-30b-a3b")
    assert pinned.engine_arguments()["revision"] == pinned.outcome("")["revision"] == pinned.revision != ""
    other = read_deployment("qwen3-vl-30b-a3b", {"model_source": "Qwen/Qwen3-VL-30B-A3B-Instruct-FP8"})
    assert "revision" not in other.engine_arguments() and "revision" not in other.outcome("")
    both = {"model_source": "Qwen/Qwen3-VL-30B-A3B-Instruct-FP8", "revision": "0" * 40}
    assert read_deployment("qwen3-vl-30b-a3b", both).engine_arguments()["revision"] == "0" * 40
    folder = read_deployment("qwen3-vl-30b-a3b", {"model_source": "/models/q", "revision": "0" * 40})
    assert "revision" not in folder.engine_arguments(), "the engine knows commits only"
    with pytest.raises(UsageError, match=r"commit of a hub id \(ORG/MODEL\) or the digest of a folder; 's3://m' is"):
        read_deployment("qwen3-vl-30b-a3b", {"model_source": "s3://m", "revision": "0" * 40})
    with pytest.raises(UsageError, match=r": revision 'main' is not a commit. Give its 40 hex digits"):
        read_deployment("qwen3-vl-30b-a3b", {"revision": "main"})


def test_engine_kwargs_override_profile():
    spec = read_deployment("tiny-vl").model_copy(update={"engine_kwargs": {"max_num_seqs": 3, "seed": 1}})
    assert spec.engine_arguments()["max_num_seqs"] == 3
    assert spec.engine_arguments()["structured_outputs_config"]["disable_any_whitespace"] is True


@pytest.mark.parametrize("name", NAMES)
def test_drained_engine_has_time_for_a_reply(name):
    config = llm_config(read_deployment(name), Weights("/weights", offline=True), name, {})
    slowest = max((m.timeout_s for m in read_models() if m.self_hosted and m.name == name), default=120)
    assert config["deployment_config"]["graceful_shutdown_timeout_s"] >= slowest


def test_replica_stays_on_one_node():
    spec = read_deployment("qwen3-vl-30b-a3b")
    with pytest.raises(UsageError, match="a replica is on one node"):
        read_deployment(spec.name, {"engine_kwargs": {"pipeline_parallel_size": 2}})
    group = llm_config(spec, Weights("/weights", offline=True), "m", {})["placement_group_config"]
    assert (group["strategy"], sum(b["GPU"] for b in group["bundles"])) == ("STRICT_PACK", spec.resources.gpus)
