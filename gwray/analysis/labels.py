"""Labels that say why episodes failed, in one shape for all sources, and how far two sources agree.

A label set is one group of a long table with the columns key, source, by, label and step:

| source  | by                  | labels                                             |
|---------|---------------------|----------------------------------------------------|
| `facts` | rules               | `FACTS`: what the recorded steps show              |
| `cause` | rules, people       | `CAUSES`: the four failure causes of the GameWorld paper |
| `code`  | people              | `CODES`: the four failure codes of FlashAdventure  |
| a judge | its model or people | the labels of the judge's profile                  |

People write labels into an `annotations.csv` (`gwray.analysis.annotations`). An episode may have several labels.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gwray.analysis.failure_facts import FACTS
from gwray.analysis.intervals import Interval, clopper_pearson

CAUSES: dict[str, str] = {
    "perception": "took the screen for something else than it shows; no rule can tell, only who looks",
    "fine_grained_action": "knew what to do and did it badly: 90 % of the way or more, or died after progress was made",
    "instruction_following": "did not keep to what was asked: many invalid actions, or none at all",
    "long_horizon_memory": "lost track: stuck, in a loop, or between the same few actions, without progress",
}
"""Failure cause → what decides it, in the order of the GameWorld paper."""
CAUSE_OF_FACT: dict[str, str] = {
    "never_acted": "instruction_following",
    "invalid_actions": "instruction_following",
    "stuck": "long_horizon_memory",
    "action_loop": "long_horizon_memory",
    "oscillation": "long_horizon_memory",
    "progressed_then_died": "fine_grained_action",
    "close_miss": "fine_grained_action",
}
"""Label in `FACTS` → cause."""
CODES: dict[str, str] = {
    "planning": "weak planning: it does the same again, or gives up a goal half-way",
    "perception": "poor perception: it does not see, or takes for something else, what is on the screen",
    "lateral_thinking": "no lateral thinking: it does not come to use a thing in another way than the usual one",
    "resource_management": "poor management of what is scarce: days, money, goodwill",
}
"""Failure code of an adventure → definition."""
VOCABULARIES: dict[str, Mapping[str, str]] = {"facts": FACTS, "cause": CAUSES, "code": CODES}
"""Source → label → definition. Judges define their own."""
PEOPLE = "people"
RULES = "rules"


@dataclass(frozen=True)
class LabelSet:
    """Labels that one source gave to episodes."""

    source: str
    """A key of `VOCABULARIES`, or the name of a judge."""
    by: str
    """`RULES`, `PEOPLE`, or the name of the model that judged."""
    labels: Mapping[str, Mapping[str, int | None]]
    """Episode key → label → first step that shows it; None: no single step. An episode without an entry was not
    labelled; an empty entry means that no label fits."""
    vocabulary: Mapping[str, str]
    """Label → definition, in the order of the tables' columns."""

    def count(self, keys: Iterable[str]) -> dict[str, int]:
        """Returns the number of labelled episodes with each label, with "" for those without a label."""
        found = [self.labels[k] for k in keys if k in self.labels]
        return {x: sum(x in given for given in found) for x in self.vocabulary} | {"": found.count({})}

    def verdicts(self) -> "dict[str, Verdict]":
        """Returns the labels as verdicts to compare."""
        return {key: Verdict(frozenset(given)) for key, given in self.labels.items()}


def label_set(source: str, by: str, labels: Mapping[str, Iterable[str]], vocabulary: Iterable[str] = ()) -> LabelSet:
    """Returns a label set without steps; the labels of a `source` in `VOCABULARIES` are known."""
    known = VOCABULARIES.get(source) or dict.fromkeys(vocabulary, "")
    return LabelSet(source, by, {key: dict.fromkeys(given) for key, given in labels.items()}, known)


def find_labels(sets: Iterable[LabelSet], source: str, by: str) -> LabelSet:
    """Returns the labels from one source, merged over runs; empty if there are none."""
    found = [s for s in sets if (s.source, s.by) == (source, by)]
    vocabulary = {x: text for s in found for x, text in s.vocabulary.items()} or VOCABULARIES.get(source, {})
    labels: dict[str, dict[str, int | None]] = {}
    for given in (s.labels for s in found):
        for key, steps in given.items():
            labels.setdefault(key, {}).update(steps)
    return LabelSet(source, by, labels, vocabulary)


def causes_by_rule(facts: LabelSet) -> LabelSet:
    """Returns the causes that recorded facts decide. Episodes without facts are undecided and have no entry."""
    found = {
        key: {cause: None for cause in CAUSES if cause in {CAUSE_OF_FACT[fact] for fact in given}}
        for key, given in facts.labels.items() if given
    }  # fmt: skip
    return LabelSet("cause", RULES, found, CAUSES)


