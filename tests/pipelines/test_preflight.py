"""Errors that would fail every episode of a model are reported before Ray, a browser or the first file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from standin import Standin

from gwray.errors import UsageError
from gwray.pipelines.preflight import require_models
from gwray.serving import ExternalServing
from gwray.settings import ModelSpec

ROOT = Path(__file__).resolve().parents[2]
DEAD = "http://127.0.0.1:9/v1"


def model(name: str, **more) -> ModelSpec:
    return ModelSpec(name=name, provider="openai_chat", model_id="x", **more)


async def test_every_model_that_cannot_be_asked_is_named(monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    monkeypatch.setenv("A_KEY", "k")
    models = [
        model("keyless", api_key_env="NO_SUCH_KEY"),
        model("nowhere", base_url="localhost:8123/v1"),
        model("silent", base_url=DEAD),
        model("fine", api_key_env="A_KEY"),
        model("hosted", self_hosted=True),
        ModelSpec(name="random", provider="random"),
        model("typed", base_url="http://me:hunter2@127.0.0.1:9/v1"),
        model("unschemed", base_url="me:hunter2@127.0.0.1:9/v1"),
        model("anonymous", base_url=DEAD).model_copy(update={"model_id": ""}),
        model("homeless"),
        ModelSpec(name="own", provider="scripts.sprout_play.Sprout", model_id="x"),
    ]
    with pytest.raises(UsageError) as refused:
        await require_models(models, check_endpoints=True)
    key, address, silent, *typed, anonymous, homeless = str(refused.value).splitlines()
    assert "NO_SUCH_KEY is not set" in key
    assert "'localhost:8123/v1' of nowhere" in address and "http://" in address
    assert DEAD in silent and "check_endpoints=false" in silent
    assert anonymous.startswith("model.model_id of anonymous is empty")
    assert homeless.startswith("homeless has neither a server") and "model.api_key_env=NAME" in homeless
    assert [line.split(" has a user")[0].split()[-1] for line in typed] == ["typed", "unschemed"]
    assert "api_key_env" in typed[0] and "hunter2" not in str(refused.value)
    await require_models(models[2:6], check_endpoints=False)
    with pytest.raises(UsageError, match=r"^serving\.base_url contains a user or password") as refused:
        ExternalServing("ftp://me:hunter2@127.0.0.1:9/v1")
    assert "hunter2" not in str(refused.value)


async def test_any_response_counts_as_reachable():
    with Standin() as server:
        await require_models([model("m", base_url=server.base_url("openai_chat"))], check_endpoints=True)


@pytest.mark.parametrize(("more", "code"), [([], 2), (["dry_run=true"], 0)])
def test_by_command(tmp_path, more, code):
    words = ["model=openai-compatible", f"model.base_url={DEAD[7:]}", "game=01_2048", "task=1", f"run_dir={tmp_path}/r"]
    output = subprocess.run([sys.executable, "launch.py", *words, *more], cwd=ROOT, capture_output=True, text=True)
    assert output.returncode == code, output.stdout + output.stderr
    assert "'127.0.0.1:9/v1' of openai-compatible is not a URL" in output.stdout + output.stderr
    assert not (tmp_path / "r").exists(), "a refused start leaves no folder"
