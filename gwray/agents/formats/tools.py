"""Native function calling: the provider's tool calls are the calls. The text is read when there are none, since servers
lose calls that a model did write."""

from __future__ import annotations

from typing import ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, tool_calls
from gwray.agents.formats.in_text import calls_in_words
from gwray.agents.formats.thinking import without_thinking
from gwray.records import Reply


class NativeTools(Format):
    """The action space's function tools."""

    templates: ClassVar = {"*": "call_tools.jinja", "computer_use": "computer_tools.jinja"}
    offers: ClassVar = "tools"

    def calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if reply.tool_calls:
            return tool_calls(reply) or NoCall("the tool call was cut off")
        if found := calls_in_words(reply):
            return found
        return NoCall("the reply calls no tool" if reply.text.strip() else "the reply is empty")

    def reasoning_of(self, reply: Reply) -> str:
        said, thought, _ = without_thinking(reply.text)
        return reply.reasoning or thought or said.strip()
