"""The prompts: four sections rendered from the game's own description, one folder per version.

The sections are Game Rules, Role and Controls, Task Instruction and Output Format. The action space writes the part on
acting, so the prompt lists exactly what can be executed; the format writes the part on output. Changing a word of a
template requires a new version folder, because the version is part of an episode's identity. A folder has only the
files that changed since the version that it continues.
"""

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
"""First version in which prompts for semantic controls do not name the keys behind them."""
DIGITS = 7
"""First version that writes `1 to 3` instead of `one to 3`."""
FOLDERS = {
    1: (1,),
    2: (2, 1),
    3: (3, 2, 1),
    4: (4, 2, 1),
    5: (5, 4, 2, 1),
    6: (6, 3, 2, 1),
    7: (7, 5, 4, 2, 1),
    8: (8, 7, 6, 3, 2, 1),
}
"""The folders in which the templates of a version are found, in search order. Versions 3, 6 and 8 are those for agents
that get text only."""
FOLDER = Path(__file__).parent


@cache
def _environment(version: int) -> Environment:
    """Returns the Jinja environment of a prompt version. Raises `UsageError` for an unknown version."""
    if version not in FOLDERS:
        raise choose("prompt_version", version, [*map(str, FOLDERS)])
    return Environment(
        loader=FileSystemLoader([FOLDER / f"v{number}" for number in FOLDERS[version]]),
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
    exact: bool = False,
) -> str:
    """Returns the static text of a prompt: its four sections.

    The section on acting (`ActionSpace.section`), the output format (`Format.templates`) and `part` are each the name
    of a file in this folder or the text itself: a Jinja template with these variables:

    - `game`, `role`, `task`, `partners` (the other roles), `per_reply` (maximum number of actions in a reply), `exact`
      (whether a reply must have that many), `how_many` (both in words, if more than one is allowed: `1 to 3`)
    - `space` and its `tools()`, `example` (a call with name and arguments), `grid` (see `_grid.jinja`), `format`
    - `durations` (fixed, or free if a reply may say how long an input lasts)
    - `letters` (keys that type a character), `max_hold_ms`, `max_keys`, `max_text`
    - `prompt_text(text)`: a text of the game without its braces, and without their content if the prompt names no keys
    - the names in `facts`

    Args:
        role_context: the role, game and task.
        space: the action space of the role.
        format: the format of the model.
        version: version of the prompts.
        per_reply: maximum number of actions in a reply.
        part: template that replaces the output format, for questions that do not ask for an action.
        facts: variables for `part`.
        exact: whether a reply must have `per_reply` actions.
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
            exact=exact,
            how_many=_how_many(per_reply, exact, version),
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
    """Returns a template without the four sections."""
    return _template(_environment(version), part).render(**facts).strip()


def user_line(step: int, version: int, per_reply: int = 1, exact: bool = False, images: int = 1) -> str:
    """Returns the line that comes with each observation of `images` views. Models see steps counted from 1."""
    template = _environment(version).get_template("user.jinja")
    how_many = _how_many(per_reply, exact, version)
    return template.render(step=step + 1, per_reply=per_reply, how_many=how_many, images=images).strip()


def _how_many(per_reply: int, exact: bool, version: int) -> str:
    return f"{'exactly' if exact else '1 to' if version >= DIGITS else 'one to'} {per_reply}"


def _template(environment: Environment, text: str) -> Template:
    return environment.get_template(text) if text.endswith(".jinja") else environment.from_string(text)
