"""The second request of each study has what its paper's has: history, titled views in the published order, thoughts."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest

from gwray.agents import Image, Observation, Prompt, RoleContext, Text, make_agent
from gwray.catalog import load_catalog
from gwray.cli.compose import job_specs
from gwray.pipelines.plan import make_plan
from gwray.records import Reply, View
from gwray.settings import LOCAL_PLAYERS, ActionSpec, CellSpec

GOLDEN = Path(__file__).parents[1] / "agents" / "golden"
STICKS = '{"type": "left_stick", "duration": 500, "parameters": [0, 1]}, {"type": "a", "duration": 200}'
MOVES = '"move_forward", "rotate_left", ""'
THOUGHT = "1. The door is nearer. {It} works. 2. A wall is to the left. 3. Go on."


@cache
def cells(study: str, game: str = "town", task: str = "m2_goal") -> tuple[CellSpec, ...]:
    plan = make_plan(job_specs((f"experiment={study}", f"game={game}", f"task={task}")))
    return tuple(c.spec for c in plan.cells if c.spec.model.provider not in LOCAL_PLAYERS)


def text_of(prompt: Prompt) -> str:
    """The complete request, with the data of its images in brackets."""
    parts = [
        f"[{p.data.decode()}]" if isinstance(p, Image) else p.text for p in prompt.parts if isinstance(p, Image | Text)
    ]
    return "\n".join([prompt.system, "-----", *parts, ""])


async def requests(cell: CellSpec, replies: list[str], game_id: str = "town", task: str = "m2_goal") -> list[Prompt]:
    """The questions of as many decisions as there are replies, which also answer questions of modules that have one."""
    game = load_catalog().game(game_id)
    chosen = next(t for t in game.tasks if task in ("all", t.id))
    action = ActionSpec(per_reply=cell.action.per_reply)
    agent = make_agent(cell.player("player"), RoleContext(game, game.roles[0], chosen, 42, 0, "k", action))
    asked: list[Prompt] = []
    for n, reply in enumerate(replies):
        names = [v for v in cell.observation.views if n or v != "previous"]
        views = tuple(View(v, f"{v} {n}".encode(), "image/jpeg", 1280, 720) for v in names)

        async def ask(prompt: Prompt, *, by: str = "", reply: str = reply) -> tuple[Reply, ...]:
            asked.append(prompt)
            answers = prompt.neutral is None or prompt.module == "map"
            return (Reply(text=reply if answers else "Walls stopped it.", finish_reason="stop"),)

        await agent.act(Observation(n, views), ask)
    return asked


def same_as_golden(name: str, text: str) -> None:
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def reply(cell: CellSpec) -> str:
    actions = MOVES if cell.agent.interface == "semantic" else STICKS
    return f'{THOUGHT}\n```json\n{{"actions": [{actions}]}}\n```'


STUDIES = ("leaderboard", "images", "actions", "interventions", "self_reflection")


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
async def test_pokegym_presets_ask_as_the_paper_does(study):
    for cell in cells(f"pokegym/{study}"):
        assert (cell.timing.mode, cell.timing.paused_in) == ("adaptive", ("combat",))
        assert cell.thinking == ("min" if cell.model.thinking else "default")
        first, second = await requests(cell, [reply(cell)] * 2)
        words = text_of(second)
        assert "Action history" not in text_of(first)
        assert f"Reasoning: {THOUGHT}" in words, "the stages as they were written"
        played = {"semantic": "move_forward", "parametric": 'left_stick {"duration": 500, "parameters": [0, 1]}'}
        assert f"Action: {played[cell.agent.interface]}" in words
        shown = [p.data.decode() for p in second.parts if isinstance(p, Image)]
        order = [v for v in ("previous", "front", "left", "right") if v in cell.observation.views]
        assert shown == [f"{v} 1" for v in order]
        titles = [p.text for p in second.parts if isinstance(p, Text) and p.text.startswith("Picture: ")]
        assert [t.split()[1] for t in titles] == (order if len(order) > 1 else [])
        assert ("next picture is the screen as it is now" in words) == (len(order) == 1)
        stages = [second.system.index(s) for s in ("1. Before and now", "2. Sides", "3. Plan", '{"actions": [')]
        assert stages == sorted(stages) and not second.tools and second.schema is None


@pytest.mark.slow
async def test_every_quest_reads_success_after_the_reply():
    game = load_catalog().game("town")
    assert {t.check for t in game.tasks} == {"reply"} and len(game.tasks) == 30


@pytest.mark.slow
@pytest.mark.parametrize("interface", ["semantic", "parametric"])
async def test_prompt_of_pokegym_equals_golden_file(interface):
    cell = next(c for c in cells("pokegym/actions") if (c.agent.interface, c.action.per_reply) == (interface, 3))
    text = text_of((await requests(cell, [reply(cell)] * 2))[1])
    same_as_golden(f"town-{interface}-decision-2", text)


@pytest.mark.slow
async def test_self_reflection_reads_the_thoughts_of_its_replies():
    cell = next(c for c in cells("pokegym/self_reflection") if c.agent.name == "pokegym_reflection")
    said = [json.dumps({"actions": ["move_forward"]}).join((f"Thought {n}. ", "")) for n in range(6)]
    (summary,) = [p for p in await requests(cell, said) if p.module == "trajectory"]
    for n in range(5):
        assert f"- Thought {n}. -> move_forward" in text_of(summary)


CASE = "c07_star-door"
CLUE = {"clue": "chart", "description": "five stars", "location": "study", "type": "code", "interactable": True}
REPORT = {"clues": [CLUE], "done": {"action": "opened the drawer", "place": "study"}}
MATCH = {"clue": "chart", "related_memory": "the dials of the door", "expected_action": "set the dials to five"}


def test_smaller_studies_play_one_case_of_each_subgenre():
    """Tables 3, 15 and 16 are about the same five games; in Cradle, Claude is its own grounder in table 15."""
    studies = ("ablation", "prompt_control", "multi_run")
    plans = {s: make_plan(job_specs((f"experiment=flashadventure/{s}",))) for s in studies}
    played = [{e.game for e in p.episodes} for p in plans.values()]
    assert played == [{"c01_opal-eye", "c05_flea-market", "c07_star-door", "c11_thirty-tides", "c12_small-throne"}] * 3
    players = [(c.spec.model.name, c.spec.agent.name, *c.spec.agent.models) for c in plans["multi_run"].cells]
    claude = "claude-sonnet-4.6"
    assert players == [
        ("gpt-4o", "cradle", "grounder"), (claude, "cradle"), (claude, "direct"), (claude, "coast"),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("study", ["main", "ablation", "hints", "multi_run", "prompt_control"])
async def test_flashadventure_presets_repeat_what_was_thought_and_done(study):
    for cell in cells(f"flashadventure/{study}", CASE, "all"):
        assert (cell.agent.memory_rounds, cell.agent.memory_format) == (10, "text")
        asked = [p for p in await requests(cell, ["I look around."] * 2, CASE, "all") if p.neutral is None]
        words = text_of(asked[1])
        assert "Action history, oldest first (1):\nStep 1.\n" in words and "Action: none (no_tool_call" in words
        assert [p.data for p in asked[1].parts if isinstance(p, Image)] == [b"front 1"]


@pytest.mark.slow
async def test_prompts_of_coast_equal_golden_files():
    (cell,) = [c for c in cells("flashadventure/ablation", CASE, "all") if c.agent.name == "coast"]
    cell = cell.model_copy(update={"agent": cell.agent.model_copy(update={"options": {"seek_steps": 2}})})
    seen = f"A drawer.\n<report>{json.dumps(REPORT)}</report>"
    replies = [seen, seen, json.dumps({"matches": [MATCH]})]
    asked = await requests(cell, replies, CASE, "all")
    assert [p.module for p in asked] == ["seek", "seek", "map", "solve"]
    for prompt in asked[1:]:
        same_as_golden(f"coast-{prompt.module}", text_of(prompt))
    (merged,) = [c for c in cells("flashadventure/prompt_control", CASE, "all") if c.agent.name == "coast_merged"]
    same_as_golden("coast-merged", text_of((await requests(merged, [seen] * 2, CASE, "all"))[1]))
