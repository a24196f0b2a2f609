"""Computer use: raw keys and mouse, in the coordinates of the model."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from gwray.agents.calls import Call, Parsed, Refused
from gwray.agents.formats.loose_json import as_arguments
from gwray.agents.legality import MAX_KEYS
from gwray.agents.messages import Tool
from gwray.agents.spaces.base import ActionSpace, enum_schema, object_schema
from gwray.agents.spaces.semantic import Semantic
from gwray.agents.spaces.values import is_placeholder
from gwray.agents.spaces.verbs import DONE, VERBS, duration, find_point, raw_action, usual_verb
from gwray.catalog import MAX_HOLD_MS, MAX_TEXT
from gwray.records import Action
from gwray.settings import ModelSpec

_WRAPPERS = ("computer", "computer_use")
"""Tools whose argument `action` is the verb."""
_POINTS = (("x", "y"), ("to_x", "to_y"), ("from_x", "from_y"))


class ComputerUse(ActionSpace):
    """Acts through raw input."""

    name = "computer_use"
    needs_image = True
    section = "computer_use.jinja"

    def tools(self) -> tuple[Tool, ...]:
        x, y = self._axes()
        ms, some = self._duration(), {"type": "array", "items": enum_schema(*self.role.keys)}
        tools = [Tool("wait", "Let time pass.", object_schema(**ms))]
        if self.role.keys:
            tools.append(Tool("press_key", "Hold a key.", object_schema(key=enum_schema(*self.role.keys), **ms)))
        if len(self.role.keys) > 1:
            tools.append(Tool("press_keys", f"Hold up to {MAX_KEYS} keys.", object_schema(keys=some, **ms)))
        if any(len(k) == 1 for k in self.role.keys):
            text = {"type": "string", "description": f"At most {MAX_TEXT} characters of your keys."}
            tools.append(Tool("type", "Type text.", object_schema(text=text)))
        if self.role.clicks:
            end = {"to_x": x, "to_y": y}
            turn = {"type": "integer", "description": "Pixels; positive is right and down."}
            tools += [
                Tool("click", "Click.", object_schema(x=x, y=y, button=enum_schema("left", "right", "middle"))),
                Tool("click_hold", "Hold the left button.", object_schema(x=x, y=y, **ms)),
                Tool("drag", "Drag with the left button.", object_schema(x=x, y=y, **end, **ms)),
                Tool("mouse_move", "Move the pointer.", object_schema(x=x, y=y)),
                Tool("scroll", "Turn the wheel.", object_schema(x=x, y=y, dx=turn, dy=turn)),
            ]
        return tuple(tools)

    def parse(self, call: Call) -> Parsed | Refused:
        """Accepts a verb under any of its usual names; see `verbs`."""
        plain = _unwrapped(call)
        found = plain if isinstance(plain, Refused) else raw_action(plain.name, plain.arguments, self.grid)
        if isinstance(found, Refused):
            return found
        if self.durations == "free" or getattr(found, "duration_ms", None) is None:
            return Parsed(found)
        return Parsed(found.model_copy(update={"duration_ms": None}), note="durations are fixed: its own was ignored")

    def means_done(self, call: Call) -> bool:
        plain = _unwrapped(call)
        return isinstance(plain, Call) and plain.name.lower() in DONE

    def merge_calls(self, calls: list[Call | Refused]) -> list[Call | Refused]:
        """Merges button down and up in one reply into one hold, or into one drag if the pointer moves in between. Waits
        in between set its duration."""
        out: list[Call | Refused] = []
        rest = list(calls)
        at: Any = None
        while rest:
            first = rest.pop(0)
            verb, arguments = _verb_of(first)
            if verb == "release" and out and _verb_of(out[-1]) == ("press", arguments):
                continue  # a key is released after its hold anyway
            if verb == "mouse_move":
                at = arguments
            between = 0
            while (
                verb == "left_mouse_down" and between < len(rest) and _verb_of(rest[between])[0] in _BETWEEN_DOWN_AND_UP
            ):
                between += 1
            if between < len(rest) and verb == "left_mouse_down" and _verb_of(rest[between])[0] == "left_mouse_up":
                first = _merged([first, *rest[: between + 1]], at)
                del rest[: between + 1]
            out.append(first)
        return out

    def doubt(self, action: Action, call: Call) -> str:
        """Refuses parts of the screen in place of coordinates, such as [0.5, 0.3], and names in place of numbers, such
        as `x1 y1`: they would click in the corner."""
        fields = _fields(action)
        if "x" in fields and (names := [v for v in self.arguments(call).values() if is_placeholder(v)]):
            return f"{names[0][:60]!r} is a placeholder, not a point"
        for x, y in _POINTS:
            if x in fields and y in fields and self.grid.is_fraction(fields[x], fields[y]):
                return f"a point is in fractions of the screen, not in coordinates from 0 to {self.grid.extent[0]}"
        return ""

    def known_calls(self) -> Mapping[str, Sequence[str] | None]:
        return dict.fromkeys((*VERBS, *_WRAPPERS))

    def repair(self, call: Call | Refused) -> Call | Refused:
        found = super().repair(call)
        plain = _unwrapped(found) if isinstance(found, Call) else found
        return found if isinstance(plain, Refused) else super().repair(plain)

    def random_call(self, rng: Random) -> Call:
        """Draws uniformly from keys, clicks with either button, and waiting."""
        calls = [Call("press_key", {"key": k}) for k in self.role.keys]
        if self.role.clicks:
            x, y = (rng.randrange(int(n) + 1) for n in self.grid.extent)
            calls += [Call("click", {"x": x, "y": y, "button": b}) for b in ("left", "right")]
        return rng.choice([*calls, Call("wait")])

    def call_schemas(self) -> list[dict[str, Any]]:
        x, y = self._axes()
        ms = self._duration()
        options = [object_schema(action=enum_schema("wait"), **ms)]
        if self.role.keys:
            options.append(object_schema(action=enum_schema("press_key"), key=enum_schema(*self.role.keys), **ms))
        if self.role.clicks:
            options.append(object_schema(action=enum_schema("click"), x=x, y=y, button=enum_schema("left", "right")))
        return options

    def to_json(self, call: Call) -> dict[str, Any]:
        return {"action": call.name, **self.arguments(call)}

    def idle_call(self) -> Call:
        return Call("wait")

    def call_from_text(self, words: str) -> Call | None:
        """Returns the action that a control is bound to, in viewport pixels: callers with text have no grid."""
        controls = Semantic.for_role(self.role, self.viewport)
        call = controls.call_from_text(words)
        found = controls.to_action(call) if call else None
        return Call(found.action.action, _fields(found.action)) if isinstance(found, Parsed) else call

    def describe(self, call: Call | Refused, parsed: Parsed) -> str:
        if isinstance(call, Call):
            return json.dumps(self.to_json(call), ensure_ascii=False)
        fields = _fields(parsed.action)
        for x, y in _POINTS:
            if x in fields and y in fields:
                fields[x], fields[y] = self.grid.from_viewport(fields[x], fields[y])
        return json.dumps(self.to_json(Call(parsed.action.action, fields)), ensure_ascii=False)

    @classmethod
    def format_name(cls, spec: ModelSpec) -> str:
        return spec.computer_use_format

    def _axes(self) -> tuple[dict[str, Any], dict[str, Any]]:
        x, y = ({"type": "integer", "minimum": 0, "maximum": int(n)} for n in self.grid.extent)
        return x, y

    def _duration(self) -> dict[str, Any]:
        if self.durations == "fixed":
            return {}
        return {"duration_ms": {"type": "integer", "minimum": 1, "maximum": int(MAX_HOLD_MS)}}


_BETWEEN_DOWN_AND_UP = ("wait", "mouse_move")


def _unwrapped(call: Call) -> Call | Refused:
    """Returns the call of a verb, which may be an argument of the tool `computer`."""
    verb, arguments = call.name, as_arguments(call.arguments)
    if arguments is None:
        return Refused(f"the arguments of '{verb[:60]}' are not an object")
    if verb.strip().lower() in _WRAPPERS:
        verb = arguments.pop("action", None)
        if not isinstance(verb, str):
            return Refused(f"the call of {call.name.strip()} names no action")
    return Call(verb, arguments)


def _verb_of(call: Call | Refused) -> tuple[str, dict[str, Any]]:
    plain = _unwrapped(call) if isinstance(call, Call) else call
    if isinstance(plain, Refused):
        return "", {}
    verb = usual_verb(plain.name.strip().lower())
    return f"left_{verb}" if verb in ("mouse_down", "mouse_up") else verb, plain.arguments


def _merged(calls: list[Call | Refused], at: Any) -> Call:
    """Returns one call for button down to button up. `at`: arguments of the preceding pointer movement, if any."""
    (_, down), *between = [_verb_of(c) for c in calls]
    waits = [ms for verb, arguments in between if verb == "wait" and (ms := duration(arguments)) is not None]
    lasts = {"duration_ms": sum(waits)} if waits else {}
    moves = [arguments for verb, arguments in between if verb == "mouse_move"]
    if not moves:
        return Call("left_mouse_down", {**down, **lasts})
    start, end = (find_point(a) for a in (down or at or {}, moves[-1]))
    return Call("drag", {"start_point": start, "end_point": end, **lasts})


def _fields(action: Action) -> dict[str, Any]:
    return action.model_dump(exclude_none=True, exclude={"action"})
