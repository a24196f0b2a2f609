"""The inputs that determine an episode, in one object, and the agents of its roles."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gwray.agents import Agent, ClientPool, HumanInputs, RoleContext, make_agent, make_responders
from gwray.catalog import Game, Task
from gwray.environments import Environment
from gwray.pipelines.replies import Replies, RoleAsk
from gwray.records import PrefixStep
from gwray.settings import EpisodeSpec


@dataclass(frozen=True)
class RoleAgents:
    """The agent and the `ask` of each role, by role name."""

    agents: dict[str, Agent]
    asks: dict[str, RoleAsk]


@dataclass(frozen=True)
class EpisodeInputs:
    """Everything that determines an episode.

    Attributes:
        environment: at the first instant of the task.
        replies: the reply log, and where new replies go.
        metrics: names of metrics to compute besides the built-in ones; None: those of the cell.
        prefix: another episode's steps, played first. They count for the budget and the best progress, and have no
            rows in this episode.
    """

    spec: EpisodeSpec
    game: Game
    task: Task
    environment: Environment
    roles: RoleAgents
    replies: Replies
    metrics: Sequence[str] | None = None
    prefix: Sequence[PrefixStep] = ()


def make_role_agents(
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    replies: Replies,
    pool: ClientPool,
    *,
    human_inputs: HumanInputs | None = None,
    trusted: Collection[str] | None = None,
) -> RoleAgents:
    """Creates the agents and asks of all roles; opens no connection. Raises the errors of `make_agent`."""
    agents: dict[str, Agent] = {}
    asks: dict[str, RoleAsk] = {}
    for role in game.roles:
        player = spec.cell.player(role.name)
        context = RoleContext(game, role, task, spec.seed, spec.repeat, spec.key, spec.action)
        agents[role.name] = make_agent(player, context, trusted=trusted)
        responders = make_responders(player, context, pool, human_inputs)
        asks[role.name] = RoleAsk(role.name, player, responders, replies, spec.key)
    return RoleAgents(agents, asks)
