"""Chooses executors by the names of `executor=` and `--executor`."""

import os
from typing import Any

from gwray.errors import choose
from gwray.pipelines import Executor, Inline
from gwray.ray_connection import path_problem
from gwray.settings import ExecutorSpec
from gwray.verification import InlineReplays, ReplayExecutor, ReplayJob

MIN_REPLAYED_FOR_RAY = 32
"""Minimum number of replayed episodes for which starting Ray, which takes seconds, saves time."""
MIN_READ_FOR_RAY = 2000
"""The same for episodes that are only read."""
CORES_PER_PROCESS = 4
"""Cores that one process keeps busy with its browser: Python has about a fifth of a step's processor time."""
LANES_PER_CORE = 2
"""Concurrent episodes per core: with more, a step costs no less."""


def make_executor(
    run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec, *, episodes: int, engine_cpus: float
) -> Executor:
    """Returns the executor of a run (a `gwray.pipelines.MakeExecutor`): this process, or actors on a cluster."""
    if spec.name == "inline":
        return Inline(run_dir, libraries, spec)
    from gwray.actors import RayExecutor  # imports Ray

    return RayExecutor(run_dir, libraries, spec, episodes, engine_cpus)


def make_replays(name: str, address: str | None, lanes: int | None) -> ReplayExecutor:
    """Returns the executor of a replay.

    Args:
        name: `inline` (this process), `ray` (one process per core of the cluster) or `auto` (the faster one).
        address: Ray cluster; None: this machine.
        lanes: concurrent episodes per process; None: `LANES_PER_CORE` for each core that a process has.

    Raises `UsageError` for other names.
    """
    if name not in ("auto", "inline", "ray"):
        raise choose("--executor", name, ("auto", "inline", "ray"))
    if name == "inline":
        return InlineReplays(lanes or LANES_PER_CORE * min(_cores(), CORES_PER_PROCESS))
    if name == "auto" and address is None:
        return _AutoExecutor(lanes)
    from gwray.actors import RayReplays  # imports Ray

    return RayReplays(ExecutorSpec(name="ray", address=address, lanes=lanes or LANES_PER_CORE))


def _cores() -> int:
    return len(os.sched_getaffinity(0))


class _AutoExecutor:
    """Uses `inline` for few episodes or on few cores, and `ray` otherwise."""

    def __init__(self, lanes: int | None):
        self._lanes = lanes
        self._chosen = make_replays("inline", None, lanes)

    @property
    def slots(self) -> int:
        return self._chosen.slots

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        cores, least = (CORES_PER_PROCESS, MIN_REPLAYED_FOR_RAY) if job.requirements.browser else (1, MIN_READ_FOR_RAY)
        many = items >= least and _cores() > cores and path_problem() is None
        self._chosen = make_replays("ray" if many else "inline", None, self._lanes)
        await self._chosen.start(job, items)

    async def replay(self, item: Any) -> Any:
        return await self._chosen.replay(item)

    async def close(self) -> None:
        await self._chosen.close()
