"""Makes SIGTERM and SIGHUP stop a command like Ctrl-C."""

import asyncio
import inspect
import signal
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


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


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Runs `work` with `asyncio.run`. Closes it if Ctrl-C arrives before it starts: on a busy machine, creating the
    event loop takes a moment."""
    try:
        return asyncio.run(work)
    finally:
        if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
            work.close()
