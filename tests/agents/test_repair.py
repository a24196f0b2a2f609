"""The repair of replies: its grammar, what it must not play, its cost, and what it does to the invalid action rate."""

from __future__ import annotations

import json
import time
from typing import Literal

import pytest
from agents.conftest import space_at
from agents.test_corpus import BY_FILE, GAMES, REPLIES, reader_of, reply_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gwray.agents.formats import get_format
from gwray.agents.reply_parser import REPAIRED, ReplyParser
from gwray.pipelines.outcome import totals_of
from gwray.records import Reply, StepRecord, ToolCall, non_defaults
from gwray.settings import AgentSpec, CellSpec, ModelSpec, ObservationSpec, TimingSpec, axes

TEXT_FORMATS = ["json", "qwen", "uitars", "tools", "sections"]
NAME, C4 = "reveal_cell", [(500, 250)]
FORMS = [
    '{"action": "reveal_cell", "cell": "c4",}', "{'action': 'reveal_cell', 'cell': 'c4'}",
    '{action: "reveal_cell", cell: "c4"} // safe', '{"action": "reveal_cell", /* safe */ "cell": "c4"}',
    '```json\n{"action": "reveal_cell", "cell": "c4"\n```', "{“action”： “reveal_cell”， “cell”： “c4”}",
    '{"reveal_cell": {"cell": "c4"}}', '{"action": "Reveal-Cell", "arguments": ["C-4"]}',
    "reveal_cell(c4)", 'Action: `revealCell(cell="c4")`', "```python\ngame.reveal_cell('c4')  # safe\n```",
    'reveal_cell({"cell": "c4"})', "<tool_call>reveal_cell(cell='c4')</tool_call>",
    '<tool_call>\n{"name": "reveal_cell", "arguments": {"cell": "c4"}\n</tool_call>',
    '<|python_tag|>{"name": "functions.reveal_cell", "parameters": {"cell": "c4"}}<|eom_id|>',
    '<function=reveal_cell>{"cell": "c4"}</function>',
    '<｜tool▁call▁begin｜>function<｜tool▁sep｜>reveal_cell\n```json\n{"cell": "c4"}\n```<｜tool▁call▁end｜>',
    '<TOOLCALL>[{"name": "reveal_cell", "arguments": {"cell": "c4"}}]</TOOLCALL>',
]  # fmt: skip
QUOTED_IN = ["I should never answer {}", "For example: {}", "Last turn I played {}", "{} was wrong.", "What about {}?",
             "Instead of {} I wait for you.", "Previous action: {}", "<history>{}</history>", "If a1 is a mine, {}",
             "~~{}~~", "Do not call {}", "Either {} or nothing.", "You can choose {}", "E.g.:\n\n{}",
             "{}\nNo, that is wrong.", "The format is:\n{}"]  # fmt: skip


def decide(fmt: str, reply: Reply | str, *, repair: bool = True, game: str = "mines", interface: str = "semantic"):
    reply = Reply(text=reply) if isinstance(reply, str) else reply
    return ReplyParser(space_at(game, interface), get_format(fmt, ""), repair=repair).decide(reply)


def points(decision):
    return [(a.x, a.y) for a in decision.actions]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fmt", ["json", "qwen", "uitars", "tools"])
def test_each_form_of_the_grammar_is_read_in_each_format(form, fmt):
    for around in ("{}", "The cell is safe.\n\n{}", "<think>Not flag_cell(a1).</think>\n{}", "{}\n"):
        assert points(decide(fmt, around.format(form) if "{}" in around else form)) == C4


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["reveal_cell('c4')", '{"action": "reveal_cell", "cell": "c4"}',
                        '<tool_call>{"name": "reveal_cell", "arguments": {"cell": "c4"}}</tool_call>']),
       st.sampled_from(QUOTED_IN), st.sampled_from(["json", "qwen", "uitars", "tools"]))  # fmt: skip
def test_quoted_negated_and_considered_calls_are_no_decisions(form, around, fmt):
    ends_in_declared_marks = form.startswith("<tool_call>") and fmt in ("qwen", "tools") and around.endswith("\n{}")
    assert points(decide(fmt, around.format(form))) == (C4 if ends_in_declared_marks else [])


NAMES = st.sampled_from(
    ["move_up", "move_left", "wait", "Action: ", "action: move_up", "Final answer: **move_up**", "reveal_cell c4",
     "write crane", "cell: c4", "tool: reveal_cell", "press ArrowUp", "click 500 500", "\n", " ", ",", '"', "`", ":"]
)  # fmt: skip
PROSE = st.one_of(st.text(max_size=80), st.lists(NAMES, max_size=8).map("".join)).map(
    lambda text: text.translate(dict.fromkeys(map(ord, "([{<（［｛＜﹙﹛﹝﹤⁽₍#＃")))
)


@settings(max_examples=300, deadline=None)
@given(text=PROSE, fmt=st.sampled_from(TEXT_FORMATS), game=GAMES)
@example(text="Action: wait", fmt="uitars", game="slide")
@example(text="move_up", fmt="json", game="slide")
def test_text_without_bracket_brace_tag_or_heading_plays_nothing(text, fmt, game):
    for interface in ("semantic", "computer_use"):
        assert decide(fmt, text, game=game, interface=interface).actions == ()


