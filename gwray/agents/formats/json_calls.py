"""Formats with calls in JSON: plain JSON text, Qwen's `<tool_call>` text, and the provider's function tools."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format, split_thinking, tool_calls, was_cut
from gwray.agents.formats.in_text import calls_in_text
from gwray.agents.formats.loose_json import as_arguments
from gwray.agents.messages import Tool
from gwray.records import Reply

REASONING = "reasoning"
_WHY = "What you see and why this is the next action, in one or two short sentences."


class GenericJson(Format):
    """Plain JSON: `{"action": "move_left"}`, `{"action": "reveal_cell", "arguments": {"cell": "c4"}}`,
    `{"action": "press_key", "key": "ArrowLeft", "duration_ms": 200}`."""

    templates: ClassVar = {"*": "call_json.jinja", "computer_use": "computer_json.jinja"}

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if found := calls_in_text(reply) or tool_calls(reply):
            return found
        if not reply.text.strip():
            return NoCall("the reply is empty")
        if was_cut(reply) or split_thinking(reply.text)[2] == "end":
            return NoCall("the reply was cut off before its action was complete")
        return NoCall("there is no action in the reply")

    def parse_reasoning(self, reply: Reply) -> str:
        answer, thought, _ = split_thinking(reply.text)
        words = answer.split("{", 1)[0].replace("```json", "").replace("```", "").strip()
        return reply.reasoning or thought or words


class Qwen(Format):
    """Qwen's text: `<think>…</think>`, then `<tool_call>{"name": …, "arguments": …}</tool_call>`.

    For computer use the tool is `computer_use` and its `action` argument the verb. Tool calls that the server parsed
    count if the text has none.
    """

    templates: ClassVar = {"*": "call_qwen.jinja", "computer_use": "computer_qwen.jinja"}

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if found := calls_in_text(reply, declared=True) or tool_calls(reply):
            return found
        answer, _, missing = split_thinking(reply.text)
        if missing == "end" or was_cut(reply) or "<tool_call" in answer:
            return NoCall("the reply was cut off before its tool call was complete")
        return NoCall("the reply has no tool call" if reply.text.strip() else "the reply is empty")

    def parse_reasoning(self, reply: Reply) -> str:
        answer, thought, _ = split_thinking(reply.text)
        return reply.reasoning or thought or re.split(r"<tool_call|\{", answer, maxsplit=1)[0].strip()


class NativeTools(Format):
    """Function tools of the action space. The text is parsed if there is no tool call, because servers lose some."""

    templates: ClassVar = {"*": "call_tools.jinja", "computer_use": "computer_tools.jinja"}
    offers: ClassVar = "tools"

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if reply.tool_calls:
            return tool_calls(reply) or NoCall("the tool call was cut off")
        if found := calls_in_text(reply, declared=True):
            return found
        return NoCall("the reply calls no tool" if reply.text.strip() else "the reply is empty")

    def parse_reasoning(self, reply: Reply) -> str:
        answer, thought, _ = split_thinking(reply.text)
        return stated_reason(reply) or reply.reasoning or thought or answer.strip()


def stated_reason(reply: Reply) -> str:
    """Returns the reason in the arguments of a reply's first call; empty if there is none."""
    for call in reply.tool_calls[:1]:
        given = (as_arguments(call.arguments, loose=True) or {}).get(REASONING)
        return given.strip() if isinstance(given, str) else ""
    return ""


def add_reasoning(tool: Tool) -> Tool:
    """Returns the tool with a required argument for the reason, because models that must call write no text."""
    parameters = tool.parameters
    if REASONING in parameters.get("properties", {}):
        return tool
    properties = {REASONING: {"type": "string", "description": _WHY}, **parameters.get("properties", {})}
    required = [REASONING, *parameters.get("required", [])]
    return replace(tool, parameters={**parameters, "properties": properties, "required": required})
