"""How a judge agrees with a truth, on the episodes of which both say something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Said:
    """What somebody says of an episode."""

    labels: frozenset[str]
    score: float | None = None


@dataclass(frozen=True)
class JudgeAgreement:
    """A judge against a truth. Fractions; None where a number does not exist."""

    episodes: int
    exact: float | None
    """Share of episodes with the same labels, all of them."""
    micro_f1: float | None
    """2 TP / (2 TP + FP + FN) over labels of all episodes; None where nobody says a label."""
    jaccard: float | None
    """Mean over episodes of |both| / |either|; two empty sets are the same (1)."""
    spearman: float | None
    """Of scores, by ranks; None for fewer than three, or where one of both does not vary."""
    pearson: float | None
    confusion: Mapping[tuple[str, str], int]
    """(truth, judged) → episodes. Several labels of one episode are joined by `+`; scores, where both have one, stand
    for them."""


@dataclass(frozen=True)
class JudgedBy:
    """How one judge of a run agrees with one truth."""

    judge: str
    kind: str
    """labels, picture or milestones."""
    model: str
    truth: str
    """`annotations`, `state`, `rules`, or `rules against annotations`."""
    agreement: JudgeAgreement


@dataclass(frozen=True)
class Labelled:
    """The labels that a judge, or people in its place, gave episodes of a run."""

    judge: str
    by: str
    """The name of the model that judged, or `people` (annotations.csv)."""
    labels: tuple[str, ...]
    """All that there are to choose from, in the order in which they are told."""
    said: Mapping[str, frozenset[str]]
    """By episode key; none of them where an answer could not be read."""


def judge_agreement(truth: Mapping[str, Said], judged: Mapping[str, Said]) -> JudgeAgreement:
    """By episode keys; what only one of both speaks of is left out."""
    pairs = [(truth[key], judged[key]) for key in sorted(truth) if key in judged]
    both = sum(len(a.labels & b.labels) for a, b in pairs)
    either = sum(len(a.labels) + len(b.labels) for a, b in pairs)
    overlaps = [len(a.labels & b.labels) / len(a.labels | b.labels) if a.labels | b.labels else 1.0 for a, b in pairs]
    scores = [(a.score, b.score) for a, b in pairs if a.score is not None and b.score is not None]
    return JudgeAgreement(
        episodes=len(pairs),
        exact=sum(a.labels == b.labels for a, b in pairs) / len(pairs) if pairs else None,
        micro_f1=2 * both / either if either else None,
        jaccard=sum(overlaps) / len(pairs) if pairs else None,
        spearman=_correlation("spearmanr", scores),
        pearson=_correlation("pearsonr", scores),
        confusion=Counter((_word(a, b), _word(b, a)) for a, b in pairs),
    )


def _correlation(name: str, scores: list[tuple[float, float]]) -> float | None:
    if len(scores) < 3 or any(len(set(values)) == 1 for values in zip(*scores, strict=True)):
        return None
    from scipy import stats

    return float(getattr(stats, name)(*zip(*scores, strict=True)).statistic)


def _word(said: Said, other: Said) -> str:
    if said.score is not None and other.score is not None:
        return f"{said.score:.3g}"
    return "+".join(sorted(said.labels)) or "none"