def test_call_that_only_resembles_a_control_is_not_played():
    for text in (
        '{"action": "reveal", "cell": "c4"}', '{"action": "open_cell", "cell": "c4"}', "reveal(c4)",
        '{"action": "reveal_cell", "position": "c4"}', '{"next_action": "reveal_cell", "cell": "c4"}', '{"a": {1}}',
    ):  # fmt: skip
        assert decide("json", text).actions == ()


@pytest.mark.parametrize("fmt", ["tools", "json", "qwen"])
def test_unknown_tool_with_a_parameter_named_action_is_invalid(fmt):
    for name, arguments in (
        ("play", {"action": "wait"}),
        ("computer_use", {"action": "wait"}),
        ("action", {"name": "wait"}),
    ):
        decision = decide(fmt, Reply(tool_calls=(ToolCall(name=name, arguments=arguments),)))
        assert (decision.validity, decision.actions) == ("out_of_space", ())
        text = json.dumps({"name": name, "arguments": arguments})
        assert decide(fmt, f"<tool_call>{text}</tool_call>").actions == ()
    call = ToolCall(name="browser_use", arguments={"action": "press_key", "key": "ArrowUp"})
    assert decide(fmt, Reply(tool_calls=(call,)), game="slide", interface="computer_use").validity == "out_of_space"


def test_repaired_reply_names_its_strict_validity():
    for text, strict in (
        ("reveal_cell(c4)", "no_tool_call"),
        ('{"action": "reveal_cell", "cell": ["c4"]}', "out_of_space"),
    ):
        repaired, refused = decide("json", text), decide("json", text, repair=False)
        assert (repaired.validity, repaired.repaired_from, points(repaired)) == ("valid", strict, C4)
        assert repaired.reason.startswith(REPAIRED)
        assert (refused.validity, refused.repaired_from, refused.actions) == (strict, "", ())
    read = decide("json", '{"action": "reveal_cell", "cell": "c4"}')
    assert (read.validity, read.repaired_from) == ("valid", "")


def check_repair(reader: ReplyParser, reply: Reply) -> None:
    strict = ReplyParser(reader.space, reader.format, repair=False).decide(reply)
    decision = reader.decide(reply)
    assert bool(decision.repaired_from) == decision.reason.startswith(REPAIRED)
    if decision != strict:
        assert decision.repaired_from == strict.validity != "valid"
        assert decision.validity == "valid"
        assert decision.actions[: len(strict.actions)] == strict.actions


@settings(max_examples=40, deadline=None)
@given(game=GAMES, reply=REPLIES, interface=st.sampled_from(["semantic", "computer_use"]))
def test_repair_never_changes_what_a_format_reads(game, reply, interface):
    for fmt in TEXT_FORMATS:
        check_repair(ReplyParser(space_at(game, interface), get_format(fmt, "")), reply)


@pytest.mark.parametrize("file", BY_FILE)
def test_corpus_reply_keeps_the_action_that_its_format_reads(file):
    for group in BY_FILE[file]:
        for say, *_ in group["replies"]:
            check_repair(reader_of(group), reply_of(say))


def test_repaired_replies_count_as_invalid_under_their_strict_kind():
    kinds: list[Literal["", "no_tool_call", "out_of_space"]] = ["", "no_tool_call", "out_of_space", "no_tool_call"]
    rows = [StepRecord(step=i, attempt=0, role="player", repaired_from=kind) for i, kind in enumerate(kinds)]
    rows.append(StepRecord(step=4, attempt=0, role="player", validity="out_of_space"))
    counted = totals_of(rows).fields()
    assert [counted[n] for n in ("proposals", "repaired", "no_tool_call", "out_of_space")] == [5, 3, 2, 2]


def test_repair_is_a_setting_of_the_cell():
    model = ModelSpec(name="m", provider="random")
    cell = CellSpec(model=model, agent=AgentSpec(), timing=TimingSpec(), observation=ObservationSpec())
    without = cell.model_copy(update={"agent": AgentSpec(repair=False)})
    assert axes(without) == {**axes(cell), "agent.repair": False}
    assert non_defaults(without) != non_defaults(cell), "another cell"


MEGABYTES = 5_000_000


@pytest.mark.parametrize("fmt", ["json", "uitars", "sections"])
@pytest.mark.parametrize(
    "piece",
    ["{", "[", "<", "'", "reveal_cell(", "</think>", "<think>", "<tool_call>", "\n", "{'a', ", "```", "### Actions\n"],
)
def test_long_reply_takes_less_than_a_second(fmt, piece):
    text = piece * (MEGABYTES // len(piece))
    for reply in (Reply(text=text), Reply(tool_calls=(ToolCall(name="computer", arguments=text),))):
        reader = ReplyParser(space_at("mines"), get_format(fmt, ""))
        begun = time.process_time()
        reader.decide(reply)
        assert time.process_time() - begun < 1.0
