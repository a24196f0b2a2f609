"""One reader of arguments: what is understood in one kind of text is understood in all, and nothing else changes."""

from __future__ import annotations

import json

import pytest
from agents.conftest import space_at
from agents.test_corpus import BY_FILE, GAMES, REPLIES, reader_of, reply_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gwray.agents.formats import get_format
from gwray.agents.formats.broken_json import INVISIBLE, decode_broken
from gwray.agents.reply_parser import REPAIRED, ReplyParser
from gwray.records import LoggedReply, Reply, ToolCall
from gwray.spec import ImageGrid

KINDS = {
    "JSON": lambda name, args: ("json", Reply(text=f'{{"action": "{name}", "arguments": {args}}}')),
    "tagged": lambda name, args: (
        "qwen",
        Reply(text=f'<tool_call>{{"name": "{name}", "arguments": {args}}}</tool_call>'),
    ),
    "tool": lambda name, args: ("tools", Reply(tool_calls=(ToolCall(name=name, arguments=args),))),
    "line": lambda name, args: ("uitars", Reply(text=f'Action: {{"action": "{name}", "arguments": {args}}}')),
}
SPELLINGS = [
    '{"cell": "c4"}', '{"cell": c4}', "{'cell': 'c4'}", "{“cell”： “c4”}", '{"cell"："c4"，}', '["c4"]',
    '{"why": "the "8" here", "cell": "c4"}', '{"ce\u200bll": "c4\ufeff"}', '{"cell": "c4" // here\n}',
    '{"cell": "\'c4\'"}',
    '{"cell": ["c4"]}',
]  # fmt: skip
NAMES = ["reveal_cell(c4)", "reveal_cell(cell='c4')", "reveal_cell c4", "reveal_cell: c4", "reveal_cell[c4]"]
KEYS = [
    "ArrowUp", "arrow_up", "Up", "KEY_UP", "Key.up", "Keys.ARROW_UP", "VK_UP", "K_UP", "pygame.K_UP", "XK_Up", "{UP}",
    "keyboard.Key.up", "GLFW_KEY_UP", "KEYCODE_DPAD_UP", "up arrow key", "UP_ARROW", "Qt.Key_Up",
]  # fmt: skip
POINTS = ["coordinate", "point", "point_2d", "coordinates", "position", "coords", "xy", "location", "click_point"]


def decide(fmt: str, game: str, interface: str, reply: Reply):
    space = space_at(game, interface, ImageGrid(coordinates="thousand"))
    return ReplyParser(space, get_format(fmt, "")).decide(reply)


@pytest.mark.parametrize("kind", KINDS)
def test_each_spelling_is_understood_in_each_kind_of_text(kind):
    for args in SPELLINGS:
        decision = decide(*_at(kind, "reveal_cell", args, "mines", "semantic"))
        assert [(a.x, a.y) for a in decision.actions] == [(500, 250)], (args, decision)
    for name in NAMES:
        decision = decide(*_at(kind, name, "{}", "mines", "semantic"))
        assert [(a.x, a.y) for a in decision.actions] == [(500, 250)], (name, decision)
    for name in POINTS:
        decision = decide(*_at(kind, "click", f'{{"{name}": [500, 500]}}', "slide", "computer_use"))
        assert [(a.x, a.y) for a in decision.actions] == [(640, 360)], (name, decision)
    for key in KEYS:
        decision = decide(*_at(kind, "press_key", f'{{"key": "{key}"}}', "slide", "computer_use"))
        assert [a.key for a in decision.actions] == ["ArrowUp"], (key, decision)


def _at(kind: str, name: str, args: str, game: str, interface: str):
    fmt, reply = KINDS[kind](name, args)
    return fmt, game, interface, reply


@pytest.mark.parametrize("line", [*NAMES, "reveal_cell（c4）", "reveal_cell（cell=‘c4’）"])
def test_each_call_is_understood_in_an_action_line_and_between_tags(line):
    for fmt, text in (("uitars", f"Thought: x\nAction: {line}"), ("qwen", f"<tool_call>{line}</tool_call>")):
        decision = decide(fmt, "mines", "semantic", Reply(text=text))
        assert [(a.x, a.y) for a in decision.actions] == [(500, 250)], decision


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=20), st.text('ab "“”,:{}[]', max_size=12), st.sampled_from('"“'))
def test_unescaped_quotes_never_change_another_value(why, inner, quote):
    """Whatever a reason holds, the action is the one that was written, or there is none."""
    close = "”" if quote == "“" else '"'
    reason = f"{why} {quote}{inner}{close} end".replace("\\", "")
    found = decode_broken(f'{{"reasoning": "{reason}", "action": "move_up"}}')
    assert found is None or found.get("action", "move_up") == "move_up"
    plain = json.dumps({"reasoning": INVISIBLE.sub("", why), "action": "move_up"}, ensure_ascii=False)
    assert decode_broken(plain) in (None, json.loads(plain))


@settings(max_examples=40, deadline=None)
@given(game=GAMES, reply=REPLIES, interface=st.sampled_from(["semantic", "computer_use"]))
def test_second_reading_never_changes_what_the_first_understood(game, reply, interface):
    for fmt in ("json", "qwen", "uitars", "tools"):
        check_readings(ReplyParser(space_at(game, interface), get_format(fmt, "")), reply)


def check_readings(reader: ReplyParser, reply: Reply) -> None:
    if "<gui_think" in reply.text:  # the first reading takes its thoughts for the answer
        return
    first = reader.decide(reply.model_copy(update={"reading": 1}))
    second = reader.decide(reply)
    if first.validity == "valid" and second.validity == "valid":
        assert second.actions == first.actions
    refused = "fractions" in second.reason or "several objects" in second.reason
    assert (second.actions == first.actions) or second.reason.startswith(REPAIRED) or refused
    assert second.actions[: len(first.actions)] == first.actions or refused


@pytest.mark.parametrize("file", BY_FILE)
def test_corpus_reply_keeps_the_action_of_its_first_reading(file):
    for group in BY_FILE[file]:
        for say, _ in group["replies"]:
            check_readings(reader_of(group), reply_of(say))


def test_a_logged_reply_keeps_its_reading():
    line = {"decision": 0, "role": "player", "words_hash": "", "at": "", "reply": {"text": '{"action": move_up}'}}
    old, new = LoggedReply.model_validate(line), LoggedReply(**{**line, "reply": Reply(text='{"action": move_up}')})
    assert LoggedReply.model_validate_json(new.model_dump_json()) == new
    assert "reading" not in old.reply.model_dump()
    assert [decide("json", "slide", "semantic", r.reply).validity for r in (old, new)] == ["no_tool_call", "valid"]
