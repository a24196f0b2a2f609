"""Plays recorded episodes again without any model and compares every step: `gwray verify`.

The replies come from the log, the rest is computed: every deterministic column of every step is compared with what
was written down, so a changed reply, a changed game and a changed record all show at the first step they touch.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from gwray.accounting import Spent
from gwray.actions import ACTION
from gwray.agents import Agent, Ask, ClientPool, Decision, Observation
from gwray.catalog import Catalog, Game, Task, load_catalog
from gwray.environments import BrowserSource, Opening, open_environment
from gwray.errors import GwrayError, UsageError
from gwray.evaluation import METRICS
from gwray.pipelines.episode import PlayedEpisode, play
from gwray.pipelines.foreign import ForeignCode
from gwray.pipelines.plan import PROTOCOL_VERSION
from gwray.pipelines.replies import Differs, LogEnded, Replies, RoleAsk
from gwray.pipelines.rescore import ENDS_EARLIER
from gwray.pipelines.seating import seat_players
from gwray.records import OUTCOME_FIELDS, EpisodeRecord, StepRecord
from gwray.registry import NotTrusted
from gwray.sandbox import BrowserOnDemand
from gwray.spec import CellSpec, EpisodeSpec
from gwray.store import Episode, RunDir

STEP_FIELDS = (
    "decision", "index", "forced", "attempt", "role", "words_hash", "replies_hash", "text", "reasoning", "tool_calls",
    "action", "control", "validity", "reason", "ignored_calls", "calls", "notes", "charged_ms", "before", "state",
    "state_hash", "score", "progress", "best_progress", "milestones", "terminal", "reset", "game_time_ms",
    "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost_usd", "latency_ms",
)  # fmt: skip
"""What every step is compared in. Pictures (and the hashes of those in requests) are added for the same browser."""


@dataclass(frozen=True)
class Verification:
    """What verification says of one episode."""

    key: str
    task: str
    cell: str
    verdict: str
    """identical · different · skipped · error"""
    step: int | None = None
    """The first step that differs."""
    detail: str = ""
    pictures: bool = False
    """Whether screenshots were compared too."""


def episode_specs(run: RunDir) -> dict[str, EpisodeSpec]:
    """The planned episodes of a run, by key. Raises `UsageError` for a run.json that was damaged or changed."""
    try:
        return _episode_specs(run.manifest())
    except (KeyError, TypeError, ValidationError) as e:
        why = f"{type(e).__name__}: {e}".partition("\n")[0]
        raise UsageError(f"{run.url}/run.json does not describe its cells and episodes ({why})") from e


def _episode_specs(manifest: Mapping[str, Any]) -> dict[str, EpisodeSpec]:
    cells = {c["id"]: CellSpec.model_validate(c["spec"]) for c in manifest["cells"]}
    return {
        e["key"]: EpisodeSpec(
            key=e["key"],
            cell_id=e["cell"],
            cell=cells[e["cell"]],
            game=e["game"],
            task=e["task"],
            seed=e["seed"],
            repeat=e["repeat"],
            action=e.get("action", {}),
            prefix=e.get("prefix", ""),
        )
        for e in manifest["episodes"]
    }


async def verify_run(
    run: RunDir,
    *,
    sample: int | None = None,
    lanes: int = 2,
    on_finding: Callable[[Verification], None] | None = None,
    trusted: Collection[str] = (),
) -> list[Verification]:
    """Replay finished episodes (or a seeded sample of them) in a fresh browser and compare.

    `trusted`: names of code that is not ours and may be imported. Where the agent, its action space or its format is
    neither ours nor trusted, the recorded actions are played again: the game is verified then, the agent is not, and
    the detail says so, as it says which metrics were not made again.
    """
    manifest = run.manifest()
    refuse_other_protocol(manifest)
    library = load_catalog(manifest.get("libraries", ()))
    specs = episode_specs(run)
    results = [r for r in run.results() if r.key in specs]
    if sample is not None and sample < len(results):
        results = random.Random(0).sample(results, sample)
    findings: list[Verification] = []
    queue = list(reversed(results))
    code = ForeignCode(run)
    try:
        async with BrowserOnDemand() as browser:

            async def lane() -> None:
                while queue:
                    recorded = queue.pop()
                    finding = await _verify(run, specs[recorded.key], recorded, library, browser, trusted, code)
                    findings.append(finding)
                    if on_finding:
                        on_finding(finding)

            await asyncio.gather(*(lane() for _ in range(max(1, lanes))))
    finally:
        code.close()
    order = {r.key: i for i, r in enumerate(results)}
    return sorted(findings, key=lambda f: order[f.key])


def refuse_other_protocol(manifest: Mapping[str, Any]) -> None:
    """`UsageError` for a run that was played under other rules than these."""
    if manifest.get("protocol_version") != PROTOCOL_VERSION:
        raise UsageError(
            f"the run was played under protocol version {manifest.get('protocol_version')}, this gwray has "
            f"{PROTOCOL_VERSION}; use the gwray that played it (commit {manifest.get('git_commit')})"
        )


async def _verify(
    run: RunDir,
    spec: EpisodeSpec,
    recorded: EpisodeRecord,
    library: Catalog,
    browser: BrowserSource,
    trusted: Collection[str],
    code: ForeignCode,
) -> Verification:
    def found(verdict: str, step: int | None = None, detail: str = "", pictures: bool = False) -> Verification:
        return Verification(spec.key, spec.task, spec.cell_id, verdict, step, detail, pictures)

    if not recorded.reproducible:
        return found("skipped", detail="; ".join(recorded.caveats) or "marked as not reproducible")
    try:
        episode = await asyncio.to_thread(run.read_episode, spec.key)
    except GwrayError as e:
        return found("error", detail=f"{type(e).__name__}: {e}")
    try:
        game = library.game(spec.game)
        planned = {**run.manifest().get("kinds", {}), **spec.cell.code}
        await asyncio.to_thread(code.provide, {name: c for name, c in planned.items() if name in trusted})
        replayed = await replay(run, spec, game, game.task(spec.task), browser, trusted, episode)
    except Differs as e:
        different = first_difference(episode.steps, e.steps, False, whole=False)
        at = next((r.step for r in episode.steps if r.decision == e.decision), None)
        return found("different", *(different or (at, str(e))))
    except LogEnded as e:
        different = first_difference(episode.steps, e.steps, False, whole=False)
        return found("different", *(different or (len({s.step for s in e.steps}), str(e))))
    except GwrayError as e:
        return found("error", detail=f"{type(e).__name__}: {e}")
    played = replayed.played
    pictures = recorded.browser == played.record.browser and spec.cell.observation.pictures
    different = first_difference(episode.steps, played.steps, pictures)
    if different is not None:
        return found("different", *different, pictures)
    earlier = any(c.startswith(ENDS_EARLIER) for c in recorded.caveats)
    # What was spent after the end that a rescored episode has now is not given back.
    for name in (*OUTCOME_FIELDS, *(() if earlier else vars(Spent()))):
        old, new = getattr(recorded, name), getattr(played.record, name)
        if name == "metrics":
            old, new = _without(old, replayed.unmeasured), _without(new, replayed.unmeasured)
        if old != new:
            return found("different", None, f"{name}: recorded {old!r}, replayed {new!r}", pictures)
    if unused := [u for u in replayed.unused if not (earlier and u[0] >= recorded.decisions)]:
        decision, role, call = unused[0]
        detail = f"the log has a reply that nobody asks for: decision {decision}, {role}, call {call}"
        return found("different", None, detail, pictures)
    unproven = [f"game verified, agent not: {replayed.why_not}"] if replayed.why_not else []
    unproven += [f"metric not compared: '{name}' is not part of gwray (--trust {name})" for name in replayed.unmeasured]
    return found("identical", detail="; ".join(unproven), pictures=pictures)


def _without(metrics: Mapping[str, float], names: Collection[str]) -> dict[str, float]:
    short = {name.rpartition(".")[2] for name in names}
    return {name: value for name, value in metrics.items() if name.partition(".")[0] not in short}


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


async def replay(
    run: RunDir,
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    browser: BrowserSource,
    trusted: Collection[str] | None = (),
    recorded: Episode | None = None,
) -> Replayed:
    """Play an episode from its log alone; `LogEnded` if it asks for a reply that was never given.

    `recorded`: what was written down of it, from which the actions are taken where the agent's code is neither ours nor
    `trusted`. Raises `NotTrusted` where that is not given, and for a kind of environment that may not be imported.
    """
    lines = await asyncio.to_thread(run.log(spec.key).read)
    prefix = await asyncio.to_thread(run.read_prefix, spec.prefix) if spec.prefix else ()
    replies, pool, why_not = Replies(lines, None), ClientPool(), ""
    try:
        players = seat_players(spec, game, task, replies, pool, trusted=trusted)
        agents: Mapping[str, Agent] = players.agents
        asks = players.asks
    except NotTrusted as e:
        if recorded is None:
            raise
        why_not = str(e)
        asks = {r.name: RoleAsk(r.name, spec.cell.player(r.name), {}, replies, spec.key) for r in game.roles}
        agents = {r.name: RecordedAgent(r.name, recorded, asks[r.name]) for r in game.roles}
    metrics = [m for m in spec.cell.metrics if m in METRICS.builtin or trusted is None or m in trusted]
    world = await open_environment(Opening.of(spec, game, task, browser), trusted=trusted)
    try:
        played = await play(spec, game, task, world, agents, asks, replies, metrics=metrics, prefix=prefix)
    finally:
        await world.close()
        await pool.close()
    unmeasured = tuple(m for m in spec.cell.metrics if m not in metrics)
    return Replayed(played, replies.unused, why_not, unmeasured)


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

    async def act(self, seen: Observation, ask: Ask) -> Decision:
        rows = self._turns.get(seen.decision)
        if not rows:
            raise LogEnded(f"there is no recorded decision {seen.decision}")
        reply = await self._ask.replay()
        invalid = next((r for r in rows if r.validity != "valid"), None)
        played = [r for r in rows if r.validity == "valid" and r.action is not None]
        return Decision(
            validity=invalid.validity if invalid else "valid",
            actions=tuple(ACTION.validate_json(r.action or "") for r in played),
            controls=tuple(r.control for r in played),
            reason=rows[-1].reason,
            ignored=rows[0].ignored_calls,
            finish=seen.decision == self._finish,
            reply=reply,
        )


def first_difference(
    recorded: Sequence[StepRecord], replayed: Sequence[StepRecord], pictures: bool, *, whole: bool = True
) -> tuple[int, str] | None:
    """The first step that differs and how, or None. `whole`: a different number of steps is a difference too."""
    fields = (*STEP_FIELDS, *(("screenshot", "screenshot_hash", "pictures_hash") if pictures else ()))
    for old, new in zip(recorded, replayed, strict=False):
        for name in fields:
            a, b = getattr(old, name), getattr(new, name)
            if a != b:
                return old.step, f"{name}: recorded {_short(a)}, replayed {_short(b)}"
    if whole and len(recorded) != len(replayed):
        longer = recorded if len(recorded) > len(replayed) else replayed
        at = longer[min(len(recorded), len(replayed))].step
        return at, f"recorded {len(recorded)} rows, replayed {len(replayed)}"
    return None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "…"


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
