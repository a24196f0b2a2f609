"""The `gwray` command line. Each command is a thin layer over one function of a package.

Exit codes: 0 success, 1 a problem was found, 2 wrong usage, 130 stopped by Ctrl-C or SIGTERM. Commands import what they
need when they are called, so that `gwray --help` and typing errors answer at once.
"""

import sys
from typing import Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from gwray.cli import console
from gwray.cli.commands import doctor, fork, latency, play, run, serve, version
from gwray.cli.library import about, games, models, solutions, tasks
from gwray.cli.mcp_servers import mcp
from gwray.cli.new import new
from gwray.cli.options import PASS_THROUGH
from gwray.cli.packs import leaderboard, pack, unpack
from gwray.cli.planning import power
from gwray.cli.runs import (
    export,
    judge,
    report,
    rescore,
    results,
    seal,
    status,
    sync,
    verify,
    view,
)
from gwray.cli.signals import exit_despite_threads, stop_like_ctrl_c
from gwray.cli.signatures import signatures
from gwray.errors import GwrayError, UsageError, full_disk

__all__ = ["app", "main"]

USAGE_ERROR: Any = typer.BadParameter.__base__
"""Base class of typer's errors for unknown commands and options and invalid values; typer has no public name for it."""
GROUPS = {
    "Run": ("run", "doctor", "power", "latency", "serve", "fork"),
    "Look": ("games", "tasks", "models", "status", "results", "view", "report", "export"),
    "Prove": ("verify", "seal", "rescore", "judge"),
    "Share": ("pack", "unpack", "leaderboard", "sync"),
    "Play": ("play", "mcp"),
    "Extend": ("new", "library", "solutions", "signatures"),
}
"""Commands in the order of `gwray --help`."""


class GroupedCommands(TyperGroup):
    """Lists the commands in groups, each with the first sentence of its help."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(limit=200)) for name in names])


app = typer.Typer(
    name="gwray",
    cls=GroupedCommands,
    help="Play browser games with multimodal agents, at scale, with scores that anyone can verify.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.callback()(version)
app.command(context_settings=PASS_THROUGH)(run)
for command in (
    doctor, games, tasks, models, results, status, verify, seal, pack, unpack, leaderboard, fork, judge,
    latency, power, rescore, report, view, export, sync, serve, play,
):  # fmt: skip
    app.command()(command)
app.add_typer(mcp, name="mcp")
app.add_typer(new, name="new")
app.add_typer(solutions, name="solutions")
app.add_typer(about, name="library")
app.add_typer(signatures, name="signatures")


@exit_despite_threads()
def main() -> None:
    """Runs the command that the process was started with; turns errors into messages and exit codes."""
    stop_like_ctrl_c()
    errors = console.terminal(stderr=True)
    try:
        code: Any = app(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except typer.Exit as e:
        sys.exit(e.exit_code)
    except USAGE_ERROR as e:  # names the argument, and the command's --help
        e.show()
        sys.exit(2)
    except UsageError as e:
        errors.print(f"[bold red]gwray:[/] {escape(str(e))}", soft_wrap=True)
        sys.exit(2)
    except GwrayError as e:
        errors.print(f"[bold red]{type(e).__name__}:[/] {escape(str(e))}", soft_wrap=True)
        sys.exit(1)
    except OSError as e:  # a full or read-only disk, a missing permission, …
        where = e.filename or ""
        cause = f"{e.strerror or e}{f': {where}' if where else ''}. {full_disk(e, str(where or '.'))}".strip()
        errors.print(f"[bold red]gwray:[/] {escape(cause)}", highlight=False, soft_wrap=True)
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
