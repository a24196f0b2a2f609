"""Judges the episodes of a run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from gwray.accounting import Spent
from gwray.agents import ClientPool
from gwray.catalog import Catalog, load_catalog
from gwray.environments import BrowserSource
from gwray.errors import GwrayError, UsageError
from gwray.identity import said
from gwray.judges.asking import Asking
from gwray.judges.ends import ends_in, sampled
from gwray.judges.knowledge import is_known_of, known_of
from gwray.judges.playing import find_milestones
from gwray.judges.profile import JudgeSpec
from gwray.judges.reading import labels_of, same_as_reference
from gwray.pipelines import Replies, episode_specs, refuse_other_protocol, replies_hash
from gwray.records import EpisodeRecord, Judgement, Reply
from gwray.redaction import redacted
from gwray.sandbox import BrowserOnDemand
from gwray.spec import EpisodeSpec
from gwray.store import RunDir

NOT_SAID = (
    "base_url", "api_key_env", "prices", "max_in_flight", "requests_per_minute", "timeout_s", "retired", "source",
)  # fmt: skip
"""Of a model's profile, what changes no verdict: where and how fast it is asked."""


@dataclass(frozen=True)
class Judged:
    """What a judge came to."""

    judgements: tuple[Judgement, ...]
    """Of all episodes that it judged, earlier ones included, in the order of the results."""
    failed: dict[str, str]
    """Episodes that could not be judged, and why."""
    left_out: int = 0
    """Episodes of tasks without milestones, or of cases of which nothing is asked, where others have some."""


async def judge_run(
    run: RunDir,
    judge: JudgeSpec,
    *,
    lanes: int = 4,
    on_begin: Callable[[int], None] | None = None,
    on_judged: Callable[[Judgement], None] | None = None,
    trusted: Collection[str] = (),
) -> Judged:
    """Judge every finished episode that the profile is about and that is not judged yet.

    Each reply is logged the moment it arrives: killed in the middle, the same command asks nothing twice. Only
    `judgements/` is written. `on_begin` hears how many are to be judged. For the holder of the run's lock.

    Raises `UsageError` if a judge of that name has judged here with other settings, and the first `UsageError` of
    an episode where no episode could be judged.
    """
    refuse_other_protocol(run.manifest())
    settings = _settings(judge)
    if (kept := run.read_judge(judge.name)) is None:
        run.write_judge(judge.name, settings)
    elif kept != settings and not run.judged_keys(judge.name) and not run.judgements(judge.name):
        run.write_judge(judge.name, settings)  # Nobody was asked with those.
    elif kept != settings:
        raise UsageError(
            f"judge '{judge.name}' has judged {run.url} with other settings (judgements/{judge.name}.json). Say "
            "judge.name=NAME to judge under another name."
        )
    specs, records = episode_specs(run), [r for r in run.results() if _is_about(judge, r)]
    library = load_catalog(run.manifest().get("libraries", ()))
    # Where there is nothing to ask about in any episode, the first one says so.
    asked_about = [r for r in records if _has_subject(judge, library, r)] or records
    left_out, records = len(records) - len(asked_about), asked_about
    if judge.per_level or judge.per_game:
        taken = {end.key for end in sampled(ends_in(run, records), judge.per_level, judge.per_game)}
        records = [r for r in records if r.key in taken]
    done = {j.key: j for j in run.judgements(judge.name)}
    if judge.kind == "knowledge":
        records = _one_of_each_case(records, done)
    queue = [specs[r.key] for r in reversed(records) if r.key not in done and r.key in specs]
    if on_begin:
        on_begin(len(queue))
    failed: dict[str, str] = {}
    pool = ClientPool()
    async with BrowserOnDemand() as browser:
        judging = Judging(run, judge, library, browser, pool, trusted)

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
    return Judged(tuple(done[r.key] for r in records if r.key in done), failed, left_out)


@dataclass(frozen=True)
class Judging:
    """One judge at work on a run."""

    run: RunDir
    judge_spec: JudgeSpec
    library: Catalog
    browser: BrowserSource
    pool: ClientPool
    trusted: Collection[str]

    async def judge(self, spec: EpisodeSpec, replies: Replies) -> Judgement:
        """What the judge says of one episode, with these replies first."""
        judge, game = self.judge_spec, self.library.game(spec.game)
        task = game.task(spec.task)
        asking = Asking(judge, spec, game, task, replies, self.pool)
        score, steps, chain = None, 0, ""
        if judge.kind == "milestones":
            found = await find_milestones(asking, judge, self.run, spec, game, task, self.browser, self.trusted)
            labels, malformed, steps, chain = found.reached, found.malformed, found.steps, found.chain
            score = len(labels) / len(task.milestones)
        elif judge.kind == "picture":
            said_so = await same_as_reference(asking, judge, self.run, spec, game)
            labels, malformed = said_so or [], int(said_so is None)
        elif judge.kind == "knowledge":
            labels, asked, malformed = await known_of(asking, judge, self.run, spec, game, task)
            score = len(labels) / asked if asked else None
        else:
            said_so = await labels_of(asking, judge, self.run, spec, task)
            labels, malformed = said_so or [], int(said_so is None)
        return Judgement(
            key=spec.key,
            labels=tuple(labels),
            score=score,
            malformed=malformed,
            steps=steps,
            state_chain=chain,
        ).model_copy(update=sums_of(asking.replies))


def sums_of(replies: Sequence[Reply]) -> dict[str, Any]:
    """What a judgement says of its replies."""
    return {"calls": len(replies), "replies_hash": replies_hash(replies), **Spent.of(replies).fields()}


def _is_about(judge: JudgeSpec, record: EpisodeRecord) -> bool:
    return judge.of == "all" or record.success == (judge.of == "solved")


def _has_subject(judge: JudgeSpec, library: Catalog, record: EpisodeRecord) -> bool:
    """Whether there are milestones, or is something to be known. Of a game or task that is not here any more, judging
    says so by the episode's name."""
    try:
        game = library.game(record.game)
        if judge.kind == "knowledge":
            return is_known_of(game, record.seed)
        return judge.kind != "milestones" or bool(game.task(record.task).milestones)
    except GwrayError:
        return True


def _one_of_each_case(records: Sequence[EpisodeRecord], done: Collection[str]) -> list[EpisodeRecord]:
    """What is known of a case is asked once, however many have played it; of one that is judged, not again."""
    first: dict[tuple[str, str, int], str] = {}
    for record in sorted(records, key=lambda r: (r.key not in done, r.key)):
        first.setdefault((record.game, record.task, record.seed), record.key)
    return [r for r in records if r.key in first.values()]


def _settings(judge: JudgeSpec) -> bytes:
    """What is kept of a judge. Not in canonical order: that of the labels is the order in which they are told."""
    model = {"model": said(judge.model, leave_out=NOT_SAID)}
    return json.dumps(redacted({**said(judge, leave_out=("model",)), **model}), ensure_ascii=False).encode() + b"\n"
