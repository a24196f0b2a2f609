"""Every model × interface pair of the published table, through its real SDK, against the stand-in."""

from __future__ import annotations

import json

import pytest
from agents.conftest import Playing, context_at, observation
from standin import Say

from gwray.agents import Observation
from gwray.catalog import GameDefaults
from gwray.catalog.protocol import read_model
from gwray.errors import UsageError
from gwray.pipelines.game_defaults import sampled
from gwray.places import conf_files
from gwray.records import Action, Click, Drag, PressKey, PressKeys, Scroll, Type, Wait
from gwray.settings import ActionSpec, AgentSpec, ModelSpec

PAIRS = [
    ("claude-sonnet-4.6", "computer_use"),
    ("gemini-2.5-computer-use", "computer_use"),
    ("openai-computer-use", "computer_use"),
    ("qwen3-vl-plus", "computer_use"),
    ("seed-1.8", "computer_use"),
    ("qwen3-vl-235b-a22b", "computer_use"),
    ("qwen3-vl-30b-a3b", "computer_use"),
    ("ui-tars-1.5-7b", "computer_use"),
    ("claude-sonnet-4.6", "semantic"),
    ("gemini-3-flash-preview", "semantic"),
    ("glm-4.6v", "semantic"),
    ("gpt-5.2", "semantic"),
    ("grok-4.1-fast-reasoning", "semantic"),
    ("kimi-k2.5", "semantic"),
    ("qwen3-vl-plus", "semantic"),
    ("seed-1.8", "semantic"),
    ("qwen3-vl-235b-a22b", "semantic"),
    ("qwen3-vl-30b-a3b", "semantic"),
]


def qwen(name: str, arguments: object) -> Say:
    call = json.dumps({"name": name, "arguments": arguments})
    return Say(text=f"<think>I see the board.</think>\n<tool_call>\n{call}\n</tool_call>")


def uitars(action: str) -> Say:
    return Say(text=f"Thought: I see the board.\nAction: {action}")


def computer(**arguments: object) -> Say:
    return Say(calls=[("computer", arguments)], reasoning="I see the board.")


def function(name: str, **arguments: object) -> Say:
    return Say(calls=[(name, arguments)], reasoning="I see the board.")


LEFT, TAP = PressKey(key="ArrowLeft"), Click(x=640, y=360)
RAW: dict[str, list[tuple[str, Say, Action]]] = {
    "claude-sonnet-4.6": [
        ("slide", computer(action="key", text="Left"), LEFT),
        ("slide", computer(action="hold_key", text="left", duration=0.5), PressKey(key="ArrowLeft", duration_ms=500)),
        ("mines", computer(action="left_click", coordinate=[640, 360]), TAP),
        ("mines", computer(action="right_click", coordinate=[640, 360]), Click(x=640, y=360, button="right")),
        (
            "mines",
            computer(action="left_click_drag", start_coordinate=[10, 20], coordinate=[30, 40]),
            Drag(x=10, y=20, to_x=30, to_y=40),
        ),
        (
            "mines",
            computer(action="scroll", coordinate=[9, 9], scroll_direction="down", scroll_amount=2),
            Scroll(x=9, y=9, dy=200),
        ),
        ("mines", computer(action="wait", duration=1), Wait(duration_ms=1000)),
        ("words", computer(action="type", text="Crane\n"), Type(text="crane\n")),
    ],
    "gemini-2.5-computer-use": [
        ("slide", function("key_combination", keys="ArrowLeft"), LEFT),
        ("mines", function("click_at", x=500, y=500), TAP),
        (
            "mines",
            function("drag_and_drop", x=0, y=0, destination_x=500, destination_y=500),
            Drag(x=0, y=0, to_x=640, to_y=360),
        ),
        ("mines", function("scroll_at", x=500, y=500, direction="down", magnitude=100), Scroll(x=640, y=360, dy=72)),
        ("mines", function("wait_5_seconds"), Wait()),
        ("words", function("type_text_at", x=1, y=1, text="crane", press_enter=False), Type(text="crane")),
    ],
    "openai-computer-use": [
        ("slide", computer(type="keypress", keys=["LEFT"]), LEFT),
        ("mines", computer(type="click", x=640, y=360, button="left"), TAP),
        ("mines", computer(type="double_click", x=640, y=360), Click(x=640, y=360, count=2)),
        (
            "mines",
            computer(type="drag", path=[{"x": 1, "y": 2}, {"x": 5, "y": 5}, {"x": 9, "y": 9}]),
            Drag(x=1, y=2, to_x=9, to_y=9),
        ),
        ("mines", computer(type="scroll", x=5, y=6, scroll_x=0, scroll_y=300), Scroll(x=5, y=6, dy=300)),
        ("mines", computer(type="wait"), Wait()),
        ("words", computer(type="type", text="crane"), Type(text="crane")),
    ],
    "ui-tars-1.5-7b": [
        ("slide", uitars("hotkey(key='left')"), LEFT),
        # 1288×728 is what 1280×720 becomes in multiples of 28.
        ("mines", uitars("click(start_box='(644,364)')"), TAP),
        ("mines", uitars("right_single(point='<point>644 364</point>')"), Click(x=640, y=360, button="right")),
        ("words", uitars(r"type(content='crane\n')"), Type(text="crane\n")),
        ("slide", uitars("wait()"), Wait()),
    ],
    "seed-1.8": [
        ("slide", uitars("hotkey(key='left')"), LEFT),
        ("pair", uitars("hotkey(key='w d')"), PressKeys(keys=("w", "d"))),
        ("mines", uitars("click(point='<point>500 500</point>')"), TAP),
        (
            "mines",
            uitars("drag(start_point='<point>0 0</point>', end_point='<point>500 500</point>')"),
            Drag(x=0, y=0, to_x=640, to_y=360),
        ),
    ],
}
for _name in ("qwen3-vl-plus", "qwen3-vl-235b-a22b", "qwen3-vl-30b-a3b"):
    RAW[_name] = [
        ("slide", qwen("computer_use", {"action": "key", "keys": ["left"]}), LEFT),
        ("pair", qwen("computer_use", {"action": "key", "keys": ["w", "d"]}), PressKeys(keys=("w", "d"))),
        ("mines", qwen("computer_use", {"action": "left_click", "coordinate": [500, 500]}), TAP),
        (
            "mines",
            qwen("computer_use", {"action": "scroll", "coordinate": [500, 500], "pixels": -50}),
            Scroll(x=640, y=360, dy=50),
        ),
        ("mines", qwen("computer_use", {"action": "wait", "time": 1.5}), Wait(duration_ms=1500)),
        ("words", qwen("computer_use", {"action": "type", "text": "crane"}), Type(text="crane")),
    ]


