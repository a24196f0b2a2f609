"""The `gwray` command line. Each command is a thin layer over one function of a package.

Exit codes: 0 success, 1 a problem was found, 2 wrong usage, 130 stopped by Ctrl-C or SIGTERM. Commands import what they
need when they are called, so that `gwray --help` and typing errors answer at once.
"""

import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from gwray.cli import console
from gwray.cli.commands import fork, play, run, serve, version
from gwray.cli.library import games, models, tasks
from gwray.cli.options import PASS_THROUGH
from gwray.cli.packs import pack, unpack
from gwray.cli.runs import judge, report, rescore, results, sync, verify, view
from gwray.cli.signals import exit_despite_threads, stop_like_ctrl_c
from gwray.errors import GwrayError, UsageError, exit_code, full_disk

USAGE_ERROR: Any = typer.BadParameter.__base__
"""Base class of typer's errors for unknown commands and options and invalid values; typer has no public name for it."""
COMMANDS = {
    "Run": (run, serve, fork),
    "Look": (games, tasks, models, results, view, report),
    "Prove": (verify, rescore, judge),
    "Share": (pack, unpack, sync),
    "Play": (play,),
}
"""Commands of the core in the order of `gwray --help`."""
PLUGINS = "gwray.commands"
"""Entry-point group of further commands. Each entry is a function or a Typer app; its name is the command's."""


class Commands(TyperGroup):
    """The commands of the core, and those of installed packages, which are imported when they are called or listed."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands, *sorted(_plugins().keys() - self.commands.keys())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in self.commands or cmd_name not in (found := _plugins()):
            return super().get_command(ctx, cmd_name)
        return _load(found[cmd_name])

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands in groups, each with the first sentence of its help."""
        for title, members in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([_row(self.commands[member.__name__]) for member in members])
        rows = []
        for name in self.list_commands(ctx)[len(self.commands) :]:
            try:
                rows.append(_row(self.get_command(ctx, name)))
            except UsageError as e:
                rows.append((name, str(e)))
        if rows:
            with formatter.section("Plug-ins"):
                formatter.write_dl(rows)


@cache
def _plugins() -> dict[str, EntryPoint]:
    """Returns the commands of installed packages by name; those of gwray's own win."""
    found = sorted(entry_points(group=PLUGINS), key=lambda e: e.dist is not None and e.dist.name == "gwray")
    return {e.name: e for e in found}


def _load(entry: EntryPoint) -> Any:
    """Returns the command of an entry point. Raises `UsageError` if it cannot be imported."""
    try:
        found = entry.load()
        group = found if isinstance(found, typer.Typer) else typer.Typer(rich_markup_mode=None)
        if group is not found:
            group.command(entry.name)(found)
        command = typer.main.get_command(group)
    except (Exception, SystemExit) as e:
        where = f" of {entry.dist.name}" if entry.dist else ""
        raise UsageError(
            f"command '{entry.name}'{where} cannot be loaded from {entry.value}: {type(e).__name__}: {e}. "
            "Install that package again, or remove it; all other commands work"
        ) from e
    command.name = entry.name
    return command


def _row(command: Any) -> tuple[str, str]:
    """Returns name and first sentence of the help of a command."""
    return command.name, command.get_short_help_str(limit=200)


app = typer.Typer(
    name="gwray",
    cls=Commands,
    help="Play browser games with multimodal agents, at scale, with scores that anyone can verify.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.callback()(version)
for members in COMMANDS.values():
    for member in members:
        app.command(context_settings=PASS_THROUGH if member is run else None)(member)


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
        sys.exit(exit_code(e))
    except GwrayError as e:
        errors.print(f"[bold red]{type(e).__name__}:[/] {escape(str(e))}", soft_wrap=True)
        sys.exit(exit_code(e))
    except OSError as e:  # a full or read-only disk, a missing permission, …
        where = e.filename or ""
        cause = f"{e.strerror or e}{f': {where}' if where else ''}. {full_disk(e)}".strip()
        errors.print(f"[bold red]gwray:[/] {escape(cause)}", highlight=False, soft_wrap=True)
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
