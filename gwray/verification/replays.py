"""Jobs over many recorded episodes, each independent: verify, rescore, unpack, check solutions. A `ReplayJob` handles
one item; a `ReplayExecutor` chooses the process: this one (`InlineReplays`), or actors of a cluster
(`gwray.actors.RayReplays`). The result does not depend on that choice. If a process dies, its items are retried."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Protocol, TypeVar

from gwray.catalog import load_catalog
from gwray.environments import BrowserSource
from gwray.errors import BrowserError
from gwray.pipelines import NodeRequirements, code_hash, rules_of
from gwray.sandbox import BrowserOnDemand
from gwray.store import RunDir

Item = TypeVar("Item", contravariant=True)
Found = TypeVar("Found", covariant=True)

POLL_INTERVAL_S = 2.0
"""Seconds between checks for newly available slots."""
TRIES = 3
"""Attempts per item while the node, not the item, causes the failure."""


class ReplayJob(Protocol[Item, Found]):
    """Handles each item of a job. The job, its items and results are pickled and sent to other processes, so they have
    addresses and settings, never open files or browsers."""

    @property
    def requirements(self) -> NodeRequirements:
        """Requirements that a node must meet to run the job."""
        ...

    def opened(self, browser: BrowserSource) -> AbstractAsyncContextManager[Callable[[Item], Awaitable[Found]]]:
        """Returns a context manager that yields the function that handles one item. It is opened once per process; the
        function is called concurrently. The function raises `BrowserError` if the node caused the failure (the item is
        retried). Any other exception ends the job."""
        ...

    def on_browser_error(self, item: Item, error: BrowserError) -> Found:
        """Returns the result of an item whose every attempt raised `BrowserError`."""
        ...


class ReplayExecutor(Protocol):
    """Runs a job, at most `slots` items concurrently."""

    @property
    def slots(self) -> int:
        """May grow while the job runs."""
        ...

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        """Prepares for a number of items."""
        ...

    async def replay(self, item: Any) -> Any:
        """Handles one item. Raises `BrowserError` if the process died."""
        ...

    async def close(self) -> None: ...


class ReplayWorker:
    """Runs a job in this process, with one browser, which starts when it is first needed."""

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
    """Replays in this process, `lanes` items concurrently."""

    def __init__(self, lanes: int = 2):
        self.slots = max(1, lanes)
        self._worker: ReplayWorker | None = None

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        self._worker = ReplayWorker(job)

    async def replay(self, item: Any) -> Any:
        assert self._worker is not None
        return await self._worker.replay(item)

    async def close(self) -> None:
        if self._worker is not None:
            await self._worker.close()


def run_requirements(url: str, libraries: tuple[str, ...], *, browser: bool = True) -> NodeRequirements:
    """Returns the requirements for replaying a run: the games' files and rules as they are on this node. Whether they
    are those of the run is found by the replay."""
    found, played = load_catalog(libraries).games, RunDir.open(url).manifest().games
    games = {game: found[game].files_hash for game in played if game in found}
    return NodeRequirements(code_hash(), libraries, games, rules_of(libraries, games), browser, url)


async def replay_all(
    job: ReplayJob[Item, Found],
    items: Sequence[Item],
    executor: ReplayExecutor | None = None,
    on_found: Callable[[Found], None] | None = None,
) -> list[Found]:
    """Runs a job over all items and returns the results in the order of the items.

    Args:
        job: what to do with each item.
        items: started in this order.
        executor: where; default: this process. It is closed at the end.
        on_found: called with each result as it arrives.
    """
    if not items:
        return []
    executor = executor or InlineReplays()
    queue, found = deque(enumerate(items)), {}

    async def replay(i: int, item: Any) -> None:
        found[i] = one = await _with_retries(job, item, executor)
        if on_found:
            on_found(one)

    running: set[asyncio.Task[None]] = set()
    try:
        await executor.start(job, len(items))
        while queue or running:
            while queue and len(running) < executor.slots:
                running.add(asyncio.create_task(replay(*queue.popleft())))
            ended, running = await asyncio.wait(running, timeout=POLL_INTERVAL_S, return_when=asyncio.FIRST_COMPLETED)
            for one in ended:
                one.result()
    finally:
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await executor.close()
    return [found[i] for i in range(len(items))]


async def _with_retries(job: ReplayJob[Item, Found], item: Item, executor: ReplayExecutor) -> Found:
    """Handles an item, up to `TRIES` times if the node causes the failure."""
    for left in reversed(range(TRIES)):
        try:
            return await executor.replay(item)
        except BrowserError as e:
            if not left:
                return job.on_browser_error(item, e)
    raise AssertionError("unreachable")
