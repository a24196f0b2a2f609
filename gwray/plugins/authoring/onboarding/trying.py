"""Finds out how a page is played by trying: each key and each place to click is played in a page of its own, and
its picture compared with that of a page in which the same time passes without it. The sandbox makes all else equal."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gwray.errors import GameError
from gwray.pipelines import is_blank
from gwray.plugins.authoring.onboarding.sources import TEXT_SUFFIXES, Fetcher
from gwray.records import Action, Click, Diagnostics, MouseMove, PressKey, Wait, digest, events
from gwray.sandbox import Browser, Frame, PageSource

KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Space", "Enter", "w", "a", "s", "d")
"""Keys that are tried."""
MOVES = frozenset(KEYS) - {"Space", "Enter"}
"""Keys that steer; a page in which none of them has an effect may have to be started first."""
HOLD_MS = 200.0
AFTER_MS = 300.0
"""Game time after an input within which its effect must show."""
WARM_MS = 500.0
MAX_WARM_MS = 10_000.0
"""Game time that a page without any picture gets to draw one, in steps of `WARM_MS`."""
MAX_CLICKS = 8
LANES = 3
MAX_SOURCE = 400_000
"""Characters of a script that is searched for names; longer ones are engines."""
ORDINARY = re.compile(r"start|play|begin|new game|continue|ok", re.IGNORECASE)
DECLARED = re.compile(r"^[ \t]{0,4}(?:let|const|var|class|function)\s+([A-Za-z_]\w*)", re.MULTILINE)
SCAN = (Path(__file__).parent / "scan.js").read_text(encoding="utf-8").strip().removesuffix(";")


@dataclass(frozen=True)
class Control:
    """An input that is tried."""

    name: str
    action: Action
    text: str = ""
    """What is written where it clicks."""


@dataclass
class Look:
    """A page after some inputs."""

    picture: str
    scan: dict[str, Any]
    frame: Frame
    diagnostics: Diagnostics
    now_ms: float


@dataclass
class Explored:
    """What is known of a page."""

    page: str
    contract: bool
    title: str
    start: tuple[Control, ...]
    """Inputs that start it."""
    controls: tuple[Control, ...]
    """Those that have an effect."""
    look: Look
    """The page when it has been started."""
    values: dict[str, list[Any]] = field(default_factory=dict)
    """Values of the state by expression: at the start, and after each control."""


@dataclass
class Explorer:
    """Tries a page.

    Args:
        browser: a running browser.
        folder: the game's folder.
        page: path of the page in it.
        viewport: width and height in pixels.
        report: called with what is being done.
    """

    browser: Browser
    folder: Path
    page: str
    viewport: tuple[int, int]
    report: Callable[[str], None]
    _lanes: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LANES))
    _scan: str = ""

    async def explore(self, fetcher: Fetcher) -> Explored:
        """Opens the page, fetches what it lacks, starts it, and tries its controls. Raises `GameError` if it does not
        open."""
        self.report("opening the page")
        first = await self._opened(fetcher)
        start = (Control("wait", Wait(duration_ms=first.now_ms)),) if first.now_ms else ()
        found, looks = await self._try(start, self._controls(first))
        if not any(c.name in MOVES for c in found):
            for begin in sorted(found, key=lambda c: not ORDINARY.search(c.text))[:2]:
                begun = (*start, begin)
                first_begun = await self._look(begun, ())
                more, more_looks = await self._try(begun, self._controls(first_begun))
                if any(c.name in MOVES for c in more) or len(more) > len(found):
                    start, found, looks, first = begun, more, more_looks, first_begun
                    break
        seen = [look.scan["values"] for look in (first, *looks)]
        values = {name: [of_look.get(name) for of_look in seen] for name in seen[0]}
        return Explored(self.page, first.scan["contract"], first.scan["title"], start, tuple(found), first, values)

    async def _opened(self, fetcher: Fetcher) -> Look:
        """Returns the page when it has drawn something, with all files that can be had."""
        while True:
            self._scan = f"({SCAN})({json.dumps(self._declared())})"
            look = await self._look((), (), warm=True)
            noted = look.diagnostics
            missing = [url.partition("localhost/")[2].partition("?")[0] for url in noted.missing_files]
            others = [line.partition("GET ")[2] for line in noted.console if line.startswith("blocked: GET http")]
            if not await asyncio.to_thread(fetcher.fetch, missing, others):
                return look
            self.report("opening the page with the fetched files")

    def _declared(self) -> list[str]:
        """Returns the names that the page's scripts declare at their outermost level; other names do no harm."""
        names: dict[str, None] = {}
        for file in sorted(self.folder.rglob("*")):
            if file.suffix.lower() in TEXT_SUFFIXES - {".css", ".json"} and file.is_file():
                text = file.read_bytes().decode("utf-8", "replace")
                names |= dict.fromkeys(DECLARED.findall(text) if len(text) <= MAX_SOURCE else ())
        return [*names][:500]

    def _controls(self, look: Look) -> list[Control]:
        """Returns what to try: keys, buttons, and the middle of the largest canvas."""
        found = [Control(key, PressKey(key=key)) for key in KEYS]
        canvases = sorted(look.scan["canvases"], key=lambda spot: -spot["size"])[:1]
        spots: dict[tuple[int, int], Control] = {}
        for spot in [*look.scan["buttons"], *({**c, "text": "canvas"} for c in canvases)]:
            at = (spot["x"], spot["y"])
            spots.setdefault(at, Control(f"click {at[0]},{at[1]}", Click(x=at[0], y=at[1]), spot["text"]))
        return [*found, *list(spots.values())[:MAX_CLICKS]]

    async def _try(self, start: tuple[Control, ...], controls: Sequence[Control]) -> tuple[list[Control], list[Look]]:
        """Returns the controls that have an effect, and the pages after each of them and after none."""
        self.report(f"trying {len(controls)} keys and buttons")

        async def reacts(control: Control) -> tuple[bool, Look]:
            after = await self._look(start, (control.action, Wait(duration_ms=AFTER_MS)))
            if not isinstance(control.action, Click):
                return after.picture != idle.picture, after
            move = MouseMove(x=control.action.x, y=control.action.y, duration_ms=HOLD_MS)
            return after.picture != (await self._look(start, (move, Wait(duration_ms=AFTER_MS)))).picture, after

        idle = await self._look(start, (Wait(duration_ms=HOLD_MS), Wait(duration_ms=AFTER_MS)))
        results = await asyncio.gather(*map(reacts, controls))
        effective = [c for c, (reacted, _) in zip(controls, results, strict=True) if reacted]
        return effective, [idle, *(look for reacted, look in results if reacted)]

    async def _look(self, start: Sequence[Control], actions: Sequence[Action], *, warm: bool = False) -> Look:
        """Opens the page, plays inputs, and returns what is there then."""
        async with self._lanes:
            lane = await self.browser.open(self._source(self._scan), image="png")
            try:
                for action in (*(c.action for c in start), *actions):
                    await lane.perform(events(action, HOLD_MS))
                passed = 0.0
                frame = await lane.observe()
                while warm and passed < MAX_WARM_MS and is_blank(frame.data):
                    await lane.advance(WARM_MS)
                    passed += WARM_MS
                    frame = await lane.observe()
                scan = (await lane.read()).state["scan"]
                if scan is None:
                    raise GameError(f"{self.page}: its values cannot be read")
                return Look(digest(frame.data), scan, frame, lane.diagnostics(), passed)
            finally:
                await lane.close()

    def _source(self, expression: str) -> PageSource:
        return PageSource(
            site=(("game", self.folder), ("", (self.folder / self.page).parent)),
            page=f"game/{self.page}",
            query="",
            seed=42,
            viewport=self.viewport,
            canvas=False,
            withheld=("game.yaml", ".*"),
            probe=(("scan", expression),),
        )
