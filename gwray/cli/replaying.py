"""A progress bar of a job over many episodes that goes on where it was broken off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.progress import Progress

from gwray.cli.console import counted, terminal

AGAIN = "The same command goes on where it stopped."


class ReplayBar:
    """What such a job tells of its progress."""

    def __init__(self, progress: Progress, doing: str, total: int, what: str, had: str):
        self.progress = progress
        self._what, self._had = what, had
        self._task = progress.add_task(doing, total=total)

    def found(self, _: Any) -> None:
        """One more was found."""
        self.progress.advance(self._task)

    def resumed(self, before: Sequence[Any]) -> None:
        """These were found before it was broken off."""
        self.progress.advance(self._task, len(before))
        if before:
            line = f"{self._had}, before it was broken off: {counted(len(before), self._what)}; --anew begins anew"
            self.progress.console.print(line, style="dim", highlight=False)


@contextmanager
def replaying(doing: str, total: int, *, what: str = "episode", had: str, kept: bool = True) -> Iterator[ReplayBar]:
    """Show it on standard error. `had`: what is said of those that are not done again, such as `verified`; `kept`:
    whether there are such."""
    with Progress(console=terminal(stderr=True), transient=True) as progress:
        try:
            yield ReplayBar(progress, doing, total, what, had)
        except KeyboardInterrupt:
            if kept:
                progress.console.print(f"Interrupted; what is {had} is kept. {AGAIN}", highlight=False)
            raise
