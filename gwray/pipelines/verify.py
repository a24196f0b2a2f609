"""Plays recorded episodes again without any model and compares every step: `gwray verify`.

The replies come from the log, the rest is computed: every deterministic column of every step is compared with what
was written down, so a changed reply, a changed game and a changed record all show at the first step they touch.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gwray.agents import make_agent
from gwray.catalog import Game, Library, Task, load_library
from gwray.errors import GwrayError, UsageError
from gwray.pipelines.episode import LogEnded, Played, Replies, play
from gwray.pipelines.plan import PROTOCOL_VERSION
from gwray.pipelines.worker import open_lane, seat
from gwray.records import OUTCOME_FIELDS, EpisodeRecord, StepRecord
from gwray.sandbox import Browser
from gwray.spec import CellSpec, EpisodeSpec
from gwray.store import RunDir

STEP_FIELDS = (
    "attempt", "role", "text", "reasoning", "tool_calls", "action", "control", "validity", "reason", "charged_ms",
    "state_hash", "score", "progress", "best_progress", "terminal", "reset", "game_time_ms",
)  # fmt: skip
"""What every step is compared in. Pictures (and request hashes, which cover them) are added for the same browser."""


@dataclass(frozen=True)
class Finding:
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
    """The planned episodes of a run, by key."""
    manifest = run.manifest()
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
        )
        for e in manifest["episodes"]
    }


async def verify_run(
    run: RunDir,
    *,
    sample: int | None = None,
    lanes: int = 2,
    on_finding: Callable[[Finding], None] | None = None,
) -> list[Finding]:
    """Replay finished episodes (or a seeded sample of them) in a fresh browser and compare."""
    manifest = run.manifest()
    if manifest.get("protocol_version") != PROTOCOL_VERSION:
        raise UsageError(
            f"the run was played under protocol version {manifest.get('protocol_version')}, this gwray has "
            f"{PROTOCOL_VERSION}; verify it with the gwray that played it (commit {manifest.get('git_commit')})"
        )
    library = load_library(manifest.get("libraries", ()))
    specs = episode_specs(run)
    results = [r for r in run.results() if r.key in specs]
    if sample is not None and sample < len(results):
        results = random.Random(0).sample(results, sample)
    findings: list[Finding] = []
    queue = list(reversed(results))
    browser = await Browser.launch()
    try:

        async def lane() -> None:
            while queue:
                recorded = queue.pop()
                finding = await _verify(run, specs[recorded.key], recorded, library, browser)
                findings.append(finding)
                if on_finding:
                    on_finding(finding)

        await asyncio.gather(*(lane() for _ in range(max(1, lanes))))
    finally:
        await browser.close()
    order = {r.key: i for i, r in enumerate(results)}
    return sorted(findings, key=lambda f: order[f.key])


async def _verify(
    run: RunDir, spec: EpisodeSpec, recorded: EpisodeRecord, library: Library, browser: Browser
) -> Finding:
    def found(verdict: str, step: int | None = None, detail: str = "", pictures: bool = False) -> Finding:
        return Finding(spec.key, spec.task, spec.cell_id, verdict, step, detail, pictures)

    if not recorded.reproducible:
        return found("skipped", detail="; ".join(recorded.caveats) or "marked as not reproducible")
    pictures = recorded.browser == browser.version and spec.cell.observation.format != "none"
    try:
        episode = await asyncio.to_thread(run.read_episode, spec.key)
    except GwrayError as e:
        return found("error", detail=f"{type(e).__name__}: {e}")
    try:
        game = library.game(spec.game)
        task = game.task(spec.task)
        played = await replay(run, spec, game, task, browser)
    except LogEnded as e:
        different = first_difference(episode.steps, e.steps, pictures, whole=False)
        return found("different", *(different or (len({s.step for s in e.steps}), str(e))))
    except GwrayError as e:
        return found("error", detail=f"{type(e).__name__}: {e}")
    different = first_difference(episode.steps, played.steps, pictures)
    if different is not None:
        return found("different", *different, pictures)
    for name in OUTCOME_FIELDS:
        old, new = getattr(recorded, name), getattr(played.record, name)
        if old != new:
            return found("different", None, f"{name}: recorded {old!r}, replayed {new!r}", pictures)
    return found("identical", pictures=pictures)


async def replay(run: RunDir, spec: EpisodeSpec, game: Game, task: Task, browser: Browser) -> Played:
    """Play an episode from its log alone; `LogEnded` if it asks for a reply that was never given."""
    lines = await asyncio.to_thread(run.log(spec.key).read)
    agents = {
        r.name: make_agent(
            spec.cell.roles.get(r.name, spec.cell.model), spec.cell.agent, seat(spec, game, task, r.name)
        )
        for r in game.roles
    }
    lane = await open_lane(browser, spec, game, task)
    try:
        return await play(spec, game, task, lane, agents, Replies(lines, None), browser=browser.version)
    finally:
        await lane.close()
        for agent in agents.values():
            await agent.close()


def first_difference(
    recorded: Sequence[StepRecord], replayed: Sequence[StepRecord], pictures: bool, *, whole: bool = True
) -> tuple[int, str] | None:
    """The first step that differs and how, or None. `whole`: a different number of steps is a difference too."""
    fields = (*STEP_FIELDS, *(("screenshot_hash", "request_hash") if pictures else ()))
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
    library = load_library(manifest.get("libraries", ()))
    out = {}
    for game, recorded in manifest.get("games", {}).items():
        if game not in library.games:
            out[game] = "not in the library"
        elif library.game(game).files_hash != recorded:
            out[game] = "its files have changed since the run"
    return out
