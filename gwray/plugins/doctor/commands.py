"""The command `gwray doctor`."""

from typing import Annotated

import typer

from gwray.cli.options import Json, console
from gwray.cli.signals import run_to_end


def doctor(
    as_json: Json = False,
    address: Annotated[str | None, typer.Option(help="Address of the Ray cluster that would host models.")] = None,
) -> None:
    """Check this machine, and print the exact fix for everything that is missing.

    Example: gwray doctor
    """
    from gwray.plugins.doctor.checks import examine, show

    findings = run_to_end(examine(address))
    show(findings, console, as_json)
    if any(f.needed and not f.good for f in findings):
        raise typer.Exit(1)
