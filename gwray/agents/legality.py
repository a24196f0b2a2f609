"""What a role may do: raw actions are normalised, bounded and either allowed or refused with a reason.

The rules are the role's: its keys, whether it may use the mouse, its hold durations. Bounds hold for everybody.
Parsing is not done here (`formats`), and semantic controls are looked up in `semantic`.
"""

from __future__ import annotations

import math

from gwray.actions import (
    Action,
    Click,
    ClickHold,
    Drag,
    MouseMove,
    PressKey,
    PressKeys,
    Scroll,
    Type,
    Wait,
)
from gwray.agents.base import Decision
from gwray.agents.keys import allowed_key, same_key, split_chord
from gwray.catalog.game import MAX_HOLD_MS, Role

MAX_KEYS = 3
"""Keys that one action may hold together."""
MAX_TEXT = 64
"""Characters that one action may type."""
MAX_SCROLL = 5000.0
"""Pixels that one action may scroll in each direction."""


def refused(reason: str, control: str | None = None) -> Decision:
    """The decision for a reply that asked for something the role cannot do."""
    return Decision("out_of_space", control=control, reason=reason)


def judge(action: Action, role: Role, viewport: tuple[int, int], control: str | None = None) -> Decision:
    """Check one action against a role. The action in the result is normalised: allowed key names, explicit
    durations wherever the key has one of its own."""
    match action:
        case PressKey(key=key, duration_ms=ms):
            return _keys(split_chord(key), ms, role, control)
        case PressKeys(keys=keys, duration_ms=ms):
            return _keys([k for key in keys for k in split_chord(key)], ms, role, control)
        case Type(text=text):
            return _text(text, role, control)
        case Wait(duration_ms=ms):
            problem = _duration_problem(ms)
        case _:
            problem = _mouse_problem(action, role, viewport)
    return refused(problem, control) if problem else Decision("valid", action, control)


def _keys(names: list[str], ms: float | None, role: Role, control: str | None) -> Decision:
    if not names:
        return refused("no key was named", control)
    keys: list[str] = []
    notes: list[str] = []
    for name in names[: MAX_KEYS + 1]:
        key, why = allowed_key(name, role.keys)
        if key is None:
            return refused(why, control)
        if why:
            notes.append(why)
        if key not in keys:
            keys.append(key)
    if len(names) > MAX_KEYS:
        return refused(f"{len(names)} keys at once; at most {MAX_KEYS} are possible", control)
    if problem := _duration_problem(ms):
        return refused(problem, control)
    ms = key_hold(keys, role) if ms is None else ms
    action = PressKey(key=keys[0], duration_ms=ms) if len(keys) == 1 else PressKeys(keys=tuple(keys), duration_ms=ms)
    return Decision("valid", action, control, "; ".join(notes))


def key_hold(keys: list[str] | tuple[str, ...], role: Role) -> float | None:
    """The longest of the keys' own holds in ms; None when none has one, so that the role's default applies."""
    holds = [role.key_hold_ms[k] for k in keys if k in role.key_hold_ms]
    return max(holds) if holds else None


def _text(text: str, role: Role, control: str | None) -> Decision:
    if not text:
        return refused("there is no text to type", control)
    text = text.replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        return refused(f"{len(text)} characters to type; at most {MAX_TEXT} are possible", control)
    typed = []
    for char in text:
        key = same_key(char, role.keys)
        if key is None:
            return refused(f"the text needs the key '{char}', which this role does not have", control)
        typed.append({"Space": " ", "Enter": "\n", "Tab": "\t"}.get(key, key))
    if any(len(k) > 1 for k in typed):
        return refused("the text needs a key that cannot be typed", control)
    return Decision("valid", Type(text="".join(typed)), control)


def _duration_problem(ms: float | None) -> str:
    if ms is None:
        return ""
    if not math.isfinite(ms) or ms <= 0:
        return "a duration must be a positive number"
    return f"{ms:g} ms is longer than the {MAX_HOLD_MS:g} ms allowed" if ms > MAX_HOLD_MS else ""


def _mouse_problem(action: Click | ClickHold | Drag | MouseMove | Scroll, role: Role, viewport: tuple[int, int]) -> str:
    if not role.clicks:
        return f"this role has no mouse, so {action.action} is not possible"
    points = [(action.x, action.y)]
    if isinstance(action, Drag):
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
    return _duration_problem(getattr(action, "duration_ms", None))
