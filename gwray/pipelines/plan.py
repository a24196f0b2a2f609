"""Sweep → plan: the jobs of one command become cells, the cells become episodes.

This is the edge: Hydra's config enters `run_spec` and nothing of it goes further. A plan is plain data; making it
starts nothing.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from gwray.agents import (
    SILENT_OPTIONS,
    SPACES,
    Agent,
    ClientPool,
    Observation,
    Prompt,
    Seat,
    make_agent,
    make_answerers,
    read_library,
    space_of,
)
from gwray.axes import axes, axis_words
from gwray.catalog import Catalog, Game, Task, identity, load_catalog, published_protocol, read_model
from gwray.environments import View, refuse_unoffered
from gwray.errors import AgentError, GameError, UsageError, boundary, choose
from gwray.evaluation import check_metrics, check_nudge
from gwray.identity import said
from gwray.local_players import LOCAL_PLAYERS
from gwray.pipelines.foreign import code_of_cell, code_of_kind, files_of
from gwray.pipelines.latency import FORMS, parse_latency
from gwray.pipelines.latency_table import TABLE, from_table
from gwray.records import Reply, canonical, digest
from gwray.spec import (
    PROMPT_VERSION,
    PROTOCOL_VERSION,
    TOP_LEVEL,
    ActionSpec,
    AgentSpec,
    CellSpec,
    EpisodeSpec,
    ModelSpec,
    RunSpec,
    TimingSpec,
)
from gwray.validation import in_words, names_at


@dataclass(frozen=True)
class PlannedCell:
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
    cells: tuple[PlannedCell, ...]
    episodes: tuple[EpisodeSpec, ...]
    library: Catalog
    notices: tuple[str, ...] = ()
    """Things a user should see, such as pairs that were left out."""
    settings: RunSpec = field(default=None)  # type: ignore[assignment]
    """The first job: executor, serving, tracking and budget are the same for the whole sweep."""
    code: Mapping[str, bytes] = field(default_factory=dict)
    """Sources that are not ours and travel with the run, by module."""
    prefix: bytes = b""
    """Of a fork: the recorded steps that its episodes go on from."""

    def models(self) -> list[ModelSpec]:
        """The distinct models, in the order they are first needed."""
        seen: dict[str, ModelSpec] = {}
        for cell in self.cells:
            for model in cell.spec.models():
                seen.setdefault(model.name, model)
        return list(seen.values())

    def kinds(self) -> dict[str, str]:
        """What identifies the kinds of environment that are not ours, by name."""
        kinds = {self.library.game(e.game).kind for e in self.episodes}
        return {name: code for kind in sorted(kinds) for name, code in code_of_kind(kind).items()}

    def manifest(self) -> dict[str, Any]:
        """The plan's part of `run.json`."""
        per_cell = {c.id: 0 for c in self.cells}
        for e in self.episodes:
            per_cell[e.cell_id] += 1
        games = sorted({e.game for e in self.episodes})
        actions = {id(e.action): e.action for e in self.episodes}
        actions_said = {i: {"action": words} for i, action in actions.items() if (words := said(action))}
        return {
            "name": self.name,
            "protocol_version": PROTOCOL_VERSION,
            "libraries": [str(r) for r in self.library.extra],
            "games": {g: self.library.game(g).files_hash for g in games},
            "kinds": self.kinds(),
            "cells": [{**describe(c), "planned": per_cell[c.id]} for c in self.cells],
            "episodes": [
                {
                    "key": e.key,
                    "cell": e.cell_id,
                    "game": e.game,
                    "task": e.task,
                    "seed": e.seed,
                    "repeat": e.repeat,
                    **actions_said.get(id(e.action), {}),
                    **({"prefix": e.prefix} if e.prefix else {}),
                }
                for e in self.episodes
            ],
            "jobs": [j.model_dump(mode="json") for j in self.jobs],
        }


def describe(cell: PlannedCell) -> dict[str, Any]:
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
        "agent": spec.agent.code,
        "axes": axes(spec),
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
    for name in TOP_LEVEL:
        group, _, field = name.partition(".")
        if isinstance(data.get(group), Mapping) and field in data[group]:
            raise UsageError(f"setting {name} is spelled {field}=… (one spelling for one thing)")
    try:
        spec = RunSpec.model_validate(data)
    except ValidationError as e:
        raise UsageError("\n".join(_problem(p) for p in e.errors())) from e
    spec = spec.model_copy(update={"agent": _with_library(_worded(spec))})
    if spec.timing.mode == "realtime" and spec.timing.latency.startswith(TABLE):
        spec = spec.model_copy(update={"timing": _from_table(spec)})
    parse_latency(spec.timing)
    return spec


