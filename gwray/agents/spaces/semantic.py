"""Semantic controls: a control's name and arguments become the action that it is bound to. Prompts, tools and this
lookup are all made from the role's list of controls, so that they cannot disagree."""

import json
from random import Random
from typing import Any

from gwray.agents.calls import Call, Parsed, Refused
from gwray.agents.coordinates import Grid
from gwray.agents.legality import command_args, key_hold
from gwray.agents.messages import Tool
from gwray.agents.spaces.base import ActionSpace, enum_schema, format_call, object_schema, plain_call
from gwray.agents.spaces.repair import spelled
from gwray.catalog import MAX_CODE, Control, Role
from gwray.errors import UsageError
from gwray.records import Action, Click, ClickHold, Command, Drag, MouseMove, PressKey, PressKeys, Pull, Type, Wait
from gwray.settings import ImageGrid


class Semantic(ActionSpace):
    """Acts through the role's controls."""

    name = "semantic"
    section = "semantic.jinja"

    @classmethod
    def for_role(cls, role: Role, viewport: tuple[int, int]) -> "Semantic":
        """Returns the space of a role for callers without a model, which use no coordinates."""
        return cls(role, viewport, Grid.from_spec(ImageGrid(), viewport))

    def tools(self) -> tuple[Tool, ...]:
        return tuple(
            Tool(c.id, c.description.strip(), object_schema(**{n: p.json_schema() for n, p in c.parameters.items()}))
            for c in self.role.controls
        )

    def parse(self, call: Call) -> Parsed | Refused:
        """Looks up a control by name (any case); its arguments are an object, JSON text, or bare values in order."""
        wanted = call.name.strip("`'\"() ").replace("-", "_").replace(" ", "_")
        control = self.role.control(wanted)
        if control is None:
            known = ", ".join(c.id for c in self.role.controls)
            return Refused(f"unknown control '{call.name.strip()[:60]}' (this role has: {known})")
        try:
            return Parsed(bind(control, _values(control, call.arguments), self.role), control.id)
        except ValueError as problem:
            return Refused(str(problem), control.id)

    def repair(self, call: Call | Refused) -> Call | Refused:
        """Repairs a call; also its values, such as the spelling of a cell."""
        found = super().repair(call)
        control = self.role.control(found.name) if isinstance(found, Call) else None
        if control is None or not isinstance(found, Call) or not isinstance(found.arguments, dict):
            return found
        wanted = control.parameters
        given = {str(k).strip().lower(): v for k, v in found.arguments.items()}
        return Call(control.id, {n: spelled(v, wanted[n]) if n in wanted else v for n, v in given.items()})

    def random_call(self, rng: Random) -> Call:
        control = rng.choice(self.role.controls)
        letters = [k for k in self.role.keys if len(k) == 1] or [" "]
        return Call(control.id, {n: p.draw(rng, letters) for n, p in control.parameters.items()})

    def call_schemas(self) -> list[dict[str, Any]]:
        return [self._option(c) for c in self.role.controls]

    def call_patterns(self) -> list[str]:
        done = [r"finish\(\)"] if self.may_finish else []
        named = ((c.id, [f"{n}={p.pattern()}" for n, p in c.parameters.items()]) for c in self.role.controls)
        return [*(rf"{name}\({', '.join(arguments)}\)" for name, arguments in named), *done]

    def _option(self, control: Control) -> dict[str, Any]:
        letters = "".join(sorted({k for k in self.role.keys if len(k) == 1 and k.isalnum()}))
        arguments = {n: p.constrained_schema(letters) for n, p in control.parameters.items()}
        given = {"arguments": object_schema(**arguments)} if arguments else {}
        return object_schema(action=enum_schema(control.id), **given)

    def example(self) -> Call:
        control = next((c for c in self.role.controls if c.parameters), self.role.controls[0])
        return Call(control.id, {n: p.example for n, p in control.parameters.items()})

    def idle_call(self) -> Call | None:
        return next((Call(c.id) for c in self.role.controls if c.wait), None)

    def call_from_text(self, words: str) -> Call | None:
        name, _, rest = words.strip().partition(" ")
        control = self.role.control(name) if name else None
        return Call(control.id, control.arguments(rest)) if control else None

    def describe(self, call: Call | Refused, parsed: Parsed) -> str:
        name = parsed.control or ""
        control = self.role.control(name.partition(" ")[0])
        if control and control.parameters and isinstance(call, Call):
            write = plain_call if self.plain_calls else format_call
            given = call.arguments
            if isinstance(given, str):
                given = control.arguments(given)  # `till(4)` names no parameter
            return write(control.id, given)
        return parsed.control or ""


