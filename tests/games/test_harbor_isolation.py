"""Prompts of the harbor contain nothing of the state: no coordinate, flag, field or milestone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from gwray import settings
from gwray.agents import Prompt, Request, RoleContext, Situation, Text, make_agent
from gwray.catalog import Task, load_catalog
from gwray.environments import BrowserSource, Environment, Opening, open_environment
from gwray.pipelines.episode import play
from gwray.pipelines.inputs import EpisodeInputs, RoleAgents
from gwray.pipelines.replies import Replies, RoleAsk
from gwray.records import Action, Reading, Reply, ToolCall, canonical
from gwray.sandbox import BrowserOnDemand

TOWN = load_catalog().game("town")
ALL = settings.ObservationSpec(views=("front", "previous", "left", "right"), text=True)
TOLD = settings.ObservationSpec(views=(), text=True)
WAYS = ("move_left", "rotate_right", "move_forward")
"""Off the round numbers of the start."""
TELLING = settings.NudgeSpec(when="every", count=1, say="Look again.")


@dataclass
class Recorder:
    """Answers with moves, and keeps everything that was asked."""

    sees_state: bool = False
    asked: list[Request] = field(default_factory=list)

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        self.asked.append(request)
        moves = tuple(ToolCall(name=way) for way in WAYS)
        pull = ToolCall(name="left_stick", arguments={"x": 0.2, "y": 0.7, "ms": 430})
        return Reply(text="On.", tool_calls=moves if request.tools[0].name == "move_forward" else (pull,) * 3)

    def words(self) -> str:
        """Returns all text of a request, tools included."""
        said = [r.system for r in self.asked]
        said += [p.text for r in self.asked for t in r.turns for p in t.parts if isinstance(p, Text)]
        said += [json.dumps([x.name, x.description, x.parameters]) for r in self.asked for x in r.tools]
        return "\n".join(said)


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


QUESTS = tuple(dict.fromkeys(task.id.partition("_")[0] for task in TOWN.tasks))
PART = ("m2",)
"""A quest of each category; the others are played by `pytest -m whole`."""


def secrets(task: Task, states: list[dict[str, Any]]) -> set[str]:
    """Returns what no request may contain: names of fields, numbers that nobody can see, ids, and what is counted."""
    out = {task.id, "game_state", "gameAPI", "getState", "in_reach", "timestampMs"}
    for state in states:
        out |= {*state["game_state"]["flags"], f"{state['timestampMs']}"}
        for _, value in leaves(state):
            if isinstance(value, float) and value != int(value):
                # Distances are told with one decimal, as a person estimates them; places have more.
                out |= {s for s in (str(value), f"{value:.2f}", f"{value:.3f}") if len(s.partition(".")[2]) > 1}
    for m in task.milestones:
        out |= {m.hint} | ({m.name} if "_" in m.name else set())
    return out - {""}


class Otherwise:
    """The same world, whose state reads otherwise in every number and word; what is looked at stays."""

    def __init__(self, world: Any):
        self._world = world

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)

    async def read(self) -> Reading:
        return _otherwise(await self._world.read())

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        return _otherwise(await self._world.step(actions, look=look))


def _otherwise(reading: Reading) -> Reading:
    def other(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: other(v) for k, v in value.items()}
        if isinstance(value, list):
            return [other(v) for v in value]
        if isinstance(value, bool):
            return value  # a flag may be the goal
        return value + 0.377 if isinstance(value, int | float) else f"{value}!" if isinstance(value, str) else value

    return replace(reading, state={**reading.state, "game_state": other(reading.state["game_state"])})


@asynccontextmanager
async def opened(task: Task, browser: BrowserSource) -> AsyncIterator[Environment]:
    world = await open_environment(Opening(TOWN, task, 42, browser, observation=ALL))
    yield world
    await world.close()


async def asked_in(
    task: Task, world: Any, interface: str, seen: settings.ObservationSpec
) -> tuple[Recorder, list[dict[str, Any]]]:
    model = settings.ModelSpec(name="m", provider="openai_chat", model_id="m")
    cell = settings.CellSpec(
        model=model, agent=settings.AgentSpec(interface=interface, memory_rounds=1), timing=settings.TimingSpec(),
        observation=seen, nudge=TELLING,
    )  # fmt: skip
    spec = settings.EpisodeSpec(
        "k", "c", cell, TOWN.id, task.id, seed=42, repeat=0, action=settings.ActionSpec(per_reply=3)
    )
    (role,) = TOWN.roles
    player, recorder, replies = cell.player(role.name), Recorder(), Replies([], lambda _: None)
    agent = make_agent(player, RoleContext(TOWN, role, task, 42, 0, "k", spec.action))
    ask = RoleAsk(role.name, player, {"": recorder}, replies, "k")
    roles = RoleAgents({role.name: agent}, {role.name: ask})
    played = await play(EpisodeInputs(spec, TOWN, task, world, roles, replies))
    return recorder, [json.loads(s) for row in played.steps for s in (row.before, row.state) if s]


@pytest.mark.slow
@pytest.mark.parametrize("quest", [pytest.param(q, marks=[pytest.mark.whole] * (q not in PART)) for q in QUESTS])
async def test_requests_contain_no_state(quest):
    texts = [t.model_copy(update={"max_steps": 4}) for t in TOWN.tasks if t.id.startswith(f"{quest}_")]
    assert len(texts) == 3 and len({t.options for t in texts}) == 1
    starts = set()
    how = (("semantic", ALL), ("parametric", TOLD), ("semantic", TOLD))
    async with BrowserOnDemand() as browser:
        for (interface, seen), task in zip(how, texts, strict=True):
            async with opened(task, browser) as world:
                starts.add(canonical((await world.read()).state["game_state"]))
                recorder, states = await asked_in(task, world, interface, seen)
            words, unsaid = recorder.words(), secrets(task, states)
            assert len(recorder.asked) >= 2 and len([s for s in unsaid if s[-1].isdigit()]) > 4
            assert task.instruction.strip()[:40] in words and "In the picture" in words
            pictures = [p for p in recorder.asked[-1].turns[-1].parts if not isinstance(p, Text)]
            assert len(pictures) >= len(seen.views) and bool(pictures) == bool(seen.views)
            assert not {s for s in unsaid if s in words}, task.id
            async with opened(task, browser) as world:
                again, others = await asked_in(task, Otherwise(world), interface, seen)
            assert others != states and again.asked == recorder.asked, "a request depends on the state"
    assert len(starts) == 1, "the texts of a quest share their start"
