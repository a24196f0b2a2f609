"""Which ends are judged where not all of them are: as many of every milestone level as of any other, and no two alike.

After FlashAdventure's agreement study, which judged two different ends of every level, eight or nine a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gwray.judges.truth import reached
from gwray.records import EpisodeRecord
from gwray.store import RunDir


@dataclass(frozen=True)
class End:
    """How an episode ended."""

    key: str
    task: str
    level: int
    """Milestones reached."""
    state: str
    """Hash of its last state."""


def ends_in(run: RunDir, records: Iterable[EpisodeRecord]) -> list[End]:
    """The ends of those episodes whose files are there."""
    out = []
    for record in records:
        if run.has_episode(record.key) and (rows := run.read_steps(record.key, images=False)):
            out.append(End(record.key, record.task, len(reached(rows)), rows[-1].state_hash))
    return out


def sampled(ends: Iterable[End], per_level: int, per_game: int) -> list[End]:
    """Of each task at most `per_game` ends, and of each number of milestones at most `per_level`, 0: any number; never
    two with the same last state.

    One of each level first, then a second of each, and so on; where there is not room for all levels, for some that lie
    evenly between the lowest and the highest. Which of several is taken depends on their keys alone, which are hashes.
    """
    by_task: dict[str, dict[int, list[End]]] = {}
    seen: set[tuple[str, str]] = set()
    for end in sorted(ends, key=lambda e: e.key):
        if (end.task, end.state) not in seen:
            seen.add((end.task, end.state))
            by_task.setdefault(end.task, {}).setdefault(end.level, []).append(end)
    out: list[End] = []
    for levels in by_task.values():
        taken: list[End] = []
        most = max(map(len, levels.values()))
        for n in range(min(most, per_level or most)):
            there = [levels[level][n] for level in sorted(levels) if len(levels[level]) > n]
            taken += _spread(there, per_game - len(taken)) if per_game else there
        out += taken
    return out


def _spread(ends: Sequence[End], room: int) -> list[End]:
    """Up to so many of these, evenly."""
    if room >= len(ends):
        return [*ends]
    return [ends[(len(ends) - 1) * i // max(1, room - 1)] for i in range(max(0, room))]
