"""Replies that reason first and end with a list: `{"actions": ["move_forward", "rotate_left", ""]}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents import MAX_CALLS, Call, GenericJson, NoCall, Refused, objects, split_thinking
from gwray.records import Reply

LIST = "actions"
_NAMES = ("type", "action", "name", "control")


class ActionList(GenericJson):
    """The last JSON object with a list of actions. An entry is the name of a control, an empty text (do nothing), or an
    object: `{"type": "left_stick", "duration": 500, "parameters": [0, 1]}`. Replies without such a list are read as in
    the format `json`."""

    templates: ClassVar = {"*": "stages.jinja"}
    guided: ClassVar = "none"

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        entries, _ = _last_list(reply)
        if entries is None:
            return super().parse_calls(reply)
        calls: list[Call | Refused] = [_call(entry) for entry in entries[:MAX_CALLS]]
        return calls or NoCall("the list of actions is empty")

    def parse_reasoning(self, reply: Reply) -> str:
        """Returns the stages as they were written; thinking only where there are none."""
        entries, before = _last_list(reply)
        written = before.replace("```json", "").replace("```", "").strip() if entries is not None else ""
        return written or super().parse_reasoning(reply)


def _last_list(reply: Reply) -> tuple[list[Any] | None, str]:
    """Returns the entries of the last list of actions, and the text before it; None if there is no list."""
    answer, _, _ = split_thinking(reply.text)
    entries, before = None, ""
    for found, start, _ in objects(answer, loose=False):
        if isinstance(given := found.get(LIST), list):
            entries, before = given, answer[:start]
    return entries, before


def _call(entry: Any) -> Call | Refused:
    if isinstance(entry, str):
        return Call(entry)
    if isinstance(entry, Mapping):
        given = {str(k).strip().lower(): v for k, v in entry.items()}
        name = next((k for k in _NAMES if isinstance(given.get(k), str)), "")
        if name:
            arguments = given.get("arguments", {k: v for k, v in given.items() if k != name})
            return Call(given[name], arguments)
    return Refused(f"an entry of '{LIST}' is the name of a control or an object with a type, not {entry!r:.60}")
