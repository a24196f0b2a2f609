"""A page that is filmed while it is played: a picture at every 1/fps s of game time, with what is being done.

It is an environment like the one that it stands around, and nothing that happens in that one hangs on it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from gwray.actions import Action, Click, ClickHold, Drag, MouseMove, PressKey, PressKeys, Pull, Scroll, Type
from gwray.environments.base import Environment, RoleObservation
from gwray.errors import UsageError
from gwray.spec import ObservationSpec
from gwray.views import Diagnostics, Reading

if TYPE_CHECKING:
    from gwray.sandbox import Frame

FrameHandler = Callable[["Frame", str], Awaitable[None]]
"""Is given each picture, and what is being done at it, in words."""


class RecordingEnvironment:
    """An environment of a page that hands over its pictures. `thinking`: also of the game time that passes while a
    player thinks. Raises `UsageError` for a world that is no page."""

    def __init__(self, world: Environment, take: FrameHandler, *, fps: int, thinking: bool):
        from gwray.environments.browser import BrowserEnvironment

        if not isinstance(world, BrowserEnvironment):
            raise UsageError(f"a film is made of a page, and {type(world).__name__} is none")
        self._world, self._take, self._fps, self._thinking = world, take, fps, thinking
        self._steps = 0

    def to_act(self) -> tuple[str, ...]:
        return self._world.to_act()

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        return await self._world.observe(role, wanted)

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        self._steps += 1
        several = len(self._world.to_act()) > 1
        said = [f"{role}: {in_words(a)}" if several else in_words(a) for role, a in actions.items()]
        self._film(f"{self._steps} · {', '.join(said) or 'nothing'}")
        try:
            return await self._world.step(actions, look=look)
        finally:
            self._world.page.film(0, None)

    async def read(self) -> Reading:
        return await self._world.read()

    async def advance(self, ms: float) -> None:
        if self._thinking:
            self._film(f"{self._steps} · thinking")
        try:
            await self._world.advance(ms)
        finally:
            self._world.page.film(0, None)

    async def reset(self, seed: int) -> None:
        await self._world.reset(seed)

    async def confirm(self) -> None:
        await self._world.confirm()

    def diagnostics(self) -> Diagnostics:
        return self._world.diagnostics()

    async def close(self) -> None:
        await self._world.close()

    def _film(self, words: str) -> None:
        async def take(frame: Frame) -> None:
            await self._take(frame, words)

        self._world.page.film(self._fps, take)


def in_words(action: Action) -> str:
    """An action in a few words: `Space`, `click 640, 360`."""
    match action:
        case PressKey(key=key):
            return key
        case PressKeys(keys=keys):
            return " + ".join(keys)
        case Type(text=text):
            return f"types {text[:40]}"
        case Drag(x=x, y=y, to_x=a, to_y=b) | Pull(x=x, y=y, to_x=a, to_y=b):
            return f"{action.action} {x:g}, {y:g} to {a:g}, {b:g}"
        case Click(x=x, y=y) | MouseMove(x=x, y=y) | Scroll(x=x, y=y):
            return f"{action.action.replace('_', ' ')} {x:g}, {y:g}"
        case ClickHold(x=x, y=y) if x is not None and y is not None:
            return f"hold {x:g}, {y:g}"
    return action.action.replace("_", " ")
