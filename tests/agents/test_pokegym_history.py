"""History and the previous image carry a stuck walker around a wall: a model that reads only its prompt."""

from __future__ import annotations

import re

import pytest

from gwray.agents import Image, Observation, Prompt, RoleContext, Text, make_agent
from gwray.catalog import load_catalog
from gwray.records import Reply
from gwray.spec import ActionSpec, AgentSpec, ModelSpec, PlayerSpec
from gwray.views import View

WALL, GOAL, DECISIONS = 3, 6, 30


class Lane:
    """Two lanes to the north. The first one has a wall."""

    def __init__(self) -> None:
        self.lane = self.north = 0

    def screen(self) -> bytes:
        return f"lane {self.lane}, {self.north}".encode()

    def move(self, control: str | None) -> None:
        if control == "move_left":
            self.lane = 1
        elif control == "move_forward" and not (self.lane == 0 and self.north + 1 == WALL):
            self.north += 1


def walker(prompt: Prompt) -> str:
    """Steps aside only if its last action was a step ahead and the screen has not changed since."""
    text = "\n".join(p.text for p in prompt.parts if isinstance(p, Text))
    images = [p.data for p in prompt.parts if isinstance(p, Image)]
    last = re.findall(r"^Action: (\w+)", text, re.MULTILINE)[-1:]
    stuck = len(images) == 2 and images[0] == images[1] and last == ["move_forward"]
    return '1. Compared. 2. Nothing. 3. On.\n{"actions": ["%s"]}' % ("move_left" if stuck else "move_forward")


async def walked(memory_rounds: int, *views: str) -> int:
    """Returns how far the walker comes."""
    agent = AgentSpec(
        name="pokegym", modules=("stages",), prompt_version=4, memory_rounds=memory_rounds, memory_format="text"
    )
    game = load_catalog().game("town")
    model = ModelSpec(name="m", provider="openai_chat", model_id="m")
    place = RoleContext(game, game.roles[0], game.tasks[0], 42, 0, "k", ActionSpec(per_reply=1))
    made, lane = make_agent(PlayerSpec(model=model, agent=agent), place), Lane()
    before = b""

    async def ask(*prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        return tuple(Reply(text=walker(p), finish_reason="stop") for p in prompts)

    for turn in range(DECISIONS):
        seen = {"front": lane.screen(), "previous": before}
        shown = tuple(View(v, seen[v], "image/jpeg", 1280, 720) for v in views if seen[v])
        before = lane.screen()
        decision = await made.act(Observation(turn, shown), ask)
        lane.move(decision.controls[0])
        if lane.north >= GOAL:
            break
    return lane.north


@pytest.mark.parametrize(
    ("memory_rounds", "views", "distance"),
    [(3, ("front", "previous"), GOAL), (0, ("front", "previous"), WALL - 1), (3, ("front",), WALL - 1)],
    ids=["both", "no history", "no previous image"],
)
async def test_walker_needs_history_and_previous_image_to_leave_a_wall(memory_rounds, views, distance):
    assert await walked(memory_rounds, *views) == distance