def _from_table(spec: RunSpec) -> TimingSpec:
    paused = _cell(spec.model_copy(update={"timing": TimingSpec()}))
    if len(paused.spec.models()) > 1:
        raise UsageError(
            f"timing.latency '{spec.timing.latency}': a table is of one model, and '{paused.name}' asks several. Name "
            f"a distribution for it. Allowed: {FORMS} (milliseconds)."
        )
    return from_table(spec.timing, paused.id, paused.name)


def _worded(spec: RunSpec) -> AgentSpec:
    """The agent with the newest wording, if none is said and somebody reads it."""
    names = [*spec.roles.values(), *spec.agent.models.values()]
    asked = any(m.provider not in LOCAL_PLAYERS for m in (spec.model, *map(read_model, names)))
    if "prompt_version" in spec.agent.model_fields_set or not asked:
        return spec.agent
    return spec.agent.model_copy(update={"prompt_version": PROMPT_VERSION})


def _with_library(agent: AgentSpec) -> AgentSpec:
    """The agent with the rules of its library, which then need no file; the digest of what they say stands for it."""
    if agent.rules:
        raise UsageError("setting agent.rules is filled in from agent.library=FILE. Leave it out.")
    if not agent.library:
        return agent
    rules = read_library(agent.library)
    return agent.model_copy(update={"rules": rules, "library": digest(*rules)[:12]})


def _words(value: Any) -> list[str]:
    """`a`, `a,b`, `[a, b]` and numbers all mean a list of words."""
    if value is None:
        return []
    items = value if isinstance(value, (list, tuple)) else str(value).split(",")
    return [str(v).strip() for v in items if str(v).strip()]


def _problem(p: Any) -> str:
    where = ".".join(str(x) for x in p["loc"])
    if p["type"] == "extra_forbidden":
        prefix = "".join(f"{part}." for part in p["loc"][:-1])
        names = [prefix + name for name in names_at(RunSpec, p["loc"][:-1])]
        return str(choose("setting", where, [n for n in names if n not in TOP_LEVEL]))
    plain = isinstance(p["input"], str | int | float | bool)
    given = "" if p["type"] == "missing" else f" '{p['input']}'" if plain else f" {p['input']!r:.80}"
    return f"setting {where}{given}: {in_words(p, RunSpec)}"


def make_plan(jobs: Sequence[RunSpec], prefix: bytes = b"") -> Plan:
    """All jobs of one command as one plan: equal cells are merged, equal episodes are played once. `prefix`: recorded
    steps that every episode goes on from."""
    if not jobs:
        raise UsageError("there is nothing to play: the sweep has no jobs")
    first = jobs[0]
    _refuse_several(jobs)
    library = load_catalog(sorted({p for j in jobs for p in j.libraries}))
    cells: dict[str, PlannedCell] = {}
    episodes: dict[str, EpisodeSpec] = {}
    notices: dict[str, None] = {}
    seated: set[tuple[str, str]] = set()
    prefix_hash = digest(prefix) if prefix else ""
    keys = Keys(prefix_hash)
    for job in jobs:
        for what in ("game", "task"):
            if not getattr(job, what):
                raise UsageError(f"setting {what} is empty. Allowed: ids, all, genre:puzzle, level:2 (a list of them).")
        if job.interface in SPACES.builtin and space_of(job.interface).name not in job.model.interfaces:
            notices[f"{job.model.name} does not play through {job.interface}: left out"] = None
            continue
        if job.observation.text and not job.observation.pictures and space_of(job.interface).needs_picture:
            notices[
                f"{job.model.name} through {job.interface} with observation=text: left out (clicks need a picture)"
            ] = None
            continue
        cell = _cell(job)
        if blind := _without_eyes(cell.spec):
            notices[blind] = None
            continue
        cells.setdefault(cell.id, cell)
        for model in cell.spec.models():
            if model.retired:
                notices[f"{model.name}: {model.retired}"] = None
        selected = library.select(job.game, job.task)
        seats = list(dict.fromkeys(role.name for game, _ in selected for role in game.roles))
        if nowhere := [role for role in job.roles if role not in seats]:
            raise choose("role", nowhere[0], seats, "These are the roles of the games that are chosen.")
        for game, task in selected:
            unknown = [r for r in job.roles if r not in {x.name for x in game.roles}]
            if unknown and len(game.roles) > 1:
                raise choose("role", unknown[0], [r.name for r in game.roles])
            if (cell.id, game.id) not in seated:
                seated.add((cell.id, game.id))
                _seat(cell.spec, game, task)
            for repeat in range(job.repeats):
                episode = _episode(cell, game, task, job, repeat, prefix_hash, keys)
                episodes.setdefault(episode.key, episode)
    if not episodes:
        why = "; ".join(notices) or "no game has such a task"
        raise UsageError(f"there is nothing to play: {why}")
    used = {e.cell_id for e in episodes.values()}
    kept = tuple(c for c in cells.values() if c.id in used)
    name = first.name or _name(kept, list(episodes))
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise UsageError(f"name '{name}': only letters, digits, '.', '_' and '-' are allowed, a letter or digit first")
    plan = Plan(
        name=name,
        run_dir=first.run_dir or f"runs/{name}",
        jobs=tuple(jobs),
        cells=kept,
        episodes=tuple(episodes.values()),
        library=library,
        notices=tuple(notices),
        settings=first,
        prefix=prefix,
    )
    named = {name: code for c in kept for name, code in c.spec.code.items()} | plan.kinds()
    return replace(plan, code=files_of(named))


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


