"""Checks whether a role may do an action: normalizes it, limits it, and allows it or refuses it with a reason. A role
has its own keys, mouse permission and hold durations; the limits are the same for all roles. Parsing happens in
`formats` and `spaces`."""

import math
from collections.abc import Mapping
from typing import Any

from gwray.agents.calls import Parsed, Refused
from gwray.agents.keys import allowed_key, same_key, split_chord
from gwray.catalog import MAX_HOLD_MS, MAX_TEXT, Parameter, Role
from gwray.records import (
    Action,
    Click,
    ClickHold,
    Command,
    Drag,
    MouseMove,
    PressKey,
    PressKeys,
    Pull,
    Scroll,
    Type,
    Wait,
)

MAX_KEYS = 3
"""Keys that one action may hold at the same time."""
MAX_SCROLL = 5000.0
"""Pixels that one action may scroll in each direction."""


def check_action(action: Action, role: Role, viewport: tuple[int, int]) -> Parsed | Refused:
    """Checks one action against a role.

    Args:
        action: the action, with points in viewport pixels.
        role: the role, with its keys, mouse and durations.
        viewport: width and height of the screen in pixels.

    Returns:
        `Parsed` with the normalized action (key names of the role, the durations of its keys), or `Refused`.
    """
    match action:
        case PressKey(key=key, duration_ms=ms):
            return _check_keys(split_chord(key), ms, role)
        case PressKeys(keys=keys, duration_ms=ms):
            return _check_keys([k for key in keys for k in split_chord(key)], ms, role)
        case Type(text=text):
            return _check_text(text, role)
        case Command():
            return _check_command(action, role)
        case Wait():
            problem = ""
        case _:
            problem = _mouse_problem(action, role, viewport)
    return Refused(problem) if problem else _bounded(action)


def _bounded(action: Action, note: str = "") -> Parsed | Refused:
    """Shortens the duration to the maximum. A longer one is not an error: providers' tools count in whole seconds, and
    their models wait for five."""
    ms = getattr(action, "duration_ms", None)
    if ms is None:
        return Parsed(action, note=note)
    if not math.isfinite(ms) or ms <= 0:
        return Refused("a duration must be a positive number")
    if ms <= MAX_HOLD_MS:
        return Parsed(action, note=note)
    notes = [*([note] if note else []), f"{ms:g} ms is longer than the {MAX_HOLD_MS:g} ms allowed, and was shortened"]
    return Parsed(action.model_copy(update={"duration_ms": MAX_HOLD_MS}), note="; ".join(notes))


def _check_keys(names: list[str], ms: float | None, role: Role) -> Parsed | Refused:
    """Checks keys that are pressed together for `ms` of game time (None: their default)."""
    if not names:
        return Refused("no key was named")
    keys: list[str] = []
    notes: list[str] = []
    for name in names[: MAX_KEYS + 1]:
        key, why = allowed_key(name, role.keys)
        if key is None:
            return Refused(why)
        if why:
            notes.append(why)
        if key not in keys:
            keys.append(key)
    if len(names) > MAX_KEYS:
        return Refused(f"{len(names)} keys at once; at most {MAX_KEYS} are possible")
    ms = key_hold(keys, role) if ms is None else ms
    action = PressKey(key=keys[0], duration_ms=ms) if len(keys) == 1 else PressKeys(keys=tuple(keys), duration_ms=ms)
    return _bounded(action, "; ".join(notes))


def key_hold(keys: list[str] | tuple[str, ...], role: Role) -> float | None:
    """Returns the longest hold of these keys in ms; None if none has its own, so that the role's default applies."""
    holds = [role.key_hold_ms[k] for k in keys if k in role.key_hold_ms]
    return max(holds) if holds else None


def _check_text(text: str, role: Role) -> Parsed | Refused:
    """Checks a text to type: each character needs a key of the role."""
    if not text:
        return Refused("there is no text to type")
    text = text.replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        return Refused(f"{len(text)} characters to type; at most {MAX_TEXT} are possible")
    typed = []
    for char in text:
        key = same_key(char, role.keys)
        if key is None:
            return Refused(f"the text needs the key '{char}', which this role does not have")
        typed.append({"Space": " ", "Enter": "\n", "Tab": "\t"}.get(key, key))
    if any(len(k) > 1 for k in typed):
        return Refused("the text needs a key that cannot be typed")
    return Parsed(Type(text="".join(typed)))


def _check_command(action: Command, role: Role) -> Parsed | Refused:
    """Returns a command that is bound to one of the role's controls, with values that its parameters can have."""
    reasons = [f"this role has no command '{action.name[:60]}'"]
    for control in (*role.controls, *role.parametric):
        if control.command == action.name:
            if problem := _args_problem(action.args, control.parameters):
                reasons.append(problem)
            else:
                return Parsed(action.model_copy(update={"max_ms": control.max_ms}))
    return Refused(reasons[-1])


def _args_problem(args: Mapping[str, Any], parameters: Mapping[str, Parameter]) -> str:
    """Returns why the arguments of a command are not possible; empty if they are."""
    if args.keys() != parameters.keys():
        return f"its arguments are {', '.join(parameters) or 'none'}, not {', '.join(args)[:60] or 'none'}"
    for name, parameter in parameters.items():
        words = parameter.samples() if parameter.type in ("choice", "cell") else [args[name]]
        try:
            possible = command_args({str(i): parameter.value(word, name) for i, word in enumerate(words)})
        except ValueError as e:
            return str(e)
        if args[name] not in possible.values() or isinstance(args[name], bool):
            return f"the argument '{name}' cannot be {str(args[name])[:60]!r}"
    return ""


def command_args(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns values of parameters as the arguments of a command, in JSON."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _mouse_problem(
    action: Click | ClickHold | Drag | MouseMove | Pull | Scroll, role: Role, viewport: tuple[int, int]
) -> str:
    """Returns why a mouse action is not possible; empty if it is."""
    if not role.clicks:
        return f"this role has no mouse, so {action.action} is not possible"
    points = [(action.x, action.y)] if action.x is not None and action.y is not None else []
    if not points and not (action.x is action.y is None):
        return "a point needs both coordinates"
    if isinstance(action, Drag | Pull):
        points.append((action.to_x, action.to_y))
    if isinstance(action, MouseMove) and (action.from_x is not None or action.from_y is not None):
        if action.from_x is None or action.from_y is None:
            return "a movement needs both coordinates of its start"
        points.append((action.from_x, action.from_y))
    for x, y in points:
        if not (0 <= x < viewport[0] and 0 <= y < viewport[1]):
            return f"({x:g}, {y:g}) is outside the {viewport[0]}×{viewport[1]} screen"
    if isinstance(action, Scroll):
        if not (abs(action.dx) <= MAX_SCROLL and abs(action.dy) <= MAX_SCROLL):
            return f"a scroll of more than {MAX_SCROLL:g} pixels"
        return "" if action.dx or action.dy else "a scroll needs a distance"
    return ""
