"""Finds JSON objects in text of models: in code fences, with comments, single quotes or missing braces.

Repairs are limited to unambiguous ones: closing what is open after a complete value, dropping a trailing comma, reading
Python's spelling of the same object. Text that is cut off inside a value is not an object.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any

MAX_STARTS = 40
"""Opening braces of one text at which objects that are not valid JSON are read: the first one and the last ones,
because a reply ends with its calls. Valid objects are read everywhere, up to as many braces that begin none."""
MAX_OBJECT = 8_000
"""Characters of one object."""

_DECODER = json.JSONDecoder(strict=False)
_CLOSERS = {"{": "}", "[": "]"}
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|#[^\n]*|/\*.*?\*/', re.DOTALL)
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)")
_CURLY_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


def objects(text: str, *, close: bool = True) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Yields every outermost JSON object in a text, with its start and end. `close`: add missing braces at the end."""
    at, failed, too_deep = 0, 0, False
    starts = [m.start() for m in re.finditer("{", text)]
    for n, start in enumerate(starts):
        if start < at:
            continue
        last = n >= len(starts) - MAX_STARTS
        if failed >= MAX_STARTS and not last:
            continue  # each failure may have read the whole text
        try:
            value, end = _DECODER.raw_decode(text, start) if not too_deep else (None, 0)
        except (ValueError, RecursionError) as e:
            value, end, failed, too_deep = None, 0, failed + 1, isinstance(e, RecursionError)
        if value is None and (n == 0 or last):
            value, length = read_object(text[start : start + MAX_OBJECT], close)
            end = start + length
        if isinstance(value, dict):
            at = end
            yield value, start, at


def json_objects(text: str) -> list[dict[str, Any]]:
    """Returns the JSON objects of a text, in order."""
    return [value for value, _, _ in objects(text)]


def has_several(given: Any) -> bool:
    """Whether arguments are text with several different objects, so that none of them is meant for certain."""
    found = json_objects(given) if isinstance(given, str) else ()
    return len({repr(o) for o in found if o}) > 1


def decode(text: str) -> Any:
    """Returns the JSON value of a text, or its first object; None if there is neither."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return next((value for value, _, _ in objects(text)), None)


def as_arguments(value: Any) -> dict[str, Any] | None:
    """Returns arguments as a mapping, from a mapping or from JSON text; None if they are neither."""
    if value is None or (isinstance(value, str) and value.strip() in ("", "null")):
        return {}
    if isinstance(value, str):
        value = decode(value)
    return {str(k): v for k, v in value.items()} if isinstance(value, Mapping) else None


def read_object(text: str, close: bool) -> tuple[Any, int]:
    """Returns the value of the object that begins a text, and its length in characters; (None, 0) if it cannot be read.
    `close`: add braces that are missing at the end."""
    try:
        return _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        value, length = _loose_object(text, close)
        return deepcopy(value), length


@lru_cache(maxsize=128)  # a reply is read twice, and once more for the memory
def _loose_object(text: str, close: bool) -> tuple[Any, int]:
    """Reads an object that is not valid JSON, otherwise like `read_object`. The value is cached: copy it
    before changing it."""
    # Replaced by blanks of the same length, so that positions do not change.
    text = _COMMENT.sub(lambda m: m[1] or " " * len(m[0]), text)
    body, missing = _balanced(text)
    if body is None or (missing and not close):
        return None, 0
    for candidate in _spellings(body + missing):
        try:
            return json.loads(candidate, strict=False), len(body)
        except (ValueError, RecursionError):
            pass
        try:
            with warnings.catch_warnings():  # invalid escapes in the model's text
                warnings.simplefilter("ignore")
                return ast.literal_eval(candidate), len(body)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
    return None, 0


def _spellings(text: str) -> Iterator[str]:
    """Yields an object as it is, then with more and more fixes: trailing commas, curly quotes, keys without quotes."""
    yield text
    plain = _TRAILING_COMMA.sub(r"\1", text)
    yield plain
    plain = plain.translate(_CURLY_QUOTES)
    yield plain
    yield _BARE_KEY.sub(r'\1"\2"\3', plain)


def _balanced(text: str) -> tuple[str | None, str]:
    """Returns the text up to where its first brace closes, and the missing closers; None if it ends inside a value."""
    open_: list[str] = []
    quote = ""
    skip = False
    before = "{"
    for i, char in enumerate(text):
        if skip:
            skip = False
        elif quote:
            skip = char == "\\"
            quote = "" if char == quote else quote
        elif char == '"' or (char == "'" and before in "{[,:("):  # not an apostrophe inside a word
            quote = char
        elif char in _CLOSERS:
            open_.append(_CLOSERS[char])
        elif char in "}]":
            if not open_ or open_.pop() != char:
                return None, ""
            if not open_:
                return text[: i + 1], ""
        before = before if char.isspace() else char
    body = text.rstrip().rstrip("`").rstrip()
    if quote or not body or body[-1] in ":,{" or body[-1].isalnum() or len(text) == MAX_OBJECT:
        # A number or bare word at the end may be incomplete.
        return None, ""
    return body, "".join(reversed(open_))
