"""Which actor an episode is given to."""

import asyncio
from contextlib import AsyncExitStack

from gwray.actors.seats import Seats


async def test_the_least_busy_actor_is_taken_and_no_more_than_its_lanes():
    seats = Seats(actors=2, lanes=2)
    async with AsyncExitStack() as held:
        taken = [await held.enter_async_context(seats.taken(alone=False)) for _ in range(4)]
        assert sorted(taken) == [0, 0, 1, 1] and taken[0] != taken[1]
        waiting = asyncio.create_task(held.enter_async_context(seats.taken(alone=False)))
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
    async with seats.taken(alone=False) as actor:
        assert actor is not None


async def test_who_is_to_be_alone_waits_for_the_others_and_keeps_new_ones_away():
    seats, order = Seats(actors=1, lanes=4), []

    async def sit(name: str, alone: bool, until: asyncio.Event) -> None:
        async with seats.taken(alone):
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


async def test_a_cancelled_wait_keeps_nobody_out_and_a_lost_actor_is_told():
    seats = Seats(actors=1, lanes=2)
    async with seats.taken(alone=False):
        waiting = asyncio.create_task(seats.taken(alone=True).__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        async with seats.taken(alone=False) as actor:
            assert actor == 0
            more = asyncio.create_task(seats.taken(alone=True).__aenter__())
            await asyncio.sleep(0)
            seats.remove(0)
            assert await asyncio.wait_for(more, 5) is None
