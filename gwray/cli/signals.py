"""Makes SIGTERM and SIGHUP stop a command like Ctrl-C, and ends the process although a thread is still busy."""

from __future__ import annotations

import atexit
import inspect
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")
THREADS_S = 2.0
"""Seconds for which a command that has ended waits for its threads. Code in a thread cannot be interrupted: starting
Ray or downloading weights may take minutes."""
_busy: set[futures.Future[Any]] = set()
"""Calls in threads that have not returned."""


def stop_like_ctrl_c() -> None:
    """Makes SIGTERM, which batch systems send, and SIGHUP raise `KeyboardInterrupt` like Ctrl-C.

    Signals that are ignored (`nohup`) stay ignored. In the background of a script Ctrl-C is ignored, SIGTERM is not.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _ctrl_c)


def _ctrl_c(number: int, frame: FrameType | None) -> None:
    if signal.SIGINT in signal.sigpending():
        signal.sigwait({signal.SIGINT})  # it was pending; a second one would count as a second Ctrl-C
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.raise_signal(signal.SIGINT)


class _Threads(futures.ThreadPoolExecutor):
    """Threads of an event loop, for which its end waits `THREADS_S` at most."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> futures.Future[T]:
        call = super().submit(fn, *args, **kwargs)
        _busy.add(call)
        call.add_done_callback(_busy.discard)
        return call

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=True)
        if wait:
            futures.wait([*_busy], timeout=THREADS_S)


@contextmanager
def exit_despite_threads() -> Iterator[None]:
    """Decorates the entry point of a command: ends the process at `sys.exit` although a thread is still busy, which
    Python would wait for. A process that has loaded an engine ends in the same way, because its kernel compiler would
    otherwise print all of its types as leaked below the results."""
    try:
        yield
    except SystemExit as e:
        stuck = bool(_busy)
        if "gwray.ray_connection" in sys.modules:  # commands that only read do not import it
            from gwray.ray_connection import abandon

            stuck = abandon() or stuck
        if stuck or "triton" in sys.modules:
            if not stuck:
                atexit._run_exitfuncs()
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):  # its reader has gone
                    stream.flush()
            os._exit(e.code if isinstance(e.code, int) else int(e.code is not None))
        raise


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Runs `work` with `asyncio.run`. Closes it if Ctrl-C arrives before it starts: on a busy machine, creating the
    event loop takes a moment."""
    import asyncio  # late, since commands that only read have no loop

    try:
        with asyncio.Runner(loop_factory=_event_loop) as runner:
            return runner.run(work)
    finally:
        if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
            work.close()


def _event_loop() -> asyncio.AbstractEventLoop:
    import asyncio

    loop = asyncio.new_event_loop()
    loop.set_default_executor(_Threads())
    return loop
