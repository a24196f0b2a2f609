"""Which numbers in memory may be the one that is looked for: scan, filter, and halves.

A candidate is an offset into one memory. Every number of a type is one at first (its value is not known); what was done
in the game, and how the numbers changed, leaves few. Copies that the game keeps of the number are among them to the
last: only writing tells them apart (`gwray.authoring`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gwray.errors import GameError
from gwray.sandbox import Span

Change = Literal["up", "down", "idle"]
FORMATS = {"f64": "<f8", "f32": "<f4", "i32": "<i4", "u16": "<u2", "i16": "<i2", "u8": "u1"}
"""Types that a search is for."""
LARGEST = 1e7
"""A number beyond this is no position."""
LEAST = 1e-6
"""Less is no change."""


@dataclass
class Candidates:
    """Offsets by memory, and the numbers that lay there last."""

    kind: str
    offsets: list[np.ndarray]
    values: list[np.ndarray]
    steps: dict[Change, list[np.ndarray]] = field(default_factory=dict)
    """What each changed by when that was done last."""

    @classmethod
    def scan(cls, kind: str, memories: Sequence[bytes]) -> Candidates:
        """Every number of this type, at multiples of its size or of 4."""
        size = np.dtype(FORMATS[kind]).itemsize
        offsets = [np.arange(0, max(0, len(data) - size + 1), min(4, size)) for data in memories]
        all_ = cls(kind, offsets, [])
        all_.values = [all_._at(data, at) for data, at in zip(memories, offsets, strict=True)]
        keep = [np.isfinite(v) & (np.abs(np.nan_to_num(v)) < LARGEST) for v in all_.values]
        return all_.only(keep)

    def __len__(self) -> int:
        return sum(len(at) for at in self.offsets)

    def spans(self) -> list[Span]:
        """Where they lie, the memories one after the other."""
        size = np.dtype(FORMATS[self.kind]).itemsize
        return [Span(n, int(at), size) for n, offsets in enumerate(self.offsets) for at in offsets]

    def filtered(self, change: Change, memories: Sequence[bytes]) -> Candidates:
        """Those that did what was to be expected when that was done."""
        if len(memories) != len(self.offsets):
            raise GameError("the page made or dropped a memory while it was searched")
        now = [self._at(data, at) for data, at in zip(memories, self.offsets, strict=True)]
        by = [after - before for after, before in zip(now, self.values, strict=True)]
        wanted = {"up": lambda d: d > LEAST, "down": lambda d: d < -LEAST, "idle": lambda d: np.abs(d) <= LEAST}[change]
        held = Candidates(self.kind, self.offsets, now, {**self.steps, change: by})
        return held.only([wanted(d) for d in by])

    def only(self, keep: Sequence[np.ndarray]) -> Candidates:
        """Those that a mask for each memory leaves."""

        def left(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
            return [a[k] for a, k in zip(arrays, keep, strict=True)]

        return Candidates(self.kind, left(self.offsets), left(self.values), {c: left(a) for c, a in self.steps.items()})

    def halves(self) -> tuple[Candidates, Candidates]:
        """The first half of them and the rest."""
        total, begin = len(self), 0
        first = []
        for at in self.offsets:
            first.append(np.arange(begin, begin + len(at)) < (total + 1) // 2)
            begin += len(at)
        return self.only(first), self.only([~mask for mask in first])

    def followed(self, change: Change, memories: Sequence[bytes]) -> Candidates:
        """Those that now changed by at least half of what they changed by the last time that this was done."""
        now = [self._at(data, at) for data, at in zip(memories, self.offsets, strict=True)]
        moved = [after - before for after, before in zip(now, self.values, strict=True)]
        usual = self.steps[change]
        return self.only([m * np.sign(u) >= np.abs(u) / 2 for m, u in zip(moved, usual, strict=True)])

    def seen(self, memories: Sequence[bytes]) -> Candidates:
        """The same, with the numbers that lie there now."""
        return Candidates(
            self.kind,
            self.offsets,
            [self._at(data, at) for data, at in zip(memories, self.offsets, strict=True)],
            self.steps,
        )

    def _at(self, data: bytes, offsets: np.ndarray) -> np.ndarray:
        if not len(offsets):
            return np.empty(0)
        dtype = np.dtype(FORMATS[self.kind])
        raw = np.frombuffer(data, np.uint8)
        rows = raw[offsets[:, None] + np.arange(dtype.itemsize)]
        with np.errstate(invalid="ignore"):
            return np.ascontiguousarray(rows).view(dtype)[:, 0].astype(float)
