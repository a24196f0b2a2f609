"""The repair path: what is understood in one kind of text is understood in all, and what a format reads stays as it is
unless the model quotes it."""

from __future__ import annotations

import json

import pytest
from agents.conftest import space_at
from agents.test_corpus import BY_FILE, GAMES, REPLIES, reader_of, reply_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gwray.agents.formats import get_format
from gwray.agents.formats.answers import without_asides
from gwray.agents.formats.broken_json import INVISIBLE, decode_broken
from gwray.agents.reply_parser import QUOTED, REPAIRED, ReplyParser
from gwray.agents.spaces.repair import spelled
from gwray.catalog.parameters import NumberParameter
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
def test_repair_never_changes_what_a_format_reads(game, reply, interface):
    for fmt in ("json", "qwen", "uitars", "tools"):
        check_repair(ReplyParser(space_at(game, interface), get_format(fmt, "")), reply)


def check_repair(reader: ReplyParser, reply: Reply) -> None:
    strict = reader.decide(reply.model_copy(update={"reading": 1}))
    decision = reader.decide(reply)
    assert bool(decision.repairs) == decision.reason.startswith(REPAIRED)
    if strict.validity == "valid" and decision.actions != strict.actions and without_asides(reply) == reply:
        refused = (
            "fractions",
            "placeholder",
            "several objects",
            QUOTED,
            REPAIRED,
        )  # repaired: another call, because this one is quoted
        assert any(words in decision.reason for words in refused), decision


@pytest.mark.parametrize("file", BY_FILE)
def test_corpus_reply_keeps_the_action_that_its_format_reads(file):
    for group in BY_FILE[file]:
        for say, _ in group["replies"]:
            check_repair(reader_of(group), reply_of(say))


NAME = "reveal_cell"
CELLS = st.tuples(st.sampled_from("abcdefghi"), st.integers(1, 9))
SPELLED_CELLS = ["{0}{1}", "{0}-{1}", "{0} {1}", "({0},{1})", "{0}_{1}", "cell {0}{1}", "position: {0}{1}",
                 "column {0}, row {1}", "row {1}, column {0}"]  # fmt: skip
FORMS = {
    "call": ["{n}({a!r})", "{n}(cell={a!r})", "[{n}(cell={a!r})]", "print(game.{n}({a!r}))", "Final answer: {n}({a!r})",
             "<|python_tag|>{n}.call(cell={a!r})", "```tool_code\n{n}(cell={a!r})\n```", "\\boxed{{{n}({a!r})}}"],
    "object": ['{{"{n}": {{"cell": "{a}"}}}}', '{n}: {{"cell": "{a}"}}', ">>>{n}\n{{'cell': '{a}'}}",
               '[TOOL_CALLS]{n}[ARGS]{{"cell": "{a}"}}', '<function={n}>{{"cell": "{a}"}}</function>',
               'to=functions.{n} <|message|>{{"cell": "{a}"}}<|call|>', '{{"next_action": "{n}", "cell": "{a}"}}',
               'Action: {n}\nAction Input: {{"cell": "{a}"}}', '<tool name="{n}">{{"cell": "{a}"}}</tool>'],
    "fields": ['<{n} cell="{a}"/>', "<{n}><cell>{a}</cell></{n}>", "action: {n}\ncell: '{a}'",
               "**Action:** {n}\n**Cell:** '{a}'",
               '<x:invoke name="{n}"><x:parameter name="cell">{a}</x:parameter></x:invoke>',
               "<tool_call>{n}<arg_key>cell</arg_key><arg_value>{a}</arg_value></tool_call>"],
    "words": ["{n} {a}", "**{n} {a}**", "Action: {n} {a}", "<answer>{n} {a}</answer>"],
}  # fmt: skip
ALL_FORMS = [form for forms in FORMS.values() for form in forms]
AROUND = ["{}", "The cell is safe.\n\n{}", "<think>Not flag_cell(a1).</think>{}", "Thought: flag_cell(a1)?\n{}",
          "I flagged a1 with flag_cell(a1) last turn. Now:\n{}", "{}<|im_end|>"]  # fmt: skip
