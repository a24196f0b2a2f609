"""The plain JSON format: objects that name a control or a raw action. Also the reader of last resort for models that
write their tool calls into the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, tool_calls, was_cut
from gwray.agents.formats.loose_json import objects
from gwray.records import Reply

_NAMES = ("action", "tool_name", "tool_id", "name", "tool", "control", "function", "action_type", "type")
_ARGUMENTS = ("arguments", "args", "parameters", "params", "action_input", "tool_input", "input", "tool_args")
_NESTED = ("tool_calls", "tool_call", "function_call", "actions")
_THINK_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINK_START = re.compile(r"<think(?:ing)?>", re.IGNORECASE)


def without_thinking(text: str) -> tuple[str, str, bool]:
    """A text split into what follows its thinking, the thinking, and whether the thinking was left open."""
    ends = list(_THINK_END.finditer(text))
    if ends:
        thought = _THINK_START.sub("", text[: ends[-1].start()])
        return text[ends[-1].end() :], thought.strip(), False
    start = _THINK_START.search(text)
    if start:
        return text[start.end() :], text[start.end() :].strip(), True
    return text, "", False


def named_calls(value: Any, depth: int = 0) -> Iterator[Call]:
    """The calls in an object that looks like one, or like several."""
    if depth > 3:
        return
    if isinstance(value, list):
        for v in value[:10]:
            yield from named_calls(v, depth + 1)
    if not isinstance(value, Mapping):
        return
    fields = {str(k).strip().lower(): (k, v) for k, v in value.items()}
    for nest in _NESTED:
        if nest in fields and (inner := list(named_calls(fields[nest][1], depth + 1))):
            yield from inner
            return
    for key in _NAMES:
        if key not in fields:
            continue
        found = fields[key][1]
        if isinstance(found, Mapping | list):
            if inner := list(named_calls(found, depth + 1)):
                yield from inner
                return
            continue
        if not isinstance(found, str) or not found.strip():
            continue
        own = {k: v for name, (k, v) in fields.items() if name != key}
        yield Call(found, next((fields[arg][1] for arg in _ARGUMENTS if arg in fields), own))
        return


def calls_in_text(text: str, *, cut: bool) -> list[Call | Refused]:
    """The calls that a text holds as JSON."""
    return [call for found in objects(text, close=not cut) for call in named_calls(found)]


class GenericJson(Format):
    """`{"action": "move_left"}`, `{"action": "reveal_cell", "arguments": {"cell": "c4"}}`,
    `{"action": "press_key", "key": "ArrowLeft", "duration_ms": 200}`."""

    templates: ClassVar = {"*": "call_json.jinja", "computer_use": "computer_json.jinja"}

    def calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        after, _, open_ = without_thinking(reply.text)
        found = [] if open_ else calls_in_text(after, cut=was_cut(reply))
        if found := found or tool_calls(reply):
            return found
        if not reply.text.strip():
            return NoCall("the reply is empty")
        if open_ or was_cut(reply):
            return NoCall("the reply was cut off before its action was complete")
        return NoCall("there is no action in the reply")

    def reasoning_of(self, reply: Reply) -> str:
        after, thought, open_ = without_thinking(reply.text)
        said = after.split("{", 1)[0].replace("```json", "").replace("```", "").strip() if not open_ else ""
        return reply.reasoning or thought or said
