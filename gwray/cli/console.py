"""The console that commands write to."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from gwray.visible_text import visible


class Terminal(Console):
    """A console on which only its own control sequences act: those in a text are shown as text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)


def counted(n: int, what: str) -> str:
    """`1 episode`, `2 episodes`."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def terminal(stderr: bool = False) -> Console:
    """A console; where the output goes to a file or a pipe, lines are wide enough for tables."""
    console = Terminal(stderr=stderr)
    return console if console.is_terminal else Terminal(stderr=stderr, width=140)
