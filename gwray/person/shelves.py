"""The games that a person may choose from: cards with what can be played, and the files of one that is played
freely.

A game's picture is `pictures/GAME.webp` in its library's folder, where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gwray.catalog import EXCLUDED_FILES, Catalog, Game, Task
from gwray.sandbox import PageSource, find_file, mime_type

ARROWS = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→"}
RUNS_OF_KEYS = ("abcdefghijklmnopqrstuvwxyz", "123456789")
HOLD = '<script src="/assets/hold.js"></script>'
FREELY_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:"
)
"""A library may be a stranger's: its pages ask nobody else, as in the sandbox."""


@dataclass(frozen=True)
class Card:
    """One game on the page of all games."""

    id: str
    title: str
    genre: str
    summary: str
    roles: int
    keys: tuple[str, ...]
    tasks: tuple[Task, ...]
    starts: tuple[tuple[str, str], ...]
    """Name and address of each place where it can be begun freely; none for a game that is no page."""
    picture: str
    """Address, empty without one."""


@dataclass(frozen=True)
class Shelf:
    """The games of one library."""

    id: str
    title: str
    games: tuple[Card, ...]


def shelves(catalog: Catalog) -> list[Shelf]:
    """All games, library by library."""
    out = []
    for library in catalog.libraries.values():
        games = [g for g in catalog.games.values() if catalog.library_of(g.id).id == library.id]
        if games:
            out.append(Shelf(library.id, library.title or library.id, tuple(map(_card, games))))
    return out


def picture(game: Game) -> Path | None:
    """The file of a game's picture; None without one."""
    file = game.folder.parent / "pictures" / f"{game.id}.webp"
    return file if file.is_file() else None


def freely(game: Game, path: str) -> tuple[bytes, str] | None:
    """A file of a game's site, and its type; None if there is none, or not for the page. Pages wait for a key."""
    source = PageSource(game.site, game.page_path, "", 0, game.viewport, False, EXCLUDED_FILES)
    file = find_file(source, path)
    if file is None:
        return None
    data, kind = file.read_bytes(), mime_type(file)
    return (_held(data), kind) if kind.startswith("text/html") else (data, kind)


def _held(page: bytes) -> bytes:
    """The page with our script before any of its own."""
    text = page.decode("utf-8", "replace")
    head = re.match(r"\s*(<!doctype[^>]*>)?\s*(<html[^>]*>)?\s*(<head[^>]*>)?", text, re.IGNORECASE)
    at = head.end() if head else 0
    return f"{text[:at]}{HOLD}{text[at:]}".encode()


def _card(game: Game) -> Card:
    keys = list(dict.fromkeys(k for r in game.roles for k in r.keys))
    mouse = ["mouse"] if any(r.clicks for r in game.roles) else []
    options = list(dict.fromkeys(t.options for t in game.tasks)) if game.kind == "browser" else []
    starts = [(_start(o, len(options)), f"freely/{game.id}/{game.page_path}{o}") for o in options]
    seen = f"pictures/{game.id}.webp" if picture(game) else ""
    return Card(
        game.id, game.title, game.genre, game.summary, len(game.roles), (*_keys(keys), *mouse), game.tasks,
        tuple(starts), seen,
    )  # fmt: skip


def _keys(keys: Sequence[str]) -> list[str]:
    """Names of keys for people: arrows as arrows, the alphabet as a–z."""
    out = list(keys)
    for run in RUNS_OF_KEYS:
        if set(run) <= set(out):
            at = out.index(run[0])
            out = (
                [k for k in out[:at] if k not in run] + [f"{run[0]}–{run[-1]}"] + [k for k in out[at:] if k not in run]
            )
    return [ARROWS.get(k, k) for k in out]


def _start(options: str, count: int) -> str:
    """Words for a task's options: `?level=2` is Level 2."""
    if count == 1:
        return "Play"
    number = re.search(r"(\w+)[=/](\d+)", options)
    return f"{number[1].capitalize()} {number[2]}" if number else options or "Play"
