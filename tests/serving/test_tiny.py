"""The test model is small, real and the same every time."""

import json
import shutil
from pathlib import Path

import pytest

from gwray.serving import read_deployment
from gwray.serving.tiny import build, fingerprint
from gwray.serving.weights import fetch, resolve

pytestmark = pytest.mark.vllm


def test_the_same_seed_builds_the_same_bytes_and_another_seed_other_weights(tmp_path):
    one, again, other = (build(seed, tmp_path / f"m{i}") for i, seed in enumerate((0, 0, 1)))
    assert fingerprint(one) == fingerprint(again)
    assert (one / "model.safetensors").read_bytes() != (other / "model.safetensors").read_bytes()
    assert (one / "tokenizer.json").read_bytes() == (other / "tokenizer.json").read_bytes()


def test_it_has_under_a_million_parameters_and_eyes(tmp_path):
    from safetensors import safe_open

    folder = build(0, tmp_path / "m")
    with safe_open(str(folder / "model.safetensors"), "pt") as weights:
        sizes = {name: weights.get_tensor(name).numel() for name in weights.keys()}  # noqa: SIM118 - not a dict
    assert 100_000 < sum(sizes.values()) < 1_000_000
    assert any("visual" in name for name in sizes)
    assert json.loads((folder / "config.json").read_text())["architectures"] == ["Qwen2_5_VLForConditionalGeneration"]


def test_it_is_built_once_and_then_taken_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = build(3)
    made = (folder / "model.safetensors").stat().st_mtime_ns
    assert build(3) == folder and (folder / "model.safetensors").stat().st_mtime_ns == made
    assert [p.name for p in folder.parent.iterdir()] == [folder.name], "nothing half made is left"


def test_a_node_that_is_not_the_commands_builds_the_same_one_for_its_replica(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    weights = resolve(read_deployment("tiny-vl"))
    here = fingerprint(Path(weights.source))
    shutil.rmtree(weights.source)  # nor is it on another machine
    assert weights.fetched_from
    fetch(weights.fetched_from, Path(weights.source))
    assert fingerprint(Path(weights.source)) == here


def test_the_profiles_of_large_models_name_only_arguments_this_engine_knows():
    from ray.llm._internal.serve.engines.vllm.vllm_engine import _normalize_vllm_engine_kwargs
    from ray.llm._internal.serve.engines.vllm.vllm_models import VLLMEngineConfig
    from ray.serve.llm import LLMConfig

    from gwray.serving import serving_files
    from gwray.serving.deployment import llm_config
    from gwray.serving.weights import Weights

    for name in serving_files():
        spec = read_deployment(name)
        plain = llm_config(spec, Weights("/weights", True), name, {}, direct=True)
        engine = VLLMEngineConfig.from_llm_config(LLMConfig(**plain))
        _normalize_vllm_engine_kwargs(engine.engine_kwargs)
        assert sum(b.get("GPU", 0) for b in engine.placement_bundles) == spec.resources.gpus, name
