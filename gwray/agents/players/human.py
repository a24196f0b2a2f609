"""A person at the screen: sees what a model sees and answers in plain JSON, so nothing after it is different.

The agent and whatever shows the screen to the person meet at a `HumanInput`. The time the person takes is the reply's
latency, which `timing=realtime` charges to the game like any model's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from gwray.agents.base import Observation
from gwray.agents.players.base import Player, as_json
from gwray.agents.role_context import RoleContext, Situation
from gwray.errors import UsageError
from gwray.spec import AgentSpec, ModelSpec


class HumanInput:
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


HumanInputs = Mapping[tuple[str, str], HumanInput]
"""Desks by episode key and role. Whoever shows the screen makes them before the episode begins, and hands them in."""


class Human(Player):
    """A person, through a desk."""

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext, human_inputs: HumanInputs):
        super().__init__(spec, agent, role_context)
        self._human_input = human_inputs.get((role_context.episode_key, role_context.role.name))

    async def reply_text(self, situation: Situation) -> str:
        if self._human_input is None:
            role_context = self.role_context
            raise UsageError(f"a person plays with: gwray play {role_context.game.id} {role_context.task.id}")
        self._human_input.last = situation.last
        return await self._human_input.ask(situation.observation)
