"""Carries out a plan: run directory, executor, serving, tracker and schedule, put together and taken down again.

Running the same command again finds the same run directory, plays what has no result yet and goes on with
unfinished episodes from their reply logs. Ctrl-C lets go of the lanes, keeps every reply and says how to continue.
"""

from __future__ import annotations

import asyncio
import contextlib
import platform
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.markup import escape

from gwray import __version__
from gwray.errors import UsageError
from gwray.pipelines.estimate import estimate_episode
from gwray.pipelines.executor import Executor, Inline
from gwray.pipelines.plan import Plan
from gwray.pipelines.progress import Bar
from gwray.pipelines.schedule import Budget, Schedule, Tally
from gwray.pipelines.waves import Wave, hosted_here, plan_waves
from gwray.records import EpisodeRecord
from gwray.redaction import redacted, redacted_override
from gwray.spec import EpisodeSpec
from gwray.store import RunDir, results_frame
from gwray.tracking import Tracker, make_tracker

if TYPE_CHECKING:
    from gwray.pipelines.hosting import Hosting

T = TypeVar("T")


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    run: RunDir
    tally: Tally
    interrupted: bool

    @property
    def complete(self) -> bool:
        return self.tally.finished == self.tally.planned


def open_run(plan: Plan) -> RunDir:
    """The plan's run directory, made or continued; its manifest then covers this plan too. For the holder of its lock.

    `UsageError` if it has episodes of this plan that were made of other game files or another protocol: a table of
    both would be no result.
    """
    ours = {**_without_secrets(plan.manifest()), **_circumstances()}
    if not RunDir.is_run(plan.run_dir):
        return RunDir.create(plan.run_dir, ours)
    run = RunDir.open(plan.run_dir)
    before = run.manifest()
    if changed := changed_since(before, ours):
        raise UsageError(
            f"{run.url} has episodes of {', '.join(changed)} from before the game or the protocol changed; old and new "
            "ones must not share a table. Choose another name=… or run_dir=…, or remove that directory."
        )
    merged = {**before, **ours, "created": before.get("created", ours["created"])}
    cells = {c["id"]: c for c in [*before.get("cells", []), *ours["cells"]]}
    episodes = {e["key"]: e for e in [*before.get("episodes", []), *ours["episodes"]]}
    for cell in cells.values():
        cell["planned"] = sum(e["cell"] == cell["id"] for e in episodes.values())
    jobs = [*before.get("jobs", []), *(j for j in ours["jobs"] if j not in before.get("jobs", []))]
    merged |= {"cells": [*cells.values()], "episodes": [*episodes.values()], "jobs": jobs}
    merged["games"] = {**before.get("games", {}), **ours["games"]}
    merged["libraries"] = list(dict.fromkeys([*before.get("libraries", []), *ours["libraries"]]))
    if merged != before:
        run.write_manifest(merged)
    return run


