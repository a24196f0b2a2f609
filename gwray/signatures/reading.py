"""A game's values out of the memory of its page, at every instant at which its state is asked for."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gwray.catalog import Signature
from gwray.errors import GameError
from gwray.sandbox import PageMemory, Span
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

    def names(self) -> str:
        """Its fields, for a message."""
        first, *others = self.signature.fields
        return f"{first} and {len(others)} more" if others else first


class MemoryState:
    """Finds the signatures of a game and reads the values beside them.

    They are looked for when the first value is wanted, after `forget`, and whenever the bytes are no longer where they
    were: a memory that has grown, a game that has moved its state.
    """

    def __init__(self, memory: PageMemory, signatures: Sequence[Signature]):
        self._memory = memory
        self._windows = [Window.of(s) for s in signatures]
        self.places: list[Span] = []
        """Where the windows lie, in the order of the signatures; empty: not known."""
        self.searches = 0

    def forget(self) -> None:
        """The game starts again, and what it needs may lie elsewhere."""
        self.places = []

    async def completed(self, state: dict[str, Any]) -> dict[str, Any]:
        """The state with the fields of all signatures as memory has them.

        `GameError` for a signature that is not there or there twice, and for a value that is not what the field says.
        """
        found = await self._memory.read(self.places) if self.places else []
        if not found or not all(w.pattern.fits(data[w.before :]) for w, data in zip(self._windows, found, strict=True)):
            await self._search()
            found = await self._memory.read(self.places)
        state = copy.deepcopy(state)
        for window, data in zip(self._windows, found, strict=True):
            for name, field in window.signature.fields.items():
                at = window.before + field.offset
                try:
                    _put(state, name, value_of(field, data[at : at + size_of(field.type)]))
                except ValueError as e:
                    raise GameError(f"{name}, read from memory: {e}") from e
        return state

    async def _search(self) -> None:
        self.searches += 1
        sizes = await self._memory.find()
        memories = await self._memory.whole()
        self.places = [_the_one(window, memories, sizes) for window in self._windows]


def _the_one(window: Window, memories: Sequence[bytes], sizes: Sequence[int]) -> Span:
    hits = [
        Span(n, at - window.before, window.length)
        for n, data in enumerate(memories)
        for at in window.pattern.places(data)
        if at >= window.before and at - window.before + window.length <= sizes[n]
    ]
    if len(hits) == 1:
        return hits[0]
    held = ", ".join(f"{size:,} bytes" for size in sizes) or "none"
    what = f"the signature of {window.names()} ({window.pattern})"
    if not hits:
        raise GameError(f"{what} is in no memory of the page ({held}); `gwray signatures find` finds signatures")
    where = ", ".join(f"{hit.offset + window.before:#x}" for hit in hits[:4])
    raise GameError(f"{what} is in {len(hits)} places of the page's memories, such as {where}; it needs more bytes")


def _put(state: dict[str, Any], name: str, value: object) -> None:
    *path, last = name.split(".")
    for part in path:
        state = state.setdefault(part, {})
        if not isinstance(state, dict):
            raise ValueError(f"the page's '{part}' is no object that a field could be put in")
    state[last] = value
