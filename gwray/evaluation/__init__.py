"""Evaluation of states: score, progress, stop and reset rules; metrics of an episode and nudges during one."""

from gwray.evaluation.metrics import METRICS, check_metrics, measure
from gwray.evaluation.movement import PlayedTurn, ineffective, moving, turns_back
from gwray.evaluation.nudges import check_nudge, nudge
from gwray.evaluation.predicates import field, holds
from gwray.evaluation.scoring import BestSoFar, StepResult, active_tags, check_start, evaluate_step, score_of