def semantic_says(spec: ModelSpec) -> list[tuple[str, Say, Action, str]]:
    make = qwen if spec.semantic_format == "qwen" else (lambda name, arguments: function(name, **arguments))
    return [
        ("slide", make("move_left", {}), LEFT, "move_left"),
        ("mines", make("reveal_cell", {"cell": "c4"}), Click(x=500, y=250), "reveal_cell"),
        ("pair", make("jump_right", {}), PressKeys(keys=("w", "d")), "jump_right"),
        ("words", make("write", {"text": "crane"}), Type(text="crane"), "write"),
    ]


@pytest.mark.parametrize(("name", "interface"), PAIRS)
async def test_published_pair_plays_replies_in_native_format(name, interface, standin, profile, pool):
    spec = profile(name)
    cases = semantic_says(spec) if interface == "semantic" else [(*case, None) for case in RAW[name]]
    for game, say, expected, control in cases:
        free = context_at(game, action=ActionSpec(durations="free"))
        playing = Playing(spec, AgentSpec(interface=interface, memory_rounds=2), free, pool)
        standin.say(say, say)
        for step in range(2):  # the second request carries a history
            decision = await playing.turn(observation(step))
            assert (decision.validity, decision.actions) == ("valid", (expected,)), (say, decision)
            assert decision.controls == (control,)
        reply = decision.reply
        assert reply.usage.input == 1000 and reply.usage.cached == 200
        assert reply.usage.output == 50 and reply.usage.reasoning == 10
        assert reply.latency_ms > 0 and reply.requests == 1 and reply.served_model == "standin-1"
        assert reply.cost_usd is None if spec.self_hosted else reply.cost_usd and reply.cost_usd > 0
    assert standin.problems == []
    assert {s.session for s in standin.seen} == {"key"}


ORAK = (
    "llama-3.2-1b", "llama-3.2-3b", "qwen2.5-3b", "qwen2.5-7b", "minitron-4b", "minitron-8b", "llama-3.3-70b",
    "qwen2.5-72b", "gpt-4o-mini", "gpt-4o", "gpt-5", "o3-mini", "gemini-2.5-pro", "claude-3.7-sonnet", "deepseek-r1",
)  # fmt: skip
"""The models of Orak's main table."""
WARM = GameDefaults.model_validate({"sampling.temperature": 0.3, "sampling.models": "all"})


@pytest.mark.slow
async def test_orak_models_play_by_text(standin, profile, pool):
    """In the format of their profile and in sections, with and without a game's temperature and thinking level."""
    for name in ORAK:
        given = profile(name)
        assert given.pictures == (name in ("gpt-4o-mini", "gpt-4o", "gpt-5", "gemini-2.5-pro", "claude-3.7-sonnet"))
        specs = [given, given.model_copy(update={"semantic_format": "sections"})]
        specs += [given.with_thinking(level) for level in given.thinking]
        specs.append(sampled(given, WARM))
        for spec in specs:
            sections = Say(text="### Reasoning\nI see the board.\n### Actions\nmove_left")
            standin.say(sections if spec.semantic_format == "sections" else function("move_left"))
            playing = Playing(spec, AgentSpec(), context_at("slide"), pool, text_only=True)
            decision = await playing.turn(Observation(0, (), "The board is empty."))
            assert (decision.validity, decision.controls) == ("valid", ("move_left",)), (name, spec)
            assert decision.reply.cost_usd is None if spec.self_hosted else decision.reply.cost_usd, name
        wanted = given.sampling.temperature if name in ("gpt-5", "o3-mini", "deepseek-r1") else 0.3
        assert specs[-1].sampling.temperature == wanted, "their services take no temperature"
    assert standin.problems == []


def test_every_profile_loads_and_names_its_source():
    for name in conf_files("model"):
        spec = read_model(name)
        assert spec.name == name
        assert spec.source


def test_profiles_cover_published_table():
    declared = {(n, i) for n in {n for n, _ in PAIRS} for i in read_model(n).interfaces}
    assert declared == set(PAIRS)
    with pytest.raises(UsageError, match=r"cannot play interface 'computer_use'.*Allowed: semantic"):
        Playing(read_model("gpt-5.2"), AgentSpec(interface="computer_use"))


async def test_a_request_is_made_without_key_and_without_endpoint(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    playing = Playing(read_model("claude-sonnet-4.6"))
    assert (await playing.request(observation())).words_hash == (await playing.request(observation())).words_hash
