"""The test model is small, complete and reproducible."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from gwray.serving import read_deployment
from gwray.serving.weights import build as build_weights
from gwray.serving.weights import resolve

pytestmark = pytest.mark.vllm
ROOT = Path(__file__).resolve().parents[2]


def build(seed, folder):
    build_weights(f"tiny:{seed}", folder)
    return folder


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def test_same_seed_builds_same_bytes(tmp_path):
    first, same, other = (build(seed, tmp_path / f"m{i}") for i, seed in enumerate((0, 0, 1)))
    assert contents(first) == contents(same)
    assert (first / "model.safetensors").read_bytes() != (other / "model.safetensors").read_bytes()
    assert (first / "tokenizer.json").read_bytes() == (other / "tokenizer.json").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m0", "m1", "m2"], "no scratch folder is left"


def test_has_vision_and_under_a_million_parameters(tmp_path):
    from safetensors import safe_open

    folder = build(0, tmp_path / "m")
    with safe_open(str(folder / "model.safetensors"), "pt") as weights:
        sizes = {name: weights.get_tensor(name).numel() for name in weights.keys()}  # noqa: SIM118 - not a dict
    assert 100_000 < sum(sizes.values()) < 1_000_000
    assert any("visual" in name for name in sizes)
    assert json.loads((folder / "config.json").read_text())["architectures"] == ["Qwen2_5_VLForConditionalGeneration"]


def test_node_rebuilds_the_model_for_its_replica(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    weights = resolve(read_deployment("tiny-vl"))
    built = contents(Path(weights.source))
    shutil.rmtree(weights.source)  # it is absent on another node
    assert weights.built_from
    build_weights(weights.built_from, Path(weights.source))
    assert contents(Path(weights.source)) == built


def _nested(settings: str) -> dict[str, Any]:
    """Returns the overrides of `deployment.a.b=value …` as the composed settings have them."""
    found: dict[str, Any] = {}
    for setting in settings.split():
        path, _, value = setting.removeprefix("deployment.").partition("=")
        *above, last = path.split(".")
        at = found
        for name in above:
            at = at.setdefault(name, {})
        at[last] = yaml.safe_load(value)
    return found


def test_profiles_name_only_known_engine_arguments():
    from ray.llm._internal.serve.engines.vllm.vllm_engine import _normalize_vllm_engine_kwargs
    from ray.llm._internal.serve.engines.vllm.vllm_models import VLLMEngineConfig
    from ray.serve.llm import LLMConfig

    from gwray.serving import serving_files
    from gwray.serving.deployment import llm_config
    from gwray.serving.weights import Weights

    table = (ROOT / "docs" / "serving.md").read_text()
    rows = re.findall(r"\| `?([\w.-]+)`? [^|]*\| `(deployment\.[^`]+)`", table)
    variants = [(name, _nested(settings)) for name, settings in rows if name in serving_files()]
    assert len(variants) == table.count("| `deployment.") > 0, "every documented row names a profile"
    for name, overrides in [*((name, {}) for name in serving_files()), *variants]:
        spec = read_deployment(name, overrides)
        plain = llm_config(spec, Weights("/weights", True), name, {})
        engine = VLLMEngineConfig.from_llm_config(LLMConfig(**plain))
        _normalize_vllm_engine_kwargs(engine.engine_kwargs)
        assert sum(b.get("GPU", 0) for b in engine.placement_bundles) == spec.resources.gpus, name
