"""The WebAssembly memories of one page, as bytes.

The sandbox's side of the page, which no script of the page can reach, notes each when scripts get it, in every frame,
and reads it; the debugger tells which are still held. Those of workers and of instances that do not export them are not
among them, and neither is an `ArrayBuffer` that belongs to no memory. A page with a frame of another origin is refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from gwray.errors import GameError
from gwray.sandbox.page_bridge import PageBridge

MOST_BYTES = 2**28
"""Of all memories together."""
PART_BYTES = 2**22
"""Read in one call."""
SEARCHED_BYTES = 2**26
"""Searched in one call."""
MAX_MATCHES = 100
"""More of them are not looked for: bytes that are in two places lead nowhere."""


class Span(NamedTuple):
    """Some bytes of one memory."""

    memory: int
    """Its number among those that were found last."""
    offset: int
    length: int


class PageMemory:
    """Search, read and, for laboratories, write."""

    def __init__(self, bridge: PageBridge, settle: Callable[[], Awaitable[None]]):
        """`settle`: waits until what the page asked for has arrived, so that what is read does not hang on when."""
        self._bridge = bridge
        self._settle = settle
        self.numbers: tuple[int, ...] = ()
        """Which memories were found last: each has its own number as long as it lives, also when it has grown."""
        self.sizes: tuple[int, ...] = ()
        """In bytes, of those that were found last."""

    async def find(self) -> tuple[int, ...]:
        """Look for all memories that the page holds now; their sizes. What was found before has other numbers now."""
        await self._settle()
        if await self._bridge.call("function() { return this.memories.foreign() }"):
            raise GameError(
                "the page has a frame of another origin (an address of its own, or `sandbox`), and the memories in it "
                "cannot be seen"
            )
        take = "function(found) { this.memories.take(found) }"
        await self._bridge.call(take, [])
        await self._bridge.hand_in("function() { return this.memories.prototype }", take)
        said = await self._bridge.call("function() { return this.memories.sizes() }")
        told = [int(word) for word in said.split(",") if word]
        self.numbers, self.sizes = tuple(told[::2]), tuple(told[1::2])
        if sum(self.sizes) > MOST_BYTES:
            raise GameError(
                f"the page has {sum(self.sizes) / 2**20:,.0f} MiB of WebAssembly memory; up to {MOST_BYTES // 2**20} "
                "MiB are searched for a signature"
            )
        return self.sizes

    async def read(self, spans: Sequence[Span]) -> list[bytes]:
        """The bytes of each span; none where the memory does not have it."""
        if not spans:
            return []
        await self._settle()
        said = await self._bridge.call("function(spans) { return this.memories.read(spans) }", _flat(spans))
        return [bytes.fromhex(part) for part in said.split(",")]

    async def places(self, wanted: Sequence[int | None]) -> list[Span]:
        """Where these bytes are (None: any byte) in the memories that were found last, also where two overlap;
        `MAX_MATCHES` of them at most."""
        function = "function(...stretch) { return this.memories.places(...stretch) }"
        fixed = [-1 if byte is None else byte for byte in wanted]
        out: list[Span] = []
        for n, size in enumerate(self.sizes):
            for at in range(0, size, SEARCHED_BYTES):
                said = await self._bridge.call(function, n, at, at + SEARCHED_BYTES, fixed, MAX_MATCHES - len(out))
                out += [Span(n, int(word), len(wanted)) for word in said.split(",") if word]
        return out

    async def read_all(self) -> list[bytes]:
        """Every memory that was found last, from its beginning to its end."""
        out = []
        for n, size in enumerate(self.sizes):
            parts = [Span(n, at, min(PART_BYTES, size - at)) for at in range(0, size, PART_BYTES)]
            out.append(b"".join([data for part in parts for data in await self.read([part])]))
        return out

    async def write(self, spans: Sequence[Span], values: bytes) -> None:
        """Put values, those of all spans one after the other, into memory. No episode ever does."""
        function = "function(spans, values) { this.memories.write(spans, values) }"
        await self._bridge.call(function, _flat(spans), list(values))


def _flat(spans: Sequence[Span]) -> list[int]:
    return [number for span in spans for number in span]
