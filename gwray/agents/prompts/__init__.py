"""The wording: four sections rendered from the game's own description, in one version per folder.

Order: Game Rules, Role and Controls, Task Instruction, Output Format. How one acts is said by the action space, so the
prompt says exactly what can be executed; how it is written, by the format. Changing a word of a template means a new
version folder: the version is part of what identifies an episode. It holds the files that changed; the others are those
of the versions before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from gwray.agents.formats import Format
from gwray.agents.legality import MAX_KEYS
from gwray.agents.role_context import RoleContext
from gwray.agents.spaces import ActionSpace
from gwray.catalog import MAX_HOLD_MS, MAX_TEXT, prompt_text
from gwray.errors import choose

KEYS_APART = 2
"""From this wording on a player that acts through controls is not told which keys they press."""
FOLDER = Path(__file__).parent


@cache
def _environment(version: int) -> Environment:
    folders = [FOLDER / f"v{v}" for v in range(version, 0, -1)]
    if not folders or not folders[0].is_dir():
        known = sorted(p.name.removeprefix("v") for p in FOLDER.glob("v*"))
        raise choose("prompt_version", version, known)
    return Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        keep_trailing_newline=False,
    )


def system_prompt(
    role_context: RoleContext,
    space: ActionSpace,
    format: Format,
    version: int,
    per_reply: int = 1,
    part: str = "",
    facts: Mapping[str, Any] = MappingProxyType({}),
) -> str:
    """The four sections, for one seat; with a `part` of a question that is not for an action, that instead of the last.

    The action space says how one acts (`section`) and the format how to write it (`templates`); either is the name of a
    file here or the text itself, as `part` is; a Jinja template that can name:

    - `game`, `role`, `task`, `partners` (the other roles), `per_reply` (actions that one reply may hold)
    - `space` and its `tools()`, `example` (a call with name and arguments), `grid` (see `_grid.jinja`), `format`
    - `durations` (fixed, or free where a reply may say how long an input lasts)
    - `letters` (keys that type something), `max_hold_ms`, `max_keys`, `max_text`
    - `prompt_text(text)`: a text of the game without braces, and without their contents if the role has no keys
    - what is in `facts`
    """
    role = role_context.role
    environment = _environment(version)
    output = format.templates.get(space.name) or format.templates["*"]
    return (
        environment.get_template("system.jinja")
        .render(
            game=role_context.game,
            role=role,
            prompt_text=partial(prompt_text, keys=version < KEYS_APART or space.name != "semantic"),
            task=role_context.task,
            partners=[r for r in role_context.game.roles if r.name != role.name],
            letters=[k for k in role.keys if len(k) == 1],
            space=space,
            format=format,
            grid=space.grid,
            durations=space.durations,
            example=space.example(),
            per_reply=per_reply,
            section=_template(environment, space.section),
            output=_template(environment, output),
            part=_template(environment, part) if part else None,
            max_hold_ms=int(MAX_HOLD_MS),
            max_keys=MAX_KEYS,
            max_text=MAX_TEXT,
            **facts,
        )
        .strip()
    )


def part_text(part: str, version: int, facts: Mapping[str, Any]) -> str:
    """A part alone, without the sections before it."""
    return _template(_environment(version), part).render(**facts).strip()


def user_line(step: int, version: int, per_reply: int = 1) -> str:
    """The one line that comes with each screenshot. Steps count from 1 for the model."""
    return _environment(version).get_template("user.jinja").render(step=step + 1, per_reply=per_reply).strip()


def _template(environment: Environment, text: str) -> Template:
    return environment.get_template(text) if text.endswith(".jinja") else environment.from_string(text)
