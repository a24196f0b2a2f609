"""From a sweep to its records: plan, episode loop, schedule. Independent of Ray actors, terminals and
reports: the caller of a run passes the executor (`MakeExecutor`) and the progress display."""

from gwray.pipelines.arena import model_beside
from gwray.pipelines.budget import Tally
from gwray.pipelines.cells import Keys, PlannedCell, cell_of, describe, game_seed, picture_problem
from gwray.pipelines.episode import play
from gwray.pipelines.estimate import (
    REPLY_RANGE,
    REPLY_S,
    REPLY_TOKENS,
    STEP_BYTES,
    CostEstimate,
    estimate_cell,
    estimate_hours,
    lanes_of,
    require_prices,
)
from gwray.pipelines.executor import Executor, Inline, MakeExecutor
from gwray.pipelines.foreign import ForeignCode
from gwray.pipelines.game_defaults import tasks_of
from gwray.pipelines.hosting import deployments, make_hosting
from gwray.pipelines.inputs import EpisodeInputs, RoleAgents, make_role_agents
from gwray.pipelines.latency import MOST as MOST_LATENCIES
from gwray.pipelines.latency import LatencyTable, MeasuredCell, read_table
from gwray.pipelines.latency import Level as LatencyLevel
from gwray.pipelines.manifest import changed_since, open_run
from gwray.pipelines.node import NodeRequirements, code_hash, node_name, node_problems, rules_of
from gwray.pipelines.outcome import (
    UNREPRODUCIBLE,
    WALLCLOCK,
    PlayedEpisode,
    Totals,
    episode_meta,
    is_blank,
    label,
    replies_hash,
    reply_ends,
    reply_fields,
    shown_hash,
    state_fits,
    totals_of,
)
from gwray.pipelines.outside import Attempt, finished_keys, next_attempt
from gwray.pipelines.plan import Plan, make_plan
from gwray.pipelines.preflight import require_models
from gwray.pipelines.recorded_agent import RecordedAgent
from gwray.pipelines.replies import (
    OTHER_BROWSER,
    OTHER_PICTURES,
    LogEnded,
    ReplayMismatch,
    Replies,
    RoleAsk,
    facts_of_log,
    served_models,
)
from gwray.pipelines.run import RunOutcome, run_plan
from gwray.pipelines.settings import run_spec
from gwray.pipelines.waves import plan_waves
from gwray.pipelines.worker import PlayProgress, Worker
