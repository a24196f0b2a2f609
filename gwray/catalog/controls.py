"""Schema of roles and their controls: named actions that are bound to real input."""

import math
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

from gwray.catalog.parameters import (
    ArgumentText,
    CellGrid,
    CellParameter,
    CodeParameter,
    NumberParameter,
    Parameter,
    TextParameter,
)
from gwray.records import MAX_COMMAND_MS

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]

DEFAULT_HOLD_MS = 200.0
MAX_HOLD_MS = 2000.0
DEFAULT_COMMAND_MS = 10_000.0


def _check_braces(text: str) -> str:
    if not re.fullmatch(r"[^{}]*({[^{}]*}[^{}]*)*", text):
        raise ValueError(
            "unbalanced or nested braces: braces enclose text about keys and mouse, as in `jump{ (Space)}`"
        )
    return text


KeyedText = Annotated[str, AfterValidator(_check_braces)]
"""A text of a game with its parts about keys and mouse in braces: `You steer the worm{ with the arrow keys}.`"""


def prompt_text(text: str, *, keys: bool) -> str:
    """Returns a `KeyedText` without braces. `keys`: keep the parts about keys and mouse."""
    return (re.sub(r"[{}]", "", text) if keys else re.sub(r"{[^{}]*}", "", text)).strip()


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ParameterRef(Frozen):
    """Refers to a parameter of the control: `{param: name}`."""

    param: Identifier


class PointerMove(Frozen):
    """A pointer movement in viewport pixels. In a page that locks the pointer, each action begins in the middle of the
    viewport, so that the movement is `to` less the middle."""

    start: tuple[float, float]
    to: tuple[float, float]
    drag: bool = False
    """Whether the left button is pressed at `start` and released at `to`."""


class Stick(Frozen):
    """A stick drawn by the page. The mouse presses it at its centre, pulls it, holds it and releases it. `x` and `y`
    default to parameters of these names."""

    centre: tuple[float, float]
    """Position at rest, in viewport pixels."""
    radius: float = Field(gt=0)
    """Maximum pull, in pixels."""
    x: float | ParameterRef = ParameterRef(param="x")
    """Pull to the right as a share of the radius, -1 (left) to 1."""
    y: float | ParameterRef = ParameterRef(param="y")
    """Pull up as a share of the radius, -1 (down) to 1."""

    def pulled(self, x: float, y: float) -> tuple[float, float]:
        """Returns the viewport point that the pointer moves to. Pulls beyond the radius end at it, in the same
        direction."""
        reach = self.radius / max(1.0, math.hypot(x, y))
        return round(self.centre[0] + reach * x, 2), round(self.centre[1] - reach * y, 2)


STICK_PARAMETERS: dict[str, Parameter] = {
    "x": NumberParameter(type="number", minimum=-1, maximum=1, description="-1 is left, 1 is right"),
    "y": NumberParameter(type="number", minimum=-1, maximum=1, description="-1 is down, 1 is up"),
}
"""Default parameters of a stick."""

Keys = tuple[str, ...]
Point = tuple[float, float]
_ALLOWED: dict[str, TypeAdapter[Any]] = {
    "press": TypeAdapter(str | Annotated[Keys, Field(min_length=1)]),
    "at": TypeAdapter(Point),
    "hold_ms": TypeAdapter(Annotated[float, Field(gt=0, le=MAX_HOLD_MS)]),
    "type_text": TypeAdapter(Annotated[str, Field(min_length=1)]),
    "x": TypeAdapter(Annotated[float, Field(ge=-1, le=1)]),
    "y": TypeAdapter(Annotated[float, Field(ge=-1, le=1)]),
}
"""Allowed values of each binding field, for literal values and for parameters."""


