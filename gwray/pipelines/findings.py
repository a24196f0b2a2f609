"""What verification says of an episode, and how two accounts of one episode are compared.

What is compared is everything a record and a row have: a field that is added is compared without another line here.
What may differ is named instead, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gwray.records import CIRCUMSTANCES, EpisodeRecord, StepRecord

OF_PICTURES = ("screenshot", "screenshot_hash", "pictures_hash")
"""What a row says of pictures: another browser draws other ones."""
OF_BROWSER = (
    "browser", "frame_chain", "row_chain", "shown_hash", "caveats", "reproducible", "blocked_requests", "page_errors",
)  # fmt: skip
"""What a record says that another browser may say differently."""
LATER = ("row_chain", "shown_hash")
"""Hashes that the records of older runs do not have."""
UNSAID = (*LATER, "served_model")
"""… and what else they do not have."""
LAST = ("replies_hash", "state_hash", "pictures_hash", "words_hash")
"""Columns that say that something differs and not what: they are named if no other column differs."""
STEP_FIELDS = (
    *(name for name in StepRecord.model_fields if name not in ("step", *OF_PICTURES, *LAST)),
    *(name for name in LAST if name not in OF_PICTURES),
)
"""What every step is compared in, pictures apart; `step` is the place at which it is named."""
RECORD_FIELDS = tuple(name for name in EpisodeRecord.model_fields if name not in (*CIRCUMSTANCES, *OF_BROWSER))
"""What every record is compared in, whatever browser played."""


@dataclass(frozen=True)
class Verification:
    """What verification says of one episode."""

    key: str
    task: str
    cell: str
    verdict: str
    """identical: it was played again, and everything was the same. intact: what is stored fits its hashes (nothing was
    played). different · missing · error: it does not hold. skipped: it cannot be verified, and nobody says it could."""
    step: int | None = None
    """The first step that differs."""
    detail: str = ""
    pictures: bool = False
    """Whether screenshots were compared too."""
    browser: str = ""
    """That played it again; empty: none did, or not to its end."""

    @property
    def holds(self) -> bool:
        """Nothing speaks against it."""
        return self.verdict in ("identical", "intact", "skipped")

    @property
    def proven(self) -> bool:
        """Something speaks for it."""
        return self.verdict in ("identical", "intact")


def first_difference(
    recorded: Sequence[StepRecord], replayed: Sequence[StepRecord], pictures: bool, *, whole: bool = True
) -> tuple[int, str] | None:
    """The first step that differs and how, or None. `whole`: a different number of steps is a difference too."""
    fields = (*STEP_FIELDS, *(OF_PICTURES if pictures else ()))
    for old, new in zip(recorded, replayed, strict=False):
        if old.step != new.step:
            return old.step, f"step: recorded {old.step}, replayed {new.step}"
        for name in fields:
            a, b = getattr(old, name), getattr(new, name)
            if a != b:
                return old.step, difference(name, a, b)
    if whole and len(recorded) != len(replayed):
        longer = recorded if len(recorded) > len(replayed) else replayed
        at = longer[min(len(recorded), len(replayed))].step
        return at, f"recorded {len(recorded)} rows, replayed {len(replayed)}"
    return None


def differing_field(
    recorded: EpisodeRecord, other: EpisodeRecord, *, fields: Iterable[str], unmeasured: Collection[str] = (),
    unsaid: Collection[str] = UNSAID, says: str = "replayed",
) -> str:  # fmt: skip
    """The first field that differs and how; empty if none does. `unmeasured`: metrics that `other` does not have.
    `unsaid`: fields that `recorded` may leave empty."""
    for name in fields:
        old, new = getattr(recorded, name), getattr(other, name)
        if name == "metrics":
            old, new = _without(old, unmeasured), _without(new, unmeasured)
        if old != new and (old or name not in unsaid):
            return difference(name, old, new, says=says)
    return ""


def _without(metrics: Mapping[str, float], names: Collection[str]) -> dict[str, float]:
    short = {name.rpartition(".")[2] for name in names}
    return {name: value for name, value in metrics.items() if name.partition(".")[0] not in short}


def difference(name: str, old: Any, new: Any, *, says: str = "replayed") -> str:
    """Two values that differ, as short as they can be told apart: of long texts the words around the first difference,
    of JSON the first place in it."""
    if isinstance(old, str) and isinstance(new, str) and name in ("state", "before", "action", "tool_calls"):
        try:
            place, old, new = _first_place(json.loads(old), json.loads(new))
        except (ValueError, RecursionError):
            place = ""
        name += place
    elif isinstance(old, Mapping | tuple) and isinstance(new, Mapping | tuple):
        place, old, new = _first_place(old, new)
        name += place
    if isinstance(old, bytes) and isinstance(new, bytes):
        return f"{name}: recorded {len(old)} bytes, {says} {len(new)}, not the same ones"
    a, b = repr(old), repr(new)
    if isinstance(old, str) and isinstance(new, str):
        a, b = _around(old, new)
    return f"{name}: recorded {_short(a)}, {says} {_short(b)}"


def _first_place(old: Any, new: Any) -> tuple[str, Any, Any]:
    """The path to the first value that differs, and what it is on both sides."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(k for k in new if k not in old)]:
            if old.get(key) != new.get(key) or (key in old) != (key in new):
                place, a, b = _first_place(old.get(key), new.get(key))
                return f".{key}{place}", a, b
    if isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            if a != b:
                place, a, b = _first_place(a, b)
                return f".{i}{place}", a, b
    return "", old, new


def _around(old: str, new: str, most: int = 60) -> tuple[str, str]:
    """The words of two texts around the first difference."""
    if len(old) <= most and len(new) <= most:
        return repr(old), repr(new)
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, first - most // 3)

    def part(text: str) -> str:
        end = start + most
        return ("…" if start else "") + repr(text[start:end]) + ("…" if len(text) > end else "")

    return part(old), part(new)


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "…"
