"""The wording: four sections rendered from the game's own description, in one version per folder.

Order: Game Rules, Role and Controls, Task Instruction, Output Format. Control lists come from the role, so they say
exactly what can be executed. Changing a word of a template means a new version folder: the version is part of what
identifies an episode.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gwray.agents.base import Seat
from gwray.agents.coordinates import Grid
from gwray.agents.legality import MAX_KEYS, MAX_TEXT
from gwray.agents.semantic import argument_of
from gwray.catalog.game import MAX_HOLD_MS, Control
from gwray.errors import choose
from gwray.spec import Interface

FOLDER = Path(__file__).parent


@cache
def _environment(version: int) -> Environment:
    folder = FOLDER / f"v{version}"
    if not folder.is_dir():
        known = sorted(p.name.removeprefix("v") for p in FOLDER.glob("v*"))
        raise choose("prompt_version", version, known)
    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        keep_trailing_newline=False,
    )


def example_of(control: Control) -> dict[str, str]:
    """Arguments of an example call of a control."""
    match argument_of(control):
        case "cell":
            assert control.cells is not None
            names = control.cells.names()
            return {"cell": names[len(names) // 2]}
        case "text":
            return {"text": "a"}
        case _:
            return {}


def system_text(seat: Seat, interface: Interface, format_name: str, grid: Grid, version: int) -> str:
    """The four sections, for one seat."""
    role = seat.role
    control = next((c for c in role.controls if argument_of(c)), role.controls[0])
    template = _environment(version).get_template("system.jinja")
    return template.render(
        game=seat.game,
        role=role,
        task=seat.task,
        partners=[r for r in seat.game.roles if r.name != role.name],
        letters=[k for k in role.keys if len(k) == 1],
        semantic=interface == "semantic",
        format=format_name,
        grid=grid,
        argument_of=argument_of,
        example=control,
        example_arguments=example_of(control),
        max_hold_ms=int(MAX_HOLD_MS),
        max_keys=MAX_KEYS,
        max_text=MAX_TEXT,
        cell_range=_cell_range,
    ).strip()


def user_text(step: int, version: int) -> str:
    """The one line that comes with each screenshot. Steps count from 1 for the model."""
    return _environment(version).get_template("user.jinja").render(step=step + 1).strip()


def _cell_range(control: Control) -> str:
    if control.cells is None:
        return ""
    names = control.cells.names()
    return f"{names[0]} to {names[-1]}"
