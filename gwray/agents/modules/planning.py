"""Keeps a short plan, and makes a new one every few decisions or when the last action is said to have failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask
from gwray.agents.context import AgentContext
from gwray.agents.modules.base import Module, Turn, validate_int
from gwray.spec import AgentSpec

REPLAN = "agent.options.replan_every"


class Planning(Module):
    """Its page is the plan; it reads the pages `reflection` and `verdict` where a module writes them."""

    name = "planning"
    template = "planning.jinja"
    options: ClassVar[Mapping[str, Any]] = {"replan_every": 5}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._every = validate_int(REPLAN, self.settings["replan_every"])
        self._done: list[str] = []
        """The actions since the plan was made."""

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        every = validate_int(REPLAN, spec.options.get("replan_every", cls.options["replan_every"]))
        return 1.0 if "reflection" in spec.modules else 1 / every

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.last is not None:
            self._done.append(turn.last.actions)
        plan = turn.notes.read(self.name)
        if plan and len(self._done) < self._every and not self.over(turn):
            return
        parts = []
        if plan:
            done = "\n".join(f"- {action}" for action in self._done)
            parts.append(f"Your plan until now:\n{plan}\n\nWhat you have done since you made it:\n{done}")
        if reflection := turn.notes.read("reflection"):
            parts.append(f"What you thought of your last action:\n{reflection}")
        said = await self.query(
            ask, [*parts, *self.context.observation_parts(turn.observation, self.by)], neutral="1. Go on."
        )
        if said:
            self._done.clear()
            turn.notes.write(self.name, said, title="Your plan")

    def over(self, turn: Turn) -> bool:
        """Whether the plan no longer holds, however new it is."""
        return turn.notes.read("verdict") == "failed"
