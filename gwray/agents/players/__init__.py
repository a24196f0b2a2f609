"""Players without a model: each answers the questions of one role."""

from gwray.agents.players.base import Player
from gwray.agents.players.human import Desk, Desks, Human
from gwray.agents.players.scripted import Scripted
from gwray.agents.players.simple import Fixed, Noop, Random
from gwray.agents.players.situation import Situation

__all__ = ["Desk", "Desks", "Fixed", "Human", "Noop", "Player", "Random", "Scripted", "Situation"]
