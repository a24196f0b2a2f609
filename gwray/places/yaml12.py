"""YAML 1.2 loader, in which ids such as `13_03` are text.

PyYAML follows YAML 1.1, in which `13_03` is the number 1303, `01_01` is 65, `on` is true and `2026-11-22` is a date.
Here numbers have neither underscores nor leading zeros, only `true` and `false` are booleans, and duplicate keys are
errors, as in YAML 1.2's core schema (https://yaml.org/spec/1.2.2/#103-core-schema).
"""

import re
from pathlib import Path
from typing import Any, ClassVar

import yaml

_FAST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Every process reads the whole library when it starts; libyaml is five times as fast."""


class Loader(_FAST):
    """A safe loader: `yaml.load(text, Loader=Loader)`, `yaml.compose(text, Loader=Loader)`."""

    yaml_implicit_resolvers: ClassVar[dict[str | None, list[tuple[str, re.Pattern[str]]]]] = {}

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key, _ in getattr(node, "value", ()):
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"'{key.value}' is a duplicate key", key.start_mark)
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def load(text: str) -> Any:
    """Returns the document in `text`. Raises `yaml.YAMLError`."""
    return yaml.load(text, Loader=Loader)


def describe_error(file: Path, e: Exception) -> str:
    """Returns `FILE:LINE: not valid YAML: …`, or why the file cannot be read."""
    if not isinstance(e, yaml.YAMLError):
        return f"{file}: cannot be read: {e}"
    mark = getattr(e, "problem_mark", None)
    return f"{file}{f':{mark.line + 1}' if mark else ''}: not valid YAML: {getattr(e, 'problem', e)}"


for _tag, _pattern, _first in (
    ("null", r"(?:~|null|Null|NULL|)", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    (
        "float",
        r"(?:[-+]?(?:[0-9]*\.[0-9]+|[0-9]+\.)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))",
        list("-+.0123456789"),
    ),
    ("merge", r"(?:<<)", ["<"]),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^{_pattern}$"), _first)
