"""Titles, instructions and goals of tasks, with the budgets that the episodes of runs had."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from gwray.analysis import PlannedTasks
from gwray.catalog import Task, load_catalog
from gwray.errors import GwrayError
from gwray.pages import LONG, SHORT, safe_text
from gwray.settings import LimitSpec
from gwray.store import RunDir, RunManifest

DEFAULT_LIMITS = (LimitSpec(),)
"""The limits of a task that is played with its whole budget."""


def step_limits(manifests: Iterable[RunManifest]) -> dict[tuple[str, str], set[LimitSpec]]:
    """Returns the limits under which each task, by ids of game and task, is planned."""
    out: dict[tuple[str, str], set[LimitSpec]] = {}
    for manifest in manifests:
        limits: dict[str, LimitSpec] = {}
        for cell in manifest.cells:
            with suppress(ValidationError):  # a damaged specification must not break the report
                limits[cell.id] = LimitSpec.model_validate(cell.spec.get("limit") or {})
        for part in manifest.episodes.parts:
            out.setdefault((part.game, part.task), set()).add(limits.get(part.cell, LimitSpec()))
    return out


def whole_budget(task: Task, limits: Collection[LimitSpec]) -> bool:
    """Returns whether all limits leave a task its budget."""
    return all(not x.unlimited and (x.steps is None or x.steps >= task.budget) for x in limits)


@dataclass(frozen=True)
class TaskText:
    """Texts of one task, bounded and visible."""

    title: str
    """Title of the game."""
    instruction: str
    goal: str
    """Target and limit."""


def task_texts(runs: Iterable[RunDir]) -> dict[str, TaskText]:
    """Texts by task id, of games whose files have not changed since the run."""
    out: dict[str, TaskText] = {}
    runs = list(runs)
    limits = step_limits(run.manifest() for run in runs)
    for run in runs:
        played = run.manifest().games
        try:
            catalog = load_catalog([f for f in run.libraries if Path(f).is_dir()])
        except GwrayError:
            continue  # a broken library must not break the report of an older run
        for game in catalog.games.values():
            if played.get(game.id) == game.files_hash:
                title = safe_text(game.title, SHORT)
                for t in game.tasks:
                    goal = goal_text(t, limits.get((game.id, t.id), DEFAULT_LIMITS))
                    out[t.id] = TaskText(title, safe_text(t.instruction.strip(), LONG), goal)
    return out


def game_titles(plan: PlannedTasks, tasks: Mapping[str, TaskText]) -> dict[str, str]:
    """Returns the titles of the planned games, by id; `tasks`: texts by task."""
    played = plan.episodes.select("game", "task").unique().iter_rows()
    return {game: tasks[task].title for game, task in played if task in tasks}


def goal_text(task: Task, limits: Collection[LimitSpec] = DEFAULT_LIMITS) -> str:
    """Returns target and budget of a task. Cells with different limits have different budgets, which are all named."""
    parts = []
    if task.target is not None:
        from_ = f" from {task.start:g}" if task.start else ""
        parts.append(f"target {task.target:g}{from_}")  # not "score": a game's own score may be another number
    if task.goal is not None:
        parts.append("the goal state")
    if task.milestones:
        parts.append(f"{len(task.milestones)} milestones")
    known = sorted({task.budget if x.steps is None else min(x.steps, task.budget) for x in limits if not x.unlimited})
    unit = "decisions" if task.max_decisions is not None else "steps"
    budgets = [f"within {' or '.join(map(str, known))} {unit}"] if known else []
    budgets += ["without a limit"] if any(x.unlimited for x in limits) else []
    return f"{' and '.join(parts)} {' or '.join(budgets)}"
