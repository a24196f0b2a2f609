"""Actions and events: what an agent decides, and the atomic input it becomes.

An *action* is one decision of one role in one step. It becomes a list of *events* on a small timeline in
milliseconds of game time; several roles' lists are laid over the same frames by `merge`. Nothing here knows
games, models or browsers. Legality (what a role may do) is decided in `agents`.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

Button = Literal["left", "right", "middle"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Click(_Frozen):
    """Press and release a mouse button at a viewport point in CSS pixels."""

    action: Literal["click"] = "click"
    x: float
    y: float
    button: Button = "left"
    count: int = Field(default=1, ge=1, le=3)


class ClickHold(_Frozen):
    """Hold a mouse button at a point for `duration_ms` of game time; without a point, where the pointer is."""

    action: Literal["click_hold"] = "click_hold"
    x: float | None = None
    y: float | None = None
    button: Button = "left"
    duration_ms: float | None = None


class Drag(_Frozen):
    """Press at (x, y), move to (to_x, to_y) over `duration_ms`, release."""

    action: Literal["drag"] = "drag"
    x: float
    y: float
    to_x: float
    to_y: float
    button: Button = "left"
    duration_ms: float | None = None


class Pull(_Frozen):
    """Press at (x, y), pull to (to_x, to_y) at once, hold there until `duration_ms` have passed, release: a stick."""

    action: Literal["pull"] = "pull"
    x: float
    y: float
    to_x: float
    to_y: float
    button: Button = "left"
    duration_ms: float | None = None


class MouseMove(_Frozen):
    """Move the pointer to (x, y), from (from_x, from_y) when given, over `duration_ms`."""

    action: Literal["mouse_move"] = "mouse_move"
    x: float
    y: float
    from_x: float | None = None
    from_y: float | None = None
    duration_ms: float | None = None


class Scroll(_Frozen):
    """Turn the wheel at a point; positive `dy` scrolls down, in pixels."""

    action: Literal["scroll"] = "scroll"
    x: float
    y: float
    dx: float = 0
    dy: float = 0


class Type(_Frozen):
    """Type text, one key after the other."""

    action: Literal["type"] = "type"
    text: str


class PressKey(_Frozen):
    """Hold one key for `duration_ms` of game time (None: the role's default)."""

    action: Literal["press_key"] = "press_key"
    key: str
    duration_ms: float | None = None


class PressKeys(_Frozen):
    """Hold several keys together."""

    action: Literal["press_keys"] = "press_keys"
    keys: tuple[str, ...]
    duration_ms: float | None = None


class Wait(_Frozen):
    """Let game time pass."""

    action: Literal["wait"] = "wait"
    duration_ms: float | None = None


class Command(_Frozen):
    """Let the game carry out one of its commands, over its own frames, until the game answers."""

    action: Literal["command"] = "command"
    name: str
    """Name of the game's command."""
    args: dict[str, JsonValue] = Field(default_factory=dict)
    max_ms: float | None = None
    """Game time within which the command must end; None: that of its control."""


Action = Annotated[
    Click | ClickHold | Drag | Pull | MouseMove | Scroll | Type | PressKey | PressKeys | Wait | Command,
    Field(discriminator="action"),
]
ACTION: TypeAdapter[Action] = TypeAdapter(Action)


MAX_COMMAND_MS = 60_000.0
"""Longest game time of a command."""


class Event(_Frozen):
    """One atomic input at `at_ms` of game time after the start of the action.

    `kind` is key_down | key_up | mouse_move | mouse_down | mouse_up | wheel | command | end; `end` does nothing and
    only says how long the action lasts. A `command` lasts until the game has answered, at most `max_ms`.
    """

    at_ms: float
    kind: Literal["key_down", "key_up", "mouse_move", "mouse_down", "mouse_up", "wheel", "command", "end"]
    key: str | None = None
    x: float | None = None
    y: float | None = None
    dx: float = 0
    dy: float = 0
    button: Button = "left"
    clicks: int = 1
    role: str = ""
    """For a `command`: the role that gives it."""
    command: str = ""
    args: dict[str, Any] = Field(default_factory=dict)
    max_ms: float = MAX_COMMAND_MS


CLICK_MS = 50.0
"""Game time in ms between press and release of a click."""
TYPE_MS = 50.0
"""Game time in ms that each typed key is held, and of the pause after it."""
TYPED_BY = {"\n": "Enter", "\t": "Tab"}
"""Characters whose keys have another name."""
PULL_MS = 50.0
"""Game time that the pull of a stick takes, in ms; the stick is held for the rest of the action."""
DRAG_MOVES = 6
"""Pointer positions of a drag, a pull or a sweep."""


def events(action: Action, hold_ms: float, role: str = "") -> list[Event]:
    """Returns the timeline of one action of a role; `hold_ms` is the role's default hold in ms of game time.

    Every action lasts at least one `hold_ms`, and a command at least one frame, so a step always advances the game.
    """
    match action:
        case Wait(duration_ms=ms):
            return [Event(at_ms=hold_ms if ms is None else ms, kind="end")]
        case PressKey(key=key, duration_ms=ms):
            return _press_events((key,), hold_ms if ms is None else ms)
        case PressKeys(keys=keys, duration_ms=ms):
            return _press_events(keys, hold_ms if ms is None else ms)
        case Type(text=text):
            out: list[Event] = []
            for i, key in enumerate(TYPED_BY.get(char, char) for char in text):
                out.append(Event(at_ms=2 * i * TYPE_MS, kind="key_down", key=key))
                out.append(Event(at_ms=(2 * i + 1) * TYPE_MS, kind="key_up", key=key))
            return [*out, Event(at_ms=max(hold_ms, 2 * len(text) * TYPE_MS), kind="end")]
        case MouseMove(x=x, y=y, from_x=fx, from_y=fy, duration_ms=ms):
            ms = hold_ms if ms is None else ms
            if fx is None or fy is None:
                return [Event(at_ms=0, kind="mouse_move", x=x, y=y), Event(at_ms=ms, kind="end")]
            out = [Event(at_ms=0, kind="mouse_move", x=fx, y=fy)]
            return [*out, *_moves(fx, fy, x, y, ms), Event(at_ms=ms, kind="end")]
        case Scroll(x=x, y=y, dx=dx, dy=dy):
            return [
                Event(at_ms=0, kind="mouse_move", x=x, y=y),
                Event(at_ms=0, kind="wheel", x=x, y=y, dx=dx, dy=dy),
                Event(at_ms=hold_ms, kind="end"),
            ]
        case Click(x=x, y=y, button=button, count=count):
            out = [Event(at_ms=0, kind="mouse_move", x=x, y=y)]
            for i in range(count):
                at = 2 * i * CLICK_MS
                out.append(Event(at_ms=at, kind="mouse_down", x=x, y=y, button=button, clicks=i + 1))
                out.append(Event(at_ms=at + CLICK_MS, kind="mouse_up", x=x, y=y, button=button, clicks=i + 1))
            return [*out, Event(at_ms=max(hold_ms, 2 * count * CLICK_MS), kind="end")]
        case ClickHold(x=x, y=y, button=button, duration_ms=ms):
            ms = hold_ms if ms is None else ms
            there = [] if x is None else [Event(at_ms=0, kind="mouse_move", x=x, y=y)]
            return [
                *there,
                Event(at_ms=0, kind="mouse_down", x=x, y=y, button=button),
                Event(at_ms=ms, kind="mouse_up", x=x, y=y, button=button),
                Event(at_ms=ms, kind="end"),
            ]
        case (
            Drag(x=x, y=y, to_x=to_x, to_y=to_y, button=button, duration_ms=ms)
            | Pull(x=x, y=y, to_x=to_x, to_y=to_y, button=button, duration_ms=ms)
        ):
            ms = hold_ms if ms is None else ms
            out = [
                Event(at_ms=0, kind="mouse_move", x=x, y=y),
                Event(at_ms=0, kind="mouse_down", x=x, y=y, button=button),
            ]
            out += _moves(x, y, to_x, to_y, min(ms, PULL_MS) if isinstance(action, Pull) else ms)
            out.append(Event(at_ms=ms, kind="mouse_up", x=to_x, y=to_y, button=button))
            return [*out, Event(at_ms=ms, kind="end")]
        case Command(name=name, args=args, max_ms=ms):
            ms = MAX_COMMAND_MS if ms is None else ms
            return [Event(at_ms=0, kind="command", role=role, command=name, args=args, max_ms=ms)]


def _moves(x: float, y: float, to_x: float, to_y: float, ms: float) -> list[Event]:
    parts = [i / DRAG_MOVES for i in range(1, DRAG_MOVES + 1)]
    return [Event(at_ms=ms * f, kind="mouse_move", x=x + (to_x - x) * f, y=y + (to_y - y) * f) for f in parts]


def _press_events(keys: tuple[str, ...], ms: float) -> list[Event]:
    down = [Event(at_ms=0, kind="key_down", key=k) for k in keys]
    up = [Event(at_ms=ms, kind="key_up", key=k) for k in reversed(keys)]
    return [*down, *up, Event(at_ms=ms, kind="end")]


def merge(timelines: list[list[Event]]) -> list[Event]:
    """Lays several roles' timelines over the same frames: by time, then in the order of the roles."""
    return sorted((e for t in timelines for e in t), key=lambda e: e.at_ms)
