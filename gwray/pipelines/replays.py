"""What is done with many recorded episodes, each on its own: verify, rescore, unpack, check solutions.

A `ReplayJob` says what is done with one of them; a `ReplayExecutor` chooses the process: this one (`InlineReplays`), or
actors over a cluster (`gwray.actors.RayReplays`). Everything else is the same, so a job comes to the same wherever it
runs. A process that dies costs the replays that were in it another try, and nothing more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Protocol, TypeVar

from gwray.catalog import load_catalog
from gwray.environments import BrowserSource
from gwray.errors import BrowserError
from gwray.pipelines.machine import Needs, code_hash, rules_of
from gwray.sandbox import BrowserOnDemand
from gwray.store import RunDir

Item = TypeVar("Item", contravariant=True)
Found = TypeVar("Found", covariant=True)

LOOK_S = 2.0
"""So often it is looked whether more items can be begun, though none has ended."""
TRIES = 3
"""Times that an item is tried while the machine is to blame."""


class ReplayJob(Protocol[Item, Found]):
    """What is done with each item. It travels to the processes that do it, as do items and what is found: what it
    holds are addresses and settings, never an open file or a browser."""

    @property
    def needs(self) -> Needs:
        """What a machine must have to take part."""
        ...

    def opened(self, browser: BrowserSource) -> AbstractAsyncContextManager[Callable[[Item], Awaitable[Found]]]:
        """What does it with one item, for as long as the block lasts; once in each process, several items at a time.
        It raises `BrowserError` when the machine is to blame, and what the whole job cannot go on with."""
        ...

    def lost(self, item: Item, error: BrowserError) -> Found:
        """What is said of an item when the machine was to blame at every try."""
        ...


class ReplayExecutor(Protocol):
    """Where a job is done; at most `slots` items at once."""

    @property
    def slots(self) -> int:
        """It may grow while the job goes on."""
        ...

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        """Make it ready for so many items."""
        ...

    async def replay(self, item: Any) -> Any:
        """Do it with one item. `BrowserError` when the process that did it has ended."""
        ...

    async def close(self) -> None: ...


class Replays:
    """A job in this process, with one browser, which is started when it is first needed."""

    def __init__(self, job: ReplayJob[Any, Any]):
        self._job = job
        self._opened = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._replay: Callable[[Any], Awaitable[Any]] | None = None

    async def replay(self, item: Any) -> Any:
        async with self._opening:
            if self._replay is None:
                browser = await self._opened.enter_async_context(BrowserOnDemand())
                self._replay = await self._opened.enter_async_context(self._job.opened(browser))
        return await self._replay(item)

    async def close(self) -> None:
        await self._opened.aclose()


class InlineReplays:
    """Replays in this process, `lanes` items at a time."""

    def __init__(self, lanes: int = 2):
        self.slots = max(1, lanes)
        self._replays: Replays | None = None

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        self._replays = Replays(job)

    async def replay(self, item: Any) -> Any:
        assert self._replays is not None
        return await self._replays.replay(item)

    async def close(self) -> None:
        if self._replays is not None:
            await self._replays.close()


def needs_of(url: str, libraries: tuple[str, ...], *, browser: bool = True) -> Needs:
    """What replaying a run needs: the files and rules that this machine has of its games. Whether they are those of the
    run is for the replay to find; that all machines have the same is not."""
    found, played = load_catalog(libraries).games, RunDir.open(url).manifest().get("games", {})
    games = {game: found[game].files_hash for game in played if game in found}
    return Needs(code_hash(), libraries, games, rules_of(libraries, games), browser, url)


async def replay_all(
    job: ReplayJob[Item, Found],
    items: Sequence[Item],
    executor: ReplayExecutor | None = None,
    on_found: Callable[[Found], None] | None = None,
) -> list[Found]:
    """Do a job with all items, begun in their order; what was found, in their order too. `on_found` hears it as it
    comes. `executor`: this process unless another is given; it is closed afterwards."""
    if not items:
        return []
    executor = executor or InlineReplays()
    queue, found = deque(enumerate(items)), {}

    async def replay(i: int, item: Any) -> None:
        found[i] = one = await _tried(job, item, executor)
        if on_found:
            on_found(one)

    now: set[asyncio.Task[None]] = set()
    try:
        await executor.start(job, len(items))
        while queue or now:
            while queue and len(now) < executor.slots:
                now.add(asyncio.create_task(replay(*queue.popleft())))
            ended, now = await asyncio.wait(now, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
            for one in ended:
                one.result()
    finally:
        for one in now:
            one.cancel()
        await asyncio.gather(*now, return_exceptions=True)
        await executor.close()
    return [found[i] for i in range(len(items))]


async def _tried(job: ReplayJob[Item, Found], item: Item, executor: ReplayExecutor) -> Found:
    for left in reversed(range(TRIES)):
        try:
            return await executor.replay(item)
        except BrowserError as e:
            if not left:
                return job.lost(item, e)
    raise AssertionError("unreachable")
