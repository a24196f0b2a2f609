"""Reads the WebAssembly memories of a page as bytes.

The sandbox's script, which the page's scripts cannot access, registers each memory in every frame; the debugger tells
which memories still exist. Memories of workers, memories that an instance does not export, and other `ArrayBuffer`
objects are not included. Pages with frames of another origin are not supported.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from gwray.errors import GameError
from gwray.sandbox.page_bridge import PageBridge

MAX_BYTES = 2**28
"""Maximum size of all memories together."""
READ_BYTES = 2**22
"""Bytes to read per call."""
SEARCH_BYTES = 2**26
"""Bytes to search per call."""
MAX_MATCHES = 100
"""Maximum number of matches of a search. A signature with more than one match is not usable."""


class Span(NamedTuple):
    """A range of bytes in a memory."""

    memory: int
    """Index among the memories that were found last."""
    offset: int
    length: int


class PageMemory:
    """Searches and reads memories; labs can also write."""

    def __init__(self, bridge: PageBridge, settle: Callable[[], Awaitable[None]]):
        """`settle`: waits until all requested files are delivered, so that readings do not depend on real time."""
        self._bridge = bridge
        self._settle = settle
        self.numbers: tuple[int, ...] = ()
        """Numbers of the memories found last. A memory keeps its number, also if it grows."""
        self.sizes: tuple[int, ...] = ()
        """Sizes in bytes of the memories found last."""

    async def find(self) -> tuple[int, ...]:
        """Finds all current memories of the page and returns their sizes. Indices of earlier calls become invalid."""
        await self._settle()
        if await self._bridge.call("function() { return this.memories.foreign() }"):
            raise GameError(
                "the page has a frame of another origin (an address of its own, or `sandbox`), and the memories in it "
                "cannot be seen"
            )
        take = "function(found) { this.memories.take(found) }"
        await self._bridge.call(take, [])
        await self._bridge.collect_objects("function() { return this.memories.prototype }", take)
        answer = await self._bridge.call("function() { return this.memories.sizes() }")
        values = [int(word) for word in answer.split(",") if word]
        self.numbers, self.sizes = tuple(values[::2]), tuple(values[1::2])
        if sum(self.sizes) > MAX_BYTES:
            raise GameError(
                f"the page has {sum(self.sizes) / 2**20:,.0f} MiB of WebAssembly memory; up to {MAX_BYTES // 2**20} "
                "MiB are searched for a signature"
            )
        return self.sizes

    async def read(self, spans: Sequence[Span]) -> list[bytes]:
        """Returns the bytes of each span; empty if it is outside of its memory."""
        if not spans:
            return []
        await self._settle()
        answer = await self._bridge.call("function(spans) { return this.memories.read(spans) }", _flatten(spans))
        return [bytes.fromhex(part) for part in answer.split(",")]

    async def find_bytes(self, pattern: Sequence[int | None]) -> list[Span]:
        """Finds a byte pattern (None: any byte) in the memories found last, including overlapping matches. Returns at
        most `MAX_MATCHES`."""
        function = "function(...search) { return this.memories.places(...search) }"
        fixed = [-1 if byte is None else byte for byte in pattern]
        out: list[Span] = []
        for n, size in enumerate(self.sizes):
            for at in range(0, size, SEARCH_BYTES):
                answer = await self._bridge.call(function, n, at, at + SEARCH_BYTES, fixed, MAX_MATCHES - len(out))
                out += [Span(n, int(word), len(pattern)) for word in answer.split(",") if word]
        return out

    async def read_all(self) -> list[bytes]:
        """Returns the complete contents of all memories found last."""
        out = []
        for n, size in enumerate(self.sizes):
            parts = [Span(n, at, min(READ_BYTES, size - at)) for at in range(0, size, READ_BYTES)]
            out.append(b"".join([data for part in parts for data in await self.read([part])]))
        return out

    async def write(self, spans: Sequence[Span], values: bytes) -> None:
        """Writes the concatenated values of all spans into memory. Episodes never use this."""
        function = "function(spans, values) { this.memories.write(spans, values) }"
        await self._bridge.call(function, _flatten(spans), list(values))


def _flatten(spans: Sequence[Span]) -> list[int]:
    return [number for span in spans for number in span]
