"""Agents: everything between a screenshot and the action it leads to.

Prompts, memory, formats and legality, provider clients, and players without a model. This room knows nothing of
browsers, Ray or run directories.
"""

from gwray.agents.agent import SILENT_OPTIONS
from gwray.agents.base import Agent, Decision, Observation, Prompt, Seat
from gwray.agents.build import make_agent
from gwray.agents.calls import close_clients
from gwray.agents.cost import cost_usd, price_date
from gwray.agents.limits import Gate, LocalGate

__all__ = [
    "SILENT_OPTIONS",
    "Agent",
    "Decision",
    "Gate",
    "LocalGate",
    "Observation",
    "Prompt",
    "Seat",
    "close_clients",
    "cost_usd",
    "make_agent",
    "price_date",
]
