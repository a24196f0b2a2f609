"""Byte patterns with wildcards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from gwray.catalog import WILDCARD


class Pattern:
    """A sequence of fixed bytes and wildcards: `Pattern.parse("51 ?? 41")`."""

    def __init__(self, values: Sequence[int | None]):
        """None: a wildcard. At least one byte must be fixed."""
        self.values = tuple(values)
        assert any(v is not None for v in self.values), "a pattern needs at least one fixed byte"

    @classmethod
    def parse(cls, text: str) -> Pattern:
        return cls([None if word == WILDCARD else int(word, 16) for word in text.split()])

    def __str__(self) -> str:
        return " ".join(WILDCARD if v is None else f"{v:02x}" for v in self.values)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def fixed(self) -> int:
        """Number of fixed bytes."""
        return sum(v is not None for v in self.values)

    def fits(self, data: bytes) -> bool:
        """Whether `data` starts with the pattern."""
        return self._expression.match(data) is not None

    def places(self, data: bytes) -> Iterator[int]:
        """All offsets at which the pattern occurs, including overlapping ones."""
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
        """The longest run of fixed bytes, preceded by its offset."""
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
