"""Agents: everything between what is seen and the action it leads to.

Prompts, memory, action spaces and formats, provider clients, and players without a model. This room knows nothing of
browsers, Ray or run directories.
"""

from gwray.agents.answers import SILENT_OPTIONS, Answerer, complete, make_answerer, sees_state
from gwray.agents.base import Agent, Ask, Decision, Observation, Prompt, malformed
from gwray.agents.build import AGENTS, calls_per_decision, make_agent, make_answerers
from gwray.agents.clients import make_client
from gwray.agents.context import AgentContext
from gwray.agents.cost import cost_usd, price_date
from gwray.agents.formats import FORMATS, Format, reason_given
from gwray.agents.formats.loose_json import json_objects
from gwray.agents.legality import check_action
from gwray.agents.messages import Image, Part, Request, Text, Tool
from gwray.agents.model_caller import ClientPool
from gwray.agents.modular import Modular
from gwray.agents.modules import LastTurn, Module, Turn
from gwray.agents.notes import Note, Notes, Store
from gwray.agents.players import Desk, Desks, Situation
from gwray.agents.rate_limiter import LocalRateLimiter, RateLimiter
from gwray.agents.recall import Noted, Recalled, noted, recall
from gwray.agents.rules import read_library
from gwray.agents.seat import Seat
from gwray.agents.served import answered_by, same_model
from gwray.agents.spaces import SPACES, ActionSpace, Call, NoCall, Parsed, Refused, object_schema, space_of, word
from gwray.agents.spaces.semantic import Semantic

__all__ = [
    "AGENTS",
    "FORMATS",
    "SILENT_OPTIONS",
    "SPACES",
    "ActionSpace",
    "Agent",
    "AgentContext",
    "Answerer",
    "Ask",
    "Call",
    "ClientPool",
    "Decision",
    "Desk",
    "Desks",
    "Format",
    "Image",
    "LastTurn",
    "LocalRateLimiter",
    "Modular",
    "Module",
    "NoCall",
    "Note",
    "Noted",
    "Notes",
    "Observation",
    "Parsed",
    "Part",
    "Prompt",
    "RateLimiter",
    "Recalled",
    "Refused",
    "Request",
    "Seat",
    "Semantic",
    "Situation",
    "Store",
    "Text",
    "Tool",
    "Turn",
    "answered_by",
    "calls_per_decision",
    "check_action",
    "complete",
    "cost_usd",
    "json_objects",
    "make_agent",
    "make_answerer",
    "make_answerers",
    "make_client",
    "malformed",
    "noted",
    "object_schema",
    "price_date",
    "read_library",
    "reason_given",
    "recall",
    "same_model",
    "sees_state",
    "space_of",
    "word",
]
