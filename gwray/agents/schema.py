"""JSON schemas that admit exactly the actions of a role, for servers that can constrain a model's output.

Used only by profiles with `structured: true`; the published protocol never constrains a model.
"""

from __future__ import annotations

from typing import Any

from gwray.agents.coordinates import Grid
from gwray.agents.legality import MAX_TEXT
from gwray.catalog.game import MAX_HOLD_MS, Control, Role
from gwray.spec import Interface


def reply_schema(role: Role, interface: Interface, grid: Grid) -> dict[str, Any]:
    """Schema of one reply in the `json` format."""
    options = [_control(c, role) for c in role.controls] if interface == "semantic" else _raw(role, grid)
    return options[0] if len(options) == 1 else {"anyOf": options}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _word(*allowed: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(allowed)}


def _text(role: Role) -> dict[str, Any]:
    letters = "".join(sorted({k for k in role.keys if len(k) == 1 and k.isalnum()}))
    pattern = {"pattern": f"^[{letters}]{{1,{MAX_TEXT}}}$"} if letters else {}
    return {"type": "string", **pattern}


def _control(control: Control, role: Role) -> dict[str, Any]:
    arguments = {}
    if control.cells:
        arguments["cell"] = _word(*control.cells.names())
    if control.type_text:
        arguments["text"] = _text(role)
    name = _word(control.id)
    return _object(action=name, arguments=_object(**arguments)) if arguments else _object(action=name)


def _raw(role: Role, grid: Grid) -> list[dict[str, Any]]:
    duration = {"type": "integer", "minimum": 1, "maximum": int(MAX_HOLD_MS)}
    x, y = ({"type": "integer", "minimum": 0, "maximum": int(n)} for n in grid.extent)
    options = [_object(action=_word("wait"), duration_ms=duration)]
    if role.keys:
        options.append(_object(action=_word("press_key"), key=_word(*role.keys), duration_ms=duration))
    if role.clicks:
        options.append(_object(action=_word("click"), x=x, y=y, button=_word("left", "right")))
    return options
