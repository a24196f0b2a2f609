"""Makes what plays one role in one episode: its agent, and whoever answers the agent's questions."""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from typing import Any, cast

from gwray.agents.base import Agent
from gwray.agents.context import AgentContext, RoleContext
from gwray.agents.model_caller import ClientPool
from gwray.agents.players import HumanInputs
from gwray.agents.responders import Responder, make_responder
from gwray.agents.spaces import SPACES, get_space
from gwray.errors import AgentError, GwrayError, UsageError, where
from gwray.registry import Registry
from gwray.spec import PlayerSpec

AGENTS = Registry(
    "agent",
    {
        "direct": "gwray.agents.direct:Direct",
        **dict.fromkeys(
            ("reflection", "planning", "reflection_planning", "self_reflection", "coast_merged", "cradle", "agent_s2"),
            "gwray.agents.modular:Modular",
        ),
        **dict.fromkeys(("coast", "coast_seek", "coast_seek_solve"), "gwray.agents.coast:Coast"),
    },
    "gwray.agents",
)
"""Agents by name; `agent._target_` takes the path of any other."""


def make_agent(player: PlayerSpec, role_context: RoleContext, *, trusted: Collection[str] | None = None) -> Agent:
    """The agent of one role. `trusted`: names of foreign code that may be imported; None: all.

    Raises `UsageError` for what a profile cannot play and for an agent that is none, `NotTrusted`, and `AgentError` if
    it cannot be made; opens no connection and reads no key.
    """
    spec = player.agent
    if spec.interface in SPACES.builtin and get_space(spec.interface).name not in player.model.interfaces:
        raise UsageError(
            f"model '{player.model.name}' cannot play interface '{spec.interface}'. "
            f"Allowed: {', '.join(player.model.interfaces)}. Choose interface={player.model.interfaces[0]} or another "
            "model."
        )
    made = AGENTS.get(spec.code, trusted=trusted)
    if not isinstance(made, type) or not callable(getattr(made, "act", None)):
        raise UsageError(f"agent '{spec.code}' is not a class with `async def act(self, observation, ask)`")
    # What the episodes of a process share, code that is not ours gets as a copy of its own.
    context = AgentContext(
        role_context if spec.code in AGENTS.builtin else deepcopy(role_context), player, trusted=trusted
    )
    try:
        return made(context, spec)
    except GwrayError:
        raise
    except Exception as e:
        raise AgentError(f"agent '{spec.code}' could not be made: {type(e).__name__}: {e}{where(e)}") from e


def make_responders(
    player: PlayerSpec, role_context: RoleContext, pool: ClientPool, human_inputs: HumanInputs | None = None
) -> dict[str, Responder]:
    """Who answers, by the name under which the agent asks; "" is the role's own model."""
    behind = {"": player.model, **player.helpers}
    return {by: make_responder(model, player.agent, role_context, pool, human_inputs) for by, model in behind.items()}


def calls_per_decision(player: PlayerSpec) -> int:
    """Questions that the agent expects to ask in one turn: for dry runs and budgets."""
    made = AGENTS.get(player.agent.code)
    declared = cast(Any, getattr(made, "calls_per_decision", 1))
    if callable(declared):
        declared = cast(Any, declared(player.agent))
    if isinstance(declared, bool) or not isinstance(declared, int) or declared < 0:
        raise AgentError(f"calls_per_decision of agent '{player.agent.code}' must be a whole number, not {declared!r}")
    return declared
