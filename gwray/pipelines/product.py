"""The episodes of a plan as a lazy product: one part per cell and task, with its seeds and repeats. A plan of a million
episodes has a thousand parts; an `EpisodeSpec` is built when it is accessed."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain, filterfalse, groupby
from typing import overload

from gwray.records import Digest, digest
from gwray.settings import ActionSpec, CellSpec, EpisodeSpec

Round = tuple[int, int]
"""Seed and repeat."""


@dataclass(frozen=True)
class KeyMaker:
    """Computes the keys of one task's episodes. `begun`: digest of their first parts; `last`: their last parts."""

    begun: Digest
    last: tuple[str, ...]

    def key(self, seed: int, repeat: int) -> str:
        return self.begun.and_then(str(seed), str(repeat), *self.last).value()[:20]

    @property
    def same(self) -> str:
        """Equal for makers of equal keys."""
        return self.begun.and_then(*self.last).value()


@dataclass(frozen=True)
class Repeats(Sequence[EpisodeSpec]):
    """Episodes of one cell and task, which differ in seed and repeat only."""

    cell_id: str
    cell: CellSpec
    game: str
    task: str
    action: ActionSpec
    prefix: str
    rounds: Sequence[Round]
    keys: KeyMaker

    def __len__(self) -> int:
        return len(self.rounds)

    def __iter__(self) -> Iterator[EpisodeSpec]:
        return map(self._episode, self.rounds)

    @overload
    def __getitem__(self, index: int) -> EpisodeSpec: ...
    @overload
    def __getitem__(self, index: slice) -> Repeats: ...
    def __getitem__(self, index: int | slice) -> EpisodeSpec | Repeats:
        if isinstance(index, slice):
            return replace(self, rounds=self.rounds[index])
        return self._episode(self.rounds[index])

    def _episode(self, seed_and_repeat: Round) -> EpisodeSpec:
        seed, repeat = seed_and_repeat
        return EpisodeSpec(
            key=self.keys.key(seed, repeat),
            cell_id=self.cell_id,
            cell=self.cell,
            game=self.game,
            task=self.task,
            seed=seed,
            repeat=repeat,
            action=self.action,
            prefix=self.prefix,
        )

    def without(self, done: Collection[str]) -> Repeats:
        """Returns the episodes whose keys are not in `done`."""
        left = [r for r in self.rounds if self.keys.key(*r) not in done]
        return self if len(left) == len(self.rounds) else replace(self, rounds=left)


class Episodes(Sequence[EpisodeSpec]):
    """A lazy sequence of the episodes of several parts."""

    def __init__(self, parts: Iterable[Repeats] = ()):
        self.parts = tuple(part for part in parts if part.rounds)
        self._ends = list(accumulate(len(part.rounds) for part in self.parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[EpisodeSpec]:
        return chain.from_iterable(self.parts)

    @overload
    def __getitem__(self, index: int) -> EpisodeSpec: ...
    @overload
    def __getitem__(self, index: slice) -> Episodes: ...
    def __getitem__(self, index: int | slice) -> EpisodeSpec | Episodes:
        places = range(len(self))[index]
        if isinstance(places, int):
            n = bisect_right(self._ends, places)
            return self.parts[n][places - self._ends[n]]  # counted from the part's end
        parts = ((self.parts[n], those) for n, those in groupby(places, lambda at: bisect_right(self._ends, at)))
        begins = {id(part): end - len(part) for part, end in zip(self.parts, self._ends, strict=True)}
        return Episodes(replace(p, rounds=[p.rounds[at - begins[id(p)]] for at in those]) for p, those in parts)

    def without(self, done: Collection[str]) -> Episodes:
        """Returns the episodes whose keys are not in `done`."""
        return Episodes(part.without(done) for part in self.parts) if done else self

    def divided(self, kept: Callable[[Repeats], bool]) -> tuple[Episodes, Episodes]:
        """Splits by part: those that `kept` accepts, and the others."""
        return Episodes(filter(kept, self.parts)), Episodes(filterfalse(kept, self.parts))

    def of_cell(self, cell_id: str) -> Episodes:
        return self._by_cell.get(cell_id, Episodes())

    @cached_property
    def _by_cell(self) -> dict[str, Episodes]:
        parts: dict[str, list[Repeats]] = defaultdict(list)
        for part in self.parts:
            parts[part.cell_id].append(part)
        return {cell_id: Episodes(those) for cell_id, those in parts.items()}

    def games(self) -> list[str]:
        """Returns the sorted ids of the games."""
        return sorted({part.game for part in self.parts})


def play_order(episodes: Episodes) -> list[Repeats]:
    """Returns the parts in the order in which each repeat is played, so that every prefix of a sweep is a fair sample:
    the games take turns, each with its tasks in an order that is fixed but not that of difficulty, and every cell plays
    a task before the next task starts."""
    tasks: dict[str, dict[str, str]] = defaultdict(dict)
    for part in episodes.parts:
        tasks[part.game].setdefault(part.task, digest("order of play", part.game, part.task))
    turns = {
        (game, task): (turn, place)
        for place, (game, hashes) in enumerate(tasks.items())
        for turn, task in enumerate(sorted(hashes, key=hashes.__getitem__))
    }
    return sorted(episodes.parts, key=lambda part: turns[part.game, part.task])
