"""The providers' own computer tools: their calls, as the clients store them, read as raw actions.

A client stores each call unchanged as a tool call; this file only knows what the verbs and units mean.
"""

from __future__ import annotations

from typing import Any

from gwray.actions import Action, Scroll, Type, Wait
from gwray.agents.coordinates import Grid
from gwray.agents.formats.base import ControlCall, NoCall, Refused
from gwray.agents.formats.generic import as_arguments
from gwray.agents.formats.verbs import raw_action
from gwray.records import Reply

COMPUTER = "computer"
"""Name under which a client stores a call of the Claude or OpenAI computer tool."""


class _Native:
    """Shared by the three: the first call counts, and text without a call is no action."""

    def control(self, reply: Reply) -> ControlCall | NoCall | Refused:
        return NoCall("native computer tools have no semantic controls")

    def raw(self, reply: Reply, grid: Grid) -> Action | NoCall | Refused:
        if not reply.tool_calls:
            return NoCall("the reply does not use the computer tool" if reply.text else "the reply is empty")
        first = reply.tool_calls[0]
        arguments = as_arguments(first.arguments)
        if arguments is None:
            return NoCall("the arguments of the call are not an object")
        return self.read(first.name, arguments, grid)

    def thought(self, reply: Reply) -> str:
        return reply.reasoning or reply.text.strip()

    def read(self, name: str, arguments: dict[str, Any], grid: Grid) -> Action | NoCall | Refused:
        raise NotImplementedError


class ClaudeComputer(_Native):
    """`computer` with `action`, `coordinate`, `text` (xdotool key names) and `duration` in seconds."""

    def read(self, name: str, arguments: dict[str, Any], grid: Grid) -> Action | NoCall | Refused:
        verb = arguments.pop("action", None)
        if name != COMPUTER:
            return Refused(f"there is no tool '{name[:60]}'")
        if not isinstance(verb, str):
            return NoCall("the computer call names no action")
        if verb.endswith("_click") and arguments.get("text"):
            return Refused(f"{verb}: keys held during a click are not possible")
        return raw_action(verb, arguments, grid)


class OpenAIComputer(_Native):
    """`computer` with the action object of a `computer_call`: `type`, `x`, `y`, `keys`, `path`, `scroll_x`, …"""

    def read(self, name: str, arguments: dict[str, Any], grid: Grid) -> Action | NoCall | Refused:
        if name != COMPUTER:
            return Refused(f"there is no tool '{name[:60]}'")
        verb = arguments.pop("type", None)
        if not isinstance(verb, str):
            return NoCall("the computer call names no action")
        if str(arguments.get("button", "left")) in ("back", "forward"):
            return Refused("the browser's history is not part of the game")
        return raw_action(verb, arguments, grid)


class GeminiComputer(_Native):
    """Functions such as `click_at(x, y)` and `key_combination(keys)`, on a 0–1000 grid."""

    def read(self, name: str, arguments: dict[str, Any], grid: Grid) -> Action | NoCall | Refused:
        match name.strip().lower():
            case "wait_5_seconds":
                # The five seconds are the tool's, not the model's: it plays as one hold of the role.
                return Wait()
            case "type_text_at":
                text = arguments.get("text")
                if not isinstance(text, str):
                    return Refused("type_text_at: it needs a text")
                # The tool presses Enter unless it is told not to.
                return Type(text=text + ("\n" if arguments.get("press_enter", True) is True else ""))
            case "scroll_document" | "scroll_at" as verb:
                arguments.setdefault("magnitude", 800)
                return self._in_pixels(raw_action(verb.replace("_document", ""), arguments, grid), grid)
            case verb:
                return raw_action(verb, arguments, grid)

    @staticmethod
    def _in_pixels(action: Action | Refused, grid: Grid) -> Action | Refused:
        """A magnitude is in thousandths of the screen."""
        if not isinstance(action, Scroll):
            return action
        dx, dy = action.dx * grid.viewport[0] / 1000, action.dy * grid.viewport[1] / 1000
        return action.model_copy(update={"dx": dx, "dy": dy})
