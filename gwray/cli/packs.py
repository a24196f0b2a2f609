"""Commands that share runs: pack, unpack, leaderboard."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from gwray.cli.options import Address, ExecutorName, Libraries, ReplayLanes, Run, Trust, console
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end

NAMED = 5


def pack(
    run: Run,
    out: Annotated[Path, typer.Option("-o", "--out", help="File to write, such as demo.gwray.")],
) -> None:
    """Write a run into one small file: its plan, replies, results and judgements. `gwray unpack` replays the rest.

    Example: gwray pack runs/demo -o demo.gwray
    """
    from gwray.store import RunDir, pack_run, read_seal, seal_text

    opened = RunDir.open(run)
    seal = read_seal(opened)
    size = pack_run(opened, out)
    results = opened.results()
    console.print(f"{out}: {len(results)} episodes, {size / 1024:,.0f} KiB", highlight=False, soft_wrap=True)
    if lost := [r for r in results if not r.reproducible]:
        console.print(
            f"[yellow]{len(lost)} of them cannot be replayed ({escape('; '.join(lost[0].caveats[:1]))}):[/] their "
            "results and replies are in it, their pictures are in the run directory only",
            highlight=False, soft_wrap=True,
        )  # fmt: skip
    if seal.broken:
        console.print("[red]The seal does not match:[/] gwray verify names what was changed", highlight=False)
        raise typer.Exit(1)
    sealed = f"sealed {escape(seal_text(seal.recorded))}" if seal.recorded else "not sealed"
    console.print(sealed, highlight=False, soft_wrap=True)


def unpack(
    file: Annotated[Path, typer.Argument(help="File written by `gwray pack`.")],
    out: Annotated[str, typer.Option("-o", "--out", help="Run directory to create.")],
    lanes: ReplayLanes = None,
    executor: ExecutorName = "auto",
    address: Address = None,
    trust: Trust = None,
    library: Libraries = None,
) -> None:
    """Replay every episode of a pack and compare every hash of its result; restores screenshots. Judgements are
    recomputed from the judges' replies and compared.

    Exit code 0 only if everything matches. Results that the replay contradicts are not kept. After an interruption the
    same command resumes. With another build of the browser, states and texts are verified, and the screenshots are
    reported as new. `--library` reads games from other folders than the run names.

    Example: gwray unpack demo.gwray -o runs/theirs
    """
    from gwray.cli.executors import make_replays
    from gwray.judges import verify_judgements
    from gwray.pipelines import unpack_run
    from gwray.store import seal_text

    replays = make_replays(executor, address, lanes)
    with replaying("unpacking", None) as bar:
        try:
            done = run_to_end(
                unpack_run(
                    file, out, libraries=library, executor=replays, trusted=tuple(trust or ()), on_begin=bar.begin,
                    on_done=bar.advance,
                )
            )  # fmt: skip
        except KeyboardInterrupt:
            console.print("Interrupted; replayed episodes are kept. Run the same command again to resume.")
            raise
    for word, repaired in (("[red]refused[/]", done.refused), ("[yellow]skipped[/]", done.skipped[:NAMED])):
        for one in repaired:
            spec = one.damage.spec
            who = escape(f"{spec.task} {spec.key}: {one.why}")
            console.print(f"{word} {who}", highlight=False, soft_wrap=True)
    for key in done.unplanned:
        console.print(f"[red]refused[/] {escape(key)}: run.json does not plan it", highlight=False, soft_wrap=True)
    console.print(f"{done.proven} of {done.episodes} identical, in {done.run.url}", style="bold", highlight=False)
    if lost := len(done.refused) + len(done.unplanned):
        line = f"[red]{lost} refused:[/] their results are not kept, and the run directory has no seal"
        console.print(line, highlight=False, soft_wrap=True)
    if done.redrawn:
        console.print(
            f"[yellow]{done.redrawn} with new screenshots:[/] another browser rendered them; states and texts are "
            "proven, and the run has a seal of its own",
            highlight=False, soft_wrap=True,
        )  # fmt: skip
    seal = done.seal
    if seal.broken:
        line = f"[red]The seal does not match:[/] sealed {escape(seal.recorded)}, the pack makes {seal.found}"
    else:
        line = f"the pack is sealed {escape(seal_text(seal.recorded))}" if seal.recorded else "the pack is not sealed"
    console.print(line, highlight=False, soft_wrap=True)
    judged = []
    if done.run.judges():
        judged = run_to_end(verify_judgements(done.run, executor=replays, trusted=tuple(trust or ())))
    for finding in (f for f in judged if not f.holds):
        where = f"[red]{finding.verdict}[/] {escape(finding.key)}: {escape(finding.detail)}"
        console.print(where, highlight=False, soft_wrap=True)
    if judged:
        made = sum(f.proven for f in judged)
        console.print(f"{made} of {len(judged)} judgements identical", highlight=False)
    if not done.holds or not all(f.holds for f in judged):
        raise typer.Exit(1)


def leaderboard(
    packs: Annotated[list[Path], typer.Argument(help="Files written by `gwray pack`.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder of the page.")] = Path("leaderboard"),
    title: Annotated[str, typer.Option(help="Heading of the page.")] = "Leaderboard",
    restart: Annotated[bool, typer.Option("--restart", help="Also replay packs that were verified before.")] = False,
    lanes: ReplayLanes = None,
    executor: ExecutorName = "auto",
    address: Address = None,
    trust: Annotated[
        list[str] | None, typer.Option("--trust", help="package.Class that a pack names and that may be imported.")
    ] = None,
    library: Libraries = None,
) -> None:
    """Write a static page that ranks the players of packs, after playing every episode of them again.

    Only models whose results are verified by that have a rank, among those that had the same test: tasks and seeds,
    timing, interface, observation, actions, nudges. Packs with the same play are one line. Your ~/.cache/gwray, not the
    folder, remembers what was proven of which file, so the same command with one pack more plays that one only. Exit
    code 0 only if every pack can be read and every line is verified.

    Example: gwray leaderboard packs/*.gwray -o site
    """
    from gwray.cli.executors import make_replays
    from gwray.cli.leaderboard import make_leaderboard

    good = make_leaderboard(
        packs, out, console, title=title, libraries=tuple(library or ()), trusted=tuple(trust or ()),
        executor=partial(make_replays, executor, address, lanes), restart=restart,
    )  # fmt: skip
    if not good:
        raise typer.Exit(1)
