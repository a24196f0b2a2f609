"""Asks what matters on the screen, then acts on the latest answers."""

from gwray.agents import Prompt, Text


class MyAgent:
    calls_per_decision = 2

    def __init__(self, context, spec):
        self.context = context
        self.system = context.instructions_for("Say in one sentence what matters most on the screen now.")
        self.notices = []

    async def act(self, observation, ask):
        parts = tuple(self.context.observation_parts(observation))
        (answer,) = await ask(Prompt(self.system, parts, module="look", neutral="Nothing."))
        self.notices = [*self.notices, answer.text[:300]][-3:]
        noticed = Text("What you noticed lately:\n" + "\n".join(self.notices))
        (reply,) = await ask(self.context.action_prompt(observation, more=[noticed]))
        return self.context.decide(reply)
