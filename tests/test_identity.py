"""Keys hash only values that differ from their defaults, so a new field with a neutral default changes none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field, create_model

from gwray.pipelines.plan import make_plan
from gwray.pipelines.settings import run_spec
from gwray.records import non_defaults
from gwray.settings import AgentSpec, ModelSpec, Sampling

GOLDEN = Path(__file__).parent / "golden_keys.json"
"""Keys of the current protocol version. The games are the test's own, so changes to bundled games change no key."""

SETTINGS = {
    "random": {"model": "random"},
    "another seed": {"model": "random", "seed": 7},
    "computer use": {"model": "random", "interface": "computer_use"},
    "a hosted model": {"model": "gpt-5.2"},
    "a hosted model with memory": {"model": "gpt-5.2", "memory_rounds": 2},
    "a self-hosted model": {"model": "ui-tars-1.5-7b", "interface": "computer_use"},
    "real time": {"model": "random", "timing": {"mode": "realtime", "latency": "fixed:250"}},
    "no pictures": {"model": "random", "observation": {"format": "none"}},
    "the second repeat": {"model": "random", "repeats": 2},
    "the second task": {"model": "random", "task": "2"},
    "weights in a folder": {"model": "tiny-vl", "deployment": {"model_source": "/models/m", "revision": "0" * 40}},
}


def keys(library: Path) -> dict[str, str]:
    out = {}
    for name, words in SETTINGS.items():
        plan = make_plan([run_spec({"game": "golden", "task": "1", "libraries": [str(library)], **words})])
        out[name] = plan.episodes[-1].key
    return out


@pytest.fixture
def library(tmp_path: Path) -> Path:
    game = tmp_path / "library" / "golden"
    game.mkdir(parents=True)
    (game / "index.html").write_text("<!doctype html><title>golden</title>")
    (game / "game.yaml").write_text(
        """
id: golden
title: Golden
genre: puzzle
level: 1
summary: A game that never changes.
rules: Press the key.
uses: []
roles:
  - name: player
    description: You press the key.
    keys: [a]
    controls: [{id: press, description: Press., press: [a]}]
tasks:
  - {id: g_01, instruction: Press once., score: game_state.score, target: 1}
  - {id: g_02, instruction: Press twice., score: game_state.score, target: 2, options: "?level=2"}
"""
    )
    return tmp_path / "library"


def test_golden_keys(library):
    assert keys(library) == json.loads(GOLDEN.read_text())


def test_new_field_with_default_changes_no_identity():
    later = create_model("later", __base__=AgentSpec, new=(int, 3))
    assert non_defaults(later(memory_rounds=2)) == non_defaults(AgentSpec(memory_rounds=2)) == {"memory_rounds": 2}
    assert non_defaults(later(new=4)) == {"new": 4}


def test_explicit_default_is_omitted():
    assert non_defaults(Sampling(max_output_tokens=2048)) == {}
    assert non_defaults(ModelSpec(name="a", provider="b")) == {"name": "a", "provider": "b"}


def test_single_literals_are_included():
    class Wait(BaseModel):
        kind: Literal["wait"] = "wait"
        ms: float | None = None

    class Click(BaseModel):
        kind: Literal["click"] = "click"
        ms: float | None = None

    class Step(BaseModel):
        action: Annotated[Wait | Click, Field(discriminator="kind")] = Wait()

    assert non_defaults(Step(action=Click())) == {"action": {"kind": "click"}}
    assert non_defaults(Step()) == {}
