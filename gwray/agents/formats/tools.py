"""Native function calling: the provider's tool calls name the control. The text is read when there are none,
since servers lose calls that a model did write."""

from __future__ import annotations

from gwray.actions import Action
from gwray.agents.coordinates import Grid
from gwray.agents.formats.base import ControlCall, NoCall, Refused, was_cut
from gwray.agents.formats.generic import GenericJson, call_in_text, without_thinking
from gwray.records import Reply


class NativeTools:
    """Semantic controls as function tools. Raw actions have their own native formats (`native`)."""

    def control(self, reply: Reply) -> ControlCall | NoCall | Refused:
        if reply.tool_calls:
            first = reply.tool_calls[0]
            if was_cut(reply) and isinstance(first.arguments, str):
                return NoCall("the tool call was cut off")
            return ControlCall(first.name, first.arguments)
        after, _, open_ = without_thinking(reply.text)
        if (not open_ or "<tool_call>" in after) and (found := call_in_text(after, cut=was_cut(reply))):
            return ControlCall(*found)
        return NoCall("the reply calls no tool" if reply.text.strip() else "the reply is empty")

    def raw(self, reply: Reply, grid: Grid) -> Action | NoCall | Refused:
        return GenericJson().raw(reply, grid)

    def thought(self, reply: Reply) -> str:
        after, thought, _ = without_thinking(reply.text)
        return reply.reasoning or thought or after.strip()
