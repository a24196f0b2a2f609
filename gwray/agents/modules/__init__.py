"""The modules of the built-in agents. Each asks one question and leaves its result in the notes of the agent."""

from gwray.agents.modules.agent_s2 import Manager, Point
from gwray.agents.modules.base import LastTurn, Module, Turn, strip_thinking, validate_int
from gwray.agents.modules.basic import Act, Planning, Reflection, Strategy
from gwray.agents.modules.coast import Map, Seek, Solve
from gwray.agents.modules.cradle import Curate, Gather, Infer, Memory
from gwray.agents.modules.self_reflection import Refine, Revise, Summary

__all__ = [
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
    "strip_thinking",
    "validate_int",
]
