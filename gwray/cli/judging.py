"""`gwray judge`: judges with a progress bar, and says how the judge agrees with what is known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from gwray.analysis import JudgeAgreement, JudgedBy, Known, Labelled, by_chance, share
from gwray.cli.signals import run_to_end
from gwray.cli.terminal import print_json
from gwray.errors import GwrayError, UsageError
from gwray.judges import agreement_of, agreements_of, judge_run, known_in, labelled_in, read_judge
from gwray.records import Judgement
from gwray.store import RunDir


def judge_episodes(
    run: RunDir,
    name: str,
    words: Sequence[str],
    console: Console,
    *,
    lanes: int,
    trusted: Collection[str],
    as_json: bool,
) -> int:
    """Judge, print, and return the exit code: 1 if an episode could not be judged."""
    judge = read_judge(name, words)
    if judge.kind == "knowledge" and judge.name == name:  # several models are asked about one run
        asked = re.sub(r"[^A-Za-z0-9._-]+", "-", judge.model.name)
        judge = judge.model_copy(update={"name": f"{name}-{asked}"})
    with run.lock("judged"), Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("judging", total=None)
        done = run_to_end(
            judge_run(
                run,
                judge,
                lanes=lanes,
                on_begin=lambda total: bar.update(task, total=total),
                on_judged=lambda _: bar.advance(task),
                trusted=trusted,
            )
        )
    if not done.judgements and not done.failed:
        raise UsageError(f"{run.url} has no finished episode that judge '{judge.name}' is about (judge.of={judge.of})")
    agreement = agreement_of(run, judge, done.judgements)
    if as_json:
        said = {what: {**asdict(a), "confusion": [[*k, n] for k, n in a.confusion.items()]} for what, a in
                agreement.items()}  # fmt: skip
        print_json({"judgements": [j.model_dump(mode="json") for j in done.judgements], "agreement": said})
    else:
        _show(console, done.judgements, agreement)
        if judge.kind == "knowledge":
            _show_known(console, [k for k in known_in(run) if k.probe == judge.name])
    if done.left_out:
        what = "cases of which nothing is asked" if judge.kind == "knowledge" else "tasks without milestones"
        Console(stderr=True).print(f"{done.left_out} episodes of {what} left out", highlight=False)
    for key, why in done.failed.items():
        Console(stderr=True).print(f"[red]not judged[/] {key}: {escape(why)}", highlight=False, soft_wrap=True)
    return 1 if done.failed else 0


def judged_by(runs: Iterable[RunDir], console: Console) -> tuple[list[JudgedBy], list[Labelled], list[Known]]:
    """How the judges of several runs agree, the labels that they gave, and what they knew, for a report. Judges that
    cannot be held against anything here, since a library is missing or an episode's file damaged, are named and left
    out."""
    agreements: list[JudgedBy] = []
    labelled: list[Labelled] = []
    known: list[Known] = []
    for run in runs:
        try:
            labelled += labelled_in(run)
            agreements += agreements_of(run)
            known += known_in(run)
        except GwrayError as e:
            console.print(f"[yellow]judges left out:[/] {escape(str(e))}", highlight=False, soft_wrap=True)
    return agreements, labelled, known


def _show(console: Console, judgements: Sequence[Judgement], agreement: Mapping[str, JudgeAgreement]) -> None:
    for j in judgements:
        said = ", ".join(j.labels) or "none"
        score = "" if j.score is None else f" ({100 * j.score:.0f} %)"
        console.print(
            f"{j.key}: {said}{score}" + (" [malformed]" if j.malformed else ""), highlight=False, markup=False
        )
    tokens = sum(j.input_tokens + j.output_tokens for j in judgements)
    costs = [j.cost_usd for j in judgements]
    usd = "price unknown" if None in costs else f"{sum(c or 0 for c in costs):.4f} USD"
    line = f"{len(judgements)} episodes judged, {sum(j.calls for j in judgements)} questions, {tokens} tokens, {usd}"
    console.print(line, style="bold", highlight=False)
    if not agreement:
        return
    table = Table(title="agreement")
    for head in ("with", "episodes", "exact", "Micro-F1", "Jaccard", "Spearman", "Pearson"):
        table.add_column(head, justify="left" if head == "with" else "right")
    for what, a in agreement.items():
        numbers = (a.exact, a.micro_f1, a.jaccard, a.spearman, a.pearson)
        table.add_row(what, str(a.episodes), *("–" if n is None else f"{n:.4f}" for n in numbers))
    console.print(table)
    for what, a in agreement.items():
        for (truth, judged), n in sorted(a.confusion.items()):
            console.print(f"{what}: {truth} judged as {judged}: {n}", highlight=False, markup=False)


def _show_known(console: Console, known: Sequence[Known]) -> None:
    """What a probe found, level by level."""
    told, control = share(known, "solution"), share(known, "solution", published=False)
    rows = {"titles": share(known, "title"), "openings": share(known, "opening"),
            "solutions of the published case": told, "solutions of generated cases": control}  # fmt: skip
    for what, (right, asked) in rows.items():
        if asked:
            console.print(f"{what}: {right} of {asked} ({100 * right / asked:.0f} %)", highlight=False)
    p = by_chance(told, control)
    if p is not None:
        line = f"p = {p:.2g} of so many in the published case, if it were known no better than the generated ones"
        console.print(line, highlight=False)