def changed_since(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Games of which two manifests have the same episode under different keys."""

    def keys(manifest: dict[str, Any]) -> dict[tuple[Any, ...], str]:
        names = ("cell", "game", "task", "seed", "repeat")
        return {tuple(e[n] for n in names): e["key"] for e in manifest.get("episodes", [])}

    new = keys(now)
    return sorted({what[1] for what, key in keys(before).items() if new.get(what, key) != key})


def _without_secrets(manifest: dict[str, Any]) -> dict[str, Any]:
    """What a user can have typed; the rest of a manifest is ours, and its episodes have a `key` that is none."""
    return {**manifest, **{part: redacted(manifest[part]) for part in ("cells", "jobs")}}


def _circumstances() -> dict[str, Any]:
    packages = ("ray", "playwright", "hydra-core", "pydantic", "wandb", "openai")
    return {
        "gwray": __version__,
        "git_commit": _git_commit(),
        "command": shlex.join(["python", *map(redacted_override, sys.argv)]) if sys.argv else "",
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"python": platform.python_version(), **{p: version(p) for p in packages}},
    }


def _git_commit() -> str | None:
    root = Path(__file__).resolve().parents[2]
    try:
        out = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return out.stdout.strip() if out.returncode == 0 else None


class _Sink:
    """Records into the run directory first, then to the tracker."""

    def __init__(self, run: RunDir, tracker: Tracker):
        self._run = run
        self._tracker = tracker

    def finished(self, record: EpisodeRecord) -> None:
        self._run.append_result(record)
        self._tracker.episode(record)

    def failed(self, record: EpisodeRecord, final: bool) -> None:
        self._run.append_failure(record)
        if final:
            self._tracker.episode(record)


async def run_plan(plan: Plan, console: Console) -> Ended:
    """Do it. Raises `UsageError` and `StoreError`; an episode's failure is in the tally and the records."""
    with RunDir(plan.run_dir).lock():
        run = open_run(plan)
        done = {r.key for r in run.results()}
        todo = [e for e in plan.episodes if e.key not in done]
        tally = Tally(planned=len(plan.episodes), finished=len(plan.episodes) - len(todo))
        for notice in plan.notices:
            console.print(f"[yellow]note:[/] {notice}", highlight=False)
        if not todo:
            console.print(f"All {len(plan.episodes)} episodes of this plan are finished in {run.url}.", highlight=False)
            return Ended(run, tally, interrupted=False)
        if tally.finished:
            console.print(f"Continuing {run.url}: {tally.finished} finished, {len(todo)} to play.", highlight=False)
        return await _play(plan, run, todo, tally, console)


async def _play(plan: Plan, run: RunDir, todo: list[EpisodeSpec], tally: Tally, console: Console) -> Ended:
    settings = plan.settings
    tracker = make_tracker(settings.tracking, run)
    budget = Budget(
        settings.budget, lambda e: estimate_episode(e, plan).usd or 0.0, lambda e: estimate_episode(e, plan).tokens
    )
    for record in [*run.results(), *run.failures()]:
        budget.charge(record)
    hosting = _hosting(plan, console)
    waves = plan_waves(plan, todo, hosting.waves if hosting else lambda _: [[]])
    executor = _executor(plan, run, len(todo), hosting.cpus(waves) if hosting else 0)
    stop = _Stop()
    try:
        tracker.start(run.manifest()["cells"], plan.name)
        if hosting:
            hosting.record(run, tracker.engine)
        with stop.on_signals():
            # Hosted models come first: they need whole GPUs, and the sandbox actors take the CPUs that are left.
            up = await stop.or_done(_host(hosting, waves[0])) if waves else None
            await stop.or_done(executor.start())
            async with Bar(tally, executor.steps_played, console):
                for wave in waves:
                    up = up or await stop.or_done(_host(hosting, wave))
                    if up is None or stop.asked:
                        break
                    schedule = Schedule(
                        wave.episodes, executor, _Sink(run, tracker), budget,
                        tries=settings.executor.tries, tally=tally,
                        roles=lambda game: [r.name for r in plan.library.game(game).roles],
                    )  # fmt: skip
                    for name, why in up.broken.items():
                        console.print(f"[red]{name} could not be served:[/] {escape(why)}", highlight=False)
                        schedule.give_up(name, why)
                    await executor.set_endpoints(up.urls)
                    with stop.also(schedule.stop):
                        await schedule.run()
                    up = None
                    if hosting:
                        await hosting.down(wave.models)
                    if stop.asked:
                        break
    finally:
        await _shielded(executor.close(), "executor")
        if hosting:
            await _shielded(hosting.close(), "serving")
            _write_engines(run, hosting)
        await asyncio.to_thread(tracker.finish, summaries(run))
    return Ended(run, tally, interrupted=stop.asked)


@dataclass(frozen=True)
class _Up:
    """The endpoints of a wave, and the models that could not be served."""

    urls: dict[str, str]
    broken: dict[str, str]


def _hosting(plan: Plan, console: Console) -> Hosting | None:
    if not hosted_here(plan):
        return None
    from gwray.pipelines.hosting import make_hosting

    return make_hosting(plan, console)


async def _host(hosting: Hosting | None, wave: Wave) -> _Up:
    return _Up(*await hosting.up(wave.models)) if hosting else _Up({}, {})


def _write_engines(run: RunDir, hosting: Hosting) -> None:
    """What the engines did becomes part of the run: was it they or the browsers that set the pace?"""
    if hosting.engines:
        manifest = run.manifest()
        engines = [*manifest.get("engines", []), *hosting.engines]
        run.write_manifest({**manifest, "engines": engines})


def summaries(run: RunDir) -> dict[str, dict[str, Any]]:
    """Summary values by cell, for the tracker: intervals, and the engine's figures where the run hosted the model."""
    manifest = run.manifest()
    engines = {e["model"]: {k: v for k, v in e.items() if k != "wave"} for e in manifest.get("engines", [])}
    out: dict[str, dict[str, Any]] = intervals(run)
    for cell in manifest["cells"]:
        figures = engines.get(cell["model"], {})
        numbers = {f"engine/{k}": v for k, v in figures.items() if isinstance(v, (int, float))}
        out.setdefault(cell["id"], {}).update(numbers)
    return out


def intervals(run: RunDir) -> dict[str, dict[str, Any]]:
    """The 95 % intervals of each complete cell's headline: `sr/overall/low`, …"""
    from gwray.analysis import main_table

    out: dict[str, dict[str, Any]] = {}
    for row in main_table(results_frame(run), [run.manifest()]):
        for name, estimate in (("sr", row.sr), ("pg", row.pg)):
            if estimate is not None and estimate.low is not None:
                bounds = {f"{name}/overall/low": estimate.low, f"{name}/overall/high": estimate.high}
                out.setdefault(row.cell.id, {}).update(bounds)
    return out


def _executor(plan: Plan, run: RunDir, episodes: int, engine_cpus: float) -> Executor:
    spec = plan.settings.executor
    roots = tuple(str(r) for r in plan.library.roots[1:])
    if spec.name == "inline":
        return Inline(run.url, roots, spec)
    from gwray.actors import RayPool

    return RayPool(run.url, roots, spec, episodes, engine_cpus)


async def _shielded(closing: Any, what: str) -> None:
    """Take a part down even while we are being cancelled; trouble there must not hide how the run ended."""
    try:
        await asyncio.shield(asyncio.wait_for(closing, timeout=90))
    except (Exception, asyncio.CancelledError) as e:
        print(f"closing the {what}: {type(e).__name__}: {e}", file=sys.stderr)


class _Stop:
    """Ctrl-C or SIGTERM: whatever the run is waiting for is let go of, and the run ends in order."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._also: list[Callable[[], None]] = []

    @property
    def asked(self) -> bool:
        return self._event.is_set()

    def _ask(self) -> None:
        self._event.set()
        for call in self._also:
            call()

    @contextlib.contextmanager
    def on_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        caught = (signal.SIGINT, signal.SIGTERM)
        try:
            for s in caught:
                loop.add_signal_handler(s, self._ask)
        except (ValueError, RuntimeError):  # not the main thread: a test, or embedded in another program
            yield
            return
        try:
            yield
        finally:
            for s in caught:
                loop.remove_signal_handler(s)

    @contextlib.contextmanager
    def also(self, call: Callable[[], None]) -> Iterator[None]:
        """Call this too when asked to stop within the block."""
        self._also.append(call)
        try:
            yield
        finally:
            self._also.remove(call)

    async def or_done(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The result of the work; None when the run is stopped before: the work is then cancelled, and has ended."""
        if self.asked:
            work.close()
            return None
        doing, asked = asyncio.ensure_future(work), asyncio.ensure_future(self._event.wait())
        try:
            await asyncio.wait({doing, asked}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
            return None
        finally:
            asked.cancel()
            if not doing.done():
                doing.cancel()
                await asyncio.gather(doing, return_exceptions=True)
