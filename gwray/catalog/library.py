"""One library: reads its `library.yaml` and its `game.yaml` files, and says exactly what is wrong with a bad one.

All libraries together are `gwray.catalog.catalog`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gwray import yaml12
from gwray.catalog.documents import read_document
from gwray.catalog.game import Game
from gwray.catalog.site import SiteError, hash_files, site
from gwray.catalog.task import Task
from gwray.errors import GameError, UsageError, choose
from gwray.identity import said
from gwray.records import canonical, digest
from gwray.validation import in_words, names_at

LIBRARY_FILE = "library.yaml"


class Library(BaseModel):
    """One folder of game folders, and what its `library.yaml` says of them. A folder without that file is a library
    too: the folder's name is its id, and its games may have any genre or none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    title: str = ""
    categories: tuple[str, ...] = ()
    """The genres that its games may have; empty: any."""
    levels: dict[int, str] = Field(default_factory=dict)
    """The capability levels that its games may have, with their names; empty: any."""
    defaults: dict[str, dict[Literal["action.per_reply"], int]] = Field(default_factory=dict)
    """Settings of single games, by game id: what holds where a command says nothing."""
    published: str = ""
    """Name of the published tables that stand beside results on it."""
    folder: Path = Field(default=Path(), exclude=True)
    """Where it was found; set by the reader."""

    def games(self) -> list[Game]:
        """Its games, in the order of their folders. Raises `GameError` for one that is wrong."""
        found = [self._with_defaults(read_game(file, self)) for file in sorted(self.folder.glob("*/game.yaml"))]
        if unknown := sorted(set(self.defaults) - {g.id for g in found}):
            raise choose("game", unknown[0], [g.id for g in found], f"See `defaults` in {self.folder / LIBRARY_FILE}.")
        return found

    def _with_defaults(self, game: Game) -> Game:
        return game.model_copy(update={"defaults": self.defaults.get(game.id, {})})

    def refusal(self, genre: str, level: int) -> tuple[str, str] | None:
        """The field of a game that is wrong here and why, or None."""
        if self.categories and genre not in self.categories:
            return "genre", f"library {self.id} has the categories {', '.join(self.categories)}"
        if self.levels and level not in self.levels:
            return "level", f"library {self.id} has the levels {', '.join(map(str, sorted(self.levels)))}"
        return None


def read_library(folder: Path) -> Library:
    """What a folder of game folders says of itself. Raises `UsageError` if it is no folder or says something wrong."""
    if not folder.is_dir():
        raise UsageError(
            f"library '{folder}' is not a folder; a library is a folder of game folders, each with a game.yaml"
        )
    file = folder / LIBRARY_FILE
    try:
        data = read_document(file)[0] if file.is_file() else _unsaid(folder)
        return Library.model_validate(data).model_copy(update={"folder": folder})
    except ValidationError as e:
        problems = "; ".join(f"{'.'.join(map(str, p['loc']))}: {in_words(p, Library)}" for p in e.errors())
        raise UsageError(f"{file}: {problems}") from e
    except (OSError, yaml.YAMLError) as e:
        raise UsageError(f"{file}: {e}") from e


def _unsaid(folder: Path) -> dict[str, Any]:
    return {"id": re.sub(r"[^a-z0-9_-]+", "-", folder.name.lower()).strip("-_") or "library"}


def read_game(file: Path, library: Library | None = None) -> Game:
    """Read and check one `game.yaml`, in its folder's library. Raises `GameError` naming file, line, value and what is
    allowed."""
    try:
        data, root = read_document(file)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise GameError(yaml12.what_is_wrong(file, e)) from e
    if not isinstance(data, dict):
        raise GameError(f"{file}:1: a game.yaml is a mapping with id, title, genre, …; this is {type(data).__name__}")
    folder = file.parent.resolve()
    try:
        game = Game.model_validate(data)
    except ValidationError as e:
        problems = [p for p in e.errors() if not _follows(p, e.errors())]
        raise GameError("\n".join(dict.fromkeys(_explain(file, root, problem) for problem in problems))) from e
    if wrong := (library or read_library(folder.parent)).refusal(game.genre, game.level):
        field, why = wrong
        raise GameError(f"{file}:{_line(root, (field,))}: {field}: {why} (given: {getattr(game, field)!r})")
    if game.kind == "browser" and not (folder / game.page).is_file():
        raise GameError(f"{file}:{_line(root, ('page',))}: page '{game.page}' does not exist in {folder}")
    if game.id != folder.name:
        raise GameError(f"{file}:{_line(root, ('id',))}: id '{game.id}' differs from the folder name '{folder.name}'")
    try:
        found = {"folder": folder, "files_hash": hash_files(folder, game.uses), "site": site(folder, game.uses)}
    except SiteError as e:
        place = () if e.place is None else ("uses", e.place)
        raise GameError(f"{file}:{_line(root, place)}: {'.'.join(map(str, place)) or 'game'}: {e}") from e
    return game.model_copy(update=found)


def identity(game: Game, task: Task) -> str:
    """Everything about a game and a task that can change an episode, as one hash."""
    facts = said(game, leave_out=("tasks", "genre", "level", "summary"))
    return digest(game.files_hash, canonical(facts), canonical(said(task, leave_out=("metrics", "scenario"))))


def definition(game: Game) -> str:
    """Everything that a game is, the rules and measures of all its tasks too, as one hash; its files as they are on the
    disk now."""
    return digest(hash_files(game.folder, game.uses), canonical(said(game)))


def _follows(problem: Any, problems: Sequence[Any]) -> bool:
    """Whether a list is called too short only because what is in it is wrong."""
    n = len(problem["loc"])
    return problem["type"] == "too_short" and any(p["loc"][:n] == problem["loc"] != p["loc"] for p in problems)


def _explain(file: Path, root: yaml.Node | None, problem: Any) -> str:
    *before, last = problem["loc"] or ("",)
    kept = problem["type"] == "missing" or last in names_at(Game, before)
    loc, line = _found(root, problem["loc"], kept)
    path = ".".join(str(p) for p in loc)
    given = problem.get("input")
    shown = f" (given: {given!r})" if isinstance(given, (str, int, float, bool)) else ""
    return f"{file}:{line}: {path or 'game'}: {in_words(problem, Game)}{shown}"


def _line(root: yaml.Node | None, loc: Sequence[Any]) -> int:
    return _found(root, loc)[1]


def _found(node: yaml.Node | None, loc: Sequence[Any], whole: bool = True) -> tuple[list[Any], int]:
    """A location path as the file has it, and the line (from 1) of the deepest node that it reaches.

    A path may name kinds of things that the file has no key for (which predicate it is); they are passed over. With
    `whole` the last part is kept in any case: it may be what is missing.
    """
    line, path = node.start_mark.line + 1 if node else 1, []
    for i, part in enumerate(loc):
        found = None
        if isinstance(node, yaml.MappingNode):
            for k, v in node.value:
                if k.value == str(part):
                    found, line = v, k.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
            line = found.start_mark.line + 1
        if found is not None or (whole and i == len(loc) - 1):
            path.append(part)
        node = found or node
    return path, line
