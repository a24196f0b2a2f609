"""Help for a stuck player, in the harbor and through the real loop: its walker pushes against obstacles, and
takes another way only after it is moved back."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
import yaml

from gwray.agents import Ask, Decision, Observation, Prompt, Request, Situation, Text
from gwray.catalog import load_catalog
from gwray.environments import Environment, Opening, open_environment
from gwray.evaluation import measure
from gwray.pipelines.episode import play
from gwray.pipelines.inputs import EpisodeInputs, RoleAgents
from gwray.pipelines.outcome import PlayedEpisode
from gwray.pipelines.replies import Replies, RoleAsk
from gwray.places import CONF
from gwray.plugins.authoring.lab import joint_action
from gwray.records import Reply
from gwray.sandbox import BrowserOnDemand
from gwray.settings import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, NudgeSpec, ObservationSpec, TimingSpec

TOWN = load_catalog().game("town")
TASK = TOWN.task("n2_goal")
STEPS = 24


@dataclass
class Bumper:
    world: Environment
    sees_state: bool = False
    told: list[str] = field(default_factory=list)
    places: list[tuple[float, float]] = field(default_factory=list)
    turns: int = 3
    """Still to be made; below 0 it has walked for so long. At first it turns to the glass."""

    async def act(self, seen: Observation, ask: Ask) -> Decision:
        self.told += seen.notes
        await ask(Prompt("Walk.", tuple(map(Text, seen.notes))))
        me = (await self.world.read()).state["game_state"]["player"]
        self.places.append((me["x"], me["z"]))
        if self.turns < -1 and self.places[-3] == self.places[-2] != self.places[-1]:
            self.turns = 4
        name = "rotate_right" if self.turns > 0 else "move_forward"
        self.turns -= 1
        return Decision("valid", tuple(joint_action(TOWN, [name]).values()), controls=(name,))

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        return Reply(text="On.")


async def walked(browser: BrowserOnDemand, nudge: str) -> tuple[PlayedEpisode, Bumper]:
    task = TASK.model_copy(update={"max_steps": STEPS})
    output = NudgeSpec(**yaml.safe_load((CONF / f"nudge/{nudge}.yaml").read_text()))
    cell = CellSpec(
        model=ModelSpec(name="m", provider="fixed"), agent=AgentSpec(), timing=TimingSpec(),
        observation=ObservationSpec(format="none"), nudge=output,
    )  # fmt: skip
    spec = EpisodeSpec("k", "c", cell, TOWN.id, task.id, seed=42, repeat=0)
    replies = Replies([], lambda _: None)
    world = await open_environment(Opening.from_spec(spec, TOWN, task, browser))
    try:
        bumper = Bumper(world)
        asks = {"player": RoleAsk("player", cell.player("player"), {"": bumper}, replies, "k")}
        return await play(EpisodeInputs(spec, TOWN, task, world, RoleAgents({"player": bumper}, asks), replies)), bumper
    finally:
        await world.close()


def stuck(played: PlayedEpisode) -> float:
    return measure((), played.steps, played.record, TASK).values["movement.ineffective_share"]


@pytest.mark.slow
async def test_forced_steps_back_free_the_player():
    async with BrowserOnDemand() as browser:
        alone, _ = await walked(browser, "none")
        told, bumper = await walked(browser, "tell")
        pushed, freed = await walked(browser, "back")
    assert stuck(alone) > 0.7, "glass, and nothing else happens"
    assert bumper.told and [r.state_hash for r in told.steps] == [r.state_hash for r in alone.steps]
    assert len(set(bumper.places[-15:])) == 1 and bumper.places[-1] not in freed.places[-5:], "it gets away"
    assert stuck(pushed) < 0.75 * stuck(alone) and len(set(freed.places)) > 1.5 * len(set(bumper.places))
    forced = [r.control for r in pushed.steps if r.forced]
    assert forced[:3] == ["move_backward"] * 3 and len(forced) % 3 == 0
    assert pushed.record.steps == STEPS == len(pushed.steps) and len(freed.places) == STEPS - len(forced)
