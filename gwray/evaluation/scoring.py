"""Score, progress and ending of a step, as pure functions of recorded states, so that old runs can be rescored."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, Literal

from gwray.catalog import EndRule, ScoreTerm, Task
from gwray.errors import GameError
from gwray.evaluation.predicates import field, holds, number
from gwray.records import EndedBy


def score(state: dict[str, Any], task: Task, reached: Collection[str] = ()) -> float:
    """Returns the sum of the task's score terms; without any, the number of milestones `reached`, or 1 if the goal is
    reached."""
    if task.score:
        total = 0.0
        for term in task.score:  # not by `sum`, whose rounding depends on Python's version
            total += _term_value(state, term)
        return total
    if task.milestones:
        return float(len(reached))
    return float(solved(state, task))


def score_of(state: str, task: Task) -> float:
    """Returns the score of a recorded state, for tasks with score terms."""
    return score(json.loads(state), task)


def _term_value(state: dict[str, Any], term: ScoreTerm) -> float:
    """Returns the weighted value of one score term; 0 where its `when` does not hold."""
    if term.when is not None and not holds(term.when, state):
        return 0.0
    value = number(state, term.field) if term.field is not None else float(term.value or 0)
    if term.over is not None:
        divisor = number(state, term.over) if isinstance(term.over, str) else term.over
        if divisor == 0:
            raise GameError(f"state field '{term.over}' is 0, and the score divides by it")
        value /= divisor
    return (value if term.cap is None else min(value, term.cap)) * term.weight


def progress(state: dict[str, Any], task: Task, reached: Collection[str] = ()) -> float:
    """Returns the completed share of the task, within the task's floor (0) and cap (1).

    With milestones it is the reached share of the task's parts: its milestones, and its goal as the last part. A
    milestone that is the goal is that part. So progress is 1 only for a success. Without milestones it is
    (score − start) / (maximum − start), where the maximum is the target unless the task names one, also for targets
    below the start; without a target 1 if the goal is reached, otherwise 0.
    """
    if task.milestones:
        share = _reached_share(state, task, reached)
    elif task.target is not None:
        maximum = task.target if task.progress.maximum is None else task.progress.maximum
        share = (score(state, task) - task.start) / (maximum - task.start)
    else:
        share = float(solved(state, task))
    if task.progress.floor is not None:
        share = max(float(task.progress.floor), share)
    return share if task.progress.cap is None else min(float(task.progress.cap), share)


def _reached_share(state: dict[str, Any], task: Task, reached: Collection[str]) -> float:
    if task.goal is None:
        return len(reached) / len(task.milestones)
    if solved(state, task):
        return 1.0
    before_goal = [m.name for m in task.milestones if m.when != task.goal]
    return sum(name in reached for name in before_goal) / (len(before_goal) + 1)


def solved(state: dict[str, Any], task: Task, reached: Collection[str] = ()) -> bool:
    """Returns whether the task is solved: its goal is true; without a goal, its score reaches the target; without
    either, all milestones are in `reached` (names of milestones reached since the last reset)."""
    if task.goal is not None:
        return holds(task.goal, state)
    if task.target is not None:
        value = score(state, task)
        return value >= task.target if task.target > task.start else value <= task.target
    return len(reached) == len(task.milestones)


def active_tags(state: dict[str, Any], task: Task) -> tuple[str, ...]:
    """Returns the task's tags that are true in a state."""
    return tuple(name for name, predicate in task.tags.items() if holds(predicate, state))


def check_start(state: dict[str, Any], task: Task) -> None:
    """Raises `GameError` if the task is solved or a milestone is reached in the first state."""
    if solved(state, task):
        raise GameError(f"task {task.id} is already solved at its start: {task.target_text} is reached")
    for milestone in task.milestones:
        if holds(milestone.when, state):
            raise GameError(f"milestone {milestone.name} of task {task.id} is already reached at its start")


@dataclass(frozen=True)
class BestSoFar:
    """Best progress, success and milestones of an episode so far."""

    best: float = 0.0
    """The best or last progress, as the task defines."""
    best_score: float | None = None
    """The score at that progress."""
    success: bool = False
    resets: int = 0
    milestones: tuple[str, ...] = ()
    """Milestones reached since the last reset."""


@dataclass(frozen=True)
class StepResult:
    """Evaluation of one step and what happens next."""

    score: float
    progress: float
    terminal: str | None
    """Outcome of a terminal state ("none" if the game names none)."""
    then: Literal["go on", "reset", "end"]
    ended_by: EndedBy | None = None
    milestones: tuple[str, ...] = ()
    """Milestones reached by this step."""
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
    """Evaluates the state after an environment step.

    `left` is what remains of the budget (`Task.remaining`); `last_of_reply` whether the reply has no further action;
    `finish` whether the agent says that it is done. Order of endings: target reached, a wrong "done", fail → reset (if
    enabled), budget exhausted, end rule, terminal. With `check: reply` success and best progress are updated only at
    the end of a reply, also if something ended it; milestones are updated at every step.

    Returns the result and the updated `BestSoFar`. Raises `GameError` for a state that cannot be evaluated.
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
    if success and task.progress.maximum is None:
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
    """Returns what follows a state in which the target is not reached."""
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
