"""The executor interface, and the executor that plays in this process. `inline` plays in this process, so a debugger
can step through an episode. `gwray.cli.executors` chooses the executor."""

from collections.abc import Mapping
from typing import Protocol

from gwray.pipelines.worker import PlayProgress, Worker
from gwray.records import EpisodeRecord
from gwray.settings import EpisodeSpec, ExecutorSpec


class Executor(Protocol):
    """Plays episodes, at most `slots` concurrently."""

    @property
    def slots(self) -> int:
        """May grow while the run is in progress."""
        ...

    def want(self, lanes: int) -> None:
        """Sets how many lanes could be used now; an executor may grow or shrink accordingly."""
        ...

    async def start(self) -> None:
        """Prepares for playing."""
        ...

    async def play(self, spec: EpisodeSpec, trial: int, *, alone: bool = False) -> EpisodeRecord:
        """Plays one episode. `trial`: number of this attempt at it, from 1. `alone`: use a separate browser. A failed
        episode is a record; an exception ends the run."""
        ...

    async def progress(self) -> PlayProgress:
        """Returns the progress of its workers."""
        ...

    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None:
        """Sets the base URLs of the self-hosted models that run now."""
        ...

    async def close(self) -> None: ...


class MakeExecutor(Protocol):
    """Creates an executor for an existing run directory; starts nothing."""

    def __call__(
        self, run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec, *, episodes: int, engine_cpus: float
    ) -> Executor:
        """`episodes`: number of episodes to play. `engine_cpus`: CPUs to leave to the models that the run hosts."""
        ...


class Inline:
    """Plays in this process."""

    def __init__(self, run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec):
        self.slots = min(spec.lanes, spec.max_lanes or spec.lanes)
        self._make = lambda: Worker(run_dir, libraries, spec)
        self._worker: Worker | None = None
        self._free = [f"lane-{i}" for i in range(self.slots)]

    def want(self, lanes: int) -> None:
        """Does nothing: the number of lanes is fixed."""

    async def start(self) -> None:
        self._worker = self._make()

    async def play(self, spec: EpisodeSpec, trial: int, *, alone: bool = False) -> EpisodeRecord:
        assert self._worker is not None
        name = self._free.pop()
        try:
            return await self._worker.play(spec, trial, name, alone=alone)
        finally:
            self._free.append(name)

    async def progress(self) -> PlayProgress:
        return self._worker.progress if self._worker else PlayProgress()

    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None:
        assert self._worker is not None
        self._worker.endpoints = dict(endpoints)

    async def close(self) -> None:
        if self._worker is not None:
            await self._worker.close()
