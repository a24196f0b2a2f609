"""Candidate positions of a value in memory: scan, filter by change, and halve.

A candidate is an offset in one memory. At first every number of the type is a candidate, because the value is unknown.
Filtering by how the numbers changed after an action leaves few. Copies of the value remain candidates: only writing to
memory tells them apart (`gwray.plugins.authoring`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gwray.errors import GameError
from gwray.sandbox import Span

Change = Literal["up", "down", "idle"]
FORMATS = {"f64": "<f8", "f32": "<f4", "i32": "<i4", "u16": "<u2", "i16": "<i2", "u8": "u1"}
"""Numpy formats of the types that can be searched."""
MAX_VALUE = 1e7
"""Larger numbers are not considered."""
MIN_CHANGE = 1e-6
"""Smaller differences do not count as a change."""


@dataclass
class Candidates:
    """Offsets by memory, with the values last read there."""

    kind: str
    offsets: list[np.ndarray]
    values: list[np.ndarray]
    steps: dict[Change, list[np.ndarray]] = field(default_factory=dict)
    """Last difference of each value, by change."""

    @classmethod
    def scan(cls, kind: str, memories: Sequence[bytes]) -> "Candidates":
        """Returns all finite numbers of a type up to `MAX_VALUE`, at multiples of its size or of 4.

        Args:
            kind: a key of `FORMATS`.
            memories: contents of all memories of the page.
        """
        size = np.dtype(FORMATS[kind]).itemsize
        offsets = [np.arange(0, max(0, len(data) - size + 1), min(4, size)) for data in memories]
        all_ = cls(kind, offsets, [])
        all_.values = [all_._at(data, at) for data, at in zip(memories, offsets, strict=True)]
        keep = [np.isfinite(v) & (np.abs(np.nan_to_num(v)) < MAX_VALUE) for v in all_.values]
        return all_.only(keep)

    def __len__(self) -> int:
        return sum(len(at) for at in self.offsets)

    def spans(self) -> list[Span]:
        """Returns the positions of the candidates, ordered by memory."""
        size = np.dtype(FORMATS[self.kind]).itemsize
        return [Span(n, int(at), size) for n, offsets in enumerate(self.offsets) for at in offsets]

    def filtered(self, change: Change, memories: Sequence[bytes]) -> "Candidates":
        """Returns the candidates whose value went up, went down or stayed the same (`change`) since it was last read,
        with their current values. Raises `GameError` if the number of memories has changed."""
        if len(memories) != len(self.offsets):
            raise GameError("the page made or dropped a memory while it was searched")
        now = [self._at(data, at) for data, at in zip(memories, self.offsets, strict=True)]
        deltas = [after - before for after, before in zip(now, self.values, strict=True)]
        wanted = {
            "up": lambda d: d > MIN_CHANGE,
            "down": lambda d: d < -MIN_CHANGE,
            "idle": lambda d: np.abs(d) <= MIN_CHANGE,
        }[change]
        changed = Candidates(self.kind, self.offsets, now, {**self.steps, change: deltas})
        return changed.only([wanted(d) for d in deltas])

    def only(self, keep: Sequence[np.ndarray]) -> "Candidates":
        """Returns the candidates selected by `keep`: one boolean mask per memory, of the length of its offsets."""

        def select(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
            return [a[k] for a, k in zip(arrays, keep, strict=True)]

        return Candidates(
            self.kind, select(self.offsets), select(self.values), {c: select(a) for c, a in self.steps.items()}
        )

    def halves(self) -> "tuple[Candidates, Candidates]":
        """Returns the first half of the candidates over all memories, rounded up, and the rest. Both halves have all
        memories, some without candidates."""
        total, begin = len(self), 0
        first = []
        for at in self.offsets:
            first.append(np.arange(begin, begin + len(at)) < (total + 1) // 2)
            begin += len(at)
        return self.only(first), self.only([~mask for mask in first])

    def followed(self, change: Change, memories: Sequence[bytes]) -> "Candidates":
        """Returns the candidates that moved, since they were last read, in the direction of their last difference for
        `change` and by at least half of it. Their values are not updated."""
        now = [self._at(data, at) for data, at in zip(memories, self.offsets, strict=True)]
        moved = [after - before for after, before in zip(now, self.values, strict=True)]
        usual = self.steps[change]
        return self.only([m * np.sign(u) >= np.abs(u) / 2 for m, u in zip(moved, usual, strict=True)])

    def refreshed(self, memories: Sequence[bytes]) -> "Candidates":
        """Returns the same candidates with their current values."""
        return Candidates(
            self.kind,
            self.offsets,
            [self._at(data, at) for data, at in zip(memories, self.offsets, strict=True)],
            self.steps,
        )

    def _at(self, data: bytes, offsets: np.ndarray) -> np.ndarray:
        """Returns the numbers at these byte offsets of a memory, as floats."""
        if not len(offsets):
            return np.empty(0)
        dtype = np.dtype(FORMATS[self.kind])
        raw = np.frombuffer(data, np.uint8)
        rows = raw[offsets[:, None] + np.arange(dtype.itemsize)]
        with np.errstate(invalid="ignore"):
            return np.ascontiguousarray(rows).view(dtype)[:, 0].astype(float)
