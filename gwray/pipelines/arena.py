"""Matches of an arena: one job for every pair of its models, on both sides."""

from collections.abc import Sequence
from itertools import permutations

from gwray.catalog import Catalog, read_model
from gwray.errors import UsageError
from gwray.pipelines.game_defaults import tasks_of
from gwray.settings import RunSpec

LEAST = 2
"""Fewest models of an arena, and roles of its games."""
UNSET_MODEL = "random"
"""The model of a command that names none (`conf/config.yaml`)."""


def with_matches(job: RunSpec, library: Catalog) -> Sequence[RunSpec]:
    """Returns the job, or for an arena one job for each ordered pair of its models: the first one plays the game's
    first role. The run records these jobs. Raises `UsageError` for models that cannot meet, and for a game without a
    winner."""
    if not job.arena:
        return [job]
    if len(set(job.arena)) < max(LEAST, len(job.arena)):
        raise UsageError(
            f"arena [{', '.join(job.arena)}]: name two or more different models. For one model with two settings, "
            "write a profile for each (`gwray new model NAME`)"
        )
    if job.roles:
        raise UsageError(f"arena and roles {dict(job.roles)} exclude each other: an arena gives both roles a model")
    if job.model.name != UNSET_MODEL:
        raise model_beside(job.arena, job.model.name)
    selected = tasks_of(job, library)
    tasks: dict[str, list[str]] = {}
    for game, task in selected:
        if len(game.roles) == LEAST and task.versus:
            tasks.setdefault(game.roles[1].name, []).append(f"{game.id}:{task.id}")
    if not tasks:
        allowed = [f"{g.id} (task {t.id})" for g in library.games.values() for t in g.tasks if t.versus]
        raise UsageError(
            f"arena: {selected[0][0].id} has no match between two roles among the selected tasks. "
            f"Allowed: game={', '.join(allowed) or '… (none of the known games)'}"
        )
    models = {name: read_model(name) for name in job.arena}
    return [
        job.model_copy(
            update={"arena": (), "model": models[a], "roles": {role: b}, "game": _games(ids), "task": tuple(ids)}
        )
        for role, ids in tasks.items()
        for a, b in permutations(job.arena, 2)
    ]


def model_beside(arena: Sequence[str], model: str) -> UsageError:
    """Returns the error for an arena whose command names a model, too."""
    return UsageError(
        f"arena [{', '.join(arena)}] and model={model} exclude each other: arena names all models that play. Leave "
        "model out, or add it to arena"
    )


def _games(tasks: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(task.partition(":")[0] for task in tasks))
