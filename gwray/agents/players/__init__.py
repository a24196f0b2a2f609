"""Players without a model; each is one seat's `Agent`."""

from gwray.agents.players.base import Player
from gwray.agents.players.scripted import Scripted
from gwray.agents.players.simple import Fixed, Noop, Random

__all__ = ["Fixed", "Noop", "Player", "Random", "Scripted"]
