"""Reads the labels that people write into the `annotations.csv` of a run directory. The column `key` has the key of an
episode or a unique beginning of it. The other columns are optional: `cause`, `code`, and one named after a judge."""

import csv
from collections.abc import Collection, Iterable
from io import StringIO

from gwray.analysis.labels import PEOPLE, VOCABULARIES, LabelSet, label_set
from gwray.errors import UsageError, choose

NO_LABEL = "none"
"""What people write if no label fits an episode."""


def match_keys(prefix: str, keys: Collection[str]) -> list[str]:
    """Returns the episode keys that a value of the column `key` can mean."""
    return [prefix] if prefix in keys else [k for k in keys if prefix and k.startswith(prefix)]


def match_label(word: str, vocabulary: Iterable[str]) -> str | None:
    """Returns the label that a word means: a name in any case, with spaces or hyphens, or a number from 1."""
    names = [*vocabulary]
    numbered = {str(n): name for n, name in enumerate(names, 1)}
    meant = (word, numbered.get(word), word.casefold().replace(" ", "_").replace("-", "_"))
    return next((name for name in meant if name in names), None)


def read_labels(
    text: str, column: str, vocabulary: Collection[str], keys: Collection[str], where: str = "annotations.csv"
) -> dict[str, frozenset[str]]:
    """Returns the labels in one column, by episode key; empty if the file lacks the column.

    Labels of one episode are in rows of their own or separated by `;`. `none` says that no label fits. Rows that are
    empty in this column are skipped.

    Args:
        text: The file's content.
        vocabulary: Allowed labels; empty: any word.
        keys: Keys of the episodes that may be named.
        where: The file's name in messages.

    Raises:
        UsageError: For a missing column `key`, an unknown or ambiguous episode, and an unknown label, with the line.
    """
    if not text.strip():
        return {}
    rows, keys = csv.DictReader(StringIO(text)), {*keys}
    if "key" not in (rows.fieldnames or ()):
        raise UsageError(f"{where} has no column 'key'; `gwray results RUN --format csv` lists the keys of episodes")
    found: dict[str, set[str]] = {}
    for row in rows:
        words = [word.strip() for word in (row.get(column) or "").split(";") if word.strip()]
        if not words:
            continue
        key = (row["key"] or "").strip()
        if len(matching := match_keys(key, keys)) != 1:
            raise UsageError(
                f"{where} line {rows.line_num}: key '{key}' matches {len(matching)} episodes; it must match one. "
                "`gwray results RUN --format csv` lists the keys."
            )
        given = found.setdefault(matching[0], set())
        for word in (w for w in words if w.casefold() != NO_LABEL):
            label = match_label(word, vocabulary) if vocabulary else word
            if label is None:
                raise choose(column, word, [*vocabulary, NO_LABEL], f"{where} line {rows.line_num}.")
            given.add(label)
    return {key: frozenset(labels) for key, labels in found.items()}


def read_annotations(text: str, keys: Collection[str], where: str = "annotations.csv") -> list[LabelSet]:
    """Returns the causes and codes that people gave. Arguments and errors as in `read_labels`."""
    return [
        label_set(source, PEOPLE, read_labels(text, source, VOCABULARIES[source], keys, where))
        for source in ("cause", "code")
    ]
