"""Finds known secrets in a text, however they are encoded, and hides them.

Text and secrets are brought to one form: without white space and invisible characters, in lower case, with escapes
(percent, backslash, HTML entities, quoted-printable) decoded until none is left. Runs of base64, base32, hexadecimal
digits and character codes are decoded, and the result is searched in the same way. A large part of a secret counts like
the complete one. Encrypted or compressed text is not found.
"""

import base64
import binascii
import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, quote_plus

LEAST, MOST = 10, 24
"""A part of a secret counts if it has three quarters of its characters, at least `LEAST`; `MOST` always suffice."""
CHUNK = (LEAST + 1) // 2
"""A part that counts contains a complete chunk of the secret."""
DEPTH = 2
"""Layers of base64, base32, … that are decoded."""
LEVELS = 3
"""Layers of escapes that are decoded."""
SLOW_CHARACTERS = 2**15
"""Longer texts, such as images, are not searched for the slowly decoded forms."""

_INVISIBLE = re.compile(r"[\s\x00\xad\u200b-\u200f\u2060\ufeff]+")
_ESCAPES = re.compile(
    r"%[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}|\\[0-7]{3}|\\[^ux]"
    r"|&#[xX]?[0-9a-fA-F]{1,7};?|&[a-zA-Z]{2,8};"
)
_QUOTED_PRINTABLE = re.compile(r"=[0-9a-fA-F]{2}|=$", re.MULTILINE)
_PLAIN = {**{c: c + 32 for c in range(65, 91)}, **{c: ord(chr(c - 0xFEE0).lower()) for c in range(0xFF01, 0xFF5F)}}
"""Lower case and ASCII forms of full-width characters; keeps every position."""


_Needles = dict[str, list[tuple[str, int]]]


class _View(NamedTuple):
    """A decoded form of a text. Position `at[i]` of it, and what follows up to `at[i + 1]`, comes from `source[i]`."""

    text: str
    at: Sequence[int]
    source: Sequence[tuple[int, int]]
    """First and last source position; the last counts only for decoded escapes, which are one character."""

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Returns the source range of a range of this view."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, position: int) -> tuple[int, int]:
        n = bisect_right(self.at, position) - 1
        first, last = self.source[n]
        offset = position - self.at[n]
        return (first, last) if last else (first + offset, first + offset + 1)


def hide(text: str, secrets: Sequence[str], mark: str) -> str:
    """Returns the text with every occurrence of a secret, in whatever encoding, replaced by `mark`."""
    for short in (secret for secret in secrets if 0 < len(secret) < LEAST):
        for form in {short, quote(short, safe=""), quote(short)}:
            text = text.replace(form, mark)
    needles = _needles(tuple(secrets))
    if not needles or len(text) < LEAST:
        return text
    out, at = [], 0
    for start, end in sorted(_spans(text, needles, DEPTH)):
        if start > at or not out:
            out.append(text[at:start] + mark)
        at = max(at, end)
    return "".join(out) + text[at:]


@lru_cache(maxsize=64)
def _needles(secrets: tuple[str, ...]) -> _Needles:
    """Returns the forms of secrets to look for in views: each with an offset, by their chunks at these offsets."""
    found: _Needles = {}
    for needle in {form for secret in secrets for form in _forms(secret)}:
        for offset in range(0, len(needle) - CHUNK + 1, CHUNK):
            chunk = needle[offset : offset + CHUNK]
            if len({*chunk}) > 1:
                found.setdefault(chunk, []).append((needle, offset))
    return found


