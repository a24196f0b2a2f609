"""Finds what the readers of a run's files accept, and gwray cannot have written: a name twice in one JSON object, of
which readers see one only; and times and durations that are none.

No score depends on these values, so neither hashes nor a replay find them. A time that is only unlikely is no finding:
the clock of a computer may be wrong, or be set back during a run.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from gwray.pipelines.findings import Verification
from gwray.store import RunDir


class _RepeatedName(Exception):
    pass


def odd_values(run: RunDir) -> list[Verification]:
    """Returns a finding for the first odd value of each file; its key is the name of the file."""
    found = []
    for name, data in run.texts():
        if name.endswith((".json", ".jsonl")) and (detail := next(_odd(name, data), "")):
            found.append(Verification(name, "", "", "different", None, detail))
    return found


def _odd(name: str, data: bytes) -> Iterator[str]:
    lines = data.splitlines() if name.endswith(".jsonl") else [data]
    for number, line in enumerate(lines, 1):
        where = f"{name}, line {number}" if name.endswith(".jsonl") else name
        try:
            value = json.loads(line, object_pairs_hook=_unique) if line.strip() else None
        except _RepeatedName as e:
            yield f"{where}: it has the name {str(e)[:80]!r} twice in one object"
        except (ValueError, RecursionError):
            continue  # cut off, or unreadable: another check names it
        else:
            if name in ("results.jsonl", "failures.jsonl") or name.startswith("replies/"):
                yield from (f"{where}: {what}" for what in _odd_times(value))


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        seen: set[str] = set()
        raise _RepeatedName(next(name for name, _ in pairs if name in seen or seen.add(name)))
    return names


def _odd_times(value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        return
    wall_s = value.get("wall_s", 0)
    if isinstance(wall_s, float | int) and not (math.isfinite(wall_s) and wall_s >= 0):
        yield f"it took {wall_s:g} s"
    for field, least in (("tries", 0), ("in_flight", 0)):
        if isinstance(n := value.get(field, least), int) and n < least:
            yield f"{field} is {n}"
    if isinstance(text := value.get("finished_at"), str) and text and not _is_time(text):
        yield f"finished_at is {text[:40]!r}, which is no time of UTC"


def _is_time(text: str) -> bool:
    """Whether a text is a time with its zone."""
    with suppress(ValueError):
        return datetime.fromisoformat(text).tzinfo is not None
    return False
