"""The limiter that all sandbox actors share, when one of them dies."""

import asyncio
from contextlib import contextmanager

import pytest
import ray
from ray.exceptions import RayActorError

from gwray.actors.rate_limiter import RemoteRateLimiter, start_rate_limiter
from gwray.ray_connection import connect


@contextmanager
def cluster():
    started = connect(None)
    try:
        yield
    finally:
        if started:
            ray.shutdown()


@pytest.mark.slow
async def test_what_a_dead_actor_held_or_waited_for_is_free_again():
    class Holder:
        """A sandbox actor, as far as the limiter knows it."""

        def __init__(self, limiter: str):
            self._limiter = RemoteRateLimiter(limiter, "sandbox-0")

        async def acquire(self, request_id: str) -> None:
            await self._limiter.declare("m", 1, None)
            await self._limiter.acquire("m", request_id)

    with cluster():
        name, limiter = await asyncio.to_thread(start_rate_limiter)
        holder = ray.remote(num_cpus=0, max_restarts=-1, max_concurrency=4)(Holder).remote(name)  # type: ignore
        await holder.acquire.remote("held")
        waits = holder.acquire.remote("waited for")
        other = RemoteRateLimiter(name, "sandbox-1")
        await other.declare("m", 1, None)
        mine = asyncio.create_task(other.acquire("m", "mine"))
        assert not (await asyncio.wait({mine}, timeout=1))[0]
        ray.kill(holder, no_restart=False)
        await asyncio.wait_for(mine, 60)
        with pytest.raises(RayActorError):
            await waits
        ray.kill(limiter)
