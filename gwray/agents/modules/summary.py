"""Modules that ask every few decisions, such as a summary of what happened since the last one."""

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask, Observation
from gwray.agents.context import AgentContext
from gwray.agents.messages import Part
from gwray.agents.modules.base import Module, Turn
from gwray.settings import AgentSpec

NEWS = "news"
"""Page with the summary, in the turn that made it."""


class PeriodicModule(Module):
    """A module that asks once every `reflect_every` decisions."""

    options: ClassVar[Mapping[str, Any]] = {"reflect_every": 5}

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return 1 / cls.settings_for(spec)["reflect_every"]


class Summary(PeriodicModule):
    """Summarizes what happened since the last summary. Its page is the agent's short-term memory. Subclasses have a
    name and a template."""

    thoughts: ClassVar[bool] = False
    """Whether it reads the agent's thoughts, too."""

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._actions: list[str] = []
        self._first: Observation | None = None
        """The observation of the last summary, or of the first turn."""

    async def run(self, turn: Turn, ask: Ask) -> None:
        turn.notes.write(NEWS, "")
        if turn.last is not None:
            thought = f"{turn.last.thought} -> " if self.thoughts and turn.last.thought else ""
            self._actions.append(f"{thought}{turn.last.actions}")
        if self._first is None or len(self._actions) < self.settings["reflect_every"]:
            self._first = self._first or turn.observation
            return
        done = "\n".join(f"- {action}" for action in self._actions)
        parts: list[Part | str] = [*self.context.screen_parts("Then, when this began", self._first, self.by)]
        if before := turn.notes.read(self.name):
            parts.append(f"What you wrote the last time:\n{before}")
        verbs = "thought and done" if self.thoughts else "done"
        parts += [f"What you have {verbs} since, one line a decision:\n{done}", *turn.observation.notes]
        parts += self.context.screen_parts("Now", turn.observation, self.by)
        answer = await self.query(ask, parts, neutral="Nothing stood out.")
        self._actions.clear()
        self._first = turn.observation
        turn.notes.write(NEWS, answer)
        if answer:
            turn.notes.write(self.name, answer, title="What happened lately")
