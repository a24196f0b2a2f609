"""Semantic controls: a control's name and arguments become the action it is bound to.

The control list is the role's; prompts, tool schemas and this lookup are all made from it, so what a model is told
and what can be executed are one thing.
"""

from __future__ import annotations

import json
from typing import Any

from gwray.actions import Action, Click, ClickHold, MouseMove, PressKey, PressKeys, Type, Wait
from gwray.agents.base import Decision
from gwray.agents.legality import judge, key_hold, refused
from gwray.catalog.game import Control, Role


def argument_of(control: Control) -> str | None:
    """The name of the one argument a control takes: `cell`, `text` or None."""
    return "cell" if control.cells else "text" if control.type_text else None


def resolve(name: str, arguments: Any, role: Role, viewport: tuple[int, int]) -> Decision:
    """A control by name (any case) with its arguments (an object, a JSON string, or the bare value)."""
    wanted = name.strip().removeprefix("functions.").strip("`'\"() ").replace("-", "_").replace(" ", "_")
    control = role.control(wanted)
    if control is None:
        known = ", ".join(c.id for c in role.controls)
        return refused(f"unknown control '{name.strip()[:60]}' (this role has: {known})")
    value, problem = _argument(control, arguments)
    if problem:
        return refused(problem, control.id)
    action = bind(control, value, role)
    if action is None:
        return refused(f"there is no cell '{str(value)[:20]}'", control.id)
    return judge(action, role, viewport, control.id)


def bind(control: Control, value: str, role: Role) -> Action | None:
    """The raw action of a control. `value` is its cell or text; None if there is no such cell."""
    ms = control.hold_ms
    if control.press:
        ms = key_hold(control.press, role) if ms is None else ms
        if len(control.press) == 1:
            return PressKey(key=control.press[0], duration_ms=ms)
        return PressKeys(keys=control.press, duration_ms=ms)
    if control.click:
        at = _centre(control, value)
        if at is None:
            return None
        if control.hold_click:
            return ClickHold(x=at[0], y=at[1], button=control.click, duration_ms=ms)
        return Click(x=at[0], y=at[1], button=control.click)
    if control.move:
        (fx, fy), (x, y) = control.move.start, control.move.to
        return MouseMove(x=x, y=y, from_x=fx, from_y=fy, duration_ms=ms)
    return Type(text=value) if control.type_text else Wait(duration_ms=ms)


def _centre(control: Control, cell: str) -> tuple[float, float] | None:
    if control.cells is None:
        return control.at
    return control.cells.centre(cell) if len(cell) <= 16 else None


def _argument(control: Control, arguments: Any) -> tuple[str, str]:
    """The value of the control's one argument, or what is wrong with it."""
    wanted = argument_of(control)
    if wanted is None:
        return "", ""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            # A bare word is the value itself; broken JSON is not.
            if any(c in arguments for c in "{}[]"):
                return "", f"the arguments of {control.id} are not JSON"
    if isinstance(arguments, dict):
        arguments = next((v for k, v in arguments.items() if str(k).strip().lower() == wanted), None)
    if arguments is None or arguments == "":
        return "", f"{control.id} needs the argument '{wanted}'"
    if isinstance(arguments, bool) or not isinstance(arguments, str | int | float):
        return "", f"the argument '{wanted}' of {control.id} must be text"
    return str(arguments), ""


def schema_of(control: Control) -> dict[str, Any]:
    """JSON schema of a control's arguments, strict enough for providers' strict modes."""
    properties: dict[str, Any] = {}
    if control.cells:
        c = control.cells
        last = f"{chr(96 + c.columns)}{c.rows}"
        properties["cell"] = {
            "type": "string",
            "description": f"Cell name: column letter, then row number; a1 is the top left, {last} the bottom right.",
        }
    if control.type_text:
        properties["text"] = {"type": "string", "description": "The text to type."}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
