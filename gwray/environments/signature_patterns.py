"""Byte patterns with wildcards, and the types of values."""

import math
import re
import struct
from collections.abc import Iterator, Sequence
from functools import cached_property

from gwray.catalog import WILDCARD, MemoryField


class Pattern:
    """A sequence of fixed bytes and wildcards: `Pattern.parse("51 ?? 41")`."""

    def __init__(self, values: Sequence[int | None]):
        """`values`: a byte, or None for a wildcard. At least one byte must be fixed."""
        self.values = tuple(values)
        assert any(v is not None for v in self.values), "a pattern needs at least one fixed byte"

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        return cls([None if word == WILDCARD else int(word, 16) for word in text.split()])

    def __str__(self) -> str:
        return " ".join(WILDCARD if v is None else f"{v:02x}" for v in self.values)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def fixed(self) -> int:
        """Returns the number of fixed bytes."""
        return sum(v is not None for v in self.values)

    def fits(self, data: bytes) -> bool:
        """Returns whether `data` starts with the pattern."""
        return self._expression.match(data) is not None

    def places(self, data: bytes) -> Iterator[int]:
        """Yields all offsets at which the pattern occurs, including overlapping ones."""
        ahead, run = self._longest
        at = data.find(run, ahead)
        while at >= 0:
            if self._expression.match(data, at - ahead):
                yield at - ahead
            at = data.find(run, at + 1)

    @cached_property
    def _expression(self) -> re.Pattern[bytes]:
        parts = [b"." if v is None else re.escape(bytes([v])) for v in self.values]
        return re.compile(b"".join(parts), re.DOTALL)

    @cached_property
    def _longest(self) -> tuple[int, bytes]:
        """Returns the offset of the longest run of fixed bytes, and the run."""
        best = (0, b"")
        run = b""
        for n, v in enumerate((*self.values, None)):
            if v is not None:
                run += bytes([v])
                continue
            if len(run) > len(best[1]):
                best = (n - len(run), run)
            run = b""
        return best


CODES = {"f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "u8": "B", "u16": "H", "u32": "I", "bool": "?"}


def size_of(kind: str) -> int:
    """Returns the size of a type in bytes. `kind`: a key of `CODES`."""
    return struct.calcsize("<" + CODES[kind])


def decode_value(field: MemoryField, data: bytes) -> object:
    """Decodes a value as the page's JSON would have it: 23 for 23.0, None for NaN. Raises `ValueError` for a number
    that has no word."""
    (value,) = struct.unpack("<" + CODES[field.type], data)
    if field.words:
        if not 0 <= value < len(field.words):
            raise ValueError(f"{value} has no word; there are {len(field.words)}: {', '.join(field.words)}")
        return field.words[value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if value.is_integer() and abs(value) < 2**53:
            return int(value)
    return value
