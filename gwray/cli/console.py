"""Consoles that commands print to."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from gwray.visible_text import visible


class Terminal(Console):
    """A console that prints control sequences in texts as visible text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)


def spent_time(seconds: float) -> str:
    """Formats a time as `1:02:03`, or `2:03` below an hour."""
    minutes, s = divmod(round(seconds), 60)
    hours, m = divmod(minutes, 60)
    return f"{hours}:{m:02}:{s:02}" if hours else f"{m}:{s:02}"


def terminal(stderr: bool = False) -> Console:
    """Returns a console that highlights nothing by itself; 140 columns wide if the output is a file or pipe."""
    console = Terminal(stderr=stderr, highlight=False)
    return console if console.is_terminal else Terminal(stderr=stderr, width=140, highlight=False)
