"""The W&B runs of a sweep, by W&B's own client.

The client transfers in a service process with a session of its own, so neither Ctrl-C nor SIGTERM to the driver loses a
row, and after SIGKILL the service still sends what it was given. Its calls block while the server does not answer:
`tracker` makes them in a thread, and `abandon` ends the service. Nothing else in gwray imports `wandb`.
"""

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from gwray.records import HIDDEN, environment_secrets, hide
from gwray.settings import TrackingSpec
from gwray.store import RunDir
from gwray.tracking.cells import CellInfo
from gwray.tracking.mode import Mode

INIT_S = 30
"""Seconds to wait for the W&B server before the runs are kept offline."""


class Unreachable(Exception):
    """No online run could be started."""


class WandbRuns:
    """The W&B runs of a run directory by id. `links`: URL or local folder of each closed run."""

    def __init__(self, run: RunDir, spec: TrackingSpec, mode: Mode):
        self._run, self._spec = run, spec
        self._mode: Mode = mode
        self._secrets = environment_secrets()
        self._owner = False
        """Whether the client's service belongs to these runs, and not to other code of this process."""
        self._open: dict[str, Any] = {}
        self.projects: dict[str, tuple[str, str]] = {}
        """Entity and project of each run."""
        self.links: dict[str, str] = {}

    def begin(self) -> None:
        """Prepares the local folder: the run directory, or a temporary one if that is remote."""
        self._owner = "WANDB_SERVICE" not in os.environ
        folder = self._run.local_folder("wandb")
        self._folder = folder.parent.resolve() if folder else Path(tempfile.mkdtemp(prefix="gwray-wandb-"))
        self._folder.mkdir(parents=True, exist_ok=True)
        # Files of tables are staged here until they are uploaded; those that are left belong to rebuilt runs.
        staging = self._folder / "wandb" / "staging"
        shutil.rmtree(staging, ignore_errors=True)
        # No message between the progress lines, and no crash report to third parties.
        logging.getLogger("wandb").addHandler(logging.NullHandler())
        os.environ |= {"WANDB_DATA_DIR": str(staging), "WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false"}

    def open(self, id: str, cell: CellInfo, group: str, config: Mapping[str, Any]) -> None:
        """Starts the run of a cell, or resumes it on the server. Raises `Unreachable`."""
        import wandb

        # An offline run that an earlier driver left is replaced: W&B would keep both otherwise.
        for old in (self._folder / "wandb").glob(f"*run-*-{id}"):
            if old.is_dir() and not old.is_symlink():
                shutil.rmtree(old, ignore_errors=True)
        settings = wandb.Settings(
            init_timeout=INIT_S,
            console="off",
            silent=True,
            disable_code=True,
            disable_git=True,
            save_code=False,
            x_disable_meta=True,
            x_disable_machine_info=True,
            x_disable_stats=True,
            x_save_requirements=False,
        )
        try:
            run = wandb.init(
                id=id,
                mode=self._mode,
                dir=self._folder,
                project=self._spec.project,
                entity=self._spec.entity,
                group=self.hidden(group),
                job_type=self.hidden(cell.kind),
                tags=self.hidden(cell.tags),
                name=self.hidden(cell.name),
                config=self.hidden(config),
                # Rows that W&B already has are kept there and skipped here, see `row`.
                resume="allow" if self._mode == "online" else None,
                reinit="create_new",
                settings=settings,
            )
        except Exception as e:
            if self._mode == "online":
                raise Unreachable(short(e)) from e
            raise
        # Values of one episode: the last ones are no summary.
        for name in ("episode/*", "engine/*"):
            run.define_metric(name, summary="none")
        self._open[id] = run
        self.projects[id] = (run.entity, run.project)

    def row(self, id: str, step: int, row: Mapping[str, Any]) -> None:
        """Logs a row of the history, unless the server has it."""
        run = self._open[id]
        if step >= run.starting_step:
            run.log(self.hidden(row), step=step, commit=True)

    def table(self, id: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Replaces the table of episodes in a run's summary."""
        import wandb

        table = wandb.Table(columns=[*columns], data=[self.hidden(row) for row in rows], allow_mixed_types=True)
        # Into the summary, so that the history holds episodes and nothing else.
        self._open[id].summary["episodes"] = table

    def close(self, id: str, summary: Mapping[str, Any]) -> None:
        """Sets a run's summary and waits until the run is stored."""
        run = self._open.pop(id)
        run.summary.update(dict(summary))
        run.finish()
        self.links[id] = run.dir.removesuffix("/files") if run.offline else run.url

    def end(self) -> None:
        """Ends the client's service, which first completes its files."""
        if self._owner and "wandb" in sys.modules:
            with suppress(Exception, SystemExit):
                sys.modules["wandb"].teardown()

    def abandon(self) -> None:
        """Kills the client's service, which may wait for the server. Calls that block in other threads then fail."""
        for process in psutil.Process().children(recursive=True) if self._owner else []:
            with suppress(psutil.Error):
                if "wandb-core" in process.name():
                    process.kill()
        self.end()  # otherwise the client waits for the service when this process exits

    def hidden(self, value: Any) -> Any:
        """Returns a plain value with the secrets of the environment hidden."""
        if isinstance(value, str):
            return hide(value, self._secrets, HIDDEN)
        if isinstance(value, Mapping):
            return {self.hidden(n): self.hidden(v) for n, v in value.items()}
        return [self.hidden(v) for v in value] if isinstance(value, list | tuple) else value


def short(error: BaseException) -> str:
    """Returns an error as one line of limited length."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
