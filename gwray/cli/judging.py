"""`gwray judge`: judges episodes with a progress bar, and prints the agreement with annotations and states."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from gwray.analysis import Agreement, JudgeAgreement, LabelSet, ProbeResult, sample_episodes, with_rows
from gwray.cli.console import terminal
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end
from gwray.cli.terminal import print_json, print_table
from gwray.errors import GwrayError, UsageError
from gwray.judges import (
    JudgeSpec,
    annotation_page,
    compare_judge,
    compare_judges,
    judge_labels,
    judge_run,
    load_kind,
    probe_results,
    read_judge,
)
from gwray.places import complete_file
from gwray.records import Judgement
from gwray.store import RunDir
from gwray.visible_text import counted


def judge_episodes(
    run: RunDir,
    name: str,
    words: Sequence[str],
    console: Console,
    *,
    lanes: int,
    trusted: Collection[str],
    as_json: bool,
    sample: int | None = None,
) -> int:
    """Judges, prints, and returns the exit code: 1 if an episode could not be judged. `sample`: number of judged
    episodes of each model to add to `annotations.csv` for people."""
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
    if sample is not None:
        _add_sample(run, judge, sample)
    if done.skipped:
        terminal(stderr=True).print(f"skipped {done.skipped} episodes of {kind.subject}")
    for key, why in done.failed.items():
        terminal(stderr=True).print(f"[red]not judged[/] {key}: {escape(why)}", soft_wrap=True)
    return 1 if done.failed else 0


def _add_sample(run: RunDir, judge: JudgeSpec, count: int) -> None:
    """Adds rows without labels to `annotations.csv`, writes the page on which people fill them, and names both."""
    records = {r.key: r for r in run.results()}
    labels = {j.key: j.labels for j in run.judgements(judge.name)}
    keys = sample_episodes(labels, {key: r.model for key, r in records.items()}, count)
    facts = {key: {"task": records[key].task} for key in keys}
    run.write_annotations(with_rows(run.read_annotations(), judge.name, keys, facts))
    how = f"watch them with `gwray view {run.url}`"
    if judge.kind == "labels" and keys:
        page = (run.local_path or Path()) / f"annotate-{judge.name}.html"
        with complete_file(page) as part:
            part.write_text(annotation_page(run, judge, keys), encoding="utf-8")
        how = f"open {page}, and put the file that it saves in the place of that one"
    terminal(stderr=True).print(
        f"{len(keys)} episodes to label in {run.url}/annotations.csv, column '{judge.name}': {how}. The same command "
        "then prints Micro-F1 and Jaccard.",
        soft_wrap=True, markup=False,
    )  # fmt: skip


def judged_by(
    runs: Iterable[RunDir], console: Console
) -> tuple[list[JudgeAgreement], list[LabelSet], list[ProbeResult]]:
    """Returns agreement, labels and probe results of the judges of several runs, for a report. Judges that cannot be
    evaluated, because a library is missing or an episode's file is damaged, are skipped with a notice."""
    agreements: list[JudgeAgreement] = []
    labels: list[LabelSet] = []
    known: list[ProbeResult] = []
    for run in runs:
        try:
            labels += judge_labels(run)
            agreements += compare_judges(run)
            known += probe_results(run)
        except GwrayError as e:
            console.print(f"[yellow]judges skipped:[/] {escape(str(e))}", soft_wrap=True)
    return agreements, labels, known


def _show(console: Console, judgements: Sequence[Judgement], agreement: Mapping[str, Agreement]) -> None:
    for j in judgements:
        labels, score = ", ".join(j.labels), "" if j.score is None else f"{100 * j.score:.0f} %"
        verdict = f"{labels} ({score})" if labels and score else labels or score or "none"
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
        numbers = (a.exact, a.micro_f1, a.jaccard, a.spearman, a.pearson)
        rows.append((what, a.episodes, *("–" if n is None else f"{n:.4f}" for n in numbers)))
    heads = ("with", "episodes", "exact", "Micro-F1", "Jaccard", "Spearman", "Pearson")
    print_table(heads, rows, console, "agreement", numbers=6)
    for what, a in agreement.items():
        for (truth, judged), n in sorted(a.confusion.items()):
            console.print(f"{what}: {truth} judged as {judged}: {n}", markup=False)
