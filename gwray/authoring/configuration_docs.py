"""docs/configuration.md, made from the sentences under the fields of `gwray.spec`: there is no second reference.

python -m gwray.authoring.configuration_docs > docs/configuration.md
"""

from __future__ import annotations

import types
import typing
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from gwray.spec import TOP_LEVEL, ModelSpec, RunSpec

HEAD = """\
# Settings

Made by `python -m gwray.authoring.configuration_docs`. Every setting can be given on the command line of `launch.py`
(`repeats=3`, `timing=realtime timing.latency=fixed:250`, `executor.lanes=8`); with `-m`, a comma-separated
list sweeps it.
`model`, `agent`, `observation`, `nudge`, `timing`, `executor` and `experiment` are also the names of files in `conf/`.
"""


def reference() -> str:
    """The whole page."""
    parts = [HEAD, "## A run\n", _table(RunSpec, "")]
    parts += ["\n## A model profile (`conf/model/<name>.yaml`)\n", _table(ModelSpec, "model.")]
    return "\n".join(parts) + "\n"


def _table(model: type[BaseModel], prefix: str) -> str:
    rows = ["| setting | values | default | |", "|---|---|---|---|", *_rows(model, prefix)]
    return "\n".join(rows)


def _rows(model: type[BaseModel], prefix: str) -> list[str]:
    out = []
    for name, field in model.model_fields.items():
        if model is RunSpec and name == "model":
            out.append("| `model` | a profile of `conf/model/` | `random` | Who plays; see below. |")
            continue
        said = f"{prefix}{field.alias or name}"
        if said in TOP_LEVEL:
            continue
        inner = _spec_of(field.annotation)
        if inner is not None:
            out += _rows(inner, f"{prefix}{name}.")
            continue
        text = " ".join((field.description or "").split())
        out.append(f"| `{said}` | {_values(field.annotation)} | {_default(field)} | {text} |")
    return out


def _spec_of(kind: Any) -> type[BaseModel] | None:
    options = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    return next((o for o in options if isinstance(o, type) and issubclass(o, BaseModel)), None)


def _values(kind: Any) -> str:
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return ", ".join(f"`{v}`" for v in typing.get_args(kind))
    if origin is typing.Union or isinstance(kind, types.UnionType):
        return " or ".join(_values(a) for a in typing.get_args(kind))
    if origin is tuple:
        return f"list of {_values(typing.get_args(kind)[0])}"
    if origin is dict or kind is dict:
        return "mapping"
    return {str: "text", int: "whole number", float: "number", bool: "true, false", types.NoneType: "null"}.get(
        kind, "text"
    )


def _default(field: Any) -> str:
    if field.default is PydanticUndefined:
        return "" if field.default_factory is None else "`{}`"
    value = field.default
    if isinstance(value, tuple):
        return f"`{', '.join(map(str, value))}`" if value else "`[]`"
    return f"`{'null' if value is None else str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    print(reference(), end="")