def _forms(secret: str) -> set[str]:
    """Returns the forms in which a secret may occur in a decoded text."""
    data = secret.encode(errors="surrogateescape")
    forms = [secret, quote_plus(data), data.decode("latin-1")]
    for skip in range(4):
        if part := data[skip : skip + (len(data) - skip) // 4 * 4]:
            forms += [base64.b85encode(part).decode(), base64.a85encode(part).decode()]
    found = {v.text.translate(_PLAIN) for form in forms for v in _views(form)}
    return {form for form in found if len(form) >= LEAST}


def _spans(text: str, needles: _Needles, depth: int) -> Iterator[tuple[int, int]]:
    for view in _views(text):
        spans = [*_occurrences(view.text.translate(_PLAIN), needles)]
        spans += _encoded(view.text, needles, depth) if depth else ()
        yield from (view.origin(*span) for span in spans)


def _views(text: str) -> Iterator[_View]:
    """Yields the text without white space, and its decoded forms."""
    complete = _View(text, [0], [(0, 0)])
    raw = _decoded(complete, _INVISIBLE, lambda token: "")
    yield raw
    for view in (raw, _decoded(_decoded(complete, _QUOTED_PRINTABLE, _quoted), _INVISIBLE, lambda token: "")):
        if view is not raw and view.text == raw.text:
            continue
        if view is not raw:
            yield view
        # Escapes are searched in the text with its white space, since an escape may stand for white space.
        for _ in range(LEVELS):
            after = _decoded(view, _ESCAPES, _unescaped)
            if after.text == view.text:
                break
            view = _decoded(after, _INVISIBLE, lambda token: "")
            yield view


def _decoded(view: _View, tokens: re.Pattern[str], decode: Callable[[str], str]) -> _View:
    """Returns a view in which each token is replaced by the characters that it stands for."""
    pieces: list[str] = []
    at: list[int] = []
    source: list[tuple[int, int]] = []
    position = length = 0

    def put(piece: str, start: int, token_end: int = 0) -> None:
        nonlocal length
        if not piece:
            return
        if token_end:
            at.append(length)
            source.append(view.origin(start, token_end))
        else:
            n = bisect_right(view.at, start) - 1
            while n < len(view.at) and view.at[n] < start + len(piece):
                first, last = view.source[n]
                begin = max(view.at[n], start)
                at.append(length + begin - start)
                source.append((first, last) if last else (first + begin - view.at[n], 0))
                n += 1
        pieces.append(piece)
        length += len(piece)

    for m in tokens.finditer(view.text):
        put(view.text[position : m.start()], position)
        put(decode(m[0]), m.start(), m.end())
        position = m.end()
    if not position:
        return view
    put(view.text[position:], position)
    return _View("".join(pieces), at or [0], source or [(0, 0)])


def _quoted(token: str) -> str:
    return chr(int(token[1:], 16)) if len(token) > 1 else ""


def _unescaped(token: str) -> str:
    """Returns the character of an escape; the token itself if it is none."""
    if token[0] == "&":
        character = html.unescape(token)
        return character if len(character) == 1 else token
    digits = token.strip("\\%uUx{}")
    if token[0] == "\\" and len(token) == 2:
        return " " if token[1] in "nrtfbv" else token[1]
    base = 8 if token[0] == "\\" and len(token) == 4 and token[1] in "01234567" else 16
    code = int(digits, base)
    return chr(code) if code < 0x110000 else token


def _occurrences(text: str, needles: _Needles) -> Iterator[tuple[int, int]]:
    """Yields where a needle, or a large part of it, stands in a text."""
    for at in range(len(text) - CHUNK + 1):
        for needle, offset in needles.get(text[at : at + CHUNK], ()):
            start, end = at, at + CHUNK
            while start > 0 and at - start < offset and text[start - 1] == needle[offset - (at - start) - 1]:
                start -= 1
            while end < len(text) and end - at < len(needle) - offset and text[end] == needle[offset + end - at]:
                end += 1
            if end - start >= max(LEAST, min(-(-3 * len(needle) // 4), MOST)):
                yield start, end


class _Blocks(NamedTuple):
    """An encoding of `size` bytes as `letters` characters."""

    letters: int
    size: int
    run: re.Pattern[str]
    decode: Callable[[str], bytes]
    fast: bool = False


_URL_SAFE = str.maketrans("-_", "+/")
_BLOCKS = (
    _Blocks(4, 3, re.compile(r"[\w+/-]{12,}", re.ASCII), lambda t: base64.b64decode(t.translate(_URL_SAFE)), True),
    _Blocks(2, 1, re.compile(r"[0-9a-fA-F]{20,}"), bytes.fromhex, True),
    _Blocks(8, 5, re.compile(r"[A-Za-z2-7]{16,}"), lambda t: base64.b32decode(t, casefold=True)),
    _Blocks(8, 5, re.compile(r"[A-Va-v0-9]{16,}"), lambda t: base64.b32hexdecode(t, casefold=True)),
)  # fmt: skip
_READABLE = re.compile(r"[\x00\t\r\n -~]{10,}")
"""Parts of decoded bytes that can hold a secret; random bytes have none."""
_PAIRS = re.compile(r"(?:(?:0x)?[0-9a-fA-F]{2}[:,-]){9,}(?:0x)?[0-9a-fA-F]{2}")
_CODES = re.compile(r"(?:\d{2,3},){9,}\d{2,3}")


def _encoded(text: str, needles: _Needles, depth: int) -> Iterator[tuple[int, int]]:
    """Yields the ranges of a text that decode to a text with a needle."""
    for kind in _BLOCKS:
        if not kind.fast and len(text) > SLOW_CHARACTERS:
            continue
        runs = [m.span() for m in kind.run.finditer(text)]
        for skip in range(kind.letters):
            yield from _in_blocks(text, runs, kind, skip, needles, depth)
    for pattern, base in ((_PAIRS, 16), (_CODES, 10)):
        for run in pattern.finditer(text):
            codes = [int(code, base) for code in re.split(r"[:,-]", run[0])]
            if max(codes) < 256 and any(_spans("".join(map(chr, codes)), needles, depth - 1)):
                yield run.span()


def _decode(kind: _Blocks, letters: str) -> str:
    """Returns the decoded letters, without an incomplete last block if that is no encoding of bytes."""
    incomplete = len(letters) % kind.letters
    for part in (letters + "=" * (-len(letters) % kind.letters), letters[: len(letters) - incomplete]):
        with suppress(ValueError, binascii.Error):
            return kind.decode(part).decode("latin-1")
    return ""


def _in_blocks(
    text: str, runs: Sequence[tuple[int, int]], kind: _Blocks, skip: int, needles: _Needles, depth: int
) -> Iterator[tuple[int, int]]:
    """Decodes all runs from their character `skip` on, and searches the readable parts together."""
    pieces, at, length = [], [], 0
    for start, end in runs:
        for readable in _READABLE.finditer(_decode(kind, text[start + skip : end])):
            pieces.append(readable[0])
            at.append((length, start + skip, readable.start(), end))
            length += len(readable[0]) + 1
    for start, end in _spans("\n".join(pieces), needles, depth - 1) if pieces else ():
        begin, first, before, run_end = at[bisect_right(at, start, key=lambda piece: piece[0]) - 1]
        last = first + -(-(before + end - begin) // kind.size) * kind.letters
        # An incomplete last block may hold the end of the secret.
        yield (
            first + (before + start - begin) // kind.size * kind.letters,
            run_end if run_end - last < kind.letters else last,
        )
