"""Qwen's own format: `<think>…</think>` and then one `<tool_call>{"name": …, "arguments": …}</tool_call>`.

For computer use the tool is `computer_use` and its `action` argument the verb.
"""

from __future__ import annotations

import re

from gwray.actions import Action
from gwray.agents.coordinates import Grid
from gwray.agents.formats.base import ControlCall, NoCall, Refused, was_cut
from gwray.agents.formats.generic import as_arguments, call_in_text, without_thinking
from gwray.agents.formats.verbs import raw_action
from gwray.records import Reply

_CALL = re.compile(r"<tool_calls?>(.*?)(?:</tool_calls?>|(?=<tool_calls?>)|\Z)", re.IGNORECASE | re.DOTALL)
_XML = re.compile(r"<function=\s*([\w.-]{1,64})\s*>(.*?)(</function>|\Z)", re.IGNORECASE | re.DOTALL)
_XML_PARAMETER = re.compile(r"<parameter=\s*(\w{1,64})\s*>(.*?)</parameter>", re.IGNORECASE | re.DOTALL)


class Qwen:
    """`<tool_call>` JSON in the text; tool calls that the server took out of the text count when none is left."""

    def control(self, reply: Reply) -> ControlCall | NoCall | Refused:
        found = self._find(reply)
        return found if isinstance(found, NoCall) else ControlCall(*found)

    def raw(self, reply: Reply, grid: Grid) -> Action | NoCall | Refused:
        found = self._find(reply)
        if isinstance(found, NoCall):
            return found
        name, value = found
        arguments = as_arguments(value)
        if arguments is None:
            return Refused("the arguments of the call are not an object")
        if name.strip().lower() in ("computer_use", "computer"):
            verb = arguments.pop("action", None)
            if not isinstance(verb, str):
                return Refused("the call of computer_use names no action")
            name = verb
        return raw_action(name, arguments, grid)

    def thought(self, reply: Reply) -> str:
        after, thought, open_ = without_thinking(reply.text)
        said = "" if open_ else re.split(r"<tool_call|\{", after, maxsplit=1)[0].strip()
        return reply.reasoning or thought or said

    def _find(self, reply: Reply) -> tuple[str, object] | NoCall:
        after, _, open_ = without_thinking(reply.text)
        cut = was_cut(reply)
        tagged = _CALL.findall(after)
        for body in tagged:
            if found := call_in_text(body, cut=cut):
                return found
            if found := _xml_call(body):
                return found
        if not tagged and not open_ and ((found := call_in_text(after, cut=cut)) or (found := _xml_call(after))):
            return found
        if reply.tool_calls:
            return reply.tool_calls[0].name, reply.tool_calls[0].arguments
        if tagged or open_ or cut:
            return NoCall("the reply was cut off before its tool call was complete")
        return NoCall("the reply has no tool call" if reply.text.strip() else "the reply is empty")


def _xml_call(body: str) -> tuple[str, dict[str, str]] | None:
    """The newer spelling: `<function=name><parameter=key>value</parameter></function>`."""
    found = _XML.search(body)
    if found is None or ("<parameter" in found[2] and not found[3]):
        return None
    return found[1], {k: v.strip() for k, v in _XML_PARAMETER.findall(found[2])}
