"""Finds a short pattern of bytes that occurs only at a value."""

from collections.abc import Sequence

from gwray.environments import Pattern

MIN_BYTES = 8
"""Minimum number of fixed bytes; shorter patterns are likely to occur elsewhere, too."""


def common_bytes(around: Sequence[bytes]) -> list[int | None]:
    """Returns the bytes that are equal in all neighborhoods (of equal length); None where they differ."""
    return [column[0] if len(set(column)) == 1 else None for column in zip(*around, strict=True)]


def shortest_pattern(
    common: Sequence[int | None], value: int, memories: Sequence[tuple[Sequence[bytes], int, int]]
) -> tuple[Pattern, int] | None:
    """Returns a short pattern of common bytes that occurs only at the value.

    Long runs of bytes are used first. Bytes that were always 0 become wildcards, because they are the most likely to
    change. If that is not enough, all common bytes are used.

    Args:
        common: the common bytes of all neighborhoods of the value.
        value: offset of the value in the neighborhoods.
        memories: for some instants: all memories, the index of the memory with the value, and its offset in it.

    Returns:
        The pattern, and the value's offset from the pattern's start; None if no pattern is unique.
    """
    runs = sorted(_runs(common), key=lambda run: (run[0] - run[1], run[0]))
    chosen: set[int] = set()
    for begin, end in runs:
        chosen.update(range(begin, end))
        if len(chosen) >= MIN_BYTES and (found := _unique_pattern(common, chosen, value, memories)):
            return found
    return _unique_pattern(common, {n for n, v in enumerate(common) if v is not None}, value, memories)


def _runs(common: Sequence[int | None]) -> list[tuple[int, int]]:
    """Returns start and end of each run of bytes that are known and not 0."""
    out: list[tuple[int, int]] = []
    for n, v in enumerate(common):
        if not v:
            continue
        if out and out[-1][1] == n:
            out[-1] = (out[-1][0], n + 1)
        else:
            out.append((n, n + 1))
    return out


def _unique_pattern(
    common: Sequence[int | None], chosen: set[int], value: int, memories: Sequence[tuple[Sequence[bytes], int, int]]
) -> tuple[Pattern, int] | None:
    """Returns the pattern that fixes the `chosen` bytes, and the value's offset from its start; None if it occurs
    anywhere else than at the value. Other arguments as in `shortest_pattern`."""
    if not chosen:
        return None
    begin = min(chosen)
    pattern = Pattern([common[n] if n in chosen else None for n in range(begin, max(chosen) + 1)])
    for contents, memory, at in memories:
        if [(n, p) for n, data in enumerate(contents) for p in pattern.places(data)] != [(memory, at - value + begin)]:
            return None
    return pattern, value - begin
