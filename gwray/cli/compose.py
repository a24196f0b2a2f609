"""Composes the jobs of a command from `conf/`, experiments and overrides. The only module that uses Hydra.

Hydra's compose API merges the files that a job chooses; the values of a job are applied here, so that jobs that choose
the same files are merged once. Composing would otherwise dominate the start of a large sweep.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.global_hydra import GlobalHydra
from hydra.core.object_type import ObjectType
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.core.plugins import Plugins
from hydra.errors import ConfigCompositionException, HydraException, MissingConfigException, OverrideParseException
from hydra.plugins.config_source import ConfigResult, ConfigSource
from hydra.plugins.search_path_plugin import SearchPathPlugin
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import BaseModel

from gwray.cli.overrides import normalize_overrides
from gwray.errors import UsageError, choose
from gwray.pipelines import model_beside, run_spec
from gwray.places import CONF, add_user_modules, user_confs, yaml12
from gwray.settings import RunSettings, RunSpec

_VALUE = re.compile(r"(?:\+\+)?([a-z_]\w*)((?:\.\w+)*)=(\{?)")
"""An override of a single value. Other forms choose files."""
_WITHOUT_FILES = {"cells", "smoke"} | {
    name
    for name, field in RunSettings.model_fields.items()
    if not (isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel))
}
"""Settings that are no config groups."""
_MODEL_WORD = re.compile(r"(?:model|agent\.models\.\w+|roles\.\w+)(?==)")
"""A word of a cell that chooses a model."""


def job_specs(settings: Sequence[str], *, sweep: bool = False) -> list[RunSpec]:
    """Returns the jobs of a command, one per cell.

    Args:
        settings: overrides as typed, such as `model=random` and `experiment=demo`.
        sweep: whether comma-separated values are swept (`-m`).

    Raises `UsageError` for settings that do not exist, cannot be composed or are not valid.
    """
    return [run_spec(config) for config in compose_configs(settings, sweep=sweep)]


def compose_configs(settings: Sequence[str], *, sweep: bool = False) -> list[dict[str, Any]]:
    """Returns the configs of the same jobs as plain values, before validation."""
    overrides = normalize_overrides(settings, sweep=sweep)
    add_user_modules()
    with _hydra():
        composer = _Composer()
        jobs = _split_sweep(overrides) if sweep else [overrides]
        return [config for job in jobs for config in composer.cells(job)]


def config_text(
    settings: Sequence[str], *, sweep: bool = False, part: str = "job", package: str = "", resolve: bool = False
) -> str:
    """Returns the composed configs as YAML, one per job, as Hydra's `--cfg` prints them.

    Args:
        settings, sweep: see `job_specs`.
        part: `job`, `hydra` (Hydra's own settings, of which gwray uses the search path only) or `all`.
        package: setting whose part is returned, such as `model.sampling`; empty: all.
        resolve: whether interpolations in Hydra's own settings are resolved; those of jobs always are.

    Raises what `job_specs` raises, and `UsageError` for a package that does not exist.
    """
    jobs = [OmegaConf.create(config) for config in compose_configs(settings, sweep=sweep)]
    if part != "job":
        with _hydra():
            own = OmegaConf.masked_copy(compose("config", return_hydra_config=True), "hydra")
            OmegaConf.set_readonly(own.hydra, False)
            if resolve:
                OmegaConf.resolve(own)
        jobs = [own] if part == "hydra" else [OmegaConf.merge(job, own) for job in jobs]
    chosen = [OmegaConf.select(job, package) if package and package != "_global_" else job for job in jobs]
    if any(value is None for value in chosen):
        raise choose("--package", package, [str(name) for name in jobs[0]])
    texts = [OmegaConf.to_yaml(one) if OmegaConf.is_config(one) else f"{one}\n" for one in chosen]
    return "\n".join(f"# @package {package}\n{text}" if package else text for text in texts)


def print_info(settings: Sequence[str], what: str) -> None:
    """Prints what Hydra knows about a job, as its `--info` does: `all`, `config`, `defaults`, `defaults-tree`,
    `plugins` or `searchpath`."""
    overrides = normalize_overrides(settings)
    with _hydra():
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        hydra.show_info(what, "config", overrides)


@contextmanager
def _hydra() -> Iterator[None]:
    """Initializes Hydra with the config folders of gwray and of the user. Raises its errors as `UsageError`."""
    for plugin in (_Yaml12Source, _ConfigFolders):
        Plugins.instance().register(plugin)
    try:
        with initialize_config_dir(str(CONF), version_base=None):
            yield
    except MissingConfigException as e:
        group, _, name = (e.missing_cfg_file or "").rpartition("/")
        raise choose(group, name, e.options or [], f"Each is a file in conf/{group}/.") from e
    except HydraException as e:
        raise UsageError(str(e).strip()) from e
    except OmegaConfBaseException as e:
        raise UsageError(f"setting {e.full_key}: {str(e).splitlines()[0]}") from e


def _parse(overrides: Sequence[str]) -> list[Override]:
    parser = OverridesParser.create(config_loader=GlobalHydra.instance().config_loader())
    try:
        return parser.parse_overrides([*overrides])
    except OverrideParseException as e:
        raise UsageError(
            f"'{e.override}' cannot be read: close each bracket and quote, and put text with other characters than "
            "letters and digits in quotes, such as nudge.say=\"'Go on (now)!'\""
        ) from e


def _split_sweep(overrides: Sequence[str]) -> list[list[str]]:
    """Returns the overrides of each job of a sweep: the product of all swept values."""
    choices: dict[str, list[str]] = {}
    for override in _parse(overrides):
        key = override.get_key_element()
        if not override.is_sweep_override():
            choices[key] = [f"{key}={override.get_value_element_as_str()}"]
        elif override.is_discrete_sweep():
            choices[key] = [f"{key}={value}" for value in override.sweep_string_iterator()]
        else:
            raise UsageError(f"{override.input_line}: only lists, ranges and globs can be swept")
    return [list(job) for job in product(*choices.values())]


class _Composer:
    """Composes jobs, and caches the merged files of each combination."""

    def __init__(self) -> None:
        self._merged: dict[tuple[str, ...], DictConfig] = {}

    def cells(self, overrides: Sequence[str]) -> list[dict[str, Any]]:
        """Returns the configs of a job: itself, or one per entry of its `cells`. Overrides of the job take precedence
        over words of a cell."""
        config = self._config(overrides)
        cells = config.pop("cells", None) or []
        if not cells:
            return [config]
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            raise UsageError(
                f"cells={cells} must be a list of texts, each with the settings of one cell. Example: "
                "cells=['model=random interface=semantic','model=noop']"
            )
        given = [o for o in overrides if _name(o) != "cells"]
        names = {_name(o) for o in given}
        words = [[o for o in normalize_overrides(shlex.split(cell)) if _name(o) not in names] for cell in cells]
        configs = [self._config([*of_cell, *given, "cells=[]"]) for of_cell in words]
        return [{name: value for name, value in config.items() if name != "cells"} for config in configs]

    def _config(self, overrides: Sequence[str]) -> dict[str, Any]:
        values = _parse([o for o in overrides if _is_value(o)])
        if swept := next((v for v in values if v.is_sweep_override()), None):
            listed = (swept.input_line or "").partition("=")[2]
            raise UsageError(
                f"{swept.input_line}: several values are a sweep. Add -m, or write [{listed}] if the setting is a list."
            )
        files = tuple(o for o in overrides if not _is_value(o))
        if files not in self._merged:
            self._merged[files] = compose("config", overrides=[*files])
        config = deepcopy(self._merged[files])
        OmegaConf.set_struct(config, False)
        smoke_settings = config.pop("smoke_settings")
        if any(v.key_or_group == "smoke" and v.value() is True for v in values):
            config = _apply_smoke(config, OmegaConf.to_container(smoke_settings))
        OmegaConf.set_struct(config, True)
        _open_mappings(config)
        for value in values:
            OmegaConf.update(config, value.key_or_group, value.value(), force_add=value.is_force_add())
        plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
        assert isinstance(plain, dict)
        if not isinstance(smoke := plain.pop("smoke"), bool):
            raise UsageError(f"setting smoke '{smoke}': must be true or false")
        model = next((o.partition("=")[2] for o in overrides if _name(o) == "model"), "")
        if model and plain["arena"]:
            raise model_beside(plain["arena"], model)
        if (agent := next((o for o in overrides if _name(o) == "agent"), "")) and "agent" in plain["game_defaults"]:
            others = ",".join(name for name in plain["game_defaults"] if name != "agent")
            raise UsageError(f"{agent} and game_defaults with agent: set one of them, such as game_defaults=[{others}]")
        return {str(name): value for name, value in plain.items()}


def _apply_smoke(config: DictConfig, settings: Any) -> DictConfig:
    """Returns the config of a study that needs no model: with its `smoke_settings` merged. Without `cells` among them,
    `player` replaces every model of the study's own cells."""
    player = settings.pop("player")
    cells = [" ".join(_with_player(shlex.split(cell), player)) for cell in config.cells]
    name = f"smoke-{config.name}" if config.name else None
    merged = OmegaConf.merge(config, {"cells": cells, "name": name}, settings)
    assert isinstance(merged, DictConfig)
    return merged


def _with_player(words: Sequence[str], player: str) -> list[str]:
    return [f"{found[0]}={player}" if (found := _MODEL_WORD.match(w)) else shlex.quote(w) for w in words]


def _name(override: str) -> str:
    return override.lstrip("+~").partition("=")[0]


def _open_mappings(config: DictConfig) -> None:
    """Lets empty mappings (`roles`, `model.options`) take any key; all others have the keys of their settings."""
    for name in config:
        node = config._get_node(name)
        if isinstance(node, DictConfig) and not node._is_none():
            if len(node):
                _open_mappings(node)
            else:
                OmegaConf.set_struct(node, False)


def _is_value(override: str) -> bool:
    found = _VALUE.match(override)
    return found is not None and (bool(found[2] or found[3]) or found[1] in _WITHOUT_FILES)


class _Yaml12Source(ConfigSource):
    """Hydra's source of config files, read by `gwray.places.yaml12`."""

    @staticmethod
    def scheme() -> str:
        return "gwray"

    def load_config(self, config_path: str) -> ConfigResult:
        file = self._file(config_path)
        try:
            text = file.read_text(encoding="utf-8")
            data = OmegaConf.create(_load(text) or {})
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
            raise ConfigCompositionException(yaml12.describe_error(file, e)) from e
        if file.parent.name == "model" and data.get("name", file.stem) != file.stem:
            raise ConfigCompositionException(
                f"{file}: name is '{data.name}' but must equal the file name, '{file.stem}'"
            )
        package = re.search(r"^#\s*@package\s+(\S+)", text, re.MULTILINE)
        header = {"package": package[1] if package else None}
        return ConfigResult(config=data, path=f"gwray://{self.path}", provider=self.provider, header=header)

    def available(self) -> bool:
        return Path(self.path).is_dir()

    def is_group(self, config_path: str) -> bool:
        return Path(self.path, config_path).is_dir()

    def is_config(self, config_path: str) -> bool:
        return self._file(config_path).is_file()

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        found = sorted(Path(self.path, config_path).iterdir())
        groups = [] if results_filter == ObjectType.CONFIG else [f.name for f in found if f.is_dir()]
        configs = [] if results_filter == ObjectType.GROUP else [f.stem for f in found if f.suffix == ".yaml"]
        return sorted({*groups, *configs})

    def _file(self, config_path: str) -> Path:
        return Path(self.path, f"{config_path.removesuffix('.yaml')}.yaml")


@cache
def _load(text: str) -> Any:
    return yaml12.load(text)


class _ConfigFolders(SearchPathPlugin):
    """Makes Hydra read config files by `gwray.places.yaml12`, those of the user's folders before gwray's own."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        for element in search_path.get_path():
            if element.provider == "main":
                element.path = f"gwray://{CONF}"
        for folder in user_confs():
            search_path.prepend("gwray-home", f"gwray://{folder}")
