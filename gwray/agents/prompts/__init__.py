"""The prompts: four sections rendered from the game's own description.

The sections are Game Rules, Role and Controls, Task Instruction and Output Format. The action space writes the part on
acting, so the prompt lists exactly what can be executed; the format writes the part on output. `text_only/` has the
templates that differ for agents that get no images: they never mention a screen. Changing a word of a template requires
a new `PROTOCOL_VERSION`, because requests are identified by the hash of their text.
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

FOLDER = Path(__file__).parent


@cache
def _environment(text_only: bool) -> Environment:
    return Environment(
        loader=FileSystemLoader([FOLDER / "text_only", FOLDER] if text_only else FOLDER),
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
    per_reply: int = 1,
    part: str = "",
    facts: Mapping[str, Any] = MappingProxyType({}),
    exact: bool = False,
    text_only: bool = False,
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
        per_reply: maximum number of actions in a reply.
        part: template that replaces the output format, for questions that do not ask for an action.
        facts: variables for `part`.
        exact: whether a reply must have `per_reply` actions.
        text_only: whether the agent gets text and no images.
    """
    role = role_context.role
    environment = _environment(text_only)
    output = format.templates.get(space.name) or format.templates["*"]
    return (
        environment.get_template("system.jinja")
        .render(
            game=role_context.game,
            role=role,
            prompt_text=partial(prompt_text, keys=space.name != "semantic"),
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
            how_many=_how_many(per_reply, exact),
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


def part_text(part: str, facts: Mapping[str, Any], text_only: bool = False) -> str:
    """Returns a template without the four sections."""
    return _template(_environment(text_only), part).render(**facts).strip()


def user_line(step: int, per_reply: int = 1, exact: bool = False, images: int = 1, text_only: bool = False) -> str:
    """Returns the line that comes with each observation of `images` views. Models see steps counted from 1."""
    template = _environment(text_only).get_template("user.jinja")
    how_many = _how_many(per_reply, exact)
    return template.render(step=step + 1, per_reply=per_reply, how_many=how_many, images=images).strip()


def _how_many(per_reply: int, exact: bool) -> str:
    return f"{'exactly' if exact else '1 to'} {per_reply}"


def _template(environment: Environment, text: str) -> Template:
    return environment.get_template(text) if text.endswith(".jinja") else environment.from_string(text)
