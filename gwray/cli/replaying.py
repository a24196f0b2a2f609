"""A progress bar of a job over many episodes that goes on where it was broken off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.progress import Progress

from gwray.cli.console import counted, terminal

if TYPE_CHECKING:
    from gwray.pipelines import SoFar

AGAIN = "The same command goes on where it stopped."


class ReplayBar:
    """What such a job tells of its progress."""

    def __init__(self, progress: Progress, doing: str, total: int | None, what: str, had: str):
        self.progress = progress
        self.kept: SoFar[Any, Any] | None = None
        self._what, self._had = what, had
        self._task = progress.add_task(doing, total=total)

    def begin(self, total: int) -> None:
        """So many there are."""
        self.progress.update(self._task, total=total)

    def found(self, _: Any) -> None:
        """One more was found."""
        self.progress.advance(self._task)

    def resumed(self, before: Sequence[Any], kept: SoFar[Any, Any]) -> None:
        """These were found before it was broken off; where that is kept."""
        self.kept = kept
        self.progress.advance(self._task, len(before))
        if before:
            line = f"{self._had}, before it was broken off: {counted(len(before), self._what)}; --anew begins anew"
            self.progress.console.print(line, style="dim", highlight=False)


@contextmanager
def replaying(
    doing: str, total: int | None, *, what: str = "episode", had: str, kept: bool = True
) -> Iterator[ReplayBar]:
    """Show it on standard error. `had`: what is said of those that are not done again, such as `verified`; `kept`:
    whether there are such."""
    with Progress(console=terminal(stderr=True), transient=True) as progress:
        bar = ReplayBar(progress, doing, total, what, had)
        try:
            yield bar
        except KeyboardInterrupt:
            if bar.kept and (why := bar.kept.unkept):
                line = f"Interrupted; not all that was {had} could be kept ({why}). The same command does that again."
                progress.console.print(escape(line), highlight=False, soft_wrap=True)
            elif kept:
                progress.console.print(f"Interrupted; what is {had} is kept. {AGAIN}", highlight=False)
            raise
