"""What a game folder says about its game, as a frozen model.

The reader of `game.yaml` is `gwray.catalog.library`; this file, `controls.py` and `task.py` are the schema and nothing
else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from gwray.catalog.controls import Frozen, Identifier, KeyedText, Role
from gwray.catalog.signatures import Signature
from gwray.catalog.task import Motion, Task
from gwray.errors import GameError


class Game(Frozen):
    """A game folder."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    title: str
    genre: str = ""
    """One of its library's categories."""
    level: int = Field(default=0, ge=0)
    """One of its library's levels; 0: none."""
    summary: str
    """One line."""
    rules: KeyedText
    """The Game Rules section of the prompt; what is about keys and mouse stands in braces, as in a role's
    description."""
    kind: str = "browser"
    """The environment it is played in: `browser` (a page), the name of an installed one, or the path `package.Class` of
    one's own."""
    viewport: tuple[int, int] = (1280, 720)
    """Width and height in pixels."""
    capture: Literal["canvas", "page"] = "page"
    """`canvas`: the page is one canvas of the viewport's size, and its pixels are the picture."""
    text: bool = False
    """The page tells what can be seen in words: `gameAPI.describe(role)`."""
    views: tuple[Identifier, ...] = ()
    """Further pictures of one instant that the page draws: `gameAPI.look(view)`."""
    state: Literal["page", "memory"] = "page"
    """Where the score's values are read: from `gameAPI.getState()`, or the fields of `signatures` from the page's
    WebAssembly memories, whatever the page says of them. Status and ending are always the page's."""
    signatures: tuple[Signature, ...] = ()
    """With `state: memory`: how the values are found."""
    reproducible: bool = True
    """False: the same actions may come to other states, so nothing of it is verified."""
    page: str = "index.html"
    """The page, in the game's folder."""
    uses: tuple[str, ...] = ("../../kit",)
    """Folders outside the game's own that the page loads, as paths from there; they count as game files, and nothing
    else is served. A kit that is not there is the bundled one."""
    roles: tuple[Role, ...] = Field(min_length=1)
    motion: Motion | None = None
    tasks: tuple[Task, ...] = Field(min_length=1)
    folder: Path = Field(default=Path(), exclude=True)
    """Where it was found; set by the reader."""
    files_hash: str = Field(default="", exclude=True)
    """Hash over every file the game is made of; set by the reader."""
    defaults: dict[str, Any] = Field(default_factory=dict, exclude=True)
    """What the game's library sets for it, such as `{"action.per_reply": 3}`; set by the reader."""
    site: tuple[tuple[str, Path], ...] = Field(default=(), exclude=True)
    """What the page is served: folders by the path they appear under; set by the reader."""

    @field_validator("tasks")
    @classmethod
    def _a_task_for_each_text(cls, tasks: tuple[Task, ...], info: ValidationInfo) -> tuple[Task, ...]:
        of_game = {"motion": info.data.get("motion"), "texts": {}}
        out: list[Task] = []
        for task in tasks:
            for name, text in task.texts.items():
                named = {"id": f"{task.id}_{name}", "instruction": text, "variant": name}
                out.append(task.model_copy(update=named | of_game))
            if not task.texts:
                out.append(task.model_copy(update=of_game))
        return tuple(out)

    @model_validator(mode="after")
    def _unique(self) -> Game:
        for what, names in (("role", [r.name for r in self.roles]), ("task", [t.id for t in self.tasks])):
            if len(set(names)) != len(names):
                raise ValueError(f"two {what}s of game '{self.id}' share a name")
        if (self.state == "memory") != bool(self.signatures):
            raise ValueError("`state: memory` and `signatures` need each other")
        if self.signatures and self.kind != "browser":
            raise ValueError(f"`state: memory` reads the memory of a page, and `kind: {self.kind}` is none")
        fields = [name for s in self.signatures for name in s.fields]
        if twice := [name for name in fields if fields.count(name) > 1]:
            raise ValueError(f"two signatures have the field '{twice[0]}'")
        if own := [name for name in fields if name.partition(".")[0] in ("status", "terminal")]:
            raise ValueError(f"'{own[0]}' is the page's own: no signature can have it")
        if within := [(a, b) for a in fields for b in fields if b.startswith(f"{a}.")]:
            raise ValueError(f"the field '{within[0][1]}' of a signature lies within its field '{within[0][0]}'")
        for view in self.views:
            if view in ("front", "previous"):
                raise ValueError(f"every game has the view '{view}'; `views` lists further ones")
        return self

    @property
    def per_reply(self) -> int:
        """Actions of one reply that are played where the user does not say."""
        return int(self.defaults.get("action.per_reply", 1))

    @property
    def page_path(self) -> str:
        """The page's path in its site, such as `gameworld/13_flappy-bird/index.html`."""
        return f"{self.folder.parent.name}/{self.folder.name}/{self.page}"

    def role(self, name: str) -> Role:
        """`GameError` if there is none."""
        for role in self.roles:
            if role.name == name:
                return role
        raise GameError(f"{self.id} has no role '{name}'; its roles: {', '.join(r.name for r in self.roles)}")

    def task(self, task_id: str, limit: int | None = None) -> Task:
        """Returns a task, with its budget reduced to `limit` (`limit.steps` of a cell).

        Raises `GameError` if there is none, such as for a run that was played with an older version of the game.
        """
        for task in self.tasks:
            if task.id == task_id:
                return task if limit is None else task.limited(limit)
        raise GameError(f"{self.id} has no task '{task_id}'; its tasks: {', '.join(t.id for t in self.tasks)}")
