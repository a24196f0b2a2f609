"""Agents that bypass `ask` in different ways, which verification must detect.

Chosen as anybody's agent is: `agent._target_=agents.reaching_agent.ByChance`.
"""

import random
import time
import urllib.request
from dataclasses import replace

from gwray.agents import Modular, Module, Text


class ByChance:
    """Draws what it says."""

    def __init__(self, context, spec):
        self.context = context

    async def act(self, seen, ask):
        luck = Text(f"Lucky number: {random.SystemRandom().random()}")
        (reply,) = await ask(self.context.action_prompt(seen, more=[luck]))
        return self.context.decide(reply)


class ByTheClock(ByChance):
    """Looks at the clock in the middle of the episode, in the second question of a turn."""

    async def act(self, seen, ask):
        prompt = self.context.action_prompt(seen)
        await ask(prompt)
        if seen.decision >= 3:
            prompt = replace(prompt, system=f"{prompt.system}\nIt is {time.time_ns()}.")
        (reply,) = await ask(prompt)
        return self.context.decide(reply)


class Gossip(Module):
    """Sends an HTTP request past `ask` from the third turn on."""

    name = "gossip"
    template = "Say what you make of what you heard."
    options = {"url": ""}  # noqa: RUF012

    async def run(self, turn, ask):
        in_flight = "Nothing."
        if turn.observation.decision >= 2:
            with urllib.request.urlopen(self.settings["url"]) as answer:  # noqa: ASYNC210
                in_flight = answer.read().decode()
        turn.notes.write(self.name, await self.query(ask, [in_flight], neutral=""), title="Gossip")


class ByARequest(Modular):
    """Its modules are its own."""

    MODULES = {**Modular.MODULES, "gossip": Gossip}  # noqa: RUF012
