"""Options that several commands share, and their console."""

from collections.abc import Sequence
from typing import Annotated

import typer

from gwray.cli.console import terminal

console = terminal()
Run = Annotated[str, typer.Argument(help="Run directory: a path or an fsspec URL.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Libraries = Annotated[list[str] | None, typer.Option("--library", help="A further library folder.")]
Lanes = Annotated[int, typer.Option(min=1, help="Concurrent episodes per process.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0: a free one.")]
ExecutorName = Annotated[
    str, typer.Option("--executor", help="inline: this process; ray: all cores; auto: ray for many episodes.")
]
Address = Annotated[
    str | None,
    typer.Option("--address", help="Ray cluster, such as auto or HOST:6379; default: this machine."),
]
Restart = Annotated[bool, typer.Option("--restart", help="Do not resume an interrupted verification.")]
PASS_THROUGH = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Context settings of a command that parses its own arguments."""


def split_words(words: Sequence[str] | None) -> list[str]:
    """Returns the values of an option that was given several times or with commas; `all` if it was not given."""
    return [w.strip() for word in words or () for w in word.split(",") if w.strip()] or ["all"]
