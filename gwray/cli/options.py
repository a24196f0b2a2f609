"""Options that several commands share, and their console."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from gwray.cli.console import terminal

if TYPE_CHECKING:
    from gwray.settings import TrackingSpec, Value
    from gwray.store import RunDir

console = terminal()
Run = Annotated[str, typer.Argument(help="Run directory: a path or an fsspec URL.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Libraries = Annotated[list[str] | None, typer.Option("--library", help="A further library folder.")]
Lanes = Annotated[int, typer.Option(min=1, help="Concurrent episodes per process.")]
ReplayLanes = Annotated[
    int | None, typer.Option("--lanes", min=1, help="Concurrent episodes per process; default: 2 per core.")
]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0: a free one.")]
ExecutorName = Annotated[
    str, typer.Option("--executor", help="inline: this process; ray: one per core; auto: the faster one.")
]
Address = Annotated[
    str | None, typer.Option("--address", help="Ray cluster, such as auto or HOST:6379; default: this machine.")
]
Restart = Annotated[bool, typer.Option("--restart", help="Do not resume an interrupted verification.")]
Trust = Annotated[
    list[str] | None, typer.Option("--trust", help="package.Class that the run names and that may be imported.")
]
OpenPage = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")]
Games = Annotated[list[str] | None, typer.Argument(help="Game ids, genre:puzzle, level:2; or a,b; or none: all.")]
PASS_THROUGH = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Context settings of a command that parses its own arguments."""


MOST_NAMED = 3


def open_run(url: str, libraries: Sequence[str] | None = None) -> "RunDir":
    """Opens a run whose games are needed. Prints which library folders its run.json names that are not opened, because
    the user never named them: the run may come from someone else."""
    from gwray.places import allow_folders, allowed_folders, user_libraries
    from gwray.store import RunDir

    allow_folders(libraries or ())
    run = RunDir.open(url, libraries or ())
    named = run.manifest().libraries
    opened = {*allowed_folders(named), *map(str, user_libraries())}
    if not libraries and (closed := [folder for folder in named if folder not in opened]):
        more = f" and {len(closed) - MOST_NAMED} more" if len(closed) > MOST_NAMED else ""
        folders = ", ".join(repr(folder[:200]) for folder in closed[:MOST_NAMED]) + more
        terminal(stderr=True).print(
            f"note: not opened: {folders}, named by the run and never by you on this computer. If the games there are "
            "yours or trusted, add --library FOLDER.",
            highlight=False, markup=False, soft_wrap=True,
        )  # fmt: skip
    return run


def split_words(words: Sequence[str] | None) -> list[str]:
    """Returns the values of an option that was given several times or with commas; `all` if it was not given."""
    return [w.strip() for word in words or () for w in word.split(",") if w.strip()] or ["all"]


def tracked_run(run: str) -> "tuple[RunDir, TrackingSpec, Mapping[str, Mapping[str, Value]]]":
    """Returns a run with its settings of tracking and the summaries of its cells."""
    from gwray.analysis import cell_summaries
    from gwray.settings import RunSpec, TrackingSpec
    from gwray.store import RunDir, results_frame

    opened = RunDir.open(run)
    jobs = opened.manifest().jobs
    spec = RunSpec.from_record(jobs[0]).tracking if jobs else TrackingSpec()
    return opened, spec, cell_summaries(results_frame(opened), opened.manifest().without_forks())
