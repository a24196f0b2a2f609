"""The reference pages, made from the code that they are about: there is no second reference.

`python scripts/reference.py` writes `docs/configuration.md` (settings), `docs/game-yaml.md` (game folders) and
`docs/commands.md` (the command line).
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel
from pydantic._internal._docs_extraction import extract_docstrings_from_cls
from pydantic_core import PydanticUndefined
from typer.main import get_command

from gwray.catalog import All, Any_, AtLeast, AtMost, Between, Contains, Exists, Game, Is, Library, Not, OneOf
from gwray.cli import app
from gwray.spec import TOP_LEVEL, ModelSpec, RunSpec

DOCS = Path(__file__).resolve().parents[1] / "docs"
MADE = "Made by `python scripts/reference.py`."
SETTINGS = f"""\
# Settings

{MADE} Every setting can be given on the command line of `launch.py`
(`repeats=3`, `timing=realtime timing.latency=fixed:250`, `executor.lanes=8`); with `-m`, a comma-separated
list sweeps it.
`model`, `agent`, `observation`, `nudge`, `timing`, `executor` and `experiment` are also the names of files in `conf/`.
"""
GAME_FILES = f"""\
# Game folders

{MADE} What `library.yaml` and `game.yaml` may say; `gwray games` names a mistake with its line. How a game is
written has [a page of its own](../games/kit/README.md).
"""
COMMANDS = f"""\
# Commands

