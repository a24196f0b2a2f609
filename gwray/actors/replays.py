"""The Ray side of replaying: a job in many processes, each with a browser of its own."""

from __future__ import annotations

from typing import Any

from gwray.actors.pool import ActorPool, Member
from gwray.pipelines import ReplayJob, Replays
from gwray.spec import ExecutorSpec


class ReplayActor(Member):
    """`Replays` in a process of its own."""

    def __init__(self, job: ReplayJob[Any, Any]):
        self._replays = Replays(job)

    async def replay(self, item: Any) -> Any:
        return await self._replays.replay(item)

    async def close(self) -> None:
        await self._replays.close()


class RayReplays:
    """The `ray` executor of replays: a `gwray.pipelines.ReplayExecutor`."""

    def __init__(self, spec: ExecutorSpec):
        self._spec = spec
        self._pool = ActorPool(spec, 0)

    @property
    def slots(self) -> int:
        return self._pool.slots

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        self._pool = ActorPool(self._spec, items)
        await self._pool.connect()
        await self._pool.start(ReplayActor, lambda _: (job,), job.needs)

    async def replay(self, item: Any) -> Any:
        return await self._pool.call("replay", item)

    async def close(self) -> None:
        await self._pool.close()
