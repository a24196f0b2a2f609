"""What the bytes around a value have in common, start after start."""

from __future__ import annotations

from collections.abc import Sequence

from gwray.signatures.patterns import Pattern


def common_pattern(around: Sequence[bytes], value: int) -> tuple[Pattern, int] | None:
    """The bytes that are the same in all of several neighbourhoods of one value, and any where they differ.

    Args:
        around: neighbourhoods of equal length, with the value at the same distance from the beginning.
        value: that distance.

    Returns:
        The pattern without wildcards at its ends, and the value's offset from its beginning; None if nothing is common.
    """
    bytes_ = list(zip(*around, strict=True))
    same = [column[0] if len(set(column)) == 1 else None for column in bytes_]
    fixed = [n for n, v in enumerate(same) if v is not None]
    if not fixed:
        return None
    return Pattern(same[fixed[0] : fixed[-1] + 1]), value - fixed[0]
