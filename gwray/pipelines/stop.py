"""Stops a run on Ctrl-C: cancels what it waits for, so that it ends in order."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


class Stop:
    """A stop request, set by Ctrl-C."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._also: list[Callable[[], None]] = []

    @property
    def asked(self) -> bool:
        return self._event.is_set()

    def _ask(self) -> None:
        self._event.set()
        for call in self._also:
            call()

    @contextlib.contextmanager
    def on_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        before = signal.getsignal(signal.SIGINT)
        try:
            loop.add_signal_handler(signal.SIGINT, self._ask)
        except (ValueError, RuntimeError):  # not the main thread: a test, or embedded in another program
            yield
            return
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            if before is not None:
                signal.signal(
                    signal.SIGINT, before
                )  # the loop leaves Python's default handler, which interrupts any code

    @contextlib.contextmanager
    def also(self, call: Callable[[], None]) -> Iterator[None]:
        """Calls `call` too if a stop is requested within the block."""
        self._also.append(call)
        try:
            yield
        finally:
            self._also.remove(call)

    async def or_done(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Returns the result of the work; None if a stop is requested first: the work is then cancelled and awaited."""
        if self.asked:
            work.close()
            return None
        doing, asked = asyncio.ensure_future(work), asyncio.ensure_future(self._event.wait())
        try:
            await asyncio.wait({doing, asked}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
            return None
        finally:
            asked.cancel()
            if not doing.done():
                doing.cancel()
                await asyncio.gather(doing, return_exceptions=True)
