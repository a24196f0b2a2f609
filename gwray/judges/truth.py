"""What a judge is measured by: what people wrote down, or what the recorded states say."""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from io import StringIO

from gwray.analysis import JudgeAgreement, JudgedBy, Labelled, Said, judge_agreement
from gwray.catalog import load_catalog
from gwray.errors import UsageError, choose
from gwray.judges.baseline import rule_labels
from gwray.judges.profile import SAME, JudgeSpec, kept_judge, read_judge
from gwray.pipelines import episode_specs
from gwray.records import Judgement, StepRecord
from gwray.store import RunDir

FAILURE = "failure"
"""The judge whose column of `annotations.csv` is read whether or not it has judged."""


def agreement_of(run: RunDir, judge: JudgeSpec, judgements: Sequence[Judgement]) -> dict[str, JudgeAgreement]:
    """How a judge agrees, by what it is held against: `annotations` (the column of `annotations.csv` with the judge's
    name), `state` (success or milestones as they were played), `rules` (the labels of failure by rule), and
    `rules against annotations`. What does not exist for it is left out.

    Raises `UsageError` for an annotation of an episode or with a label that does not exist.
    """
    judged = {j.key: Said(frozenset(j.labels), j.score) for j in judgements}
    people = annotated(run, judge, [r.key for r in run.results()])
    truth = _by_state(run, judge, judged)
    rules = _by_rule(run, judge, judged)
    pairs = {
        "annotations": (people, judged),
        "state": (truth, judged),
        "rules": (rules, judged),
        "rules against annotations": (people, rules),
    }
    found = {what: judge_agreement(a, b) for what, (a, b) in pairs.items()}
    return {what: agreement for what, agreement in found.items() if agreement.episodes}


def agreements_of(run: RunDir) -> list[JudgedBy]:
    """How every judge of a run agrees, by what it is held against. Settings that are no judge's are left out, which
    `gwray verify` names; so is what the run lacks the episode files for.

    Raises `UsageError` as `agreement_of`.
    """
    out = []
    for name in run.judges():
        try:
            judge = kept_judge(run, name)
        except UsageError:
            continue
        there = [j for j in run.judgements(name) if judge.kind == "picture" or run.has_episode(j.key)]
        found = agreement_of(run, judge, there)
        out += [JudgedBy(name, judge.kind, judge.model.name, truth, a) for truth, a in found.items()]
    return out


def labelled_in(run: RunDir) -> list[Labelled]:
    """The labels that judges of a run gave its episodes, and those of people under a judge's name in `annotations.csv`;
    there the failure judge need not have judged.

    Raises `UsageError` as `agreement_of`.
    """
    keys, out = [r.key for r in run.results()], []
    for name in dict.fromkeys((*run.judges(), FAILURE)):
        try:
            judge = kept_judge(run, name) if name in run.judges() else read_judge(name, ["judge.model=scripted"])
        except UsageError:
            continue
        if judge.kind != "labels":
            continue
        said = {j.key: frozenset(j.labels) for j in run.judgements(name)}
        people = {key: found.labels for key, found in annotated(run, judge, keys).items()}
        sources = ((judge.model.name, said), ("people", people))
        out += [Labelled(name, by, tuple(judge.labels), of) for by, of in sources if of]
    return out


def annotated(run: RunDir, judge: JudgeSpec, keys: Collection[str]) -> dict[str, Said]:
    """What people say, from the columns `key` and the judge's name: several labels in rows of their own, or separated
    by `;`. Rows that are empty there say nothing."""
    rows = csv.DictReader(StringIO(run.read_annotations()))
    if judge.name not in (rows.fieldnames or ()) or "key" not in (rows.fieldnames or ()):
        return {}
    labels: dict[str, set[str]] = {}
    for row in rows:
        said = [word.strip() for word in (row[judge.name] or "").split(";") if word.strip()]
        if not said:
            continue
        matching = [k for k in keys if row["key"].strip() and k.startswith(row["key"].strip())]
        if len(matching) != 1:
            raise UsageError(
                f"annotations.csv line {rows.line_num}: '{row['key']}' names {len(matching)} episodes of this run; "
                f"`gwray results {run.url} --format csv` has keys"
            )
        allowed = [*judge.labels] or [SAME, "none"]
        for word in said if judge.kind != "milestones" else ():
            if word not in allowed:
                raise choose("label", word, allowed, f"annotations.csv line {rows.line_num}.")
        labels.setdefault(matching[0], set()).update(w for w in said if w != "none")
    return {key: Said(frozenset(of)) for key, of in labels.items()}


def reached(rows: Sequence[StepRecord]) -> frozenset[str]:
    """The milestones of an episode's last attempt, by what its rows say."""
    attempt = rows[-1].attempt + rows[-1].reset if rows else 0
    return frozenset(name for row in rows if row.attempt == attempt for name in row.milestones)


def _by_state(run: RunDir, judge: JudgeSpec, keys: Collection[str]) -> dict[str, Said]:
    if judge.kind == "picture":
        return {r.key: Said(frozenset({SAME} if r.success else ())) for r in run.results() if r.key in keys}
    if judge.kind != "milestones":
        return {}
    library, out = load_catalog(run.manifest().get("libraries", ())), {}
    for key, spec in episode_specs(run).items():
        if key in keys:
            rows = run.read_steps(key, images=False)
            milestones = library.game(spec.game).task(spec.task).milestones
            names = reached(rows)
            out[key] = Said(names, len(names) / len(milestones) if milestones else None)
    return out


def _by_rule(run: RunDir, judge: JudgeSpec, keys: Collection[str]) -> dict[str, Said]:
    if judge.kind != "labels":
        return {}
    library, out = load_catalog(run.manifest().get("libraries", ())), {}
    for key, spec in episode_specs(run).items():
        if key in keys:
            task = library.game(spec.game).task(spec.task)
            labels = frozenset(rule_labels(run.read_steps(key, images=False), task)) & {*judge.labels}
            if labels:
                out[key] = Said(labels)
    return out
