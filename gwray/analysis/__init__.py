"""Statistics over one frame of episodes: scores with intervals, comparisons, tables, usage and labels of failures.

Pure functions: they play nothing, draw nothing and read no run directory. Formulas and sources are in the
docstrings; `scipy` provides the distributions.
"""

from gwray.analysis.ablations import Ablation, CurvePoint, ablations, latency_curves
from gwray.analysis.adventures import (
    GENRES,
    GameMeans,
    Level,
    ProbeResult,
    clue_gap,
    contamination_p,
    count_right,
    diversity,
    episode_gaps,
    game_means,
)
from gwray.analysis.annotation_sample import sample_episodes, with_rows
from gwray.analysis.annotations import match_keys, match_label, read_annotations, read_labels
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
from gwray.analysis.deadlocks import (
    Averages,
    Behaviour,
    CategoryRate,
    Correlation,
    action_complexity,
    averages,
    behaviour,
    category_rates,
    success_by_immobility,
    task_points,
)
from gwray.analysis.external import GAME_SCORES, external_correlations, external_scores
from gwray.analysis.failure_facts import FACTS, diagnose
from gwray.analysis.influence import GameInfluence, game_influence
from gwray.analysis.intervals import (
    FEW_GAMES,
    KINDS,
    KINDS_EXPLAINED,
    LEAST_GAMES,
    Interval,
    bounded_mean,
    paired_difference,
)
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
from gwray.analysis.models import model_table
from gwray.analysis.orak import CAPABILITIES, HIGH, STRATEGIES, OrakGame, average_ranks, orak_games
from gwray.analysis.pairs import (
    TESTED_GAMES,
    Comparison,
    by_testable_kind,
    compare,
    compare_all,
    consistent,
    detectable_between_reruns,
    tiers,
)
from gwray.analysis.pokegym import CATEGORIES, STUDIES, TEXTS, TREE_STEPS, action_choices, arms, quests, town_states
from gwray.analysis.power import PowerPlan, VarianceComponents, power_plan, variance_components
from gwray.analysis.profiles import ProfilePoint, performance_profile
from gwray.analysis.published import LABEL, OF_AXIS, SOURCE, PublishedTable, published
from gwray.analysis.reruns import Rerun, game_reruns, reruns, same_tasks
from gwray.analysis.scores import Score, TaskMeans, running_score, score, scores_by, shown_interval
from gwray.analysis.tables import GroupTable, MainRow, cell_summaries, grid, main_table
from gwray.analysis.usage import ModuleUsage, UsageTable, load_caveat, load_notes, usage, usage_by_module
from gwray.analysis.verdict import run_verdict, verdict
