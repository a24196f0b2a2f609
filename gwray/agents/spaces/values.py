"""Parses points and strings in the many forms in which models write them. Each function returns None for values that
are not clearly what it looks for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gwray.catalog import NUMBER_PATTERN, parse_number

_NUMBERS = re.compile(NUMBER_PATTERN)
_TAG = re.compile(r"</?\|?[\w/]{1,20}\|?>")
_PLACEHOLDER = re.compile(r"[A-Za-z]_?\d")
_PUNCTUATION = frozenset("[](){},;:'\"xyXY= \t\n")


def point(value: Any, depth: int = 0) -> tuple[float, float] | None:
    """Returns a point from [x, y], {"x": …, "y": …}, `(x, y)`, `<point>x y</point>`, or the centre of a box."""
    if isinstance(value, Mapping):
        x, y = parse_number(value.get("x")), parse_number(value.get("y"))
        return None if x is None or y is None else (x, y)
    if isinstance(value, str):
        bare = _TAG.sub(" ", value) if len(value) <= 200 else "?"
        if not _PUNCTUATION.issuperset(_NUMBERS.sub("", bare)):
            return None
        value = _NUMBERS.findall(bare)
    if not isinstance(value, Sequence) or isinstance(value, bytes | bytearray):
        return None
    if depth < 2 and len(value) == 1 and isinstance(value[0], list | tuple | Mapping):
        return point(value[0], depth + 1)
    if depth < 2 and len(value) == 2 and all(isinstance(v, list | tuple) for v in value):
        corners = [point(v, depth + 1) for v in value]
        if corners[0] is None or corners[1] is None:
            return None
        return _middle(*corners[0], *corners[1])
    numbers = [parse_number(v) for v in value]
    if len(numbers) not in (2, 4) or any(n is None for n in numbers):
        return None
    found = [n for n in numbers if n is not None]
    return (found[0], found[1]) if len(found) == 2 else _middle(*found)


def is_placeholder(value: Any) -> bool:
    """Whether a value is a point in text with the name of a number in it, such as `x1`, in place of the number."""
    return isinstance(value, str) and point(value) is not None and bool(_PLACEHOLDER.search(_TAG.sub(" ", value)))


def _middle(x1: float, y1: float, x2: float, y2: float) -> tuple[float, float]:
    return (x1 + x2) / 2, (y1 + y2) / 2


def texts(value: Any, depth: int = 0) -> list[str] | None:
    """Returns a list of strings from a list or from one string."""
    if isinstance(value, str):
        inner = value.strip()
        if len(inner) > 2 and inner[0] == "[" and inner[-1] == "]":
            return [w.strip().strip("'\"") for w in inner[1:-1].split(",") if w.strip()]
        return [value]
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 9:
        return [str(value)]
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        words = [w for v in value if depth < 2 and (w := texts(v, depth + 1)) is not None]
        return [w for inner in words for w in inner] if len(words) == len(value) else None
    return None
