"""Records a browser environment while it is played: a screenshot every 1/fps s of game time, with the current action.
Recording does not change the game."""

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
"""Receives each screenshot with a description of the current action."""


class RecordingEnvironment:
    """Wraps a browser environment and passes its screenshots to `on_frame`. `thinking`: also record the game time that
    passes while the model thinks. Raises `UsageError` for an environment that is not a page."""

    def __init__(self, environment: Environment, on_frame: FrameHandler, *, fps: int, thinking: bool):
        from gwray.environments.browser import BrowserEnvironment

        if not isinstance(environment, BrowserEnvironment):
            raise UsageError(f"only browser games can be recorded; this one is played in {type(environment).__name__}")
        self._environment, self._on_frame, self._fps, self._thinking = environment, on_frame, fps, thinking
        self._steps = 0
        self._several = len(environment.to_act()) > 1

    def to_act(self) -> tuple[str, ...]:
        return self._environment.to_act()

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        return await self._environment.observe(role, wanted)

    async def step(
        self, actions: Mapping[str, Action], *, look: bool, after_ms: Mapping[str, float] | None = None
    ) -> Reading:
        self._steps += 1
        several = self._several
        texts = [f"{role}: {describe_action(a)}" if several else describe_action(a) for role, a in actions.items()]
        self._record(f"{self._steps} · {', '.join(texts) or 'nothing'}")
        try:
            return await self._environment.step(actions, look=look, after_ms=after_ms)
        finally:
            self._environment.page.record(0, None)

    async def read(self) -> Reading:
        return await self._environment.read()

    async def advance(self, ms: float) -> None:
        if self._thinking:
            self._record(f"{self._steps} · thinking")
        try:
            await self._environment.advance(ms)
        finally:
            self._environment.page.record(0, None)

    async def reset(self, seed: int) -> None:
        await self._environment.reset(seed)

    async def confirm(self) -> None:
        await self._environment.confirm()

    def diagnostics(self) -> Diagnostics:
        return self._environment.diagnostics()

    async def close(self) -> None:
        await self._environment.close()

    def _record(self, caption: str) -> None:
        async def on_frame(frame: Frame) -> None:
            await self._on_frame(frame, caption)

        self._environment.page.record(self._fps, on_frame)


def describe_action(action: Action) -> str:
    """Returns a short text for an action, with points in viewport pixels: `Space`, `click 640, 360`."""
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
