"""Turns the jobs of one command into a plan of cells and episodes. A plan is plain data; making it starts nothing but a
dry run of each agent's first turn (`first_turns`)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gwray.agents import SPACES, get_space
from gwray.catalog import Catalog, Game, load_catalog
from gwray.errors import UsageError, choose
from gwray.evaluation import check_metrics
from gwray.pipelines.arena import with_matches
from gwray.pipelines.cells import (
    Keys,
    PlannedCell,
    cell_of_job,
    describe,
    game_seed,
    is_hosted,
    picture_problem,
    vision_problem,
    with_effective_deployment,
)
from gwray.pipelines.first_turns import dry_run_first_turn
from gwray.pipelines.foreign import code_of_kind, files_of
from gwray.pipelines.game_defaults import tasks_of, with_game_defaults
from gwray.pipelines.latency import refuse_unknown_tags
from gwray.pipelines.product import Episodes, Repeats
from gwray.places import allow_folders
from gwray.records import NOT_OUTCOME, digest, non_defaults, redacted
from gwray.settings import PROTOCOL_VERSION, ModelSpec, RunSpec, model_label
from gwray.store import ManifestCell, PlannedEpisode, PlannedEpisodes, RunManifest


@dataclass(frozen=True)
class Plan:
    """The episodes of one command."""

    name: str
    run_dir: str
    jobs: tuple[RunSpec, ...]
    cells: tuple[PlannedCell, ...]
    episodes: Episodes
    library: Catalog
    notices: tuple[str, ...] = ()
    """Messages for the user, such as skipped pairs."""
    code: Mapping[str, bytes] = field(default_factory=dict)
    """Source files of code outside gwray that are stored in the run, by module."""
    prefix: bytes = b""
    """The recorded steps from which a fork's episodes continue; empty: no fork."""

    @property
    def settings(self) -> RunSpec:
        """The first job; executor, serving, tracking and budget are equal in all jobs."""
        return self.jobs[0]

    def models(self) -> list[ModelSpec]:
        """Returns the distinct models, in order of first use."""
        seen: dict[tuple[str, str, str], ModelSpec] = {}
        for cell in self.cells:
            for model in cell.spec.models():
                seen.setdefault(model.identity, model)
        return list(seen.values())

    def kinds(self) -> dict[str, str]:
        """Returns the code identity of environment kinds outside gwray, by name."""
        kinds = {self.library.game(game).kind for game in self.episodes.games()}
        return {name: code for kind in sorted(kinds) for name, code in code_of_kind(kind).items()}

    def manifest(self) -> RunManifest:
        """Returns the plan's part of `run.json`; secrets that a user typed are redacted."""
        planned = PlannedEpisodes.group(_planned_episodes(self.episodes))
        counts = planned.per_cell()
        return RunManifest(
            name=self.name,
            protocol_version=PROTOCOL_VERSION,
            libraries=tuple(map(str, self.library.extra)),
            games={g: self.library.game(g).files_hash for g in planned.games()},
            kinds=self.kinds(),
            cells=tuple(ManifestCell(**redacted({**describe(c), "planned": counts[c.id]})) for c in self.cells),
            episodes=planned,
            jobs=tuple(redacted(job.model_dump(mode="json")) for job in self.jobs),
        )


def _planned_episodes(episodes: Episodes) -> Iterator[PlannedEpisode]:
    for part in episodes.parts:
        action = non_defaults(part.action)
        for seed, repeat in part.rounds:
            key = part.keys.key(seed, repeat)
            yield PlannedEpisode(key, part.cell_id, part.game, part.task, seed, repeat, action, part.prefix)


