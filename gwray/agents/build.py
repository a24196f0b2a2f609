"""Builds what plays one role in one episode: its agent, and the responders that answer the agent's questions. A
responder is a model behind a provider, or a local player. Both get a `Request`, completed from the agent's `Prompt`,
whose hashes go into the log. A local player also gets a `Situation`, which agents never see."""

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any, Protocol, cast

from gwray.agents.base import Agent, Prompt
from gwray.agents.clients import CLIENTS
from gwray.agents.context import AgentContext
from gwray.agents.messages import Message, Request
from gwray.agents.model_caller import ClientPool
from gwray.agents.players import Fixed, Human, HumanInputs, Noop, Outside, Player, Random, Scripted
from gwray.agents.role_context import RoleContext, Situation
from gwray.agents.spaces import SPACES, get_space
from gwray.errors import AgentError, GwrayError, UsageError, choose, where
from gwray.places import Registry
from gwray.records import Reply
from gwray.settings import LOCAL_PLAYERS, AgentSpec, ModelSpec, PlayerSpec

AGENTS = Registry(
    "agent",
    {
        "direct": "gwray.agents.modular:Direct",
        **dict.fromkeys(("reflection", "planning", "reflection_planning"), "gwray.agents.modular:Modular"),
    },
    "gwray.agents",
)
"""Agents by name; `agent._target_` takes the path of any other class."""
PLAYERS: Mapping[str, type[Player]] = {"random": Random, "noop": Noop, "scripted": Scripted, "fixed": Fixed}
"""Local players by provider, except for people."""
UNHASHED_OPTIONS = frozenset(
    {"attempts", "rate_limit_attempts", "give_up_s", "headers", "price_ref", "price_provider", "deployment"}
)
"""Options of a model profile that cannot influence a reply. They are part of neither a request's hash nor an episode's
identity."""
UNFORCED: Mapping[str, str] = {"tool_choice": "auto", "function_mode": "AUTO"}
"""Options of the providers' clients with which a model may write text beside its call."""


def make_agent(player: PlayerSpec, role_context: RoleContext, *, trusted: Collection[str] | None = None) -> Agent:
    """Creates the agent of one role. Opens no connection and reads no key.

    Args:
        player: the agent, its model and its helpers.
        role_context: the role, game, task and seed.
        trusted: names of user-defined code that may be imported; None: all.

    Raises:
        UsageError: the model does not support the interface, or the agent is not a class with `act`.
        NotTrusted: the agent's code may not be imported.
        AgentError: the agent's constructor failed.
    """
    spec = player.agent
    if spec.interface in SPACES.builtin and get_space(spec.interface).name not in player.model.interfaces:
        raise UsageError(
            f"model '{player.model.name}' cannot play interface '{spec.interface}'. "
            f"Allowed: {', '.join(player.model.interfaces)}. Choose interface={player.model.interfaces[0]} or another "
            "model."
        )
    made = _agent_class(spec.code, trusted)
    if spec.code not in AGENTS.builtin:
        role_context = deepcopy(role_context)  # episodes of a process share it; user-defined code might change it
    context = AgentContext(role_context, player, trusted=trusted)
    try:
        return made(context, spec)
    except GwrayError:
        raise
    except Exception as e:
        raise AgentError(f"agent '{spec.code}' could not be made: {type(e).__name__}: {e}{where(e)}") from e


def _agent_class(code: str, trusted: Collection[str] | None = None) -> Any:
    made = AGENTS.get(code, trusted=trusted)
    if not isinstance(made, type) or not callable(getattr(made, "act", None)):
        raise UsageError(
            f"agent '{code}' is not a class with `async def act(self, observation, ask)`. A module is no agent: put it "
            "into the MODULES of a subclass of gwray.agents.Modular, and name that class"
        )
    return made


def calls_per_decision(player: PlayerSpec) -> int:
    """Returns the expected number of questions per turn, for dry runs and budgets."""
    made = _agent_class(player.agent.code)
    declared = cast(Any, getattr(made, "calls_per_decision", 1))
    if callable(declared):
        declared = cast(Any, declared(player.agent))
    if isinstance(declared, bool) or not isinstance(declared, int) or declared < 0:
        raise AgentError(f"calls_per_decision of agent '{player.agent.code}' must be a whole number, not {declared!r}")
    return declared


