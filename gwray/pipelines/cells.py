"""Cells of a plan: their ids, names, and the keys of their episodes. Ids and keys are computed from non-default values
only (`gwray.records.identity`), so a new field changes no existing key."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gwray.agents import UNHASHED_OPTIONS, get_space
from gwray.catalog import Game, Task, published_protocol, read_model, task_identity
from gwray.errors import UsageError
from gwray.pages import warn
from gwray.pipelines.foreign import code_of_cell, code_of_kind
from gwray.pipelines.product import KeyMaker
from gwray.records import NOT_OUTCOME, Digest, canonical, digest, non_defaults
from gwray.serving import effective_overrides, read_deployment, revision, serving_files, trained_on
from gwray.settings import (
    LOCAL_PLAYERS,
    PROTOCOL_VERSION,
    ActionSpec,
    CellSpec,
    ModelSpec,
    RunSpec,
    TimingSpec,
    axes,
    axis_value,
    axis_words,
)


@dataclass(frozen=True)
class PlannedCell:
    """One point of the sweep with its id and a name for tables."""

    id: str
    name: str
    spec: CellSpec


def describe(cell: PlannedCell) -> dict[str, Any]:
    """Returns a cell's entry in `run.json`: flat columns for tables, and the complete spec."""
    spec = cell.spec
    return {
        "id": cell.id,
        "name": cell.name,
        "model": spec.model.name,
        "interface": spec.agent.interface,
        "timing": spec.timing.mode,
        "latency": spec.timing.charge,
        "memory_rounds": spec.agent.memory_rounds,
        "agent": spec.agent.code,
        "axes": axes(spec),
        "spec": spec.model_dump(mode="json"),
    }


TRAINED_ON = "trained_on"
"""What weights have learned from, in `ModelSpec.deployment`: for readers, and no part of the identity."""


def cell_of_job(job: RunSpec) -> PlannedCell:
    words = {"interface": job.interface, "memory_rounds": job.memory_rounds, "memory_format": job.memory_format}
    agent = job.agent.model_copy(update=words)
    sampled = published_protocol().sampled if job.sampling == "published" else (lambda model: model)
    model = _deployed(sampled(job.model), job, job.deployment)
    roles = {role: _deployed(sampled(read_model(name)), job) for role, name in sorted(job.roles.items())}
    helpers = {by: _deployed(sampled(read_model(name)), job) for by, name in sorted(agent.models.items())}
    spec = CellSpec(
        model=model, sampling=job.sampling, thinking=job.thinking, agent=agent, timing=job.timing,
        observation=job.observation, action=job.action, nudge=job.nudge, limit=job.limit, scenario=job.scenario,
        roles=roles, helpers=helpers, metrics=job.metrics,
        code=code_of_cell(agent, (job.model, *roles.values()), job.metrics),
    )  # fmt: skip
    if all(m.provider in LOCAL_PLAYERS for m in spec.models()):
        spec = spec.model_copy(update={"thinking": "default"})  # local players ask no model, so it is not an axis
    _check_thinking(spec)
    return cell_of(spec)


def _deployed(model: ModelSpec, job: RunSpec, overrides: Mapping[str, Any] | None = None) -> ModelSpec:
    """Returns a model with what the run will serve, if it hosts the model; its images are then no larger than the
    engine's limit, so that the engine does not resize them again."""
    if not is_hosted(model, job):
        return model
    spec, image = read_deployment(model.name, overrides), model.image
    if spec.most_pixels and spec.most_pixels < (image.max_pixels or spec.most_pixels + 1):
        image = image.model_copy(update={"max_pixels": spec.most_pixels})
    served = spec.outcome(revision(spec, warn) if spec.in_folder else "")
    if learned := trained_on(spec):
        served[TRAINED_ON] = learned
    return model.model_copy(update={"name": spec.name, "deployment": served, "image": image})


def is_hosted(model: ModelSpec, job: RunSpec) -> bool:
    """Returns whether the run of a job hosts a model."""
    hosted = model.self_hosted and not model.base_url and job.serving.name not in ("external", "none")
    return hosted and model.name in serving_files()


def with_effective_deployment(job: RunSpec) -> RunSpec:
    """Returns the job without settings of `deployment` that repeat the profile's value: what is recorded then tells
    which cell the job makes, without the files of this machine."""
    if not job.deployment or not is_hosted(job.model, job):
        return job
    return job.model_copy(update={"deployment": effective_overrides(job.model.name, job.deployment)})


def _check_thinking(spec: CellSpec) -> None:
    """Raises `UsageError` for a model whose profile lacks this `thinking` value. Local players are not checked."""
    if spec.thinking == "default":
        return
    for model in (m for m in spec.models() if m.provider not in LOCAL_PLAYERS):
        if spec.thinking not in model.thinking:
            allowed = ", ".join(("default", *sorted(model.thinking, reverse=True)))
            raise UsageError(
                f"thinking '{spec.thinking}': the profile of {model.name} does not say what that is. Allowed with it: "
                f"{allowed}. If its service can, say what it is sent under `thinking:` in a profile of your own."
            )


