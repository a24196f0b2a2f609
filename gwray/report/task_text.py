"""Title, instruction and goal of each task, for readers of a report."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gwray.catalog import Task, load_catalog
from gwray.errors import GwrayError
from gwray.store import RunDir
from gwray.visible_text import LONG, SHORT, safe_text


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
    for run in runs:
        played = run.manifest().games
        try:
            catalog = load_catalog([f for f in run.libraries if Path(f).is_dir()])
        except GwrayError:
            continue  # a broken library must not break the report of an older run
        for game in catalog.games.values():
            if played.get(game.id) == game.files_hash:
                title = safe_text(game.title, SHORT)
                out |= {t.id: TaskText(title, safe_text(t.instruction.strip(), LONG), _goal(t)) for t in game.tasks}
    return out


def _goal(task: Task) -> str:
    parts = []
    if task.target is not None:
        from_ = f" from {task.start:g}" if task.start else ""
        parts.append(f"a score of {task.target:g}{from_}")
    if task.goal is not None:
        parts.append("the goal state")
    if task.milestones:
        parts.append(f"{len(task.milestones)} milestones")
    if task.max_decisions is not None:
        return f"{' and '.join(parts)} within {task.max_decisions} decisions"
    return f"{' and '.join(parts)} within {task.max_steps} steps"
