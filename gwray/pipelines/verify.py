"""Replays recorded episodes without a model and compares everything: `gwray verify`.

Replies come from the log; everything else is recomputed. Every column of every step, every field of the result, the
final frame, prompts and console lines are compared with the recording, so a changed reply, game or record is found at
the first step it affects. Whether an episode is reproducible is found by the replay; the recorded claim is not trusted.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from gwray.accounting import UsageTotals
from gwray.agents import ClientPool
from gwray.catalog import Catalog, Game, Task, game_digest, load_catalog
from gwray.environments import BrowserSource, Environment, Opening, open_environment
from gwray.errors import BrowserError, GwrayError
from gwray.evaluation import METRICS
from gwray.pipelines.episode import play
from gwray.pipelines.findings import (
    LATER,
    OF_BROWSER,
    RECORD_FIELDS,
    Verification,
    difference,
    differing_field,
    first_difference,
)
from gwray.pipelines.foreign import ForeignCode
from gwray.pipelines.inputs import EpisodeInputs, RoleAgents, make_role_agents
from gwray.pipelines.manifest_check import (
    ManifestCheck,
    episode_specs,
    find_orphans,
    refuse_other_protocol,
    shared_plan_digest,
    spec_text,
)
from gwray.pipelines.node import NodeRequirements
from gwray.pipelines.outcome import UNREPRODUCIBLE, WALLCLOCK, PlayedEpisode
from gwray.pipelines.recorded_agent import RecordedAgent
from gwray.pipelines.replays import InlineReplays, ReplayExecutor, replay_all, run_requirements
from gwray.pipelines.replies import LogEnded, ReplayMismatch, Replies, RoleAsk
from gwray.pipelines.rescore import OTHER_RULES, ends_earlier, is_note
from gwray.pipelines.resume_cache import CachingExecutor, ResumeCache
from gwray.pipelines.stored import check_stored, results_by_key
from gwray.records import EpisodeRecord, StepRecord, ascii_json, digest
from gwray.registry import NotTrusted
from gwray.spec import EpisodeSpec
from gwray.store import Episode, RunDir


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
        sample: verify only this many episodes, chosen with a fixed seed; None: all.
        executor: where replays run; default: this process.
        on_finding: called with each result as it arrives.
        trusted: names of code outside gwray that may be imported. Where an agent, action space or format is neither
            part of gwray nor trusted, the recorded actions are played: that verifies the game and not the agent, and
            the result's detail says so, as it names metrics that were not recomputed.
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
        keys = random.Random(0).sample(keys, sample)
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
    manifest_check = ManifestCheck(manifest, specs, library)
    of_run = [*find_orphans(run, specs, lines), *manifest_check.missing_episodes(), *manifest_check.unused_entries()]
    return [*of_run, *(findings[key] for key in keys)]


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
    wrap: Callable[[Environment], Environment] = lambda world: world
    """Wraps the environment, for example to record a video; must not change the game."""

    async def verify(self, spec: EpisodeSpec, lines: Sequence[EpisodeRecord]) -> Verification:
        """Checks the stored files first, then replays the episode to find the step of a difference."""
        unknown = Verification(spec.key, spec.task, spec.cell_id, "error")
        try:
            mismatch = await asyncio.to_thread(check_stored, self.run, spec, lines)
        except GwrayError as e:
            return replace(unknown, detail=f"{type(e).__name__}: {e}")
        if mismatch and mismatch.step is not None:
            return replace(unknown, verdict="different", step=mismatch.step, detail=mismatch.detail)
        try:
            finding, rows = await self._replay(spec, lines[-1], unknown)
            if finding.verdict == "different" and rows and not mismatch:
                _, again = await self._replay(spec, lines[-1], unknown)
                if apart := first_difference(rows, again, True):
                    # Neither replay says anything about the recording.
                    detail = f"not reproducible here: two replays differ from each other in {apart[1].split(':')[0]}"
                    finding = replace(finding, verdict="error", step=apart[0], detail=detail)
        except BrowserError:
            raise
        except GwrayError as e:
            finding = replace(unknown, detail=f"{type(e).__name__}: {e}")
        if mismatch and finding.step is None:
            return replace(finding, verdict="different", detail=mismatch.detail)
        if finding.holds and (detail := self.manifest_check.mismatch(spec, OTHER_RULES in lines[-1].caveats)):
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
            replayed = await replay(
                self.run,
                spec,
                game,
                game.task(spec.task, spec.cell.limit.steps),
                self.browser,
                self.trusted,
                episode,
                self.wrap,
            )
        except (ReplayMismatch, LogEnded) as e:
            if e.irreproducible:
                return _irreproducible(recorded, e.irreproducible, unknown), ()
            at = len({s.step for s in e.steps})
            if isinstance(e, ReplayMismatch):
                at = next((r.step for r in episode.steps if r.decision == e.decision), at)
            at, detail = first_difference(episode.steps, e.steps, False, same_length=False) or (at, str(e))
            return replace(unknown, verdict="different", step=at, detail=detail), e.steps
        finding = _compared(episode, recorded, replayed, spec, unknown)
        if finding.verdict == "different" and replayed.irreproducible:
            return _irreproducible(recorded, replayed.irreproducible, unknown), ()
        unproven = self.manifest_check.unproven(spec, OTHER_RULES in recorded.caveats)
        if finding.verdict == "identical" and unproven:
            finding = replace(finding, detail="; ".join(filter(None, (finding.detail, unproven))))
        return finding, replayed.played.steps


def _irreproducible(recorded: EpisodeRecord, why: Sequence[str], unknown: Verification) -> Verification:
    """Returns `skipped` with the reason, or `different` if the record claims to be reproducible."""
    if recorded.reproducible:
        return replace(unknown, verdict="different", detail=f"reproducible: recorded True, but {'; '.join(why)}")
    return replace(unknown, verdict="skipped", detail=f"not reproducible: {'; '.join(why)}")


@dataclass(frozen=True)
class Replayed:
    """A replayed episode."""

    played: PlayedEpisode
    unused: list[tuple[int, str, int]]
    """Logged replies that were not requested: decision, role, call."""
    untrusted_agent: str = ""
    """Why recorded actions were played instead of the agent's decisions; empty: the agent decided."""
    skipped_metrics: tuple[str, ...] = ()
    """Metrics that were not recomputed, because their code is neither part of gwray nor trusted."""
    notes: tuple[str, ...] = ()
    """Caveats about the replies: models that answered in place of another, unknown finish reasons."""
    irreproducible: tuple[str, ...] = ()
    """What the environment could not control in this replay."""


