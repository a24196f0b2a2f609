"""Applies the current evaluator and tasks to recorded states: `gwray rescore`. Asks no model, opens no browser. A
recorded episode ends where the old rules ended it. If the new rules would have continued, that is reported."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby, zip_longest

from gwray.catalog import Catalog, Task, load_catalog
from gwray.environments import BrowserSource
from gwray.errors import BrowserError, GwrayError, StoreError
from gwray.evaluation import METRICS, BestSoFar, StepResult, evaluate_step, measure
from gwray.pipelines import NodeRequirements, Totals, reply_ends, shown_hash, state_fits, totals_of
from gwray.records import EpisodeRecord, StepRecord
from gwray.settings import EpisodeSpec
from gwray.store import EpisodeMeta, RunDir, read_seal, seal_run, unseal_run
from gwray.verification.manifest_check import ManifestCheck, episode_specs, refuse_other_protocol
from gwray.verification.replays import ReplayExecutor, replay_all, run_requirements

_SCORED = ("success", "progress", "score", "ended_by", "resets")
"""Fields of a record that the rules determine."""


@dataclass(frozen=True)
class RescoreResult:
    """One episode before and after."""

    before: EpisodeRecord
    after: EpisodeRecord | None
    note: str = ""

    @property
    def changed(self) -> bool:
        return self.after is not None and any(
            getattr(self.before, f) != getattr(self.after, f) for f in (*_SCORED, "steps")
        )


NOTE = "rescored: "
"""Prefix of caveats about differences between the recording and the new rules."""
OTHER_RULES = f"{NOTE}by other rules than those that it was played with"
"""Caveat of an episode whose game or task has changed, so that its key cannot be recomputed."""
ENDS_EARLIER = f"{NOTE}it ends "
"""Prefix of the caveat of an episode whose log continues after its end."""
WOULD_CONTINUE = "the new rules would have gone on after the last recorded step"
_NOTED = re.compile(
    f"{OTHER_RULES}|{NOTE}{WOULD_CONTINUE}|{ENDS_EARLIER}after [0-9]{{1,18}} of [0-9]{{1,18}} recorded steps"
    f"|{NOTE}step [0-9]{{1,18}}: the new rules would (not )?reset here"
)


def is_note(caveat: str) -> bool:
    """Returns whether a caveat is a complete note of rescoring."""
    return _NOTED.fullmatch(caveat) is not None


def ends_earlier(record: EpisodeRecord) -> bool:
    """Returns whether rescoring ended an episode before its log ends, at the record's end or later."""
    notes = [c for c in record.caveats if c.startswith(ENDS_EARLIER) and is_note(c)]
    return bool(notes) and int(notes[-1].removeprefix(ENDS_EARLIER).split()[1]) >= record.steps


async def rescore_run(
    run: RunDir,
    *,
    write: bool = True,
    executor: ReplayExecutor | None = None,
    on_rescored: Callable[[RescoreResult], None] | None = None,
) -> list[RescoreResult]:
    """Rescores every finished episode.

    Each episode file is written beside the old one and renamed; `results.jsonl` is replaced at the end. A rescoring
    that was killed starts over and gives the same results.

    Args:
        run: the run; its lock must be held by the caller if `write`.
        write: replace the results and the score columns of the step files. A run whose seal was intact is sealed again.
        executor: where episodes are rescored; default: this process.
        on_rescored: called with each result as it arrives.

    Raises:
        UsageError: the run was played under another protocol version.
    """
    manifest = run.manifest()
    refuse_other_protocol(manifest)
    library = load_catalog(run.libraries)
    seal = read_seal(run)
    job = RescoreJob(run.url, tuple(map(str, library.extra)), write)
    rescored = await replay_all(job, run.results(), executor, on_rescored)
    if write:
        results = [r.after or r.before for r in rescored]
        reseal = bool(seal.recorded) and not seal.broken
        if reseal:
            unseal_run(run)  # if killed from here on, the run has no seal rather than a wrong one
        run.rewrite_results(results)
        if reseal:
            seal_run(run)
    return rescored


