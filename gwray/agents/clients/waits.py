"""Reads how long a provider asks to wait: headers, fields of the body, or a sentence of its message."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

LONGEST_S = 40 * 86_400.0
"""A longer wait, and one of 0 s or less, is not believed: it is a mistake of the server."""
_MAX_FIELDS = 300
_RETRY = re.compile(r"retry[-_ ]?(?:after|delay|in)|wait[-_ ]?(?:s$|ms$|seconds|time)", re.IGNORECASE)
_UNITS = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_UNIT = r"(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])"
_PART = re.compile(rf"(\d{{1,12}}(?:\.\d{{1,12}})?)\s?({_UNIT})", re.IGNORECASE)
_DURATION = rf"\d{{1,12}}(?:\.\d{{1,12}})?\s?{_UNIT}(?:(?:,|\s|and){{0,6}}\d{{1,12}}(?:\.\d{{1,12}})?\s?{_UNIT}){{0,5}}"
_STAMP = (
    r"\d{4}-\d\d-\d\d(?:T|\s(?:at\s)?)\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?(?![\d:])"
)
_SENTENCE = re.compile(
    rf"(?:again|retry|reset|wait|regain|until|back ?off|available)[^\d]{{0,60}}?({_STAMP}|{_DURATION})", re.IGNORECASE
)


def seconds(value: Any, name: str = "", now: float | None = None) -> float | None:
    """Returns the seconds that a value stands for: a number of seconds (or milliseconds, by its name), a time since
    1970, a duration such as `7m12s`, or a date. None for anything else."""
    now = time.time() if now is None else now
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return _from_text(str(value).strip()[:100], now)
    if found != found:
        return None
    if re.search(r"ms$|milli", name, re.IGNORECASE) and found < 1e11:
        found /= 1000
    elif 1e12 <= found < 1e13:
        found = found / 1000 - now
    elif 1e9 <= found < 1e10:
        found -= now
    return max(found, 0.0)


def _from_text(text: str, now: float) -> float | None:
    """Returns the seconds of a duration, or until a date; None for other text. `now`: seconds since 1970."""
    if re.fullmatch(_DURATION, text, re.IGNORECASE):
        return sum(float(n) * _UNITS[_unit(u)] for n, u in _PART.findall(text))
    try:
        at = parsedate_to_datetime(text)
        return max((at - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):  # not a date, or a date without a time zone
        pass
    if not re.fullmatch(_STAMP, text, re.IGNORECASE):
        return None
    plain = re.sub(r"\s*(?:UTC|GMT|Z)$", "+00:00", re.sub(r"\s(?:at\s)?", "T", text, count=1), flags=re.IGNORECASE)
    try:
        at = datetime.fromisoformat(plain)
    except ValueError:
        return None
    return max((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - now, 0.0)


def _unit(text: str) -> str:
    text = text.lower()
    return text if text in _UNITS else "milli" if text.startswith("milli") else text[0]


def wait_from(fields: Iterable[tuple[str, Any]], message: str) -> float | None:
    """Returns the seconds until requests are accepted again; None if nothing says so.

    A stated wait counts first (`retry-after`, "try again in 7m12s"), the longer one if there are two; then the resets
    (`x-ratelimit-reset*`) of limits that are used up, or the earliest if none says how much is left.
    """
    named = {str(name).lower(): value for name, value in fields}
    stated = [s for n, v in named.items() if _RETRY.search(n) and (s := seconds(v, n)) is not None]
    if "retry-after-ms" in named and (exact := seconds(named["retry-after-ms"], "ms")) is not None:
        stated = [exact]  # the same wait, but not rounded
    stated += [s for m in _SENTENCE.finditer(message) if (s := seconds(m[1])) is not None]
    if stated := [s for s in stated if 0 < s <= LONGEST_S]:
        return max(stated)
    used_up, unknown = [], []
    for name, value in named.items():
        if name == "ratelimit" and (m := re.search(r"(?:reset|\bt)=(\d{1,12})", str(value))):
            used_up.append(float(m[1]))
        elif "reset" in name and (wait := seconds(value, name)) is not None:
            left = named.get(name.replace("reset", "remaining"))
            if left is None:
                unknown.append(wait)
            elif seconds(left) == 0:
                used_up.append(wait)
    used_up, unknown = ([s for s in waits if 0 < s <= LONGEST_S] for waits in (used_up, unknown))
    return max(used_up) if used_up else min(unknown, default=None)


def fields_of(value: Any, depth: int = 6) -> list[tuple[str, Any]]:
    """Returns the named values within a body, of all levels."""
    found: list[tuple[str, Any]] = []
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        if len(found) >= _MAX_FIELDS:
            break
        if isinstance(inner, Mapping | list):
            found += fields_of(inner, depth - 1) if depth else []
        else:
            found.append((str(name), inner))
    return found
