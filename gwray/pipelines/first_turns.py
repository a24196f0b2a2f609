"""Dry run of each agent's first turn while planning, so that settings that cannot work are refused before anything
starts."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress

from gwray.agents import (
    Agent,
    ClientPool,
    Observation,
    Prompt,
    RoleContext,
    calls_per_decision,
    make_agent,
    make_responders,
)
from gwray.catalog import Game, Task
from gwray.environments import View, check_observable, check_turns
from gwray.errors import AgentError, GameError, UsageError, boundary
from gwray.evaluation import check_nudge
from gwray.records import Reply
from gwray.settings import CellSpec


class _FirstPrompt(BaseException):
    """Ends the dry run at an agent's first question; as a `BaseException` it passes `except Exception`."""


def _stop_here(*prompts: Prompt, by: str = "") -> Awaitable[tuple[Reply, ...]]:
    raise _FirstPrompt


def dry_run_first_turn(spec: CellSpec, game: Game, task: Task) -> None:
    """Runs each agent's first turn up to its first question, without a game or a model. Raises `UsageError` or
    `AgentError` for an unknown provider, format or agent, a model that does not support the interface, a view that the
    game lacks, a timing that it cannot have, an observation without content, or an agent that fails."""
    wanted = spec.observation
    check_observable(game, wanted)
    check_turns(game, spec.timing)
    width, height = game.viewport
    views = tuple(View(name, b"", "", width, height) for name in wanted.views) if wanted.pictures else ()
    pool = ClientPool()
    for role in game.roles:
        check_nudge(spec.nudge, game, role)
        player = spec.player(role.name)
        if (calls := calls_per_decision(player)) > player.agent.max_calls:
            raise UsageError(
                f"agent.max_calls '{player.agent.max_calls}': agent '{player.agent.code}' asks {calls} questions per "
                f"decision, so every decision would fail. Set agent.max_calls={calls} or more."
            )
        role_context = RoleContext(game, role, task, 0, 0, "", spec.action)
        what = f"the first turn of agent '{player.agent.code}' through {player.agent.interface}"
        # A game without a scripted player fails its own episodes, not the sweep.
        with suppress(GameError), boundary(AgentError, what):
            make_responders(player, role_context, pool)
            agent, seen = make_agent(player, role_context), Observation(0, views, "words" if wanted.text else "")
            _first_turn(agent, seen)


def _first_turn(agent: Agent, seen: Observation) -> None:
    """Runs a turn up to its first question. Exceptions that would end the process are raised as `AgentError`."""
    turn = agent.act(seen, _stop_here)
    if not asyncio.iscoroutine(turn):
        raise AgentError("`act` is not a coroutine; it must be `async def act(self, observation, ask)`")
    try:
        turn.send(None)
    except (_FirstPrompt, StopIteration):
        return
    except (SystemExit, GeneratorExit, asyncio.CancelledError) as e:
        raise AgentError(f"the agent raised {type(e).__name__} in its first turn") from e
    finally:
        turn.close()
