"""A stick that a page draws is pulled by trusted mouse input, through a control, and by raw input as a person's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gwray.agents.coordinates import Grid
from gwray.agents.spaces import Call, Parsed, Refused, get_space
from gwray.catalog.controls import Role
from gwray.records import Action, Drag, events
from gwray.settings import ImageGrid

OpenGame = Callable[..., Awaitable[Any]]
SCREEN = (1280, 720)
PUSH = {
    "id": "push",
    "description": "Push the ball.",
    "stick": {"centre": [200, 560], "radius": 80},
    "hold_ms": {"param": "ms"},
    "params": {"ms": {"type": "integer", "minimum": 100, "maximum": 900}},
}
ROLE = Role.model_validate({"name": "player", "description": "You push.", "clicks": True, "controls": [PUSH]})


def action(interface: str, name: str, arguments: Any) -> Action:
    space = get_space(interface)(ROLE, SCREEN, Grid.from_spec(ImageGrid(), SCREEN))
    found = space.to_action(Call(name, arguments))
    assert isinstance(found, Parsed), found
    return found.action


def near(found: dict[str, float], x: float, y: float) -> bool:
    return abs(found["x"] - x) < 0.01 and abs(found["y"] - y) < 0.01


@pytest.mark.parametrize(
    ("right", "up", "x", "y"), [(1, 0, 1, 0), (0, 0.5, 0, -0.5), (-0.25, 0, -0.25, 0), (1, -1, 0.707, 0.707)]
)
async def test_stick_follows_parameters(open_game: OpenGame, right, up, x, y):
    page = await open_game("stick")
    push = action("semantic", "push", {"x": right, "y": up, "ms": 400})
    state = await page.play(events(push, ROLE.hold_ms))
    raw = state["raw"]
    longest = max(raw["pulls"], key=lambda p: p["updates"])
    assert near(longest, x, y)
    assert longest["updates"] >= 20, "the pull itself takes three updates of twenty-four, the rest it is held"
    ball = state["game_state"]["player"]
    pushed = [sum(5 * p[axis] * p["updates"] for p in raw["pulls"]) for axis in ("x", "y")]
    assert near(ball, 640 + pushed[0], 360 + pushed[1])
    rest = await page.play(events(action("computer_use", "wait", {}), ROLE.hold_ms))
    assert (rest["raw"]["presses"], rest["raw"]["lifts"], rest["raw"]["pull"]) == (1, 1, {"x": 0, "y": 0})


async def test_the_lab_and_raw_input_pull_a_stick_as_the_control_does(open_game: OpenGame):
    said = {"x": 0, "y": 1, "ms": 300}
    by_control = action("semantic", "push", said)
    by_hand = action("computer_use", "pull", {"start": [200, 560], "end": [200, 480], "duration_ms": 300})
    control_reply = get_space("computer_use")(ROLE, SCREEN, Grid.from_spec(ImageGrid(), SCREEN)).call_from_text(
        "push 0 1 300"
    )
    assert (
        by_hand == by_control
        and control_reply
        and action("computer_use", control_reply.name, control_reply.arguments) == by_control
    )
    states = []
    for pull in (by_control, by_hand):
        page = await open_game("stick")
        states.append((await page.play(events(pull, ROLE.hold_ms)))["raw"])
    lab = await open_game("stick")
    states.append((await lab.run(events(by_control, ROLE.hold_ms)))["raw"])
    assert states[0] == states[1] == states[2]
    dragged = await open_game("stick")
    raw = (await dragged.play(events(Drag(x=200, y=560, to_x=200, to_y=480, duration_ms=300), ROLE.hold_ms)))["raw"]
    assert -1 < raw["pulls"][-1]["y"] < -0.5, "who knows no sticks drags one, and lets go where the drag ends"


async def test_what_a_stick_cannot_do_is_refused():
    space = get_space("semantic")(ROLE, SCREEN, Grid.from_spec(ImageGrid(), SCREEN))
    for arguments, told in (
        ({"x": "left", "y": 1, "ms": 300}, "a number from -1 to 1, not 'left'"),
        ({"x": 0, "y": 1.2, "ms": 300}, "a number from -1 to 1, not '1.2'"),
        ({"x": 0, "y": 1}, "needs the argument 'ms'"),
        ("0 0.5", "needs the argument 'ms'"),
    ):
        found = space.to_action(Call("push", arguments))
        assert isinstance(found, Refused) and told in found.reason
