"""Sweep → plan: the jobs of one command become cells, the cells become episodes.

This is the edge: Hydra's config enters `run_spec` and nothing of it goes further. A plan is plain data; making it
starts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from gwray.agents import SILENT_OPTIONS, Observation, Seat, make_agent
from gwray.catalog import Game, Library, Task, identity, load_library, read_model
from gwray.errors import GameError, UsageError, choose
from gwray.pipelines.latency import parse_latency
from gwray.records import canonical, digest
from gwray.spec import PROTOCOL_VERSION, AgentSpec, CellSpec, EpisodeSpec, ModelSpec, RunSpec


@dataclass(frozen=True)
class Cell:
    """One point of the sweep with its id and a name for tables."""

    id: str
    name: str
    spec: CellSpec


@dataclass(frozen=True)
class Plan:
    """Everything one command will do."""

    name: str
    run_dir: str
    jobs: tuple[RunSpec, ...]
    cells: tuple[Cell, ...]
    episodes: tuple[EpisodeSpec, ...]
    library: Library
    notices: tuple[str, ...] = ()
    """Things a user should see, such as pairs that were left out."""
    settings: RunSpec = field(default=None)  # type: ignore[assignment]
    """The first job: executor, serving, tracking and budget are the same for the whole sweep."""

    def models(self) -> list[ModelSpec]:
        """The distinct models, in the order they are first needed."""
        seen: dict[str, ModelSpec] = {}
        for cell in self.cells:
            for model in (cell.spec.model, *cell.spec.roles.values()):
                seen.setdefault(model.name, model)
        return list(seen.values())

    def manifest(self) -> dict[str, Any]:
        """The plan's part of `run.json`."""
        per_cell = {c.id: 0 for c in self.cells}
        for e in self.episodes:
            per_cell[e.cell_id] += 1
        games = sorted({e.game for e in self.episodes})
        return {
            "name": self.name,
            "protocol_version": PROTOCOL_VERSION,
            "libraries": [str(r) for r in self.library.roots[1:]],
            "games": {g: self.library.game(g).files_hash for g in games},
            "cells": [{**describe(c), "planned": per_cell[c.id]} for c in self.cells],
            "episodes": [
                {"key": e.key, "cell": e.cell_id, "game": e.game, "task": e.task, "seed": e.seed, "repeat": e.repeat}
                for e in self.episodes
            ],
            "jobs": [j.model_dump(mode="json") for j in self.jobs],
        }


def describe(cell: Cell) -> dict[str, Any]:
    """A cell as `run.json` has it: flat facts for tables, and the whole spec."""
    spec = cell.spec
    return {
        "id": cell.id,
        "name": cell.name,
        "model": spec.model.name,
        "interface": spec.agent.interface,
        "timing": spec.timing.mode,
        "latency": spec.timing.latency if spec.timing.mode == "realtime" else "",
        "memory_rounds": spec.agent.memory_rounds,
        "hold_scale": spec.observation.hold_scale,
        "spec": spec.model_dump(mode="json"),
    }


def run_spec(config: Mapping[str, Any]) -> RunSpec:
    """Hydra's config (as a plain mapping) → a checked `RunSpec`. Raises `UsageError` naming field and value."""
    data = {k: v for k, v in config.items() if k not in ("cells", "hydra")}
    for key in ("game", "task", "libraries"):
        if key in data:
            data[key] = _words(data[key])
    if isinstance(data.get("model"), str):
        data["model"] = read_model(data["model"]).model_dump()
    try:
        spec = RunSpec.model_validate(data)
    except ValidationError as e:
        raise UsageError("\n".join(_problem(p) for p in e.errors())) from e
    parse_latency(spec.timing)
    return spec


def _words(value: Any) -> list[str]:
    """`a`, `a,b`, `[a, b]` and numbers all mean a list of words."""
    if value is None:
        return []
    items = value if isinstance(value, (list, tuple)) else str(value).split(",")
    return [str(v).strip() for v in items if str(v).strip()]


def _problem(p: Any) -> str:
    where = ".".join(str(x) for x in p["loc"])
    if p["type"] == "extra_forbidden":
        return str(choose("setting", where, _fields_beside(p["loc"])))
    given = p.get("input")
    shown = f" '{given}'" if isinstance(given, (str, int, float, bool)) else ""
    return f"setting {where}{shown}: {p['msg']}"


def _fields_beside(loc: Sequence[Any]) -> list[str]:
    """The names that are allowed where `loc` has a wrong one."""
    model: Any = RunSpec
    for part in loc[:-1]:
        model = getattr(model, "model_fields", {}).get(part)
        model = getattr(model, "annotation", None)
    prefix = "".join(f"{p}." for p in loc[:-1])
    return [prefix + name for name in getattr(model, "model_fields", RunSpec.model_fields)]


