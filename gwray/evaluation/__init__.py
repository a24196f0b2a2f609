"""State → score → progress; stop and reset rules; metrics of an episode and nudges during one."""

from gwray.evaluation.metrics import METRICS, Measured, Metric, check_metrics, measure
from gwray.evaluation.movement import MovedTurn, stuck_turns
from gwray.evaluation.nudges import Nudged, check_nudge, nudge
from gwray.evaluation.predicates import field, holds
from gwray.evaluation.scoring import (
    BestSoFar,
    StepResult,
    check_start,
    evaluate_step,
    progress,
    score,
    situations,
    solved,
)

__all__ = [
    "METRICS",
    "BestSoFar",
    "Measured",
    "Metric",
    "MovedTurn",
    "Nudged",
    "StepResult",
    "check_metrics",
    "check_nudge",
    "check_start",
    "evaluate_step",
    "field",
    "holds",
    "measure",
    "nudge",
    "progress",
    "score",
    "situations",
    "solved",
    "stuck_turns",
]
