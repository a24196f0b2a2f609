"""Qwen's own format: `<think>…</think>` and then `<tool_call>{"name": …, "arguments": …}</tool_call>`.

For computer use the tool is `computer_use` and its `action` argument the verb.
"""

from __future__ import annotations

import re
from typing import ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, tool_calls, was_cut
from gwray.agents.formats.in_text import calls_in_words
from gwray.agents.formats.thinking import without_thinking
from gwray.records import Reply


class Qwen(Format):
    """`<tool_call>` JSON in the text; tool calls that the server took out of the text count when none is left."""

    templates: ClassVar = {"*": "call_qwen.jinja", "computer_use": "computer_qwen.jinja"}

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if found := calls_in_words(reply) or tool_calls(reply):
            return found
        said, _, missing = without_thinking(reply.text)
        if missing == "end" or was_cut(reply) or "<tool_call" in said:
            return NoCall("the reply was cut off before its tool call was complete")
        return NoCall("the reply has no tool call" if reply.text.strip() else "the reply is empty")

    def parse_reasoning(self, reply: Reply) -> str:
        said, thought, _ = without_thinking(reply.text)
        return reply.reasoning or thought or re.split(r"<tool_call|\{", said, maxsplit=1)[0].strip()