class Control(Frozen):
    """A semantic control: a named action of a role, bound to real input. `press`, `at`, `hold_ms`, `type_text` and a
    stick's x and y can refer to a parameter: `{param: name}`."""

    id: Identifier
    description: str
    """What it does; shown to the model."""
    params: dict[Identifier, Parameter] = Field(default_factory=dict)
    """Parameters by name: `{ms: {type: integer, minimum: 100, maximum: 900}}`. Types: integer, number, text, code,
    choice, cell. A call has to give all of them."""
    press: Keys | ParameterRef = ()
    """Keys pressed together."""
    click: Literal["left", "right", "middle"] | None = None
    """Click (with `at` or `cells`)."""
    at: Point | ParameterRef | None = None
    """Point of the click."""
    cells: CellGrid | None = None
    """Adds a parameter `cell`; the click is at the cell's centre."""
    hold_click: bool = False
    """Holds the click for `hold_ms` instead of releasing it immediately."""
    move: PointerMove | None = None
    """Moves the pointer from one point to another."""
    stick: Stick | None = None
    """Pulls a drawn stick with the mouse and holds it for `hold_ms`."""
    type_text: bool | ParameterRef = False
    """Types text; `true` adds a parameter `text`."""
    wait: bool = False
    """Lets time pass."""
    command: Identifier | None = None
    """The game carries this command out itself, with the parameters as its arguments, and answers in words."""
    max_ms: float = Field(default=DEFAULT_COMMAND_MS, gt=0, le=MAX_COMMAND_MS)
    """Game time within which a command must end."""
    hold_ms: float | ParameterRef | None = None
    """Duration; default: the role's."""
    alone: bool = False
    """Whether it is the only action of its reply: as the first one it ends the reply, as a later one it is ignored."""

    @field_validator("press", mode="before")
    @classmethod
    def _key_to_tuple(cls, v: Any) -> Any:
        return (v,) if isinstance(v, str) else v

    @model_validator(mode="after")
    def _one_binding(self) -> "Control":
        bindings = (bool(self.press), self.click, self.move, self.stick, self.type_text, self.wait, self.command)
        if sum(map(bool, bindings)) != 1:
            raise ValueError(
                f"control '{self.id}' needs exactly one of press, click, move, stick, type_text, wait, command"
            )
        if self.command and self.hold_ms is not None:
            raise ValueError(f"control '{self.id}': a command lasts until it has ended; leave out `hold_ms`")
        if not self.command and self.max_ms != DEFAULT_COMMAND_MS:
            raise ValueError(f"control '{self.id}': `max_ms` is for commands; use `hold_ms`")
        if self.click and (self.at is None) == (self.cells is None):
            raise ValueError(f"control '{self.id}' clicks: give either `at` or `cells`")
        return self

    @model_validator(mode="after")
    def _check_parameters(self) -> "Control":
        known = self.parameters
        used = {v.param for v in self._binding().values() if isinstance(v, ParameterRef)}
        used |= known.keys() if self.command else set()
        for name in sorted(used - known.keys()):
            raise ValueError(f"control '{self.id}' has no parameter '{name}'; it has: {', '.join(known) or 'none'}")
        if any(p.type == "code" for p in known.values()) and (not self.command or list(known) != ["code"]):
            raise ValueError(f"control '{self.id}': the only parameter of a command with a program is named code")
        for name in sorted(known.keys() - used):
            raise ValueError(f"control '{self.id}': parameter '{name}' is not used; refer to it with {{param: {name}}}")
        for field, bound in self._binding().items():
            for value in self._values(bound):
                try:
                    _ALLOWED[field].validate_python(value, strict=isinstance(value, str))
                except ValidationError as e:
                    problem = e.errors()[0]["msg"]
                    raise ValueError(f"control '{self.id}': {field} cannot be {value!r}: {problem}") from None
        return self

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """All parameters by name, in order: those of `cells`, `type_text: true` and `stick`, then `params`."""
        found: dict[str, Parameter] = {}
        if self.cells:
            found["cell"] = CellParameter(type="cell", **self.cells.model_dump())
        if self.type_text is True:
            found["text"] = TextParameter(type="text")
        if self.stick:
            refs = (self.stick.x, self.stick.y)
            found |= {n: p for n, p in STICK_PARAMETERS.items() if ParameterRef(param=n) in refs}
        if self.command:
            given = {n: ArgumentText(**p.model_dump()) for n, p in self.params.items() if p.type == "text"}
            return {**found, **self.params, **given}
        return {**found, **self.params}

    @property
    def point(self) -> Point | ParameterRef | None:
        """The point of the click, or the parameter that gives it."""
        return ParameterRef(param="cell") if self.cells else self.at

    @property
    def text(self) -> ParameterRef | None:
        """The parameter that gives the text to type."""
        if isinstance(self.type_text, ParameterRef):
            return self.type_text
        return ParameterRef(param="text") if self.type_text else None

    @property
    def keys(self) -> Keys:
        """All keys that the control can press."""
        return tuple(dict.fromkeys(key for value in self._values(self.press) for key in _keys(value)))

    @property
    def code(self) -> CodeParameter | None:
        """The parameter that takes a program; None: the control takes none."""
        return next((p for p in self.params.values() if isinstance(p, CodeParameter)), None)

    def arguments(self, words: str) -> dict[str, str]:
        """Splits `0 0.5` into arguments by name, in the order of the parameters; the last one takes the rest."""
        names = list(self.parameters)
        return dict(zip(names, words.strip().split(maxsplit=max(len(names) - 1, 0)), strict=False)) if names else {}

    def value(self, bound: Any, values: Mapping[str, Any]) -> Any:
        """Resolves a field of the binding, given the values of the parameters."""
        return values[bound.param] if isinstance(bound, ParameterRef) else bound

    def _binding(self) -> dict[str, Any]:
        """Returns the fields of the binding that can refer to a parameter, without those that are not set."""
        stick = {"x": self.stick.x, "y": self.stick.y} if self.stick else {}
        found = {
            "press": self.press or None,
            "at": self.point,
            "hold_ms": self.hold_ms,
            "type_text": self.text,
            **stick,
        }
        return {field: bound for field, bound in found.items() if bound is not None}

    def _values(self, bound: Any) -> list[Any]:
        """Returns the values that a field of the binding can have: its literal value, or samples of its parameter."""
        if not isinstance(bound, ParameterRef):
            return [bound]
        parameter = self.parameters[bound.param]
        return [parameter.value(v, bound.param) for v in (parameter.example, *parameter.samples())]


