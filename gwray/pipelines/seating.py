"""Who sits at an episode: for each role its agent and its `ask`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from gwray.agents import Agent, ClientPool, HumanInputs, RoleContext, make_agent, make_responders
from gwray.catalog import Game, Task
from gwray.pipelines.replies import Replies, RoleAsk
from gwray.spec import EpisodeSpec


@dataclass(frozen=True)
class Players:
    """By role."""

    agents: dict[str, Agent]
    asks: dict[str, RoleAsk]


def seat_players(
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    replies: Replies,
    pool: ClientPool,
    *,
    human_inputs: HumanInputs | None = None,
    trusted: Collection[str] | None = None,
) -> Players:
    """Agents and asks of all roles. Raises what `make_agent` raises; opens no connection."""
    agents: dict[str, Agent] = {}
    asks: dict[str, RoleAsk] = {}
    for role in game.roles:
        player = spec.cell.player(role.name)
        role_context = RoleContext(game, role, task, spec.seed, spec.repeat, spec.key, spec.action)
        agents[role.name] = make_agent(player, role_context, trusted=trusted)
        responders = make_responders(player, role_context, pool, human_inputs)
        asks[role.name] = RoleAsk(role.name, player, responders, replies, spec.key)
    return Players(agents, asks)
