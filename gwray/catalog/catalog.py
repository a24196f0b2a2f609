"""All libraries: the bundled ones in `games/`, those given by `libraries=[…]`, and those in the user's own `games/`.
Bundled and given libraries must be valid. A user's own library or game that is not valid is skipped with one warning:
it raises its error as soon as a command asks for it. A game whose id another library has gets the id `LIBRARY/GAME`."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from gwray.catalog.checkout import PREFIX, is_checkout, read_checkout
from gwray.catalog.game import Game
from gwray.catalog.library import GAME_FILE, LIBRARY_FILE, Library, default_library_id, read_library
from gwray.catalog.task import Task
from gwray.errors import GwrayError, UsageError, choose
from gwray.pages import warn
from gwray.places import GAMES, folder_path, user_libraries

FIRST = "gameworld"
"""The library that `all`, `genre:` and `level:` refer to."""


class Catalog:
    """The games of several libraries, by id. `all` refers to the first library.

    Args:
        folders: bundled libraries. An invalid one raises `UsageError` or `GameError`.
        given: further libraries. An invalid `library.yaml` raises, an invalid game is skipped.
        own: the user's own libraries. Invalid ones and invalid games of them are skipped.

    `problems` maps each skipped file or folder to its error, `extra` has the folders of all valid libraries that are
    not bundled.
    """

    def __init__(self, folders: Sequence[Path], given: Sequence[Path] = (), own: Sequence[Path] = ()):
        self.extra: tuple[Path, ...] = ()
        self.problems: dict[Path, GwrayError] = {}
        self.libraries: dict[str, Library] = {}
        self.games: dict[str, Game] = {}
        self._library_of: dict[str, str] = {}
        self._broken_libraries: dict[str, GwrayError] = {}
        self._broken_games: dict[str, GwrayError] = {}
        for folder in folders:
            self._add(folder, bundled=True)
        for folder in dict.fromkeys([*given, *own]):
            try:
                if not self._add(folder, bundled=False) and folder in given:
                    raise _empty(folder)
            except GwrayError as e:
                if folder not in own:
                    raise
                self.problems[folder] = e
                self._broken_libraries.setdefault(default_library_id(folder), e)
                for file in folder.glob(f"*/{GAME_FILE}"):
                    self._broken_games.setdefault(file.parent.name, e)

    def _add(self, folder: Path, bundled: bool) -> bool:
        """Adds the games of a library. Returns whether it has any. Errors of a game are raised for a bundled library,
        and stored for any other."""
        library = read_checkout(folder) if is_checkout(folder) else read_library(folder)
        if not bundled and library.id in self.libraries and not (folder / LIBRARY_FILE).exists():
            numbers = (f"{library.id}-{n}" for n in range(2, len(self.libraries) + 3))
            library = library.model_copy(update={"id": next(i for i in numbers if i not in self.libraries)})
        if (other := self.libraries.get(library.id)) is not None:
            raise UsageError(
                f"library '{library.id}' is there twice: {other.folder} and {library.folder}. Give one of them another "
                f"`id` in its {LIBRARY_FILE}."
            )
        library.check_defaults()
        files = library.game_files()
        self.libraries[library.id] = library
        if not bundled:
            self.extra = (*self.extra, folder)
        for file in files:
            try:
                game = _bundled_game(library, file) if folder.parent == GAMES else library.read_game(file)
                if game.id in self.games:
                    game = game.model_copy(update={"id": f"{library.id}/{game.id}"})
                self.games[game.id] = game
                self._library_of[game.id] = library.id
            except GwrayError as e:
                if bundled:
                    raise
                name = file.parent.name if file.name == GAME_FILE else PREFIX + file.stem
                self.problems[file] = self._broken_games[name] = e
                self._broken_libraries.setdefault(library.id, e)
        return bool(files)

    def game(self, game_id: str) -> Game:
        """Returns a game. Raises `UsageError` with the nearest names if there is no such game, and the error of a game
        that was skipped."""
        if game_id in self._broken_games:
            raise self._broken_games[game_id]
        if game_id not in self.games:
            raise choose("game", game_id, list(self.games), "`gwray games` lists them.")
        return self.games[game_id]

    def library_of(self, game_id: str) -> Library:
        """Returns the library that contains a game."""
        return self.libraries[self._library_of[self.game(game_id).id]]

    def require(self, folders: Iterable[str | Path]) -> None:
        """Raises the error of a library that was skipped, if it is one of these folders."""
        for folder in folders:
            if problem := self.problems.get(folder_path(folder)):
                raise problem

    def select(self, games: Iterable[str], tasks: Iterable[str]) -> list[tuple[Game, Task]]:
        """Returns the games and tasks that match two lists of selectors.

        A game selector is an id; `harbor:ID` (a game of that library); `all` (the games of the first library);
        `library:harbor`; `visible:parlor` and `needs_text:parlor` (games of that library whose pictures show the
        complete state, or not); `category:puzzle` (or `genre:puzzle`) and `level:2` of the first library,
        `category:harbor/fishing` of another one. A task selector is a task id; a task's number within its game
        (`task=1` is the first task of every chosen game); `GAME:` and one of these; or a selector of several games.
        `all` is all tasks of the chosen games.

        Raises `UsageError` for a selector that matches nothing, and the error of a skipped library or game that a
        selector names.
        """
        chosen_ids = {game_id for selector in games for game_id in self._matching(selector)}
        chosen = [g for g in self.games.values() if g.id in chosen_ids]
        wanted = list(tasks)
        out = [
            (g, t) for g in chosen for n, t in enumerate(g.tasks, 1) if any(self._is_task(g, n, t, w) for w in wanted)
        ]
        for selector in wanted:
            if not any(self._is_task(g, n, t, selector) for g in chosen for n, t in enumerate(g.tasks, 1)):
                ids = [t.id for g in chosen for t in g.tasks]
                raise choose("task", selector, ["all", *ids], "`gwray tasks` lists them.")
        return out

    def selected(self, *selectors: str) -> list[Game]:
        """Returns the games that match, without duplicates."""
        return list({game.id: game for game, _ in self.select(selectors, ["all"])}.values())

    def _matching(self, selector: str) -> list[str]:
        """Returns the ids of the games that a selector matches. An id comes first: a game may be named as its
        library. Raises `UsageError` for one that another library has, too."""
        if selector in self.games:
            if others := [g for g in self.games if g.endswith(f"/{selector}")]:
                named = {f"{self._library_of[selector]}:{selector}": selector} | {g: g for g in others}
                either = " or ".join(f"{name} ({self.library_of(g).folder})" for name, g in named.items())
                raise UsageError(f"more than one library has a game '{selector}'. Write {either}.")
            return [selector]
        kind, _, value = selector.partition(":")
        if kind == "library":
            library = self._library(value)
            return [g for g, home in self._library_of.items() if home == library.id]
        if kind in ("visible", "needs_text"):
            home = self._library(value).id
            some = [g.id for g in self.games.values() if g.needs_text == (kind == "needs_text")]
            if not (found := [g for g in some if self._library_of[g] == home]):
                raise UsageError(f"game '{selector}': library {home} has no such game. `gwray games` lists its games.")
            return found
        if kind in self.libraries or kind in self._broken_libraries:
            return [self._game_in(self._library(kind), value).id]
        named, _, value = value.rpartition("/")
        library = self._library(named) if named else next(iter(self.libraries.values()))
        mine = [g for g in self.games.values() if self._library_of[g.id] == library.id]
        if kind in ("genre", "category"):
            genres = library.categories or tuple(sorted({g.genre for g in mine if g.genre}))
            if value not in genres:
                raise choose(kind, value, genres)
            return [g.id for g in mine if g.genre == value]
        if kind == "level":
            levels = sorted(library.levels or {g.level for g in mine if g.level})
            if value not in map(str, levels):
                raise choose(kind, value, [*map(str, levels)])
            return [g.id for g in mine if g.level == int(value)]
        return [g.id for g in mine] if selector == "all" else [self.game(selector).id]

    def _game_in(self, library: Library, game_id: str) -> Game:
        ids = [g for g, home in self._library_of.items() if home == library.id]
        if (own := f"{library.id}/{game_id}") in ids:
            return self.games[own]
        if game_id not in ids and game_id not in self._broken_games:
            raise choose(f"game of library {library.id}", game_id, ids, "`gwray games` lists them.")
        return self.game(game_id)

    def _is_task(self, game: Game, number: int, task: Task, selector: str) -> bool:
        """Returns whether a selector matches a task; see `select`."""
        if selector in ("all", task.id, str(number), f"{game.id}:{task.id}", f"{game.id}:{number}"):
            return True
        kind, _, value = selector.partition(":")
        library = self._library_of[game.id]
        groups = {"library": library, "genre": game.genre, "category": game.genre, "level": game.level}
        return kind in groups and value in (str(groups[kind]), f"{library}/{groups[kind]}")

    def _library(self, library_id: str) -> Library:
        """Returns a library by id. Raises `UsageError` if it is unknown, or the error for which it was skipped."""
        if library_id in self._broken_libraries:
            raise self._broken_libraries[library_id]
        if library_id not in self.libraries:
            raise choose("library", library_id, list(self.libraries), "`gwray games` lists each game's library.")
        return self.libraries[library_id]


def _empty(folder: Path) -> UsageError:
    return UsageError(
        f"library {folder} has no game: no folder of it has a {GAME_FILE} (docs/game-yaml.md). For a checkout of the "
        "published GameWorld benchmark, give the folder that contains `catalog`: libraries=[gameworld:PATH]."
    )


_bundled_games: dict[Path, Game] = {}


def _bundled_game(library: Library, file: Path) -> Game:
    """Returns a game that belongs to every catalog. Each is read once per process."""
    if file not in _bundled_games:
        _bundled_games[file] = library.read_game(file)
    return _bundled_games[file]


@lru_cache(maxsize=8)
def _catalog(folders: tuple[Path, ...], given: tuple[Path, ...], own: tuple[Path, ...]) -> Catalog:
    catalog = Catalog(folders, given, own)
    for place, problem in catalog.problems.items():
        _warn_once(place, str(problem))
    return catalog


@lru_cache(maxsize=256)
def _warn_once(place: Path, problem: str) -> None:
    kind, folder = ("game", place.parent) if place.suffix else ("library", place)
    warn(f"{problem}\n  This {kind} is skipped. Fix it, or move {folder} out of the libraries.")


def load_catalog(given: Sequence[str | Path] = ()) -> Catalog:
    """Returns the catalog of the bundled libraries, the given ones and the user's own. Each combination is read once
    per process. Prints one warning for each library or game that is skipped (see `Catalog`)."""
    bundled = sorted((f.parent for f in GAMES.glob(f"*/{LIBRARY_FILE}")), key=lambda f: (f.name != FIRST, f.name))
    further, own = ([folder_path(p) for p in paths] for paths in (given, user_libraries()))
    return _catalog(
        tuple(bundled),
        tuple(dict.fromkeys(f for f in further if f not in bundled)),
        tuple(f for f in own if f not in bundled),
    )
