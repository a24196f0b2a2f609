"""Players without a model: each answers the questions of one role."""

from gwray.agents.players.base import Player
from gwray.agents.players.human import Human, HumanInput, HumanInputs
from gwray.agents.players.scripted import Scripted
from gwray.agents.players.simple import Fixed, Noop, Random
from gwray.agents.role_context import Situation

__all__ = [
    "Fixed",
    "Human",
    "HumanInput",
    "HumanInputs",
    "Noop",
    "Player",
    "Random",
    "Scripted",
    "Situation",
]
