"""Local players: responders that need no model."""

from gwray.agents.players.base import Fixed, Noop, Player, Random
from gwray.agents.players.human import Human, HumanInput, HumanInputs
from gwray.agents.players.outside import OpenQuestion, Outside, OutsideInput
from gwray.agents.players.scripted import Scripted

__all__ = [
    "Fixed",
    "Human",
    "HumanInput",
    "HumanInputs",
    "Noop",
    "OpenQuestion",
    "Outside",
    "OutsideInput",
    "Player",
    "Random",
    "Scripted",
]
