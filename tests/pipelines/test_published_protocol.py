"""Profiles, prompts, tools and presets are what `conf/published_protocol.yaml` says of the published runs."""

from __future__ import annotations

import io
import json
import re
from functools import cache

import pytest
from rich.console import Console

from gwray.agents import AgentContext, Decision, Observation, RoleContext
from gwray.agents.legality import check_action
from gwray.agents.spaces import Parsed
from gwray.catalog import load_catalog, published_protocol, read_model
from gwray.cli.compose import job_specs
from gwray.cli.terminal import show_plan
from gwray.pipelines import reply_fields
from gwray.pipelines.cells import PlannedCell
from gwray.pipelines.plan import Plan, make_plan
from gwray.records import PressKey, Reply, ToolCall, View
from gwray.settings import axes

PROTOCOL = published_protocol()
PRESETS = ("main", "realtime", "reruns")
"""Studies of the published players with runs of their own; the memory ablation varies one setting."""


@cache
def plan(*overrides: str) -> Plan:
    return make_plan(job_specs(overrides))


def cells(preset: str) -> list[PlannedCell]:
    return list(plan(f"experiment={preset}", "game=19_minesweeper", "task=1").cells)


def pairs(interface: str) -> list[PlannedCell]:
    return [c for c in cells("main") if c.spec.agent.interface == interface]


def context(cell: PlannedCell, game: str) -> AgentContext:
    """Returns the context of a pair of the main study in a bundled game."""
    found = load_catalog().game(game)
    role_context = RoleContext(found, found.roles[0], found.tasks[0], 42, 0, "key", cell.spec.action)
    return AgentContext(role_context, cell.spec.player(found.roles[0].name))


SEEN = Observation(0, (View("front", b"", "image/jpeg", 1280, 720),))


@pytest.mark.parametrize("preset", [*PRESETS[:2], *(pytest.param(p, marks=pytest.mark.slow) for p in PRESETS[2:])])
def test_published_pairs_match_the_paper(preset):
    for cell in cells(preset):
        model, agent = cell.spec.model, cell.spec.agent
        assert agent.memory_rounds == PROTOCOL.memory_rounds[agent.interface], cell.name
        assert (agent.memory_format, agent.memory_fields) == (PROTOCOL.memory_format, PROTOCOL.memory_fields)
        wanted = None if model.name in PROTOCOL.no_temperature else PROTOCOL.sampling.temperature
        assert (model.sampling.temperature, model.sampling.top_p) == (wanted, None), cell.name
        assert model.sampling.max_output_tokens == PROTOCOL.sampling.max_output_tokens
        output = {name: value for name, value in axes(cell.spec).items() if name != "timing"}
        assert output == PROTOCOL.axes(agent.interface), "nothing else is varied"
        assert cell.spec.action.durations is None and not model.structured


def test_main_study_has_the_published_eighteen_pairs():
    made = {(c.spec.model.name, c.spec.agent.interface) for c in cells("main")}
    assert len(cells("main")) == len(made) == 18 and len({name for name, _ in made}) == 13
    assert len(pairs("computer_use")) == 8


def test_memory_ablation_varies_rounds_only():
    for cell in cells("memory"):
        agent = cell.spec.agent
        assert agent.memory_prompt == PROTOCOL.memory_prompt[agent.interface]
    rounds = [(c.spec.model.name, c.spec.agent.interface, c.spec.agent.memory_rounds) for c in cells("memory")]
    assert len(set(rounds)) == 12 and {r for _, _, r in rounds} == {0, 1, 2}


