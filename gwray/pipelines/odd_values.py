"""Finds what the readers of a run's files accept, and gwray cannot have written: a name twice in one JSON object, of
which readers see one only; and times that are no times, or lie before the run.

No score depends on these values, so neither hashes nor a replay find them.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from gwray.pipelines.findings import Verification
from gwray.store import RunDir

CLOCKS = timedelta(days=1)
"""By how much the clocks of the computers of one run may differ."""


class _RepeatedName(Exception):
    pass


def odd_values(run: RunDir) -> list[Verification]:
    """Returns a finding for the first odd value of each file; its key is the name of the file."""
    created = _time(run.manifest().created)
    found = []
    for name, data in run.texts():
        if name.endswith((".json", ".jsonl")) and (detail := next(_odd(name, data, created), "")):
            found.append(Verification(name, "", "", "different", None, detail))
    return found


def _odd(name: str, data: bytes, created: datetime | None) -> Iterator[str]:
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
                yield from (f"{where}: {what}" for what in _odd_times(value, created))


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        seen: set[str] = set()
        raise _RepeatedName(next(name for name, _ in pairs if name in seen or seen.add(name)))
    return names


def _odd_times(value: Any, created: datetime | None) -> Iterator[str]:
    if not isinstance(value, Mapping):
        return
    wall_s = value.get("wall_s", 0)
    if isinstance(wall_s, float | int) and not (math.isfinite(wall_s) and wall_s >= 0):
        yield f"it took {wall_s:g} s"
    for field, least in (("tries", 0), ("in_flight", 0)):
        if isinstance(n := value.get(field, least), int) and n < least:
            yield f"{field} is {n}"
    for field in ("finished_at", "at"):
        text = value.get(field)
        if not isinstance(text, str) or not text:
            continue
        at = _time(text)
        if at is None and field == "finished_at":
            yield f"{field} is {text[:40]!r}, which is no time of UTC"
        elif at is not None and created is not None and at < created - CLOCKS:
            yield f"{field} is {text[:40]}, before the run was created ({created.isoformat()})"


def _time(text: str) -> datetime | None:
    """Returns a time with its zone; None for anything else."""
    with suppress(ValueError):
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at
    return None
