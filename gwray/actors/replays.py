"""Replaying with Ray: a job in many processes, each with its own browser."""

from typing import Any

from gwray.actors.pool import ActorPool, Member
from gwray.pages import warn
from gwray.settings import ExecutorSpec
from gwray.verification import ReplayJob, ReplayWorker


class ReplayActor(Member):
    """A `ReplayWorker` in its own process."""

    def __init__(self, job: ReplayJob[Any, Any]):
        self._worker = ReplayWorker(job)

    async def replay(self, item: Any) -> Any:
        return await self._worker.replay(item)

    async def close(self) -> None:
        await self._worker.close()


class RayReplays:
    """The `ray` replay executor; a `gwray.pipelines.ReplayExecutor`."""

    def __init__(self, spec: ExecutorSpec):
        self._spec = spec
        self._pool = ActorPool(spec, 0)

    @property
    def slots(self) -> int:
        return self._pool.slots

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        self._pool = ActorPool(self._spec, items)
        await self._pool.connect()
        await self._pool.start(ReplayActor, lambda _: (job,), job.requirements)

    async def replay(self, item: Any) -> Any:
        return await self._pool.call("replay", item)

    async def close(self) -> None:
        for notice in sorted(self._pool.notices):
            warn(notice)
        await self._pool.close()