def _keys(value: Any) -> Keys:
    return (value,) if isinstance(value, str) else tuple(value)


class Role(Frozen):
    """A role of a game."""

    name: Identifier
    description: KeyedText
    """Description of the role, with its keys and mouse in braces: `You steer the worm{ with the arrow keys}.` Part of
    the prompt; agents that act through controls get it without the parts in braces."""
    keys: tuple[str, ...] = ()
    """Allowed keys, as `KeyboardEvent.key` names (Space for the space bar)."""
    clicks: bool = False
    """Whether the mouse may be used."""
    hold_ms: float = Field(default=DEFAULT_HOLD_MS, gt=0, le=MAX_HOLD_MS)
    """Default duration of a key press or click."""
    key_hold_ms: dict[str, float] = Field(default_factory=dict)
    """Default duration by key."""
    controls: tuple[Control, ...] = Field(min_length=1)
    parametric: tuple[Control, ...] = ()
    """A second, finer set of controls with parameters (`interface=parametric`)."""

    @model_validator(mode="after")
    def _consistent(self) -> "Role":
        both = (*self.controls, *self.parametric)
        ids = [c.id for c in both]
        if len(set(ids)) != len(ids):
            raise ValueError(f"role '{self.name}' has two controls with one id")
        for c in both:
            for k in c.keys:
                if k not in self.keys:
                    raise ValueError(f"control '{c.id}' presses '{k}', which is not among the role's keys")
            if (c.click or c.move or c.stick) and not self.clicks:
                raise ValueError(f"control '{c.id}' uses the mouse, but the role's `clicks` is false")
        return self

    @property
    def stepwise(self) -> "Role":
        """The role for labs, searches and committed solutions, which run no programs: if a control takes a program,
        its controls are the parametric ones."""
        if not self.parametric or not any(c.code for c in self.controls):
            return self
        return self.model_copy(update={"controls": self.parametric, "parametric": ()})

    def control(self, name: str) -> Control | None:
        """Returns the control with this id (in any case), without the parametric ones; None if there is none."""
        return next((c for c in self.controls if c.id == name.strip().lower()), None)
