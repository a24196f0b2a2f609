"""What the bytes around a value have in common, start after start, and how few of them lead to it."""

from __future__ import annotations

from collections.abc import Sequence

from gwray.signatures.patterns import Pattern

ENOUGH = 8
"""Fewer bytes than this may also be somewhere else the next time."""


def common_bytes(around: Sequence[bytes]) -> list[int | None]:
    """The bytes that are the same in all of several neighbourhoods of equal length; None where they differ."""
    return [column[0] if len(set(column)) == 1 else None for column in zip(*around, strict=True)]


def fewest_bytes(
    common: Sequence[int | None], value: int, memories: Sequence[tuple[Sequence[bytes], int, int]]
) -> tuple[Pattern, int] | None:
    """A pattern of few common bytes that leads to one value, and to nothing else.

    Long runs are taken first, since what belongs together says what it is; bytes that were always 0 are left open,
    since they are the likeliest to become something else. If that is not enough, all common bytes are taken.

    Args:
        common: what neighbourhoods of the value have in common.
        value: where the value begins in them.
        memories: some instants: all memories, the number of the one that holds the value, and where it begins in it.

    Returns:
        The pattern and the value's offset from its beginning; None if no such pattern is only there.
    """
    runs = sorted(_runs(common), key=lambda run: (run[0] - run[1], run[0]))
    kept: set[int] = set()
    for begin, end in runs:
        kept.update(range(begin, end))
        if len(kept) >= ENOUGH and (found := _leads(common, kept, value, memories)):
            return found
    return _leads(common, {n for n, v in enumerate(common) if v is not None}, value, memories)


def _runs(common: Sequence[int | None]) -> list[tuple[int, int]]:
    """Beginnings and ends of what is neither open nor 0."""
    out: list[tuple[int, int]] = []
    for n, v in enumerate(common):
        if not v:
            continue
        if out and out[-1][1] == n:
            out[-1] = (out[-1][0], n + 1)
        else:
            out.append((n, n + 1))
    return out


def _leads(
    common: Sequence[int | None], kept: set[int], value: int, memories: Sequence[tuple[Sequence[bytes], int, int]]
) -> tuple[Pattern, int] | None:
    if not kept:
        return None
    begin = min(kept)
    pattern = Pattern([common[n] if n in kept else None for n in range(begin, max(kept) + 1)])
    for held, memory, at in memories:
        if [(n, p) for n, data in enumerate(held) for p in pattern.places(data)] != [(memory, at - value + begin)]:
            return None
    return pattern, value - begin
