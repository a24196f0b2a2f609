"""Consoles that commands print to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment

from gwray.pages import PLAIN_EVERY_S, SILENT_S, visible

if TYPE_CHECKING:
    from gwray.store import Seal


class Terminal(Console):
    """A console that prints control sequences in texts as visible text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)

    def print(self, *objects: Any, soft_wrap: bool | None = None, **how: Any) -> None:
        """Prints; a long line (`soft_wrap`) is broken between words on a terminal, and stays one line in a file."""
        if soft_wrap and self.is_terminal:
            lines = (line for text in objects for line in str(text).splitlines())
            objects = ("\n".join(fill(x, self.width, break_long_words=False, break_on_hyphens=False) for x in lines),)
        super().print(*objects, soft_wrap=soft_wrap, **how)


def spent_time(seconds: float) -> str:
    """Formats a time as `1:02:03`, or `2:03` below an hour."""
    minutes, s = divmod(round(seconds), 60)
    hours, m = divmod(minutes, 60)
    return f"{hours}:{m:02}:{s:02}" if hours else f"{m}:{s:02}"


def terminal(stderr: bool = False) -> Console:
    """Returns a console that highlights nothing by itself; 140 columns wide if the output is a file or pipe."""
    console = Terminal(stderr=stderr, highlight=False)
    return console if console.is_terminal else Terminal(stderr=stderr, width=140, highlight=False)


@contextmanager
def shown_work(what: str) -> Iterator[Callable[[str], None]]:
    """Shows on standard error what a command is doing: a spinner on a terminal; elsewhere a line after `SILENT_S` and
    every `PLAIN_EVERY_S`. Nothing may be printed meanwhile.

    Yields a function that replaces the text.
    """
    console, ended, text = terminal(stderr=True), threading.Event(), what
    if console.is_terminal:
        with console.status(escape(what)) as status:
            yield lambda new: status.update(escape(new))
        return

    def show() -> None:
        wait = SILENT_S
        while not ended.wait(wait):
            console.print(text, markup=False, style="dim", soft_wrap=True)
            wait = PLAIN_EVERY_S

    def replace(new: str) -> None:
        nonlocal text
        text = new

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield replace
    finally:
        ended.set()
        thread.join()


def print_seal(seal: Seal, console: Console) -> None:
    """Prints the seal of a run, in red if the run was changed after it was sealed."""
    style = "red" if seal.broken else ""
    console.print(seal.sentence, style=style, markup=False, highlight=False, soft_wrap=True)
