"""The limiter that all sandbox actors share, when one of them dies, and when it dies itself."""

import asyncio
import os
import signal
from types import SimpleNamespace

import psutil
import pytest
import ray
from ray.exceptions import RayActorError

from gwray.actors.pool import ActorPool
from gwray.actors.rate_limiter import RateLimiterActor, RemoteRateLimiter, start_rate_limiter
from gwray.errors import BrowserDisconnected
from gwray.ray_connection import connect
from gwray.settings import ExecutorSpec


@pytest.fixture(scope="module")
def cluster():
    started = connect(None)
    yield
    if started:
        ray.shutdown()


@pytest.mark.slow
def test_local_ray_runs_no_process_that_nothing_uses(cluster):
    running = " ".join(word for p in psutil.Process().children(recursive=True) for word in p.cmdline())
    assert "gcs_server" in running
    assert not [name for name in ("dashboard.py", "monitor.py", "IDLE") if name in running]


@pytest.mark.slow
async def test_requests_of_dead_actor_are_released(cluster):
    class Holder:
        """A sandbox actor, as far as the limiter knows it."""

        def __init__(self, limiter: str):
            self._limiter = RemoteRateLimiter(limiter, "sandbox-0")

        async def acquire(self, request_id: str) -> None:
            await self._limiter.declare("m", 1, None)
            await self._limiter.acquire("m", request_id)

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


async def test_requests_of_lost_client_are_released(monkeypatch):
    first = SimpleNamespace(was_current_actor_reconstructed=False)
    monkeypatch.setattr("ray.get_runtime_context", lambda: first)
    gate = RateLimiterActor()

    def admitted(request_id: str) -> asyncio.Task[int]:
        return asyncio.create_task(gate.acquire("m", request_id, (1, None)))

    for holder, life in (("sandbox-0", "a"), ("sandbox-1", "b")):
        await gate.register(holder, life, [])
    await admitted("sandbox-0/a/held")
    waits, mine = admitted("sandbox-0/a/waits"), admitted("sandbox-1/b/mine")
    await asyncio.sleep(0.01)
    assert not waits.done() and not mine.done()
    await gate.leave("sandbox-0")
    await asyncio.wait_for(mine, 60)

    again, last = admitted("sandbox-0/a/again"), admitted("sandbox-1/b/last")
    await gate.report("m", "sandbox-1/b/mine", "ok")
    await asyncio.wait_for(again, 60)
    await asyncio.sleep(0.01)
    assert not last.done(), "it lives after all: its request is in flight"
    await gate.report("m", "sandbox-0/a/again", "ok")
    await asyncio.wait_for(last, 60)


async def test_pool_reports_dead_actor_to_limiter(monkeypatch):
    monkeypatch.setattr("gwray.actors.pool.RESTART_S", 0.0)
    monkeypatch.setattr("ray.kill", lambda actor: None)

    async def dies() -> None:
        await asyncio.sleep(0.01)
        raise RayActorError

    pool, received = ActorPool(ExecutorSpec(name="ray", lanes=2), 1), []
    pool._actors = {7: SimpleNamespace(play=SimpleNamespace(remote=dies), ping=SimpleNamespace(remote=None))}
    pool._lanes.add(7)
    pool.on_lost = received.append
    for failed in await asyncio.gather(pool.call("play"), pool.call("play"), return_exceptions=True):
        assert isinstance(failed, BrowserDisconnected)
    assert received == [7]
    await pool.close()


@pytest.mark.slow
@pytest.mark.whole
async def test_restarted_limiter_learns_requests_in_flight(cluster):
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
    return title.startswith("ray::RateLimiterActor") and os.getpid() in {p.pid for p in process.parents()}
