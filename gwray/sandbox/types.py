"""Data types of the sandbox: page source, image encoding, screenshots and limits."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Clock = Literal["stepped", "native"]
ImageKind = Literal["jpeg", "png"]

ORIGIN = "http://gwray.localhost"
"""The only origin a page can load from. There is no server: requests are answered from `PageSource.site`."""


@dataclass(frozen=True)
class PageSource:
    """The files of a game page, and how to open it."""

    site: tuple[tuple[str, Path], ...]
    """Folders by URL path (`gameworld/13_flappy-bird`, empty for the root). The longest matching path is used; nothing
    else is served."""
    page: str
    """Path of the page, for example `gameworld/13_flappy-bird/index.html`."""
    query: str
    """URL suffix with the task's options, `?level=2` or empty."""
    seed: int
    viewport: tuple[int, int]
    """Width and height in CSS pixels; one CSS pixel is one image pixel."""
    canvas: bool
    """Whether the page's single canvas is the screenshot, so that it can be encoded inside the page."""
    withheld: tuple[str, ...] = ()
    """Lower-case name patterns of files and folders that are not served."""
    probe: tuple[tuple[str, str], ...] = ()
    """Expressions that read the state of a page without `gameAPI`, by field."""
    fps: int = 60
    """Frames per second of game time."""
    ready: str = ""
    """Expression that is true when such a page can be played."""

    @property
    def url(self) -> str:
        """The URL that the browser opens."""
        return f"{ORIGIN}/{self.page.lstrip('/')}{self.query}"


@dataclass(frozen=True)
class Encoding:
    """Encoding of a screenshot."""

    image: ImageKind = "jpeg"
    quality: int = 80
    """JPEG quality, 1 to 100."""

    @property
    def mime(self) -> str:
        return f"image/{self.image}"


@dataclass(frozen=True)
class Frame:
    """A screenshot of the viewport."""

    data: bytes
    mime: str
    width: int
    height: int


@dataclass(frozen=True)
class Limits:
    """Limits in real time and size. They do not affect games that stay within them."""

    call_s: float = 30.0
    """Time limit of a browser call; a longer call counts as a hang. A page that hangs while its frame is drawn, as in a
    handler of a mouse movement, delays the frames of its browser's other pages as long."""
    load_s: float = 60.0
    """Loading the page with all its files."""
    close_s: float = 5.0
    """Time limit of closing, before processes are killed."""
    io_s: float = 10.0
    """Time limit of work outside the page's clock (a fetch, an image)."""
    state_chars: int = 2_000_000
    """Size of one state as JSON."""
    text_chars: int = 20_000
    """Size of one description in words."""
    console_lines: int = 200
    console_chars: int = 500