def test_semantic_tools_ask_for_a_reason():
    for cell in pairs("semantic"):
        played = context(cell, "19_minesweeper")
        prompt = played.action_prompt(SEEN)
        if not prompt.tools:
            assert cell.spec.model.semantic_format == "qwen" and "<think>" in prompt.system
            continue
        for tool in prompt.tools:
            assert PROTOCOL.tool_argument in tool.parameters["required"]
            assert tool.parameters["properties"][PROTOCOL.tool_argument]["type"] == "string"
        assert f'"{PROTOCOL.tool_argument}"' in prompt.system
        arguments = {"reasoning": "the corner is safe", "cell": "c4"}
        for given in (arguments, json.dumps(arguments)):
            decision = played.decide(Reply(tool_calls=(ToolCall(name="reveal_cell", arguments=given),)))
            assert decision.validity == "valid" and decision.reply is not None
            assert reply_fields(decision.reply)["reasoning"] == "the corner is safe", "read back into replays"
            parts = played.action_prompt(SEEN).parts
            received = " ".join(p.text for p in parts if hasattr(p, "text"))  # type: ignore[union-attr]
            assert 'Reasoning: the corner is safe Action: reveal_cell {"cell": "c4"}' in " ".join(received.split())


HOLDS = {
    "anthropic": ToolCall(name="computer", arguments={"action": "left_mouse_down"}),
    "gemini": ToolCall(
        name="drag_and_drop", arguments={"x": 500, "y": 500, "destination_x": 500, "destination_y": 500}
    ),
    "openai_responses": ToolCall(
        name="computer", arguments={"type": "drag", "path": [{"x": 640, "y": 360}, {"x": 640, "y": 360}]}
    ),
}

HELD_BY = {
    "anthropic": "left_mouse_down",
    "gemini": "drag_and_drop",
    "openai_responses": "drag from a point to the same point",
}
"""How the prompts of native tools name it."""
LONG_HOLDS = {
    "anthropic": Reply(
        tool_calls=(ToolCall(name="computer", arguments={"action": "hold_key", "text": "Up", "duration": 5}),)
    ),
    "qwen": Reply(text='{"name": "computer_use", "arguments": {"action": "key", "keys": ["up"], "time": 5}}'),
}
"""A key that is held for five seconds, by provider of a native tool or by format."""


def held(cell: PlannedCell, played: AgentContext) -> Decision:
    """The hold of the mouse as this pair's prompt says it."""
    model = cell.spec.model
    if model.computer_use_format == "native":
        assert played.space.durations == "fixed"
        return played.decide(Reply(tool_calls=(HOLDS[model.provider],)))
    if model.computer_use_format == "qwen":
        call = re.search(r'^\{"action": "long_press", "coordinate": \[x, y\]\}', played.instructions, re.MULTILINE)
        assert call
        output = call[0].replace("[x, y]", "[500, 500]")
        text = f'<tool_call>{{"name": "computer_use", "arguments": {output}}}</tool_call>'
        return played.decide(Reply(text=text))
    call = re.search(r"^long_press\(point='<point>x1 y1</point>'\)", played.instructions, re.MULTILINE)
    assert call
    return played.decide(Reply(text="Action: " + call[0].replace("x1 y1", "500 360")))


def test_computer_use_prompt_explains_holding():
    for cell in pairs("computer_use"):
        played, model = context(cell, "18_minecraft-clone-glm"), cell.spec.model
        mouse = next(line for line in played.instructions.splitlines() if line.startswith("- You may use the mouse."))
        assert "a button can also be held" in mouse
        if model.computer_use_format == "native":
            assert HELD_BY[model.provider] in mouse, cell.name
        decision = held(cell, played)
        assert decision.validity == "valid" and decision.actions[0].action in ("click_hold", "drag")
        assert decision.actions[0].action in PROTOCOL.computer_use


def test_durations_are_the_games_own():
    for cell in pairs("computer_use"):
        played, model = context(cell, "18_minecraft-clone-glm"), cell.spec.model
        assert played.space.durations == PROTOCOL.durations == "fixed"
        for word in ("duration_ms", '"time"', "may be left out", "is the most"):
            assert word not in played.instructions
        native = model.computer_use_format == "native"
        if reply := LONG_HOLDS.get(model.provider if native else str(model.computer_use_format)):
            decision = played.decide(reply)
            assert decision.validity == "valid" and "durations are fixed" in decision.reason
            assert decision.actions[0].duration_ms == 500, "what the key lasts in this game"  # type: ignore[union-attr]


