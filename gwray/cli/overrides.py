"""What was typed, and what files of settings say, as it was meant.

Hydra's grammar reads `13_03` as the number 1303, `01_01` as 101, `1e3` as 1000.0 and `on` as a truth; `RunSettings`
says which settings are text, and their values reach Hydra in quotes. Files are read by `gwray.yaml12`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import yaml
from hydra._internal.core_plugins.file_config_source import FileConfigSource as HydraFiles
from hydra._internal.sources_registry import SourcesRegistry
from hydra.errors import ConfigCompositionException
from hydra.plugins.config_source import ConfigResult, ConfigSource
from omegaconf import OmegaConf
from pydantic import BaseModel

from gwray import yaml12
from gwray.errors import UsageError, choose
from gwray.places import conf_files
from gwray.spec import RunSettings

GROUPS = ("model", "agent", "timing", "observation", "nudge", "executor", "experiment")
"""Settings whose value names a file in `conf/`, all of whose settings it brings."""
LISTS = ("game", "task")
"""Settings of which one job may play several."""
SYNONYMS = {
    "max_steps": "limit.steps", "steps": "limit.steps", "max_decisions": "limit.steps", "message_limit": "limit.steps",
    "episodes": "repeats", "trials": "repeats", "games": "game", "tasks": "task", "models": "model",
}  # fmt: skip
"""Names that other frameworks use, and the setting here."""
_IN_QUOTES = r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"'
"""What Hydra reads as text already."""


def understood(arguments: Sequence[str], *, sweep: bool = False) -> list[str]:
    """Overrides as Hydra must read them; `sweep`: commas mean one job each (`-m`). Raises `UsageError`.

    - Values of text settings are in quotes: `task=13_03` → `task='13_03'`, also beside words that were quoted.
    - `game=a,b` and `task=1,2` without `-m` are lists, which Hydra would refuse.
    - `model.timeout_s=5` works whether or not the profile's file names that field: `RunSettings` knows what is allowed.
    - `serving=external` is short for `serving.name=external`: conf/deployment/ holds profiles of models, no choices.
    """
    if (wrong := unknown_setting(arguments)) is not None:
        raise wrong
    for before, word in zip(("", *arguments), arguments, strict=False):
        alone = "=" not in word and not word.startswith(("-", "~"))
        if alone and (not before.startswith("-") or before in ("-m", "--multirun")):
            raise UsageError(f"'{word}' is no setting: settings are NAME=VALUE, such as game=01_2048.")
    elsewhere = any(re.match(r"--config|-c[pd]|hydra\.searchpath", a) for a in arguments)
    return [_understood(a, sweep, elsewhere) for a in arguments]


def _understood(argument: str, sweep: bool, elsewhere: bool) -> str:
    argument = re.sub(r"^serving=(?=\w+$)", "serving.name=", argument)
    said = re.match(r"([+~]*)([a-z_][\w.]*)=(.*)$", argument, re.DOTALL)
    if said is None or said[2].startswith("hydra."):
        return argument
    sign, name, value = said.groups()
    if name in GROUPS:
        _require_files(name, value, sweep, elsewhere)
    bare = re.sub(_IN_QUOTES, "", value)
    if name in LISTS and not sweep and "," in bare and not re.search(r"[\[{('\"]", bare):
        value = f"[{value}]"
    kinds = _kinds_at(RunSettings, name.split("."))
    if str in kinds and not kinds & {int, float, bool, dict, Any}:
        value = _quoted(value, tuple in kinds)
    return f"{sign or ('++' if '.' in name else '')}{name}={value}"


def _require_files(group: str, value: str, sweep: bool, elsewhere: bool) -> None:
    """Raises `UsageError` where a group's value is not one file, or in a sweep files, of its folder. `elsewhere`:
    Hydra was told of further folders, and only it knows what lies there."""
    words = [word.strip() for word in value.strip("[]").split(",")]
    if value.startswith("["):
        raise UsageError(
            f"{group}={value}: a list of files would be poured into one {group}. "
            f"Several one after another: -m {group}={','.join(words)}. One of them: {group}={words[0]}."
        )
    allowed = sorted(conf_files(group))
    for word in words:
        plain = re.fullmatch(r"[\w./-]*", word) and not elsewhere
        if plain and word not in allowed:
            raise choose(group, word, allowed, f"Each is a file in conf/{group}/.")
    if len(words) > 1 and not sweep:
        raise UsageError(f"{group}={value}: several one after another are a sweep: add -m.")


def _quoted(value: str, several: bool) -> str:
    """Each bare word of `a,b` or `[a,b]` that Hydra would take for something else is put into quotes. `several`: the
    setting is a list of texts, none of which can be nothing, so that `null` is a word like any other."""
    bare = re.sub(_IN_QUOTES, "", value)
    if re.search(r"[()'\"$\\]", bare):
        return value
    if "{" in bare or "}" in bare:  # no text is a mapping: these are braces of a sentence, such as {hint}
        return value if bare != value else f"'{value}'"
    surprises = r"[-+]?[\d.][\w.+-]*|[-+]?(?i:inf|nan|true|false|on|off|yes|no)" + (r"|(?i:null)" if several else "")

    def word(found: re.Match[str]) -> str:
        said = found[0].rstrip()
        return f"'{said}'" if re.fullmatch(surprises, said) else found[0]

    return re.sub(rf"{_IN_QUOTES}|[^\s,\[\]'\"][^,\[\]'\"]*", word, value)


def _kinds_at(annotation: Any, path: Sequence[str]) -> set[Any]:
    """What the setting at `path` may be: the members of unions, and of a list the items and `tuple`."""
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


def known_settings() -> list[str]:
    """The names that a command line may begin a setting with."""
    return [*RunSettings.model_fields, "cells", "experiment", "hydra"]


def unknown_setting(arguments: Sequence[str]) -> UsageError | None:
    """The first override whose name is no setting, with the nearest ones; Hydra's own message lists none."""
    known = known_settings()
    for argument in arguments:
        name = re.match(r"[+~]*([A-Za-z_][\w]*)[\w./@:-]*=", argument)
        if name and (meant := SYNONYMS.get(name[1])):
            return UsageError(f"setting '{name[1]}' does not exist. Use {meant}=…")
        if name and name[1] not in known:
            return choose("setting", name[1], known, "`gwray run --help` shows examples.")
    return None


class FileConfigSource(HydraFiles):
    """Hydra's files, read by our YAML."""

    def load_config(self, config_path: str) -> ConfigResult:
        file = Path(self.path, self._normalize_file_name(config_path))
        try:
            text = file.read_text(encoding="utf-8")
            data = OmegaConf.create(_loaded(text) or {})
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
            raise ConfigCompositionException(yaml12.what_is_wrong(file, e)) from e
        if file.parent.name == "model" and data.get("name", file.stem) != file.stem:
            raise ConfigCompositionException(
                f"{file}: name is '{data.name}', which must be that of the file: '{file.stem}'"
            )
        header = ConfigSource._get_header_dict(text[:512])
        return ConfigResult(config=data, path=f"file://{self.path}", provider=self.provider, header=header)


@cache
def _loaded(text: str) -> Any:
    """Many jobs of a sweep read the same files; nobody alters what they say."""
    return yaml12.load(text)


def read_files_by_our_rules() -> None:
    """From now on Hydra reads all settings that lie in files as `FileConfigSource` does."""
    SourcesRegistry.instance().types["file"] = FileConfigSource
