"""A sweep without a command line: what `gwray run` does, for callers from Python."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gwray.pipelines import RunOutcome


def play_sweep(words: Sequence[str]) -> RunOutcome:
    """Play the sweep that these settings mean, as with `-m`. Raises what goes wrong instead of printing it."""
    from hydra import initialize_config_dir
    from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
    from hydra.core.global_hydra import GlobalHydra
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException
    from hydra.types import RunMode
    from omegaconf import DictConfig
    from omegaconf.errors import OmegaConfBaseException

    from gwray.cli.console import terminal
    from gwray.cli.executors import make_executor
    from gwray.cli.launch import cells_of_job
    from gwray.cli.overrides import read_files_by_our_rules, understood
    from gwray.errors import UsageError
    from gwray.pipelines import make_plan, require_models, require_prices, run_plan, run_spec
    from gwray.places import CONF

    read_files_by_our_rules()
    with initialize_config_dir(str(CONF), job_name="sweep", version_base=None):
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        loader = hydra.config_loader

        def compose(overrides: Sequence[str]) -> DictConfig:
            return loader.load_configuration("config", overrides=list(overrides), run_mode=RunMode.RUN)

        try:
            parsed = OverridesParser.create(config_loader=loader).parse_overrides(understood(words, sweep=True))
            (jobs,) = BasicSweeper.split_arguments(parsed, None)
            specs = [run_spec(config) for job in jobs for config in cells_of_job(compose, job)]
        except (HydraException, OmegaConfBaseException) as e:
            raise UsageError(str(e)) from e
    plan = make_plan(specs)
    require_prices(plan)
    require = partial(require_models, knock=plan.settings.knock)
    return asyncio.run(run_plan(plan, terminal(stderr=True), make_executor, None, require))
