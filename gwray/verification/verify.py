"""Replays recorded episodes without a model and compares everything: `gwray verify`.

Replies come from the log; everything else is recomputed. Every column of every step, every field of the result, the
final frame, prompts and console lines are compared with the recording, so a changed reply, game or record is found at
the first step it affects. Whether an episode is reproducible is found by the replay; the recorded claim is not trusted.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from gwray.agents import ClientPool
from gwray.catalog import Catalog, Game, Task, game_digest, load_catalog
from gwray.environments import BrowserSource, Opening, open_environment
from gwray.errors import BrowserError, GwrayError
from gwray.evaluation import METRICS
from gwray.pipelines import (
    OTHER_PICTURES,
    UNREPRODUCIBLE,
    WALLCLOCK,
    EpisodeInputs,
    ForeignCode,
    LogEnded,
    NodeRequirements,
    RecordedAgent,
    ReplayMismatch,
    Replies,
    RoleAgents,
    RoleAsk,
    facts_of_log,
    make_role_agents,
    play,
)
from gwray.places import NotTrusted
from gwray.records import EpisodeRecord, StepRecord, ascii_json, digest
from gwray.settings import EpisodeSpec
from gwray.store import Episode, RunDir
from gwray.verification.comparison import Replayed, compared
from gwray.verification.findings import Verification, first_difference
from gwray.verification.manifest_check import (
    ManifestCheck,
    episode_specs,
    find_orphans,
    refuse_other_protocol,
    shared_plan_digest,
    spec_text,
)
from gwray.verification.replays import InlineReplays, ReplayExecutor, replay_all, run_requirements
from gwray.verification.rescore import OTHER_RULES
from gwray.verification.resume_cache import CachingExecutor, ResumeCache
from gwray.verification.stored import check_stored, results_by_key


async def verify_run(
    run: RunDir,
    *,
    sample: int | None = None,
    executor: ReplayExecutor | None = None,
    on_finding: Callable[[Verification], None] | None = None,
    trusted: Collection[str] = (),
    resume: ResumeCache | None = None,
    on_cached: Callable[[Sequence[Verification]], None] | None = None,
) -> list[Verification]:
    """Replays finished episodes in fresh browsers, without a model, and compares them with what was recorded.

    Also checks the run itself: its plan, and which episodes have which files.

    Args:
        run: the run to verify; nothing is written into it.
        sample: verify only this many episodes, see `sample_episodes`; None: all.
        executor: where replays run; default: this process.
        on_finding: called with each result as it arrives.
        trusted: names of code outside gwray that may be imported. Where an agent, action space or format is neither
            part of gwray nor trusted, the recorded actions are played. That verifies the game, not the agent, and the
            result's detail says so. It also names metrics that were not recomputed.
        resume: cache of an interrupted verification. Proven episodes are added to it, and skipped if it has them
            already; it is cleared at the end.
        on_cached: called once with the results that were taken from `resume`.

    Returns:
        Findings about the run, then one per episode.

    Raises:
        UsageError: the run was played under another protocol version, or its `run.json` is damaged.
    """
    manifest = run.manifest()
    refuse_other_protocol(manifest)
    library = load_catalog(run.libraries)
    specs = episode_specs(run)
    lines = results_by_key(run)
    keys = [key for key in lines if key in specs]
    if sample is not None and sample < len(keys):
        keys = sample_episodes([specs[key] for key in keys], sample, first=resume.load() if resume else ())
    job = VerifyJob(run.url, tuple(map(str, library.extra)), tuple(trusted))
    items = {key: (specs[key], lines[key]) for key in keys}
    findings: dict[str, Verification] = {}
    if resume is not None:
        input_digest = InputDigest(run, specs, library, trusted)
        findings = await asyncio.to_thread(_cached, resume, items, input_digest)
        executor = CachingExecutor(executor or InlineReplays(), resume, input_digest)
        if on_cached:
            on_cached(list(findings.values()))
    todo = [key for key in keys if key not in findings]
    replayed = await replay_all(job, [items[key] for key in todo], executor, on_finding)
    findings |= zip(todo, replayed, strict=True)
    if resume is not None:
        resume.clear()
    return [*find_orphans(run, specs, lines), *(findings[key] for key in keys)]


def sample_episodes(specs: Sequence[EpisodeSpec], count: int, first: Collection[str] = ()) -> list[str]:
    """Returns the keys of `count` episodes, as evenly as possible from all cells and games: those in `first` before
    others, and others at random, since a forger must not know them."""
    shuffled = secrets.SystemRandom().sample(specs, len(specs))
    shuffled.sort(key=lambda spec: spec.key not in first)
    strata: dict[tuple[str, str], list[str]] = defaultdict(list)
    for spec in shuffled:
        strata[spec.cell_id, spec.game].append(spec.key)
    of_cell, of_game, of_both = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    out: list[str] = []
    while strata and len(out) < count:
        at = cell, game = min(strata, key=lambda s: (of_both[s], of_cell[s[0]] + of_game[s[1]]))
        out.append(strata[at].pop(0))
        if not strata[at]:
            del strata[at]
        of_cell[cell] += 1
        of_game[game] += 1
        of_both[at] += 1
    return out


FURTHER_REPLAYS = 2
"""Replays that must agree with the first one before an episode is called different: two agree by chance."""

Finished = tuple[EpisodeSpec, Sequence[EpisodeRecord]]
"""An episode and its lines in `results.jsonl`; there should be exactly one."""


@dataclass(frozen=True)
class VerifyJob:
    """Verifies the episodes of the run at a URL."""

    url: str
    libraries: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()

    @property
    def requirements(self) -> NodeRequirements:
        return run_requirements(self.url, self.libraries)

    @asynccontextmanager
    async def opened(self, browser: BrowserSource) -> AsyncIterator[Callable[[Finished], Awaitable[Verification]]]:
        run = RunDir.open(self.url)
        library, code = load_catalog(self.libraries), ForeignCode(run)
        manifest_check = ManifestCheck(run.manifest(), episode_specs(run), library)
        verifier = Verifier(run, library, browser, self.trusted, code, manifest_check)
        try:
            yield lambda one: verifier.verify(*one)
        finally:
            code.close()

    def on_browser_error(self, item: Finished, error: BrowserError) -> Verification:
        spec, _ = item
        detail = f"{type(error).__name__}: {error}"
        return Verification(spec.key, spec.task, spec.cell_id, "error", detail=detail)


class InputDigest:
    """Digest of everything but gwray's own code that determines an episode's verification: the plan, the game's rules
    and files, the trusted code's names, and the bytes of the episode's result, replies and steps."""

    def __init__(self, run: RunDir, specs: Mapping[str, EpisodeSpec], library: Catalog, trusted: Collection[str] = ()):
        self._run = run
        self._games = library.games
        self._shared = digest(shared_plan_digest(run.manifest(), specs), ascii_json(sorted(trusted)))

    def __call__(self, item: Finished) -> str:
        """Raises `OSError` or `GwrayError` if an input cannot be read."""
        spec, lines = item
        records = [line.model_dump_json() for line in lines]
        stored = self._run.episode_digest(spec.key)
        if spec.prefix:
            self._run.read_prefix(spec.prefix)  # raises if the file is not the one that its name says
        game = game_digest(self._games[spec.game]) if spec.game in self._games else ""
        return digest(self._shared, game, spec_text(spec), *records, stored)


def _cached(resume: ResumeCache, items: Mapping[str, Finished], input_digest: InputDigest) -> dict[str, Verification]:
    """Returns the cached verifications of these episodes whose inputs are unchanged, by key."""
    found = {}
    for key, (inputs, verification) in resume.load().items():
        with suppress(OSError, GwrayError):
            if key in items and inputs == input_digest(items[key]):
                found[key] = verification
    return found


@dataclass(frozen=True)
class Verifier:
    """Verifies single episodes of one run."""

    run: RunDir
    library: Catalog
    browser: BrowserSource
    trusted: Collection[str]
    code: ForeignCode
    manifest_check: ManifestCheck

    async def verify(self, spec: EpisodeSpec, lines: Sequence[EpisodeRecord]) -> Verification:
        """Checks the stored files first, then replays the episode to find the step of a difference. One that differs is
        replayed again: if the replays differ from each other, they say nothing about the recording."""
        unknown = Verification(spec.key, spec.task, spec.cell_id, "error")
        try:
            mismatch = await asyncio.to_thread(check_stored, self.run, spec, lines)
            if mismatch and mismatch.step is not None:
                return replace(unknown, verdict="different", step=mismatch.step, detail=mismatch.detail)
            finding, rows = await self._replay(spec, lines[-1], unknown)
            if finding.verdict == "different":

                async def again() -> tuple[str, Sequence[StepRecord]]:
                    other, more = await self._replay(spec, lines[-1], unknown)
                    return other.detail, more

                if unsteady := await difference_of_replays(finding.detail, rows, again):
                    return replace(finding, verdict="error", step=unsteady[0], detail=unsteady[1])
        except BrowserError:
            raise
        except GwrayError as e:
            return replace(unknown, detail=f"{type(e).__name__}: {e}")
        detail = mismatch.detail if mismatch else self.manifest_check.mismatch(spec, OTHER_RULES in lines[-1].caveats)
        if detail and (finding.holds or finding.step is None):
            return replace(finding, verdict="different", detail=detail)
        return finding

    async def _replay(
        self, spec: EpisodeSpec, recorded: EpisodeRecord, unknown: Verification
    ) -> tuple[Verification, Sequence[StepRecord]]:
        """Returns what a replay found, and its rows if they are worth comparing with those of another replay."""
        game = self.library.game(spec.game)
        # A replay of these differs in any case, which would prove nothing.
        if why := WALLCLOCK if spec.cell.timing.mode == "wallclock" else "" if game.reproducible else UNREPRODUCIBLE:
            return _irreproducible(recorded, [why], unknown), ()
        episode = await asyncio.to_thread(self.run.read_episode, spec.key)
        planned = {**self.run.manifest().kinds, **spec.cell.code}
        await asyncio.to_thread(self.code.provide, {n: c for n, c in planned.items() if n in self.trusted})
        try:
            replayed = await replay(self.run, spec, game, game.task_of(spec), self.browser, self.trusted, episode)
        except (ReplayMismatch, LogEnded) as e:
            if e.irreproducible:
                return _irreproducible(recorded, e.irreproducible, unknown), ()
            at = len({s.step for s in e.steps})
            if isinstance(e, ReplayMismatch):
                at = next((r.step for r in episode.steps if r.decision == e.decision), at)
            at, detail = first_difference(episode.steps, list(e.steps), False, same_length=False) or (at, str(e))
            return replace(unknown, verdict="different", step=at, detail=detail), e.steps
        finding = compared(episode, recorded, replayed, spec, unknown)
        if finding.verdict == "different" and replayed.irreproducible:
            return _irreproducible(recorded, replayed.irreproducible, unknown), ()
        unproven = self.manifest_check.unproven(spec, OTHER_RULES in recorded.caveats)
        if finding.verdict == "identical" and unproven:
            finding = replace(finding, detail="; ".join(filter(None, (finding.detail, unproven))))
        return finding, replayed.played.steps


async def difference_of_replays(
    detail: str, rows: Sequence[StepRecord], again: Callable[[], Awaitable[tuple[str, Sequence[StepRecord]]]]
) -> tuple[int | None, str] | None:
    """Replays an episode until a replay differs from the first one, at most `FURTHER_REPLAYS` times.

    Args:
        detail: what the first replay found.
        rows: its rows.
        again: replays the episode and returns the same of that replay.

    Returns:
        The first step that differs, if one does, and a sentence: the replays say nothing about the recording. None if
        all agree.
    """
    for _ in range(FURTHER_REPLAYS):
        other, more = await again()
        step, what = first_difference(rows, more, True) or (None, detail if other != detail else "")
        if what:
            return step, f"not reproducible here: replays differ from each other in {what.split(':')[0]}"
    return None


def _irreproducible(recorded: EpisodeRecord, why: Sequence[str], unknown: Verification) -> Verification:
    """Returns `skipped` with the reason, or `different` if the record claims to be reproducible."""
    if recorded.reproducible:
        return replace(unknown, verdict="different", detail=f"reproducible: recorded True, but {'; '.join(why)}")
    return replace(unknown, verdict="skipped", detail=f"not reproducible: {'; '.join(why)}")


async def replay(
    run: RunDir,
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    browser: BrowserSource,
    trusted: Collection[str] | None = (),
    recorded: Episode | None = None,
) -> Replayed:
    """Replays an episode from its reply log.

    Args:
        trusted: names of code outside gwray that may be imported; None: all.
        recorded: the recorded episode; its actions are played if the agent's code is not trusted.

    Raises:
        LogEnded: a reply is missing in the log.
        ReplayMismatch: a question differs from the logged one.
        NotTrusted: untrusted agent code without `recorded`, or an untrusted kind of environment.
    """
    lines = await asyncio.to_thread(run.log(spec.key).read)
    prefix = await asyncio.to_thread(run.read_prefix, spec.prefix) if spec.prefix else ()
    replies, pool, untrusted_agent = Replies(lines, None), ClientPool(), ""
    try:
        roles = make_role_agents(spec, game, task, replies, pool, trusted=trusted)
    except NotTrusted as e:
        if recorded is None:
            raise
        untrusted_agent = str(e)
        asks = {r.name: RoleAsk(r.name, spec.cell.player(r.name), {}, replies, spec.key) for r in game.roles}
        roles = RoleAgents({r.name: RecordedAgent(r.name, recorded, asks[r.name]) for r in game.roles}, asks)
    metrics = [m for m in spec.cell.metrics if m in METRICS.builtin or trusted is None or m in trusted]
    environment = await open_environment(Opening.from_spec(spec, game, task, browser), trusted=trusted)
    try:
        played = await play(EpisodeInputs(spec, game, task, environment, roles, replies, metrics, prefix))
        irreproducible = environment.diagnostics().irreproducible
    finally:
        await environment.close()
        await pool.close()
    others = next((c for c in replies.caveats if c.endswith(OTHER_PICTURES)), "")
    return Replayed(
        played,
        replies.unused,
        untrusted_agent,
        skipped_metrics=skipped_metrics(spec.cell.metrics, metrics),
        log=facts_of_log(lines),
        notes=replies.notes,
        irreproducible=irreproducible,
        other_reply=replies.other_reply
        and f"reply: the log has another one than its player, which asks no model, gives at {replies.other_reply}",
        other_pictures=others
        and f"pictures_hash: the log answers other screenshots than the same browser draws: {others}",
    )


def skipped_metrics(names: Sequence[str], computed: Collection[str]) -> tuple[str, ...]:
    """Returns the metrics that a replay lacks. One that has the short name of a metric of gwray's hides none."""
    return tuple(m for m in names if m not in computed and m.rpartition(".")[2] not in METRICS.builtin)


def changed_games(run: RunDir) -> dict[str, str]:
    """Returns the games whose files differ from those of the run, with the reason: a hint next to the findings."""
    manifest = run.manifest()
    library = load_catalog(run.libraries)
    out = {}
    for game, recorded in manifest.games.items():
        if game not in library.games:
            out[game] = "not in the library"
        elif library.game(game).files_hash != recorded:
            out[game] = "its files have changed since the run"
    return out
