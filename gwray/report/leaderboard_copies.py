"""Entries of a leaderboard that have the same play as another pack's.

A copy of a pack, under the copier's name, replays as well as the original, and nothing in a file proves which was
recorded first. So neither row is removed, in whichever order they were sent: both are marked.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping

import polars as pl

RECORDED = ("game", "task", "seed", "repeat", "status", "state_chain", "latency_ms")
"""What two recordings of one test have in common only if one is a copy of the other: latencies are measured to the
microsecond."""

ALIKE = 0.9
"""Share of an entry's episodes with the states of another entry from which both are marked."""

NAMED = 3
"""Number of packs that a note names."""


def recordings(frame: pl.DataFrame) -> dict[str, frozenset]:
    """Returns what was recorded of each cell that has an episode."""
    rows = frame.select("cell", *RECORDED)
    return {cell: frozenset(of_cell.select(RECORDED).iter_rows()) for (cell,), of_cell in rows.group_by("cell")}


def copy_notes(frame: pl.DataFrame, packs: Mapping[str, str]) -> dict[str, str]:
    """Returns a sentence for each cell that has the play of a cell in another pack.

    Args:
        frame: results of all cells.
        packs: name of the pack of each cell to compare.
    """
    played: Counter[str] = Counter()
    alike: dict[tuple, list[tuple[str, float]]] = defaultdict(list)
    columns = ("cell", "state_chain", "latency_ms", "game", "task", "seed", "repeat")
    for cell, chain, latency, *episode in frame.select(columns).iter_rows():
        if cell in packs and chain:
            played[cell] += 1
            alike[chain, *episode].append((cell, latency))
    states: Counter[tuple[str, str]] = Counter()
    measured: Counter[tuple[str, str]] = Counter()
    for cells in alike.values():
        for a, latency in cells:
            for b, other in cells:
                if packs[a] != packs[b]:
                    states[a, b] += 1
                    measured[a, b] += bool(latency) and latency == other
    return {cell: note for cell in packs if (note := _note(cell, played[cell], states, measured, packs))}


def _note(
    cell: str,
    episodes: int,
    states: Mapping[tuple[str, str], int],
    measured: Mapping[tuple[str, str], int],
    packs: Mapping[str, str],
) -> str:
    shared = {b: n for (a, b), n in states.items() if a == cell}
    copies = [b for b in shared if measured[cell, b]]
    similar = [b for b in shared if not measured[cell, b] and shared[b] >= ALIKE * episodes]
    notes = []
    if copies:
        most = max(measured[cell, b] for b in copies)
        notes.append(f"the same recording as {_named(copies, packs)} in {most} of {episodes} episodes")
    if similar:
        most = max(shared[b] for b in similar)
        notes.append(f"the same states as {_named(similar, packs)} in {most} of {episodes} episodes")
    return f"{', '.join(notes)}: nothing proves which was recorded first" if notes else ""


def _named(cells: list[str], packs: Mapping[str, str]) -> str:
    names = sorted({packs[cell] for cell in cells})
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"