class _FirstPrompt(BaseException):
    """Ends a check where an agent asks for the first time; no agent's `except Exception` holds it back."""


def _stop_here(*prompts: Prompt, by: str = "") -> Awaitable[tuple[Reply, ...]]:
    raise _FirstPrompt


def _seat(spec: CellSpec, game: Game, task: Task) -> None:
    """Refuse now what no agent could play later: an unknown provider, format or agent, a role whose model does not know
    the interface, a view that the game does not offer, a model that would see nothing. Each agent's first turn is
    begun, up to its first question."""
    wanted = spec.observation
    refuse_unoffered(game, wanted)
    check_metrics(spec.metrics)
    width, height = game.viewport
    views = tuple(View(name, b"", "", width, height) for name in wanted.views) if wanted.pictures else ()
    pool = ClientPool()
    for role in game.roles:
        check_nudge(spec.nudge, game, role)
        player = spec.player(role.name)
        seat = Seat(game, role, task, 0, 0, "", spec.action)
        with suppress(GameError):  # a game without a scripted player fails its own episodes, not the sweep
            make_answerers(player, seat, pool)
            agent, seen = make_agent(player, seat), Observation(0, views, "words" if wanted.text else "")
            with boundary(AgentError, f"the first turn of agent '{player.agent.code}'"):
                _first_turn(agent, seen)


def _first_turn(agent: Agent, seen: Observation) -> None:
    """Begin a turn, up to its first question. Raises what the agent raises, its own attempts to end us as errors."""
    turn = agent.act(seen, _stop_here)
    if not asyncio.iscoroutine(turn):
        raise AgentError("`act` is no coroutine; it must be `async def act(self, seen, ask)`")
    try:
        turn.send(None)
    except (_FirstPrompt, StopIteration):
        return
    except (SystemExit, asyncio.CancelledError) as e:
        raise AgentError(f"the agent raised {type(e).__name__} in its first turn") from e
    finally:
        turn.close()


def _without_eyes(spec: CellSpec) -> str:
    """Why the cell is left out: a model that cannot see pictures would have to; empty when none would."""
    if not spec.observation.pictures and not space_of(spec.agent.interface).needs_picture:
        return ""
    names = ", ".join(m.name for m in spec.models() if not m.pictures)
    return f"{names} cannot see pictures: left out (observation=text through semantic needs none)" if names else ""


def _cell(job: RunSpec) -> PlannedCell:
    words = {"interface": job.interface, "memory_rounds": job.memory_rounds, "memory_format": job.memory_format}
    agent = job.agent.model_copy(update=words)
    sampled = published_protocol().sampled if job.sampling == "published" else (lambda model: model)
    model = sampled(job.model)
    roles = {role: sampled(read_model(name)) for role, name in sorted(job.roles.items())}
    helpers = {by: sampled(read_model(name)) for by, name in sorted(agent.models.items())}
    spec = CellSpec(
        model=model, sampling=job.sampling, agent=agent, timing=job.timing, observation=job.observation,
        action=job.action, nudge=job.nudge, roles=roles, helpers=helpers, metrics=job.metrics,
        code=code_of_cell(agent, (job.model, *roles.values()), job.metrics),
    )  # fmt: skip
    return cell_of(spec)


