"""Local players: responders that need no model."""

from gwray.agents.players.base import Fixed, Noop, Player, Random
from gwray.agents.players.outside import Human, HumanInputs, OpenQuestion, Outside, OutsideInput
from gwray.agents.players.scripted import Scripted
