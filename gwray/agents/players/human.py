"""A person who plays: sees what a model sees and answers in plain JSON, so all later steps are the same. The player and
the page that shows the screen exchange data through a `HumanInput`. The time until the person acts is the reply's
latency, which `timing=realtime` charges to the game as for any model."""

import asyncio
from collections.abc import Mapping
from typing import Any

from gwray.agents.base import Observation
from gwray.agents.players.base import Player, as_json
from gwray.agents.players.outside import OutsideInput
from gwray.agents.role_context import RoleContext, Situation
from gwray.errors import UsageError
from gwray.settings import AgentSpec, ModelSpec


class HumanInput:
    """Passes observations of one role to a person, and the person's actions back."""

    def __init__(self) -> None:
        self.observation: Observation | None = None
        """The observation to decide on; None if no decision is pending."""
        self.asked = 0
        """Number of questions so far; identifies the current one."""
        self.last = ""
        """Why the last action was not possible; empty if it was."""
        self._answer: asyncio.Future[str] | None = None
        self.changed = asyncio.Event()

    async def ask(self, observation: Observation) -> str:
        """Waits for the person's action. Returns it as JSON."""
        self._answer = asyncio.get_running_loop().create_future()
        self.observation = observation
        self.asked += 1
        self.changed.set()
        try:
            return await self._answer
        finally:
            self.observation = None

    def answer(self, asked: int, action: dict[str, Any]) -> bool:
        """Submits the person's action for question `asked`. Returns False if that question is not open."""
        if self.observation is None or asked != self.asked or self._answer is None or self._answer.done():
            return False
        self._answer.set_result(as_json(action))
        return True


HumanInputs = Mapping[tuple[str, str], HumanInput | OutsideInput]
"""Inputs by episode key and role. The page that shows the screen, or the MCP server, creates them before the episode
starts."""


class Human(Player):
    """Replies with the actions of a person."""

    repeatable = False

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext, human_inputs: HumanInputs):
        super().__init__(spec, agent, role_context)
        self._human_input = human_inputs.get((role_context.episode_key, role_context.role.name))

    async def reply_text(self, situation: Situation) -> str:
        if not isinstance(self._human_input, HumanInput):
            at = self.role_context
            raise UsageError(f"a person plays with: gwray play {at.game.id} {at.task.id}")
        self._human_input.last = situation.last
        return await self._human_input.ask(situation.observation)
