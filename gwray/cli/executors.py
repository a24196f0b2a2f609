"""Who plays and who replays: the executors, of equal rank, by the name that `executor=` and `--executor` give."""

from __future__ import annotations

import os
from typing import Any

from gwray.errors import choose
from gwray.pipelines import Executor, Inline, InlineReplays, ReplayExecutor, ReplayJob
from gwray.ray_connection import path_problem
from gwray.spec import ExecutorSpec

MANY = 32
"""From so many episodes on it pays to start Ray, which takes some seconds …"""
MANY_READ = 2000
"""… and from so many on where they are only read."""


def make_executor(
    run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec, *, episodes: int, engine_cpus: float
) -> Executor:
    """A `gwray.pipelines.MakeExecutor`: `inline` in this process, `ray` in actors over a cluster."""
    if spec.name == "inline":
        return Inline(run_dir, libraries, spec)
    from gwray.actors import RayExecutor  # imports Ray

    return RayExecutor(run_dir, libraries, spec, episodes, engine_cpus)


def make_replays(name: str, address: str | None, lanes: int) -> ReplayExecutor:
    """What replays, `lanes` episodes at a time in a process: `inline` in this one, `ray` in one for each core of the
    cluster at `address` (None: of this machine), `auto` whichever is sooner done. `UsageError` for other names."""
    if name not in ("auto", "inline", "ray"):
        raise choose("--executor", name, ("auto", "inline", "ray"))
    if name == "inline":
        return InlineReplays(lanes)
    if name == "auto" and address is None:
        return _Sooner(lanes)
    from gwray.actors import RayReplays  # imports Ray

    return RayReplays(ExecutorSpec(name="ray", address=address, lanes=lanes))


class _Sooner:
    """`inline` for a few episodes and on one core, `ray` otherwise."""

    def __init__(self, lanes: int):
        self._lanes = lanes
        self._chosen: ReplayExecutor = InlineReplays(lanes)

    @property
    def slots(self) -> int:
        return self._chosen.slots

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        enough = items >= (MANY if job.requirements.browser else MANY_READ)
        many = enough and len(os.sched_getaffinity(0)) > 1 and path_problem() is None
        self._chosen = make_replays("ray" if many else "inline", None, self._lanes)
        await self._chosen.start(job, items)

    async def replay(self, item: Any) -> Any:
        return await self._chosen.replay(item)

    async def close(self) -> None:
        await self._chosen.close()