@dataclass(frozen=True)
class Verdict:
    """Labels and score that one source gave to one episode."""

    labels: frozenset[str]
    score: float | None = None
    tolerance: float = 0.0
    """Of a reference without labels: so far may another score be from its own and still be the same."""


@dataclass(frozen=True)
class Agreement:
    """Agreement of verdicts with a reference, over the episodes that both have. Fractions; None where undefined."""

    episodes: int
    exact: float | None
    """Share of episodes with exactly the same labels; without labels, with the same score, within its tolerance."""
    micro_f1: float | None
    """2 TP / (2 TP + FP + FN) over the labels of all episodes; None where neither gives a label."""
    jaccard: float | None
    """Mean over episodes of |both| / |either|; two empty sets count as equal (1). None where neither gives a label."""
    spearman: float | None
    """Rank correlation of scores; None for fewer than three, or where one of them does not vary."""
    pearson: float | None
    confusion: Mapping[tuple[str, str], int]
    """(reference, verdict) → episodes. Several labels of one episode are joined by `+`; where both have a score, the
    scores are compared instead."""
    by_game: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Game → episodes with exactly the same verdict, and episodes."""

    @property
    def exact_interval(self) -> Interval | None:
        """`exact` with its exact 95 % interval over episodes."""
        if self.exact is None:
            return None
        ends = clopper_pearson(round(self.exact * self.episodes), self.episodes)
        return Interval(self.exact, *ends, None, self.episodes, None, "exact")

    def fields(self) -> dict[str, Any]:
        """Returns the values for JSON."""
        confusion = [[*pair, n] for pair, n in self.confusion.items()]
        games = {game: list(counts) for game, counts in self.by_game.items()}
        return vars(self) | {"confusion": confusion, "by_game": games}


@dataclass(frozen=True)
class JudgeAgreement:
    """Agreement of one judge of a run with one reference."""

    judge: str
    kind: str
    """The judge's kind: labels, picture, milestones, score, or a custom one."""
    model: str
    reference: str
    """`annotations`, `state`, `rules`, or `rules against annotations`."""
    agreement: Agreement


def compare_verdicts(
    reference: Mapping[str, Verdict], judged: Mapping[str, Verdict], games: Mapping[str, str] | None = None
) -> Agreement:
    """Compares verdicts by episode key; episodes that only one of both has are skipped. `games`: the game of each
    episode, for the agreement by game."""
    keys = [key for key in sorted(reference) if key in judged]
    pairs = [(reference[key], judged[key]) for key in keys]
    same = [_same(a, b) for a, b in pairs]
    by_game: dict[str, tuple[int, int]] = {}
    for key, right in zip(keys, same, strict=True):
        if games and key in games:
            before = by_game.get(games[key], (0, 0))
            by_game[games[key]] = (before[0] + right, before[1] + 1)
    both = sum(len(a.labels & b.labels) for a, b in pairs)
    either = sum(len(a.labels) + len(b.labels) for a, b in pairs)
    overlaps = [len(a.labels & b.labels) / len(a.labels | b.labels) if a.labels | b.labels else 1.0 for a, b in pairs]
    scores = [(a.score, b.score) for a, b in pairs if a.score is not None and b.score is not None]
    return Agreement(
        episodes=len(pairs),
        exact=sum(same) / len(pairs) if pairs else None,
        micro_f1=2 * both / either if either else None,
        jaccard=sum(overlaps) / len(pairs) if either else None,
        spearman=_correlation("spearmanr", scores),
        pearson=_correlation("pearsonr", scores),
        confusion=Counter((_word(a, b), _word(b, a)) for a, b in pairs),
        by_game=dict(sorted(by_game.items())),
    )


def _same(reference: Verdict, judged: Verdict) -> bool:
    if reference.labels or judged.labels or reference.score is None:
        return reference.labels == judged.labels
    return judged.score is not None and abs(judged.score - reference.score) <= reference.tolerance + 1e-9


def _correlation(name: str, scores: list[tuple[float, float]]) -> float | None:
    """Returns scipy's rank correlation `name`; None for fewer than three pairs or constant scores."""
    if len(scores) < 3 or any(len(set(values)) == 1 for values in zip(*scores, strict=True)):
        return None
    from scipy import stats

    return float(getattr(stats, name)(*zip(*scores, strict=True)).statistic)


def _word(verdict: Verdict, other: Verdict) -> str:
    if verdict.score is not None and other.score is not None:
        return f"{verdict.score:.3g}"
    return "+".join(sorted(verdict.labels)) or "none"
