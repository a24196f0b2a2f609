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


def terminal(stderr: bool = False) -> Console:
    """Returns a console that highlights nothing by itself; 140 columns wide if the output is a file or pipe."""
    console = Terminal(stderr=stderr, highlight=False)
    return console if console.is_terminal else Terminal(stderr=stderr, width=140, highlight=False)
