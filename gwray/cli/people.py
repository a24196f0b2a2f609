"""Plays a plan whose player is a person, on a page that opens in a browser."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

from gwray.cli.console import terminal
from gwray.cli.signals import run_to_end

if TYPE_CHECKING:
    from gwray.person import PlayEnded
    from gwray.pipelines import Plan


def play_plan_by_person(plan: "Plan", port: int = 0, open_page: bool = True) -> int:
    """Plays one episode by a person, prints its outcome, and returns the exit code.

    Args:
        port: of the page, on loopback; 0: any free one.
        open_page: whether to open it in a browser.
    """
    from gwray.person import play_planned

    return show_played([run_to_end(play_planned(plan, port=port, open_page=open_page, say=terminal().print))])


def show_played(ended: Sequence["PlayEnded"]) -> int:
    """Prints the outcomes of a person's episodes. Returns the exit code: 1 if one failed."""
    console = terminal()
    for r in (e.record for e in ended):
        if r.status == "failed":
            console.print(f"[red]{r.task} failed:[/] {r.error_class}: {escape(r.error_message)}")
            continue
        outcome = "solved" if r.success else "not solved"
        console.print(f"{r.task} {outcome}: progress {100 * (r.progress or 0):.0f} %, {r.steps} steps")
    if ended:
        console.print(f"verify it: gwray verify {shlex.quote(ended[0].run_dir)}", soft_wrap=True)
    return int(any(e.record.status == "failed" for e in ended))
