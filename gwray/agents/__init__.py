"""Agents: everything between what is seen and the action it leads to.

Prompts, memory, action spaces and formats, provider clients, and players without a model. This room knows nothing of
browsers, Ray or run directories.
"""

from gwray.agents.base import Agent, Ask, Decision, Observation, Prompt, prompt_problem
from gwray.agents.build import AGENTS, calls_per_decision, make_agent, make_responders
from gwray.agents.clients import make_client
from gwray.agents.context import AgentContext
from gwray.agents.cost import cost_usd, price_date
from gwray.agents.formats import FORMATS, Format, stated_reason
from gwray.agents.formats.loose_json import json_objects
from gwray.agents.legality import check_action
from gwray.agents.messages import Image, Part, Request, Text, Tool
from gwray.agents.model_caller import ClientPool
from gwray.agents.modular import Modular
from gwray.agents.modules import LastTurn, Module, Turn
from gwray.agents.notes import Note, Notes, Store
from gwray.agents.players import HumanInput, HumanInputs, Situation
from gwray.agents.rate_limiter import LocalRateLimiter, RateLimiter
from gwray.agents.recall import FinalNotes, NoteSpan, noted, recall
from gwray.agents.responders import UNHASHED_OPTIONS, Responder, build_request, make_responder, sees_state
from gwray.agents.role_context import RoleContext
from gwray.agents.rules import read_library
from gwray.agents.served import is_same_model, substitute_model
from gwray.agents.spaces import (
    SPACES,
    ActionSpace,
    Call,
    NoCall,
    Parsed,
    Refused,
    enum_schema,
    get_space,
    object_schema,
)
from gwray.agents.spaces.semantic import Semantic

__all__ = [
    "AGENTS",
    "FORMATS",
    "SPACES",
    "UNHASHED_OPTIONS",
    "ActionSpace",
    "Agent",
    "AgentContext",
    "Ask",
    "Call",
    "ClientPool",
    "Decision",
    "FinalNotes",
    "Format",
    "HumanInput",
    "HumanInputs",
    "Image",
    "LastTurn",
    "LocalRateLimiter",
    "Modular",
    "Module",
    "NoCall",
    "Note",
    "NoteSpan",
    "Notes",
    "Observation",
    "Parsed",
    "Part",
    "Prompt",
    "RateLimiter",
    "Refused",
    "Request",
    "Responder",
    "RoleContext",
    "Semantic",
    "Situation",
    "Store",
    "Text",
    "Tool",
    "Turn",
    "build_request",
    "calls_per_decision",
    "check_action",
    "cost_usd",
    "enum_schema",
    "get_space",
    "is_same_model",
    "json_objects",
    "make_agent",
    "make_client",
    "make_responder",
    "make_responders",
    "noted",
    "object_schema",
    "price_date",
    "prompt_problem",
    "read_library",
    "recall",
    "sees_state",
    "stated_reason",
    "substitute_model",
]
