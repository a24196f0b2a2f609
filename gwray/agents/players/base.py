"""What the players without a model share: their replies are text in the plain JSON format, read like any model's.

They get the state and their controls beside the question (`Situation`). Asked by a part of an agent that does not act
(a reflection, a plan), they give that part's neutral answer.
"""

from __future__ import annotations

import json
import time
from typing import Any

from gwray.agents.base import Prompt
from gwray.agents.coordinates import Grid
from gwray.agents.messages import Request
from gwray.agents.role_context import RoleContext, Situation
from gwray.agents.spaces import get_space
from gwray.errors import choose
from gwray.records import Reply, storable
from gwray.spec import AgentSpec, ImageGrid, ModelSpec


class Player:
    """A player that needs no request. Subclasses say what to do in `choose_text`."""

    sees_state = False

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext):
        self.spec, self.agent, self.role_context = spec, agent, role_context
        self.space = get_space(agent.interface)(
            role_context.role, role_context.viewport, Grid.from_spec(ImageGrid(), role_context.viewport)
        )

    def choose_text(self, situation: Situation) -> str:
        """The reply's text in this situation."""
        raise NotImplementedError

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        """One reply; it takes the time that it takes to choose it."""
        started = time.perf_counter()
        text = await self.reply_text(situation) if prompt.neutral is None else prompt.neutral
        return Reply(text=text, finish_reason="stop", latency_ms=(time.perf_counter() - started) * 1000, requests=0)

    async def reply_text(self, situation: Situation) -> str:
        """The text of an acting reply; for players that have to wait for it."""
        return self.choose_text(situation)

    def control_reply(self, said: str) -> str | None:
        """`control argument` in words, as a reply; None if it does not begin with one of the role's controls."""
        call = self.space.call_from_text(said)
        return None if call is None else as_json(self.space.to_json(call))

    def idle_reply(self) -> str:
        """A reply that does nothing: a wait where the role can wait, otherwise nothing at all."""
        call = self.space.idle_call()
        return "" if call is None else as_json(self.space.to_json(call))


def as_json(value: dict[str, Any]) -> str:
    """One line of JSON."""
    return storable(json.dumps(value, ensure_ascii=False))


def action_list(given: Any, role: str, known: list[str]) -> list[str]:
    """A list of strings for one role, from a list (every role's) or a mapping by role."""
    if isinstance(given, dict):
        unknown = sorted(set(map(str, given)) - set(known))
        if unknown:
            raise choose("role", unknown[0], known)
        given = given.get(role, [])
    return [str(a) for a in given]
