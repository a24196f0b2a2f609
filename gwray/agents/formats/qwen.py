"""Qwen's own format: `<think>…</think>` and then `<tool_call>{"name": …, "arguments": …}</tool_call>`.

For computer use the tool is `computer_use` and its `action` argument the verb.
"""

from __future__ import annotations

import re
from typing import ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, tool_calls, was_cut
from gwray.agents.formats.generic import calls_in_text, without_thinking
from gwray.records import Reply

_CALL = re.compile(r"<tool_calls?>(.*?)(?:</tool_calls?>|(?=<tool_calls?>)|\Z)", re.IGNORECASE | re.DOTALL)
_XML = re.compile(r"<function=\s*([\w.-]{1,64})\s*>(.*?)(</function>|\Z)", re.IGNORECASE | re.DOTALL)
_XML_PARAMETER = re.compile(r"<parameter=\s*(\w{1,64})\s*>(.*?)</parameter>", re.IGNORECASE | re.DOTALL)


class Qwen(Format):
    """`<tool_call>` JSON in the text; tool calls that the server took out of the text count when none is left."""

    templates: ClassVar = {"*": "call_qwen.jinja", "computer_use": "computer_qwen.jinja"}

    def calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        after, _, open_ = without_thinking(reply.text)
        cut = was_cut(reply)
        tagged = _CALL.findall(after)
        bodies = tagged or ([] if open_ else [after])
        found = [call for body in bodies for call in calls_in_text(body, cut=cut) or _xml_calls(body)]
        if found := found or tool_calls(reply):
            return found
        if tagged or open_ or cut:
            return NoCall("the reply was cut off before its tool call was complete")
        return NoCall("the reply has no tool call" if reply.text.strip() else "the reply is empty")

    def reasoning_of(self, reply: Reply) -> str:
        after, thought, open_ = without_thinking(reply.text)
        said = "" if open_ else re.split(r"<tool_call|\{", after, maxsplit=1)[0].strip()
        return reply.reasoning or thought or said


def _xml_calls(body: str) -> list[Call | Refused]:
    """The newer spelling: `<function=name><parameter=key>value</parameter></function>`."""
    finished = (m for m in _XML.finditer(body) if "<parameter" not in m[2] or m[3])
    return [Call(m[1], {k: v.strip() for k, v in _XML_PARAMETER.findall(m[2])}) for m in finished]
