"""A world without a page: a counter and the game time, both in the state and in the picture."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL import Image

from gwray.environments import Diagnostics, Opening, Reading, RoleObservation, View
from gwray.records import Action, PressKey, canonical, digest
from gwray.settings import ObservationSpec


class CounterWorld:
    """`a` adds one, `b` takes one away; every step takes 100 ms."""

    uncontrolled: tuple[str, ...] = ()
    """What it claims not to control. Tests replace it."""
    renderer = "counter 1"
    """What it claims to draw its pictures. Tests replace it."""

    def __init__(self, opening: Opening):
        self._role = opening.game.roles[0].name
        self._count, self._now = 0, 0.0

    @classmethod
    async def open(cls, opening: Opening) -> CounterWorld:
        return cls(opening)

    def to_act(self) -> tuple[str, ...]:
        return (self._role,)

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        image = Image.new("RGB", (64, 64), (self._count % 256, int(self._now) % 256, int(self._now) // 256 % 256))
        data = io.BytesIO()
        image.save(data, "png")
        views = (View("front", data.getvalue(), "image/png", *image.size),) if wanted.pictures else ()
        return RoleObservation(views, f"The counter is at {self._count}." if wanted.text else "")

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        for action in actions.values():
            if isinstance(action, PressKey):
                self._count += {"a": 1, "b": -1}[action.key]
        self._now += 100
        return await self.read()

    async def read(self) -> Reading:
        state = {"status": "playing", "terminal": {"isTerminal": False}, "game_state": {"count": self._count}}
        return Reading(state, digest(canonical(state)), self._now)

    async def advance(self, ms: float) -> None:
        self._now += ms

    async def reset(self, seed: int) -> None:
        self._count = 0

    async def confirm(self) -> None: ...

    def diagnostics(self) -> Diagnostics:
        return Diagnostics(renderer=self.renderer, irreproducible=self.uncontrolled)

    async def close(self) -> None: ...
