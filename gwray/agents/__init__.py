"""Agents: the code between an observation and the action that follows from it. Prompts, memory, action spaces and text
formats, provider clients, and players without a model. This package does not know browsers, Ray or run directories."""

from gwray.agents.base import Agent, Ask, Decision, Observation, Prompt, prompt_problem
from gwray.agents.build import (
    AGENTS,
    UNHASHED_OPTIONS,
    Responder,
    build_request,
    calls_per_decision,
    make_agent,
    make_responder,
    make_responders,
    sees_state,
)
from gwray.agents.clients import CLIENTS, BaseClient, Client, make_client
from gwray.agents.clients.failures import connection_problem
from gwray.agents.context import AgentContext
from gwray.agents.coordinates import sent_size
from gwray.agents.cost import cost_usd, price_date
from gwray.agents.finish_reasons import finish_kind
from gwray.agents.formats import FORMATS, Format, stated_reason
from gwray.agents.formats.loose_json import json_objects
from gwray.agents.legality import check_action
from gwray.agents.messages import Image, Part, Request, Text, Tool
from gwray.agents.model_caller import ClientPool, is_same_model, substitute_model
from gwray.agents.modular import Modular
from gwray.agents.modules.base import LastTurn, Module, Turn
from gwray.agents.note_history import NoteSpan, final_notes, note_history
from gwray.agents.notes import Note, Notes, NoteStore
from gwray.agents.players import HumanInput, HumanInputs, OpenQuestion, OutsideInput, Player
from gwray.agents.rate_limiter import LocalRateLimiter, RateLimiter
from gwray.agents.role_context import RoleContext, Situation
from gwray.agents.rules import read_library
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
    plain_call,
)
from gwray.agents.spaces.semantic import Semantic

__all__ = [
    "AGENTS",
    "CLIENTS",
    "FORMATS",
    "SPACES",
    "UNHASHED_OPTIONS",
    "ActionSpace",
    "Agent",
    "AgentContext",
    "Ask",
    "BaseClient",
    "Call",
    "Client",
    "ClientPool",
    "Decision",
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
    "NoteStore",
    "Notes",
    "Observation",
    "OpenQuestion",
    "OutsideInput",
    "Parsed",
    "Part",
    "Player",
    "Prompt",
    "RateLimiter",
    "Refused",
    "Request",
    "Responder",
    "RoleContext",
    "Semantic",
    "Situation",
    "Text",
    "Tool",
    "Turn",
    "build_request",
    "calls_per_decision",
    "check_action",
    "connection_problem",
    "cost_usd",
    "enum_schema",
    "final_notes",
    "finish_kind",
    "get_space",
    "is_same_model",
    "json_objects",
    "make_agent",
    "make_client",
    "make_responder",
    "make_responders",
    "note_history",
    "object_schema",
    "plain_call",
    "price_date",
    "prompt_problem",
    "read_library",
    "sees_state",
    "sent_size",
    "stated_reason",
    "substitute_model",
]
