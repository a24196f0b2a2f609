"""Native function calling: the provider's tool calls are the calls. The text is read when there are none, since servers
lose calls that a model did write."""

from __future__ import annotations

from itertools import takewhile
from typing import ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, was_cut
from gwray.agents.formats.generic import calls_in_text, without_thinking
from gwray.records import Reply


class NativeTools(Format):
    """The action space's function tools."""

    templates: ClassVar = {"*": "call_tools.jinja", "computer_use": "computer_tools.jinja"}
    offers: ClassVar = "tools"

    def calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if reply.tool_calls:
            whole = takewhile(lambda c: not (was_cut(reply) and isinstance(c.arguments, str)), reply.tool_calls)
            return [Call(c.name, c.arguments) for c in whole] or NoCall("the tool call was cut off")
        after, _, open_ = without_thinking(reply.text)
        if (not open_ or "<tool_call>" in after) and (found := calls_in_text(after, cut=was_cut(reply))):
            return found
        return NoCall("the reply calls no tool" if reply.text.strip() else "the reply is empty")

    def reasoning_of(self, reply: Reply) -> str:
        after, thought, _ = without_thinking(reply.text)
        return reply.reasoning or thought or after.strip()
