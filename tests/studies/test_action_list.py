"""Lists of actions: names, empty entries and objects with duration and parameters become the actions of a decision."""

from __future__ import annotations

import json

import pytest
from agents.conftest import VIEWPORT

from gwray.agents import Decision
from gwray.agents.coordinates import Grid
from gwray.agents.reply_parser import ReplyParser
from gwray.catalog import load_catalog
from gwray.records import PressKey, Pull, Reply, Wait
from gwray.settings import ImageGrid
from gwray.studies.pokegym.action_list import ActionList
from gwray.studies.pokegym.stages import Listed, ListedSticks

TOWN = load_catalog().game("town").roles[0]


def decide(
    actions: object, sticks: bool = False, *, before: str = "1. On. 2. No. 3. Go.\n", per_reply: int = 3
) -> Decision:
    space = (ListedSticks if sticks else Listed)(TOWN, VIEWPORT, Grid.from_spec(ImageGrid(), VIEWPORT), "fixed")
    text = before + (actions if isinstance(actions, str) else json.dumps({"actions": actions}))
    return ReplyParser(space, ActionList()).decide(Reply(text=text, finish_reason="stop"), per_reply)


def test_names_and_idle_entries_are_actions_in_order():
    found = decide(["move_forward", "", "rotate_left"])
    assert found.validity == "valid" and found.controls == ("move_forward", None, "rotate_left")
    assert isinstance(found.actions[0], PressKey) and found.actions[1] == Wait(), "the role's own duration"


def test_papers_own_names_are_read():
    found = decide(["MoveForward", "Rotate Left", "PressA"])
    assert found.validity == "valid" and found.controls == ("move_forward", "rotate_left", "press_a")
    for left, right in (("Left", "Right"), ("Left Stick", "right-stick"), ("LeftStick", "RIGHT_STICK")):
        pulls = [{"type": t, "duration": 400, "parameters": [0.5, -1.0]} for t in (left, right)]
        found = decide([*pulls, {"type": "A", "duration": 200}], sticks=True)
        assert found.validity == "valid" and found.controls == ("left_stick", "right_stick", "a")


def test_history_repeats_only_entries_that_may_be_answered():
    played = decide(["move_forward", "", "idle"])
    space = Listed(TOWN, VIEWPORT, Grid.from_spec(ImageGrid(), VIEWPORT), "fixed")
    reply = Reply(text='{"actions": ["move_forward", "", "idle"]}', finish_reason="stop")
    shown = ReplyParser(space, ActionList()).describe(reply, played).split("; ")
    assert decide([entry.strip('"') for entry in shown]).actions == played.actions


def test_last_list_counts_and_further_entries_are_ignored():
    found = decide(
        '{"actions": ["press_a"]} is too early. {"actions": ["move_left", "move_left", "press_a", "press_a"]}'
    )
    assert found.controls == ("move_left", "move_left", "press_a") and found.ignored == 1


def test_sticks_take_two_axes_and_a_duration():
    pull = {"type": "left_stick", "duration": 400, "parameters": [0.5, -1.0]}
    found = decide([pull, {"type": "A", "duration": 200}, {"type": "Idle", "duration": 300}], sticks=True)
    stick, a, idle = found.actions
    assert isinstance(stick, Pull) and (stick.to_x, stick.to_y) == (155.78, 671.55) and stick.duration_ms == 400
    assert isinstance(a, PressKey) and a.duration_ms == 200 and idle == Wait(duration_ms=300)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"type": "left_stick", "duration": 400, "parameters": [0, 1, 1]}, "left_stick takes [x, y], not 3 parameters"),
        ({"type": "left_stick", "duration": 400, "parameters": [0, 1.5]}, "must be a number from -1 to 1"),
        ({"type": "left_stick", "parameters": [0, 1]}, "needs the argument 'ms'"),
        ({"type": "left_stick", "duration": 400, "parameters": 1}, "the parameters of left_stick are a list, not 1"),
        ("fly", "unknown control 'fly'"),
        (7, "not 7"),
    ],
)  # fmt: skip
def test_impossible_entries_end_the_list_with_the_reason(entry, why):
    found = decide([{"type": "a", "duration": 200}, entry], sticks=True)
    assert found.validity == "out_of_space" and len(found.actions) == 1 and why in found.reason
