"""The planned episodes of a run, which `run.json` holds as a product: for each cell and task the seeds and repeats.

Read from a manifest, they are a sequence of entries that is walked and never a list in memory, whatever its length. A
part of it, as it is written:

    {"cell": "6f…", "game": "13_flappy-bird", "task": "13_01", "rounds": [[42, 0, 10]], "keys": "0c3… 91f… …"}

`rounds` are [seed, first repeat, how many]: here ten repeats with seed 42. The keys, in that order, are written down,
since whoever reads a run need not have its games, and of a cell with a redacted value nobody can make them again. Runs
of format 1 list each episode by itself; such entries are parts of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import eq
from typing import Any, overload

Entry = Mapping[str, Any]
"""key, cell, game, task, seed, repeat; `action` and `prefix` where they say something."""

_OF_A_PART = ("cell", "game", "task", "action", "prefix")
_OF_AN_EPISODE = ("key", "seed", "repeat")


class PlannedEpisodes(Sequence[dict[str, Any]]):
    """Entries of planned episodes. `parts`: as they are written, of this format or the first."""

    def __init__(self, parts: Iterable[Entry] = ()):
        self.parts = tuple(parts)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> PlannedEpisodes:
        """Entries as a product, in their order; those that say more than an entry does stay as they are."""
        return entries if isinstance(entries, cls) else cls(_parts(entries))

    @classmethod
    def in_manifest(cls, manifest: Mapping[str, Any]) -> PlannedEpisodes:
        """Those of a manifest, also of one that was made here and lists them."""
        found = manifest.get("episodes") or ()
        return found if isinstance(found, PlannedEpisodes) else cls(found)

    def __len__(self) -> int:
        return sum(map(_count, self.parts))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return chain.from_iterable(map(_entries, self.parts))

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(index, slice):
            return list(islice(self, *index.indices(len(self))))
        at = range(len(self))[index]
        return next(islice(self, at, None))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return False
        return getattr(other, "parts", ()) == self.parts or all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def each_key(self) -> Iterator[str]:
        return chain.from_iterable(map(_keys, self.parts))

    def without_forks(self) -> PlannedEpisodes:
        return PlannedEpisodes(p for p in self.parts if not p.get("prefix"))

    def per_cell(self) -> Counter[str]:
        """How many each cell has."""
        counted: Counter[str] = Counter()
        for part in self.parts:
            counted[part.get("cell", "")] += _count(part)
        return counted

    def games(self) -> list[str]:
        """Those that are played, sorted."""
        return sorted({p.get("game", "") for p in self.parts})

    def columns(self) -> dict[str, list[Any]]:
        """By name: key, cell, game, task, seed and repeat of each, 0 where seed or repeat is not said."""
        out: dict[str, list[Any]] = {name: [] for name in ("key", "cell", "game", "task", "seed", "repeat")}
        for part in self.parts:
            n = _count(part)
            for name in ("cell", "game", "task"):
                out[name] += [part.get(name)] * n
            out["key"] += _keys(part)
            for seed, first, n in _rounds(part):
                out["seed"] += [seed] * n
                out["repeat"] += range(first, first + n)
        return out

    def and_those_of(self, other: PlannedEpisodes) -> PlannedEpisodes:
        """These, and after them those of another plan that are not among them."""
        have = {*self.each_key()}
        return PlannedEpisodes([*self.parts, *_parts(e for e in other if e["key"] not in have)])


def _keys(part: Entry) -> list[str]:
    return part["keys"].split(" ") if "keys" in part else [part["key"]]


def _rounds(part: Entry) -> Sequence[Sequence[int]]:
    return part["rounds"] if "keys" in part else [(part.get("seed", 0), part.get("repeat", 0), 1)]


def _count(part: Entry) -> int:
    return sum(n for _, _, n in _rounds(part))


def _entries(part: Entry) -> Iterator[dict[str, Any]]:
    if "keys" not in part:
        yield dict(part)
        return
    same = {name: part[name] for name in _OF_A_PART if name in part}
    rounds = ((seed, first + i) for seed, first, n in _rounds(part) for i in range(n))
    for key, (seed, repeat) in zip(_keys(part), rounds, strict=True):
        yield {"key": key, **same, "seed": seed, "repeat": repeat}


def _parts(entries: Iterable[Entry]) -> Iterator[Entry]:
    before: dict[str, Any] | None = None
    keys: list[str] = []
    rounds: list[list[int]] = []

    def part() -> Iterator[Entry]:
        if before is not None:
            yield {**before, "rounds": rounds, "keys": " ".join(keys)}

    for entry in entries:
        same = {name: v for name, v in entry.items() if name not in _OF_AN_EPISODE}
        if not _is_plain(entry):
            yield from part()
            before = None
            yield entry
            continue
        if same != before:
            yield from part()
            before, keys, rounds = same, [], []
        keys.append(entry["key"])
        seed, repeat = entry["seed"], entry["repeat"]
        if rounds and rounds[-1][0] == seed and sum(rounds[-1][1:]) == repeat:
            rounds[-1][2] += 1
        else:
            rounds.append([seed, repeat, 1])
    yield from part()


def _is_plain(entry: Entry) -> bool:
    """Says what an entry does, and nothing else."""
    return {"key", "cell", "game", "task", "seed", "repeat"} <= entry.keys() <= {*_OF_A_PART, *_OF_AN_EPISODE}
