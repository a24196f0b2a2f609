"""Makes a seat's agent from what the user said."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from gwray.agents.agent import ModelAgent
from gwray.agents.base import Agent, Seat
from gwray.agents.calls import Caller
from gwray.agents.clients import CLIENTS
from gwray.agents.limits import Gate
from gwray.agents.players import Fixed, Noop, Random, Scripted
from gwray.errors import UsageError, choose
from gwray.spec import AgentSpec, ModelSpec

PLAYERS: dict[str, Callable[[ModelSpec, AgentSpec, Seat], Agent]] = {
    "random": Random,
    "noop": Noop,
    "scripted": Scripted,
    "fixed": Fixed,
}
"""Players that need no request, by the provider a profile names."""


def make_agent(spec: ModelSpec, agent: AgentSpec, seat: Seat, *, gate: Gate | None = None) -> Agent:
    """The agent of one seat. `gate`: admission shared with other processes; None: one for this process.

    Raises `UsageError` for what a profile cannot play; opens no connection and reads no key.
    """
    if agent.interface not in spec.interfaces:
        raise UsageError(
            f"model '{spec.name}' cannot play interface '{agent.interface}'. "
            f"Allowed: {', '.join(spec.interfaces)}. Choose interface={spec.interfaces[0]} or another model."
        )
    if spec.provider in PLAYERS:
        return PLAYERS[spec.provider](spec, agent, seat)
    if spec.provider == "human":
        return _human(spec, agent, seat)
    if spec.provider not in CLIENTS:
        raise choose("provider", spec.provider, sorted([*PLAYERS, *CLIENTS, "human"]), "See conf/model/.")
    return ModelAgent(spec, agent, seat, Caller(spec, gate))


def _human(spec: ModelSpec, agent: AgentSpec, seat: Seat) -> Agent:
    try:
        made = import_module("gwray.agents.players.human").Human
    except ModuleNotFoundError:
        raise UsageError(f"a person plays with: gwray play {seat.game.id} {seat.task.id}") from None
    return made(spec, agent, seat)
