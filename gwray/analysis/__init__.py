"""Statistics over one frame of episodes: scores with intervals, comparisons, tables, usage and labels of failures.

Pure functions: they play nothing, draw nothing and read no run directory. Formulas and sources are in the
docstrings; `scipy` provides the distributions.
"""

from gwray.analysis.ablations import Ablation, CurvePoint, ablations
from gwray.analysis.annotations import match_keys, read_annotations, read_labels
from gwray.analysis.arena import (
    LEAD,
    WEIGHTED,
    Arena,
    Match,
    Rating,
    arena_verdict,
    arenas,
    rate,
    rating_table,
    win_table,
)
from gwray.analysis.cells import TABLED, Cell, Counts, PlannedTasks, counts, episode_frame, plan_of, scored
from gwray.analysis.failure_facts import FACTS, diagnose
from gwray.analysis.intervals import KINDS, KINDS_EXPLAINED, LEAST_GAMES, Interval, bounded_mean, paired_difference
from gwray.analysis.labels import (
    CAUSE_OF_FACT,
    CAUSES,
    CODES,
    PEOPLE,
    RULES,
    VOCABULARIES,
    Agreement,
    JudgeAgreement,
    LabelSet,
    Verdict,
    causes_by_rule,
    compare_verdicts,
    find_labels,
    label_set,
)
from gwray.analysis.main_table import MAIN_COLUMNS, MainRow, cell_table, main_table, setting_columns
from gwray.analysis.models import model_table
from gwray.analysis.pairs import ALPHA, TESTED_GAMES, Comparison, compare, compare_all, rank_intervals
from gwray.analysis.published import LABEL, OF_AXIS, SOURCE, PublishedTable, published, read_published
from gwray.analysis.reruns import Rerun, game_reruns, reruns, same_tasks
from gwray.analysis.scores import Score, TaskMeans, score, scores_by
from gwray.analysis.tables import GroupTable, cell_summaries, grid
from gwray.analysis.usage import (
    ModuleUsage,
    UsageTable,
    load_caveat,
    load_notes,
    module_table,
    spent_cell,
    usage,
    usage_by_module,
)
from gwray.analysis.verdict import run_verdict, score_notes, training_notes, verdict

__all__ = ["Agreement", "JudgeAgreement"]
