"""Why an episode missed its target, in the four causes that the paper names.

Rules decide where recorded facts do (the labels of `taxonomy`); for the rest somebody has to look, and writes it down
in an `annotations.csv`. Whoever looked is believed over the rules; where both have spoken, how often they agree is
told. An episode may have several causes, and what nothing decides stays undecided.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Literal

from gwray.analysis.taxonomy import Diagnosis
from gwray.errors import UsageError, choose

CAUSES: dict[str, str] = {
    "perception": "took the screen for something else than it shows; no rule can tell, only who looks",
    "fine_grained_action": "knew what to do and did it badly: 90 % of the way or more, or died after progress was made",
    "instruction_following": "did not keep to what was asked: many invalid actions, or none at all",
    "long_horizon_memory": "lost track: stuck, in a loop, or between the same few actions, without progress",
}
"""The paper's four failure causes with what decides them here, in its order."""

BY_RULE: dict[str, str] = {
    "never_acted": "instruction_following",
    "invalid_actions": "instruction_following",
    "stuck": "long_horizon_memory",
    "action_loop": "long_horizon_memory",
    "oscillation": "long_horizon_memory",
    "died_after_progress": "fine_grained_action",
    "close_miss": "fine_grained_action",
}
"""Label of `taxonomy` → cause."""

Annotations = Mapping[str, frozenset[str]]
"""Key of an episode → the causes that somebody saw."""


@dataclass(frozen=True)
class Cause:
    """Why one episode missed its target."""

    causes: tuple[str, ...]
    """In the order of `CAUSES`; empty: undecided."""
    source: Literal["annotation", "rules", ""]
    """Who decided."""


@dataclass(frozen=True)
class Agreement:
    """Rules against annotations, on the episodes where both have spoken."""

    cause: str
    both: int
    rules_only: int
    annotation_only: int
    neither: int
    kappa: float | None
    """Cohen's kappa (Educ. Psychol. Meas. 20 (1960) 37–46); None where chance alone would agree always."""

    @property
    def episodes(self) -> int:
        return self.both + self.rules_only + self.annotation_only + self.neither

    @property
    def agreed(self) -> int:
        return self.both + self.neither


def rule_causes(found: Diagnosis) -> frozenset[str]:
    """What recorded facts say of one episode."""
    return frozenset(BY_RULE[label] for label in found.labels if label in BY_RULE)


def causes_of(diagnoses: Mapping[str, Diagnosis], annotations: Annotations) -> dict[str, Cause]:
    """The causes of every episode that missed its target, by key."""
    out = {}
    for key, found in diagnoses.items():
        if found.success:
            continue
        said, ruled = annotations.get(key), rule_causes(found)
        causes = ruled if said is None else said
        source = "annotation" if said is not None else "rules" if ruled else ""
        out[key] = Cause(tuple(c for c in CAUSES if c in causes), source)
    return out


def agreement(diagnoses: Mapping[str, Diagnosis], annotations: Annotations) -> list[Agreement]:
    """How rules and annotations agree, cause by cause; empty where nothing was decided twice.

    Perception is left out, which no rule can find; so are episodes of which the rules say nothing.
    """
    ruled = {k: rule_causes(d) for k, d in diagnoses.items() if not d.success and rule_causes(d)}
    pairs = [(ruled[k], annotations[k]) for k in sorted(annotations) if k in ruled]
    if not pairs:
        return []
    out = []
    for cause in (c for c in CAUSES if c in BY_RULE.values()):
        cells = [(cause in rules, cause in people) for rules, people in pairs]
        n = [cells.count(x) for x in ((True, True), (True, False), (False, True), (False, False))]
        out.append(Agreement(cause, *n, kappa=_kappa(*n)))
    return out


def _kappa(both: int, first: int, second: int, neither: int) -> float | None:
    n = both + first + second + neither
    seen = (both + neither) / n
    a, b = (both + first) / n, (both + second) / n
    chance = a * b + (1 - a) * (1 - b)
    return None if chance == 1 else (seen - chance) / (1 - chance)


def read_annotations(text: str, keys: Collection[str], where: str = "annotations.csv") -> dict[str, frozenset[str]]:
    """The causes in an `annotations.csv`: columns `key` (or the beginning of one) and `cause`, one row a cause; others
    are ignored. A file about something else, with a column `code` and no `cause`, says nothing.

    Raises `UsageError` naming the line for a column that is missing, an episode that is not there and an unknown cause.
    """
    columns = csv.DictReader(StringIO(text)).fieldnames or ()
    if "code" in columns and "cause" not in columns:
        return {}
    return annotated_words(text, "cause", list(CAUSES), keys, where)


def annotated_words(
    text: str, column: str, allowed: Sequence[str], keys: Collection[str], where: str
) -> dict[str, frozenset[str]]:
    """What a column of an `annotations.csv` says of each episode: one of `allowed` a row, by name or by its number from
    1. A row that is empty there says nothing.

    Raises `UsageError` as `read_annotations`, with what is `allowed`.
    """
    rows = csv.DictReader(StringIO(text))
    if missing := [c for c in ("key", column) if c not in (rows.fieldnames or ())]:
        raise UsageError(f"{where} has no column '{missing[0]}'. Needed: key, {column} (others are ignored).")
    found: dict[str, set[str]] = {}
    numbered = {str(n): word for n, word in enumerate(allowed, 1)}
    for row in rows:
        key, word = ((row[c] or "").strip() for c in ("key", column))
        if not word:
            continue
        matching = [k for k in keys if key and k.startswith(key)]
        if len(matching) != 1:
            raise UsageError(
                f"{where} line {rows.line_num}: '{key}' names {len(matching)} episodes of these runs; "
                "`gwray results RUN --format csv` has keys"
            )
        word = numbered.get(word, word.casefold().replace(" ", "_").replace("-", "_"))
        if word not in allowed:
            raise choose(column, word, list(allowed), f"{where} line {rows.line_num}.")
        found.setdefault(matching[0], set()).add(word)
    return {k: frozenset(v) for k, v in found.items()}


def count_causes(causes: Iterable[Cause]) -> dict[str, int]:
    """Episodes with each cause, every cause present, and at last `undecided`."""
    out = dict.fromkeys([*CAUSES, "undecided"], 0)
    for c in causes:
        for cause in c.causes or ("undecided",):
            out[cause] += 1
    return out
