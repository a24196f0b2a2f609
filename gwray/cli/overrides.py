"""Normalizes overrides as users type them to what Hydra's grammar reads.

Hydra reads `13_03` as the number 1303, `01_01` as 101, `1e3` as 1000.0 and `on` as true. `RunSettings` says which
settings are text; their values are quoted here. Config files are read by `gwray.places.yaml12`.
"""

import re
from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from gwray.errors import UsageError, choose
from gwray.places import conf_files
from gwray.serving import DeploymentSpec
from gwray.settings import RunSettings

GROUPS = ("model", "agent", "timing", "observation", "nudge", "executor", "experiment")
"""Config groups: settings whose value names a file in `conf/`."""
LISTS = ("game", "task")
"""Settings that take several values in one job."""
_IN_QUOTES = r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"'
"""Quoted text, which Hydra already reads as text."""


def normalize_overrides(arguments: Sequence[str], *, sweep: bool = False) -> list[str]:
    """Returns the overrides as Hydra must read them. Raises `UsageError` for unknown settings and files.

    - Values of text settings are quoted: `task=13_03` → `task='13_03'`.
    - `game=a,b` and `task=1,2` are lists, unless `sweep` (`-m`) makes commas separate jobs.
    - `model.timeout_s=5` works even if the profile's file does not have that field.
    - `executor={name: inline, lanes: 2}` sets the fields of a group, beside its file.
    - `+seed=3` and `+experiment=demo`, habits from other Hydra programs, are `seed=3` and `experiment=demo`.
    - `serving=external` is short for `serving.name=external`; conf/deployment/ has no files to choose from.
    """
    for argument in arguments:
        _require_setting(argument)
    return [_normalize(argument, sweep) for argument in arguments]


def known_settings() -> list[str]:
    """Returns the names that an override may start with."""
    return [*RunSettings.model_fields, "cells", "experiment", "smoke"]


def _require_setting(argument: str) -> None:
    found = re.match(r"\+*([A-Za-z_]\w*)([\w./@:-]*)=", argument)
    if found is None:
        raise UsageError(
            f"'{argument}' is not a setting. Settings are NAME=VALUE, such as game=01_2048; null is no value, and none "
            "is deleted with ~. Options are -m, --cfg job, --package, --resolve, --info and --config-dir."
        )
    if found[1] == "hydra":
        raise UsageError(
            f"'{argument}': Hydra's launchers, sweepers and output folders are not used. gwray makes one plan of all "
            "jobs of -m and plays it with executor=ray or executor=inline; run.json holds what was composed (jobs)."
        )
    if found[1] not in known_settings():
        raise choose("setting", found[1], known_settings(), "`gwray run --help` shows examples.")
    if re.search("[/@:]", found[2]):
        raise UsageError(
            f"'{argument}': files are chosen by the group's name only, without @, : or /. Models of single roles: "
            "roles.NAME=MODEL; helper models: agent.models.NAME=MODEL."
        )


def _normalize(argument: str, sweep: bool) -> str:
    argument = re.sub(r"^serving=(?=\w+$)", "serving.name=", argument)
    found = re.match(r"\+*([a-z_][\w.]*)=(.*)$", argument, re.DOTALL)
    if found is None:
        return argument
    name, value = found.groups()
    of_fields = name in GROUPS and value.startswith("{")
    if name in GROUPS and not of_fields:
        _require_files(name, value, sweep)
    unquoted = re.sub(_IN_QUOTES, "", value)
    if name in LISTS and not sweep and "," in unquoted and not re.search(r"[\[{('\"]", unquoted):
        value = f"[{value}]"
    setting, *path = name.split(".")
    kinds = _kinds_at(DeploymentSpec, path) if setting == "deployment" else _kinds_at(RunSettings, [setting, *path])
    if str in kinds and not kinds & {int, float, bool, dict, Any}:
        value = _quote(value, of_list=tuple in kinds)
    return f"{'++' if '.' in name or of_fields else ''}{name}={value}"


def _require_files(group: str, value: str, sweep: bool) -> None:
    """Raises `UsageError` unless the value of a group is the name of one file in its folder, or of several in a
    sweep."""
    words = [word.strip() for word in value.strip("[]").split(",")]
    if value.startswith("["):
        raise UsageError(
            f"{group}={value} is a list, but {group} takes one file. Sweep over several: -m {group}={','.join(words)}"
        )
    allowed = sorted(conf_files(group))
    for word in words:
        if not re.search(r"[('\"]", value) and word not in allowed:
            raise choose(group, word, allowed, f"Each is a file in conf/{group}/.")
    if not sweep and (len(words) > 1 or "(" in value):
        raise UsageError(f"{group}={value}: several values are a sweep. Add -m.")


def _quote(value: str, *, of_list: bool) -> str:
    """Quotes each word of `a,b` or `[a,b]` that Hydra would read as a number or boolean, or that has a `=`. What uses
    Hydra's own syntax, such as `choice(1,2)`, stays. `of_list`: the setting lists texts, so `null` is text, too."""
    unquoted = re.sub(_IN_QUOTES, "", value)
    if re.search(r"[()'\"$\\]", unquoted):
        return value
    if "{" in unquoted or "}" in unquoted:  # braces of a sentence, such as {hint}: no text is a mapping
        return value if unquoted != value else f"'{value}'"
    not_text = r"[-+]?[\d.][\w.+-]*|[-+]?(?i:inf|nan|true|false|on|off|yes|no)" + (r"|(?i:null)" if of_list else "")

    def word(found: re.Match[str]) -> str:
        text = found[0].rstrip()
        return f"'{text}'" if "=" in text or re.fullmatch(not_text, text) else found[0]

    return re.sub(rf"{_IN_QUOTES}|[^\s,\[\]'\"][^,\[\]'\"]*", word, value)


def _kinds_at(annotation: Any, path: Sequence[str]) -> set[Any]:
    """Returns the types of the setting at `path`: the members of a union; for a list, its item types and `tuple`."""
    kinds = set(_kinds(annotation))
    if not path:
        return kinds
    if get_origin(annotation) is dict:
        return _kinds_at(get_args(annotation)[1], path[1:])
    nested = [k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel) and path[0] in k.model_fields]
    return set().union(*(_kinds_at(k.model_fields[path[0]].annotation, path[1:]) for k in nested))


def _kinds(annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is Literal:
        yield from (type(value) for value in get_args(annotation))
    elif origin in (Union, UnionType, tuple, list):
        if origin in (tuple, list):
            yield tuple
        for inner in get_args(annotation):
            yield from _kinds(inner)
    elif origin is dict:
        yield dict
    elif annotation is not type(None) and annotation is not Ellipsis:
        yield annotation
