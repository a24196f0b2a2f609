"""Formats of the providers' computer tools: maps their calls to raw verbs.

Clients store each call unchanged as a tool call; only this module knows the names that a provider uses.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from gwray.agents.calls import MAX_CALLS, Call, NoCall, Refused
from gwray.agents.formats.base import Format, complete_calls
from gwray.agents.formats.loose_json import as_arguments
from gwray.agents.keys import canonical_key
from gwray.catalog import parse_number
from gwray.records import Reply, ToolCall

COMPUTER = "computer"
"""Name under which clients store calls of the Claude or OpenAI computer tool."""
FINISH = "finish"
"""The function tool beside it, where the task lets agents declare that they are done."""


class _Native(Format):
    """Text without a call is `no_tool_call`; a call that the tool does not have is `out_of_space`."""

    templates: ClassVar = {"*": "computer_native.jinja"}
    offers: ClassVar = "computer"

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        if found := [call for stored in complete_calls(reply) for call in self._read(stored)]:
            # Lists of actions often begin with a request for a screenshot, which the prompt already has.
            others = [c for c in found if not (isinstance(c, Call) and c.name == "screenshot")]
            return (others or found)[:MAX_CALLS]
        if reply.tool_calls:
            return NoCall("the computer call was cut off")
        return NoCall("the reply does not use the computer tool" if reply.text else "the reply is empty")

    def parse_reasoning(self, reply: Reply) -> str:
        return reply.reasoning or reply.text.strip()

    def _read(self, call: ToolCall) -> list[Call | Refused]:
        arguments = as_arguments(call.arguments)
        if arguments is None:
            return [Refused("the arguments of the call are not an object")]
        return self.read(call.name, arguments)

    @abstractmethod
    def read(self, name: str, arguments: dict[str, Any]) -> list[Call | Refused]:
        """Returns the actions of one stored call; several if the tool can express that."""


class ClaudeComputer(_Native):
    """`computer` with `action`, `coordinate`, `text` (xdotool key names) and `duration` in seconds; or, of the newer
    toolset, a tool by the name of each action."""

    hold_hint: ClassVar = (
        "left_mouse_down holds the left button where the pointer is, and lets go of it at the end of the step; "
        "left_mouse_up is not needed."
    )

    def read(self, name: str, arguments: dict[str, Any]) -> list[Call | Refused]:
        verb = arguments.pop("action", None) if name == COMPUTER else name
        if not isinstance(verb, str):
            return [Refused("the computer call names no action")]
        if ("click" in verb or verb == "scroll") and arguments.get("text"):
            return [Refused(f"{verb}: keys held during a mouse action are not possible")]
        return _presses(arguments) if verb == "key" else [Call(verb, arguments)]


def _presses(arguments: dict[str, Any]) -> list[Call | Refused]:
    """Returns chords to press in sequence: `Up Up ctrl+c` names three; `repeat` multiplies each."""
    text, times = arguments.get("text"), parse_number(arguments.pop("repeat", 1))
    if times is None or times < 1 or times != int(times):
        return [Refused("key: 'repeat' is not a number of presses")]
    chords = text.split()[:MAX_CALLS] if isinstance(text, str) and canonical_key(text) is None else []
    presses = [Call("key", {**arguments, "text": chord}) for chord in chords or [text]]
    return [call for call in presses for _ in range(int(min(times, MAX_CALLS)))]


class OpenAIComputer(_Native):
    """`computer` with the action object of a `computer_call`: `type`, `x`, `y`, `keys`, `path`, `scroll_x`, …"""

    hold_hint: ClassVar = "A drag from a point to the same point holds the left button there."

    def read(self, name: str, arguments: dict[str, Any]) -> list[Call | Refused]:
        if name == FINISH:
            return [Call(name, arguments)]
        if name != COMPUTER:
            return [Refused(f"there is no tool '{name[:60]}'")]
        verb = arguments.pop("type", None)
        if not isinstance(verb, str):
            return [Refused("the computer call names no action")]
        if str(arguments.get("button", "left")) in ("back", "forward"):
            return [Refused("the browser's history is not part of the game")]
        return [Call(verb, arguments)]


class GeminiComputer(_Native):
    """Functions such as `click_at(x, y)` and `key_combination(keys)`, on a 0–1000 grid."""

    hold_hint: ClassVar = "drag_and_drop from a point to the same point holds the left button there."

    def read(self, name: str, arguments: dict[str, Any]) -> list[Call | Refused]:
        return [self._one(name, arguments)]

    def _one(self, name: str, arguments: dict[str, Any]) -> Call | Refused:
        """Returns the call that a function of the tool stands for. Removes `magnitude` from a scroll's arguments."""
        match name.strip().lower():
            case "wait_5_seconds":
                # The tool fixes five seconds, not the model: play one hold of the role.
                return Call("wait")
            case "type_text_at":
                text = arguments.get("text")
                if not isinstance(text, str):
                    return Refused("type_text_at: it needs a text")
                # The tool presses Enter unless the call says otherwise.
                return Call("type", {"text": text + ("\n" if arguments.get("press_enter", True) is True else "")})
            case "scroll_document" | "scroll_at" as verb:
                thousandths = arguments.pop("magnitude", 800)
                return Call(verb.replace("_document", ""), {**arguments, "thousandths": thousandths})
            case verb:
                return Call(verb, arguments)
