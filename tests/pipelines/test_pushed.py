"""Acting for a player that is stuck helps; telling one that cannot use it does not. After PokeGym, in the real loop.

The ground is a corridor with a dead end. Its walker pushes on as long as nothing changes, and takes another way only
when it finds itself further back than it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from gwray import settings
from gwray.agents import Ask, Decision, Observation, Prompt, Request, Situation, Text
from gwray.catalog import Game
from gwray.environments import Diagnostics, Reading, RoleObservation
from gwray.evaluation import measure
from gwray.pipelines.episode import play
from gwray.pipelines.inputs import EpisodeInputs, RoleAgents
from gwray.pipelines.outcome import PlayedEpisode
from gwray.pipelines.replies import Replies, RoleAsk
from gwray.places import CONF
from gwray.records import Action, PressKey, Reply, canonical, digest

KEYS = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowUp": (0, -1)}
WALLS = {(3, 1)}
"""The lower row ends here; the upper one is free up to the goal."""
NUDGES = {
    name: settings.NudgeSpec(**yaml.safe_load((CONF / f"nudge/{name}.yaml").read_text())) for name in ("none", "tell")
}
NUDGES["back"] = settings.NudgeSpec(when="ineffective", count=3, force=("west", "west", "west"))


def game(budget: int) -> Game:
    controls = [
        {"id": name, "description": "a step", "press": key}
        for name, key in (("east", "ArrowRight"), ("west", "ArrowLeft"), ("north", "ArrowUp"))
    ]
    role = {"name": "player", "description": "d", "keys": [*KEYS], "controls": controls}
    task = {
        "id": "t",
        "instruction": "Go east.",
        "goal": {"field": "game_state.x", "is": 5},
        "budget": {"steps": budget},
    }
    return Game.model_validate(
        {
            "id": "corridor", "title": "Corridor", "genre": "puzzle", "level": 1, "summary": "s", "rules": "r",
            "motion": {"position": ["game_state.x", "game_state.y"], "controls": ["east", "west", "north"], "eps": 0.1},
            "roles": [role], "tasks": [task],
        }
    )  # fmt: skip


@dataclass
class Corridor:
    x: int = 1
    y: int = 1

    def to_act(self) -> tuple[str, ...]:
        return ("player",)

    async def observe(self, role: str, wanted: settings.ObservationSpec) -> RoleObservation:
        return RoleObservation((), f"{self.x} {self.y}")

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        for action in actions.values():
            if isinstance(action, PressKey):
                dx, dy = KEYS[action.key]
                to = (min(5, max(0, self.x + dx)), max(0, self.y + dy))
                if to not in WALLS:
                    self.x, self.y = to
        return await self.read()

    async def read(self) -> Reading:
        state = {"status": "playing", "terminal": {"isTerminal": False}, "game_state": {"x": self.x, "y": self.y}}
        return Reading(state, digest(canonical(state)), 0.0)

    async def advance(self, ms: float) -> None:
        """There is no clock."""

    async def reset(self, seed: int) -> None:
        self.x, self.y = 1, 1

    async def confirm(self) -> None: ...

    def diagnostics(self) -> Diagnostics:
        return Diagnostics(renderer="none")

    async def close(self) -> None:
        """Nothing is open."""


@dataclass
class Walker:
    """Pushes east; north once, when it finds itself further west than before. Of all words it reads where it is."""

    sees_state: bool = False
    told: list[str] = field(default_factory=list)
    column: int = 0

    async def act(self, seen: Observation, ask: Ask) -> Decision:
        self.told += seen.notes
        await ask(Prompt("Walk.", (Text(seen.text), *map(Text, seen.notes))))
        column, before = int(seen.text.split()[0]), self.column
        self.column = column
        way = "ArrowUp" if column < before else "ArrowRight"
        control = next(name for name, key in (("east", "ArrowRight"), ("north", "ArrowUp")) if key == way)
        return Decision("valid", (PressKey(key=way),), controls=(control,))

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        return Reply(text="On.")


async def walked(nudge: str, budget: int = 24) -> tuple[PlayedEpisode, Walker]:
    made, walker = game(budget), Walker()
    cell = settings.CellSpec(
        model=settings.ModelSpec(name="m", provider="fixed"), agent=settings.AgentSpec(), timing=settings.TimingSpec(),
        observation=settings.ObservationSpec(views=(), text=True), nudge=NUDGES[nudge],
    )  # fmt: skip
    spec = settings.EpisodeSpec("k", "c", cell, made.id, "t", seed=7, repeat=0, action=settings.ActionSpec())
    replies = Replies([], lambda _: None)
    asks = {"player": RoleAsk("player", cell.player("player"), {"": walker}, replies, "k")}
    world: Any = Corridor()
    roles = RoleAgents({"player": walker}, asks)
    return await play(EpisodeInputs(spec, made, made.tasks[0], world, roles, replies)), walker


def stuck(played: PlayedEpisode) -> float:
    values: Mapping[str, float] = measure((), played.steps, played.record, game(24).tasks[0]).values
    return values["movement.ineffective_share"]


async def test_nudge_text_does_not_free_a_blind_player():
    alone, _ = await walked("none")
    told, walker = await walked("tell")
    assert not alone.record.success and not told.record.success
    assert len(walker.told) >= 3 and "something is in the way" in walker.told[0]
    assert [r.state_hash for r in told.steps] == [r.state_hash for r in alone.steps]
    assert stuck(alone) > 0.9


async def test_steps_back_free_it():
    pushed, _ = await walked("back")
    alone, _ = await walked("none")
    assert pushed.record.success and stuck(pushed) < stuck(alone) / 2
    assert [r.control for r in pushed.steps if r.forced] == ["west"] * 3


async def test_forced_steps_cost_budget():
    pushed, _ = await walked("back")
    steps = pushed.record.steps
    assert steps == len(pushed.steps) == sum(not r.forced for r in pushed.steps) + 3
    assert (await walked("back", steps))[0].record.success
    short, _ = await walked("back", steps - 1)
    assert not short.record.success and short.record.ended_by == "budget"
