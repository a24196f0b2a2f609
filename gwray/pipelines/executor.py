"""Where episodes run: the small interface of executors, and the one that runs them right here.

`inline` plays in this process, so a debugger steps through an episode. Others live in rooms above this one; who starts
a run chooses (`gwray.cli.executors`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from gwray.pipelines.worker import PlayProgress, Worker
from gwray.records import EpisodeRecord
from gwray.spec import EpisodeSpec, ExecutorSpec


class Executor(Protocol):
    """Plays episodes; at most `slots` at once."""

    @property
    def slots(self) -> int:
        """It may grow while the run goes on."""
        ...

    def want(self, lanes: int) -> None:
        """So many lanes would have something to play now: an executor that can grow or shrink may follow."""
        ...

    async def start(self) -> None:
        """Make it ready to play."""
        ...

    async def play(self, spec: EpisodeSpec, tries: int, *, alone: bool = False) -> EpisodeRecord:
        """Play one episode, `alone` in a browser of its own. An episode's failure is a record; an exception means that
        the run cannot go on."""
        ...

    async def progress(self) -> PlayProgress:
        """How far it is, for the progress bar."""
        ...

    async def set_endpoints(self, endpoints: Mapping[str, str]) -> None:
        """Base URLs of the self-hosted models that are up now."""
        ...

    async def close(self) -> None: ...


class MakeExecutor(Protocol):
    """Makes an executor for a run whose directory is there; nothing is started yet."""

    def __call__(
        self, run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec, *, episodes: int, engine_cpus: float
    ) -> Executor:
        """`episodes`: how many there are to play. `engine_cpus`: CPUs to be left to the models that the run hosts."""
        ...


class Inline:
    """Plays in this process."""

    def __init__(self, run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec):
        self.slots = min(spec.lanes, spec.max_lanes or spec.lanes)
        self._make = lambda: Worker(run_dir, libraries, spec)
        self._worker: Worker | None = None
        self._free = [f"lane-{i}" for i in range(self.slots)]

    def want(self, lanes: int) -> None:
        """It has the lanes that it has."""

    async def start(self) -> None:
        self._worker = self._make()

    async def play(self, spec: EpisodeSpec, tries: int, *, alone: bool = False) -> EpisodeRecord:
        assert self._worker is not None
        name = self._free.pop()
        try:
            return await self._worker.play(spec, tries, name, alone=alone)
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
