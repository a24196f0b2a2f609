"""The plain JSON format: objects that name a control or a raw action."""

from __future__ import annotations

from typing import ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, tool_calls, was_cut
from gwray.agents.formats.in_text import calls_in_words
from gwray.agents.formats.thinking import without_thinking
from gwray.records import Reply


class GenericJson(Format):
    """`{"action": "move_left"}`, `{"action": "reveal_cell", "arguments": {"cell": "c4"}}`,
    `{"action": "press_key", "key": "ArrowLeft", "duration_ms": 200}`."""

    templates: ClassVar = {"*": "call_json.jinja", "computer_use": "computer_json.jinja"}

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if found := calls_in_words(reply) or tool_calls(reply):
            return found
        if not reply.text.strip():
            return NoCall("the reply is empty")
        if was_cut(reply) or without_thinking(reply.text)[2] == "end":
            return NoCall("the reply was cut off before its action was complete")
        return NoCall("there is no action in the reply")

    def parse_reasoning(self, reply: Reply) -> str:
        said, thought, _ = without_thinking(reply.text)
        words = said.split("{", 1)[0].replace("```json", "").replace("```", "").strip()
        return reply.reasoning or thought or words
