"""Reads one library: its `library.yaml` and its `game.yaml` files. Errors name file, line, value and what is allowed.
`gwray.catalog.catalog` puts the libraries together."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gwray.catalog.defaults import GameDefaults
from gwray.catalog.game import Game
from gwray.catalog.site import SiteError, hash_files, site
from gwray.catalog.task import Task
from gwray.errors import GameError, UsageError, choose
from gwray.places import folder_path, read_regular, yaml12
from gwray.places.validation import all_in_words, in_words, names_at
from gwray.records import canonical, digest, non_defaults

LIBRARY_FILE = "library.yaml"
GAME_FILE = "game.yaml"
MAX_VALUES = 200_000
"""Values of a file with its aliases (`*name`) expanded. The bundled games have some thousands each."""
MAX_DEPTH = 64
"""Nesting levels of a file. The YAML library crashes the process on very deep files."""


class Library(BaseModel):
    """A folder of game folders, with the contents of its `library.yaml`. The file is optional, and so is each field:
    the id defaults to the folder's name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    """Default: the folder's name."""
    title: str = ""
    categories: tuple[str, ...] = ()
    """The genres that its games may have; empty: any."""
    levels: dict[int, str] = Field(default_factory=dict)
    """The capability levels that its games may have, with their names; empty: any."""
    defaults: dict[str, GameDefaults] = Field(default_factory=dict)
    """Default settings of single games, by game id: `{01_tap: {action.per_reply: 2, repeats: 3}}`."""
    published: str = ""
    """Name of the published tables that reports compare its results with."""
    folder: Path = Field(default=Path(), exclude=True)
    """Set by `read_library`."""

    def game_files(self) -> list[Path]:
        """Returns the `game.yaml` files, ordered by folder name. Raises `UsageError` if the folder cannot be read."""
        try:
            files = [folder / GAME_FILE for folder in self.folder.iterdir()]
        except OSError as e:
            raise UsageError(f"{self.folder}: cannot be read: {e.strerror}") from e
        return sorted(file for file in files if _may_exist(file))

    def read_game(self, file: Path) -> Game:
        """Reads one of its games, with this library's defaults. Raises `GameError`."""
        game = read_game(file, self)
        return game.model_copy(update={"defaults": self.defaults.get(game.id, GameDefaults())})

    def check_defaults(self) -> None:
        """Raises `UsageError` for defaults of a game that the library does not have."""
        games = [file.parent.name for file in self.game_files()]
        for game in self.defaults:
            if game not in games:
                raise choose("game", game, games, f"See `defaults` in {self.folder / LIBRARY_FILE}.")

    def refusal(self, genre: str, level: int) -> tuple[str, str] | None:
        """Returns the game field that this library does not allow, with the reason; None if both are allowed."""
        if self.categories and genre not in self.categories:
            return "genre", f"library {self.id} has the categories {', '.join(self.categories)}"
        if self.levels and level not in self.levels:
            return "level", f"library {self.id} has the levels {', '.join(map(str, sorted(self.levels)))}"
        return None


def default_library_id(folder: Path) -> str:
    """Returns the library id of a folder whose `library.yaml` does not set one."""
    return re.sub(r"[^a-z0-9_-]+", "-", folder.name.lower()).strip("-_") or "library"


def read_library(folder: Path) -> Library:
    """Reads the `library.yaml` of a folder, but none of its games. Raises `UsageError`."""
    if not folder_path(folder).is_dir():
        raise UsageError(
            f"library '{folder}' is not a folder; a library is a folder of game folders, each with a {GAME_FILE}"
        )
    file = folder / LIBRARY_FILE
    try:
        data = read_yaml(file)[0] if file.exists() else None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise UsageError(yaml12.describe_error(file, e)) from e
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise UsageError(f"{file}:1: a {LIBRARY_FILE} is a mapping with id, title, …; this is {type(data).__name__}")
    try:
        library = Library.model_validate({"id": default_library_id(folder), **data})
    except ValidationError as e:
        raise UsageError(f"{file}: {all_in_words(e, Library)}") from e
    return library.model_copy(update={"folder": folder})


