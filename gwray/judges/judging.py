"""Judges the episodes of a run."""

import asyncio
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from gwray.agents import ClientPool
from gwray.catalog import Catalog, load_catalog
from gwray.environments import BrowserSource
from gwray.errors import GwrayError, UsageError
from gwray.judges.kinds import JudgeKind, RecordedEpisode, load_kind
from gwray.judges.session import JudgeSession
from gwray.judges.spec import JudgeSpec
from gwray.pipelines import Replies, replies_hash
from gwray.places import allow_folders
from gwray.records import EpisodeRecord, Judgement, Reply, UsageTotals, non_defaults, redacted
from gwray.sandbox import BrowserOnDemand
from gwray.settings import EpisodeSpec
from gwray.store import RunDir
from gwray.verification import episode_specs, refuse_other_protocol

NOT_RECORDED = (
    "base_url", "api_key_env", "prices", "max_in_flight", "requests_per_minute", "timeout_s", "retired", "source",
)  # fmt: skip
"""Fields of a model's profile that change no verdict: where and how fast it is asked."""


@dataclass(frozen=True)
class JudgeOutcome:
    """The result of judging a run."""

    judgements: tuple[Judgement, ...]
    """Verdicts on all episodes that the judge has judged, earlier ones included, in the order of the results."""
    failed: dict[str, str]
    """Key of each episode that could not be judged → the error."""
    skipped: int = 0
    """Number of episodes that the judge has no question about (`JudgeKind.has_subject`)."""


async def judge_run(
    run: RunDir,
    judge: JudgeSpec,
    *,
    lanes: int = 4,
    on_start: Callable[[int], None] | None = None,
    on_judged: Callable[[Judgement], None] | None = None,
    trusted: Collection[str] = (),
) -> JudgeOutcome:
    """Judges the finished episodes that the profile selects and that have no verdict yet.

    Every reply is logged as soon as it arrives, so the same command resumes after a kill without a repeated request.
    Only `judgements/` is written. The caller holds the run's lock.

    Args:
        lanes: Episodes that are judged at the same time.
        on_start: Called with the number of episodes to judge.
        on_judged: Called with each verdict.
        trusted: Names of custom environments that may be imported.

    Raises:
        UsageError: If the judge has judged here with other settings, or its kind is invalid.
    """
    refuse_other_protocol(run.manifest())
    kind = load_kind(judge)
    allow_folders([judge.reference] if judge.reference else [])
    _record_settings(run, judge)
    specs = episode_specs(run)
    selected = [r for r in run.results() if judge.of == "all" or r.success == (judge.of == "solved")]
    library = load_catalog(run.libraries)
    # If no episode has a subject, each of them fails with the reason.
    records: Sequence[EpisodeRecord] = [r for r in selected if _has_subject(kind, library, r)] or selected
    skipped = len(selected) - len(records)
    done = {j.key: j for j in run.judgements(judge.name)}
    records = kind.select(run, records, done)
    queue = [specs[r.key] for r in reversed(records) if r.key not in done and r.key in specs]
    if on_start:
        on_start(len(queue))
    failed: dict[str, str] = {}
    pool = ClientPool()
    async with BrowserOnDemand() as browser:
        judging = EpisodeJudge(run, kind, library, browser, pool, trusted)

        async def lane() -> None:
            while queue:
                spec = queue.pop()
                log = run.judge_log(judge.name, spec.key)
                try:
                    made = await judging.judge(spec, Replies(await asyncio.to_thread(log.read), log.append))
                except GwrayError as e:
                    failed[spec.key] = f"{type(e).__name__}: {e}"
                    continue
                await asyncio.to_thread(run.append_judgement, judge.name, made)
                done[made.key] = made
                if on_judged:
                    on_judged(made)

        try:
            await asyncio.gather(*(lane() for _ in range(max(1, lanes))))
        finally:
            await pool.close()
    return JudgeOutcome(tuple(done[r.key] for r in records if r.key in done), failed, skipped)


@dataclass(frozen=True)
class EpisodeJudge:
    """Judges single episodes of a run with one judge."""

    run: RunDir
    kind: JudgeKind
    library: Catalog
    browser: BrowserSource
    pool: ClientPool
    trusted: Collection[str]

    async def judge(self, spec: EpisodeSpec, replies: Replies) -> Judgement:
        """Returns the verdict on one episode. Logged replies are used before the model is asked."""
        game = self.library.game(spec.game)
        task = game.task(spec.task)
        session = JudgeSession(self.kind.spec, spec, game, task, replies, self.pool)
        episode = RecordedEpisode(self.run, spec, game, task, self.browser, self.trusted)
        result = await self.kind.judge(episode, session)
        return Judgement(
            key=spec.key, **{**vars(result), "labels": tuple(result.labels)}, **reply_fields(session.replies)
        )


def reply_fields(replies: Sequence[Reply]) -> dict[str, Any]:
    """Returns the fields of a `Judgement` that are computed from its replies."""
    return {"calls": len(replies), "replies_hash": replies_hash(replies), **UsageTotals.from_replies(replies).fields()}


def _has_subject(kind: JudgeKind, library: Catalog, record: EpisodeRecord) -> bool:
    try:
        game = library.game(record.game)
        return kind.has_subject(game, game.task(record.task), record.seed)
    except GwrayError:  # a game or task that no longer exists: judging the episode reports it
        return True


def _record_settings(run: RunDir, judge: JudgeSpec) -> None:
    """Writes the judge's settings into the run. Raises `UsageError` if it has judged there with other ones."""
    # Not in canonical order: the order of the labels is that of the prompt.
    model = {"model": non_defaults(judge.model, leave_out=NOT_RECORDED)}
    fields = redacted({**non_defaults(judge, leave_out=("model",)), **model})
    settings = json.dumps(fields, ensure_ascii=False).encode() + b"\n"
    recorded = run.read_judge(judge.name)
    if recorded == settings:
        return
    if recorded is not None and (run.judged_keys(judge.name) or run.judgements(judge.name)):
        raise UsageError(
            f"judge '{judge.name}' has judged {run.url} with other settings (judgements/{judge.name}.json). Set "
            "judge.name=NAME to judge under another name."
        )
    run.write_judge(judge.name, settings)
