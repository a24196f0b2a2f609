"""Text from strangers, made safe to show: bounded, visible, and harmless wherever it is put.

Replies, task names and error messages may hold anything. They are shown as text; what would be invisible or would turn
the line around is spelled out. Escaping for HTML is done by the templates and by `textContent`, not here.
"""

from __future__ import annotations

import json
from typing import Any

from gwray.visible_text import visible

LONG = 20_000
"""Characters of a reply or a prompt that are shown."""
SHORT = 300
"""Characters of a name, a label or an error message."""

_HOT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def safe_text(value: object, limit: int = LONG) -> str:
    """Text cut to `limit` characters, saying so; control, bidi and lone surrogate characters spelled out."""
    text = value if isinstance(value, str) else str(value)
    out = visible(text[:limit])
    return out if len(text) <= limit else f"{out}… ⟦cut: {len(text):,} characters in all⟧"


def script_json(value: Any) -> str:
    """JSON that may stand in a script: ASCII only, and no character that could end the script or the string."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False, default=str)
    for char in "<>&":
        text = text.replace(char, _HOT[char])
    return text


def script_file(name: str, value: Any) -> str:
    """A script that hands `value` to the page under `name`. Works from a file, where `fetch` does not."""
    return f"gwray.put({script_json(name)},{script_json(value)});\n"


def csv_text(value: object) -> str:
    """A CSV field that no spreadsheet runs as a formula."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return str(value)
    text = safe_text(value, SHORT)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
