"""The page of all games: one card per game, and the files of games that are played freely, in real time. The image of a
card is `pictures/GAME.webp` in the game's library, if it exists."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from gwray.catalog import EXCLUDED_FILES, Catalog, Game, Task, prompt_text
from gwray.sandbox import PageSource, find_file, mime_type

ARROWS = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→"}
KEY_RANGES = ("abcdefghijklmnopqrstuvwxyz", "123456789")
START_GATE = '<script src="/assets/hold.js" data-roles="{}"></script>'
FREELY_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:"
)
"""Third-party games cannot send requests to other servers, as in the sandbox."""


@dataclass(frozen=True)
class Card:
    """A game on the page of all games."""

    id: str
    title: str
    genre: str
    summary: str
    roles: int
    keys: tuple[str, ...]
    tasks: tuple[Task, ...]
    starts: tuple[tuple[str, str], ...]
    """Name and URL of each start for free play; empty for a game that is not a page, or that has commands only."""
    image: str
    """URL of the image; empty if there is none."""


@dataclass(frozen=True)
class GameGroup:
    """The games of one library."""

    id: str
    title: str
    games: tuple[Card, ...]


def game_groups(catalog: Catalog) -> list[GameGroup]:
    """Returns all games, grouped by library."""
    out = []
    for library in catalog.libraries.values():
        games = [g for g in catalog.games.values() if catalog.library_of(g.id).id == library.id]
        if games:
            out.append(GameGroup(library.id, library.title or library.id, tuple(map(_card, games))))
    return out


def image_file(game: Game) -> Path | None:
    """Returns the image file of a game; None if it does not exist."""
    file = game.folder.parent / "pictures" / f"{game.id}.webp"
    return file if file.is_file() else None


def free_play_file(game: Game, path: str) -> tuple[bytes, str] | None:
    """Returns content and type of a file for free play; None if the game has no such file. HTML pages get the start
    gate, which tells what each role does and with which keys."""
    source = PageSource(game.site, game.page_path, "", 0, game.viewport, False, EXCLUDED_FILES)
    file = find_file(source, path)
    if file is None:
        return None
    data, kind = file.read_bytes(), mime_type(file)
    if not kind.startswith("text/html"):
        return data, kind
    return _with_start_gate(data, [prompt_text(r.description, keys=True) for r in game.roles]), kind


def _with_start_gate(page: bytes, roles: Sequence[str]) -> bytes:
    """Inserts the start gate, with the descriptions of the roles, before all scripts of a page."""
    text = page.decode("utf-8", "replace")
    head = re.match(r"\s*(<!doctype[^>]*>)?\s*(<html[^>]*>)?\s*(<head[^>]*>)?", text, re.IGNORECASE)
    at = head.end() if head else 0
    gate = START_GATE.format(escape("\n\n".join(roles)))
    return f"{text[:at]}{gate}{text[at:]}".encode()


def _card(game: Game) -> Card:
    """Returns the card of a game."""
    keys = list(dict.fromkeys(k for r in game.roles for k in r.keys))
    mouse = ["mouse"] if any(r.clicks for r in game.roles) else []
    by_hand = bool(keys or mouse) or any(c.type_text for r in game.roles for c in r.controls)
    options = list(dict.fromkeys(t.options for t in game.tasks)) if game.kind == "browser" and by_hand else []
    starts = [(_start(o, len(options)), f"freely/{game.id}/{game.page_path}{o}") for o in options]
    image = f"pictures/{game.id}.webp" if image_file(game) else ""
    return Card(
        game.id, game.title, game.genre, game.summary, len(game.roles), (*_keys(keys), *mouse), game.tasks,
        tuple(starts), image,
    )  # fmt: skip


def _keys(keys: Sequence[str]) -> list[str]:
    """Returns display names of keys: arrows as symbols, the alphabet as a–z."""
    out = list(keys)
    for run in KEY_RANGES:
        if set(run) <= set(out):
            at = out.index(run[0])
            out = (
                [k for k in out[:at] if k not in run] + [f"{run[0]}–{run[-1]}"] + [k for k in out[at:] if k not in run]
            )
    return [ARROWS.get(k, k) for k in out]


def _start(options: str, count: int) -> str:
    """Returns the display name of a task's options: `?level=2` is Level 2."""
    if count == 1:
        return "Play"
    number = re.search(r"(\w+)[=/](\d+)", options)
    return f"{number[1].capitalize()} {number[2]}" if number else options or "Play"
