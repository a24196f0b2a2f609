"""Makes what was judged again from the judges' replies, without a model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gwray.agents import ClientPool
from gwray.catalog import load_catalog
from gwray.environments import BrowserSource
from gwray.errors import BrowserError, GwrayError, UsageError
from gwray.judges.judging import Judging, sums_of
from gwray.judges.profile import JudgeSpec, kept_judge
from gwray.pipelines import (
    LogEnded,
    Needs,
    ReplayExecutor,
    Replies,
    Verification,
    difference,
    episode_specs,
    needs_of,
    replay_all,
)
from gwray.records import Judgement
from gwray.store import RunDir

Line = tuple[str, Judgement]
"""The name of a judge, and what it said of an episode."""


async def verify_judgements(
    run: RunDir,
    *,
    stored: bool = False,
    executor: ReplayExecutor | None = None,
    trusted: Collection[str] = (),
    on_begin: Callable[[int], None] | None = None,
    on_finding: Callable[[Verification], None] | None = None,
) -> list[Verification]:
    """Make every judgement again from its log, and compare. `stored`: only hold the logs against what is written of
    them; plays nothing. `executor`, `trusted` and `on_finding` as in `verify_run`; `on_begin` hears how many judgements
    there are."""
    findings: list[Verification] = []
    lines: list[Line] = []
    looks_around = False
    for name in run.judges():
        try:
            looks_around |= kept_judge(run, name).kind == "milestones"
        except UsageError as e:
            findings.append(Verification(f"judgements/{name}", "", "", "different", None, str(e)))
            continue
        found, those = _told(run, name)
        findings += found
        lines += those
    if on_begin:
        on_begin(len(lines))
    if stored:
        findings += [await asyncio.to_thread(_compare_stored, run, *line) for line in lines]
    else:
        libraries = tuple(run.manifest().get("libraries", ()))
        job = JudgementsJob(run.url, libraries, tuple(trusted), looks_around)
        findings += await replay_all(job, lines, executor, on_finding)
    return findings


def _told(run: RunDir, judge: str) -> tuple[list[Verification], list[Line]]:
    """What is wrong with a judge's lines as they are, and those that can be made again."""
    specs, lines = episode_specs(run), run.judgements(judge)
    findings, whole = [], []
    for line in lines:
        twice = sum(other.key == line.key for other in lines) > 1
        if line.key in specs and not twice:
            whole.append((judge, line))
            continue
        why = "it is judged twice" if twice else "run.json does not plan it"
        findings.append(_found(judge, line.key, "different", why))
    for key in sorted({*run.judged_keys(judge)} - {line.key for line in lines}):
        why = "the judge was stopped there: gwray judge goes on" if key in specs else "run.json does not plan it"
        findings.append(_found(judge, key, "skipped" if key in specs else "different", why))
    return findings, whole


@dataclass(frozen=True)
class JudgementsJob:
    """Makes the judgements of the run at a URL again."""

    url: str
    libraries: tuple[str, ...]
    trusted: tuple[str, ...]
    looks_around: bool
    """Some judge plays on."""

    @property
    def needs(self) -> Needs:
        return needs_of(self.url, self.libraries, browser=self.looks_around)

    @asynccontextmanager
    async def opened(self, browser: BrowserSource) -> AsyncIterator[Callable[[Line], Awaitable[Verification]]]:
        run, pool = RunDir.open(self.url), ClientPool()
        specs, library = episode_specs(run), load_catalog(self.libraries)

        async def verify(one: Line) -> Verification:
            judge, line = one
            judging = Judging(run, judges[judge], library, browser, pool, self.trusted)
            try:
                replies = Replies(await asyncio.to_thread(run.judge_log(judge, line.key).read), None)
                made = await judging.judge(specs[line.key], replies)
            except LogEnded as e:
                return _found(judge, line.key, "different", str(e))
            except BrowserError:
                raise
            except GwrayError as e:
                return _found(judge, line.key, "error", f"{type(e).__name__}: {e}")
            if replies.unused:
                detail = f"the judge's log has a reply that nobody asks for: question {replies.unused[0][0]}"
                return _found(judge, line.key, "different", detail)
            return _compared(judge, line, made, "identical")

        judges: dict[str, JudgeSpec] = {}
        for name in run.judges():
            try:
                judges[name] = kept_judge(run, name)
            except UsageError:  # nobody asks for it: it is a finding already
                continue
        try:
            yield verify
        finally:
            await pool.close()

    def lost(self, item: Line, error: BrowserError) -> Verification:
        judge, line = item
        return _found(judge, line.key, "error", f"{type(error).__name__}: {error}")


def _compare_stored(run: RunDir, judge: str, line: Judgement) -> Verification:
    try:
        logged = run.judge_log(judge, line.key).read()
    except GwrayError as e:
        return _found(judge, line.key, "error", f"{type(e).__name__}: {e}")
    return _compared(judge, line, line.model_copy(update=sums_of([one.reply for one in logged])), "intact")


def _compared(judge: str, line: Judgement, made: Judgement, verdict: str) -> Verification:
    name = next((f for f in Judgement.model_fields if getattr(made, f) != getattr(line, f)), "")
    if name:
        detail = difference(name, getattr(line, name), getattr(made, name), says="made again")
        return _found(judge, line.key, "different", detail)
    return _found(judge, line.key, verdict)


def _found(judge: str, key: str, verdict: str, detail: str = "") -> Verification:
    return Verification(f"judgements/{judge}/{key}", "", "", verdict, None, detail)
