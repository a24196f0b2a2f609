"""`run.json` as one frozen model, validated when it is read, and the episodes that it plans.

Validation covers names, types and sizes, so a damaged or hostile file is refused with the place of its first invalid
value. Whether the values follow from each other is checked by `gwray verify`. Fields that this version does not know
are kept and written back.

Planned episodes are stored as a product, one group for each cell and task, and are never expanded to a list in memory:

    {"cell": "6f…", "game": "13_flappy-bird", "task": "13_01", "rounds": [[42, 0, 10]], "keys": "0c3… 91f… …"}

`rounds` are [seed, first repeat, count]: ten repeats with seed 42. The keys are stored, in that order, because a reader
need not have the games, and the keys of a cell with a redacted value cannot be recomputed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby, islice
from typing import Annotated, Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, RootModel, Strict, ValidationError, model_validator

from gwray.errors import UsageError
from gwray.settings import LOCAL_PLAYERS

FORMAT = 1
"""Increase it when the content of a run directory changes. Only this format can be read."""

KEY = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}"
"""Pattern of an episode key, which is part of file names."""

SHAPE = "A run directory holds run.json, results.jsonl, failures.jsonl, replies/ and episodes/."
_DAMAGED = (
    "If this is a run whose run.json was damaged, remove that file and start the same command again: replies and "
    "results are kept, and no request is repeated."
)

_Count = Annotated[int, Field(ge=0, le=2**53)]
_Seed = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
_Action = Annotated[dict[str, Any], Field(default_factory=dict)]
_Prefix = Annotated[str, Field(pattern="^[0-9a-f]{0,64}$")]
_List = Strict(False)  # JSON has no tuples

Rounds = tuple[Annotated[tuple[_Seed, _Count, Annotated[int, Field(ge=1, le=2**53)]], _List], ...]
"""(seed, first repeat, number of repeats), …"""


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    def stored(self) -> dict[str, Any]:
        """Returns the fields that were set, in the order in which they are written. Nothing is copied or converted."""
        names = self.model_fields_set
        return {n: getattr(self, n) for n in type(self).model_fields if n in names} | (self.model_extra or {})


class ManifestCell(_Part):
    """A cell of the sweep: its specification, and facts about it that tables show."""

    id: str
    name: str = ""
    model: str = ""
    interface: str = ""
    timing: str = ""
    latency: str = ""
    memory_rounds: int = 0
    agent: str = ""
    sees_state: bool = False
    axes: dict[str, Any] | None = None
    spec: dict[str, Any] = Field(default_factory=dict)
    planned: _Count = 0
    """Number of episodes that the plan has for the cell."""

    @property
    def free(self) -> bool:
        """Whether no model plays it, only players whose replies cost nothing."""
        profiles = [self.spec.get("model")]
        for others in (self.spec.get("roles"), self.spec.get("helpers")):
            profiles += others.values() if isinstance(others, dict) else ()
        return all(isinstance(p, dict) and str(p.get("provider")) in LOCAL_PLAYERS for p in profiles)


class PlannedEpisode(NamedTuple):
    """An episode of the plan."""

    key: str
    cell: str
    game: str
    task: str
    seed: int = 0
    repeat: int = 0
    action: Mapping[str, Any] = {}
    """The settings of `ActionSpec` that differ from their defaults."""
    prefix: str = ""
    """For a fork: the hash of the steps that it starts from."""


class EpisodeGroup(_Part):
    """Episodes of one cell on one task, which differ in seed and repeat only."""

    cell: str
    game: str
    task: str
    action: _Action
    prefix: _Prefix = ""
    rounds: Annotated[Rounds, _List]
    keys: str = Field(pattern=f"^{KEY}( {KEY})*$")
    """The keys in the order of `rounds`, separated by spaces."""

    @model_validator(mode="after")
    def _has_a_key_per_episode(self) -> Self:
        if len(self) != (keys := self.keys.count(" ") + 1):
            raise ValueError(f"{len(self)} episodes have {keys} keys")
        return self

    def __len__(self) -> int:
        return sum(n for _, _, n in self.rounds)

    def episode_keys(self) -> list[str]:
        return self.keys.split(" ")

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yields each episode as the seal covers it: a field is present only if it was set."""
        same = {n: v for n, v in self.stored().items() if n in ("cell", "game", "task", "action", "prefix")}
        rounds = ((seed, first + i) for seed, first, n in self.rounds for i in range(n))
        for key, (seed, repeat) in zip(self.episode_keys(), rounds, strict=True):
            yield {"key": key, **same, "seed": seed, "repeat": repeat}


