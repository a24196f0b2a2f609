"""Commands that share runs: pack, unpack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from gwray.cli.options import Address, ExecutorName, Libraries, ReplayLanes, Run, Trust, console
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError

NAMED = 5


def pack(
    run: Run,
    out: Annotated[Path, typer.Option("-o", "--out", help="File to write, such as demo.gwray.")],
    reseal: Annotated[
        bool, typer.Option("--reseal", help="Replace the seal of a run that was changed since it was sealed.")
    ] = False,
) -> None:
    """Write a run into one small file: its plan, replies, results and judgements. `gwray unpack` replays the rest.

    Prints the seal of the run: one hash over its plan, replies and results. Publish it beside the scores; `gwray
    verify` finds whatever was changed since. A run is sealed when its last planned episode ends, or else when packed.

    Example: gwray pack runs/demo -o demo.gwray
    """
    from gwray.store import RunDir, pack_run, read_seal, seal_run

    opened = RunDir.open(run)
    seal = read_seal(opened)
    if seal.broken and not reseal:
        raise UsageError(
            f"{opened.url} is sealed {seal.recorded}, and what is there now makes {seal.found}: results or logs were "
            "changed since. `gwray verify` names what; --reseal seals and packs the run as it is."
        )
    if seal.broken or not seal.recorded:
        with opened.lock("sealed"):
            seal_run(opened)
    before = opened.digest()
    size = pack_run(opened, out)
    if opened.digest() != before:
        out.unlink()
        raise UsageError(f"{opened.url} was changed while it was packed. Run the same command again once it rests.")
    results, planned = opened.results(), opened.manifest().episodes
    console.print(f"{out}: {len(results)} episodes, {size / 1024:,.0f} KiB", highlight=False, soft_wrap=True)
    if left := len({*planned.episode_keys()} - {r.key for r in results}):
        console.print(f"{left} of {len(planned)} planned episodes have no result.", highlight=False)
    if lost := [r for r in results if not r.reproducible]:
        console.print(
            f"[yellow]{len(lost)} of them cannot be replayed ({escape('; '.join(lost[0].caveats[:1]))}):[/] their "
            "results and replies are in it, their pictures are in the run directory only",
            highlight=False, soft_wrap=True,
        )  # fmt: skip
    console.print(f"sealed {escape(opened.manifest().seal)}", highlight=False, soft_wrap=True)


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
    from gwray.cli.console import print_seal
    from gwray.cli.executors import make_replays
    from gwray.judges import verify_judgements
    from gwray.verification import unpack_run

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
        line = f"[red]refused[/] {escape(key)}: run.json does not plan it, or results.jsonl has it twice"
        console.print(line, highlight=False, soft_wrap=True)
    for f in (f for f in done.findings if f.verdict in ("different", "error")):
        console.print(f"[red]{f.verdict}[/] {escape(f'{f.task} {f.key}: {f.detail}')}", highlight=False, soft_wrap=True)
    for verdict, what in (("missing", "have no result"), ("skipped", "failed, with no score to prove")):
        if n := sum(f.verdict == verdict for f in done.findings):
            console.print(f"[yellow]{n} of {done.planned} planned episodes[/] {what}", highlight=False)
    console.print(f"{done.proven} of {done.planned} identical, in {done.run.url}", style="bold", highlight=False)
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
    console.print("The pack:", end=" ")
    print_seal(seal, console)
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
