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

    What is ignored (`nohup`) stays ignored.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _ctrl_c)


def _ctrl_c(number: int, frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, of which nothing is left behind when Ctrl-C comes before the work has begun: on a busy machine its
    event loop takes a moment to be made."""
    try:
        return asyncio.run(work)
    finally:
        if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
            work.close()
