"""The published player: one question a turn."""

from __future__ import annotations

from gwray.agents.base import Ask, Decision, Observation
from gwray.agents.context import AgentContext
from gwray.agents.modular import no_rules
from gwray.errors import UsageError
from gwray.spec import AgentSpec


class Direct:
    """Asks for an action and plays it."""

    calls_per_decision = 1

    def __init__(self, context: AgentContext, spec: AgentSpec):
        if spec.rules:
            raise no_rules(spec)
        for setting in ("modules", "options"):
            if given := getattr(spec, setting):
                raise UsageError(
                    f"agent.{setting} '{', '.join(given)}': agent '{spec.name}' has none. Leave agent.{setting} out, "
                    "or choose an agent that has some (agent=planning)."
                )
        if spec.models:
            raise UsageError(
                f"agent.models '{', '.join(spec.models)}': agent '{spec.name}' asks the role's own model only. Leave "
                "agent.models out, or choose an agent that has modules (agent=planning)."
            )
        self._context = context

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        (reply,) = await ask(self._context.action_prompt(observation))
        return self._context.decide(reply)
