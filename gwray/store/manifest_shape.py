"""What `run.json` must look like for anybody to read it, whoever wrote it.

Names and kinds of values only: that they follow from each other is shown by verification. What this version does not
know is left as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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


class _Episode(_Part):
    key: str = Field(pattern=f"^{KEY}$")
    cell: str = ""
    game: str = ""
    task: str = ""
    seed: int = Field(default=0, ge=-(2**63), le=2**63 - 1)
    repeat: _Count = 0
    action: dict[str, Any] = Field(default_factory=dict)
    prefix: str = Field(default="", pattern="^[0-9a-f]{0,64}$")


class _Manifest(_Part):
    id: str
    name: str | None = None
    libraries: list[Annotated[str, Field(pattern="^[^\\x00]*$")]] = Field(default_factory=list)
    games: dict[str, str] = Field(default_factory=dict)
    kinds: dict[str, str] = Field(default_factory=dict)
    cells: list[_Cell] = Field(default_factory=list)
    episodes: list[_Episode] = Field(default_factory=list)
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
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}, found {str(first['input'])[:60]!r}"
    for name, ids in (("cells", (c.id for c in read.cells)), ("episodes", (e.key for e in read.episodes))):
        if twice := _twice(ids):
            return f"{name}: '{twice}' is there twice"
    cells = {cell.id for cell in read.cells}
    if lost := next((e for e in read.episodes if e.cell and e.cell not in cells), None):
        return f"episodes: '{lost.key}' is of cell '{lost.cell[:60]}', which is not there"
    return ""


def _twice(ids: Iterable[str]) -> str:
    return next((id for id, times in Counter(ids).items() if times > 1), "")
