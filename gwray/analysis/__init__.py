"""From result rows to numbers with their uncertainty: pure functions over one frame of episodes.

Plays nothing, draws nothing, reads no run directory. Every formula stands in its function's docstring with its source;
`scipy` and `statsmodels` do the statistics.
"""

from gwray.analysis.cells import Cell, Counts, Plan, counts, episode_frame, plan_of, scored
from gwray.analysis.intervals import Estimate, cluster_bootstrap, clustered_mean, clustered_se, iqm, wilson
from gwray.analysis.pairs import (
    Comparison,
    compare,
    compare_all,
    detectable_between_reruns,
    holm,
    mcnemar,
    minimum_detectable_difference,
    ranks,
    shared_ranks,
)
from gwray.analysis.published import GENRE_TASKS, LABEL, SOURCE, PublishedTable, published
from gwray.analysis.reruns import Rerun, game_reruns, reruns
from gwray.analysis.scores import Score, headline, robust_progress, score, scores_by, task_scores, weighted_overall
from gwray.analysis.tables import Grid, MainRow, grid, main_table
from gwray.analysis.taxonomy import LABELS, Diagnosis, count_labels, diagnose
from gwray.analysis.usage import (
    CurvePoint,
    MemoryRow,
    Usage,
    frame_budget_curves,
    latency_curves,
    memory_ablation,
    usage,
)

__all__ = [
    "GENRE_TASKS",
    "LABEL",
    "LABELS",
    "SOURCE",
    "Cell",
    "Comparison",
    "Counts",
    "CurvePoint",
    "Diagnosis",
    "Estimate",
    "Grid",
    "MainRow",
    "MemoryRow",
    "Plan",
    "PublishedTable",
    "Rerun",
    "Score",
    "Usage",
    "cluster_bootstrap",
    "clustered_mean",
    "clustered_se",
    "compare",
    "compare_all",
    "count_labels",
    "counts",
    "detectable_between_reruns",
    "diagnose",
    "episode_frame",
    "frame_budget_curves",
    "game_reruns",
    "grid",
    "headline",
    "holm",
    "iqm",
    "latency_curves",
    "main_table",
    "mcnemar",
    "memory_ablation",
    "minimum_detectable_difference",
    "plan_of",
    "published",
    "ranks",
    "reruns",
    "robust_progress",
    "score",
    "scored",
    "scores_by",
    "shared_ranks",
    "task_scores",
    "usage",
    "weighted_overall",
    "wilson",
]
