"""Entries of a leaderboard that have the same play as another pack's.

A copy of a pack, under the copier's name, replays as well as the original, and nothing in a file proves which was
recorded first. So neither row is removed; they have one rank.
"""

from collections.abc import Sequence

import polars as pl

RECORDED = ("game", "task", "seed", "repeat", "status", "state_chain", "latency_ms")
"""What two recordings of one test have in common only if one is a copy of the other: latencies are measured to the
microsecond."""


def recordings(frame: pl.DataFrame, columns: tuple[str, ...] = RECORDED) -> dict[str, frozenset]:
    """Returns what was recorded of each cell that has an episode, in these columns."""
    rows = frame.select("cell", *columns)
    return {cell: frozenset(of_cell.select(columns).iter_rows()) for (cell,), of_cell in rows.group_by("cell")}


def originals(frame: pl.DataFrame, cells: Sequence[str]) -> dict[str, str]:
    """Returns for each cell the first of `cells` with exactly its play: copies have one rank, and are compared with
    other players once, so that sending copies changes no rank."""
    played = recordings(frame, RECORDED[:-1])
    first: dict[frozenset, str] = {}
    return {cell: first.setdefault(played.get(cell, frozenset({cell})), cell) for cell in cells}
