"""Every reply of the corpus gives its expected decision, and no reply raises.

The corpus, `corpus/*.yaml`: replies as models make them, written for these tests; good, sloppy and hostile. A reply is
text, or a mapping of reply fields (calls: list of [name, arguments]). What it comes to is no_tool_call, out_of_space,
none (either of them), or the fields of the action (do: its kind), the semantic `control`, and how many further calls
were `ignored`. One rule for `unread`, the mark after an action: a person would read that action, but the grammar of the
repair has no such form, so the reply is invalid.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from agents.conftest import VIEWPORT, space_at
from hypothesis import given, settings
from hypothesis import strategies as st

from gwray.agents.base import Decision
from gwray.agents.calls import MAX_TEXT as MAX_READ
from gwray.agents.clients.base import Secret, stored_text, tool_call
from gwray.agents.formats import FORMATS, NATIVE, Format, get_format
from gwray.agents.legality import MAX_KEYS
from gwray.agents.reply_parser import ReplyParser
from gwray.catalog.controls import MAX_HOLD_MS, Role
from gwray.catalog.parameters import MAX_TEXT
from gwray.records import ACTION, Action, Reply, ToolCall, events
from gwray.settings import ImageGrid

FILES = sorted((Path(__file__).parent / "corpus").glob("*.yaml"))
BY_FILE = {f.stem: yaml.load(f.read_text(encoding="utf-8"), yaml.CSafeLoader) for f in FILES}
CORPUS = [group for groups in BY_FILE.values() for group in groups]


EACH_FORMAT = pytest.mark.parametrize(
    "found", [pytest.param(names.get(n)(), id=n) for names in (FORMATS, NATIVE) for n in names.builtin if n != "seed"]
)


def reply_of(say: Any) -> Reply:
    if isinstance(say, str):
        return Reply(text=say)
    calls = tuple(ToolCall(name=n, arguments=a) for n, a in say.get("calls", []))
    return Reply(tool_calls=calls, **{k: v for k, v in say.items() if k != "calls"})


def reader_of(group: dict[str, Any]) -> ReplyParser:
    found = get_format(group["format"], group.get("provider", ""))
    image = ImageGrid(**group.get("image", {}))
    space = space_at(group["game"], group["interface"], image, durations=group.get("durations", "free"))
    return ReplyParser(space, found)


def test_the_corpus_is_large_and_has_every_outcome():
    outcomes = Counter(e if isinstance(e, str) else "valid" for g in CORPUS for _, e, *_ in g["replies"])
    assert sum(outcomes.values()) >= 2000
    assert min(outcomes[o] for o in ("valid", "no_tool_call", "out_of_space")) >= 90


def outcome_of(decision: Decision, expected: Any) -> Any:
    """A decision in the words of the corpus: its validity, or the values of the expected fields."""
    if isinstance(expected, str) or decision.validity != "valid":
        assert decision.validity == "valid" or (decision.actions == () and decision.reason)
        return "none" if expected == "none" and decision.validity != "valid" else decision.validity
    (action,), (control,) = decision.actions, decision.controls
    found = {**json.loads(action.model_dump_json()), "control": control, "ignored": decision.ignored}
    found["do"] = found.pop("action")
    return {k: found.get(k) for k in expected}


@pytest.mark.parametrize("file", BY_FILE)
def test_corpus_reply_gives_expected_decision(file):
    wrong = []
    for group in BY_FILE[file]:
        reader = reader_of(group)
        for say, meant, *unread in group["replies"]:
            assert unread in ([], ["unread"])
            expected = "none" if unread else meant
            decision = reader.decide(reply_of(say))
            if (outcome := outcome_of(decision, expected)) != expected:
                wrong.append((group["group"], say, expected, outcome, decision))
    assert wrong == []


def assert_sound(decision: Decision, role: Role) -> None:
    """Any reply gives legal actions or a reason."""
    assert decision.validity in ("valid", "no_tool_call", "out_of_space")
    assert len(decision.reason) < 500 * (1 + len(decision.actions))
    assert decision.reason.encode() or decision.validity == "valid", "files and requests can hold it"
    assert decision.actions or decision.validity != "valid"
    for action in decision.actions:
        assert_allowed(action, role)


def assert_allowed(action: Action, role: Role) -> None:
    assert ACTION.validate_json(action.model_dump_json()) == action
    keys = {" ": "Space", "\n": "Enter", "\t": "Tab"}
    lasts = 0.0
    for event in events(action, role.hold_ms):
        lasts = max(lasts, event.at_ms)
        if event.key is not None:
            assert keys.get(event.key, event.key) in role.keys
        if event.x is not None and event.y is not None:
            assert role.clicks and 0 <= event.x < VIEWPORT[0] and 0 <= event.y < VIEWPORT[1]
    assert 0 < lasts <= max(MAX_HOLD_MS, 100 * MAX_TEXT)
    assert len(getattr(action, "keys", ())) <= MAX_KEYS


NO_KEY = Secret("")
SNIPPETS = st.sampled_from(
    [
        *'{}[]"\'\\,:()<>=|+- \n\t\0',
        "<think>", "</think>", "<tool_call>", "</tool_call>", "```json", "```", "Action:", "Thought:", "<point>",
        "</point>", "<|box_start|>", "<function=", "<parameter=cell>", '"action"', '"arguments"', '"name"', "action",
        "computer_use", "left_click", "press_key", "coordinate", "start_box", "click(", "hotkey(key='", "type(content=",
        "drag", "scroll", "wait", "reveal_cell", "write", "cell", "a1", "text", "keys", "up", "Space", "NaN", "1e999",
        "-1", "0", "500", "true", "null", "\ud800", "é", "，", "：", "１", "🂡",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(SNIPPETS, max_size=40).map("".join))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.integers(0, 999).map(str) | TEXTS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["action", "type", "x", "y", "coordinate", "keys", "key", "text", "cell", "duration", "path", "pixels",
             "button", "count", "direction", "arguments", "to_x", "to_y", "start_coordinate", "name", "amount"]
        ) | TEXTS,
        inner, max_size=6,
    ),
    max_leaves=12,
)  # fmt: skip
VERBS = st.sampled_from(
    ["click", "left_click", "drag", "scroll", "type", "key", "press_keys", "wait", "click_at", "mouse_move", "hscroll",
     "reveal_cell", "write", "computer", "computer_use", "scroll_document", "type_text_at", "click_hold"]
)  # fmt: skip
ARGUMENTS = st.dictionaries(st.text(max_size=8), JSON, max_size=4) | st.fixed_dictionaries(
    {"action": VERBS}, optional={k: JSON for k in ("coordinate", "keys", "text", "duration", "x", "y", "pixels")}
)
CALLS = st.builds(lambda name, arguments: tool_call(name, arguments, NO_KEY), VERBS | TEXTS, ARGUMENTS | TEXTS)
JSON_TEXTS = st.builds(
    lambda verb, args, tag: tag.format(json.dumps({**args, "action": verb}, default=str)),
    VERBS,
    ARGUMENTS,
    st.sampled_from(["{}", "<tool_call>{}</tool_call>", "```json\n{}\n```", "Action: {}"]),
)
REPLIES = st.builds(
    Reply,
    text=(TEXTS | JSON_TEXTS).map(lambda t: stored_text(t, NO_KEY)),
    tool_calls=st.lists(CALLS, max_size=4).map(tuple),
    finish_reason=st.sampled_from(["stop", "length", ""]),
)
GRIDS = st.sampled_from([ImageGrid(), ImageGrid(coordinates="thousand"), ImageGrid(coordinates="resized", factor=28)])


def check_any_reply(game: str, found: Format, reply: Reply, image: ImageGrid) -> None:
    for interface in ("semantic", "computer_use"):
        reader = ReplyParser(space_at(game, interface, image), found)
        for per_reply in (1, 3):
            decision = reader.decide(reply, per_reply)
            assert_sound(decision, reader.space.role)
            assert len(decision.actions) <= per_reply
            assert reader.decide(Reply.model_validate_json(reply.model_dump_json()), per_reply) == decision
            assert isinstance(reader.describe(reply, decision).encode(), bytes)
        assert isinstance(found.parse_reasoning(reply), str)


GAMES = st.sampled_from(["slide", "flap", "mines", "words"])


@EACH_FORMAT
@settings(max_examples=15, deadline=None)
@given(game=GAMES, reply=REPLIES, image=GRIDS)
def test_no_reply_raises_and_all_actions_are_legal(found, game, reply, image):
    check_any_reply(game, found, reply, image)


def mutated(text: str, draw: random.Random) -> str:
    """A reply as it may come out when something goes wrong on the way: cut, doubled, shuffled, with noise."""
    for _ in range(draw.randint(1, 4)):
        a, b = sorted((draw.randint(0, len(text)), draw.randint(0, len(text))))
        piece = draw.choice(["", text[a:b] * 2, text[a:b][::-1], draw.choice("{}[]()<>\"',:\\\n0 =|")])
        text = text[:a] + piece + text[b if draw.random() < 0.5 else a :]
    return text


@pytest.mark.slow
def test_mutations_of_the_corpus_raise_nothing():
    draw = random.Random(7)
    readers = [(reader_of(g), [s for s, *_ in g["replies"]]) for g in CORPUS]
    for _ in range(6_000):
        reader, says = draw.choice(readers)
        say = reply_of(draw.choice(says))
        calls = [tool_call(c.name, mutated(json.dumps(c.arguments), draw), NO_KEY) for c in say.tool_calls]
        reply = say.model_copy(update={"text": mutated(say.text, draw), "tool_calls": tuple(calls)})
        decision = reader.decide(reply)
        assert_sound(decision, reader.space.role)


HALF = "\\ud83d"
"""Half of a surrogate pair, as JSON spells it."""


@pytest.mark.parametrize(
    "text",
    [
        f'{{"action": "{HALF}"}}',
        f'{{"action": "type", "text": "{HALF}"}}',
        f'{{"action": "press_key", "key": "{HALF}"}}',
        f'{{"action": "reveal_cell", "arguments": {{"cell": "a1", "why": "{HALF}"}}}}',
    ],
)
def test_lone_surrogates_reach_neither_reason_nor_memory(text):
    for game in ("mines", "words"):
        check_any_reply(game, get_format("json", ""), Reply(text=text), ImageGrid())


@pytest.mark.slow
@EACH_FORMAT
@settings(max_examples=500, deadline=None)
@given(game=GAMES, reply=REPLIES, image=GRIDS)
@pytest.mark.whole
def test_a_long_search_finds_no_reply_that_raises(found, game, reply, image):
    check_any_reply(game, found, reply, image)


@EACH_FORMAT
def test_only_the_end_of_a_reply_is_read_for_calls(found):
    call = '{"action": "click", "x": 5, "y": 5}\n'
    for text in (call + "-" * MAX_READ, "-" * MAX_READ + "<think>" * 9 + call * 2000 + "-" * MAX_READ):
        assert ReplyParser(space_at("words", "computer_use"), found).decide(Reply(text=text)).validity != "valid"


@EACH_FORMAT
@pytest.mark.timeout(200)  # quadratic parsing takes minutes
def test_hostile_replies_are_parsed_in_linear_time(found):
    for text in (
        "{" * 60_000,
        "[" * 60_000,
        '{"action":' * 6000,
        "<tool_call>" * 6000,
        "Action: click(" * 4000,
        "Action: type(content='" + "\\'" * 30_000,
        '{"a": "' + "\\" * 60_000,
        "1" * 64_000,
        '{"action": "click", "x": ' + "9" * 20_000 + "}",
        "<think>" * 9000,
        "Action: click(start_box='" + "1 " * 30_000 + "')",
        "{'a'" * 15_000,
        "<" * 60_000,
        '{"action": "click", "coordinate": ' + "[" * 900 + "]" * 900 + "}",
        '{"action": "press_keys", "keys": ' + "[" * 900 + '"a"' + "]" * 900 + "}",
    ):
        reply = Reply(text=text, tool_calls=(ToolCall(name="computer", arguments=text),))
        for say in (reply, Reply(text=text)):
            for interface in ("semantic", "computer_use"):
                ReplyParser(space_at("words", interface), found).decide(say)
            found.parse_reasoning(say)
