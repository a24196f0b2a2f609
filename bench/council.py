"""An agent for `bench/killed_agents.py` that asks several questions at once: `agent._target_=council.Council`."""

from __future__ import annotations

from typing import ClassVar

from gwray.agents import Ask, Modular, Module, Prompt, Text, Turn
from gwray.spec import AgentSpec

ADVISERS = ("a cautious player", "a bold player", "an accountant who only counts")


class Advice(Module):
    """Asks three advisers at once, then writes down what each of them advice, in their order."""

    name = "advice"
    template = "Others play. Say in one sentence what they should do next."

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return len(ADVISERS)

    async def run(self, turn: Turn, ask: Ask) -> None:
        shown = tuple(self.context.observation_parts(turn.observation, self.by))
        system = self.context.instructions_for(self.template)
        prompts = [
            Prompt(system, (Text(f"Speak as {who}."), *shown), module=self.name, neutral="Go on.") for who in ADVISERS
        ]
        replies = await ask(*prompts, by=self.by)
        advice = [f"- {who}: {reply.text[:200]}" for who, reply in zip(ADVISERS, replies, strict=True)]
        turn.notes.write(self.name, "\n".join(advice), title="What others advise")


class Council(Modular):
    """Chosen with `agent.modules=[reflection,planning,advice,act]`."""

    MODULES: ClassVar = {**Modular.MODULES, Advice.name: Advice}
