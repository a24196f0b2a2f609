"""The site that a game's page is part of: its own folder and what `uses` names. Nothing else is served to it, and all
of it is hashed into the game's version."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from gwray.places import GAMES
from gwray.records import digest

KIT = GAMES / "kit"
EXCLUDED_FILES = ("game.yaml", "solutions.json", "player.py", "readme.md", "__pycache__", ".*")
"""Patterns of names, in small letters: files and folders that no page is served and no version is made of."""
MOST_FILES = 20_000
MOST_BYTES = 2**30
"""A game is read whole by every process that plays it."""


class SiteError(Exception):
    """`uses` names what cannot be part of a site. `place`: which of them, None if the game's own folder is at fault."""

    def __init__(self, message: str, place: int | None = None):
        super().__init__(message)
        self.place = place


def site(folder: Path, uses: Sequence[str]) -> tuple[tuple[str, Path], ...]:
    """Folders by the path that each appears under, the game's own first.

    The bundled kit, where it is used, is also `kit` and the library's `kit`. Raises `SiteError`.
    """
    library = folder.parent
    own = f"{library.name}/{folder.name}"
    found = {own: folder}
    for n, use in enumerate(uses):
        base = _used(folder, use, n)
        found[posixpath.normpath(f"/{own}/{use}").strip("/")] = base
        if base == KIT:
            found.setdefault("kit", KIT)
            if not (library / "kit").is_dir():
                found.setdefault(f"{library.name}/kit", KIT)
    return tuple(found.items())


def hash_files(folder: Path, uses: Sequence[str]) -> str:
    """Hash over the names and bytes of every file that the page can load. Raises `SiteError`."""
    parts: list[str | bytes] = []
    files = size = 0
    for n, base in [(None, folder), *((n, _used(folder, use, n)) for n, use in enumerate(uses))]:
        for file in _files(base):
            files, size = files + 1, size + file.stat().st_size
            if files > MOST_FILES or size > MOST_BYTES:
                raise SiteError(
                    f"more than {MOST_FILES:,} files or {MOST_BYTES // 2**20:,} MiB in {base}; a game is read whole "
                    "by every process, so leave out what its page does not load",
                    n,
                )
            parts += [f"{base.name}/{file.relative_to(base).as_posix()}", file.read_bytes()]
    return digest(*parts)


def _files(base: Path) -> Iterator[Path]:
    """Files that are played, in a fixed order. A link that leads out of the folder is none of them."""
    found: list[Path] = []
    for file in base.rglob("*"):
        names = file.relative_to(base).parts
        inside = not file.is_symlink() or file.resolve().is_relative_to(base)
        if inside and file.is_file() and not any(fnmatchcase(n.lower(), p) for n in names for p in EXCLUDED_FILES):
            found.append(file)
            if len(found) > MOST_FILES:
                break
    yield from sorted(found)


def _used(folder: Path, use: str, place: int) -> Path:
    """The folder that one entry of `uses` names: inside the library or beside it. A kit that is not there is ours."""
    base = (folder / use).resolve()
    if not base.is_dir() and base.name == KIT.name:
        return KIT
    around = folder.parent.parent
    if Path(use).is_absolute() or not base.is_relative_to(around) or folder.is_relative_to(base):
        raise SiteError(
            f"'{use}' is {base}; allowed are folders in the game's library or beside it (in {around}), as a path from "
            "the game's folder such as ../shared, none of which holds the game itself",
            place,
        )
    if not base.is_dir():
        raise SiteError(f"'{use}' is no folder: there is no {base}", place)
    return base
