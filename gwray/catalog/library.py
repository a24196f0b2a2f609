"""Finds games: reads `game.yaml` files into `Game` models and says exactly what is wrong with a bad one.

A *library* is a folder of game folders. The bundled one is `games/` beside the package; others are named by
`libraries=[…]` or `GWRAY_LIBRARIES` (colon-separated). A game id found in two libraries is an error, not a choice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import ValidationError

from gwray.catalog.game import Game, Genre, Task
from gwray.errors import GameError, UsageError, choose
from gwray.records import canonical, digest

BUNDLED = Path(__file__).resolve().parents[2] / "games"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Every process reads the whole library when it starts; libyaml does it in a fifth of the time."""
NOT_PLAYED = {"game.yaml", "solutions.json", "player.py", "README.md", "__pycache__"}
"""Files of a game folder that the page never sees; they do not count as game files."""


class Library:
    """All games of some library folders, by id."""

    def __init__(self, roots: Sequence[Path]):
        self.roots = tuple(roots)
        self.games: dict[str, Game] = {}
        for root in self.roots:
            if not root.is_dir():
                raise UsageError(
                    f"library '{root}' is not a folder; a library is a folder of game folders, each with a game.yaml"
                )
            for file in sorted(root.glob("*/game.yaml")):
                game = read_game(file)
                if game.id in self.games:
                    raise UsageError(
                        f"game '{game.id}' is in two libraries: {self.games[game.id].folder} and {game.folder}"
                    )
                self.games[game.id] = game

    def game(self, game_id: str) -> Game:
        if game_id not in self.games:
            raise choose("game", game_id, list(self.games), "`gwray games` lists them.")
        return self.games[game_id]

    def select(self, games: Iterable[str], tasks: Iterable[str]) -> list[tuple[Game, Task]]:
        """Games and tasks by id, `all`, `genre:puzzle` or `level:2` (both lists take all four forms).

        A task may also be given by its number within each game: `task=1` is the first task of every chosen game.
        """
        chosen = [g for g in self.games.values() if any(_matches_game(g, w, self) for w in games)]
        wanted = list(tasks)
        out = [(g, t) for g in chosen for n, t in enumerate(g.tasks, 1) if _matches_task(g, n, t, wanted)]
        for word in wanted:
            if not any(_matches_task(g, n, t, [word]) for g in chosen for n, t in enumerate(g.tasks, 1)):
                ids = [t.id for g in chosen for t in g.tasks]
                raise choose("task", word, ["all", *ids], "`gwray tasks` lists them.")
        return out


def _matches_game(game: Game, word: str, library: Library) -> bool:
    if word == "all" or word == game.id:
        return True
    kind, _, value = word.partition(":")
    if kind == "genre":
        if value not in get_args(Genre):
            raise choose("genre", value, list(get_args(Genre)))
        return game.genre == value
    if kind == "level":
        if value not in "12345" or len(value) != 1:
            raise choose("level", value, list("12345"))
        return game.level == int(value)
    library.game(word)
    return False


def _matches_task(game: Game, number: int, task: Task, words: Sequence[str]) -> bool:
    return any(
        w in ("all", task.id, str(number)) or w == f"genre:{game.genre}" or w == f"level:{game.level}" for w in words
    )


@lru_cache(maxsize=8)
def _library(roots: tuple[Path, ...]) -> Library:
    return Library(roots)


def load_library(extra: Sequence[str | Path] = ()) -> Library:
    """The bundled library and the named others; read once per process."""
    env = [p for p in os.environ.get("GWRAY_LIBRARIES", "").split(os.pathsep) if p]
    return _library((BUNDLED, *(Path(p).expanduser().resolve() for p in [*extra, *env])))


def read_game(file: Path) -> Game:
    """Read and check one `game.yaml`. Raises `GameError` naming file, line, value and what is allowed."""
    try:
        text = file.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=_LOADER)
        data = yaml.load(text, Loader=_LOADER)
    except (OSError, UnicodeDecodeError) as e:
        raise GameError(f"{file}: cannot be read: {e}") from e
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        where = f"{file}:{mark.line + 1}" if mark else str(file)
        raise GameError(f"{where}: not valid YAML: {getattr(e, 'problem', e)}") from e
    if not isinstance(data, dict):
        raise GameError(f"{file}:1: a game.yaml is a mapping with id, title, genre, …; this is {type(data).__name__}")
    folder = file.parent.resolve()
    try:
        game = Game.model_validate(data)
    except ValidationError as e:
        raise GameError("\n".join(_explain(file, root, problem) for problem in e.errors())) from e
    if not (folder / game.page).is_file():
        raise GameError(f"{file}:{_line(root, ('page',))}: page '{game.page}' does not exist in {folder}")
    if game.id != folder.name:
        raise GameError(f"{file}:{_line(root, ('id',))}: id '{game.id}' differs from the folder name '{folder.name}'")
    return game.model_copy(update={"folder": folder, "files_hash": hash_files(folder, game.uses)})


def hash_files(folder: Path, uses: Sequence[str]) -> str:
    """Hash over the names and bytes of every file that the page can load."""
    parts: list[str | bytes] = []
    for base in (folder, *((folder / u).resolve() for u in uses)):
        if not base.is_dir():
            continue
        for file in sorted(p for p in base.rglob("*") if p.is_file()):
            relative = file.relative_to(base)
            if NOT_PLAYED & set(relative.parts) or relative.name.startswith("."):
                continue
            parts += [f"{base.name}/{relative.as_posix()}", file.read_bytes()]
    return digest(*parts)


def identity(game: Game, task: Task) -> str:
    """Everything about a game and a task that can change an episode, as one hash."""
    facts = game.model_dump(mode="json", exclude={"tasks", "genre", "level", "summary"})
    return digest(game.files_hash, canonical(facts), canonical(task.model_dump(mode="json", exclude={"metrics"})))


def _explain(file: Path, root: yaml.Node | None, problem: Any) -> str:
    loc = tuple(problem["loc"])
    path = ".".join(str(p) for p in loc)
    given = problem.get("input")
    shown = f" (given: {given!r})" if isinstance(given, (str, int, float, bool)) else ""
    return f"{file}:{_line(root, loc)}: {path or 'game'}: {problem['msg']}{shown}"


def _line(node: yaml.Node | None, loc: Sequence[Any]) -> int:
    """Line (from 1) of the deepest YAML node that the location path reaches."""
    line = node.start_mark.line + 1 if node else 1
    for part in loc:
        found = None
        if isinstance(node, yaml.MappingNode):
            for k, v in node.value:
                if k.value == str(part):
                    found, line = v, k.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
            line = found.start_mark.line + 1
        if found is None:
            break
        node = found
    return line
