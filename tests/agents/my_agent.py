"""Says what matters on the screen, then acts on what it has said lately."""

from gwray.agents import Prompt, Text


class MyAgent:
    calls_per_decision = 2

    def __init__(self, context, spec):
        self.context = context
        self.system = context.instructions_for("Say in one sentence what matters most on the screen now.")
        self.said = []

    async def act(self, seen, ask):
        parts = tuple(self.context.seen_parts(seen))
        (answer,) = await ask(Prompt(self.system, parts, module="look", neutral="Nothing."))
        self.said = [*self.said, answer.text[:300]][-3:]
        noticed = Text("What you noticed lately:\n" + "\n".join(self.said))
        (reply,) = await ask(self.context.action_prompt(seen, more=[noticed]))
        return self.context.decide(reply)
