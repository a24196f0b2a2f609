"""The providers' own computer tools: their calls, as the clients store them, in the words of the raw verbs.

A client stores each call unchanged as a tool call; this file only knows what a provider calls things.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.formats.base import Format
from gwray.agents.formats.loose_json import as_arguments
from gwray.records import Reply, ToolCall

COMPUTER = "computer"
"""Name under which a client stores a call of the Claude or OpenAI computer tool."""


class _Native(Format):
    """Shared by the three: text without a call is no action."""

    templates: ClassVar = {"*": "computer_native.jinja"}
    offers: ClassVar = "computer"

    def calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if not reply.tool_calls:
            return NoCall("the reply does not use the computer tool" if reply.text else "the reply is empty")
        first, *others = (self._read(call) for call in reply.tool_calls)
        if isinstance(first, NoCall):
            return first
        return [first, *(Refused(c.reason) if isinstance(c, NoCall) else c for c in others)]

    def reasoning_of(self, reply: Reply) -> str:
        return reply.reasoning or reply.text.strip()

    def _read(self, call: ToolCall) -> Call | NoCall | Refused:
        arguments = as_arguments(call.arguments)
        if arguments is None:
            return NoCall("the arguments of the call are not an object")
        return self.read(call.name, arguments)

    @abstractmethod
    def read(self, name: str, arguments: dict[str, Any]) -> Call | NoCall | Refused:
        """One stored call."""


class ClaudeComputer(_Native):
    """`computer` with `action`, `coordinate`, `text` (xdotool key names) and `duration` in seconds."""

    def read(self, name: str, arguments: dict[str, Any]) -> Call | NoCall | Refused:
        verb = arguments.pop("action", None)
        if name != COMPUTER:
            return Refused(f"there is no tool '{name[:60]}'")
        if not isinstance(verb, str):
            return NoCall("the computer call names no action")
        if verb.endswith("_click") and arguments.get("text"):
            return Refused(f"{verb}: keys held during a click are not possible")
        return Call(verb, arguments)


class OpenAIComputer(_Native):
    """`computer` with the action object of a `computer_call`: `type`, `x`, `y`, `keys`, `path`, `scroll_x`, …"""

    def read(self, name: str, arguments: dict[str, Any]) -> Call | NoCall | Refused:
        if name != COMPUTER:
            return Refused(f"there is no tool '{name[:60]}'")
        verb = arguments.pop("type", None)
        if not isinstance(verb, str):
            return NoCall("the computer call names no action")
        if str(arguments.get("button", "left")) in ("back", "forward"):
            return Refused("the browser's history is not part of the game")
        return Call(verb, arguments)


class GeminiComputer(_Native):
    """Functions such as `click_at(x, y)` and `key_combination(keys)`, on a 0–1000 grid."""

    def read(self, name: str, arguments: dict[str, Any]) -> Call | NoCall | Refused:
        match name.strip().lower():
            case "wait_5_seconds":
                # The five seconds are the tool's, not the model's: it plays as one hold of the role.
                return Call("wait")
            case "type_text_at":
                text = arguments.get("text")
                if not isinstance(text, str):
                    return Refused("type_text_at: it needs a text")
                # The tool presses Enter unless it is told not to.
                return Call("type", {"text": text + ("\n" if arguments.get("press_enter", True) is True else "")})
            case "scroll_document" | "scroll_at" as verb:
                thousandths = arguments.pop("magnitude", 800)
                return Call(verb.replace("_document", ""), {**arguments, "thousandths": thousandths})
            case verb:
                return Call(verb, arguments)
