"""What a game folder says about its game: roles, controls and tasks, as frozen models.

The reader of `game.yaml` is `gwray.catalog.library`; this file is the schema and nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from gwray.errors import GameError

Genre = Literal["arcade", "platformer", "puzzle", "runner", "simulation"]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]

DEFAULT_HOLD_MS = 200.0
MAX_HOLD_MS = 2000.0


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CellGrid(_Model):
    """Named cells of a board in viewport pixels: `a1` is the top left cell, letters are columns, numbers rows."""

    origin: tuple[float, float]
    """Centre of a1."""
    pitch: tuple[float, float]
    """Distance between neighbouring centres."""
    columns: int = Field(ge=1, le=26)
    rows: int = Field(ge=1, le=99)

    def names(self) -> list[str]:
        """All cell names, row by row."""
        return [f"{chr(97 + c)}{r + 1}" for r in range(self.rows) for c in range(self.columns)]

    def centre(self, cell: str) -> tuple[float, float] | None:
        """Viewport point of a cell, or None if there is no such cell."""
        name = cell.strip().lower()
        if len(name) < 2 or not name[1:].isdecimal():
            return None
        c, r = ord(name[0]) - 97, int(name[1:]) - 1
        if not (0 <= c < self.columns and 0 <= r < self.rows):
            return None
        return self.origin[0] + c * self.pitch[0], self.origin[1] + r * self.pitch[1]


class Sweep(_Model):
    """A pointer movement in viewport pixels."""

    start: tuple[float, float]
    to: tuple[float, float]


class Control(_Model):
    """A semantic control: one named thing that a role can do, bound to real input."""

    id: Identifier
    description: str
    """What it does, in words; it is shown to the model."""
    press: tuple[str, ...] = ()
    """Keys held together."""
    click: Literal["left", "right", "middle"] | None = None
    """Click (with `at` or `cells`)."""
    at: tuple[float, float] | None = None
    """Fixed point of the click."""
    cells: CellGrid | None = None
    """The control takes a `cell` argument and clicks its centre."""
    hold_click: bool = False
    """The click is held for `hold_ms` instead of released at once."""
    move: Sweep | None = None
    """Moves the pointer from one point to another."""
    type_text: bool = False
    """The control takes a `text` argument and types it."""
    wait: bool = False
    hold_ms: float | None = Field(default=None, gt=0, le=MAX_HOLD_MS)
    """How long it is held; the role's default otherwise."""

    @field_validator("press", mode="before")
    @classmethod
    def _one_key(cls, v: Any) -> Any:
        return (v,) if isinstance(v, str) else v

    @model_validator(mode="after")
    def _one_binding(self) -> Control:
        bindings = (bool(self.press), self.click is not None, self.move is not None, self.type_text, self.wait)
        if sum(bindings) != 1:
            raise ValueError(f"control '{self.id}' needs exactly one of press, click, move, type_text, wait")
        if self.click and (self.at is None) == (self.cells is None):
            raise ValueError(f"control '{self.id}' clicks: give either `at` or `cells`")
        return self


class Role(_Model):
    """A seat in a game."""

    name: Identifier
    description: str
    """Who the role is and what its keys do; part of the prompt."""
    keys: tuple[str, ...] = ()
    """Allowed keys, as `KeyboardEvent.key` names (Space for the space bar)."""
    clicks: bool = False
    hold_ms: float = Field(default=DEFAULT_HOLD_MS, gt=0, le=MAX_HOLD_MS)
    key_hold_ms: dict[str, float] = Field(default_factory=dict)
    """Per-key default holds."""
    controls: tuple[Control, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _consistent(self) -> Role:
        ids = [c.id for c in self.controls]
        if len(set(ids)) != len(ids):
            raise ValueError(f"role '{self.name}' has two controls with one id")
        for c in self.controls:
            for k in c.press:
                if k not in self.keys:
                    raise ValueError(f"control '{c.id}' presses '{k}', which is not among the role's keys")
            if (c.click or c.move) and not self.clicks:
                raise ValueError(f"control '{c.id}' uses the mouse, but the role's `clicks` is false")
        return self

    def control(self, name: str) -> Control | None:
        """The control of that id, any case."""
        return next((c for c in self.controls if c.id == name.strip().lower()), None)


class ScoreTerm(_Model):
    """One state field of a score; `cap` limits what it can contribute, so that "each" can be asked for."""

    field: str
    cap: float | None = None


class EndRule(_Model):
    """The episode ends when a state field has this value."""

    field: str
    value: Any


class Task(_Model):
    """What is asked of the roles, and how it is scored."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    instruction: str
    options: str = ""
    """URL suffix such as `?level=2`."""
    score: tuple[ScoreTerm, ...] = Field(min_length=1)
    """The score is the sum of the (capped) fields."""
    start: float = 0
    target: float
    end: EndRule | None = None
    max_steps: int = Field(default=100, ge=1)
    reset_on_fail: bool = True
    metrics: tuple[str, ...] = ()
    """State fields worth recording beside the score."""

    @field_validator("score", mode="before")
    @classmethod
    def _one_field(cls, v: Any) -> Any:
        terms = v if isinstance(v, (list, tuple)) else [v]
        return [{"field": t} if isinstance(t, str) else t for t in terms]

    @model_validator(mode="after")
    def _distinct(self) -> Task:
        if self.target == self.start:
            raise ValueError(f"task '{self.id}': target equals start, so there is nothing to do")
        return self


class Game(_Model):
    """A game folder."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    title: str
    genre: Genre
    level: int = Field(ge=1, le=5)
    """Capability level 1–5."""
    summary: str
    """One line."""
    rules: str
    """The Game Rules section of the prompt."""
    viewport: tuple[int, int] = (1280, 720)
    observation: Literal["canvas", "page"] = "page"
    """`canvas`: the page is one canvas of the viewport's size, and its pixels are the observation."""
    reproducible: bool = True
    page: str = "index.html"
    uses: tuple[str, ...] = ("../kit",)
    """Folders outside the game's own that the page loads; they count as game files."""
    roles: tuple[Role, ...] = Field(min_length=1)
    tasks: tuple[Task, ...] = Field(min_length=1)
    folder: Path = Field(default=Path(), exclude=True)
    """Where it was found; set by the reader."""
    files_hash: str = Field(default="", exclude=True)
    """Hash over every file the game is made of; set by the reader."""

    @model_validator(mode="after")
    def _unique(self) -> Game:
        for what, names in (("role", [r.name for r in self.roles]), ("task", [t.id for t in self.tasks])):
            if len(set(names)) != len(names):
                raise ValueError(f"two {what}s of game '{self.id}' share a name")
        return self

    def role(self, name: str) -> Role:
        """`GameError` if there is none."""
        for role in self.roles:
            if role.name == name:
                return role
        raise GameError(f"{self.id} has no role '{name}'; its roles: {', '.join(r.name for r in self.roles)}")

    def task(self, task_id: str) -> Task:
        """`GameError` if there is none, such as for a run that was played with an older version of the game."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise GameError(f"{self.id} has no task '{task_id}'; its tasks: {', '.join(t.id for t in self.tasks)}")