def cell_of(spec: CellSpec) -> PlannedCell:
    """Returns the cell of a specification, with its id and name."""
    further = [f"{role}={m.name}" for role, m in spec.roles.items()]
    further += [f"{by}: {m.name}" for by, m in spec.helpers.items()]
    interface = axis_value("interface", spec.agent.interface)
    name = " · ".join([spec.model.name, interface, *further, *axis_words(axes(spec))])
    return PlannedCell(id=digest(_outcome(spec))[:12], name=name, spec=spec)


def _outcome(spec: CellSpec) -> str:
    """Returns everything of a cell that can change an episode, as canonical text."""
    data = non_defaults(spec, leave_out=("model", "roles", "helpers", "action", "sampling", "thinking"))
    data["model"] = _model_identity(spec.model.with_thinking(spec.thinking))
    for others in ("roles", "helpers"):
        models = getattr(spec, others).items()
        data[others] = {name: _model_identity(model.with_thinking(spec.thinking)) for name, model in models}
    data["action"] = non_defaults(spec.action)
    if not spec.timing.charge:
        data["timing"] = non_defaults(TimingSpec(mode=spec.timing.mode, speed=spec.timing.speed))
    return canonical({name: value for name, value in data.items() if value})


def _model_identity(model: ModelSpec) -> dict[str, Any]:
    data = non_defaults(model, leave_out=NOT_OUTCOME)
    options = {k: v for k, v in model.options.items() if k not in UNHASHED_OPTIONS}
    served = {k: v for k, v in model.deployment.items() if k != TRAINED_ON}  # the digest of the weights implies it
    kept = {name: non_defaults(value) for name, value in (("options", options), ("deployment", served)) if value}
    return {k: v for k, v in data.items() if k not in ("options", "deployment")} | kept


def game_seed(job: RunSpec, repeat: int) -> int:
    """Returns the seed of a repeat's games."""
    if job.seed_policy == "fixed":
        return job.seed
    return int(digest("seed", str(job.seed), str(repeat))[:7], 16)


class Keys:
    """Computes episode keys. Each part is computed once: a sweep has many episodes of few games and cells. `prefix`:
    hash of the steps that the episodes continue from. `kinds`: code identity of environment kinds outside gwray, by
    name; None: it is looked up."""

    def __init__(self, prefix: str, kinds: Mapping[str, str] | None = None):
        self._prefix = [f"prefix {prefix}"] if prefix else []
        self._kinds = kinds
        self._cells: dict[tuple[str, str], tuple[ActionSpec, str]] = {}
        self._tasks: dict[tuple[str, str], str] = {}
        self._makers: dict[tuple[str, str, str], tuple[ActionSpec, KeyMaker]] = {}

    def for_task(self, cell: PlannedCell, game: Game, task: Task) -> tuple[ActionSpec, KeyMaker]:
        """Returns the action settings of a task's episodes, with the game's defaults, and the maker of their keys."""
        if (cell.id, game.id, task.id) not in self._makers:
            self._makers[cell.id, game.id, task.id] = self._begin(cell, game, task)
        return self._makers[cell.id, game.id, task.id]

    def _begin(self, cell: PlannedCell, game: Game, task: Task) -> tuple[ActionSpec, KeyMaker]:
        """Returns the action settings of a task's episodes and the maker of their keys."""
        if (cell.id, game.id) not in self._cells:
            action = _resolved(cell.spec.action, game)
            self._cells[cell.id, game.id] = action, _outcome(cell.spec.model_copy(update={"action": action}))
        if (game.id, task.id) not in self._tasks:
            self._tasks[game.id, task.id] = task_identity(game, task)
        action, cell_words = self._cells[cell.id, game.id]
        known = code_of_kind(game.kind) if self._kinds is None else self._kinds
        kind = [known[game.kind]] if game.kind in known else []
        begun = Digest(str(PROTOCOL_VERSION), cell_words, game.id, task.id, self._tasks[game.id, task.id])
        return action, KeyMaker(begun, (*kind, *self._prefix))


def _resolved(action: ActionSpec, game: Game) -> ActionSpec:
    """Returns the settings with the game's defaults. Values of 1 and false are omitted, so they equal no value."""
    per_reply = action.per_reply or game.per_reply
    exact = game.defaults.exact and action.per_reply is None if action.exact is None else action.exact
    return action.model_copy(update={"per_reply": None if per_reply == 1 else per_reply, "exact": exact or None})


def vision_problem(spec: CellSpec) -> str:
    """Returns why a cell is skipped because a model cannot see images; empty if none has to."""
    if not spec.observation.pictures and not get_space(spec.agent.interface).needs_image:
        return ""
    names = ", ".join(m.name for m in spec.models() if not m.pictures)
    return f"{names} cannot see pictures: left out (observation=text through semantic needs none)" if names else ""


def picture_problem(spec: CellSpec, game: Game) -> str:
    """Returns why a game is skipped because a model would get its pictures alone; empty if it is not."""
    if not game.needs_text or spec.observation.text or all(m.provider in LOCAL_PLAYERS for m in spec.models()):
        return ""
    return f"{game.id}: left out, because its pictures alone do not show the state (use observation=text or both)"
