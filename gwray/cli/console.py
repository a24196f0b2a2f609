"""The console that commands write to."""

from __future__ import annotations

from rich.console import Console


def terminal(stderr: bool = False) -> Console:
    """A console; where the output goes to a file or a pipe, lines are wide enough for tables."""
    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(stderr=stderr, width=140)
