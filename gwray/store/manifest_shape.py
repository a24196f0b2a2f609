"""What `run.json` must look like for anybody to read it, whoever wrote it.

Names and kinds of values only: that they follow from each other is shown by verification. What this version does not
know is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Strict, Tag, ValidationError, model_validator

KEY = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}"
"""An episode's key; it is part of the names of files."""

_Count = Annotated[int, Field(ge=0, le=2**53)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Cell(_Part):
    id: str
    name: str = ""
    spec: dict[str, Any] = Field(default_factory=dict)
    axes: dict[str, Any] = Field(default_factory=dict)
    planned: _Count = 0


_Seed = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]


class _Played(_Part):
    action: dict[str, Any] = Field(default_factory=dict)
    prefix: str = Field(default="", pattern="^[0-9a-f]{0,64}$")


class _Episode(_Played):
    key: str = Field(pattern=f"^{KEY}$")
    cell: str = ""
    game: str = ""
    task: str = ""
    seed: _Seed = 0
    repeat: _Count = 0


class _Repeats(_Played):
    """Episodes of one cell on one task (see `planned`)."""

    cell: str
    game: str
    task: str
    keys: str = Field(pattern=f"^{KEY}( {KEY})*$")
    rounds: list[Annotated[tuple[_Seed, _Count, Annotated[int, Field(ge=1, le=2**53)]], Strict(False)]]

    @model_validator(mode="after")
    def _a_key_each(self) -> _Repeats:
        counted, keys = sum(n for _, _, n in self.rounds), self.keys.count(" ") + 1
        if counted != keys:
            raise ValueError(f"{counted} episodes have {keys} keys")
        return self


def _kind(part: Any) -> str:
    return "repeats" if isinstance(part, dict) and "keys" in part else "episode"


class _Manifest(_Part):
    id: str
    name: str | None = None
    libraries: list[Annotated[str, Field(pattern="^[^\\x00]*$")]] = Field(default_factory=list)
    games: dict[str, str] = Field(default_factory=dict)
    kinds: dict[str, str] = Field(default_factory=dict)
    cells: list[_Cell] = Field(default_factory=list)
    episodes: list[
        Annotated[Annotated[_Repeats, Tag("repeats")] | Annotated[_Episode, Tag("episode")], Discriminator(_kind)]
    ] = Field(default_factory=list)
    jobs: list[dict[str, Any]] = Field(default_factory=list)
    prices: dict[str, str] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    seal: str = ""


def misshapen(manifest: dict[str, Any]) -> str:
    """The first thing that nobody could read, and where; empty if there is none."""
    try:
        read = _Manifest.model_validate(manifest)
    except ValidationError as e:
        first = e.errors(include_url=False)[0]
        where = ".".join(str(x) for x in first["loc"] if x not in ("repeats", "episode"))
        return f"{where}: {first['msg']}, found {str(first['input'])[:60]!r}"
    keys = chain.from_iterable(e.keys.split(" ") if isinstance(e, _Repeats) else [e.key] for e in read.episodes)
    for name, ids in (("cells", (c.id for c in read.cells)), ("episodes", keys)):
        if twice := _twice(ids):
            return f"{name}: '{twice}' is there twice"
    cells = {cell.id for cell in read.cells}
    if lost := next((e for e in read.episodes if e.cell and e.cell not in cells), None):
        key = lost.key if isinstance(lost, _Episode) else lost.keys.partition(" ")[0]
        return f"episodes: '{key}' is of cell '{lost.cell[:60]}', which is not there"
    return ""


def _twice(ids: Iterable[str]) -> str:
    seen: set[str] = set()
    return next((id for id in ids if id in seen or seen.add(id)), "")
