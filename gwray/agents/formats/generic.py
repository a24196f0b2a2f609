"""The plain JSON format: one object that names a control, or a raw action. Also the reader of last resort for
models that write their tool call into the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gwray.actions import Action
from gwray.agents.coordinates import Grid
from gwray.agents.formats.base import ControlCall, NoCall, Refused, was_cut
from gwray.agents.formats.loose_json import decode, objects
from gwray.agents.formats.verbs import raw_action
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


def named_call(value: Any, depth: int = 0) -> tuple[str, Any] | None:
    """Name and arguments of the first call in an object that looks like one."""
    if depth > 3:
        return None
    if isinstance(value, list):
        return next((c for v in value[:10] if (c := named_call(v, depth + 1))), None)
    if not isinstance(value, Mapping):
        return None
    fields = {str(k).strip().lower(): (k, v) for k, v in value.items()}
    for nest in _NESTED:
        if nest in fields and (inner := named_call(fields[nest][1], depth + 1)):
            return inner
    for key in _NAMES:
        if key not in fields:
            continue
        found = fields[key][1]
        if isinstance(found, Mapping | list):
            if inner := named_call(found, depth + 1):
                return inner
            continue
        if not isinstance(found, str) or not found.strip():
            continue
        for arg in _ARGUMENTS:
            if arg in fields:
                return found, fields[arg][1]
        return found, {k: v for name, (k, v) in fields.items() if name != key}
    return None


def call_in_text(text: str, *, cut: bool) -> tuple[str, Any] | None:
    """The first call that a text holds as JSON."""
    return next((c for o in objects(text, close=not cut) if (c := named_call(o))), None)


def as_arguments(value: Any) -> dict[str, Any] | None:
    """Arguments as a mapping, also when they were sent as a JSON string; None if they are neither."""
    if isinstance(value, str):
        value = decode(value) if value.strip() else {}
    if value is None:
        return {}
    return {str(k): v for k, v in value.items()} if isinstance(value, Mapping) else None


class GenericJson:
    """`{"action": "move_left"}`, `{"action": "reveal_cell", "arguments": {"cell": "c4"}}`,
    `{"action": "press_key", "key": "ArrowLeft", "duration_ms": 200}`."""

    def control(self, reply: Reply) -> ControlCall | NoCall | Refused:
        found = self._find(reply)
        return found if isinstance(found, NoCall) else ControlCall(*found)

    def raw(self, reply: Reply, grid: Grid) -> Action | NoCall | Refused:
        found = self._find(reply)
        if isinstance(found, NoCall):
            return found
        verb, arguments = found
        inner = as_arguments(arguments)
        if inner is None:
            return Refused(f"the arguments of '{verb[:60]}' are not an object")
        if verb.strip().lower() in ("computer", "computer_use") and isinstance(inner.get("action"), str):
            verb = inner.pop("action")
        return raw_action(verb, inner, grid)

    def thought(self, reply: Reply) -> str:
        after, thought, open_ = without_thinking(reply.text)
        said = after.split("{", 1)[0].replace("```json", "").replace("```", "").strip() if not open_ else ""
        return reply.reasoning or thought or said

    def _find(self, reply: Reply) -> tuple[str, Any] | NoCall:
        after, _, open_ = without_thinking(reply.text)
        if not open_ and (found := call_in_text(after, cut=was_cut(reply))):
            return found
        if reply.tool_calls:
            first = reply.tool_calls[0]
            return first.name, first.arguments
        if not reply.text.strip():
            return NoCall("the reply is empty")
        if open_ or was_cut(reply):
            return NoCall("the reply was cut off before its action was complete")
        return NoCall("there is no action in the reply")
