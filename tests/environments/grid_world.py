"""An environment without a page, defined outside the package: a board in plain Python whose roles take turns."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping

from PIL import Image, ImageDraw

from gwray.environments import Diagnostics, Opening, Reading, RoleObservation, View
from gwray.records import Action, PressKey, canonical, digest
from gwray.settings import ObservationSpec

SIDE, SQUARE = 5, 40
STEP = {"ArrowRight": (1, 0), "ArrowDown": (0, 1)}


class GridWorld:
    """Two walkers who move one square a turn; a seeded square is a hole that sends them back."""

    def __init__(self, opening: Opening):
        self.opening = opening
        self.closed = False
        self._turn = 0
        self._start(opening.seed)

    @classmethod
    async def open(cls, opening: Opening) -> GridWorld:
        return cls(opening)

    def _start(self, seed: int) -> None:
        self._at = {"red": (0, 0), "blue": (0, SIDE - 1)}
        self._hole = (random.Random(seed).randrange(1, SIDE - 1), 2)

    def to_act(self) -> tuple[str, ...]:
        return (("red", "blue")[self._turn % 2],)

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        views = tuple(self._draw(name) for name in wanted.views) if wanted.pictures else ()
        x, y = self._at[role]
        return RoleObservation(views, f"You are {role}, on column {x + 1} of row {y + 1}." if wanted.text else "")

    def _draw(self, name: str) -> View:
        image = Image.new("RGB", (SIDE * SQUARE, SIDE * SQUARE), "white" if name == "front" else "black")
        pen = ImageDraw.Draw(image)
        for role, (x, y) in self._at.items():
            pen.rectangle((x * SQUARE, y * SQUARE, (x + 1) * SQUARE, (y + 1) * SQUARE), role)
        data = io.BytesIO()
        image.save(data, "png")
        return View(name, data.getvalue(), "image/png", *image.size)

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        for role, action in actions.items():
            if isinstance(action, PressKey):
                dx, dy = STEP[action.key]
                x, y = self._at[role]
                self._at[role] = min(SIDE - 1, x + dx), min(SIDE - 1, y + dy)
                if self._at[role] == self._hole:
                    self._at[role] = (0, 0)
        self._turn += 1
        return await self.read()

    async def read(self) -> Reading:
        state = {
            "status": "playing",
            "terminal": {"isTerminal": False},
            "game_state": {role: sum(at) for role, at in self._at.items()},
        }
        return Reading(state, digest(canonical(state)), 0.0)

    async def advance(self, ms: float) -> None:
        """There is no clock."""

    async def reset(self, seed: int) -> None:
        self._start(seed)

    async def confirm(self) -> None: ...

    def diagnostics(self) -> Diagnostics:
        return Diagnostics(renderer=f"Pillow {Image.__version__}")

    async def close(self) -> None:
        self.closed = True