QUOTED_IN = ["I should never answer {}", "For example: {}", "Last turn I played {}", "{} was wrong.", "What about {}?",
             "Instead of {} I wait for you.", "Previous action: {}", "<history>{}</history>", "If a1 is a mine, {}",
             "~~{}~~", "Do not call {}", "Either {} or nothing.", "You can choose {}"]  # fmt: skip


def texts_of(cell: tuple[str, int], spelling: str, form: str) -> str:
    return form.format(n=NAME, a=spelling.format(*cell))


@settings(max_examples=300, deadline=None)
@given(CELLS, st.sampled_from(SPELLED_CELLS), st.sampled_from(ALL_FORMS), st.sampled_from(AROUND),
       st.sampled_from(["json", "qwen", "uitars", "tools"]))  # fmt: skip
def test_each_form_is_read_in_each_format_and_surrounding(cell, spelling, form, around, fmt):
    text = around.format(texts_of(cell, spelling, form))
    decision = decide(fmt, "mines", "semantic", Reply(text=text))
    assert [(a.x, a.y) for a in decision.actions] == [(400 + 50 * "abcdefghi".index(cell[0]), 50 + 50 * cell[1])], text


@settings(max_examples=300, deadline=None)
@given(CELLS, st.sampled_from([*FORMS["call"][:2], '{{"action": "{n}", "cell": "{a}"}}']), st.sampled_from(QUOTED_IN),
       st.sampled_from(["json", "qwen", "uitars", "tools"]))  # fmt: skip
def test_quoted_negated_and_past_calls_are_no_decisions(cell, form, around, fmt):
    text = around.format(texts_of(cell, "{0}{1}", form))
    assert decide(fmt, "mines", "semantic", Reply(text=text)).actions == (), text


@settings(max_examples=150, deadline=None)
@given(CELLS, CELLS, st.sampled_from(ALL_FORMS), st.sampled_from([" or ", "\n", "\nor\n", " ", "; then "]))
def test_two_different_calls_are_never_merged_or_guessed(one, other, form, between):
    """Of two calls the first one is played, as one of a list, or none is."""
    text = between.join(texts_of(cell, "{0}{1}", form) for cell in (one, other))
    decision = decide("json", "mines", "semantic", Reply(text=text))
    assert [(a.x, a.y) for a in decision.actions] in (
        [], [(400 + 50 * "abcdefghi".index(one[0]), 50 + 50 * one[1])]
    ), text  # fmt: skip


@pytest.mark.parametrize(
    "parameter, written, value",
    [("x", "−0.5", "-0.5"), ("x", "0,5", "0.5"), ("x", "1,000", "1,000"), ("x", "0.5°", "0.5"), ("x", "x1", "x1"),
     ("ms", "0.5s", "500.0"), ("ms", "0,5 s", "500.0"), ("ms", "300 ms", "300.0"), ("ms", "0.5 min", "0.5 min")],
)  # fmt: skip
def test_numbers_with_units_and_typographic_signs_are_spelled_out(parameter, written, value):
    assert spelled(written, NumberParameter(type="number", minimum=-1, maximum=2000), parameter) == value


def test_a_logged_reply_keeps_its_reading():
    line = {"decision": 0, "role": "player", "words_hash": "", "at": "", "reply": {"text": '{"action": move_up}'}}
    old, new = LoggedReply.model_validate(line), LoggedReply(**{**line, "reply": Reply(text='{"action": move_up}')})
    assert LoggedReply.model_validate_json(new.model_dump_json()) == new
    assert "reading" not in old.reply.model_dump()
    assert [decide("json", "slide", "semantic", r.reply).validity for r in (old, new)] == ["no_tool_call", "valid"]
