"""Progress bar of a job over many episodes or tasks, on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gwray.cli.console import terminal

if TYPE_CHECKING:  # takes 0.03 s
    from rich.progress import Progress


class ReplayBar:
    """A progress bar with one unit per replayed item."""

    def __init__(self, progress: Progress, label: str, total: int | None):
        self.progress = progress
        self._task = progress.add_task(label, total=total)

    def begin(self, total: int) -> None:
        """Sets the number of items."""
        self.progress.update(self._task, total=total)

    def advance(self, _: Any = None, *, count: int = 1) -> None:
        """Counts one more item, or `count`; callable as a result callback."""
        self.progress.advance(self._task, count)


@contextmanager
def replaying(label: str, total: int | None) -> Iterator[ReplayBar]:
    """Shows the bar for as long as the block lasts."""
    from rich.progress import Progress

    with Progress(console=terminal(stderr=True), transient=True) as progress:
        yield ReplayBar(progress, label, total)
