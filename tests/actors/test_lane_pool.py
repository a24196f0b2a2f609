"""Assigns episodes to the lanes of actors."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from gwray.actors.lane_pool import LanePool


async def test_least_busy_actor_is_chosen_within_its_lanes():
    pool = LanePool(lanes=2, actors=range(2))
    async with AsyncExitStack() as held:
        acquired = [await held.enter_async_context(pool.acquire(alone=False)) for _ in range(4)]
        assert sorted(acquired) == [0, 0, 1, 1] and acquired[0] != acquired[1]
        waiting = asyncio.create_task(held.enter_async_context(pool.acquire(alone=False)))
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
    async with pool.acquire(alone=False) as actor:
        assert actor is not None


async def test_idle_excludes_reserved_actors():
    pool = LanePool(2, [0, 1, 2])
    async with pool.acquire(False) as one, pool.acquire(True) as other:
        assert pool.idle == {0, 1, 2} - {one, other} and one != other
    assert pool.idle == {0, 1, 2}


async def test_alone_waits_for_an_empty_actor():
    pool, order = LanePool(lanes=4, actors=[0]), []

    async def sit(name: str, alone: bool, until: asyncio.Event) -> None:
        async with pool.acquire(alone):
            order.append(name)
            await until.wait()
            order.append(f"{name} left")

    first, second = asyncio.Event(), asyncio.Event()
    tasks = [asyncio.create_task(sit("a", False, first))]
    await asyncio.sleep(0)
    for name, alone in (("suspect", True), ("b", False), ("other suspect", True)):
        tasks.append(asyncio.create_task(sit(name, alone, second)))
        await asyncio.sleep(0)
    assert order == ["a"]
    first.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert order == ["a", "a left", "suspect"]
    second.set()
    await asyncio.wait_for(asyncio.gather(*tasks), 5)
    assert sorted(order[3:]) == ["b", "b left", "other suspect", "other suspect left", "suspect left"]


async def test_cancelled_wait_releases_the_reservation():
    pool = LanePool(lanes=2, actors=[0])
    async with pool.acquire(alone=False):
        waiting = asyncio.create_task(pool.acquire(alone=True).__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with pool.acquire(alone=False) as actor:
            assert actor == 0
            more = asyncio.create_task(pool.acquire(alone=True).__aenter__())
            await asyncio.sleep(0)
            pool.remove(0)
            assert await asyncio.wait_for(more, 5) is None


async def test_lost_actor_gets_nothing_until_added():
    pool = LanePool(lanes=1, actors=[0])
    async with AsyncExitStack() as held:
        async with pool.acquire(alone=False) as actor:
            assert actor == 0
            assert pool.mark_lost(0, generation=1) and not pool.mark_lost(0, generation=1), "it is lost once"
            waiting = asyncio.create_task(held.enter_async_context(pool.acquire(alone=False)))
            await asyncio.sleep(0)
            assert not waiting.done() and not pool.present
            pool.add(0)
            assert await asyncio.wait_for(waiting, 5) == 0
        full = asyncio.create_task(held.enter_async_context(pool.acquire(alone=False)))
        await asyncio.sleep(0)
        assert not full.done(), "who sat in it before it was lost leaves no seat free"
        assert not pool.mark_lost(0, generation=1) and pool.present == {0}, "it has come back since"
        pool.add(1)
        assert await asyncio.wait_for(full, 5) == 1


async def test_waiting_for_removed_actors_returns_none():
    pool = LanePool(lanes=1)
    pool.mark_lost(0)
    waiting = asyncio.create_task(pool.acquire(alone=True).__aenter__())
    await asyncio.sleep(0)
    assert not waiting.done()
    pool.remove(0)
    assert await asyncio.wait_for(waiting, 5) is None


@pytest.mark.parametrize("alone", [False, True])
async def test_draining_actor_is_used_only_if_alone(alone):
    pool = LanePool(lanes=1, actors=[0, 1])
    pool.drain([0])
    async with pool.acquire(alone) as first:
        assert first == 1
        waiting = asyncio.create_task(pool.acquire(alone).__aenter__())
        await asyncio.sleep(0)
        assert not waiting.done(), "a free lane of one that leaves is none"
        pool.remove(1)
        assert await asyncio.wait_for(waiting, 5) == 0, "nobody else is left"
    pool.add(0)
    async with pool.acquire(alone) as again:
        assert again == 0
        pool.add(2)
        pool.drain([2])
        more = asyncio.create_task(pool.acquire(alone).__aenter__())
        await asyncio.sleep(0)
        assert not more.done(), "the one that came back elsewhere leaves no longer"
        pool.drain(())
        assert await asyncio.wait_for(more, 5) == 2
