"""The result of verifying an episode, and the comparison of two recordings of it. All fields of records and rows are
compared, so a new field needs no change here. Fields that may differ are listed with the reason."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gwray.records import CIRCUMSTANCES, EpisodeRecord, StepRecord

OF_PICTURES = ("screenshot", "screenshot_hash", "pictures_hash")
"""Screenshot columns of a row: another browser draws other pixels."""
OF_BROWSER = (
    "browser", "frame_chain", "row_chain", "shown_hash", "caveats", "reproducible", "blocked_requests", "page_errors",
    "health",
)  # fmt: skip
"""Fields of a record that may differ in another browser."""
LAST = ("replies_hash", "state_hash", "pictures_hash", "words_hash")
"""Hash columns: reported only if no other column differs."""
STEP_FIELDS = (
    *(name for name in StepRecord.model_fields if name not in ("step", *OF_PICTURES, *LAST)),
    *(name for name in LAST if name not in OF_PICTURES),
)
"""Columns compared for every step, except screenshots; `step` is the position."""
RECORD_FIELDS = tuple(name for name in EpisodeRecord.model_fields if name not in (*CIRCUMSTANCES, *OF_BROWSER))
"""Fields compared for every record, in any browser."""


@dataclass(frozen=True)
class Verification:
    """Result of verifying one episode, or one judgement of it."""

    key: str
    """Key of the episode; `judgements/JUDGE/KEY` of a judgement; a file of the run."""
    task: str
    cell: str
    verdict: str
    """identical: the replay equals the recording. intact: stored files match their hashes (nothing was replayed).
    different, missing, error: the verification failed. skipped: it cannot be verified, and does not claim otherwise."""
    step: int | None = None
    """The first step that differs."""
    detail: str = ""
    pictures: bool = False
    """Whether screenshots were compared."""
    browser: str = ""
    """Browser of the replay; empty: there was no complete replay."""

    @property
    def of_judgement(self) -> bool:
        return self.key.startswith("judgements/")

    @property
    def holds(self) -> bool:
        """Whether the verification did not fail."""
        return self.verdict in ("identical", "intact", "skipped")

    @property
    def proven(self) -> bool:
        """Whether the episode was verified, not just skipped."""
        return self.verdict in ("identical", "intact")


def first_difference(
    recorded: Sequence[StepRecord], replayed: Sequence[StepRecord], pictures: bool, *, same_length: bool = True
) -> tuple[int, str] | None:
    """Returns the first step that differs and how, or None. `same_length`: a different number of steps counts too."""
    fields = (*STEP_FIELDS, *(OF_PICTURES if pictures else ()))
    for old, new in zip(recorded, replayed, strict=False):
        if old.step != new.step:
            return old.step, f"step: recorded {old.step}, replayed {new.step}"
        for name in fields:
            a, b = getattr(old, name), getattr(new, name)
            if a != b:
                return old.step, difference(name, a, b)
    if same_length and len(recorded) != len(replayed):
        longer = recorded if len(recorded) > len(replayed) else replayed
        at = longer[min(len(recorded), len(replayed))].step
        return at, f"recorded {len(recorded)} rows, replayed {len(replayed)}"
    return None


def differing_field(
    recorded: EpisodeRecord, other: EpisodeRecord, *, fields: Iterable[str], skipped_metrics: Collection[str] = (),
    says: str = "replayed",
) -> str:  # fmt: skip
    """Returns the first field that differs and how; empty if none does. `skipped_metrics`: metrics that `other`
    lacks; `says`: what `other` is, in the message."""
    for name in fields:
        old, new = getattr(recorded, name), getattr(other, name)
        if name == "metrics":
            old, new = _without(old, skipped_metrics), _without(new, skipped_metrics)
        if old != new:
            return difference(name, old, new, says=says)
    return ""


def _without(metrics: Mapping[str, float], names: Collection[str]) -> dict[str, float]:
    short = {name.rpartition(".")[2] for name in names}
    return {name: value for name, value in metrics.items() if name.partition(".")[0] not in short}


def difference(name: str, old: Any, new: Any, *, says: str = "replayed") -> str:
    """Returns a short message about two values that differ: of long texts the part around the first difference, of JSON
    the first path that differs."""
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
    """Returns the path to the first value that differs, and both values."""
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
    """Returns the parts of two texts around the first difference."""
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
