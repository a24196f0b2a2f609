"""Where a page comes from, what is seen of it, and the limits it is held to.

No behaviour here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Clock = Literal["stepped", "native"]
ImageKind = Literal["jpeg", "png"]

ORIGIN = "http://gwray.localhost"
"""The one address a page can load from. Nothing listens there: requests are answered from `PageSource.site`."""


@dataclass(frozen=True)
class PageSource:
    """A game page and how to open it."""

    site: tuple[tuple[str, Path], ...]
    """Folders by the path that each appears under (`gameworld/13_flappy-bird`, empty for the root): the longest path
    that fits counts, and nothing else is served."""
    page: str
    """Page below the site's root, for example `gameworld/13_flappy-bird/index.html`."""
    query: str
    """URL suffix with the task's options, `?level=2` or empty."""
    seed: int
    viewport: tuple[int, int]
    """Width and height in CSS pixels; one CSS pixel is one image pixel."""
    canvas: bool
    """The page's single canvas is the observation: it may be encoded inside the page."""
    withheld: tuple[str, ...] = ()
    """Patterns of names of files and folders in them that are not served, in small letters."""

    @property
    def url(self) -> str:
        """The address the browser opens."""
        return f"{ORIGIN}/{self.page.lstrip('/')}{self.query}"


@dataclass(frozen=True)
class Encoding:
    """How a picture is encoded."""

    image: ImageKind = "jpeg"
    quality: int = 80
    """Of a JPEG, 1 to 100."""

    @property
    def mime(self) -> str:
        return f"image/{self.image}"


@dataclass(frozen=True)
class Frame:
    """One picture of the viewport."""

    data: bytes
    mime: str
    width: int
    height: int


@dataclass(frozen=True)
class Limits:
    """Real-time limits: none of them changes what happens in a game that stays within them."""

    call_s: float = 30.0
    """One answer of the browser; longer is a hang."""
    load_s: float = 60.0
    """Loading the page with all its files."""
    close_s: float = 5.0
    """Orderly closing, before processes are killed."""
    io_s: float = 10.0
    """Work the page started outside its clock (a fetch, an image)."""
    state_chars: int = 2_000_000
    """Size of one state as JSON."""
    text_chars: int = 20_000
    """Size of one description in words."""
    console_lines: int = 200
    console_chars: int = 500
