"""State → score → progress → how a step ends. Pure functions of the recorded states, so old runs can be rescored."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from gwray.catalog.game import Task
from gwray.errors import GameError
from gwray.records import EndedBy


def field(state: dict[str, Any], path: str) -> Any:
    """The value at a dotted path. Raises `GameError` naming the part that is missing and what is there."""
    value: Any = state
    for i, part in enumerate(path.split(".")):
        if not isinstance(value, dict) or part not in value:
            there = ", ".join(map(str, value)) if isinstance(value, dict) else type(value).__name__
            parent = ".".join(path.split(".")[:i]) or "the state"
            raise GameError(f"state field '{path}' is missing: {parent} has {there or 'nothing'}")
        value = value[part]
    return value


def score(state: dict[str, Any], task: Task) -> float:
    """Sum of the task's (capped) score fields."""
    total = 0.0
    for term in task.score:
        value = field(state, term.field)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise GameError(f"state field '{term.field}' of task {task.id} is {value!r}, not a number")
        total += value if term.cap is None else min(value, term.cap)
    return total


def progress(value: float, task: Task) -> float:
    """clip((score − start) / (target − start), 0, 1); works for targets below the start too."""
    return min(1.0, max(0.0, (value - task.start) / (task.target - task.start)))


def reached(value: float, task: Task) -> bool:
    """Success is this and nothing else."""
    return value >= task.target if task.target > task.start else value <= task.target


@dataclass(frozen=True)
class Standing:
    """How an episode stands after the steps seen so far."""

    best: float = 0.0
    """Best progress in [0, 1]."""
    best_score: float | None = None
    success: bool = False
    resets: int = 0


@dataclass(frozen=True)
class Verdict:
    """What one step came to and what follows from it."""

    score: float
    progress: float
    terminal: str | None
    """Outcome when the state is terminal ("none" when the game names no outcome)."""
    then: Literal["go on", "reset", "end"]
    ended_by: EndedBy | None = None


def judge(state: dict[str, Any], task: Task, steps_left: int, standing: Standing) -> tuple[Verdict, Standing]:
    """Evaluate the state after a step.

    Order of endings: target reached, fail → reset (if on), budget spent, end field, terminal.
    """
    value = score(state, task)
    part = progress(value, task)
    terminal = state.get("terminal") or {}
    outcome = str(terminal.get("outcome") or "none") if terminal.get("isTerminal") else None
    if standing.best_score is None or part > standing.best:
        standing = replace(standing, best=part, best_score=value)

    def verdict(then: Literal["go on", "reset", "end"], by: EndedBy | None = None) -> Verdict:
        return Verdict(score=value, progress=part, terminal=outcome, then=then, ended_by=by)

    if reached(value, task):
        return verdict("end", "target"), replace(standing, success=True, best=1.0, best_score=value)
    if outcome == "fail" and task.reset_on_fail:
        if steps_left <= 0:
            return verdict("end", "budget"), standing
        return verdict("reset"), replace(standing, resets=standing.resets + 1)
    if steps_left <= 0:
        return verdict("end", "budget"), standing
    if task.end is not None and field(state, task.end.field) == task.end.value:
        return verdict("end", "end_field"), standing
    if outcome is not None:
        return verdict("end", "terminal"), standing
    return verdict("go on"), standing