def test_long_duration_is_clamped_with_note():
    played = context(pairs("computer_use")[0], "18_minecraft-clone-glm")
    found = check_action(PressKey(key="ArrowUp", duration_ms=5000), played.role, played.viewport)
    assert isinstance(found, Parsed) and "was shortened" in found.note


def test_the_games_have_the_published_holds_budgets_and_seed():
    for game in load_catalog().select(("all",), ("all",)):
        assert game[1].budget == PROTOCOL.max_steps
        shortest, longest = PROTOCOL.hold_ms
        assert all(shortest <= r.hold_ms <= longest for r in game[0].roles)
    main = plan("experiment=main", "game=19_minesweeper", "task=1")
    assert {e.seed for e in main.episodes} == {PROTOCOL.seed}
    assert {e.action.per_reply or 1 for e in main.episodes} == {PROTOCOL.actions_per_reply}
    assert {(c.spec.timing.mode, c.spec.timing.speed) for c in main.cells} == {(PROTOCOL.timing, PROTOCOL.speed)}
    for preset, repeats in PROTOCOL.repeats.items():
        assert {j.repeats for j in plan(f"experiment={preset}", "game=19_minesweeper", "task=1").jobs} == {repeats}


def test_real_time_is_measured_under_the_published_load():
    assert {c.spec.model.max_in_flight for c in cells("realtime")} == {PROTOCOL.in_flight}
    assert {c.spec.timing.latency for c in cells("realtime")} == {"measured"}


def test_published_sampling_changes_sampling_only():
    thinking = PROTOCOL.sampled(read_model("qwen3.5")).sampling
    assert thinking.extra == {"chat_template_kwargs": {"enable_thinking": False}}
    assert PROTOCOL.sampled(read_model("random")) == read_model("random")
    keys = [plan(f"model=random game=13_flappy-bird task=1 sampling={s}".split(" ")[0], "game=13_flappy-bird", "task=1",
                 f"sampling={s}").episodes[0].key for s in ("profile", "published")]  # fmt: skip
    assert keys[0] == keys[1], "where nobody samples nothing was said"


def shown(*overrides: str) -> list[str]:
    """The lines of a dry run, as a pipe gets them."""
    out = io.StringIO()
    show_plan(plan(*overrides), Console(file=out, width=170))
    return out.getvalue().splitlines()


def test_dry_run_shows_sampling_and_memory():
    lines = shown("experiment=main", "game=19_minesweeper", "task=1")
    requests = [line for line in lines if line.startswith("requests of ")]
    assert len(requests) == 13 and all(
        re.search(r": (default temperature|temperature 0), 2,048 tokens$", r) for r in requests
    )
    cells = [found[1] for line in lines if (found := re.search(r" (named controls +2|mouse and keyboard +0) ", line))]
    assert len(cells) == 18
    (requests,) = [r for r in shown("model=qwen3-vl-30b-a3b", "game=13_flappy-bird", "task=1") if "requests of" in r]
    assert requests.endswith(": temperature 0.7, top_p 0.8, 2,048 tokens")
    assert not [r for r in shown("model=random", "game=13_flappy-bird", "task=1") if "requests of" in r]


def test_prompt_settings_work_on_the_command_line():
    made = plan(
        "model=gpt-5.2", "game=13_flappy-bird", "task=1", "memory_rounds=1", "agent.memory_fields=[action,reasoning]",
        "agent.memory_prompt=full",
    )  # fmt: skip
    agent = made.cells[0].spec.agent
    assert (agent.memory_fields, agent.memory_prompt) == (("action", "reasoning"), "full")
