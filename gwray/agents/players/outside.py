"""People, and models outside of gwray such as MCP clients, answer when they like: each question waits in an
`OutsideInput` until its reply is submitted there. The time until then is the reply's latency."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gwray.agents.base import Prompt
from gwray.agents.clients.base import Secret, stored_text, tool_call
from gwray.agents.messages import Request
from gwray.agents.players.base import Player
from gwray.agents.role_context import RoleContext, Situation
from gwray.errors import UsageError
from gwray.records import Reply, ToolCall
from gwray.settings import AgentSpec, ModelSpec

_NO_SECRET = Secret("")


@dataclass(frozen=True)
class OpenQuestion:
    """A question that waits for its reply. `since`: `time.perf_counter()` when it was asked."""

    prompt: Prompt
    situation: Situation
    since: float


class OutsideInput:
    """Passes the questions of one role to a person or a model outside of gwray, one at a time, and the replies back.

    Args:
        on_change: called when a question opens.
    """

    def __init__(self, on_change: Callable[[], None] = lambda: None):
        self.open: OpenQuestion | None = None
        """The question that waits for a reply; None: there is none."""
        self.asked = 0
        """Number of questions so far; identifies the open one."""
        self._on_change = on_change
        self._reply: asyncio.Future[Reply] | None = None

    async def ask(self, prompt: Prompt, situation: Situation) -> Reply:
        """Waits for the reply to a question."""
        self._reply = asyncio.get_running_loop().create_future()
        self.open = OpenQuestion(prompt, situation, time.perf_counter())
        self.asked += 1
        self._on_change()
        try:
            return await self._reply
        finally:
            self.open = None

    def answer(self, text: str, calls: Sequence[tuple[str, Any]] = ()) -> None:
        """Submits the reply to the open question: text, and calls as (name, arguments). Raises `UsageError` if no
        question is open."""
        if self.open is None or self._reply is None or self._reply.done():
            raise UsageError("no question is open: observe first")
        latency_ms = (time.perf_counter() - self.open.since) * 1000
        self.open = None
        self._reply.set_result(outside_reply(text, calls, latency_ms))


def outside_reply(text: str, calls: Sequence[tuple[str, Any]], latency_ms: float) -> Reply:
    """Returns a reply with texts and arguments limited to what is stored of any reply."""
    made: tuple[ToolCall, ...] = tuple(tool_call(name, arguments, _NO_SECRET) for name, arguments in calls)
    return Reply(
        text=stored_text(text, _NO_SECRET), tool_calls=made, finish_reason="stop", latency_ms=max(latency_ms, 0.001)
    )


HumanInputs = Mapping[tuple[str, str], OutsideInput]
"""Inputs by episode key and role. The page that shows the screen, or the MCP server, creates them before the episode
starts."""


class Outside:
    """Responder of the model profile `mcp` without a server: an MCP client of `gwray mcp game` answers."""

    repeatable = False

    def __init__(self, role_context: RoleContext, inputs: HumanInputs):
        self._role_context = role_context
        self._input = inputs.get((role_context.episode_key, role_context.role.name))

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        if self._input is None:
            at = self._role_context
            raise UsageError(f"an MCP client plays with: gwray mcp game {at.game.id} {at.task.id}")
        return await self._input.ask(prompt, situation)


class Human(Player):
    """Replies with the actions of a person, who sees what a model sees and answers in plain JSON."""

    repeatable = False

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext, inputs: HumanInputs):
        super().__init__(spec, agent, role_context)
        self._input = inputs.get((role_context.episode_key, role_context.role.name))

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        if prompt.neutral is not None:
            return await super().answer(request, prompt, situation)
        if self._input is None:
            at = self.role_context
            raise UsageError(f"a person plays with: gwray play {at.game.id} {at.task.id}")
        return (await self._input.ask(prompt, situation)).model_copy(update={"requests": 0})
