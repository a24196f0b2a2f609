"""A person at the screen: sees what a model sees and answers in plain JSON, so nothing after it is different.

The agent and whatever shows the screen to the person meet at a `Desk`. The time the person takes is the reply's
latency, which `timing=realtime` charges to the game like any model's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from gwray.agents.base import Observation
from gwray.agents.players.base import Player, as_json
from gwray.agents.players.situation import Situation
from gwray.agents.seat import Seat
from gwray.errors import UsageError
from gwray.spec import AgentSpec, ModelSpec


class Desk:
    """One role's meeting point: the agent puts an observation down, the person puts an action down."""

    def __init__(self) -> None:
        self.observation: Observation | None = None
        """What is to be decided on; None while nothing is asked."""
        self.asked = 0
        """Counts the questions, so that an answer to an old one is not taken for a new one."""
        self.last = ""
        """What the last reply came to, where it was not possible."""
        self._answer: asyncio.Future[str] | None = None
        self.changed = asyncio.Event()

    async def ask(self, observation: Observation) -> str:
        """Wait for the person's action, as JSON text."""
        self._answer = asyncio.get_running_loop().create_future()
        self.observation = observation
        self.asked += 1
        self.changed.set()
        try:
            return await self._answer
        finally:
            self.observation = None

    def answer(self, asked: int, action: dict[str, Any]) -> bool:
        """The person's action; False if it answers no open question."""
        if self.observation is None or asked != self.asked or self._answer is None or self._answer.done():
            return False
        self._answer.set_result(as_json(action))
        return True


Desks = Mapping[tuple[str, str], Desk]
"""Desks by episode key and role. Whoever shows the screen makes them before the episode begins, and hands them in."""


class Human(Player):
    """A person, through a desk."""

    def __init__(self, spec: ModelSpec, agent: AgentSpec, seat: Seat, desks: Desks):
        super().__init__(spec, agent, seat)
        self._desk = desks.get((seat.episode_key, seat.role.name))

    async def reply_text(self, situation: Situation) -> str:
        if self._desk is None:
            seat = self.seat
            raise UsageError(f"a person plays with: gwray play {seat.game.id} {seat.task.id}")
        self._desk.last = situation.last
        return await self._desk.ask(situation.seen)
