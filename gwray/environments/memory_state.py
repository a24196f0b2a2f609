"""Reads a game's values from the memory of its page, for each reading of its state."""

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gwray.catalog import Signature
from gwray.environments.signature_patterns import Pattern, decode_value, size_of
from gwray.errors import GameError
from gwray.sandbox import MAX_MATCHES, PageMemory, Span


@dataclass(frozen=True)
class Window:
    """The range of bytes that contains a signature and all of its values."""

    signature: Signature
    pattern: Pattern
    before: int
    """Number of bytes before the pattern."""
    length: int

    @classmethod
    def from_signature(cls, signature: Signature) -> "Window":
        pattern = Pattern.parse(signature.pattern)
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
    """The position of a pattern."""

    offset: int
    size: int = dataclasses.field(compare=False)
    """Size of the memory in bytes; it can grow."""
    memory: int
    """Number of the memory."""

    def describe(self, which: str = "a") -> str:
        return f"{self.offset:#x} of {which} memory of {self.size:,} bytes"


class MemoryState:
    """Finds the signatures of a game and reads the values next to them. The memory is searched at the first reading
    after a start or `forget`. After that, signatures must not move: memory that the game no longer uses can keep an old
    signature, so readings count only after `confirm`."""

    def __init__(self, memory: PageMemory, game: str, signatures: Sequence[Signature]):
        self._memory = memory
        self._game = game
        self._windows = [Window.from_signature(s) for s in signatures]
        self._positions: list[Place] = []
        self.places: list[Span] = []
        """Positions of the windows, in the order of the signatures; empty: unknown."""
        self.searches = 0

    def forget(self) -> None:
        """Discards the positions, because the game was reset and its values may have moved."""
        self._positions, self.places = [], []

    async def confirm(self) -> None:
        """Searches again. Raises `GameError` for a signature that moved since the start, or occurs twice."""
        if self.places:
            await self._search()

    async def read(self) -> dict[str, object]:
        """Returns the values of all signatures, by field. Raises `GameError` for a signature that is missing, occurs
        twice or has moved, and for an invalid value."""
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
            for name, field in window.signature.fields.items():
                at = window.before + field.offset
                try:
                    values[name] = decode_value(field, data[at : at + size_of(field.type)])
                except ValueError as e:
                    raise GameError(f"{self._game}: {name}, read from memory: {e}") from e
        return values

    def _fit(self, found: Sequence[bytes]) -> bool:
        return all(w.pattern.fits(data[w.before :]) for w, data in zip(self._windows, found, strict=True))

    async def _search(self) -> None:
        """Finds all windows. Windows whose position is known must not have moved."""
        self.searches += 1
        sizes = await self._memory.find()
        numbers, known = self._memory.numbers, self._positions
        positions, places = [], []
        for n, window in enumerate(self._windows):
            hits = await self._memory.find_bytes(window.pattern.values)
            seen = sorted(Place(hit.offset, sizes[hit.memory], numbers[hit.memory]) for hit in hits)
            if fault := _moved(known[n], seen) if known else _not_one(seen, sizes):
                raise GameError(f"{self._game}: {window}{fault}")
            (hit,) = hits
            span = Span(hit.memory, hit.offset - window.before, window.length)
            if span.offset < 0 or span.offset + span.length > sizes[hit.memory]:
                raise GameError(
                    f"{self._game}: {window} is at {seen[0].describe()}, and its fields are outside of the memory"
                )
            positions.append(seen[0])
            places.append(span)
        self._positions, self.places = positions, places


def merge_values(state: dict[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
    """Returns a copy of a state with these fields set. Raises `GameError` if the parent of a field is not an object."""
    state = copy.deepcopy(state)
    for name, value in values.items():
        *path, last = name.split(".")
        there = state
        for part in path:
            there = there.setdefault(part, {})
            if not isinstance(there, dict):
                raise GameError(
                    f"{name}, read from memory: the page's '{part}' is not an object, so it cannot have fields"
                )
        there[last] = value
    return state


def _not_one(seen: Sequence[Place], sizes: Sequence[int]) -> str:
    """Returns why a signature was not found exactly once; empty if it was."""
    if len(seen) == 1:
        return ""
    if not seen:
        known = ", ".join(f"{size:,} bytes" for size in sizes) or "none"
        return f" is in no memory of the page ({known}); `gwray dev signatures find` finds signatures"
    least = "at least " if len(seen) == MAX_MATCHES else ""
    where = ", ".join(f"{place.offset:#x}" for place in seen[:4])
    return f" is in {least}{len(seen)} places of the page's memories, such as {where}; it needs more bytes"


def _moved(was: Place, seen: Sequence[Place]) -> str:
    """Returns where a signature has moved to; empty if it has not moved."""
    if list(seen) == [was]:
        return ""
    others = [place.describe("the same" if place.memory == was.memory else "another") for place in seen if place != was]
    there = ["there", *others] if was in seen else others
    now = " and at ".join(there[:4]) or "nowhere"
    is_at = "" if was in seen or not seen else "at "
    return (
        f" was at {was.describe()} and is now {is_at}{now}; it must not move before a reset, because values read at "
        "the old position may be outdated"
    )