@dataclass(frozen=True)
class RescoreJob:
    """Rescores finished episodes of the run at a URL; `write` rewrites their files."""

    url: str
    libraries: tuple[str, ...] = ()
    write: bool = True

    @property
    def requirements(self) -> NodeRequirements:
        return run_requirements(self.url, self.libraries, browser=False)

    @asynccontextmanager
    async def opened(
        self, browser: BrowserSource
    ) -> AsyncIterator[Callable[[EpisodeRecord], Awaitable[RescoreResult]]]:
        run = RunDir.open(self.url)
        library, specs = load_catalog(self.libraries), episode_specs(run)
        manifest_check = ManifestCheck(run.manifest(), specs, library)
        rescored = partial(_rescore, run, library, specs, manifest_check, self.write)
        yield lambda before: asyncio.to_thread(rescored, before)

    def on_browser_error(self, item: EpisodeRecord, error: BrowserError) -> RescoreResult:
        return RescoreResult(item, None, f"{type(error).__name__}: {error}")


def _rescore(
    run: RunDir,
    library: Catalog,
    specs: Mapping[str, EpisodeSpec],
    manifest_check: ManifestCheck,
    write: bool,
    before: EpisodeRecord,
) -> RescoreResult:
    """Rescores one episode, whose line in `results.jsonl` is `before`; `write` also replaces its file."""
    if before.prefix:
        note = f"a fork is not rescored: the states of the {before.forked_at} steps before it are not recorded"
        return RescoreResult(before, before, note)
    try:
        spec = specs.get(before.key)
        game = library.game(before.game)
        task = game.task_of(spec) if spec else game.task(before.task)
        recorded = run.read_steps(before.key, images=False)
        in_file = _rewritten(run, before) or before  # a killed rescoring replaced the file, but not the line
        _refuse_other_states(recorded, in_file)
        steps, after, note = rescore_steps(recorded, in_file, task)
        if spec and manifest_check.key_mismatch(spec):
            after = after.model_copy(update={"caveats": (*after.caveats, OTHER_RULES)})
    except GwrayError as e:
        return RescoreResult(before, None, f"{type(e).__name__}: {e}")
    if write and (after != in_file or steps != recorded):
        after = _rewrite(run, steps, after)
    return RescoreResult(before, after, note)


def _rewritten(run: RunDir, before: EpisodeRecord) -> EpisodeRecord | None:
    """Returns the record that a killed rescoring left in the episode's file; None if there is none."""
    found = run.read_meta(before.key).record
    made = {f: getattr(found, f) for f in ("caveats", "metrics", "shown_hash", *_SCORED, *Totals().fields())}
    return found if found != before and before.model_copy(update=made) == found else None


def _refuse_other_states(steps: Sequence[StepRecord], record: EpisodeRecord) -> None:
    """Raises `StoreError` for rows whose states do not match the record: they must not be scored."""
    more = "It was not rescored; run `gwray verify` to see what was changed."
    if wrong := next((row for row in steps if not state_fits(row)), None):
        raise StoreError(f"the state of step {wrong.step} of {record.key} does not match its state_hash. {more}")
    if totals_of(steps).fields()["state_chain"] != record.state_chain:
        raise StoreError(f"the states of {record.key} do not match its state_chain. {more}")


def _rewrite(run: RunDir, steps: Sequence[StepRecord], after: EpisodeRecord) -> EpisodeRecord:
    """Writes an episode with these rows and its recorded screenshots; further rows are dropped. Returns its record."""
    meta = run.read_meta(after.key)
    last = meta.final_frame
    with run.episode_writer(after.key) as writer:
        for old, row in zip_longest(run.iter_steps(after.key), steps):
            if row is None:
                # A screenshot is taken before its step: that of the first dropped row is the new final frame.
                last = old.screenshot
                break
            writer.append([row.model_copy(update={"screenshot": old.screenshot})])
        shown = {"shown_hash": shown_hash(meta.prompts, meta.console, last)}
        after = after.model_copy(update=shown)
        writer.finish(EpisodeMeta.model_validate({**dict(meta), "record": after, "final_frame": last}))
    return after


