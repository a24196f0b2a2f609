"""Progress bar of a job over many episodes or tasks, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from gwray.cli.console import shown_work, terminal

if TYPE_CHECKING:  # takes 0.03 s
    from rich.progress import Progress


class ReplayBar:
    """A progress bar with one unit per replayed item; `say` gets a line with each."""

    def __init__(self, progress: Progress, label: str, total: int | None, say: Callable[[str], object]):
        self.progress, self._say = progress, say
        self._task = progress.add_task(label, total=total)

    def begin(self, total: int) -> None:
        """Sets the number of items."""
        self.progress.update(self._task, total=total)

    def advance(self, _: Any = None, *, count: int = 1) -> None:
        """Counts one more item, or `count`; callable as a result callback."""
        self.progress.advance(self._task, count)
        task = self.progress.tasks[0]
        self._say(f"{task.description}: {task.completed:,.0f}" + (f" of {task.total:,.0f}" if task.total else ""))


@contextmanager
def replaying(label: str, total: int | None) -> Iterator[ReplayBar]:
    """Shows the bar for as long as the block lasts; lines where standard error is no terminal."""
    from rich.progress import Progress

    console = terminal(stderr=True)
    lines = nullcontext(lambda _: None) if console.is_terminal else shown_work(label)
    with lines as say, Progress(console=console, transient=True) as progress:
        yield ReplayBar(progress, label, total, say)
