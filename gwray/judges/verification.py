"""Verifies judgements: makes them again from the judges' logged replies, without a model."""

import asyncio
import shlex
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from gwray.agents import ClientPool
from gwray.catalog import load_catalog
from gwray.environments import BrowserSource
from gwray.errors import BrowserError, GwrayError, UsageError
from gwray.judges.judging import EpisodeJudge, reply_fields
from gwray.judges.kinds import JudgeKind, load_kind
from gwray.judges.spec import read_recorded_judge
from gwray.pipelines import LogEnded, NodeRequirements, Replies
from gwray.places import NotTrusted, allowed_folders, folder_path
from gwray.records import Judgement
from gwray.store import RunDir
from gwray.verification import ReplayExecutor, Verification, difference, episode_specs, replay_all, run_requirements

JudgeVerdict = tuple[str, Judgement]
"""The name of a judge and its verdict on an episode."""


async def verify_judgements(
    run: RunDir,
    *,
    stored: bool = False,
    executor: ReplayExecutor | None = None,
    trusted: Collection[str] = (),
    on_start: Callable[[int], None] | None = None,
    on_finding: Callable[[Verification], None] | None = None,
) -> list[Verification]:
    """Makes every judgement of a run again from its log, and compares.

    Args:
        stored: Only compare the logs with the verdicts' fields about replies; replays nothing.
        executor: Where to replay; None: in this process.
        trusted: Custom code that may be imported. Verdicts of other custom kinds of judges are skipped.
        on_start: Called with the number of judgements.
        on_finding: Called with each finding of a replay.
    """
    findings: list[Verification] = []
    verdicts: list[JudgeVerdict] = []
    browser = False
    for name in run.judges():
        try:
            judge = read_recorded_judge(run, name)
            if judge.reference and not allowed_folders([str(folder_path(judge.reference))]):
                raise NotTrusted(
                    f"its reference images are in {judge.reference}, a folder that you never named on this computer; "
                    f"--library {shlex.quote(judge.reference)} opens it"
                )
            browser |= not stored and load_kind(judge, trusted).plays
        except NotTrusted as e:
            findings += [_finding(name, line.key, "skipped", str(e)) for line in run.judgements(name)]
            continue
        except UsageError as e:
            findings.append(Verification(f"judgements/{name}", "", "", "different", None, str(e)))
            continue
        problems, valid = _check_planned(run, name)
        findings += problems
        verdicts += valid
    if on_start:
        on_start(len(verdicts))
    if stored:
        findings += [await asyncio.to_thread(_compare_stored, run, *verdict) for verdict in verdicts]
    else:
        job = JudgementsJob(run.url, run.libraries, tuple(trusted), browser)
        findings += await replay_all(job, verdicts, executor, on_finding)
    return findings


def _check_planned(run: RunDir, judge: str) -> tuple[list[Verification], list[JudgeVerdict]]:
    """Returns findings about verdicts that cannot be made again, and the verdicts that can."""
    specs, lines = episode_specs(run), run.judgements(judge)
    count = Counter(line.key for line in lines)
    findings, valid = [], []
    for line in lines:
        if line.key in specs and count[line.key] == 1:
            valid.append((judge, line))
            continue
        why = "it has several verdicts" if count[line.key] > 1 else "run.json does not plan it"
        findings.append(_finding(judge, line.key, "different", why))
    for key in sorted({*run.judged_keys(judge)} - {*count}):
        why = "it is not judged yet; run the same `gwray judge` command to resume"
        findings.append(
            _finding(judge, key, "skipped", why) if key in specs
            else _finding(judge, key, "different", "run.json does not plan it")
        )  # fmt: skip
    return findings, valid


@dataclass(frozen=True)
class JudgementsJob:
    """Replays the judgements of the run at a URL."""

    url: str
    libraries: tuple[str, ...]
    trusted: tuple[str, ...]
    browser: bool
    """Whether some judge acts in the game."""

    @property
    def requirements(self) -> NodeRequirements:
        return run_requirements(self.url, self.libraries, browser=self.browser)

    @asynccontextmanager
    async def opened(self, browser: BrowserSource) -> AsyncIterator[Callable[[JudgeVerdict], Awaitable[Verification]]]:
        run, pool = RunDir.open(self.url), ClientPool()
        specs, library = episode_specs(run), load_catalog(self.libraries)

        async def verify(item: JudgeVerdict) -> Verification:
            judge, line = item
            judging = EpisodeJudge(run, kinds[judge], library, browser, pool, self.trusted)
            try:
                replies = Replies(await asyncio.to_thread(run.judge_log(judge, line.key).read), None)
                made = await judging.judge(specs[line.key], replies)
            except LogEnded as e:
                return _finding(judge, line.key, "different", str(e))
            except BrowserError:
                raise
            except GwrayError as e:
                return _finding(judge, line.key, "error", f"{type(e).__name__}: {e}")
            if replies.unused:
                detail = f"the judge's log has a reply to a question that is not asked: {replies.unused[0][0]}"
                return _finding(judge, line.key, "different", detail)
            return _compare_judgements(judge, line, made, "identical")

        kinds: dict[str, JudgeKind] = {}
        for name in run.judges():
            with suppress(UsageError):  # reported by `verify_judgements`
                kinds[name] = load_kind(read_recorded_judge(run, name), self.trusted)
        try:
            yield verify
        finally:
            await pool.close()

    def on_browser_error(self, item: JudgeVerdict, error: BrowserError) -> Verification:
        judge, line = item
        return _finding(judge, line.key, "error", f"{type(error).__name__}: {error}")


def _compare_stored(run: RunDir, judge: str, line: Judgement) -> Verification:
    """Compares a judgement with its reply log, without a replay."""
    try:
        logged = run.judge_log(judge, line.key).read()
    except GwrayError as e:
        return _finding(judge, line.key, "error", f"{type(e).__name__}: {e}")
    return _compare_judgements(
        judge, line, line.model_copy(update=reply_fields([one.reply for one in logged])), "intact"
    )


def _compare_judgements(judge: str, line: Judgement, made: Judgement, verdict: str) -> Verification:
    """Compares a stored judgement (`line`) with one that was made again. `verdict`: the finding if they are equal."""
    name = next((f for f in Judgement.model_fields if getattr(made, f) != getattr(line, f)), "")
    if name:
        detail = difference(name, getattr(line, name), getattr(made, name), says="made again")
        return _finding(judge, line.key, "different", detail)
    return _finding(judge, line.key, verdict)


def _finding(judge: str, key: str, verdict: str, detail: str = "") -> Verification:
    return Verification(f"judgements/{judge}/{key}", "", "", verdict, None, detail)
