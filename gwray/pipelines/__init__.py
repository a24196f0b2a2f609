"""From a sweep to its records: plan, episode loop, schedule, verify, rescore. Independent of Ray actors, terminals and
reports: the caller of a run passes the executor (`MakeExecutor`) and the progress display."""

from gwray.pipelines.arena import model_beside
from gwray.pipelines.cells import PlannedCell
from gwray.pipelines.comparison import Replayed
from gwray.pipelines.episode import play
from gwray.pipelines.estimate import (
    REPLY_RANGE,
    REPLY_S,
    REPLY_TOKENS,
    STEP_BYTES,
    CostEstimate,
    estimate_cell,
    estimate_hours,
    estimate_wave,
    lanes_of,
    require_prices,
)
from gwray.pipelines.executor import Executor, Inline, MakeExecutor
from gwray.pipelines.film import film_episode
from gwray.pipelines.findings import Verification, difference
from gwray.pipelines.fork import plan_fork, prefix_steps
from gwray.pipelines.hosting import make_hosting
from gwray.pipelines.inputs import EpisodeInputs, RoleAgents, make_role_agents
from gwray.pipelines.latency import LatencyTable, measured, read_table, this_machine
from gwray.pipelines.manifest import changed_since, open_run
from gwray.pipelines.manifest_check import episode_specs, refuse_other_protocol
from gwray.pipelines.node import NodeRequirements, code_hash, node_name, node_problems, rules_of
from gwray.pipelines.outcome import PlayedEpisode, label, replies_hash, reply_fields
from gwray.pipelines.plan import Plan, make_plan
from gwray.pipelines.preflight import require_models
from gwray.pipelines.proof import Proof, digest_of, prove_pack, read_proof
from gwray.pipelines.replays import InlineReplays, ReplayExecutor, ReplayJob, ReplayWorker, replay_all, run_requirements
from gwray.pipelines.replies import LogEnded, ReplayMismatch, Replies, RoleAsk
from gwray.pipelines.rescore import rescore_run
from gwray.pipelines.resume_cache import ResumeCache, cache_path
from gwray.pipelines.run import RunOutcome, run_plan
from gwray.pipelines.schedule import Tally
from gwray.pipelines.sealing import seal_after, seal_before
from gwray.pipelines.settings import run_spec
from gwray.pipelines.stored import verify_stored
from gwray.pipelines.unpack import Unpacked, unpack_run
from gwray.pipelines.verify import changed_games, replay, verify_run
from gwray.pipelines.waves import plan_waves
from gwray.pipelines.worker import PlayProgress, Worker, play_with_inputs
