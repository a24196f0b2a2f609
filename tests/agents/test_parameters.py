"""Controls with typed parameters: in game.yaml, in the prompt, and in calls."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from agents.conftest import VIEWPORT, context_at, small_game, space_at
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from gwray.agents.formats import get_format
from gwray.agents.prompts import system_prompt
from gwray.agents.reply_parser import ReplyParser
from gwray.agents.spaces import Call, Parsed, Refused
from gwray.agents.spaces.semantic import Semantic
from gwray.catalog.controls import Control, Role
from gwray.catalog.game import Game
from gwray.records import Click, ClickHold, PressKey, PressKeys, Pull, Reply, Type

MS = {"type": "integer", "minimum": 50, "maximum": 1500, "description": "how long, in ms"}
CONTROLS: list[dict[str, Any]] = [
    {"id": "thrust", "description": "Fire.", "press": "Space", "hold_ms": {"param": "ms"}, "params": {"ms": MS}},
    {
        "id": "walk",
        "description": "Walk.",
        "press": {"param": "way"},
        "params": {"way": {"type": "choice", "choices": {"left": "a", "right": "d", "both": ["a", "d"]}}},
    },
    {
        "id": "shop",
        "description": "Buy.",
        "click": "left",
        "at": {"param": "thing"},
        "params": {"thing": {"type": "choice", "choices": {"Axe": [100, 200], "rope": [300, 200]}}},
    },
    {
        "id": "hold_cell",
        "description": "Hold a cell.",
        "click": "right",
        "cells": {"origin": [400, 100], "pitch": [50, 50], "columns": 9, "rows": 9},
        "hold_click": True,
        "hold_ms": {"param": "ms"},
        "params": {"ms": MS},
    },
    {"id": "push", "description": "Push.", "stick": {"centre": [200, 500], "radius": 100}},
    {
        "id": "aim",
        "description": "Aim.",
        "stick": {"centre": [200, 500], "radius": 100, "x": {"param": "turn"}, "y": 1},
        "params": {"turn": {"type": "number", "minimum": -0.5, "maximum": 0.5}},
    },
    {
        "id": "say",
        "description": "Say.",
        "type_text": {"param": "word"},
        "params": {"word": {"type": "text", "description": "one word"}},
    },
]
ROLE = Role.model_validate(
    {"name": "player", "description": "You.", "keys": [*"abcd", "Space"], "clicks": True, "controls": CONTROLS}
)


def game() -> Game:
    return small_game("mines").model_copy(update={"roles": (ROLE,)})


def to_action(name: str, arguments: Any) -> Parsed | Refused:
    return Semantic.for_role(ROLE, VIEWPORT).to_action(Call(name, arguments))


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("thrust", {"ms": 300}, PressKey(key="Space", duration_ms=300)),
        ("thrust", {"MS": "300"}, PressKey(key="Space", duration_ms=300)),
        ("thrust", "300", PressKey(key="Space", duration_ms=300)),
        ("thrust", 300.0, PressKey(key="Space", duration_ms=300)),
        ("walk", {"way": "LEFT"}, PressKey(key="a")),
        ("walk", "both", PressKeys(keys=("a", "d"))),
        ("shop", {"thing": "axe"}, Click(x=100, y=200)),
        ("hold_cell", {"cell": "c4", "ms": 700}, ClickHold(x=500, y=250, button="right", duration_ms=700)),
        ("hold_cell", "c4 700", ClickHold(x=500, y=250, button="right", duration_ms=700)),
        ("push", {"x": 0, "y": 0.5}, Pull(x=200, y=500, to_x=200, to_y=450)),
        ("push", '{"x": -1, "y": 0}', Pull(x=200, y=500, to_x=100, to_y=500)),
        ("push", "0.25 0", Pull(x=200, y=500, to_x=225, to_y=500)),
        ("aim", "-0.5", Pull(x=200, y=500, to_x=155.28, to_y=410.56)),
        ("say", {"word": "bad"}, Type(text="bad")),
    ],
)
def test_arguments_become_what_they_are_bound_to(name, arguments, expected):
    found = to_action(name, arguments)
    assert isinstance(found, Parsed), found
    assert (found.action, found.control) == (expected, name)


@pytest.mark.parametrize(
    ("name", "arguments", "prompt_text"),
    [
        ("thrust", {"ms": 49}, "the argument 'ms' of thrust must be a whole number from 50 to 1500, not '49'"),
        ("thrust", {"ms": 1501}, "from 50 to 1500"),
        ("thrust", {"ms": 100.5}, "a whole number"),
        ("thrust", {"ms": "soon"}, "a whole number"),
        ("thrust", {"ms": True}, "a whole number"),
        ("thrust", {"ms": [100]}, "a whole number"),
        ("thrust", {"ms": "9" * 400}, "a whole number"),
        ("thrust", {"ms": float("nan")}, "a whole number"),
        ("thrust", {}, "thrust needs the argument 'ms'"),
        ("walk", {"way": "up"}, "must be one of left, right, both, not 'up'"),
        ("walk", {"way": ["left"]}, "must be text"),
        ("walk", "true", "must be one of left, right, both, not 'true'"),
        ("hold_cell", {"cell": "z9", "ms": 100}, "there is no cell 'z9'"),
        ("hold_cell", {"cell": "a1"}, "needs the argument 'ms'"),
        ("hold_cell", "a1", "needs the argument 'ms'"),
        ("hold_cell", [1, 2], "needs the argument 'cell'"),
        ("push", {"x": 0, "y": -1.1}, "a number from -1 to 1"),
        ("say", {"word": "xyz"}, "'x', which this role does not have"),
    ],
)
def test_what_is_out_of_range_is_refused_with_what_is_allowed(name, arguments, prompt_text):
    found = to_action(name, arguments)
    assert isinstance(found, Refused) and prompt_text in found.reason
    assert found.control == name


@pytest.mark.parametrize(
    ("changes", "prompt_text"),
    [
        ({"press": "Space", "hold_ms": {"param": "ms"}}, "has no parameter 'ms'; it has: none"),
        ({"press": "Space", "params": {"ms": MS}}, "parameter 'ms' is not used"),
        ({"press": "Space", "hold_ms": 0}, "hold_ms cannot be 0"),
        ({"press": "Space", "hold_ms": 2001}, "hold_ms cannot be 2001"),
        (
            {"press": "Space", "hold_ms": {"param": "ms"}, "params": {"ms": {**MS, "maximum": 2001}}},
            "hold_ms cannot be 2001",
        ),
        ({"press": "Space", "hold_ms": {"param": "ms"}, "params": {"ms": {"type": "text"}}}, "hold_ms cannot be 'a'"),
        (
            {"click": "left", "at": {"param": "w"}, "params": {"w": {"type": "choice", "choices": ["a", "b"]}}},
            "at cannot be 'a'",
        ),
        ({"stick": {"centre": [1, 2], "radius": 9, "y": 1.5}}, "y cannot be 1.5"),
        (
            {"press": "Space", "hold_ms": {"param": "ms"}, "params": {"ms": {**MS, "minimum": 3000}}},
            "minimum 3000 is greater than maximum 1500",
        ),
        ({"press": "Space", "params": {"ms": {"type": "float"}}}, "does not match any of the expected tags"),
        ({"press": "Space", "stick": {"centre": [1, 2], "radius": 9}}, "exactly one of press, click, move, stick"),
        ({"command": "walk", "hold_ms": 5}, "leave out `hold_ms`"),
        ({"press": "Space", "max_ms": 5}, "`max_ms` is for commands"),
    ],
)
def test_wrong_parameter_binding_is_refused(changes, prompt_text):
    with pytest.raises(ValidationError) as e:
        Control.model_validate({"id": "c", "description": "d", **changes})
    assert prompt_text in str(e.value)


def test_key_choices_and_sticks_are_checked_against_the_role():
    walk = {
        "id": "w",
        "description": "d",
        "press": {"param": "k"},
        "params": {"k": {"type": "choice", "choices": ["q"]}},
    }
    for control, prompt_text in ((walk, "presses 'q'"), (CONTROLS[4], "uses the mouse")):
        with pytest.raises(ValidationError, match=prompt_text):
            Role.model_validate({"name": "r", "description": "d", "keys": ["a"], "controls": [control]})


def test_prompt_names_parameters_types_and_bounds():
    text = system_prompt(context_at(game()), space_at(game()), get_format("json", ""))
    assert "- thrust(ms): Fire. ms is a whole number from 50 to 1500: how long, in ms.\n" in text
    assert "- walk(way): Walk. way is one of left, right, both.\n" in text
    assert "- push(x, y): Push. x is a number from -1 to 1: -1 is left, 1 is right." in text
    assert "- aim(turn): Aim. turn is a number from -0.5 to 0.5.\n" in text
    assert "- say(word): Say. word is what to type: one word.\n" in text
    space = space_at(game().model_copy(update={"roles": (only("push"),)}))
    uitars = system_prompt(context_at(game()), space, get_format("uitars", ""))
    assert "Action: push(x='0.0', y='0.0')" in uitars


def only(control: str) -> Role:
    return ROLE.model_copy(update={"controls": tuple(c for c in ROLE.controls if c.id == control)})


def test_tools_and_schema_admit_only_possible_arguments():
    space = space_at(game())
    tools = {t.name: t.parameters for t in space.tools()}
    assert tools["thrust"]["properties"]["ms"] == {
        "type": "integer", "minimum": 50, "maximum": 1500, "description": "how long, in ms",
    }  # fmt: skip
    assert tools["push"]["required"] == ["x", "y"]
    valid = jsonschema.Draft202012Validator(space.schema()).is_valid
    assert valid({"action": "thrust", "arguments": {"ms": 50}})
    assert not valid({"action": "thrust", "arguments": {"ms": 49}})
    assert not valid({"action": "walk", "arguments": {"way": "up"}})
    assert not valid({"action": "push", "arguments": {"angle": 10}})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(
    control=st.sampled_from([c["id"] for c in CONTROLS]),
    arguments=ANYTHING | st.fixed_dictionaries(
        {}, optional={n: ANYTHING for n in ("ms", "way", "thing", "cell", "x", "y", "turn", "word")}
    ),
)  # fmt: skip
def test_no_argument_raises(control, arguments):
    found = to_action(control, arguments)
    assert isinstance(found, Parsed) or found.reason
    answer = json.dumps({"action": control, "arguments": arguments}, default=str)
    decision = ReplyParser(space_at(game()), get_format("json", "")).decide(Reply(text=answer))
    # The tag of a thought that does not end hides the call, wherever it stands.
    assert decision.validity in ("valid", "out_of_space") or "<think" in answer.lower()
