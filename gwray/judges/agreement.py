"""Compares verdicts of judges with annotations and with what the record itself says."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from gwray.analysis import (
    PEOPLE,
    Agreement,
    JudgeAgreement,
    LabelSet,
    Verdict,
    compare_verdicts,
    label_set,
    read_labels,
)
from gwray.errors import UsageError
from gwray.judges.kinds import JudgeKind, load_kind
from gwray.judges.spec import JudgeSpec, read_judge, read_recorded_judge
from gwray.places import NotTrusted
from gwray.records import Judgement
from gwray.store import RunDir

FAILURE = "failure"
"""The judge whose column of `annotations.csv` is read even if it has not judged."""


def compare_judge(run: RunDir, judge: JudgeSpec, judgements: Sequence[Judgement]) -> dict[str, Agreement]:
    """Returns how a judge agrees with each reference that exists for it.

    References are `annotations` (the column of `annotations.csv` with the judge's name), `state` (recorded success or
    milestones) and `rules` (labels by rule); `rules against annotations` compares the last with the first.

    Raises:
        UsageError: For an annotation of an unknown episode or with an unknown label.
    """
    kind = _kind(judge)
    judged = {j.key: Verdict(frozenset(j.labels), j.score) for j in judgements}
    people = {key: Verdict(labels) for key, labels in _annotations(run, kind).items()}
    references = kind.references(run, judged)
    pairs: dict[str, tuple[Mapping[str, Verdict], Mapping[str, Verdict]]] = {"annotations": (people, judged)}
    pairs |= {name: (reference, judged) for name, reference in references.items()}
    pairs |= {f"{name} against annotations": (people, references[name]) for name in references if name == "rules"}
    games = {r.key: r.game for r in run.results()}
    agreements = {name: compare_verdicts(a, b, games=games) for name, (a, b) in pairs.items()}
    return {name: agreement for name, agreement in agreements.items() if agreement.episodes}


def compare_judges(run: RunDir) -> list[JudgeAgreement]:
    """Returns how every judge of a run agrees with each reference. Judges with invalid settings are skipped; `gwray
    verify` reports them. Raises `UsageError` as `compare_judge`."""
    return [
        JudgeAgreement(judge.name, judge.kind, judge.model.name, reference, agreement)
        for judge in _recorded_judges(run)
        for reference, agreement in compare_judge(run, judge, run.judgements(judge.name)).items()
    ]


def judge_labels(run: RunDir) -> list[LabelSet]:
    """Returns the labels that judges gave, and those that people gave in a judge's column of `annotations.csv`. People
    may use the column of the failure judge without a verdict of it. Raises `UsageError` as `compare_judge`."""
    judges = _recorded_judges(run)
    if FAILURE not in run.judges():
        with suppress(UsageError):  # an installation may lack its study
            judges.append(read_judge(FAILURE, ["judge.model=scripted"]))
    found = []
    for judge in (j for j in judges if j.labels):
        judged = {j.key: j.labels for j in run.judgements(judge.name)}
        for by, labels in ((judge.model.name, judged), (PEOPLE, _annotations(run, _kind(judge)))):
            found += [label_set(judge.name, by, labels, judge.labels)] if labels else []
    return found


def _recorded_judges(run: RunDir) -> list[JudgeSpec]:
    """Returns the judges of a run whose settings are valid."""
    found = []
    for name in run.judges():
        try:
            found.append(read_recorded_judge(run, name))
        except UsageError:
            continue
    return found


def _kind(judge: JudgeSpec) -> JudgeKind:
    """Returns the judge's kind; one without references if it is custom, since reading a run imports no custom code."""
    try:
        return load_kind(judge, trusted=())
    except NotTrusted:
        return JudgeKind(judge)


def _annotations(run: RunDir, kind: JudgeKind) -> dict[str, frozenset[str]]:
    keys = [r.key for r in run.results()]
    return read_labels(run.read_annotations(), kind.spec.name, kind.annotation_labels, keys)