class PlannedEpisodes(RootModel[Annotated[tuple[EpisodeGroup, ...], _List]]):
    """The planned episodes of a run. Iterating yields `PlannedEpisode`s one by one, in the order of the plan."""

    model_config = ConfigDict(frozen=True)

    root: Annotated[tuple[EpisodeGroup, ...], _List] = ()

    @classmethod
    def group(cls, episodes: Iterable[PlannedEpisode]) -> PlannedEpisodes:
        """Groups neighboring episodes of the same cell and task."""
        groups = groupby(episodes, lambda e: (e.cell, e.game, e.task, e.action, e.prefix))
        return cls.model_construct(tuple(_make_group(same, members) for same, members in groups))

    @property
    def parts(self) -> tuple[EpisodeGroup, ...]:
        """Groups, as stored in `run.json`."""
        return self.root

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __iter__(self) -> Iterator[PlannedEpisode]:  # type: ignore[override]
        for p in self.parts:
            rounds = ((seed, first + i) for seed, first, n in p.rounds for i in range(n))
            for key, (seed, repeat) in zip(p.episode_keys(), rounds, strict=True):
                yield PlannedEpisode(key, p.cell, p.game, p.task, seed, repeat, p.action, p.prefix)

    def __getitem__(self, index: int) -> PlannedEpisode:
        return next(islice(self, range(len(self))[index], None))

    def episode_keys(self) -> Iterator[str]:
        return chain.from_iterable(p.episode_keys() for p in self.parts)

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yields the episodes as the seal covers them."""
        return chain.from_iterable(p.entries() for p in self.parts)

    def select(self, keep: Callable[[EpisodeGroup], bool]) -> PlannedEpisodes:
        """Returns the episodes of the parts for which `keep` is true."""
        return PlannedEpisodes.model_construct(tuple(filter(keep, self.parts)))

    def without_forks(self) -> PlannedEpisodes:
        return self.select(lambda part: not part.prefix)

    def per_cell(self) -> Counter[str]:
        """Returns the number of episodes of each cell."""
        counts: Counter[str] = Counter()
        for part in self.parts:
            counts[part.cell] += len(part)
        return counts

    def games(self) -> list[str]:
        """Returns the ids of the games, sorted."""
        return sorted({p.game for p in self.parts})

    def columns(self) -> dict[str, list[Any]]:
        """Returns the columns key, cell, game, task, seed and repeat, one value per episode."""
        out: dict[str, list[Any]] = {name: [] for name in ("key", "cell", "game", "task", "seed", "repeat")}
        for part in self.parts:
            for name in ("cell", "game", "task"):
                out[name] += [getattr(part, name)] * len(part)
            out["key"] += part.episode_keys()
            for seed, first, n in part.rounds:
                out["seed"] += [seed] * n
                out["repeat"] += range(first, first + n)
        return out

    def merge(self, other: PlannedEpisodes) -> PlannedEpisodes:
        """Appends the episodes of another plan whose keys this one does not have."""
        known = {*self.episode_keys()}
        added = PlannedEpisodes.group(e for e in other if e.key not in known)
        return PlannedEpisodes.model_construct((*self.parts, *added.parts))


def _make_group(same: tuple[str, str, str, Mapping[str, Any], str], members: Iterable[PlannedEpisode]) -> EpisodeGroup:
    """Returns one group of episodes that share cell, game, task, action settings and prefix."""
    keys: list[str] = []
    rounds: list[tuple[int, int, int]] = []
    for e in members:
        keys.append(e.key)
        seed, first, n = rounds[-1] if rounds else (None, 0, 0)
        if seed == e.seed and first + n == e.repeat:
            rounds[-1] = e.seed, first, n + 1
        else:
            rounds.append((e.seed, e.repeat, 1))
    cell, game, task, action, prefix = same
    more = ({"action": action} if action else {}) | ({"prefix": prefix} if prefix else {})
    keyed = {"rounds": tuple(rounds), "keys": " ".join(keys)}
    return EpisodeGroup.model_construct(cell=cell, game=game, task=task, **more, **keyed)


MAX_DEPTH = 60
"""Levels of nested values in `run.json`; deeper ones would exhaust the stack of what reads them."""


class RunManifest(_Part):
    """The plan of a run, and the circumstances in which it was made."""

    format: int = FORMAT
    id: str = ""
    """Random, assigned when the run is created; survives moving the directory."""
    name: str | None = None
    protocol_version: int = 0
    libraries: Annotated[tuple[Annotated[str, Field(pattern="^[^\\x00]*$")], ...], _List] = ()
    """Folders of game libraries beside those that come with gwray."""
    games: dict[str, str] = Field(default_factory=dict)
    """Hash of the files of each game, by id."""
    kinds: dict[str, str] = Field(default_factory=dict)
    """Version or digest of the code of each environment that does not come with gwray."""
    cells: Annotated[tuple[ManifestCell, ...], _List] = ()
    episodes: PlannedEpisodes = PlannedEpisodes()
    jobs: Annotated[tuple[dict[str, Any], ...], _List] = ()
    """The resolved settings of each command, as `RunSpec` dumps them."""
    gwray: str = ""
    git_commit: str | None = None
    command: str = ""
    created: str = ""
    """UTC, ISO 8601."""
    versions: dict[str, str] = Field(default_factory=dict)
    prices: dict[str, str] = Field(default_factory=dict)
    """Source and date of the prices of each model."""
    engines: Annotated[tuple[dict[str, Any], ...], _List] = ()
    """Metrics of the engines of hosted models."""
    seal: str = ""

    @classmethod
    def read(cls, raw: bytes, url: str) -> RunManifest:
        """Reads the bytes of the `run.json` at `url`. Raises `UsageError` if this version cannot read them."""
        try:
            data = json.loads(raw.decode())  # of bytes it would guess another encoding
        except (ValueError, RecursionError) as e:
            raise UsageError(f"{url}/run.json is not JSON ({e}). {SHAPE} {_DAMAGED}") from e
        if not isinstance(data, dict) or not isinstance(data.get("format"), int):
            raise UsageError(f"{url}/run.json was not written by gwray: it has no `format`. {SHAPE}")
        if data["format"] != FORMAT:
            raise UsageError(
                f"{url} has run directory format {data['format']}; this gwray supports format {FORMAT} only. "
                "Use the version of gwray that wrote it."
            )
        try:
            return cls.parse(data)
        except ValueError as e:
            raise UsageError(f"{url}/run.json was damaged or changed: {e}. {_DAMAGED}") from e

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> RunManifest:
        """Validates a parsed `run.json`. Raises `ValueError` that names the place of the first invalid value."""
        level = [data]
        for _ in range(MAX_DEPTH):
            level = [
                v for x in level for v in (x.values() if isinstance(x, dict) else x if isinstance(x, list) else ())
            ]
        if level:
            raise ValueError(f"its values are nested more than {MAX_DEPTH} levels deep")
        try:
            manifest = cls.model_validate(data)
        except ValidationError as e:
            first = e.errors(include_url=False)[0]
            where = ".".join(str(x) for x in first["loc"])
            raise ValueError(f"{where}: {first['msg']}, found {str(first['input'])[:60]!r}") from e
        if "id" not in manifest.model_fields_set:
            raise ValueError("id: Field required")
        for name, ids in (("cells", (c.id for c in manifest.cells)), ("episodes", manifest.episodes.episode_keys())):
            if duplicate := _duplicate(ids):
                raise ValueError(f"{name}: '{duplicate}' is listed twice")
        cells = {cell.id for cell in manifest.cells}
        if orphan := next((p for p in manifest.episodes.parts if p.cell not in cells), None):
            key = orphan.episode_keys()[0]
            raise ValueError(f"episodes: '{key}' is of cell '{orphan.cell[:60]}', which is not listed")
        return manifest

    def named_cells(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """Returns name and specification of each cell, by id."""
        return {c.id: (c.name or c.id, c.spec) for c in self.cells}

    def without_forks(self) -> RunManifest:
        """Returns the manifest without forks and without the cells that only forks play. Goes with a results frame,
        which has no forks either."""
        episodes = self.episodes.without_forks()
        if len(episodes) == len(self.episodes):
            return self
        counts = episodes.per_cell()
        cells = tuple(c.model_copy(update={"planned": counts[c.id]}) for c in self.cells if counts[c.id])
        return self.model_copy(update={"episodes": episodes, "cells": cells})

    def text(self, *, ensure_ascii: bool) -> str:
        """Returns the content of `run.json`: indented, with one line per group of episodes."""

        def dump(value: Any, indent: int | None = None) -> str:
            return json.dumps(value, indent=indent, ensure_ascii=ensure_ascii, default=str)

        data = self.stored()
        if "cells" in data:
            data["cells"] = [cell.stored() for cell in self.cells]
        if "episodes" in data:
            data["episodes"] = []
        if seal := data.pop("seal", ""):
            data["seal"] = seal
        text, begin = dump(data, 2), '\n  "episodes": ['
        if not self.episodes.parts:
            return text
        return text.replace(
            begin, begin + ",".join(f"\n    {dump(p.stored())}" for p in self.episodes.parts) + "\n  ", 1
        )


def _duplicate(ids: Iterable[str]) -> str:
    seen: set[str] = set()
    return next((id for id in ids if id in seen or seen.add(id)), "")
