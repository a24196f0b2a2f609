"""Actor calls over a connection that was interrupted unnoticed: only a caller that sends notices it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from ray.exceptions import ActorUnavailableError

from gwray.actors.keepalive import await_with_keepalive
from gwray.actors.pool import ActorPool
from gwray.actors.rate_limiter import RemoteRateLimiter
from gwray.errors import BrowserDisconnected
from gwray.settings import ExecutorSpec


class HalfOpen:
    """An actor whose answers get lost until something is sent over the connection; from then on it answers."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._lost: list[asyncio.Future[Any]] = []
        self._open = True

    def __getattr__(self, method: str) -> Any:
        return SimpleNamespace(remote=lambda *args: self._say(method))

    def _say(self, method: str) -> asyncio.Future[Any]:
        self.said.append(method)
        answer = asyncio.get_running_loop().create_future()
        if method in ("ready", "ping"):
            self._open = False
            for lost in self._lost:
                lost.done() or lost.set_exception(ActorUnavailableError("the connection is gone", None))
        elif self._open and method != "register":
            self._lost.append(answer)
        else:
            answer.set_result(method)
        return answer


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr("gwray.actors.keepalive.KEEPALIVE_S", 0.01)


async def test_limiter_call_is_retried_after_lost_result(monkeypatch):
    actor = HalfOpen()
    monkeypatch.setattr("ray.get_actor", lambda name: actor)
    limiter = RemoteRateLimiter("limiter", "sandbox-0")
    await asyncio.wait_for(limiter.declare("m", 4, None), 60)
    assert [said for said in actor.said if said != "ready"] == ["register", "declare", "register", "declare"]


async def test_lost_record_raises_browser_lost(monkeypatch):
    monkeypatch.setattr("gwray.actors.pool.RESTART_S", 0.0)
    monkeypatch.setattr("ray.kill", lambda actor: None)
    pool = ActorPool(ExecutorSpec(name="ray", lanes=2), 1)
    pool._actors = {7: HalfOpen()}
    pool._lanes.add(7)
    with pytest.raises(BrowserDisconnected):
        await asyncio.wait_for(pool.call("play"), 60)
    await pool.close()


async def test_cancelled_wait_cancels_the_call():
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    waits = asyncio.create_task(await_with_keepalive(answer, lambda: None))
    await asyncio.sleep(0.05)
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waits
    assert answer.cancelled()
