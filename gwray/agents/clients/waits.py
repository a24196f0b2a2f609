"""Reads how long a provider asks to wait: a header, or Gemini's field."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_S = 40 * 86_400.0
"""A longer wait, and one of 0 s or less, is ignored: it is a mistake of the server."""


def seconds(text: str) -> float | None:
    """Returns the seconds of a number, with or without `s` behind it, or of an HTTP date; None for other text."""
    text = text.strip()[:100]
    try:
        return float(text.removesuffix("s"))
    except ValueError:
        pass
    try:
        return (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):  # not a date, or a date without a time zone
        return None


def wait_from(headers: Mapping[str, str], delay: str = "") -> float | None:
    """Returns the seconds until requests are accepted again; None if the response does not state them.

    Args:
        headers: of the response. `retry-after-ms` is the same wait as `retry-after`, not rounded.
        delay: Gemini's `retryDelay`.
    """
    named = {name.lower(): value for name, value in headers.items()}
    exact = seconds(named.get("retry-after-ms", ""))
    stated = [exact / 1000 if exact else None, seconds(named.get("retry-after", "")), seconds(delay)]
    return next((s for s in stated if s is not None and 0 < s <= LONGEST_S), None)
