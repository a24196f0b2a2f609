"""Notes of people on episodes, in the `annotations.csv` of a run: causes of failure, tags and a text. The report and
judges read their columns of the same file (`gwray.analysis.annotations`). Reading skips values that are not understood.
Writing keeps all other columns, and refuses a file that it could not reproduce."""

import csv
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from gwray.analysis import CAUSES, match_keys, match_label
from gwray.errors import UsageError
from gwray.pages import safe_text

COLUMNS = ("key", "cause", "tags", "note")
MAX_TAG, MAX_TAGS, MAX_TEXT = 60, 20, 4_000
"""Characters of a tag, tags of an episode, characters of a text."""


@dataclass(frozen=True)
class Note:
    """What people wrote about one episode."""

    causes: tuple[str, ...] = ()
    """Among `CAUSES`."""
    tags: tuple[str, ...] = ()
    text: str = ""

    @classmethod
    def from_request(cls, sent: Any) -> "Note":
        """Returns the note that a page sent. Raises `UsageError` for another shape, and for a note that is too long."""
        if not isinstance(sent, Mapping) or not set(sent) <= {"causes", "tags", "text"}:
            raise UsageError("a note is an object with `causes`, `tags` and `text`")
        causes, tags, text = sent.get("causes", []), sent.get("tags", []), sent.get("text", "")
        if not (isinstance(text, str) and all(_words(x) for x in (causes, tags))):
            raise UsageError("`causes` and `tags` of a note are lists of strings, `text` is a string")
        if unknown := [c for c in causes if c not in CAUSES]:
            raise UsageError(f"cause '{safe_text(unknown[0], 60)}' does not exist. Allowed: {', '.join(CAUSES)}.")
        tags = tuple(dict.fromkeys(t.strip() for t in tags if t.strip()))
        if len(tags) > MAX_TAGS or any(len(t) > MAX_TAG or ";" in t or "\n" in t for t in tags) or len(text) > MAX_TEXT:
            raise UsageError(
                f"a note has at most {MAX_TAGS} tags of {MAX_TAG} characters without ';', and {MAX_TEXT:,} characters "
                "of text"
            )
        return cls(tuple(c for c in CAUSES if c in causes), tags, text.strip().replace("\r\n", "\n"))

    def facts(self) -> dict[str, Any]:
        """Returns the note as safe text for a page."""
        tags = [safe_text(t, MAX_TAG) for t in self.tags]
        return {"causes": self.causes, "tags": tags, "text": safe_text(self.text, MAX_TEXT)}


def read_notes(text: str, keys: Collection[str]) -> dict[str, Note]:
    """Returns the notes of people on episodes, by episode key.

    Args:
        text: The content of a run's `annotations.csv`: a header and one row per cause of an episode, with the columns
            `key`, `cause`, `tags` (separated by `;`) and `note`. Rows of one episode are joined; other columns are
            ignored.
        keys: The run's episode keys. A row names its episode by the key or a unique beginning of it; other rows, and
            causes outside `CAUSES`, are skipped.
    """
    out: dict[str, Note] = {}
    known = set(keys)
    for row in csv.DictReader(StringIO(text, newline=""), restval=""):
        if (key := _key(row, known)) is None:
            continue
        was, tags = out.get(key, Note()), _field(row, "tags").split(";")
        out[key] = Note(
            tuple(c for c in CAUSES if c in (*was.causes, *_causes(row))),
            tuple(dict.fromkeys([*was.tags, *(t.strip() for t in tags if t.strip())])),
            "\n".join(t for t in (was.text, _field(row, "note")) if t),
        )
    return {key: note for key, note in out.items() if note != Note()}


def with_note(text: str, key: str, note: Note, keys: Collection[str]) -> str:
    """Returns the file with this note on an episode: one row for each cause, with tags and text in the first row."""
    if "\ufffd" in text:
        raise UsageError("annotations.csv is not UTF-8. Save it as UTF-8 before you write notes here.")
    reader = csv.DictReader(StringIO(text, newline=""), restval="", restkey="")
    columns = [*(reader.fieldnames or ())]
    rows = list(reader)
    if any("" in row for row in rows) or len(set(columns)) < len(columns) or "" in columns:
        raise UsageError(
            "annotations.csv has a row longer than its header, or a duplicate column in it. Fix the file first."
        )
    columns += [c for c in COLUMNS if c not in columns]
    known = set(keys)
    mine = [row for row in rows if _key(row, known) == key]
    for row in mine:
        row |= {"tags": "", "note": ""} | ({"cause": ""} if _causes(row) else {})
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


def _causes(row: Mapping[str, Any]) -> list[str]:
    """Returns the causes that a row names."""
    found = (match_label(word.strip(), CAUSES) for word in _field(row, "cause").split(";"))
    return [cause for cause in found if cause]


def _key(row: Mapping[str, Any], keys: Collection[str]) -> str | None:
    """Returns the episode of a row; None if it names none or several."""
    found = match_keys(_field(row, "key"), keys)
    return found[0] if len(found) == 1 else None
