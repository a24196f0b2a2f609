"""The parts that agents are made of: each asks its own question, and leaves what came of it in the agent's notes."""

from gwray.agents.modules.act import Act
from gwray.agents.modules.agent_s2 import Manager, Point
from gwray.agents.modules.base import LastTurn, Module, Turn, strip_thinking, validate_int
from gwray.agents.modules.coast import MEMORY, Map, Seek, Solve, keep_clues, keep_done, matched
from gwray.agents.modules.cradle import Curate, Gather, Infer, Memory, keep_skills
from gwray.agents.modules.planning import Planning
from gwray.agents.modules.reflection import Reflection
from gwray.agents.modules.self_reflection import Refine, Revise, Summary
from gwray.agents.modules.strategy import Strategy

__all__ = [
    "MEMORY",
    "Act",
    "Curate",
    "Gather",
    "Infer",
    "LastTurn",
    "Manager",
    "Map",
    "Memory",
    "Module",
    "Planning",
    "Point",
    "Refine",
    "Reflection",
    "Revise",
    "Seek",
    "Solve",
    "Strategy",
    "Summary",
    "Turn",
    "keep_clues",
    "keep_done",
    "keep_skills",
    "matched",
    "strip_thinking",
    "validate_int",
]
