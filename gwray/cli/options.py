"""Arguments that several commands share, and where all of them write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from gwray.cli.console import terminal

console = terminal()
Run = Annotated[str, typer.Argument(help="Run directory: a path or an fsspec URL.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Libraries = Annotated[list[str] | None, typer.Option("--library", help="A further folder of game folders.")]
Lanes = Annotated[int, typer.Option(min=1, help="Episodes at a time in a process.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0: a free one.")]
OnWhat = Annotated[
    str, typer.Option("--executor", help="inline: this process; ray: all cores; auto: ray where there are many.")
]
Address = Annotated[
    str | None, typer.Option("--address", help="Ray cluster to do it on, such as auto or HOST:6379; here if left out.")
]
Restart = Annotated[bool, typer.Option("--restart", help="Do not resume an interrupted verification.")]
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Context settings of a command whose arguments are parsed by the module that does the work."""


def listed(words: Sequence[str] | None) -> list[str]:
    """What was given once, several times or with commas; everything if nothing was."""
    return [w.strip() for word in words or () for w in word.split(",") if w.strip()] or ["all"]
