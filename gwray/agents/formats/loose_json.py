"""Reads JSON objects in the text of models: the only reader of JSON that is not valid.

Strict: every outermost object in valid JSON. Loose, in addition: comments, trailing commas, single quotes and Python's
words, keys without quotes, and one missing bracket at the end. A key that is given twice with different values makes an
object unreadable either way, and so does a cut inside a value.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

MAX_STARTS = 40
"""Opening braces of one text at which objects that are not valid JSON are read: the first one and the last ones,
because a reply ends with its calls. Valid objects are read everywhere, up to as many braces that begin none."""
MAX_OBJECT = 8_000
"""Characters of one object that is not valid JSON."""

_CLOSERS = {"{": "}", "[": "]"}
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\\n])*\')|,(?=\s*[}\]])')
_BARE_KEY = re.compile(r'("(?:\\.|[^"\\])*")|(?<=[{,\s])([A-Za-z_]\w*)(?=\s*:)')


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs) and any(v != found[k] for k, v in pairs):
        raise ValueError("a key has two values")
    return found


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_unambiguous)


def objects(text: str, *, loose: bool = True, close: bool = True) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Yields every outermost JSON object in a text, with its start and end.

    Args:
        text: any text.
        loose: whether objects that are not valid JSON are read.
        close: whether a loose object may lack its last bracket; not if the text was cut off.
    """
    at, failed, too_deep = 0, 0, False
    starts = [m.start() for m in re.finditer("{", text)]
    for n, start in enumerate(starts):
        last = n >= len(starts) - MAX_STARTS
        if start < at or (failed >= MAX_STARTS and not last):
            continue  # each failure may have read the whole text
        try:
            value, end = _DECODER.raw_decode(text, start) if not too_deep else (None, 0)
        except (ValueError, RecursionError) as e:
            value, end, failed, too_deep = None, 0, failed + 1, isinstance(e, RecursionError)
        if value is None and loose and (n == 0 or last):
            value, length = _loose_object(text[start : start + MAX_OBJECT], close)
            end = start + length
        if isinstance(value, dict):
            at = end
            yield value, start, at


def json_objects(text: str) -> list[dict[str, Any]]:
    """Returns the JSON objects of a text, in order, loosely read."""
    return [value for value, _, _ in objects(text)]


def as_arguments(value: Any, *, loose: bool = False) -> dict[str, Any] | None:
    """Returns arguments as a mapping, from a mapping or from JSON text; None if they are neither.

    Args:
        value: arguments as a model or its provider wrote them.
        loose: whether text that is not valid JSON may have one object in it.
    """
    if value is None or (isinstance(value, str) and value.strip() in ("", "null")):
        return {}
    if isinstance(value, str):
        try:
            value = _DECODER.decode(value)
        except (ValueError, RecursionError):
            found = [o for o, _, _ in objects(value)] if loose else []
            value = found[0] if len(found) == 1 else None
    if isinstance(value, str) and loose:  # JSON text in JSON text
        return as_arguments(value)
    return {str(k): v for k, v in value.items()} if isinstance(value, Mapping) else None


def _loose_object(text: str, close: bool) -> tuple[Any, int]:
    """Returns the value of the object that begins a text, and its length in characters; (None, 0) if there is none."""
    # Comments become blanks of the same length, so that positions do not change.
    text = _COMMENT.sub(lambda m: m[1] or " " * len(m[0]), text)
    body, missing = _balanced(text)
    if body is None or len(missing) > close:
        return None, 0
    plain = _TRAILING_COMMA.sub(lambda m: m[1] or "", body + missing)
    for candidate in (plain, _BARE_KEY.sub(lambda m: m[1] or f'"{m[2]}"', plain)):
        try:
            return _DECODER.decode(candidate), len(body)
        except (ValueError, RecursionError):
            pass
        try:
            with warnings.catch_warnings():  # invalid escapes in the model's text
                warnings.simplefilter("ignore")
                return _literal(candidate), len(body)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
    return None, 0


def _literal(text: str) -> Any:
    """Returns the value of a Python literal that JSON can write. Raises `TypeError` or `ValueError` for others."""
    tree = ast.parse(text.strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = [k.value for k in node.keys if isinstance(k, ast.Constant)]
            if len(set(keys)) < len(keys):
                raise ValueError("a key is given twice")
    return json.loads(json.dumps(ast.literal_eval(tree)))  # refuses sets, bytes and complex numbers


def _balanced(text: str) -> tuple[str | None, str]:
    """Returns a text until its first brace closes, and the brackets that it lacks; None if it is cut or mismatched."""
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
        elif char == "<" and i:
            text = text[:i]  # a tag such as </tool_call> ends the object
            break
        elif char in "}]":
            if not open_ or open_.pop() != char:
                return None, ""
            if not open_:
                return text[: i + 1], ""
        before = before if char.isspace() else char
    body = text.rstrip().rstrip("`").rstrip()  # a code fence may follow
    if quote or not body or body[-1] in ":,{" or body[-1].isalnum() or len(text) == MAX_OBJECT:
        return None, ""  # cut inside a string, pair, number or word, or by the caller
    return body, "".join(reversed(open_))