def cell_of(spec: CellSpec) -> PlannedCell:
    """The cell of a specification: its id and its name follow from what was said."""
    names = [spec.model.name, spec.agent.interface, *(f"{role}={m.name}" for role, m in spec.roles.items())]
    names += [f"{by}: {m.name}" for by, m in spec.helpers.items()]
    name = " · ".join([*names, *axis_words(axes(spec))])
    return PlannedCell(id=digest(_outcome(spec))[:12], name=name, spec=spec)


NOT_OUTCOME = {
    "base_url", "api_key_env", "prices", "max_in_flight", "requests_per_minute", "timeout_s", "source",
    "self_hosted", "interfaces", "pictures", "retired",
}  # fmt: skip
"""Fields of a model profile that cannot change what the model says, so they are no part of an episode's identity."""


def _outcome(spec: CellSpec) -> str:
    """Everything of a cell that can change an episode, canonically."""
    data = said(spec, leave_out=("model", "roles", "helpers", "action", "sampling"))
    data["model"] = _said_of_model(spec.model)
    for others in ("roles", "helpers"):
        data[others] = {name: _said_of_model(model) for name, model in getattr(spec, others).items()}
    data["action"] = said(spec.action)
    if spec.timing.mode != "realtime":
        data["timing"] = said(TimingSpec(mode=spec.timing.mode, speed=spec.timing.speed))
    return canonical({name: value for name, value in data.items() if value})


def _said_of_model(model: ModelSpec) -> dict[str, Any]:
    data = said(model, leave_out=NOT_OUTCOME)
    options = {k: v for k, v in model.options.items() if k not in SILENT_OPTIONS}
    return {**{k: v for k, v in data.items() if k != "options"}, **({"options": options} if options else {})}


def game_seed(job: RunSpec, repeat: int) -> int:
    """The seed that games get for a repeat."""
    if job.seed_policy == "fixed":
        return job.seed
    return int(digest("seed", str(job.seed), str(repeat))[:7], 16)


class Keys:
    """The words of episode keys, each part made once: a sweep has many episodes of few games and cells.

    `prefix`: hash of the steps that the episodes go on from. `kinds`: what identifies the kinds of environment that are
    not ours, by name; None: it is looked up.
    """

    def __init__(self, prefix: str, kinds: Mapping[str, str] | None = None):
        self._prefix = [f"prefix {prefix}"] if prefix else []
        self._kinds = kinds
        self._cells: dict[tuple[str, str], tuple[ActionSpec, str]] = {}
        self._tasks: dict[tuple[str, str], list[str]] = {}

    def of(self, cell: PlannedCell, game: Game, task: Task, seed: int, repeat: int) -> tuple[str, ActionSpec]:
        """The key of an episode, and its action settings with the game's defaults filled in."""
        if (cell.id, game.id) not in self._cells:
            action = _resolved(cell.spec.action, game)
            self._cells[cell.id, game.id] = action, _outcome(cell.spec.model_copy(update={"action": action}))
        if (game.id, task.id) not in self._tasks:
            known = code_of_kind(game.kind) if self._kinds is None else self._kinds
            kind = [known[game.kind]] if game.kind in known else []
            self._tasks[game.id, task.id] = [game.id, task.id, identity(game, task), *kind]
        action, cell_words = self._cells[cell.id, game.id]
        name, number, what, *kind = self._tasks[game.id, task.id]
        words = (str(PROTOCOL_VERSION), cell_words, name, number, what, str(seed), str(repeat), *kind, *self._prefix)
        return digest(*words)[:20], action


def _episode(
    cell: PlannedCell, game: Game, task: Task, job: RunSpec, repeat: int, prefix: str, keys: Keys
) -> EpisodeSpec:
    seed = game_seed(job, repeat)
    key, action = keys.of(cell, game, task, seed, repeat)
    return EpisodeSpec(
        key=key,
        action=action,
        cell_id=cell.id,
        cell=cell.spec,
        game=game.id,
        task=task.id,
        seed=seed,
        repeat=repeat,
        prefix=prefix,
    )


def _resolved(action: ActionSpec, game: Game) -> ActionSpec:
    """With the game's own default filled in; a default of 1 is not said, so that it is the same as saying nothing."""
    per_reply = action.per_reply or game.per_reply
    return action.model_copy(update={"per_reply": None if per_reply == 1 else per_reply})


def _name(cells: Sequence[PlannedCell], keys: Sequence[str]) -> str:
    """A name that the same command makes again, as long as it means the same episodes."""
    models = sorted({c.spec.model.name for c in cells})
    head = models[0] if len(models) == 1 else f"{len(models)}-models"
    head = re.sub(r"[^A-Za-z0-9._-]+", "-", head)
    return f"{head}-{digest(*sorted(keys))[:8]}"
