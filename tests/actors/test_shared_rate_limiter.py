"""The limiter that all sandbox actors share, when one of them dies, and when it dies itself."""

import asyncio
import os
import signal
from contextlib import contextmanager

import psutil
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
        await asyncio.wait_for(mine, 120)
        with pytest.raises(RayActorError):
            await waits
        ray.kill(limiter)


@pytest.mark.slow
async def test_a_dead_limiter_is_started_again_and_told_what_is_in_flight():
    with cluster():
        name, limiter = await asyncio.to_thread(start_rate_limiter)
        here, there = RemoteRateLimiter(name, "sandbox-0"), RemoteRateLimiter(name, "sandbox-1")
        await here.declare("m", 2, None)
        await here.acquire("m", "first")
        await there.declare("m", 2, None)
        await there.acquire("m", "second")
        waiting = [asyncio.create_task(one.acquire("m", "third")) for one in (here, there)]
        assert not (await asyncio.wait(waiting, timeout=1))[0]

        (process,) = [p for p in psutil.process_iter(["cmdline"]) if is_limiter_of_ours(p)]
        os.kill(process.pid, signal.SIGKILL)
        assert not (await asyncio.wait(waiting, timeout=8))[0], "both places are taken: it was told"
        await here.report("m", "first", "ok")
        done, left = await asyncio.wait(waiting, timeout=120, return_when=asyncio.FIRST_COMPLETED)
        assert len(done) == 1 and not done.pop().exception()
        await there.report("m", "second", "ok")
        await asyncio.wait_for(left.pop(), 120)
        ray.kill(limiter)


def is_limiter_of_ours(process: psutil.Process) -> bool:
    """Its title, and that it descends from this process: others may run beside."""
    title = " ".join(process.info["cmdline"] or ())
    return title.startswith("ray::GateActor") and os.getpid() in {p.pid for p in process.parents()}