def make_plan(jobs: Sequence[RunSpec]) -> Plan:
    """All jobs of one command as one plan: equal cells are merged, equal episodes are played once."""
    if not jobs:
        raise UsageError("there is nothing to play: the sweep has no jobs")
    first = jobs[0]
    _refuse_several(jobs)
    library = load_library(sorted({p for j in jobs for p in j.libraries}))
    cells: dict[str, Cell] = {}
    episodes: dict[str, EpisodeSpec] = {}
    notices: dict[str, None] = {}
    seated: set[tuple[str, str]] = set()
    for job in jobs:
        for what in ("game", "task"):
            if not getattr(job, what):
                raise UsageError(f"setting {what} is empty. Allowed: ids, all, genre:puzzle, level:2 (a list of them).")
        if job.interface not in job.model.interfaces:
            notices[f"{job.model.name} does not play through {job.interface}: left out"] = None
            continue
        cell = _cell(job)
        cells.setdefault(cell.id, cell)
        for game, task in library.select(job.game, job.task):
            unknown = [r for r in job.roles if r not in {x.name for x in game.roles}]
            if unknown and len(game.roles) > 1:
                raise choose("role", unknown[0], [r.name for r in game.roles])
            if (cell.id, game.id) not in seated:
                seated.add((cell.id, game.id))
                _seat(cell.spec, game, task)
            for repeat in range(job.repeats):
                episode = _episode(cell, game, task, job, repeat)
                episodes.setdefault(episode.key, episode)
    if not episodes:
        why = "; ".join(notices) or "no game has such a task"
        raise UsageError(f"there is nothing to play: {why}")
    used = {e.cell_id for e in episodes.values()}
    kept = tuple(c for c in cells.values() if c.id in used)
    name = first.name or _name(kept, list(episodes))
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise UsageError(f"name '{name}': only letters, digits, '.', '_' and '-' are allowed, a letter or digit first")
    return Plan(
        name=name,
        run_dir=first.run_dir or f"runs/{name}",
        jobs=tuple(jobs),
        cells=kept,
        episodes=tuple(episodes.values()),
        library=library,
        notices=tuple(notices),
        settings=first,
    )


FOR_ALL = ("executor", "serving", "tracking", "budget", "name", "run_dir", "dry_run", "report")
"""Settings of the run, not of a cell."""


def _refuse_several(jobs: Sequence[RunSpec]) -> None:
    first = _of_the_run(jobs[0])
    for job in jobs[1:]:
        for name, value in _of_the_run(job).items():
            if value != first[name]:
                raise UsageError(
                    f"setting {name} is one for the whole sweep, but was given as {first[name]} and as {value}. "
                    "Keep it out of the lists of -m, or start two commands."
                )


def _of_the_run(job: RunSpec) -> dict[str, Any]:
    """By their full names."""
    parts = {k: v if isinstance(v, dict) else {"": v} for k, v in job.model_dump(include=set(FOR_ALL)).items()}
    return {f"{k}.{part}".rstrip("."): v for k, inner in parts.items() for part, v in inner.items()}


def _seat(spec: CellSpec, game: Game, task: Task) -> None:
    """Refuse now what no agent could play later: an unknown provider or format, a seat whose model does not know the
    interface, a model without pictures."""
    for role in game.roles:
        with suppress(GameError):  # a game without a scripted player fails its own episodes, not the sweep
            seat = Seat(game, role, task, 0, 0, "", game.viewport)
            agent = make_agent(spec.roles.get(role.name, spec.model), spec.agent, seat)
            if spec.observation.format == "none":
                agent.prepare(Observation(0, b"", "", *game.viewport))


def _cell(job: RunSpec) -> Cell:
    agent = AgentSpec(interface=job.interface, memory_rounds=job.memory_rounds, memory_format=job.memory_format)
    roles = {role: read_model(name) for role, name in sorted(job.roles.items())}
    spec = CellSpec(model=job.model, agent=agent, timing=job.timing, observation=job.observation, roles=roles)
    words = [job.model.name, job.interface]
    words += [f"{role}={m.name}" for role, m in roles.items()]
    if job.memory_rounds:
        words.append(f"memory {job.memory_rounds}")
    if job.timing.mode == "realtime":
        words.append(f"realtime {job.timing.latency}")
    elif job.timing.mode == "wallclock":
        words.append("wallclock")
    if job.observation.hold_scale != 1:
        words.append(f"hold ×{job.observation.hold_scale:g}")
    return Cell(id=digest(_outcome(spec))[:12], name=" · ".join(words), spec=spec)


NOT_OUTCOME = {
    "base_url", "api_key_env", "prices", "max_in_flight", "requests_per_minute", "timeout_s", "source",
    "self_hosted", "interfaces",
}  # fmt: skip
"""Fields of a model profile that cannot change what the model says, so they are no part of an episode's identity."""


def _outcome(spec: CellSpec) -> str:
    """Everything of a cell that can change an episode, canonically."""
    data = spec.model_dump(mode="json")
    for model in (data["model"], *data["roles"].values()):
        for name in NOT_OUTCOME:
            model.pop(name)
        model["options"] = {k: v for k, v in model["options"].items() if k not in SILENT_OPTIONS}
    if data["timing"]["mode"] != "realtime":
        data["timing"] = {"mode": data["timing"]["mode"]}
    return canonical(data)


def game_seed(job: RunSpec, repeat: int) -> int:
    """The seed that games get for a repeat."""
    if job.seed_policy == "fixed":
        return job.seed
    return int(digest("seed", str(job.seed), str(repeat))[:7], 16)


def _episode(cell: Cell, game: Game, task: Task, job: RunSpec, repeat: int) -> EpisodeSpec:
    seed = game_seed(job, repeat)
    words = (str(PROTOCOL_VERSION), _outcome(cell.spec), game.id, task.id, identity(game, task), str(seed), str(repeat))
    return EpisodeSpec(
        key=digest(*words)[:20],
        cell_id=cell.id,
        cell=cell.spec,
        game=game.id,
        task=task.id,
        seed=seed,
        repeat=repeat,
    )


def _name(cells: Sequence[Cell], keys: Sequence[str]) -> str:
    """A name that the same command makes again, as long as it means the same episodes."""
    models = sorted({c.spec.model.name for c in cells})
    head = models[0] if len(models) == 1 else f"{len(models)}-models"
    head = re.sub(r"[^A-Za-z0-9._-]+", "-", head)
    return f"{head}-{digest(*sorted(keys))[:8]}"