def make_plan(jobs: Sequence[RunSpec], prefix: bytes = b"") -> Plan:
    """Makes one plan of all jobs of a command. Equal cells are merged, equal episodes are played once. `prefix`:
    recorded steps from which every episode continues. Raises `UsageError` for settings that cannot work."""
    if not jobs:
        raise UsageError("there is nothing to play: the sweep has no jobs")
    first = jobs[0]
    _check_run_settings(jobs)
    given = sorted({p for j in jobs for p in j.libraries})
    library = load_catalog(given)
    library.require(given)
    allow_folders(library.extra)
    cells: dict[str, PlannedCell] = {}
    order: list[Repeats] = []
    parts: dict[str, list[Repeats]] = {}
    notices: dict[str, None] = {}
    checked: dict[tuple[str, str], bool] = {}
    prefix_hash = digest(prefix) if prefix else ""
    keys = Keys(prefix_hash)
    matches = [one for job in jobs for one in with_matches(job, library)]
    jobs = [with_effective_deployment(one) for job in matches for one in with_game_defaults(job, library)]
    if any(j.deployment for j in jobs) and not any(is_hosted(j.model, j) for j in jobs):
        notices["deployment.… changes nothing: this run hosts no model; its server decides what is served"] = None
    misfits: dict[str, UsageError] = {}

    @contextmanager
    def fitting() -> Iterator[None]:
        """Collects what does not fit together, so that a sweep names all of it at once or leaves all of it out."""
        try:
            yield
        except UsageError as e:
            misfits[str(e)] = e

    for job in jobs:
        if unsupported := _unsupported(job):
            notices[unsupported] = None
            continue
        selected = []
        with fitting():
            cell = cell_of_job(job)
            if problem := vision_problem(cell.spec):
                notices[problem] = None
                continue
            check_metrics(cell.spec.metrics)
            if cell.spec.limit.unlimited and any(m.provider != "human" for m in cell.spec.models()):
                raise UsageError("limit.unlimited=true is for people only; a model has its task's, or limit.steps=N")
            chosen = tasks_of(job, library)
            _refuse_roles(job, [game for game, _ in chosen])
            if notice := refuse_unknown_tags(job.timing, chosen):
                notices[notice] = None
            _refuse_merged(cells.setdefault(cell.id, cell), cell)
            notices |= {f"{m.name}: {m.retired}": None for m in cell.spec.models() if m.retired}
            selected = chosen
        rounds = [(game_seed(job, repeat), repeat) for repeat in range(job.repeats)]
        for game, task in selected:
            if problem := picture_problem(cell.spec, game):
                notices[problem] = None
                continue
            if (cell.id, game.id) not in checked:
                checked[cell.id, game.id] = False
                with fitting():
                    dry_run_first_turn(cell.spec, game, task)
                    checked[cell.id, game.id] = True
            if not checked[cell.id, game.id]:
                continue
            action, maker = keys.for_task(cell, game, task)
            same = parts.setdefault(maker.same, [])
            known = {r for part in same for r in part.rounds}
            new = [r for r in rounds if r not in known] if known else rounds
            same.append(Repeats(cell.id, cell.spec, game.id, task.id, action, prefix_hash, new, maker))
            order.append(same[-1])
    if misfits and not first.skip_unsupported:
        more = ["skip_unsupported=true leaves these out and plays the rest."] if order else []
        raise UsageError("\n".join([*misfits, *more])) from next(iter(misfits.values()))
    notices |= {f"left out: {problem}": None for problem in misfits}
    episodes = Episodes(order)
    if not episodes:
        why = "; ".join(notices) or "no game has such a task"
        raise UsageError(f"there is nothing to play: {why}")
    used = {part.cell_id for part in episodes.parts}
    kept = tuple(c for c in cells.values() if c.id in used)
    name = first.name or _name(kept, [e.key for e in episodes])
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise UsageError(f"name '{name}': only letters, digits, '.', '_' and '-' are allowed, a letter or digit first")
    plan = Plan(
        name=name,
        run_dir=_kept(first.run_dir or f"runs/{name}"),
        jobs=tuple(jobs),
        cells=kept,
        episodes=episodes,
        library=library,
        notices=tuple(notices),
        prefix=prefix,
    )
    _refuse_equal_labels(plan.models())
    named = {name: code for c in kept for name, code in c.spec.code.items()} | plan.kinds()
    return replace(plan, code=files_of(named))


