"""Worlds without a page, for one and for two roles, and a library of games in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pipelines.counter_world import CounterWorld

from gwray.environments import Opening, Reading, RoleObservation
from gwray.records import Action
from gwray.settings import ObservationSpec

GAME = """id: {id}
title: Counter
summary: A counter.
rules: Count up.
kind: mcp_servers.worlds.{kind}
viewport: [64, 64]
text: true
uses: []
roles:
{roles}
tasks:
  - {{id: {id}_1, instruction: Reach four., score: game_state.count, target: {target}, max_steps: 4}}
"""
ROLE = """  - name: {name}
    description: You count.
    keys: [a, b]
    controls:
      - {{id: up, description: adds one, press: a}}
      - {{id: down, description: takes one away, press: b}}
"""


class Solo(CounterWorld):
    """The counter of one role."""


class Pair(CounterWorld):
    """Two roles act together on one counter."""

    def __init__(self, opening: Opening):
        super().__init__(opening)
        self._roles = tuple(role.name for role in opening.game.roles)

    def to_act(self) -> tuple[str, ...]:
        return self._roles

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        seen = await super().observe(role, wanted)
        return RoleObservation(seen.views, f"{role}: {seen.text}" if seen.text else "")

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        return await super().step(dict(sorted(actions.items())), look=look)


def library(folder: Path) -> Path:
    """Writes the games `solo` (role player) and `duo` (roles left and right); returns their folder."""
    for id, kind, roles, target in (("solo", "Solo", ["player"], 4), ("duo", "Pair", ["left", "right"], 8)):
        (folder / id).mkdir(parents=True)
        text = "".join(ROLE.format(name=name) for name in roles)
        (folder / id / "game.yaml").write_text(GAME.format(id=id, kind=kind, roles=text, target=target))
    (folder / "library.yaml").write_text("id: counters\ntitle: Counters\n")
    return folder
