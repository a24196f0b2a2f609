"""Roles that act independently (`turns: free`): each may act at the first frame after its own action has ended."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gwray.catalog import read_game
from gwray.environments import Environment, Opening, open_environment
from gwray.records import Action, Command, PressKey
from gwray.settings import ObservationSpec

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAME = read_game(Path(__file__).resolve().parents[1] / "fencing" / "duel" / "game.yaml")
FRAME_MS = 1000 / 60


def thrust(frames: int, max_ms: float = 1000) -> Action:
    return Command(name="thrust", args={"frames": frames}, max_ms=max_ms)


SHORT, LONG = thrust(4), thrust(7)


@pytest.fixture
async def duel(browser):
    environment = await open_environment(Opening(GAME, GAME.tasks[0], 42, browser, observation=ObservationSpec()))
    yield environment
    await environment.close()


async def query_frames(
    duel: Environment, plan: dict[str, Sequence[Action]], after_ms: dict[str, float] | None = None
) -> dict[str, list[int]]:
    """Plays each role's actions in order and returns the frames at which it could act, the last one after its plan."""
    began = (await duel.read()).game_time_ms
    asked: dict[str, list[int]] = {role: [] for role in plan}
    queues = {role: iter(actions) for role, actions in plan.items()}
    reading = await duel.read()
    while True:
        frame = (reading.game_time_ms - began) / FRAME_MS
        assert frame == pytest.approx(reading.state["game_state"]["frames"], abs=0.001)
        acting = duel.to_act()
        for role in acting:
            asked[role].append(round(frame))
        chosen = {role: action for role in acting if (action := next(queues[role], None))}
        if not acting or len(chosen) < len(acting):
            return asked
        reading = await duel.step(chosen, look=False, after_ms=after_ms)


CASES = {
    "seven_and_four": ([LONG] * 4, [SHORT] * 9, [0, 7, 14, 21, 28], [0, 4, 8, 12, 16, 20, 24, 28]),
    "overlap_without_barrier": ([LONG, SHORT], [SHORT, thrust(2), thrust(9)], [0, 7, 11], [0, 4, 6]),
    "keys_and_commands": ([PressKey(key="b", duration_ms=150)] * 2, [SHORT] * 9, [0, 9, 18], [0, 4, 8, 12, 16]),
    "one_frame_at_least": ([thrust(0)] * 3, [LONG], [0, 1, 2, 3], [0]),
    "longer_than_one_call": ([thrust(20)] * 2, [thrust(19), thrust(60)], [0, 20, 40], [0, 19]),
}


@pytest.mark.parametrize("case", CASES)
async def test_query_frames_are_exact(duel, case):
    left, right, left_asked, right_asked = CASES[case]
    assert await query_frames(duel, {"left": left, "right": right}) == {"left": left_asked, "right": right_asked}


async def test_thinking_delays_only_its_own_role(duel):
    thinking = {"left": 6 * FRAME_MS}
    asked = await query_frames(duel, {"left": [LONG] * 2, "right": [SHORT] * 9}, thinking)
    assert asked == {"left": [0, 13, 26], "right": [0, 4, 8, 12, 16, 20, 24]}


async def test_key_stays_pressed_while_another_role_acts(duel):
    first = await duel.step({"left": PressKey(key="b", duration_ms=150), "right": SHORT}, look=False)
    assert first.state["game_state"]["held"] == {"a": 0, "b": 4} and duel.to_act() == ("right",)
    await duel.step({"right": LONG}, look=False)
    last = await duel.step({"left": thrust(3)}, look=False)
    assert last.state["game_state"]["held"] == {"a": 0, "b": 9}


async def test_role_without_an_action_waits_its_default_duration(duel):
    reading = await duel.step({"left": LONG}, look=False)
    assert (reading.state["game_state"]["frames"], duel.to_act()) == (3, ("right",))


async def test_reset_drops_actions_under_way(duel):
    await duel.step({"left": LONG, "right": PressKey(key="b", duration_ms=50)}, look=False)
    await duel.reset(42)
    assert duel.to_act() == ("left", "right")
    reading = await duel.step({"left": SHORT, "right": SHORT}, look=False)
    assert reading.state["game_state"]["held"]["b"] == 0
    assert [a.feedback for a in reading.answers.values()] == ["Thrust 1 at frame 4."] * 2
