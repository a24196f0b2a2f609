"""General modules: act, reflect on the last action, keep a plan."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask, Decision
from gwray.agents.context import AgentContext
from gwray.agents.modules.base import Module, Turn
from gwray.settings import AgentSpec

VERDICT = re.compile(r"verdict\W{0,9}(worked|failed|unclear)", re.IGNORECASE)


class Act(Module):
    """Asks the role's own model for an action: the baseline prompt plus the titled notes of the other modules."""

    name = "act"
    acts = True

    async def run(self, turn: Turn, ask: Ask) -> Decision:
        (reply,) = await ask(self.context.action_prompt(turn.observation, more=turn.notes.parts()))
        return self.context.decide(reply)


class Reflection(Module):
    """Compares the previous turn with this one: did the last action work, and what should be done differently? Writes
    the page `reflection`, and the untitled page `verdict` (worked, failed, unclear) for other modules."""

    name = "reflection"
    template = "reflection.jinja"

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.last is None:
            return  # no action to reflect on yet
        parts = [
            *self.context.screen_parts("Before the last action", turn.last.observation, self.by),
            *([f"The last action: {actions}"] if (actions := turn.unanswered) else []),
            *turn.observation.notes,
            *self.context.screen_parts("Now, after it", turn.observation, self.by),
        ]
        answer = await self.query(ask, parts, neutral="Verdict: unclear")
        verdicts = VERDICT.findall(answer)
        turn.notes.write("verdict", verdicts[-1].lower() if verdicts else "unclear")
        turn.notes.write(self.name, answer, title="What you thought of your last action")


class Planning(Module):
    """Keeps a short plan. Replaces it every `replan_every` decisions, or when the last action failed. Reads the pages
    `reflection` and `verdict` if a module writes them."""

    name = "planning"
    template = "planning.jinja"
    options: ClassVar[Mapping[str, Any]] = {"replan_every": 5}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._actions: list[str] = []
        """The actions since the plan was made."""

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return 1.0 if "reflection" in spec.modules else 1 / cls.settings_for(spec)["replan_every"]

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.last is not None:
            self._actions.append(turn.last.actions)
        plan = turn.notes.read(self.name)
        if plan and len(self._actions) < self.settings["replan_every"] and not self.is_over(turn):
            return
        parts = []
        if plan:
            done = "\n".join(f"- {action}" for action in self._actions)
            parts.append(f"Your plan until now:\n{plan}\n\nWhat you have done since you made it:\n{done}")
        if reflection := turn.notes.read("reflection"):
            parts.append(f"What you thought of your last action:\n{reflection}")
        parts += self.context.observation_parts(turn.observation, self.by)
        if answer := await self.query(ask, parts, neutral="1. Go on."):
            self._actions.clear()
            turn.notes.write(self.name, answer, title="Your plan")

    def is_over(self, turn: Turn) -> bool:
        """Whether the plan must be replaced before it is due."""
        return turn.notes.read("verdict") == "failed"
