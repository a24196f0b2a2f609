"""The configs of many jobs: jobs that choose the same files are composed once, by Hydra, and then say their values.

Composing is most of what a sweep of many cells waits for before it begins; what files are chosen decides all of it but
the values, which Hydra sets last and in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import DictConfig, OmegaConf
from pydantic import BaseModel

from gwray.spec import RunSettings

Compose = Callable[[Sequence[str]], DictConfig]
_VALUE = re.compile(r"(?:\+\+)?([a-z_]\w*)((?:\.\w+)*)=")
"""A setting's value. Not of this form: what is taken away or added, packages, and groups of Hydra's own."""
_PLAIN = {"cells"} | {
    name
    for name, field in RunSettings.model_fields.items()
    if not (isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel))
}
"""Settings that no file can be chosen for."""


class Configs:
    """Configs by the overrides that make them. `compose` is Hydra's; what it raises is raised here."""

    def __init__(self, compose: Compose):
        self._compose = compose
        self._composed: dict[tuple[str, ...], DictConfig] = {}

    def of(self, overrides: Sequence[str]) -> dict[str, Any]:
        """As plain values, Hydra's own left out."""
        values = [o for o in overrides if _is_value(o)]
        parsed = OverridesParser.create().parse_overrides(values)
        if any(p.is_sweep_override() for p in parsed):  # which Hydra refuses in its own words
            return _plain(_ours(self._compose(overrides)))
        files = tuple(o for o in overrides if not _is_value(o))
        if files not in self._composed:
            self._composed[files] = _ours(self._compose(files))
        config = deepcopy(self._composed[files])
        OmegaConf.set_struct(config, True)  # as Hydra does: a value is for a setting that is there
        ConfigLoaderImpl._apply_overrides_to_config(parsed, config)
        return _plain(config)


def _is_value(override: str) -> bool:
    said = _VALUE.match(override)
    return bool(said) and said[1] != "hydra" and (bool(said[2]) or said[1] in _PLAIN)


def _ours(config: DictConfig) -> DictConfig:
    return OmegaConf.masked_copy(config, [str(k) for k in config if k != "hydra"])


def _plain(config: DictConfig) -> dict[str, Any]:
    data = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    assert isinstance(data, dict)
    return {str(k): v for k, v in data.items()}