def rescore_steps(
    steps: Sequence[StepRecord], before: EpisodeRecord, task: Task
) -> tuple[list[StepRecord], EpisodeRecord, str]:
    """Evaluates recorded states. Stops where the new rules end the episode.

    Idempotent: the same rules applied twice give the same result, also for steps that were cut off after a note.
    Metrics are recomputed, except those of code outside gwray, which is not imported.

    Returns:
        The rows, the record, and a note about where the rules differ from the recording; empty if they do not.
    """
    standing, verdict, rows, note = BestSoFar(), None, [], ""
    kept = [c for c in before.caveats if c.startswith(ENDS_EARLIER) or not c.startswith(NOTE)]
    cut = f"{NOTE}step {steps[-1].step}: "
    cut_off = next((c.removeprefix(NOTE) for c in before.caveats if c.startswith(cut) and is_note(c)), "")
    ends = reply_ends(steps)
    finished = {steps[-1].step} if before.ended_by == "finish" else set()
    for step, group in groupby(steps, key=lambda s: s.step):
        of_step = list(group)
        evaluated = partial(_evaluate, of_step[0], task, standing, finish=step in finished)
        verdict, standing = evaluated(last=step in ends)
        if cut_off and step == steps[-1].step and _row(of_step[0], verdict, standing, True) != of_step[0]:
            # It was cut off within its reply if that reproduces the recorded row.
            within = evaluated(last=False)
            if _row(of_step[0], *within, True) == of_step[0]:
                verdict, standing = within
        rows += [_row(r, verdict, standing, i == 0) for i, r in enumerate(of_step)]
        if (verdict.then == "reset") != of_step[0].reset and verdict.then != "end":
            note = f"step {step}: the new rules would {'reset' if verdict.then == 'reset' else 'not reset'} here"
            break
        if verdict.then == "end":
            if step < steps[-1].step:
                kept = [*kept, f"{ENDS_EARLIER}after {step + 1} of {steps[-1].step + 1} recorded steps"]
            break
    else:
        note = cut_off or WOULD_CONTINUE
    assert verdict is not None
    after = before.model_copy(
        update={
            "success": standing.success,
            "progress": standing.best,
            "score": standing.best_score,
            "resets": standing.resets,
            "ended_by": verdict.ended_by,
            "caveats": (*kept, *([NOTE + note] if note else [])),
            **totals_of(rows).fields(),
        }
    )
    foreign = {k: v for k, v in before.metrics.items() if k.partition(".")[0] not in METRICS.builtin}
    metrics = {**foreign, **measure((), rows, after, task).values}
    return rows, after.model_copy(update={"metrics": metrics}), note


def _evaluate(
    row: StepRecord, task: Task, standing: BestSoFar, *, last: bool, finish: bool
) -> tuple[StepResult, BestSoFar]:
    """Evaluates the recorded state of a row. `last`: the row is the last of its reply."""
    left = task.remaining(row.step + 1, row.decision + last)
    return evaluate_step(json.loads(row.state), task, left, standing, last_of_reply=last, finish=finish)


def _row(row: StepRecord, verdict: StepResult, standing: BestSoFar, first: bool) -> StepRecord:
    """Returns a row with the score columns of a new evaluation. `first`: the first role's row of the step."""
    return row.model_copy(
        update={
            "score": verdict.score,
            "progress": verdict.progress,
            "best_progress": standing.best,
            "milestones": verdict.milestones if first else (),
            "terminal": verdict.terminal,
            "reset": verdict.then == "reset",
        }
    )
