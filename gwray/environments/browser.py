"""A game page as an environment: actions become trusted input on the page's stepped clock."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from gwray.actions import Action
from gwray.catalog import EXCLUDED_FILES
from gwray.environments.base import Opening, RoleObservation
from gwray.environments.opening import FRONT, PREVIOUS, joint_events
from gwray.records import canonical, digest, storable
from gwray.sandbox import Encoding, Frame, GamePage, PageSource
from gwray.signatures import MemoryState, merge_values
from gwray.spec import ObservationSpec
from gwray.views import Diagnostics, Reading, View


class BrowserEnvironment:
    """The `Environment` of games with `kind: browser`. Made by `open`."""

    def __init__(self, page: GamePage, opening: Opening, renderer: str):
        self.page = page
        """The page, for laboratories and contract tests; an episode goes through the environment."""
        self._game = game = opening.game
        self._hold_scale = opening.hold_scale
        self._usual = opening.observation
        self.memory = MemoryState(page.memory, game.id, game.signatures) if game.state == "memory" else None
        """Where the score's values come from, if not from the page."""
        self._renderer = renderer
        self._looking = asyncio.Lock()
        self._instant = 0
        """Counts what ends an instant: steps, advances, resets."""
        self._pictures: dict[tuple[str, str, int], View] = {}
        """Of this instant, by name, format and quality."""
        self._texts: dict[str, str] = {}
        """Of this instant, by role."""
        self._shown: dict[str, tuple[int, View]] = {}
        """Role → when it looked last, and the front picture of then."""
        self._before: dict[str, View] = {}
        """Role → the front picture of the look before that."""

    @classmethod
    async def open(cls, opening: Opening) -> BrowserEnvironment:
        """A page of its own in a browser, with the task at its first instant."""
        game, seen = opening.game, opening.observation
        browser = await opening.browser()
        source = PageSource(
            site=game.site,
            withheld=EXCLUDED_FILES,
            page=game.page_path,
            query=opening.task.options,
            seed=opening.seed,
            viewport=game.viewport,
            canvas=game.capture == "canvas",
        )
        image = "png" if seen.format == "png" else "jpeg"
        page = await browser.open(source, clock=opening.clock, image=image, quality=seen.quality)
        return cls(page, opening, browser.version)

    def to_act(self) -> tuple[str, ...]:
        """Every role: a page's clock runs for all of them."""
        return tuple(r.name for r in self._game.roles)

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        """Pictures and text of this instant. Several roles that want the same picture share one.

        `previous` is the front picture of the instant at which this role looked before, if there was no reset between.
        """
        self._game.role(role)
        async with self._looking:
            views = await self._views(role, wanted) if wanted.pictures else ()
            text = await self._text(role) if wanted.text else ""
        return RoleObservation(views, text)

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        """All actions as trusted input over the same frames; state and front picture come with the last of them.

        Memory is read first: a page notices when it is asked for its state.
        """
        usual = self._usual
        front = look and usual.pictures and not {FRONT, PREVIOUS}.isdisjoint(usual.views)
        self._move_on()
        events = joint_events(self._game, actions, self._hold_scale)
        values: dict[str, object] = {}
        if self.memory is not None:
            await self.page.perform(events)
            events, values = [], await self.memory.read()
        reading, frame = await self.page.step(events, observe=front)
        if frame is not None:
            self._pictures[FRONT, usual.format, usual.quality] = _view(FRONT, frame)
        return self._with(reading, values)

    async def read(self) -> Reading:
        """`getState()` of this instant, with what the game's memory says of it."""
        values = await self.memory.read() if self.memory is not None else {}
        return self._with(await self.page.read(), values)

    async def advance(self, ms: float) -> None:
        """Run the page's clock without input."""
        self._move_on()
        await self.page.advance(ms)

    async def reset(self, seed: int) -> None:
        """Call the page's `reset({seed})` and wait in game time until it can be played."""
        await self.confirm()
        self._move_on()
        self._shown.clear()
        self._before.clear()
        await self.page.reset(seed)
        if self.memory is not None:
            self.memory.forget()

    async def confirm(self) -> None:
        """What was read from memory was read where the game has it."""
        if self.memory is not None:
            await self.memory.confirm()

    def diagnostics(self) -> Diagnostics:
        """What the page said, and what its clock could not control."""
        return replace(self.page.diagnostics(), renderer=self._renderer)

    async def close(self) -> None:
        """Close the page; the browser stays."""
        await self.page.close()

    def _with(self, reading: Reading, values: Mapping[str, object]) -> Reading:
        if not values:
            return reading
        state = merge_values(reading.state, values)
        return replace(reading, state=state, state_hash=digest(storable(canonical(state))))

    def _move_on(self) -> None:
        """What was seen until now is of an instant that is over."""
        self._instant += 1
        self._pictures.clear()
        self._texts.clear()

    async def _views(self, role: str, wanted: ObservationSpec) -> tuple[View, ...]:
        before = None
        if PREVIOUS in wanted.views:
            before = self._previous(role, await self._picture(FRONT, wanted))
        views: list[View] = []
        for name in sorted(wanted.views, key=lambda n: n != FRONT):
            if name != PREVIOUS:
                views.append(await self._picture(name, wanted))
            elif before is not None:
                views.append(replace(before, name=PREVIOUS))
        return tuple(views)

    def _previous(self, role: str, front: View) -> View | None:
        instant, shown = self._shown.get(role, (self._instant, front))
        if instant != self._instant:
            self._before[role] = shown
        self._shown[role] = (self._instant, front)
        return self._before.get(role)

    async def _picture(self, name: str, wanted: ObservationSpec) -> View:
        key = (name, wanted.format, wanted.quality)
        if key not in self._pictures:
            encoding = Encoding("png" if wanted.format == "png" else "jpeg", wanted.quality)
            taking = self.page.observe(encoding) if name == FRONT else self.page.look(name, encoding)
            self._pictures[key] = _view(name, await taking)
        return self._pictures[key]

    async def _text(self, role: str) -> str:
        if role not in self._texts:
            self._texts[role] = await self.page.describe(role)
        return self._texts[role]


def _view(name: str, frame: Frame) -> View:
    return View(name, frame.data, frame.mime, frame.width, frame.height)