{MADE} `gwray COMMAND --help` says the same. Exit codes: 0 all right, 1 a problem was found, 2 wrong use, 130 ended by
Ctrl-C or SIGTERM.
"""
PREDICATES = (Is, OneOf, Between, AtLeast, AtMost, Contains, Exists, All, Any_, Not)
PLAIN = {str: "text", int: "whole number", float: "number", bool: "true, false", types.NoneType: "null"}


def settings() -> str:
    """`docs/configuration.md`. Models within models are told flat: `timing.latency`."""
    run, profile = _setting_rows(RunSpec, ""), _setting_rows(ModelSpec, "model.")
    head = "setting", "values", "default", ""
    return _page(SETTINGS, "## A run\n", _table(head, run), "", "## A model profile (`conf/model/<name>.yaml`)\n",
                 _table(head, profile))  # fmt: skip


def _setting_rows(model: type[BaseModel], prefix: str) -> Iterator[Sequence[str]]:
    for name, field in model.model_fields.items():
        said = f"{prefix}{field.alias or name}"
        if model is RunSpec and name == "model":
            yield "`model`", "a profile of `conf/model/`", "`random`", "Who plays; see below."
        elif said not in TOP_LEVEL and (inner := _spec_of(field.annotation)):
            yield from _setting_rows(inner, f"{prefix}{name}.")
        elif said not in TOP_LEVEL:
            values = re.sub(r"\[([^\]]*)\]\(#[^)]*\)", r"\1", _values(field.annotation))
            yield f"`{said}`", values, _default(field), _words(_told(model, name))


def _spec_of(kind: Any) -> type[BaseModel] | None:
    options = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    return next((o for o in options if _is_model(o)), None)


def game_files() -> str:
    """`docs/game-yaml.md`: every model that a library or a game is made of, each after the one that first names it."""
    parts = [GAME_FILES]
    for model in _models([Library, Game]):
        rows = [
            (f"`{field.alias or name}`", _values(field.annotation), _default(field), _words(_told(model, name)))
            for name, field in _said(model).items()
        ]
        parts += [
            f"## {_title(model)}\n",
            f"{_words(model.__doc__)}\n",
            _table(("field", "values", "default", ""), rows),
            "",
        ]
    operators = [(f"`{_operator(p)}`", _values(_operand(p).annotation), _words(p.__doc__)) for p in PREDICATES]
    parts += ["## Predicate\n", "Exactly one operator; one about a field names it: `{field: items.key, is: true}`.\n"]
    return _page(*parts, _table(("operator", "value", "it holds when"), operators))


def _models(queue: list[type[BaseModel]]) -> list[type[BaseModel]]:
    found: list[type[BaseModel]] = []
    while queue:
        model, *queue = queue
        if model not in (*found, *PREDICATES):
            found.append(model)
            queue = [*(m for field in _said(model).values() for m in _inside(field.annotation)), *queue]
    return found


def _inside(kind: Any) -> list[type[BaseModel]]:
    """The models in an annotation."""
    return [kind] if _is_model(kind) else [m for a in typing.get_args(kind) for m in _inside(a)]


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _said(model: type[BaseModel]) -> dict[str, Any]:
    return {name: field for name, field in model.model_fields.items() if not field.exclude}


def _told(model: type[BaseModel], name: str) -> str | None:
    """The text under a field. Looked up here: a model that keeps it reads its source whenever gwray starts."""
    return next((t[name] for kind in model.__mro__ if name in (t := _texts(kind))), None)


@cache
def _texts(kind: type) -> dict[str, str]:
    own = issubclass(kind, BaseModel) and kind is not BaseModel
    return extract_docstrings_from_cls(kind, use_inspect=True) if own else {}


def _title(model: type[BaseModel]) -> str:
    if model in (Library, Game):
        return f"{model.__name__.lower()}.yaml"
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", model.__name__).capitalize()


def _operand(predicate: type[BaseModel]) -> Any:
    return next(field for name, field in predicate.model_fields.items() if name != "field")


def _operator(predicate: type[BaseModel]) -> str:
    return next(field.alias or name for name, field in predicate.model_fields.items() if name != "field")


def commands() -> str:
    """`docs/commands.md`: what `--help` says of each command."""
    return _page(COMMANDS, *_of_group(get_command(app), "gwray"))


def _of_group(group: Any, name: str) -> Iterator[str]:
    for word, command in group.commands.items():
        inner = _of_group if hasattr(command, "commands") else _of_command
        yield from inner(command, f"{name} {word}")


def _of_command(command: Any, name: str) -> Iterator[str]:
    text, _, example = inspect.cleandoc(command.help or "").partition("Example: ")
    yield from (f"## {name}\n", f"{text.strip()}\n", f"Example: `{example.strip()}`\n")
    if rows := [_parameter(p) for p in command.params if p.name != "help"]:
        yield _table(("", "default", ""), rows) + "\n"


def _parameter(param: Any) -> Sequence[str]:
    option = param.param_type_name == "option"
    written = ", ".join(param.opts) if option else param.name.upper()
    needed = " (needed)" if param.required else ""
    shown = isinstance(param.default, str | int | float) and not isinstance(param.default, bool)
    return f"`{written}`{needed}", f"`{param.default}`" if shown else "", _words(getattr(param, "help", ""))


def _values(kind: Any) -> str:
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _values(inside[0])
    if origin is typing.Literal:
        return ", ".join(f"`{v}`" for v in inside)
    if origin is typing.Union or isinstance(kind, types.UnionType):
        return " or ".join(dict.fromkeys(_values(a) for a in inside))
    if origin is tuple:
        return f"list of {_values(inside[0])}" if Ellipsis in inside else f"[{', '.join(map(_values, inside))}]"
    if origin is dict or kind is dict:
        models = [_values(m) for m in dict.fromkeys(_inside(kind))]
        return f"mapping to {' or '.join(dict.fromkeys(models))}" if models else "mapping"
    if kind in PREDICATES:
        return "[predicate](#predicate)"
    if _is_model(kind):
        title = _title(kind)
        return f"[{title.lower()}](#{title.lower().replace(' ', '-')})"
    return PLAIN.get(kind, "any value")


def _default(field: Any) -> str:
    if field.default is PydanticUndefined:
        return "" if field.default_factory is None else "`{}`"
    value = field.default
    if _is_model(type(value)):
        return ", ".join(f"`{name}: {inner}`" for name, inner in value.model_dump(exclude_defaults=False).items())
    if isinstance(value, tuple):
        return f"`{', '.join(map(str, value))}`" if value else "`[]`"
    if value == "":
        return '`""`'
    return f"`{'null' if value is None else str(value).lower() if isinstance(value, bool) else value}`"


def _words(text: str | None) -> str:
    return " ".join(inspect.cleandoc(text or "").split())


def _table(head: Sequence[str], rows: typing.Iterable[Sequence[str]]) -> str:
    lines = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *lines))


def _page(*parts: str) -> str:
    return "\n".join(parts).rstrip() + "\n"


PAGES: Mapping[str, Callable[[], str]] = {
    "configuration.md": settings,
    "game-yaml.md": game_files,
    "commands.md": commands,
}
"""The pages by their names in `docs/`, and what makes each."""

if __name__ == "__main__":
    for page, made in PAGES.items():
        (DOCS / page).write_text(made(), encoding="utf-8")
