"""Evaluation of states: score, progress, stop and reset rules; metrics of an episode and nudges during one."""

from gwray.evaluation.metrics import METRICS, Metric, MetricResults, check_metrics, measure
from gwray.evaluation.movement import TurnMovement, stuck_turns
from gwray.evaluation.nudges import NudgeEffect, check_nudge, nudge
from gwray.evaluation.predicates import field, holds
from gwray.evaluation.scoring import (
    BestSoFar,
    StepResult,
    active_tags,
    check_start,
    evaluate_step,
    progress,
    score,
    solved,
)

__all__ = [
    "METRICS",
    "BestSoFar",
    "Metric",
    "MetricResults",
    "NudgeEffect",
    "StepResult",
    "TurnMovement",
    "active_tags",
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
    "solved",
    "stuck_turns",
]
