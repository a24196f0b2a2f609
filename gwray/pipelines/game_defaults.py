"""The tasks of a job, and the settings that games have by default: the only place that applies `library.yaml`.

A job that asks for defaults of its games (`game_defaults=[agent,repeats]`) becomes one job for each set of defaults.
The run records these jobs with their values, so that a later change of `library.yaml` changes no recorded run.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import yaml

from gwray.catalog import Catalog, Game, GameDefaults, Task, published_protocol
from gwray.errors import UsageError, choose
from gwray.places import conf_files
from gwray.settings import LOCAL_PLAYERS, AgentSpec, ModelSpec, RunSpec


def tasks_of(job: RunSpec, library: Catalog) -> list[tuple[Game, Task]]:
    """Returns the tasks that a job selects, of its scenario. Raises `UsageError` if there is none."""
    selected = library.select(job.game, job.task)
    found = [(game, task) for game, task in selected if job.scenario in (None, task.scenario)]
    if not found:
        raise UsageError(f"scenario '{job.scenario}': no selected task has it; leave it out, or select other games")
    return found


def with_game_defaults(job: RunSpec, library: Catalog) -> Sequence[RunSpec]:
    """Returns the job, or one job for each set of defaults that its games have. Raises `UsageError` for an unknown
    agent."""
    if not job.game_defaults:
        return [job]
    games: dict[GameDefaults, list[str]] = defaultdict(list)
    for game, _ in tasks_of(job, library):
        if game.id not in games[game.defaults]:
            games[game.defaults].append(game.id)
    return [_apply_defaults(job, defaults, tuple(ids)) for defaults, ids in games.items()]


def _apply_defaults(job: RunSpec, defaults: GameDefaults, games: tuple[str, ...]) -> RunSpec:
    """Returns the job for `games` only, with the defaults that it asks for."""
    update: dict[str, Any] = {"game": games, "game_defaults": ()}
    if "repeats" in job.game_defaults and defaults.repeats:
        update["repeats"] = defaults.repeats
    if "repeats" in job.game_defaults and defaults.seed_policy:
        update["seed_policy"] = defaults.seed_policy
    if "limit" in job.game_defaults and defaults.steps:
        update["limit"] = job.limit.model_copy(update={"steps": defaults.steps})
    if "agent" in job.game_defaults and defaults.agent and job.model.provider not in LOCAL_PLAYERS:
        if job.agent.name not in (AgentSpec().name, defaults.agent):
            raise UsageError(
                f"agent={job.agent.name} and game_defaults=[agent], which is {defaults.agent} for {', '.join(games)}: "
                "set one of them, such as game_defaults=[repeats,sampling]"
            )
        update["agent"] = _default_agent(job.agent, defaults.agent)
    if "sampling" in job.game_defaults:
        update["model"] = sampled(job.model, defaults)
    return job.model_copy(update=update)


def _default_agent(given: AgentSpec, name: str) -> AgentSpec:
    """Returns the agent `conf/agent/<name>.yaml`. Memory settings, helper models and the question limit come
    from `given`, unless the file sets them. Raises `UsageError` if the file does not exist."""
    files = conf_files("agent")
    if name not in files:
        raise choose("agent", name, list(files), "See `defaults` in the library's library.yaml.")
    kept = given.model_dump(include={"models", "max_calls", "memory_fields", "memory_prompt"})
    return AgentSpec.model_validate({**kept, **yaml.safe_load(files[name].read_text("utf-8"))})


def sampled(model: ModelSpec, defaults: GameDefaults) -> ModelSpec:
    """Returns the profile with a game's default sampling. Local players, and profiles that the defaults exclude, are
    returned unchanged."""
    if model.provider in LOCAL_PLAYERS or not (model.self_hosted or defaults.models == "all"):
        return model
    update: dict[str, Any] = {}
    if defaults.temperature is not None and model.name not in published_protocol().no_temperature:
        update["temperature"] = defaults.temperature
    if defaults.repetition_penalty is not None and model.self_hosted:
        update["extra"] = {**model.sampling.extra, "repetition_penalty": defaults.repetition_penalty}
    return model.model_copy(update={"sampling": model.sampling.model_copy(update=update)}) if update else model
