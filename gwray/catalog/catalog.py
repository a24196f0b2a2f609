"""All libraries: the bundled ones in `games/`, and those named by `libraries=[…]` or in the user's own `games/`.

A game id found in two libraries is an error, not a choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from gwray.catalog.game import Game
from gwray.catalog.library import LIBRARY_FILE, Library, read_library
from gwray.catalog.task import Task
from gwray.errors import UsageError, choose
from gwray.places import GAMES, own_libraries

FIRST = "gameworld"
"""The library that `all`, `genre:` and `level:` speak of."""


class Catalog:
    """The games of some libraries, by id. The first library is the one that `all` means."""

    def __init__(self, folders: Sequence[Path], extra: Sequence[Path] = ()):
        """`extra`: folders that are not bundled, so that others have to be told of them."""
        self.extra = tuple(extra)
        self.libraries: dict[str, Library] = {}
        self.games: dict[str, Game] = {}
        self._home: dict[str, str] = {}
        for folder in (*folders, *self.extra):
            self._add(read_library(folder))

    def _add(self, library: Library) -> None:
        if (other := self.libraries.get(library.id)) is not None:
            raise UsageError(
                f"library '{library.id}' is there twice: {other.folder} and {library.folder}. Give one of them another "
                f"`id` in its {LIBRARY_FILE}."
            )
        self.libraries[library.id] = library
        for game in library.games():
            if game.id in self.games:
                raise UsageError(
                    f"game '{game.id}' is in two libraries: {self.games[game.id].folder} and {game.folder}"
                )
            self.games[game.id] = game
            self._home[game.id] = library.id

    def game(self, game_id: str) -> Game:
        """`UsageError` if there is none, with the nearest names."""
        if game_id not in self.games:
            raise choose("game", game_id, list(self.games), "`gwray games` lists them.")
        return self.games[game_id]

    def library_of(self, game_id: str) -> Library:
        """The library that a game is in."""
        return self.libraries[self._home[self.game(game_id).id]]

    def select(self, games: Iterable[str], tasks: Iterable[str]) -> list[tuple[Game, Task]]:
        """Games and tasks by words, of which each list takes all forms.

        An id; `all` (the games of the first library); `library:harbor`; `category:puzzle` (or `genre:puzzle`) and
        `level:2` of the first library, of another one as `category:harbor/fishing`. A task may also be given by its
        number within each game: `task=1` is the first task of every chosen game. In the second list the words choose
        among the tasks of the chosen games, so `all` is all of those.
        """
        words = [*games]
        chosen = [g for g in self.games.values() if any([self._means(w, g) for w in words])]
        wanted = list(tasks)
        out = [(g, t) for g in chosen for n, t in enumerate(g.tasks, 1) if any(_is_task(g, n, t, w) for w in wanted)]
        for word in wanted:
            if not any(_is_task(g, n, t, word) for g in chosen for n, t in enumerate(g.tasks, 1)):
                ids = [t.id for g in chosen for t in g.tasks]
                raise choose("task", word, ["all", *ids], "`gwray tasks` lists them.")
        return out

    def selected(self, *words: str) -> list[Game]:
        """The games of such a selection, each once."""
        return list({game.id: game for game, _ in self.select(words, ["all"])}.values())

    def _means(self, word: str, game: Game) -> bool:
        """Whether a word of the first list names the game. Raises `UsageError` for a word that names nothing."""
        kind, _, value = word.partition(":")
        home = self._home[game.id]
        if kind == "library":
            if value not in self.libraries:
                raise choose("library", value, list(self.libraries), "`gwray games` shows each game's.")
            return home == value
        named, _, value = value.rpartition("/")
        library = named or next(iter(self.libraries))
        if named and named not in self.libraries:
            raise choose("library", named, list(self.libraries), "`gwray games` shows each game's.")
        mine = [g for g in self.games.values() if self._home[g.id] == library]
        if kind in ("genre", "category"):
            allowed = self.libraries[library].categories or tuple(sorted({g.genre for g in mine if g.genre}))
            if value not in allowed:
                raise choose(kind, value, allowed)
            return home == library and game.genre == value
        if kind == "level":
            allowed = sorted(self.libraries[library].levels or {g.level for g in mine if g.level})
            if value not in map(str, allowed):
                raise choose("level", value, [*map(str, allowed)])
            return home == library and game.level == int(value)
        if word == "all":
            return home == library
        return self.game(word).id == game.id


def _is_task(game: Game, number: int, task: Task, word: str) -> bool:
    same = ("all", task.id, str(number), f"genre:{game.genre}", f"category:{game.genre}", f"level:{game.level}")
    return word in same


@lru_cache(maxsize=8)
def _catalog(folders: tuple[Path, ...], extra: tuple[Path, ...]) -> Catalog:
    return Catalog(folders, extra)


def load_catalog(extra: Sequence[str | Path] = ()) -> Catalog:
    """The bundled libraries, the named others and the user's own; read once per process."""
    bundled = sorted((f.parent for f in GAMES.glob(f"*/{LIBRARY_FILE}")), key=lambda f: (f.name != FIRST, f.name))
    named = dict.fromkeys(Path(p).expanduser().resolve() for p in [*extra, *own_libraries()])
    return _catalog(tuple(bundled), tuple(f for f in named if f not in bundled))
