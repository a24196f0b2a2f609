"""COAST's three instructions in the one question for an action: the published control without a loop or a memory."""

from __future__ import annotations

from gwray.agents.base import Ask
from gwray.agents.modules.base import Module, Turn
from gwray.spec import AgentSpec

ADVICE = """\
Seek: look for clues (items, notes, codes, visual cues, states, what people say), and keep in mind where each was.
Map: think of which clue belongs to which thing or place that you saw earlier, also by unusual ways of using it.
Solve: try the most promising of these. It has worked only if the game has changed: an item, an area, a number or the
story."""


class Strategy(Module):
    """Asks nothing; it only tells who acts how to go about it."""

    name = "strategy"

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return 0.0

    async def run(self, turn: Turn, ask: Ask) -> None:
        turn.notes.write(self.name, ADVICE, title="How to go about it")
