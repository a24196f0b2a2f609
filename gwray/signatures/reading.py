"""A game's values out of the memory of its page, at every instant at which its state is asked for."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gwray.catalog import Signature
from gwray.errors import GameError
from gwray.sandbox import MAX_MATCHES, PageMemory, Span
from gwray.signatures.patterns import Pattern
from gwray.signatures.values import size_of, value_of


@dataclass(frozen=True)
class Window:
    """The bytes that hold a signature and all of its values."""

    signature: Signature
    pattern: Pattern
    before: int
    """Bytes of it that lie before the pattern."""
    length: int

    @classmethod
    def of(cls, signature: Signature) -> Window:
        pattern = Pattern.of(signature.pattern)
        fields = signature.fields.values()
        first = min(0, *(f.offset for f in fields))
        end = max(len(pattern), *(f.offset + size_of(f.type) for f in fields))
        return cls(signature, pattern, -first, end - first)

    def __str__(self) -> str:
        first, *others = self.signature.fields
        names = f"{first} and {len(others)} more" if others else first
        return f"the signature of {names} ({self.pattern})"


@dataclass(frozen=True, order=True)
class Place:
    """Where a pattern begins."""

    offset: int
    size: int = field(compare=False)
    """Of the memory, in bytes; it may grow."""
    memory: int
    """Which one it is."""

    def of(self, which: str = "a") -> str:
        """In words."""
        return f"{self.offset:#x} of {which} memory of {self.size:,} bytes"


class MemoryState:
    """Finds the signatures of a game and reads the values beside them.

    They are looked for when the first value is wanted after a start or `forget`, and have to stay there until the next:
    what a game has left behind may look as it did, so nothing that was read is believed unless `confirm` says so.
    """

    def __init__(self, memory: PageMemory, game: str, signatures: Sequence[Signature]):
        self._memory = memory
        self._game = game
        self._windows = [Window.of(s) for s in signatures]
        self._where: list[Place] = []
        self.places: list[Span] = []
        """Where the windows lie, in the order of the signatures; empty: not known."""
        self.searches = 0

    def forget(self) -> None:
        """The game starts again, and what it needs may lie elsewhere."""
        self._where, self.places = [], []

    async def confirm(self) -> None:
        """Look again: `GameError` for a signature that is not where it was read since the start, and nowhere else."""
        if self.places:
            await self._search()

    async def read(self) -> dict[str, object]:
        """The values of all signatures, by field.

        `GameError` for a signature that is not there or there twice, that was elsewhere before, and for a value that
        is not what the field says.
        """
        if not self.places:
            await self._search()
        found = await self._memory.read(self.places)
        if not self._fit(found):
            await self.confirm()
            found = await self._memory.read(self.places)
            if not self._fit(found):
                raise GameError(f"{self._game}: the bytes of a signature change while they are read")
        values: dict[str, object] = {}
        for window, data in zip(self._windows, found, strict=True):
            for name, said in window.signature.fields.items():
                at = window.before + said.offset
                try:
                    values[name] = value_of(said, data[at : at + size_of(said.type)])
                except ValueError as e:
                    raise GameError(f"{self._game}: {name}, read from memory: {e}") from e
        return values

    def _fit(self, found: Sequence[bytes]) -> bool:
        return all(w.pattern.fits(data[w.before :]) for w, data in zip(self._windows, found, strict=True))

    async def _search(self) -> None:
        """Find all windows; where they were before, if they were anywhere, they still have to be."""
        self.searches += 1
        sizes = await self._memory.find()
        numbers, known = self._memory.numbers, self._where
        where, places = [], []
        for n, window in enumerate(self._windows):
            hits = await self._memory.places(window.pattern.values)
            seen = sorted(Place(hit.offset, sizes[hit.memory], numbers[hit.memory]) for hit in hits)
            if fault := _moved(known[n], seen) if known else _not_one(seen, sizes):
                raise GameError(f"{self._game}: {window}{fault}")
            (hit,) = hits
            span = Span(hit.memory, hit.offset - window.before, window.length)
            if span.offset < 0 or span.offset + span.length > sizes[hit.memory]:
                raise GameError(f"{self._game}: {window} is at {seen[0].of()}, and its fields lie beyond its edge")
            where.append(seen[0])
            places.append(span)
        self._where, self.places = where, places


def merge_values(state: dict[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
    """A state with these fields; `GameError` for one that it has no object for."""
    state = copy.deepcopy(state)
    for name, value in values.items():
        *path, last = name.split(".")
        there = state
        for part in path:
            there = there.setdefault(part, {})
            if not isinstance(there, dict):
                raise GameError(
                    f"{name}, read from memory: the page's '{part}' is no object that a field could be put in"
                )
        there[last] = value
    return state


def _not_one(seen: Sequence[Place], sizes: Sequence[int]) -> str:
    """What is wrong with where it is at first; nothing if it is in one place."""
    if len(seen) == 1:
        return ""
    if not seen:
        held = ", ".join(f"{size:,} bytes" for size in sizes) or "none"
        return f" is in no memory of the page ({held}); `gwray signatures find` finds signatures"
    least = "at least " if len(seen) == MAX_MATCHES else ""
    where = ", ".join(f"{place.offset:#x}" for place in seen[:4])
    return f" is in {least}{len(seen)} places of the page's memories, such as {where}; it needs more bytes"


def _moved(was: Place, seen: Sequence[Place]) -> str:
    """What is wrong with where it is now; nothing if it is where it was."""
    if list(seen) == [was]:
        return ""
    others = [place.of("the same" if place.memory == was.memory else "another") for place in seen if place != was]
    there = ["there", *others] if was in seen else others
    now = " and at ".join(there[:4]) or "nowhere"
    is_at = "" if was in seen or not seen else "at "
    return (
        f" was at {was.of()} and is now {is_at}{now}; it has to stay there until a reset, or nobody knows since when "
        "what was read is what was left behind"
    )
