"""Settings of `launch.py` in commands of `gwray`: composed in the same way, outside of Hydra's own main."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hydra import initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.types import RunMode
from omegaconf import DictConfig

from gwray.cli.launch import Compose
from gwray.cli.overrides import read_files_by_our_rules
from gwray.places import CONF, find_own_modules


@contextmanager
def composing(command: str) -> Iterator[Compose]:
    """What makes a config of overrides, for as long as the block lasts."""
    read_files_by_our_rules()
    find_own_modules()
    with initialize_config_dir(str(CONF), job_name=command, version_base=None):

        def compose(overrides: Sequence[str]) -> DictConfig:
            hydra = GlobalHydra.instance().hydra
            assert hydra is not None
            return hydra.config_loader.load_configuration("config", overrides=list(overrides), run_mode=RunMode.RUN)

        yield compose