class Parametric(Semantic):
    """Acts through a role's `parametric` controls, such as two sticks with two axes and a duration.

    Raises:
        UsageError: the role has none.
    """

    def __init__(self, role: Role, *args: Any, **kwargs: Any):
        if not role.parametric:
            raise UsageError(
                f"the role '{role.name}' of this game has no parametric controls; choose interface=semantic, or a game "
                "whose game.yaml has `parametric:` in its role, such as town"
            )
        controls = {"controls": role.parametric, "parametric": ()}
        super().__init__(role.model_copy(update=controls), *args, **kwargs)


def bind(control: Control, values: dict[str, Any], role: Role) -> Action:
    """Returns the action of a control with these values of its parameters."""

    def value(template: Any) -> Any:
        return control.value(template, values)

    if control.command:
        return Command(name=control.command, args=command_args(values), max_ms=control.max_ms)
    ms = value(control.hold_ms)
    if control.press:
        pressed = value(control.press)
        keys = (pressed,) if isinstance(pressed, str) else pressed
        ms = key_hold(keys, role) if ms is None else ms
        return PressKey(key=keys[0], duration_ms=ms) if len(keys) == 1 else PressKeys(keys=keys, duration_ms=ms)
    if control.click:
        x, y = value(control.point)
        if control.hold_click:
            return ClickHold(x=x, y=y, button=control.click, duration_ms=ms)
        return Click(x=x, y=y, button=control.click)
    if control.move:
        (fx, fy), (x, y) = control.move.start, control.move.to
        if control.move.drag:
            return Drag(x=fx, y=fy, to_x=x, to_y=y, duration_ms=ms)
        return MouseMove(x=x, y=y, from_x=fx, from_y=fy, duration_ms=ms)
    if stick := control.stick:
        (x, y), (to_x, to_y) = stick.centre, stick.pulled(value(stick.x), value(stick.y))
        return Pull(x=x, y=y, to_x=to_x, to_y=to_y, duration_ms=ms)
    return Type(text=value(control.text)) if control.text else Wait(duration_ms=ms)


def _values(control: Control, given: Any) -> dict[str, Any]:
    """Returns the values of a control's parameters. Raises `ValueError` that says what is wrong."""
    wanted = control.parameters
    words = given if isinstance(given, str) else ""
    if control.code and words and not words.lstrip().startswith(('{"', "{'")):
        given = {"code": words}  # a bare program, which has braces
    elif isinstance(given, str):
        try:
            read = json.loads(given)
            if read is not None and not isinstance(read, bool):  # "true", "false" and "null" are words
                given = read
        except (ValueError, RecursionError):
            # Bare words are the values; broken JSON is an error.
            if any(c in words for c in "{}[]"):
                allowed = f"; a program has 1 to {MAX_CODE} characters, a new line is \\n" if control.code else ""
                raise ValueError(f"the arguments of {control.id} are not JSON{allowed}") from None
    if not wanted:
        return {}
    if isinstance(given, dict):
        found: dict[str, Any] = {}
        for k, v in given.items():
            found.setdefault(str(k).strip().lower(), v)
    elif len(wanted) == 1:
        found = dict.fromkeys(wanted, given)
    else:
        found = dict(control.arguments(words))
    values = {}
    for name, parameter in wanted.items():
        if found.get(name) is None or found[name] == "":
            raise ValueError(f"{control.id} needs the argument '{name}'")
        values[name] = parameter.value(found[name], f"the argument '{name}' of {control.id}")
    return values
