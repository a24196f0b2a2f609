"""What ends a command from outside ends it as Ctrl-C does."""

from __future__ import annotations

import asyncio
import inspect
import signal
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def end_like_ctrl_c() -> None:
    """From now on SIGTERM, by which batch systems stop a job, and SIGHUP do what Ctrl-C would do at that moment.

    What is ignored (`nohup`) stays ignored. In the background of a script Ctrl-C is ignored too, and SIGTERM is not.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _ctrl_c)


def _ctrl_c(number: int, frame: FrameType | None) -> None:
    if signal.SIGINT in signal.sigpending():
        signal.sigwait({signal.SIGINT})  # it was ignored; two of them would be a second Ctrl-C
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.raise_signal(signal.SIGINT)


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, of which nothing is left behind when Ctrl-C comes before the work has begun: on a busy machine its
    event loop takes a moment to be made."""
    try:
        return asyncio.run(work)
    finally:
        if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
            work.close()
