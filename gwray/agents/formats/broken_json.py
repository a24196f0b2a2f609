"""Reads JSON objects that no JSON reader takes: unescaped quotes, full-width and curly marks, values without quotes.

Only one meaning may be possible: a quote ends a value where a key or a closing bracket follows, and an object with the
same key twice, or with anything between its values, is unreadable.
"""

from __future__ import annotations

import re
from typing import Any

from gwray.agents.formats.loose_json import MAX_OBJECT, read_object
from gwray.catalog import parse_number

INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
"""Characters that no reader of a reply can see."""
ASCII = str.maketrans("“”„‟＂‘’‚‛＇（），：＝［］；", '"' * 5 + "'" * 5 + "(),:=[];")
"""Quotes and marks of other alphabets. Letters and digits stay as they are."""
_MAX_DEPTH = 30
_DOUBLE, _SINGLE = '"“”„‟＂', "'‘’‚‛＇`"
_OPEN, _CLOSE = {"{": "}", "｛": "}", "[": "]", "［": "]"}, {"}": "}", "｝": "}", "]": "]", "］": "]"}
_QUOTE = f"[{_DOUBLE}{_SINGLE}]"
_KEY = rf"(?:{_QUOTE}[^{_DOUBLE}{_SINGLE}\n{{}}]{{1,64}}{_QUOTE}|[\w-]{{1,40}})\s{{0,20}}[:：]"
_COLON = re.compile(r"\s*[:：]")
_BLANK = re.compile(r"(?:\s|//[^\n]*|#[^\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMA = re.compile(r"\s*[,，、]")
_BARE_KEY = re.compile(r"[\w-]{1,40}(?=\s*[:：])")
_NEXT_KEY = re.compile(rf"\s{{1,99}}{_QUOTE}[\w-]{{1,40}}{_QUOTE}\s{{0,20}}[:：]")
"""A key after a missing comma."""
_ENDS_VALUE = re.compile(rf"\s{{0,99}}(?:[}}｝\]］]|[,，、]\s{{0,99}}(?:[}}｝\]］]|{_KEY})|\Z)|{_NEXT_KEY.pattern}")
_ENDS_ITEM = re.compile(rf"\s{{0,99}}(?:[\]］]|[,，、]\s{{0,99}}(?:[\]］{{｛\[［\w-]|{_QUOTE})|\Z)")
_PAIR = re.compile(r"\d{1,5}\s*,\s*\d{1,5}")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_END_OF_CALL = re.compile(r"</(?:seed:)?tool_call|<\|tool_call_end\|>", re.IGNORECASE)


class _Unreadable(Exception):
    """More than one meaning, or none. Never leaves this module."""


def broken_object(text: str, *, close: bool = True) -> tuple[dict[str, Any], int] | None:
    """Returns the object that begins a text, and its length; None if its meaning is not clear.

    Args:
        text: begins with an opening brace.
        close: whether brackets that are missing at the end of the text are added.
    """
    body = text[:MAX_OBJECT].rstrip().rstrip("`").rstrip()
    try:
        value, end = _Reader(body, close and len(text) <= MAX_OBJECT).value(0, "object", 0)
    except _Unreadable:
        return None
    return (value, end) if isinstance(value, dict) else None


def decode_broken(text: str, *, close: bool = True) -> dict[str, Any] | None:
    """Returns the object that a text consists of; None if it is anything else."""
    text = INVISIBLE.sub("", text).strip()
    found = broken_object(text, close=close) if text[:1] in ("{", "｛") else None
    return found[0] if found and not text[found[1] :].strip(" \n\t`") else None


def object_at(text: str, *, close: bool) -> tuple[dict[str, Any], int] | None:
    """Returns the object that begins a text, in any spelling, and its length; None if its meaning is not clear."""
    end = _END_OF_CALL.search(text)
    part, close = text[: end.start() if end else None], close or end is not None
    value, length = read_object(part[:MAX_OBJECT], close)
    return (value, length) if isinstance(value, dict) else broken_object(part, close=close)


class _Reader:
    """Reads one malformed JSON value. `at` is a position in the text; methods return a value and the position after it,
    and raise `_Unreadable` unless the text has exactly one meaning.

    `close`: accept an end of the text in place of the missing closing brackets.
    """

    def __init__(self, text: str, close: bool):
        self._text, self._close = text, close

    def value(self, at: int, within: str, depth: int) -> tuple[Any, int]:
        """Reads any value. `within`: "object" or "list", which decides what can follow; `depth`: enclosing brackets."""
        at = self._skip(at)
        char = self._text[at : at + 1]
        if not char or depth > _MAX_DEPTH:
            raise _Unreadable
        if char in _OPEN:
            return (self._object if _OPEN[char] == "}" else self._list)(at + 1, depth + 1)
        if char in _DOUBLE or char in _SINGLE:
            return self._string(at, _ENDS_VALUE if within == "object" else _ENDS_ITEM)
        return self._bare(at, within)

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while not (end := self._end(at, "}")):
            key, at = self._key(self._skip(at))
            if key in found:
                raise _Unreadable
            value, at = self.value(at, "object", depth)
            if isinstance(value, str) and _PAIR.fullmatch(value) and self._text[at : at + 1] == "]":
                value, at = [int(n) for n in value.split(",")], at + 1  # a list without its first bracket
            found[key] = value
            at = self._next(at, "}")
        return found, end

    def _list(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while not (end := self._end(at, "]")):
            value, at = self.value(at, "list", depth)
            found.append(value)
            if len(found) > 1 and self._text[at : at + 1] == "}" and all(isinstance(v, int | float) for v in found):
                return found, at  # without its last bracket
            at = self._next(at, "]")
        return found, end

    def _key(self, at: int) -> tuple[str, int]:
        """Reads a key with or without quotes, and its colon."""
        if bare := _BARE_KEY.match(self._text, at):
            key, at = bare[0], bare.end()
        elif self._text[at : at + 1] in tuple(_DOUBLE + _SINGLE):
            key, at = self._string(at, _COLON)
        else:
            raise _Unreadable
        colon = _COLON.match(self._text, at)
        if colon is None or "\n" in key:
            raise _Unreadable
        return key.strip(), colon.end()

    def _string(self, at: int, ends: re.Pattern[str]) -> tuple[str, int]:
        """Reads a quoted string. Quotes may be unescaped inside it: a quote ends the string only if `ends` matches
        after it and all brackets inside the string are closed."""
        quotes = _DOUBLE if self._text[at] in _DOUBLE else _SINGLE
        out: list[str] = []
        open_ = 0
        i = at + 1
        while i < len(self._text):
            char = self._text[i]
            if char == "\\" and i + 1 < len(self._text):
                code = self._text[i + 2 : i + 6]
                if self._text[i + 1] == "u" and re.fullmatch("[0-9a-fA-F]{4}", code):
                    out.append(chr(int(code, 16)))
                    i += 6
                else:
                    out.append(_ESCAPES.get(self._text[i + 1], self._text[i + 1]))
                    i += 2
                continue
            if char in quotes and open_ <= 0 and ends.match(self._text, i + 1):
                return "".join(out), i + 1
            open_ += (char in "{[") - (char in "}]")
            out.append(char)
            i += 1
        raise _Unreadable

    def _bare(self, at: int, within: str) -> tuple[Any, int]:
        """Reads a value without quotes: true, false, null, a number, or else text."""
        ends = _ENDS_VALUE if within == "object" else _ENDS_ITEM
        depth, i = 0, at
        while True:
            char = self._text[i : i + 1]
            if not char or char in "{｛":  # at the end of a text a word may be incomplete
                raise _Unreadable
            if not depth and (char == "\n" or (char in "}｝]］,，、" and ends.match(self._text, i))):
                break
            if within == "list" and char == "}" and self._text[at:i].strip().isdigit():
                break  # a list of numbers without its last bracket
            depth += (char in "(（") - (char in ")）")
            i += 1
        words = self._text[at:i].translate(ASCII).strip()
        if not words:
            raise _Unreadable
        if words.lower() in _WORDS:
            return _WORDS[words.lower()], i
        number = parse_number(words)
        if number is None:
            return words, i
        return int(number) if number == int(number) and "." not in words else number, i

    def _next(self, at: int, closer: str) -> int:
        """Returns the position after the comma that follows a value, or of its object's end, or of a key without a
        comma before it."""
        if closer == "}" and _NEXT_KEY.match(self._text, at):
            return at
        at = self._skip(at)
        if comma := _COMMA.match(self._text, at):
            return comma.end()
        if self._end(at, closer):
            return at
        raise _Unreadable

    def _end(self, at: int, closer: str) -> int:
        """Returns the position after the closing bracket, if it is next; 0 if it is not."""
        at = self._skip(at)
        if at >= len(self._text):
            if self._close and self._text[-1] not in ":：,，{[":
                return at
            raise _Unreadable
        return at + 1 if _CLOSE.get(self._text[at]) == closer else 0

    def _skip(self, at: int) -> int:
        """Returns the position after blanks and comments."""
        found = _BLANK.match(self._text, at)
        return found.end() if found else at
