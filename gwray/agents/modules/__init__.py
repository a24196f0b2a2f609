"""The parts that agents are made of: each asks its own question, and leaves what came of it in the agent's notes."""

from gwray.agents.modules.act import Act
from gwray.agents.modules.base import LastTurn, Module, Turn
from gwray.agents.modules.planning import Planning
from gwray.agents.modules.reflection import Reflection

__all__ = ["Act", "LastTurn", "Module", "Planning", "Reflection", "Turn"]
