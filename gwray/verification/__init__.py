"""What proves a run: replay, stored digests, seals, rescoring, the repair of damaged files, packs and their unpacking.
Plays nothing new; `gwray.pipelines` plans and plays."""

from gwray.verification.comparison import Replayed
from gwray.verification.findings import Verification, difference
from gwray.verification.fork import plan_fork, prefix_steps
from gwray.verification.manifest_check import ManifestCheck, episode_specs, refuse_other_protocol
from gwray.verification.repair import Repaired, repair_run
from gwray.verification.replays import (
    InlineReplays,
    ReplayExecutor,
    ReplayJob,
    ReplayWorker,
    replay_all,
    run_requirements,
)
from gwray.verification.rescore import rescore_run
from gwray.verification.resume_cache import ResumeCache, cache_path
from gwray.verification.stored import results_by_key, verify_stored
from gwray.verification.unpack import Unpacked, unpack_run
from gwray.verification.verify import Verifier, changed_games, replay, verify_run
