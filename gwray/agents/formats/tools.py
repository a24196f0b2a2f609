"""Native function calling: the provider's tool calls are the calls. The text is read when there are none, since servers
lose calls that a model did write."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, tool_calls
from gwray.agents.formats.in_text import calls_in_words
from gwray.agents.formats.loose_json import as_arguments
from gwray.agents.formats.thinking import without_thinking
from gwray.agents.messages import Tool
from gwray.records import Reply

REASONING = "reasoning"
_WHY = "What you see and why this is the next action, in one or two short sentences."


class NativeTools(Format):
    """The action space's function tools."""

    templates: ClassVar = {"*": "call_tools.jinja", "computer_use": "computer_tools.jinja"}
    offers: ClassVar = "tools"

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if reply.tool_calls:
            return tool_calls(reply) or NoCall("the tool call was cut off")
        if found := calls_in_words(reply):
            return found
        return NoCall("the reply calls no tool" if reply.text.strip() else "the reply is empty")

    def parse_reasoning(self, reply: Reply) -> str:
        said, thought, _ = without_thinking(reply.text)
        return stated_reason(reply) or reply.reasoning or thought or said.strip()


def stated_reason(reply: Reply) -> str:
    """The reason that the first call of a reply itself gives; empty where it gives none."""
    for call in reply.tool_calls[:1]:
        given = (as_arguments(call.arguments) or {}).get(REASONING)
        return given.strip() if isinstance(given, str) else ""
    return ""


def add_reasoning(tool: Tool) -> Tool:
    """The tool with a required argument in which the model says why: some are made to call, and write nothing else."""
    parameters = tool.parameters
    if REASONING in parameters.get("properties", {}):
        return tool
    properties = {REASONING: {"type": "string", "description": _WHY}, **parameters.get("properties", {})}
    required = [REASONING, *parameters.get("required", [])]
    return replace(tool, parameters={**parameters, "properties": properties, "required": required})
