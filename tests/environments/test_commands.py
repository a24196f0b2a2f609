"""Commands: the game carries an action out over its own frames and answers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from gwray.agents import Call, Refused, Semantic, check_action
from gwray.catalog import read_game
from gwray.environments import CommandAnswer, Opening, joint_events, open_environment
from gwray.errors import GameError
from gwray.records import Action
from gwray.settings import ObservationSpec

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAME = read_game(Path(__file__).resolve().parents[1] / "errands" / "errands" / "game.yaml")
(ROLE,) = GAME.roles
FRAME_MS = 1000 / 60


def action(control: str, **arguments: Any) -> Action:
    found = Semantic.for_role(ROLE, GAME.viewport).to_action(Call(control, arguments))
    assert not isinstance(found, Refused), found
    return found.action


@pytest.fixture
def open_errands(browser):
    async def open_():
        return await open_environment(Opening(GAME, GAME.tasks[0], 42, browser, observation=ObservationSpec()))

    return open_


CASES = [
    ("walk_to", {"x": 40}, 40, (True, "player is at 40."), {"x": 40}),
    ("walk_to", {"x": 0}, 1, (True, "player is at 0."), {"x": 0}),
    ("walk_to", {"x": 100}, 80, (False, "You fell into the pond."), {"x": 80}),
    ("buy", {"seed": "bean", "count": 3}, 1, (True, "Bought: 1."), {"score": 1, "coins": 4}),
    ("sign", {"text": "Kim"}, 2, (True, "K"), {"typed": "K", "clicks": 1}),
]


@pytest.mark.parametrize(("control", "arguments", "frames", "answer", "state"), CASES)
async def test_command_runs_over_frames_as_in_the_lab(open_errands, control, arguments, frames, answer, state):
    given = action(control, **arguments)
    environment = await open_errands()
    try:
        reading = await environment.step({"player": given}, look=True)
        assert reading.answers == {"player": CommandAnswer(*answer)}
        assert {**reading.state["game_state"], **state} == reading.state["game_state"]
        assert reading.game_time_ms == pytest.approx(frames * FRAME_MS, abs=0.01)
        await environment.reset(42)
        await environment.step({"player": action("right")}, look=False)
        again = await environment.step({"player": given}, look=False)
        events = [[e.model_dump() for e in joint_events(GAME, {"player": a})] for a in (action("right"), given)]
        page = environment.page.page
        run = "events => { const {lab} = gameAPI; lab.reset(42); events.map((e) => lab.run(e)); return lab.run([]) }"
        in_lab = await page.evaluate(run, events)
        assert in_lab["game_state"] == again.state["game_state"] and in_lab["raw"] == again.state["raw"]
        assert (await page.evaluate("gameAPI.lab.answers.player"))["feedback"] == again.answers["player"].feedback
    finally:
        await environment.close()


@pytest.mark.parametrize(
    ("control", "complaint"),
    [
        ("wander", "command 'wander' of player has not ended within 500 ms"),
        ("shrug", "the answer must be {ok: true | false, feedback: 'text'}, not \"?\""),
        ("trip", "no shoes"),
        ("lost", "errands has no command 'lost'; its commands: buy, walk"),
    ],
)
async def test_command_that_breaks_its_contract_is_a_game_error(open_errands, control, complaint):
    environment = await open_errands()
    try:
        with pytest.raises(GameError) as raised:
            await environment.step({"player": action(control)}, look=False)
        assert complaint in str(raised.value)
    finally:
        await environment.close()


@pytest.mark.parametrize(
    ("arguments", "legal"),
    [
        ({"seed": 2, "count": 3}, True),
        ({"seed": 3, "count": 3}, False),
        ({"seed": 2, "count": 100}, False),
        ({"seed": 2, "count": True}, False),
        ({"seed": 2}, False),
        ({"seed": 2, "count": 3, "x": 1}, False),
    ],
)
async def test_agents_can_only_give_commands_of_their_controls(arguments, legal):
    command = action("buy", seed="parsnip", count=3).model_copy(update={"args": arguments, "max_ms": 9e9})
    checked = check_action(command, ROLE, GAME.viewport)
    assert isinstance(checked, Refused) != legal
    assert not legal or checked.action == action("buy", seed="parsnip", count=3)
    drawn = Semantic.for_role(ROLE, GAME.viewport)
    assert not [c for i in range(60) if isinstance(drawn.to_action(c := drawn.random_call(Random(i))), Refused)]
    assert isinstance(check_action(command.model_copy(update={"name": "steal"}), ROLE, GAME.viewport), Refused)