def _refuse_merged(known: PlannedCell, cell: PlannedCell) -> None:
    """Raises `UsageError` for two jobs of one cell whose profiles differ: only one of them would be used."""
    before, now = known.spec.model, cell.spec.model
    for name in NOT_OUTCOME:
        old, new = getattr(before, name), getattr(now, name)
        if old != new:
            raise UsageError(
                f"model.{name} of {now.name} has the values {redacted(str(old))} and {redacted(str(new))}, but is no "
                "part of an episode's identity: both would be the same episodes, and one of them would not be used. "
                "Do not sweep over it with -m. If these are different models, give each a model.model_id or a "
                "model.name of its own."
            )


def _refuse_equal_labels(models: Sequence[ModelSpec]) -> None:
    """Raises `UsageError` if a given label names two models."""
    named = Counter(map(model_label, models))
    if both := next((m for m in models if m.label and named[m.label] > 1), None):
        raise UsageError(f"model.label '{both.label}' names {named[both.label]} models of this run; give each its own")


def _unsupported(job: RunSpec) -> str:
    """Returns why a model does not support the interface; empty if it does. A job without games is a `UsageError`."""
    for what in ("game", "task"):
        if not getattr(job, what):
            raise UsageError(f"setting {what} is empty. Allowed: ids, all, genre:puzzle, level:2 (a list of them).")
    space = get_space(job.interface)
    if job.interface in SPACES.builtin and space.name not in job.model.interfaces:
        return f"{job.model.name} does not play through {job.interface}: left out"
    if job.observation.text and not job.observation.pictures and space.needs_image:
        return f"{job.model.name} through {job.interface} with observation=text: left out (clicks need a picture)"
    return ""


def _refuse_roles(job: RunSpec, games: Sequence[Game]) -> None:
    """Raises `UsageError` for a role that no chosen game has, or that a game with several roles lacks."""
    if not job.roles:
        return
    known = list(dict.fromkeys(role.name for game in games for role in game.roles))
    if nowhere := [role for role in job.roles if role not in known]:
        raise choose("role", nowhere[0], known, "These are the roles of the chosen games.")
    for game in games:
        names = [role.name for role in game.roles]
        if len(names) > 1 and (unknown := [role for role in job.roles if role not in names]):
            raise choose("role", unknown[0], names)


FOR_ALL = ("executor", "serving", "tracking", "budget", "name", "run_dir", "dry_run", "report", "skip_unsupported")
"""Settings of the run, which must be equal in all jobs."""


def _check_run_settings(jobs: Sequence[RunSpec]) -> None:
    """Raises `UsageError` for a setting of the run that differs between jobs."""
    first = _run_settings(jobs[0])
    for job in jobs[1:]:
        for name, value in _run_settings(job).items():
            if value != first[name]:
                raise UsageError(
                    f"setting {name} must be equal in the whole sweep, but has the values {first[name]} and {value}. "
                    "Do not sweep over it with -m, or start two commands."
                )


def _run_settings(job: RunSpec) -> dict[str, Any]:
    """Returns the settings of the run by full name."""
    parts = {k: v if isinstance(v, dict) else {"": v} for k, v in job.model_dump(include=set(FOR_ALL)).items()}
    return {f"{k}.{part}".rstrip("."): v for k, inner in parts.items() for part, v in inner.items()}


def _name(cells: Sequence[PlannedCell], keys: Sequence[str]) -> str:
    """Returns a name that depends on the models and episode keys only."""
    models = sorted({c.spec.model.name for c in cells})
    head = models[0] if len(models) == 1 else f"{len(models)}-models"
    head = re.sub(r"[^A-Za-z0-9._-]+", "-", head)
    return f"{head}-{digest(*sorted(keys))[:8]}"


def _kept(run_dir: str) -> str:
    """Returns a run directory. Raises `UsageError` if it is in the copy that Ray made of a job's working directory."""
    if "://" not in run_dir and "working_dir_files" in Path(run_dir).absolute().parts:
        raise UsageError(
            f"the run directory '{run_dir}' is in Ray's copy of the job's working directory, which Ray deletes: set "
            "run_dir to an absolute path that all nodes share, or to a URL (s3://…)"
        )
    return run_dir
