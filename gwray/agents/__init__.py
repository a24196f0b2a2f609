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
from gwray.agents.calls import MAX_CALLS
from gwray.agents.clients import CLIENTS, BaseClient, Client, make_client
from gwray.agents.clients.base import Secret, endpoint, stored_text, tool_call
from gwray.agents.clients.failures import connection_problem
from gwray.agents.context import AgentContext
from gwray.agents.coordinates import Grid, resized, sent_size
from gwray.agents.cost import cost_usd, price_date
from gwray.agents.finish_reasons import finish_kind
from gwray.agents.formats import FORMATS, Format, stated_reason
from gwray.agents.formats.base import split_thinking
from gwray.agents.formats.json_calls import GenericJson
from gwray.agents.formats.loose_json import as_arguments, json_objects, objects
from gwray.agents.formats.repair import plain_reply
from gwray.agents.legality import check_action
from gwray.agents.messages import Image, Part, Request, Text, Tool
from gwray.agents.model_caller import ClientPool, substitute_model
from gwray.agents.modular import Modular
from gwray.agents.modules.base import LastTurn, Module, Turn, strip_thinking, validate_int
from gwray.agents.modules.basic import Planning
from gwray.agents.modules.skills import Curate
from gwray.agents.modules.summary import NEWS, PeriodicModule, Summary
from gwray.agents.note_history import NoteSpan, note_history
from gwray.agents.notes import Note, Notes, NoteStore, words
from gwray.agents.players import HumanInputs, OpenQuestion, OutsideInput, Player
from gwray.agents.rate_limiter import LocalRateLimiter, RateLimiter
from gwray.agents.role_context import RoleContext, Situation
from gwray.agents.sections import read_sections
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
from gwray.agents.spaces.base import format_call
from gwray.agents.spaces.computer_use import ComputerUse
from gwray.agents.spaces.semantic import Parametric, Semantic
from gwray.agents.spaces.values import point
from gwray.agents.spaces.verbs import find_point, raw_action

__all__ = ["ActionSpace", "Agent", "BaseClient", "Client", "Format", "Modular", "Module", "Prompt", "Text"]
