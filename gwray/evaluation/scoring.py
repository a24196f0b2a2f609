"""State → score → progress → how a step ends. Pure functions of the recorded states, so old runs can be rescored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, Literal

from gwray.catalog import EndRule, Task
from gwray.errors import GameError
from gwray.evaluation.predicates import field, holds, number
from gwray.records import EndedBy


def score(state: dict[str, Any], task: Task, reached: Collection[str] = ()) -> float:
    """Sum of the task's (capped) score fields; without any, how many milestones are `reached`, or 1 with the goal."""
    if task.score:
        total = 0.0
        for term in task.score:
            value = number(state, term.field)
            total += value if term.cap is None else min(value, term.cap)
        return total
    if task.milestones:
        return float(len(reached))
    return float(solved(state, task))


def progress(state: dict[str, Any], task: Task, reached: Collection[str] = ()) -> float:
    """The share of the task that is done, at least 0 and at most the task's cap.

    The share of milestones `reached`; without milestones (score − start) / (target − start), which works for targets
    below the start too; without a target 1 with the goal and 0 without.
    """
    if task.milestones:
        share = len(reached) / len(task.milestones)
    elif task.target is not None:
        share = (score(state, task) - task.start) / (task.target - task.start)
    else:
        share = float(solved(state, task))
    share = max(0.0, share)
    return share if task.progress.cap is None else min(float(task.progress.cap), share)


def solved(state: dict[str, Any], task: Task, reached: Collection[str] = ()) -> bool:
    """Success is this and nothing else: the goal, or else the target, or else all milestones `reached`."""
    if task.goal is not None:
        return holds(task.goal, state)
    if task.target is not None:
        value = score(state, task)
        return value >= task.target if task.target > task.start else value <= task.target
    return len(reached) == len(task.milestones)


def situations(state: dict[str, Any], task: Task) -> tuple[str, ...]:
    """The task's tags that hold in a state."""
    return tuple(name for name, predicate in task.tags.items() if holds(predicate, state))


def check_start(state: dict[str, Any], task: Task) -> None:
    """Raises `GameError` if the task is solved, or a milestone reached, before anything was done."""
    if solved(state, task):
        raise GameError(f"task {task.id} is already solved at its start: {task.target_text} is reached")
    for milestone in task.milestones:
        if holds(milestone.when, state):
            raise GameError(f"milestone {milestone.name} of task {task.id} is already reached at its start")


@dataclass(frozen=True)
class BestSoFar:
    """How an episode stands after the steps seen so far."""

    best: float = 0.0
    """Progress as the task takes it: the best, or the last."""
    best_score: float | None = None
    """The score at that progress."""
    success: bool = False
    resets: int = 0
    milestones: tuple[str, ...] = ()
    """Reached since the game was reset last."""


@dataclass(frozen=True)
class StepResult:
    """What one step came to and what follows from it."""

    score: float
    progress: float
    terminal: str | None
    """Outcome when the state is terminal ("none" when the game names no outcome)."""
    then: Literal["go on", "reset", "end"]
    ended_by: EndedBy | None = None
    milestones: tuple[str, ...] = ()
    """Reached by this step."""
    scores: Mapping[str, float] = dataclass_field(default_factory=dict)
    """The task's progress under "", and 1 or 0 for each milestone by its name."""


def evaluate_step(
    state: dict[str, Any],
    task: Task,
    left: int,
    standing: BestSoFar,
    *,
    last_of_reply: bool = True,
    finish: bool = False,
) -> tuple[StepResult, BestSoFar]:
    """Evaluate the state after an environment step.

    `left` is what remains of the budget (`Task.remaining`); `last_of_reply` whether the reply has no further action;
    `finish` whether the agent says that it is done. Order of endings: target reached, a wrong "done", fail → reset (if
    on), budget spent, end rule, terminal. With `check: reply` success and the best progress are judged only where a
    reply is over, be it because something ended it; milestones are always.

    Returns the result and how the episode stands with it. Raises `GameError` for a state that cannot be judged.
    """
    new = tuple(m.name for m in task.milestones if m.name not in standing.milestones and holds(m.when, state))
    reached = (*standing.milestones, *new)
    value, part = score(state, task, reached), progress(state, task, reached)
    terminal = state.get("terminal") or {}
    outcome = str(terminal.get("outcome") or "none") if terminal.get("isTerminal") else None
    then, by = _then(state, task, left, outcome, finish and task.finish)
    judged = task.check == "action" or last_of_reply or then != "go on"
    success = judged and solved(state, task, reached)
    if success and task.ends_at_target:
        then, by = "end", "target"
    if success:
        part = max(1.0, part)
    last = task.progress.take == "last"
    first_success = success and not standing.success
    if judged and (last or first_success or standing.best_score is None or part > standing.best):
        standing = replace(standing, best=part, best_score=value)
    standing = replace(
        standing,
        success=success or (standing.success and not (last and judged)),
        resets=standing.resets + (then == "reset"),
        milestones=() if then == "reset" else reached,
    )
    scores = {"": part, **{m.name: float(m.name in reached) for m in task.milestones}}
    return StepResult(value, part, outcome, then, by, new, scores), standing


def _then(
    state: dict[str, Any], task: Task, left: int, outcome: str | None, finish: bool
) -> tuple[Literal["go on", "reset", "end"], EndedBy | None]:
    """What follows a state in which the target is not reached."""
    if finish:
        return "end", "finish"
    if outcome == "fail" and task.reset_on_fail and left > 0:
        return "reset", None
    if left <= 0:
        return "end", "budget"
    if task.end is not None and _ended(state, task.end):
        return "end", "end_field"
    return ("end", "terminal") if outcome is not None else ("go on", None)


def _ended(state: dict[str, Any], end: Any) -> bool:
    return field(state, end.field) == end.value if isinstance(end, EndRule) else holds(end, state)