def read_yaml(file: Path) -> tuple[Any, yaml.Node | None]:
    """Returns the contents of an untrusted YAML file, and its root node, which has line numbers. Aliases cannot expand
    to more than `MAX_VALUES` values, and nesting cannot exceed `MAX_DEPTH`. Raises `OSError`, `UnicodeDecodeError` or
    `yaml.YAMLError`."""
    text = read_regular(file).decode()
    depth = 0
    for event in yaml.parse(text, Loader=yaml12.Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                problem = f"it is nested more than {MAX_DEPTH} levels deep"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    root = yaml.compose(text, Loader=yaml12.Loader)
    if root is not None:
        _expanded_size(root, {})
    return yaml12.load(text), root


def _expanded_size(node: yaml.Node, known: dict[int, int | None]) -> int:
    """Returns the number of values of a node with all aliases expanded. `known` caches sizes by node; None marks a node
    whose size is being computed."""
    size = known.get(id(node), 0)
    if size is None:
        raise yaml.MarkedYAMLError(problem="an alias is inside the value that it names", problem_mark=node.start_mark)
    if size:
        return size
    known[id(node)] = None
    size = 1
    if isinstance(node, yaml.MappingNode):
        size += sum(_expanded_size(k, known) + _expanded_size(v, known) for k, v in node.value)
    elif isinstance(node, yaml.SequenceNode):
        size += sum(_expanded_size(v, known) for v in node.value)
    if size > MAX_VALUES:
        problem = f"its aliases expand to more than {MAX_VALUES:,} values; write the values out"
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
    known[id(node)] = size
    return size


def _may_exist(file: Path) -> bool:
    """Whether a file exists, or its folder cannot be read: reading it then reports the problem."""
    try:
        return file.exists()
    except OSError:
        return True


def read_game(file: Path, library: Library | None = None) -> Game:
    """Reads and checks one `game.yaml`. `library`: the library that the game is in; read from the folder above if None.
    Raises `GameError` with file, line, value and what is allowed."""
    try:
        data, root = read_yaml(file)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise GameError(yaml12.describe_error(file, e)) from e
    if not isinstance(data, dict):
        raise GameError(f"{file}:1: a {GAME_FILE} is a mapping with id, title, genre, …; this is {type(data).__name__}")
    folder = file.parent.resolve()
    try:
        game = Game.model_validate(data)
    except ValidationError as e:
        problems = [p for p in e.errors() if not _is_consequence(p, e.errors())]
        raise GameError("\n".join(dict.fromkeys(_explain(file, root, problem) for problem in problems))) from e
    if refusal := (library or read_library(folder.parent)).refusal(game.genre, game.level):
        field, why = refusal
        raise GameError(f"{file}:{_line(root, (field,))}: {field}: {why} (given: {getattr(game, field)!r})")
    if game.kind == "browser" and not (folder / game.page).is_file():
        raise GameError(f"{file}:{_line(root, ('page',))}: page '{game.page}' does not exist in {folder}")
    if game.id != folder.name:
        raise GameError(f"{file}:{_line(root, ('id',))}: id '{game.id}' differs from the folder name '{folder.name}'")
    try:
        found = {
            "folder": folder,
            "files_hash": hash_files(folder, game.uses),
            "site": site(folder, game.uses, game.page),
        }
    except SiteError as e:
        place = () if e.place is None else ("uses", e.place)
        raise GameError(f"{file}:{_line(root, place)}: {'.'.join(map(str, place)) or 'game'}: {e}") from e
    except OSError as e:
        raise GameError(f"{e.filename or folder}: cannot be read: {e.strerror}") from e
    return game.model_copy(update=found)


def task_identity(game: Game, task: Task) -> str:
    """Returns a hash of everything in a game and a task that can change an episode."""
    facts = non_defaults(game, leave_out=("tasks", "genre", "level", "summary", "needs_text"))
    return digest(
        game.files_hash, canonical(facts), canonical(non_defaults(task, leave_out=("metrics", "scenario", "versus")))
    )


def game_digest(game: Game) -> str:
    """Returns a hash of a complete game: its files as they are on disk now, its rules, and the scoring of all its
    tasks."""
    return digest(hash_files(game.folder, game.uses), canonical(non_defaults(game)))


def _is_consequence(problem: Any, problems: Sequence[Any]) -> bool:
    """Whether a list is reported as too short only because one of its elements is invalid."""
    n = len(problem["loc"])
    return problem["type"] == "too_short" and any(p["loc"][:n] == problem["loc"] != p["loc"] for p in problems)


def _explain(file: Path, root: yaml.Node | None, problem: Any) -> str:
    """Returns the message for one of pydantic's errors: file, line, field, problem and value."""
    *parents, last = problem["loc"] or ("",)
    loc, line = _locate(root, problem["loc"], problem["type"] == "missing" or last in names_at(Game, parents))
    path = ".".join(str(p) for p in loc)
    given = problem.get("input")
    shown = f" (given: {given!r})" if isinstance(given, (str, int, float, bool)) else ""
    return f"{file}:{line}: {path or 'game'}: {in_words(problem, Game)}{shown}"


def _line(root: yaml.Node | None, loc: Sequence[Any]) -> int:
    return _locate(root, loc)[1]


def _locate(node: yaml.Node | None, loc: Sequence[Any], keep_last: bool = True) -> tuple[list[Any], int]:
    """Returns the part of a location path that is in the file, and the line (from 1) of the deepest node that it
    reaches. A path may contain names that are not keys of the file, such as the member of a union; they are skipped.
    With `keep_last` the last part stays in any case: it may be a missing field."""
    line, path = node.start_mark.line + 1 if node else 1, []
    for i, part in enumerate(loc):
        child = None
        if isinstance(node, yaml.MappingNode):
            for k, v in node.value:
                if k.value == str(part):
                    child, line = v, k.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            child = node.value[part]
            line = child.start_mark.line + 1
        if child is not None or (keep_last and i == len(loc) - 1):
            path.append(part)
        node = child or node
    return path, line