class Responder(Protocol):
    """Answers the questions that one role asks under one name."""

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        """Returns one reply, after retries and waiting for rate limits. Raises `ModelError`."""
        ...


class ModelResponder:
    """A model behind a provider, through the connections of a pool."""

    def __init__(self, model: ModelSpec, pool: ClientPool):
        self._caller = pool.caller(model)

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        return await self._caller.ask(request)


def make_responders(
    player: PlayerSpec, role_context: RoleContext, pool: ClientPool, human_inputs: HumanInputs | None = None
) -> dict[str, Responder]:
    """Returns the responders of a role by the name under which its agent asks; "" is the role's own model."""
    models = {"": player.model, **player.helpers}
    return {by: make_responder(model, player.agent, role_context, pool, human_inputs) for by, model in models.items()}


def make_responder(
    model: ModelSpec,
    agent: AgentSpec,
    role_context: RoleContext,
    pool: ClientPool,
    human_inputs: HumanInputs | None = None,
) -> Responder:
    """Creates the responder of a model profile. Opens no connection and reads no key.

    Args:
        model: the profile.
        agent: settings of the agent that asks.
        role_context: the role, game, task and seed.
        pool: connections for models behind a provider.
        human_inputs: where people and MCP clients answer; only for the providers `human` and `mcp`.

    Raises:
        UsageError: the provider is unknown, or refuses a combination of the profile's settings.
    """
    if model.provider in PLAYERS:
        return PLAYERS[model.provider](model, agent, role_context)
    if model.provider == "human":
        return Human(model, agent, role_context, human_inputs or {})
    if model.provider == "mcp":
        return Outside(role_context, human_inputs or {})
    if model.provider == "anthropic":
        _check_tool_choice(model)
    if "." not in model.provider and model.provider not in CLIENTS.names():
        known = sorted([*LOCAL_PLAYERS, *CLIENTS.names()])
        raise choose("provider", model.provider, known, "See conf/model/; or package.Class of your own client.")
    return ModelResponder(model, pool)


def sees_state(model: ModelSpec) -> bool:
    """Whether a profile is a local player that reads the game's state."""
    return model.provider in PLAYERS and PLAYERS[model.provider].sees_state


def build_request(
    prompt: Prompt, model: ModelSpec, interface: str, session: str, role: str = "", decision: int = 0
) -> Request:
    """Returns the request that asks a model this question. `session` keeps an episode on one replica; `role` and
    `decision` say whose turn asks."""
    options = {k: v for k, v in model.options.items() if k not in UNHASHED_OPTIONS}
    if prompt.text_and_call and (prompt.tools or prompt.computer):
        options |= UNFORCED
    if prompt.several_calls:
        options |= {"parallel_tool_calls": True}
    return Request(
        model_id=str(options.get(f"{interface}_model_id", model.model_id)),
        provider=model.provider,
        system=prompt.system,
        turns=(Message("user", prompt.parts),),
        tools=prompt.tools,
        computer=prompt.computer,
        sampling=model.sampling,
        response_schema=prompt.schema,
        pattern=prompt.pattern if model.structured and model.self_hosted else "",
        options=options,
        session=session,
        role=role,
        decision=decision,
    )


def _check_tool_choice(model: ModelSpec) -> None:
    """Raises `UsageError` for combinations that Anthropic refuses: a forced call with thinking or with the newer
    toolset, and a temperature with thinking."""
    options = model.options
    kind = options["thinking"].get("type") if isinstance(options.get("thinking"), Mapping) else None
    toolset = str(options.get("computer_tool", "")).startswith("computer_toolset")
    forced = options.get("tool_choice", "any") not in ("auto", "none")
    if forced and (toolset or kind in ("enabled", "adaptive")):
        why = "its computer toolset cannot be forced" if toolset else "a model that thinks cannot be forced"
        raise UsageError(
            f"model.options.tool_choice '{options.get('tool_choice', 'any')}' of {model.name}: {why}. "
            "Set model.options.tool_choice=auto."
        )
    if kind in ("enabled", "adaptive") and model.sampling.temperature not in (None, 1):
        raise UsageError(
            f"model.sampling.temperature '{model.sampling.temperature:g}' of {model.name}: a model that thinks has its "
            "own. Leave it out, or sampling=published, which says one, or thinking=max."
        )
