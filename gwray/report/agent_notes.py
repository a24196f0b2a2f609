"""Texts of a replay: the notes of its agent at each step (clues, goals, rules, deeds), and those of its task."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gwray.agents import NoteSpan, note_history
from gwray.catalog import Task, load_catalog
from gwray.errors import GwrayError
from gwray.records import StepRecord
from gwray.spec import AgentSpec
from gwray.store import RunDir, RunManifest
from gwray.visible_text import LONG, SHORT, safe_text

MOST = 5_000
"""Most notes of an episode; later ones are dropped."""
TEXT = 900
"""Characters shown of a note."""


def read_agent_notes(run: RunDir, key: str, cell: Mapping[str, Any]) -> tuple[NoteSpan, ...]:
    """Returns the notes of an episode; none if its agent keeps none, or if the log or `cell` (the cell's specification
    in the manifest) cannot be read."""
    given = cell.get("agent")
    if not isinstance(given, Mapping) or not given.get("modules"):
        return ()
    try:
        return note_history(AgentSpec.model_validate(given), run.log(key).read())
    except (GwrayError, ValidationError):
        return ()


def cell_spec(manifest: RunManifest, cell: str) -> Mapping[str, Any]:
    """Returns the specification of a cell in a manifest; empty if it has none."""
    return next((c.spec for c in manifest.cells if c.id == cell), {})


def memory_rows(notes: Sequence[NoteSpan], steps: Sequence[StepRecord]) -> list[dict[str, Any]]:
    """Notes for the viewer, each with its first step and the step at which it ends. Notes that no step was played with
    are dropped."""
    starts: dict[int, int] = {}
    order = sorted({s.step for s in steps})
    at = {step: i for i, step in enumerate(order)}
    for s in steps:
        if not s.forced:
            starts[s.decision] = min(starts.get(s.decision, len(order)), at[s.step])
    following = sorted(starts.items())

    def step_of(decision: int) -> int:
        """Returns the position of the first step played at this decision or later."""
        where = bisect_left(following, (decision, -1))
        return following[where][1] if where < len(following) else len(order)

    out = []
    for note in notes:
        since, until = step_of(note.since), None if note.until is None else step_of(note.until)
        if since < len(order) and (until is None or since < until) and len(out) < MOST:
            text, place = safe_text(note.text, TEXT), safe_text(note.place, SHORT)
            out.append(
                {"role": safe_text(note.role, SHORT), "kind": note.kind, "text": text, "place": place, "since": since,
                 "until": until}
            )  # fmt: skip
    return out


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
