"""The exact text of prompts: files in `golden/` hold the prompts of models.

After a deliberate change of a template, which needs a new `PROTOCOL_VERSION`, regenerate them with
`GOLDEN=write pytest tests/agents/test_prompts.py` and read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from agents.conftest import VIEWPORT, Playing, context_at, observation, picture, small_game, space_at

from gwray.agents import Request
from gwray.agents.coordinates import Grid
from gwray.agents.formats import get_format
from gwray.agents.messages import Image, Text
from gwray.agents.prompts import system_prompt
from gwray.agents.spaces import get_space
from gwray.catalog import load_catalog, prompt_text
from gwray.records import Reply, ToolCall
from gwray.settings import AgentSpec, Durations, ImageGrid, ModelSpec

GOLDEN = Path(__file__).parent / "golden"
SECTIONS = ["# Game Rules", "# Role and Controls", "# Task Instruction", "# Output Format"]
GRIDS = {
    "uitars": ImageGrid(coordinates="resized", factor=28),
    "seed": ImageGrid(coordinates="thousand"),
    "qwen": ImageGrid(coordinates="thousand", factor=32),
}
CASES = [
    *((game, "semantic", f) for game in ("slide", "mines", "pair", "words") for f in ("tools", "json", "qwen", "seed")),
    *(
        (game, "computer_use", f)
        for game in ("slide", "flap", "mines", "words")
        for f in ("json", "qwen", "uitars", "seed", "native")
    ),
]


def prompt(
    game: str, interface: str, format_name: str, role: int = 0, per_reply: int = 1, durations: Durations = "fixed"
) -> str:
    """The prompt of a player; `native` is Claude's tool."""
    space = space_at(game, interface, GRIDS.get(format_name), role, durations)
    return system_prompt(context_at(game, role), space, get_format(format_name, "anthropic"), per_reply)


def same_as_golden(name: str, text: str) -> None:
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("game", "interface", "format_name"), CASES)
def test_prompt_equals_golden_file(game, interface, format_name):
    same_as_golden(f"{game}-{interface}-{format_name}", prompt(game, interface, format_name))


@pytest.mark.parametrize("format_name", ["json", "qwen", "uitars", "seed", "native", "tools"])
def test_durations_are_offered_only_where_they_are_free(format_name):
    fixed, free = (prompt("slide", "computer_use", format_name, durations=d) for d in ("fixed", "free"))
    assert "ms is the most" not in fixed and "2000 ms is the most" in free
    for word in ("duration_ms", "time", "seconds"):
        assert word not in fixed.replace("in time", "")
    tools = space_at("slide", "computer_use", durations="fixed").tools()
    assert not any("duration_ms" in t.parameters["properties"] for t in tools)


def test_prompt_of_second_role_equals_golden_file():
    same_as_golden("pair-semantic-tools-second", prompt("pair", "semantic", "tools", role=1))


def test_every_bundled_game_renders_in_every_format():
    games = list(load_catalog().games.values())
    assert games
    for game in games:
        for i, role in enumerate(game.roles):
            role_context = context_at(game, i)
            for interface, formats in (
                ("semantic", "tools json qwen seed"),
                ("computer_use", "json qwen uitars native tools"),
            ):
                space = get_space(interface)(role, game.viewport, Grid.from_spec(ImageGrid(), game.viewport))
                for name in formats.split():
                    text = system_prompt(role_context, space, get_format(name, "gemini"))
                    assert re.findall(r"^# .*$", text, re.MULTILINE) == SECTIONS
                    assert (
                        game.tasks[0].instruction.strip() in text
                        and prompt_text(role.description, keys=interface != "semantic") in text
                    )
                    for term in game.tasks[0].score:  # the evaluator's words are not the model's
                        assert not term.field or term.field not in text


async def rounds(agent: AgentSpec, count: int, game: str = "mines") -> Request:
    """Returns the request after some rounds, each with a different image."""
    playing = Playing(ModelSpec(name="m", provider="openai_chat", model_id="m"), agent, context_at(game))
    for step in range(count):
        call = ToolCall(name="reveal_cell", arguments={"cell": f"a{step + 1}"})
        seen = observation(step, picture(("red", "green", "blue", "white")[step]))
        await playing.turn(seen, Reply(reasoning=f"thought {step + 1}", tool_calls=(call,)))
    return await playing.request(observation(count, picture("black")))


