"""What ends a command from outside ends it as Ctrl-C does."""

from __future__ import annotations

import signal
from types import FrameType


def end_like_ctrl_c() -> None:
    """From now on SIGTERM, by which batch systems stop a job, and SIGHUP do what Ctrl-C would do at that moment.

    What is ignored (`nohup`) stays ignored.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _ctrl_c)


def _ctrl_c(number: int, frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)
