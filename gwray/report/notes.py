"""What people say of episodes, in the `annotations.csv` of a run: causes of failure, tags and a note.

The same file that the report reads causes from, and judges their columns: whatever else stands in it is kept. Reading
passes over what it does not understand; writing refuses a file that it could not give back whole.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from gwray.analysis import CAUSES
from gwray.errors import UsageError
from gwray.visible_text import safe_text

COLUMNS = ("key", "cause", "tags", "note")
TAG, TAGS, NOTE = 60, 20, 4_000
"""Characters of a tag, tags of an episode, characters of a note."""


@dataclass(frozen=True)
class Note:
    """What was said of one episode."""

    causes: tuple[str, ...] = ()
    """Among `CAUSES`."""
    tags: tuple[str, ...] = ()
    text: str = ""

    @classmethod
    def of(cls, said: Any) -> Note:
        """As a page sends it. `UsageError` for what is no note, or too long."""
        if not isinstance(said, Mapping) or not set(said) <= {"causes", "tags", "text"}:
            raise UsageError("a note has causes, tags and a text")
        causes, tags, text = said.get("causes", []), said.get("tags", []), said.get("text", "")
        if not (isinstance(text, str) and all(_words(x) for x in (causes, tags))):
            raise UsageError("causes and tags of a note are lists of words, its text is one")
        if unknown := [c for c in causes if c not in CAUSES]:
            raise UsageError(f"cause '{safe_text(unknown[0], 60)}' does not exist. Allowed: {', '.join(CAUSES)}.")
        tags = tuple(dict.fromkeys(t.strip() for t in tags if t.strip()))
        if len(tags) > TAGS or any(len(t) > TAG or ";" in t or "\n" in t for t in tags) or len(text) > NOTE:
            raise UsageError(f"at most {TAGS} tags of {TAG} characters, without ';', and a note of {NOTE:,}")
        return cls(tuple(c for c in CAUSES if c in causes), tags, text.strip().replace("\r\n", "\n"))

    def facts(self) -> dict[str, Any]:
        """For a page: made visible."""
        return {
            "causes": self.causes,
            "tags": [safe_text(t, TAG) for t in self.tags],
            "text": safe_text(self.text, NOTE),
        }


def read_notes(text: str, keys: Collection[str]) -> dict[str, Note]:
    """By key, of the episodes of which anything is said. A row names its episode by the key or the beginning of one."""
    out: dict[str, Note] = {}
    known = set(keys)
    for row in csv.DictReader(StringIO(text, newline=""), restval=""):
        if (key := _key(row, known)) is None:
            continue
        was, tags = out.get(key, Note()), _field(row, "tags").split(";")
        cause = _cause(row)
        out[key] = Note(
            tuple(c for c in CAUSES if c in (*was.causes, cause)),
            tuple(dict.fromkeys([*was.tags, *(t.strip() for t in tags if t.strip())])),
            "\n".join(t for t in (was.text, _field(row, "note")) if t),
        )
    return {key: note for key, note in out.items() if note != Note()}


def with_note(text: str, key: str, note: Note, keys: Collection[str]) -> str:
    """The same file when this is what is said of an episode: a row a cause, tags and note on its first."""
    if "\ufffd" in text:
        raise UsageError("annotations.csv is not UTF-8; save it as UTF-8 before notes are written here")
    reader = csv.DictReader(StringIO(text, newline=""), restval="", restkey="")
    columns = [*(reader.fieldnames or ())]
    rows = list(reader)
    if any("" in row for row in rows) or len(set(columns)) < len(columns) or "" in columns:
        raise UsageError("annotations.csv has rows longer than its head, or a head that names a column twice; mend it")
    columns += [c for c in COLUMNS if c not in columns]
    known = set(keys)
    mine = [row for row in rows if _key(row, known) == key]
    for row in mine:
        row |= {"tags": "", "note": ""} | ({"cause": ""} if _cause(row) else {})
    for cause in note.causes:
        free = next((row for row in mine if not _field(row, "cause")), None)
        if free is None:
            mine.append(free := {"key": key})
            rows.append(free)
        free["cause"] = cause
    if not mine:
        mine.append({"key": key})
        rows.append(mine[0])
    mine[0] |= {"tags": "; ".join(note.tags), "note": note.text}
    empty = [row for row in mine if not any(v for c, v in row.items() if c != "key")]
    out = StringIO(newline="")
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(row for row in rows if not any(row is e for e in empty))
    return out.getvalue()


def _words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(x, str) for x in value)


def _field(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    return value.strip() if isinstance(value, str) else ""


def _cause(row: Mapping[str, Any]) -> str:
    """The cause that a row names, by its name or its number from 1; empty if it names none."""
    word = _field(row, "cause")
    numbered = dict(zip(map(str, range(1, len(CAUSES) + 1)), CAUSES, strict=True))
    word = numbered.get(word, word.casefold().replace(" ", "_").replace("-", "_"))
    return word if word in CAUSES else ""


def _key(row: Mapping[str, Any], keys: Collection[str]) -> str | None:
    """The one episode that a row is about; None if it names none or several."""
    begins = _field(row, "key")
    if begins in keys:
        return begins
    found = [k for k in keys if begins and k.startswith(begins)]
    return found[0] if len(found) == 1 else None