async def replay(
    run: RunDir,
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    browser: BrowserSource,
    trusted: Collection[str] | None = (),
    recorded: Episode | None = None,
    wrap: Callable[[Environment], Environment] = lambda world: world,
) -> Replayed:
    """Replays an episode from its reply log.

    Args:
        trusted: names of code outside gwray that may be imported; None: all.
        recorded: the recorded episode; its actions are played if the agent's code is not trusted.
        wrap: wraps the environment.

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
    environment = wrap(await open_environment(Opening.from_spec(spec, game, task, browser), trusted=trusted))
    try:
        played = await play(EpisodeInputs(spec, game, task, environment, roles, replies, metrics, prefix))
        irreproducible = environment.diagnostics().irreproducible
    finally:
        await environment.close()
        await pool.close()
    skipped_metrics = tuple(m for m in spec.cell.metrics if m not in metrics)
    return Replayed(played, replies.unused, untrusted_agent, skipped_metrics, replies.notes, irreproducible)


def _compared(
    episode: Episode, recorded: EpisodeRecord, replayed: Replayed, spec: EpisodeSpec, unknown: Verification
) -> Verification:
    """Compares a recorded episode with its replay: `identical`, or the first difference."""
    played, made = replayed.played, replayed.played.record
    same = recorded.browser == made.browser
    # Another browser may draw the same screenshots.
    pictures = same or recorded.frame_chain == made.frame_chain
    compared = pictures and spec.cell.observation.pictures
    finding = replace(unknown, verdict="different", pictures=compared, browser=made.browser)
    if found := first_difference(episode.steps, played.steps, pictures):
        return replace(finding, step=found[0], detail=found[1])
    log_continues = _log_continues(recorded, replayed)
    shown = _shown_difference(episode, replayed, log_continues, same)
    if detail := shown or result_difference(recorded, replayed):
        return replace(finding, detail=detail)
    if unused := [u for u in replayed.unused if not (log_continues and u[0] >= recorded.decisions)]:
        decision, role, call = unused[0]
        detail = f"the log has an unused reply: decision {decision}, {role}, call {call}"
        return replace(finding, detail=detail)
    unproven = [f"game verified, agent not: {replayed.untrusted_agent}"] if replayed.untrusted_agent else []
    unproven += [
        f"metric not compared: '{name}' is not part of gwray (--trust {name})" for name in replayed.skipped_metrics
    ]
    if not same:
        what = "same screenshots" if pictures else "screenshots not compared"
        browsers = f"recorded with {recorded.browser}, replayed with {made.browser}"
        unproven.append(f"{what}: {browsers} (console, final frame, page errors and caveats not compared)")
    if log_continues:
        unproven.append("replies and screenshots after the end that rescoring set were not replayed")
    if made.blocked_requests:
        unproven.append("console and page errors not compared: the page requests the network, which is not stepped")
    later = [*(LATER if same else ()), *(["served_model"] if made.served_model else [])]
    unproven += [f"{name} is not recorded" for name in later if not getattr(recorded, name)]
    return replace(finding, verdict="identical", detail="; ".join(unproven))


def _log_continues(recorded: EpisodeRecord, replayed: Replayed) -> bool:
    """Returns whether the log continues after the earlier end that rescoring set."""
    later = any(decision >= recorded.decisions for decision, _, _ in replayed.unused)
    return later and ends_earlier(recorded)


OF_NETWORK = {"blocked_requests", "page_errors", "shown_hash"}
"""Fields that depend on when a refused network request fails, which is not game time."""


def result_difference(recorded: EpisodeRecord, replayed: Replayed) -> str:
    """Returns the first field of the result that differs in the replay, and how; empty if none does. Fields that depend
    on the browser are compared only if it is the same."""
    ignored: set[str] = set() if recorded.browser == replayed.played.record.browser else {*OF_BROWSER}
    if _log_continues(recorded, replayed):
        # Costs, screenshots and replies after the end remain in the record.
        ignored |= {*vars(UsageTotals()), *OF_BROWSER, "served_model"} - {"frame_chain", "row_chain", "browser"}
    if replayed.played.record.blocked_requests:
        ignored |= OF_NETWORK
    if replayed.untrusted_agent:
        ignored |= {"shown_hash"}  # the agent's questions
    # Notes of rescoring and caveats of skipped metrics are not part of a replay.
    notes = tuple(f"metric {name} failed: " for name in replayed.skipped_metrics)
    kept = tuple(c for c in recorded.caveats if not (is_note(c) or c.startswith(notes)))
    recorded = recorded.model_copy(update={"caveats": kept})
    fields = [f for f in (*RECORD_FIELDS, *OF_BROWSER) if f not in ignored]
    return differing_field(recorded, replayed.played.record, fields=fields, skipped_metrics=replayed.skipped_metrics)


def _shown_difference(episode: Episode, replayed: Replayed, log_continues: bool, same: bool) -> str:
    """Returns the first difference in prompts, console and final frame; empty if there is none.

    `same`: the same browser played both; prompts and answering models do not depend on it.
    """
    meta, played = episode.meta, replayed.played
    final = played.final_view.data if played.final_view else b""
    prompts, console = meta.prompts, meta.console
    if replayed.untrusted_agent:
        prompts = played.prompts
    if played.record.blocked_requests:
        console = played.console
    if log_continues:
        prompts, console = {k: v for k, v in prompts.items() if k in played.prompts}, console[: len(played.console)]
    caveats = episode.meta.record.caveats
    if missing := [m for m in replayed.notes if m not in caveats]:
        return difference("caveats", caveats, (*caveats, *missing))
    for name, old, new in (
        ("final_frame", meta.final_frame or b"", final), ("prompts", prompts, played.prompts),
        ("console", console, played.console),
    ):  # fmt: skip
        if old != new and (same or name == "prompts"):
            return difference(name, old, new)
    return ""


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
