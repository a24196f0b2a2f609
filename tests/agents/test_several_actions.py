"""Several actions in one reply: the first ones are played in order, further ones are ignored and noted."""

from __future__ import annotations

import json

import jsonschema
import pytest
from agents.conftest import space_at

from gwray.agents.formats import get_format, loose_json
from gwray.agents.reply_parser import ReplyParser
from gwray.catalog import load_catalog
from gwray.records import PressKey, Reply, ToolCall

MOVES = ("move_up", "move_left", "move_down")
WRITTEN = {
    "json": Reply(text="\n".join(f'{{"action": "{m}", "arguments": {{}}}}' for m in MOVES)),
    "json in a list": Reply(text='{"actions": [' + ", ".join(f'{{"action": "{m}"}}' for m in MOVES) + "]}"),
    "qwen": Reply(text="".join(f'<tool_call>{{"name": "{m}", "arguments": {{}}}}</tool_call>\n' for m in MOVES)),
    "qwen in xml": Reply(text="".join(f"<tool_call><function={m}></function></tool_call>\n" for m in MOVES)),
    "uitars": Reply(text="Thought: up\n" + "\n".join(f"Action: {m}()" for m in MOVES)),
    "seed": Reply(text="Thought: up\nAction: " + "\n\n".join(f"{m}()" for m in MOVES)),
    "tools": Reply(tool_calls=tuple(ToolCall(name=m) for m in MOVES)),
}
EACH = pytest.mark.parametrize(("name", "reply"), [pytest.param(n.split()[0], r, id=n) for n, r in WRITTEN.items()])


def parser(format_name: str, game: str = "slide", interface: str = "semantic") -> ReplyParser:
    return ReplyParser(space_at(game, interface), get_format(format_name, "anthropic"))


@EACH
def test_every_format_reads_all_calls_in_their_order(name, reply):
    decision = parser(name).decide(reply, 3)
    assert decision.validity == "valid" and decision.controls == MOVES and decision.ignored == 0
    assert decision.actions == tuple(PressKey(key=k) for k in ("ArrowUp", "ArrowLeft", "ArrowDown"))
    assert decision.reason == "" and decision.reply == reply
    assert parser(name).describe(reply, decision) == "move_up; move_left; move_down"


@pytest.mark.parametrize("text", ['{{"actions": [{}]}}', '{{"actions": [{}]', "I {{think}}.\n{}"])
def test_long_list_of_json_calls_is_read_from_its_beginning(text):
    """Each call has two braces, so that the list has more of them than are tried in text that is not valid JSON."""
    calls = [*MOVES, *MOVES[:1] * 37]
    between = ", " if "actions" in text else "\n"
    reply = Reply(text=text.format(between.join(f'{{"action": "{m}", "arguments": {{}}}}' for m in calls)))
    decision = parser("json").decide(reply, 40)
    assert decision.controls == tuple(calls) and decision.validity == "valid" and decision.ignored == 0


@EACH
def test_calls_beyond_the_limit_are_ignored_noted_and_counted(name, reply):
    one, two = parser(name).decide(reply, 1), parser(name).decide(reply, 2)
    assert (one.controls, one.ignored, one.reason) == (MOVES[:1], 2, "2 further calls ignored")
    assert (two.controls, two.ignored, two.reason) == (MOVES[:2], 1, "1 further call ignored")
    assert one.validity == two.validity == "valid"


@pytest.mark.parametrize(
    ("names", "played", "ignored"),
    [
        (["up", "up", "a"], ["up", "up", "a"], 0),
        (["continue_dialog", "up", "a"], ["continue_dialog"], 2),
        (["up", "run_away", "a"], ["up"], 2),
        (["run_away"], ["run_away"], 0),
    ],
)
def test_control_that_stands_alone_shares_no_reply(names, played, ignored):
    """One tool, or up to five buttons."""
    game = load_catalog().game("p11_thistle-road")
    parse = ReplyParser(space_at(game), get_format("tools", "anthropic"))
    decision = parse.decide(Reply(tool_calls=tuple(ToolCall(name=n) for n in names)), 5)
    assert (list(decision.controls), decision.ignored, decision.validity) == (played, ignored, "valid")


def test_first_impossible_call_ends_the_list():
    names = ("move_up", "fly", "move_down", "move_left")
    reply = Reply(tool_calls=tuple(ToolCall(name=n) for n in names))
    decision = parser("tools").decide(reply, 3)
    assert decision.validity == "out_of_space" and decision.ignored == 1
    assert decision.actions == (PressKey(key="ArrowUp"),) and decision.controls == ("move_up", None)
    assert decision.reason.startswith("call 2: unknown control 'fly'") and "1 further call ignored" in decision.reason
    prompt_text = parser("tools").describe(reply, decision)
    assert prompt_text.startswith("move_up; none (out_of_space: call 2: unknown control 'fly'")


def test_cut_off_call_is_dropped_alone():
    complete = '{"action": "move_up"}\n'
    for name, reply in {
        "json": Reply(text=complete + '{"action": "move_le', finish_reason="length"),
        "uitars": Reply(text="Action: move_up()\nAction: move_left(why='it is", finish_reason="length"),
        "tools": Reply(
            tool_calls=(ToolCall(name="move_up"), ToolCall(name="move_left", arguments='{"a')), finish_reason="length"
        ),
    }.items():
        decision = parser(name).decide(reply, 3)
        assert (decision.validity, decision.controls, decision.ignored) == ("valid", ("move_up",), 0), name


@pytest.mark.parametrize("interface", ["semantic", "computer_use"])
def test_a_constrained_reply_holds_a_list_that_is_read_as_one(interface):
    space = space_at("slide", interface)
    validator = jsonschema.Draft202012Validator(space.schema(3))
    one = (
        {"action": "move_up"}
        if interface == "semantic"
        else {"action": "press_key", "key": "ArrowUp", "duration_ms": 9}
    )
    assert validator.is_valid({"actions": [one] * 3}) and not validator.is_valid({"actions": [one] * 4})
    assert not validator.is_valid({"actions": []}) and not validator.is_valid(one)
    answer_text = Reply(text=str({"actions": [one] * 3}).replace("'", '"'))
    assert len(parser("json", interface=interface).decide(answer_text, 3).actions) == 3


@pytest.mark.parametrize(("name", "reply"), [(n.split()[0], r) for n, r in WRITTEN.items() if n != "uitars"])
def test_reply_with_too_few_actions_is_impossible_where_the_number_is_exact(name, reply):
    few, right, more = (parser(name).decide(reply, n, exact=True) for n in (5, 3, 2))
    assert (few.validity, few.actions, few.steps) == ("out_of_space", (), 1)
    assert few.reason == "a reply needs exactly 5 actions, this one has 3"
    assert (right.validity, right.controls) == ("valid", MOVES) and (more.controls, more.ignored) == (MOVES[:2], 1)
    schema = space_at("slide", "semantic").schema(5, True)["properties"]["actions"]
    assert (schema["minItems"], schema["maxItems"]) == (5, 5)


def test_text_of_many_braces_is_not_read_from_each_of_them(monkeypatch):
    tried = []

    class Counting(json.JSONDecoder):
        def raw_decode(self, s, idx=0):
            tried.append(idx)
            return super().raw_decode(s, idx)

    monkeypatch.setattr(loose_json, "_DECODER", Counting())
    assert loose_json.json_objects("{" * 5000) == []
    assert len(tried) < 1000
