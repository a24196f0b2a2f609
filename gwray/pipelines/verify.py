"""Plays recorded episodes again without any model and compares everything: `gwray verify`.

The replies come from the log, the rest is computed: every column of every step, every field of the result, the final
frame, prompts and console lines are compared with what was written down, so a changed reply, a changed game and a
changed record all show at the first step they touch. Whether an episode can be played again at all is found out by
playing it; what is written down about that is not believed.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from gwray.accounting import Spent
from gwray.actions import ACTION
from gwray.agents import Ask, ClientPool, Decision, Observation
from gwray.catalog import Catalog, Game, Task, game_digest, load_catalog
from gwray.environments import BrowserSource, Environment, Opening, open_environment
from gwray.errors import BrowserError, GwrayError
from gwray.evaluation import METRICS
from gwray.pipelines.described import (
    Described,
    episode_specs,
    plan_but_episodes,
    refuse_other_protocol,
    strays,
    words_of_spec,
)
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
from gwray.pipelines.node import NodeRequirements
from gwray.pipelines.outcome import UNREPRODUCIBLE, WALLCLOCK, PlayedEpisode, words_of
from gwray.pipelines.replays import InlineReplays, ReplayExecutor, replay_all, run_requirements
from gwray.pipelines.replies import LogEnded, ReplayMismatch, Replies, RoleAsk
from gwray.pipelines.rescore import OTHER_RULES, ends_earlier, is_note
from gwray.pipelines.resume_cache import CachingExecutor, ResumeCache
from gwray.pipelines.stored import check_stored, results_by_key
from gwray.records import EpisodeRecord, Reply, StepRecord, ascii_json, digest
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
    library = load_catalog(manifest.get("libraries", ()))
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
    described = Described(manifest, specs, library)
    of_run = [*strays(run, specs, lines), *described.left_out(), *described.unplanned()]
    return [*of_run, *(findings[key] for key in keys)]


Finished = tuple[EpisodeSpec, Sequence[EpisodeRecord]]
"""An episode and its lines in `results.jsonl`, of which there should be one."""


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
        described = Described(run.manifest(), episode_specs(run), library)
        verifier = Verifier(run, library, browser, self.trusted, code, described)
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
        self._shared = digest(plan_but_episodes(run.manifest(), specs), ascii_json(sorted(trusted)))

    def __call__(self, item: Finished) -> str:
        """Raises `OSError` or `GwrayError` if an input cannot be read."""
        spec, lines = item
        records = [line.model_dump_json() for line in lines]
        stored = self._run.episode_digest(spec.key)
        if spec.prefix:
            self._run.read_prefix(spec.prefix)  # raises if the file is not the one that its name says
        game = game_digest(self._games[spec.game]) if spec.game in self._games else ""
        return digest(self._shared, game, words_of_spec(spec), *records, stored)


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
    described: Described
    wrap: Callable[[Environment], Environment] = lambda world: world
    """Puts something around the world that is played in, which changes nothing that happens in it."""

    async def verify(self, spec: EpisodeSpec, lines: Sequence[EpisodeRecord]) -> Verification:
        """What is stored is looked at first; the episode is played again to find the step of what is wrong."""
        unknown = Verification(spec.key, spec.task, spec.cell_id, "error")
        try:
            misfit = await asyncio.to_thread(check_stored, self.run, spec, lines)
        except GwrayError as e:
            return replace(unknown, detail=f"{type(e).__name__}: {e}")
        if misfit and misfit.step is not None:
            return replace(unknown, verdict="different", step=misfit.step, detail=misfit.detail)
        try:
            finding = await self._play_again(spec, lines[-1], unknown)
        except BrowserError:
            raise
        except GwrayError as e:
            finding = replace(unknown, detail=f"{type(e).__name__}: {e}")
        if misfit and finding.step is None:
            return replace(finding, verdict="different", detail=misfit.detail)
        if finding.holds and (detail := self.described.differs(spec, OTHER_RULES in lines[-1].caveats)):
            return replace(finding, verdict="different", detail=detail)
        return finding

    async def _play_again(self, spec: EpisodeSpec, recorded: EpisodeRecord, unknown: Verification) -> Verification:
        game = self.library.game(spec.game)
        # Played again, these come to something else, which would show nothing.
        if why := WALLCLOCK if spec.cell.timing.mode == "wallclock" else "" if game.reproducible else UNREPRODUCIBLE:
            return _irreproducible(recorded, [why], unknown)
        episode = await asyncio.to_thread(self.run.read_episode, spec.key)
        planned = {**self.run.manifest().get("kinds", {}), **spec.cell.code}
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
                return _irreproducible(recorded, e.irreproducible, unknown)
            at = len({s.step for s in e.steps})
            if isinstance(e, ReplayMismatch):
                at = next((r.step for r in episode.steps if r.decision == e.decision), at)
            at, detail = first_difference(episode.steps, e.steps, False, whole=False) or (at, str(e))
            return replace(unknown, verdict="different", step=at, detail=detail)
        finding = _compared(episode, recorded, replayed, spec, unknown)
        if finding.verdict == "different" and replayed.irreproducible:
            return _irreproducible(recorded, replayed.irreproducible, unknown)
        unproven = self.described.unproven(spec, OTHER_RULES in recorded.caveats)
        if finding.verdict == "identical" and unproven:
            return replace(finding, detail="; ".join(filter(None, (finding.detail, unproven))))
        return finding


def _irreproducible(recorded: EpisodeRecord, why: Sequence[str], unknown: Verification) -> Verification:
    """`skipped` with the reason, as it was found here; `different` if the record promises otherwise."""
    if recorded.reproducible:
        return replace(unknown, verdict="different", detail=f"reproducible: recorded True, but {'; '.join(why)}")
    return replace(unknown, verdict="skipped", detail=f"not reproducible: {'; '.join(why)}")


@dataclass(frozen=True)
class Replayed:
    """An episode that was played again from its log."""

    played: PlayedEpisode
    unused: list[tuple[int, str, int]]
    """Logged replies that nobody asked for: decision, role, call."""
    why_not: str = ""
    """Why the agent itself did not decide again and its recorded actions were played; empty: it did."""
    unmeasured: tuple[str, ...] = ()
    """Metrics that were not made again, because their code is neither ours nor trusted."""
    moved: tuple[str, ...] = ()
    """Replies of other models than those that were asked."""
    irreproducible: tuple[str, ...] = ()
    """What the world could not control this time."""


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
    """Play an episode from its log alone; `LogEnded` if it asks for a reply that was never given.

    `recorded`: what was written down of it, from which the actions are taken where the agent's code is neither ours nor
    `trusted`. Raises `NotTrusted` where that is not given, and for a kind of environment that may not be imported.
    """
    lines = await asyncio.to_thread(run.log(spec.key).read)
    prefix = await asyncio.to_thread(run.read_prefix, spec.prefix) if spec.prefix else ()
    replies, pool, why_not = Replies(lines, None), ClientPool(), ""
    try:
        roles = make_role_agents(spec, game, task, replies, pool, trusted=trusted)
    except NotTrusted as e:
        if recorded is None:
            raise
        why_not = str(e)
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
    unmeasured = tuple(m for m in spec.cell.metrics if m not in metrics)
    return Replayed(played, replies.unused, why_not, unmeasured, (*replies.substitutions,), irreproducible)


class RecordedAgent:
    """Plays the recorded actions of a role and reads its replies from the log, without a question being made again."""

    calls_per_decision = 1

    def __init__(self, role: str, recorded: Episode, ask: RoleAsk):
        self._turns: dict[int, list[StepRecord]] = defaultdict(list)
        self._ask = ask
        for row in recorded.steps:
            if row.role == role and not row.forced:
                self._turns[row.decision].append(row)
        self._finish = recorded.steps[-1].decision if recorded.meta.record.ended_by == "finish" else None

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        rows = self._turns.get(observation.decision)
        if not rows:
            raise LogEnded(f"there is no recorded decision {observation.decision}")
        replies = await self._ask.replay()
        invalid = next((r for r in rows if r.validity != "valid"), None)
        played = [r for r in rows if r.validity == "valid" and r.action is not None]
        return Decision(
            validity=invalid.validity if invalid else "valid",
            actions=tuple(ACTION.validate_json(r.action or "") for r in played),
            controls=tuple(r.control for r in played),
            reason=rows[-1].reason,
            ignored=rows[0].ignored_calls,
            finish=observation.decision == self._finish,
            # Which of them was decided on is the agent's own choice: the one whose words the row has.
            reply=next((r for r in replies if _said_in(rows[0], r)), None),
        )


def _said_in(row: StepRecord, reply: Reply) -> bool:
    return all(getattr(row, name) == words for name, words in words_of(reply).items())


def _compared(
    episode: Episode, recorded: EpisodeRecord, replayed: Replayed, spec: EpisodeSpec, unknown: Verification
) -> Verification:
    """A recorded episode and its replay: `identical`, or the first difference."""
    played, made = replayed.played, replayed.played.record
    same = recorded.browser == made.browser
    # Frames of another browser may be the same all the same.
    pictures = same or recorded.frame_chain == made.frame_chain
    compared = pictures and spec.cell.observation.pictures
    finding = replace(unknown, verdict="different", pictures=compared, browser=made.browser)
    if found := first_difference(episode.steps, played.steps, pictures):
        return replace(finding, step=found[0], detail=found[1])
    goes_on = _goes_on(recorded, replayed)
    shown = _shown_differs(episode, replayed, goes_on, same)
    if detail := shown or result_differs(recorded, replayed):
        return replace(finding, detail=detail)
    if unused := [u for u in replayed.unused if not (goes_on and u[0] >= recorded.decisions)]:
        decision, role, call = unused[0]
        detail = f"the log has a reply that nobody asks for: decision {decision}, {role}, call {call}"
        return replace(finding, detail=detail)
    unproven = [f"game verified, agent not: {replayed.why_not}"] if replayed.why_not else []
    unproven += [f"metric not compared: '{name}' is not part of gwray (--trust {name})" for name in replayed.unmeasured]
    if not same:
        what = "the same pictures" if pictures else "pictures not compared"
        browsers = f"recorded with {recorded.browser}, played again with {made.browser}"
        unproven.append(f"{what}: {browsers} (nor console, final frame, page errors and caveats)")
    if goes_on:
        unproven.append("what was said and shown after the end that rescoring gave it is not played again")
    if made.blocked_requests:
        unproven.append("console and page errors not compared: the page asks the network, which is not stepped")
    later = [*(LATER if same else ()), *(["served_model"] if made.served_model else [])]
    unproven += [f"{name} is not recorded" for name in later if not getattr(recorded, name)]
    return replace(finding, verdict="identical", detail="; ".join(unproven))


def _goes_on(recorded: EpisodeRecord, replayed: Replayed) -> bool:
    """The log goes on after the earlier end that the episode was rescored to."""
    later = any(decision >= recorded.decisions for decision, _, _ in replayed.unused)
    return later and ends_earlier(recorded)


OF_NETWORK = {"blocked_requests", "page_errors", "shown_hash"}
"""What a page that asks the network for something does when it hears that it may not, which is no game time."""


def result_differs(recorded: EpisodeRecord, replayed: Replayed) -> str:
    """The first field of the result that the replay makes other than recorded, and how; empty if all are the same. What
    another browser may say differently is compared for the same one only."""
    left_out: set[str] = set() if recorded.browser == replayed.played.record.browser else {*OF_BROWSER}
    if _goes_on(recorded, replayed):
        # What was spent, shown and said after the end is not given back.
        left_out |= {*vars(Spent()), *OF_BROWSER, "served_model"} - {"frame_chain", "row_chain", "browser"}
    if replayed.played.record.blocked_requests:
        left_out |= OF_NETWORK
    if replayed.why_not:
        left_out |= {"shown_hash"}  # the agent's questions
    # What rescoring noted, and what is said of metrics that are not made here, the replay does not say.
    notes = tuple(f"metric {name} failed: " for name in replayed.unmeasured)
    kept = tuple(c for c in recorded.caveats if not (is_note(c) or c.startswith(notes)))
    recorded = recorded.model_copy(update={"caveats": kept})
    fields = [f for f in (*RECORD_FIELDS, *OF_BROWSER) if f not in left_out]
    return differing_field(recorded, replayed.played.record, fields=fields, unmeasured=replayed.unmeasured)


def _shown_differs(episode: Episode, replayed: Replayed, goes_on: bool, same: bool) -> str:
    """What is shown beside the rows and is not what the replay shows. `same`: the same browser has played both; what
    was said to a model, and which one answered, is the same in every browser."""
    meta, played = episode.meta, replayed.played
    final = played.final_view.data if played.final_view else b""
    prompts, console = meta.prompts, meta.console
    if replayed.why_not:
        prompts = played.prompts
    if played.record.blocked_requests:
        console = played.console
    if goes_on:
        prompts, console = {k: v for k, v in prompts.items() if k in played.prompts}, console[: len(played.console)]
    caveats = episode.meta.record.caveats
    if unsaid := [m for m in replayed.moved if m not in caveats]:
        return difference("caveats", caveats, (*caveats, *unsaid))
    for name, old, new in (
        ("final_frame", meta.final_frame or b"", final), ("prompts", prompts, played.prompts),
        ("console", console, played.console),
    ):  # fmt: skip
        if old != new and (same or name == "prompts"):
            return difference(name, old, new)
    return ""


def changed_games(run: RunDir) -> dict[str, str]:
    """Games whose files are not those of the run: id → what is wrong. A hint beside the findings."""
    manifest = run.manifest()
    library = load_catalog(manifest.get("libraries", ()))
    out = {}
    for game, recorded in manifest.get("games", {}).items():
        if game not in library.games:
            out[game] = "not in the library"
        elif library.game(game).files_hash != recorded:
            out[game] = "its files have changed since the run"
    return out
