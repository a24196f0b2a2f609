"""The files of a game: its own folder and the folders in `uses`. Only these are served to the page, and all of them are
hashed into the game's version."""

import posixpath
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from gwray.places import GAMES
from gwray.records import digest

BUNDLED = tuple(GAMES / name for name in ("kit", "commands", "dealt"))
"""Folders that games of any library can use."""
EXCLUDED_FILES = ("game.yaml", "solutions.json", "blind.json", "player.py", "readme.md", "__pycache__", ".*")
"""Lower-case name patterns of files and folders that are neither served nor hashed."""
MAX_FILES = 20_000
MAX_BYTES = 2**30
"""Limits, because every process that plays a game reads all of its files."""


class SiteError(Exception):
    """An entry of `uses` is not allowed. `place`: its index, or None if the game's own folder is invalid."""

    def __init__(self, message: str, place: int | None = None):
        super().__init__(message)
        self.place = place


def site(folder: Path, uses: Sequence[str], page: str = "index.html") -> tuple[tuple[str, Path], ...]:
    """Returns folders by URL path, the game's own first. The page's folder is the root of the site, too:
    `/sprites/bird.png` is a file next to the page.

    A bundled folder, if used, is also served by its name, and as the library's folder of that name. Raises `SiteError`.
    """
    library = folder.parent
    own = f"{library.name}/{folder.name}"
    found = {own: folder, "": (folder / page).parent}
    for n, use in enumerate(uses):
        base = _resolve_use(folder, use, n)
        found[posixpath.normpath(f"/{own}/{use}").strip("/")] = base
        if base in BUNDLED:
            found.setdefault(base.name, base)
            if not (library / base.name).is_dir():
                found.setdefault(f"{library.name}/{base.name}", base)
    return tuple(found.items())


def hash_files(folder: Path, uses: Sequence[str]) -> str:
    """Returns a hash of the names and bytes of all files that the page can load. Raises `SiteError`."""
    parts: list[str | bytes] = []
    files = size = 0
    for n, base in [(None, folder), *((n, _resolve_use(folder, use, n)) for n, use in enumerate(uses))]:
        for file in _files(base):
            files, size = files + 1, size + file.stat().st_size
            if files > MAX_FILES or size > MAX_BYTES:
                raise SiteError(
                    f"more than {MAX_FILES:,} files or {MAX_BYTES // 2**20:,} MiB in {base}; every process reads "
                    "all files of a game, so remove those that its page does not load",
                    n,
                )
            parts += [f"{base.name}/{file.relative_to(base).as_posix()}", file.read_bytes()]
    return digest(*parts)


def _files(base: Path) -> Iterator[Path]:
    """Returns the files of a folder that are served, sorted. Links that lead out of the folder are skipped."""
    found: list[Path] = []
    for file in base.rglob("*"):
        names = file.relative_to(base).parts
        inside = not file.is_symlink() or file.resolve().is_relative_to(base)
        if inside and file.is_file() and not any(fnmatchcase(n.lower(), p) for n in names for p in EXCLUDED_FILES):
            found.append(file)
            if len(found) > MAX_FILES:
                break
    yield from sorted(found)


def _resolve_use(folder: Path, use: str, place: int) -> Path:
    """Resolves an entry of `uses`: a folder inside the library or next to it. Bundled folders need not exist there."""
    base = (folder / use).resolve()
    for bundled in BUNDLED:
        if not base.is_dir() and base.name == bundled.name:
            return bundled
    around = folder.parent.parent
    if Path(use).is_absolute() or not base.is_relative_to(around) or folder.is_relative_to(base):
        raise SiteError(
            f"'{use}' is {base}; allowed are folders in the game's library or next to it (in {around}), as a path "
            "relative to the game's folder such as ../shared, without the folders that contain the game",
            place,
        )
    if not base.is_dir():
        raise SiteError(f"'{use}' is not a folder: {base} does not exist", place)
    return base
