"""Decides: the published question for an action, with the notes of the other modules in it."""

from __future__ import annotations

from gwray.agents.base import Ask, Decision
from gwray.agents.modules.base import Module, Turn


class Act(Module):
    """Asks the role's own model, in the format of its profile."""

    name = "act"
    acts = True

    async def run(self, turn: Turn, ask: Ask) -> Decision:
        (reply,) = await ask(self.context.action_prompt(turn.observation, more=turn.notes.parts()))
        return self.context.decide(reply)