def shape(request: Request) -> list[str]:
    (turn,) = request.turns
    return [f"<{p.hash[:4]}>" if isinstance(p, Image) else p.text for p in turn.parts]


def image_name(color: str) -> str:
    return f"<{Image(picture(color), 'image/jpeg', VIEWPORT).hash[:4]}>"


HISTORY = "Action history, oldest first (1):"
NOW = "The next picture is the screen as it is now; answer with one action."


async def test_memory_repeats_rounds_with_images_newest_last():
    assert shape(await rounds(AgentSpec(memory_rounds=2), 3)) == [
        "Action history, oldest first (2):\nStep 2.",
        image_name("green"),
        'Reasoning: thought 2\nAction: reveal_cell {"cell": "a2"}\nStep 3.',
        image_name("blue"),
        'Reasoning: thought 3\nAction: reveal_cell {"cell": "a3"}',
        f"Step 4. {NOW}",
        image_name("black"),
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"memory_format": "text"}, ['{H}\nStep 1.\nReasoning: thought 1\nAction: reveal_cell {"cell": "a1"}']),
        ({"memory_format": "images"}, ["{H}", "<red>"]),
        ({"memory_fields": ("action",)}, ['{H}\nAction: reveal_cell {"cell": "a1"}']),
        ({"memory_fields": ("screenshot", "action")}, ["{H}", "<red>", 'Action: reveal_cell {"cell": "a1"}']),
        ({"memory_fields": ("reasoning",)}, ["{H}\nReasoning: thought 1"]),
        ({"memory_fields": ("user_prompt",), "memory_format": "images"}, []),
    ],
)  # fmt: skip
async def test_memory_fields_and_format(changes, expected):
    found = shape(await rounds(AgentSpec(memory_rounds=1, **changes), 1))
    assert found[:-2] == [e.replace("<red>", image_name("red")).replace("{H}", HISTORY) for e in expected]


async def test_history_has_raw_input_as_the_model_wrote_it():
    model = ModelSpec(name="m", provider="openai_chat", model_id="m", computer_use_format="qwen")
    agent = AgentSpec(interface="computer_use", memory_rounds=1, memory_fields=("action",))
    playing = Playing(model, agent, context_at("slide"))
    call = '<tool_call>{"name": "computer_use", "arguments": {"action": "key", "keys": ["ArrowLeft"]}}</tool_call>'
    await playing.turn(observation(0), Reply(text=call))
    assert shape(await playing.request(observation(1)))[0] == (
        f'{HISTORY}\nAction: {{"action": "key", "keys": ["ArrowLeft"]}}'
    )


async def test_static_text_is_sent_once_however_long_the_history():
    short, long = await rounds(AgentSpec(), 0), await rounds(AgentSpec(memory_rounds=4), 4)
    assert short.system == long.system
    words = sum(len(p.text) for p in long.turns[0].parts if isinstance(p, Text))
    assert words < 600
    for line in long.system.splitlines():
        assert line == "" or all(line not in p.text for p in long.turns[0].parts if isinstance(p, Text))


async def test_memory_shortens_long_reasoning_and_invalid_steps():
    model = ModelSpec(name="m", provider="openai_chat", computer_use_format="json")
    playing = Playing(model, AgentSpec(interface="computer_use", memory_rounds=1, memory_format="text"))
    await playing.turn(observation(), Reply(text="no action", reasoning="because " * 5000))
    text = shape(await playing.request(observation(1)))[0]
    assert "Action: none (no_tool_call: there is no action in the reply)" in text
    assert len(text) < 2300


@pytest.mark.parametrize("text", ["You walk{ with keys.", "You walk}.", "You {walk{ fast}}."])
def test_unbalanced_braces_are_refused(text):
    game = small_game("slide")
    with pytest.raises(ValueError, match=r"unbalanced or nested braces"):
        game.roles[0].model_validate(game.roles[0].model_dump() | {"description": text})
    with pytest.raises(ValueError, match=r"unbalanced or nested braces"):
        game.model_validate(game.model_dump() | {"rules": text})
