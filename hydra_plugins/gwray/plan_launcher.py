"""A Hydra launcher that takes all jobs of `-m` at once and makes one plan of them.

Hydra's own launchers run one job after another, or each in a process of its own; a sweep here is one schedule over
one set of browsers and models, and can be continued.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn, JobStatus
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig

NODE = {"_target_": "hydra_plugins.gwray.plan_launcher.PlanLauncher"}
ConfigStore.instance().store(group="hydra/launcher", name="gwray", node=NODE, provider="gwray")


class PlanLauncher(Launcher):
    """All jobs → one plan → one run."""

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        self._context = hydra_context
        self._config = config

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        from gwray.cli.launch import run_jobs

        # Hydra has just written the command line there as it was typed; the run's manifest has it without secrets.
        (Path(self._config.hydra.sweep.dir) / "multirun.yaml").unlink(missing_ok=True)

        def compose(overrides: Sequence[str]) -> Any:
            return self._context.config_loader.load_sweep_config(self._config, list(overrides))

        code = run_jobs(compose, job_overrides)
        if code:
            sys.exit(code)
        done = JobReturn(overrides=[o for job in job_overrides for o in job], status=JobStatus.COMPLETED)
        done.working_dir = str(Path.cwd())
        done.return_value = code
        return [done]
