"""`gwray judge`: judges episodes with a progress bar, and prints the agreement with annotations and states."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from rich.console import Console
from rich.markup import escape

from gwray.analysis import Agreement, JudgeAgreement, LabelSet
from gwray.cli.console import terminal
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end
from gwray.cli.terminal import print_json, print_table
from gwray.errors import GwrayError, UsageError
from gwray.judges import compare_judge, compare_judges, judge_labels, judge_run, load_kind, read_judge
from gwray.pages import counted, percent_cell
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
    """Judges, prints, and returns the exit code: 1 if an episode could not be judged."""
    judge = read_judge(name, words)
    if load_kind(judge).named_by_model and judge.name == name:
        model = re.sub(r"[^A-Za-z0-9._-]+", "-", judge.model.name)
        judge = judge.model_copy(update={"name": f"{name}-{model}"})
    kind = load_kind(judge)
    with run.lock("judged"), replaying("judging", None) as bar:
        done = run_to_end(
            judge_run(run, judge, lanes=lanes, on_start=bar.begin, on_judged=bar.advance, trusted=trusted)
        )
    if not done.judgements and not done.failed:
        raise UsageError(f"{run.url} has no finished episode that judge '{judge.name}' is about (judge.of={judge.of})")
    agreement = compare_judge(run, judge, done.judgements)
    if as_json:
        print_json({
            "judgements": [j.model_dump(mode="json") for j in done.judgements],
            "agreement": {reference: a.fields() for reference, a in agreement.items()},
        })  # fmt: skip
    else:
        _show(console, done.judgements, agreement)
        for line in kind.summary(run):
            console.print(line, markup=False)
    if done.skipped:
        terminal(stderr=True).print(f"skipped {done.skipped} episodes of {kind.subject}")
    for key, why in done.failed.items():
        terminal(stderr=True).print(f"[red]not judged[/] {key}: {escape(why)}", soft_wrap=True)
    return 1 if done.failed else 0


def judged_by(runs: Iterable[RunDir], console: Console) -> tuple[list[JudgeAgreement], list[LabelSet]]:
    """Returns agreement and labels of the judges of several runs, for a report. Judges that cannot be evaluated,
    because a library is missing or an episode's file is damaged, are skipped with a notice."""
    agreements: list[JudgeAgreement] = []
    labels: list[LabelSet] = []
    for run in runs:
        try:
            labels += judge_labels(run)
            agreements += compare_judges(run)
        except GwrayError as e:
            console.print(f"[yellow]judges skipped:[/] {escape(str(e))}", soft_wrap=True)
    return agreements, labels


def _show(console: Console, judgements: Sequence[Judgement], agreement: Mapping[str, Agreement]) -> None:
    for j in judgements:
        labels, score = ", ".join(j.labels), "" if j.score is None else f"{100 * j.score:.0f} %"
        verdict = f"{labels} ({score})" if labels and score else labels or score or "none of its labels"
        console.print(f"{j.key}: {verdict}" + (" [malformed]" if j.malformed else ""), markup=False)
    tokens = sum(j.input_tokens + j.output_tokens for j in judgements)
    costs = [j.cost_usd for j in judgements]
    usd = "price unknown" if None in costs else f"{sum(c or 0 for c in costs):.4f} USD"
    calls = counted(sum(j.calls for j in judgements), "question")
    line = f"{counted(len(judgements), 'episode')} judged, {calls}, {tokens} tokens, {usd}"
    console.print(line, style="bold")
    if not agreement:
        return
    rows = []
    for what, a in agreement.items():
        numbers = (a.micro_f1, a.jaccard, a.spearman, a.pearson)
        rows.append(
            (what, a.episodes, percent_cell(a.exact_interval), *("–" if n is None else f"{n:.2f}" for n in numbers))
        )
    heads = ("with", "episodes", "exact", "Micro-F1", "Jaccard", "Spearman", "Pearson")
    print_table(heads, rows, console, "agreement; exact in percent, with its 95 % interval", numbers=6)
    for what, a in agreement.items():
        for (truth, judged), n in sorted(a.confusion.items()):
            console.print(f"{what}: {truth} judged as {judged}: {n}", markup=False)
