"""From result rows to numbers with their uncertainty: pure functions over one frame of episodes.

Plays nothing, draws nothing, reads no run directory. Every formula stands in its function's docstring with its source;
`scipy` has the distributions.
"""

from gwray.analysis.ablations import Ablation, AblationRow, CurvePoint, ablations, latency_curves
from gwray.analysis.causes import (
    BY_RULE,
    CAUSES,
    Agreement,
    Annotations,
    Cause,
    agreement,
    causes_of,
    count_causes,
    read_annotations,
    rule_causes,
)
from gwray.analysis.cells import Cell, Counts, PlannedTasks, counts, episode_frame, plan_of, scored
from gwray.analysis.intervals import (
    FEW_GAMES,
    LEAST_GAMES,
    Interval,
    bounded_mean,
    cluster_bootstrap,
    clustered_mean,
    clustered_se,
    iqm,
    paired_difference,
    spread_df,
)
from gwray.analysis.pairs import (
    Comparison,
    compare,
    compare_all,
    detectable_between_reruns,
    holm,
    minimum_detectable_difference,
    ranks,
    shared_ranks,
)
from gwray.analysis.published import GENRE_TASKS, LABEL, OF_AXIS, SOURCE, PublishedTable, published
from gwray.analysis.reruns import Rerun, game_reruns, reruns
from gwray.analysis.scores import (
    Score,
    TaskMeans,
    headline,
    robust_progress,
    score,
    scores_by,
    task_scores,
    weighted_overall,
)
from gwray.analysis.sign_flip import sign_flip
from gwray.analysis.summaries import cell_summaries
from gwray.analysis.tables import Grid, MainRow, grid, main_table
from gwray.analysis.taxonomy import LABELS, Diagnosis, count_labels, diagnose
from gwray.analysis.usage import ModuleUsage, UsageTable, loaded, usage, usage_by_module

__all__ = [
    "BY_RULE",
    "CAUSES",
    "FEW_GAMES",
    "GENRE_TASKS",
    "LABEL",
    "LABELS",
    "LEAST_GAMES",
    "OF_AXIS",
    "SOURCE",
    "Ablation",
    "AblationRow",
    "Agreement",
    "Annotations",
    "Cause",
    "Cell",
    "Comparison",
    "Counts",
    "CurvePoint",
    "Diagnosis",
    "Grid",
    "Interval",
    "MainRow",
    "ModuleUsage",
    "PlannedTasks",
    "PublishedTable",
    "Rerun",
    "Score",
    "TaskMeans",
    "UsageTable",
    "ablations",
    "agreement",
    "bounded_mean",
    "causes_of",
    "cell_summaries",
    "cluster_bootstrap",
    "clustered_mean",
    "clustered_se",
    "compare",
    "compare_all",
    "count_causes",
    "count_labels",
    "counts",
    "detectable_between_reruns",
    "diagnose",
    "episode_frame",
    "game_reruns",
    "grid",
    "headline",
    "holm",
    "iqm",
    "latency_curves",
    "loaded",
    "main_table",
    "minimum_detectable_difference",
    "paired_difference",
    "plan_of",
    "published",
    "ranks",
    "read_annotations",
    "reruns",
    "robust_progress",
    "rule_causes",
    "score",
    "scored",
    "scores_by",
    "shared_ranks",
    "sign_flip",
    "spread_df",
    "task_scores",
    "usage",
    "usage_by_module",
    "weighted_overall",
]
