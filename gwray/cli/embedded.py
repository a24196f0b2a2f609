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
    from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
    from hydra.core.global_hydra import GlobalHydra
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    from gwray.cli.composing import composing
    from gwray.cli.console import terminal
    from gwray.cli.executors import make_executor
    from gwray.cli.launch import specs_of
    from gwray.cli.overrides import understood
    from gwray.errors import UsageError
    from gwray.pipelines import make_plan, require_models, require_prices, run_plan

    with composing("sweep") as compose:
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        parser = OverridesParser.create(config_loader=hydra.config_loader)
        try:
            (jobs,) = BasicSweeper.split_arguments(parser.parse_overrides(understood(words, sweep=True)), None)
            specs = [spec for job in jobs for spec in specs_of(compose, job)]
        except (HydraException, OmegaConfBaseException) as e:
            raise UsageError(str(e)) from e
    plan = make_plan(specs)
    require_prices(plan)
    require = partial(require_models, check_endpoints=plan.settings.check_endpoints)
    return asyncio.run(run_plan(plan, terminal(stderr=True), make_executor, None, require))
