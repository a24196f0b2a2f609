"""Chooses judged episodes that people label too, and the sheet that they fill: PokeGym samples 20 failures of each
model, in proportion to the judge's labels."""

import csv
from collections.abc import Collection, Mapping
from io import StringIO

from gwray.analysis import match_keys
from gwray.errors import UsageError
from gwray.records import digest

Labels = Mapping[str, Collection[str]]
"""Labels by episode key."""


def sample_episodes(labels: Labels, groups: Mapping[str, str], count: int) -> list[str]:
    """Returns keys of episodes: up to `count` of each group, in proportion to the group's labels.

    Which episodes of a label are chosen follows from their keys alone, so a larger sample contains a smaller one unless
    the proportions round otherwise.

    Args:
        labels: labels that a judge gave; an episode with several labels counts for its first one in the alphabet.
        groups: group of each episode, such as its model; others are left out.
        count: number of episodes of each group.

    Raises:
        UsageError: `count` is below 1.
    """
    if count < 1:
        raise UsageError(f"--sample '{count}' must be 1 or more: the number of episodes of each model")
    chosen: list[str] = []
    for group in dict.fromkeys(groups.values()):
        by_label: dict[str, list[str]] = {}
        for key in sorted((k for k in labels if groups.get(k) == group), key=digest):
            by_label.setdefault(min(labels[key], default=""), []).append(key)
        total = sum(map(len, by_label.values()))
        exact = {label: min(count, total) * len(keys) / total for label, keys in by_label.items()}
        seats = {label: int(share) for label, share in exact.items()}
        rest = sorted(exact, key=lambda label: (seats[label] - exact[label], label))
        for label in rest[: min(count, total) - sum(seats.values())]:
            seats[label] += 1
        chosen += [key for label in sorted(by_label) for key in by_label[label][: seats[label]]]
    return sorted(chosen, key=digest)


def with_rows(text: str, column: str, keys: Collection[str], facts: Mapping[str, Mapping[str, str]]) -> str:
    """Returns an `annotations.csv` with an empty row for each of these episodes that has none.

    Args:
        text: the file until now; empty if there is none.
        column: the column to fill, named after a judge.
        keys: episodes to label.
        facts: further columns of a new row by episode, such as its task; never the judge's labels.
    """
    rows = list(csv.DictReader(StringIO(text, newline=""), restval=""))
    known = {full for row in rows for full in match_keys((row.get("key") or "").strip(), keys)}
    rows += [{"key": key, column: "", **facts.get(key, {})} for key in keys if key not in known]
    columns = list(dict.fromkeys(["key", column, *(name for r in rows for name in r if name)]))
    out = StringIO(newline="")
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
