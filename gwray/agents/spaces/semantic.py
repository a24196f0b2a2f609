"""Semantic controls: a control's name and arguments become the action that it is bound to. Prompts, tools and this
lookup are all made from the role's list of controls, so that they cannot disagree."""

import json
from random import Random
from typing import Any

from gwray.actions import Action, Click, ClickHold, Command, MouseMove, PressKey, PressKeys, Pull, Type, Wait
from gwray.agents.calls import Call, Parsed, Refused
from gwray.agents.coordinates import Grid
from gwray.agents.formats.repair import plain_arguments
from gwray.agents.legality import command_args, key_hold
from gwray.agents.messages import Tool
from gwray.agents.spaces.base import ActionSpace, bare_name, enum_schema, format_call, object_schema, plain_call
from gwray.agents.spaces.repair import cell_of, fits, library_key, spelled
from gwray.agents.spaces.values import texts
from gwray.agents.spaces.verbs import key_argument, types_text
from gwray.catalog import MAX_CODE, Control, Role
from gwray.errors import UsageError
from gwray.spec import ImageGrid


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
        """Repairs a call; also finds the control that is bound to an input, and the key or the cell that an argument
        spells in another way."""
        found = self._repaired(call)
        control = self.role.control(found.name) if isinstance(found, Call) else None
        if control is None or not isinstance(found, Call) or not isinstance(found.arguments, dict):
            return found
        given = {str(k).strip().lower(): v for k, v in found.arguments.items() if v is not None}
        wanted = control.parameters
        missing = [n for n in wanted if n not in given]
        extra = {k: v for k, v in given.items() if k not in wanted}
        if len(missing) == 1:
            cell = cell_of(extra) if wanted[missing[0]].type == "cell" else None
            fitting = [v for k, v in extra.items() if fits(k, missing[0], wanted[missing[0]])]
            if cell or len(fitting) == 1:
                given[missing[0]] = cell or fitting[0]
        return Call(control.id, {n: spelled(v, wanted[n], n) if n in wanted else v for n, v in given.items()})

    def _repaired(self, call: Call | Refused) -> Call | Refused:
        found, bound = super().repair(call), self._bound(call) if isinstance(call, Call) else None
        named = self.role.control(found.name) if isinstance(found, Call) else None
        if named is None or bound is None:
            return bound or found
        return found if named.id == bound.name else call

    def _bound(self, call: Call) -> Call | None:
        """Returns the call of the only control that is bound to the input of a call: `ArrowUp`, `hotkey(key='up')`,
        `type(content='stone')`. None if there is none, or the call names a control."""
        verb = bare_name(call.name).strip().lower()
        given = plain_arguments(call.arguments)
        if isinstance(given, list) and len(given) == 1:
            given = {"text": given[0]}
        if self.role.control(verb) or not isinstance(given, dict):
            return None
        if types_text(verb):
            fitting = [c for c in self.role.controls if c.text]
        else:
            names = key_argument(verb, given)
            words = texts(given[names]) if names else [call.name] if len(verb) > 1 and not given else None
            key = library_key(words[0]) if words and len(words) == 1 else None
            given = {k: v for k, v in given.items() if k != names}
            pressing = [(c, c.press) for c in self.role.controls if isinstance(c.press, tuple) and key]
            fitting = [c for c, keys in pressing if [library_key(k) for k in keys] == [key]]
        return Call(fitting[0].id, given) if len(fitting) == 1 else None

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
        control = self.role.control(name.partition(" ")[0] if self.as_written else name)
        if control and control.parameters and isinstance(call, Call):
            write = plain_call if self.plain_calls else format_call
            given = call.arguments
            if self.as_written and isinstance(given, str):
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
