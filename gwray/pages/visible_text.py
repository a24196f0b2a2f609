"""Untrusted text, made safe to show: bounded, and with control, bidi and lone surrogate characters spelled out. HTML is
escaped by the templates and by `textContent`, not here."""

import re
import sys

LONG = 20_000
"""Characters shown of a reply or a prompt."""
SHORT = 300
"""Characters shown of a name, a label or an error message."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Returns the text with invisible characters spelled out; tabs and line ends stay."""
    return _UNSEEN.sub(lambda m: f"⟦U+{ord(m.group()):04X}⟧", text)


SILENT_S, PLAIN_EVERY_S = 2.0, 30.0
"""Seconds of work without a word, and between two lines about it where the output is no terminal."""


def warn(message: str) -> None:
    """Prints a warning on standard error, for code below the commands, which have no console."""
    print(f"warning: {visible(message)}", file=sys.stderr)


def safe_text(value: object, limit: int = LONG) -> str:
    """Returns visible text of at most `limit` characters; a cut is marked."""
    text = value if isinstance(value, str) else str(value)
    out = visible(text[:limit])
    return out if len(text) <= limit else f"{out}… ⟦cut: {len(text):,} characters in all⟧"


def counted(n: int, noun: str) -> str:
    """Returns a count with its noun: `1 episode`, `2 episodes`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def csv_text(value: object) -> str:
    """Returns a CSV field that no spreadsheet runs as a formula."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return str(value)
    text = safe_text(value, SHORT)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
