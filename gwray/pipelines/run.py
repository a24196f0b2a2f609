"""Runs a plan: sets up run directory, executor, serving, tracker and schedule, and tears them down. The same command
resumes the run: it plays episodes without a result, and unfinished ones from their reply logs. Ctrl-C cancels episodes
in flight, keeps every reply and prints how to resume."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.markup import escape

from gwray.pages import PLAIN_EVERY_S, SILENT_S, warn
from gwray.pipelines.budget import Budget, Tally
from gwray.pipelines.estimate import estimate_episode
from gwray.pipelines.executor import MakeExecutor
from gwray.pipelines.hosting import Hosting, make_hosting
from gwray.pipelines.manifest import moved_models, open_run
from gwray.pipelines.plan import Plan
from gwray.pipelines.product import Episodes
from gwray.pipelines.rollout import Rollout
from gwray.pipelines.schedule import Schedule
from gwray.pipelines.stop import Stop
from gwray.pipelines.waves import hosted_here, plan_waves
from gwray.pipelines.worker import PlayProgress
from gwray.records import EpisodeRecord, has_unknown_usage
from gwray.settings import ModelSpec
from gwray.store import RunDir, read_seal, results_frame, seal_after, unseal_run
from gwray.tracking import Tracker, cells_of, make_tracker, run_facts

STOPPED_S = 4.0
"""Seconds for which a stopped run waits for its tracker; `gwray sync` sends the rest."""
Require = Callable[[Sequence[ModelSpec]], Awaitable[None]]
ShowProgress = Callable[[Tally, Callable[[], Awaitable[PlayProgress]]], AbstractAsyncContextManager[Any]]
"""Shows the tally and the workers' progress for as long as the block lasts."""
Repair = Callable[[Plan, RunDir, Mapping[str, EpisodeRecord], Console], Awaitable[tuple[int, bool]]]
"""Repairs the files of finished episodes. Returns the number of unrepaired episodes, and whether a result changed."""


@dataclass(frozen=True)
class RunOutcome:
    """Outcome of a run."""

    run: RunDir
    tally: Tally
    interrupted: bool
    damaged: int = 0
    """Number of finished episodes with damage that could not be repaired."""

    @property
    def complete(self) -> bool:
        return self.tally.finished == self.tally.planned and not self.damaged


class _RecordKeeper:
    """Stores records in the run directory first, then in the tracker."""

    def __init__(self, run: RunDir, tracker: Tracker):
        self._run = run
        self._tracker = tracker

    def finished(self, records: Sequence[EpisodeRecord]) -> None:
        self._run.append_result(*records)
        for record in records:
            self._tracker.episode(record)

    def failed(self, record: EpisodeRecord, final: bool) -> None:
        self._run.append_failure(record)
        if final:
            self._tracker.episode(record)


async def run_plan(
    plan: Plan,
    console: Console,
    make_executor: MakeExecutor,
    show_progress: ShowProgress | None = None,
    require: Require | None = None,
    repair: Repair | None = None,
) -> RunOutcome:
    """Plays the episodes of a plan that have no result in its run directory.

    Args:
        plan: what to play.
        console: for notices.
        make_executor: creates the executor, if there is an episode to play.
        show_progress: shows progress while episodes are played.
        require: checks the models of these episodes before anything starts; may raise `UsageError`.
        repair: repairs damaged files of finished episodes before the run continues; None: they stay as they are.

    Raises:
        UsageError, StoreError: the run cannot start or continue. A failed episode is in the tally and the records.
    """
    if require and not RunDir.is_run(plan.run_dir):
        await require(_models_of(plan, plan.episodes))  # before the directory exists: a refused start leaves none
        require = None
    await asyncio.to_thread(RunDir(plan.run_dir).lease.wait)
    with RunDir(plan.run_dir).lock():
        damaged_before = RunDir(plan.run_dir).damaged_logs()
        seal = read_seal(RunDir(plan.run_dir))
        moved = moved_models(RunDir(plan.run_dir).manifest(), plan) if RunDir.is_run(plan.run_dir) else []
        done = RunDir(plan.run_dir).recorded() if RunDir.is_run(plan.run_dir) else {}
        run = open_run(plan, finished=done, keep_seal=seal.broken)
        damaged, changed = await repair(plan, run, done, console) if repair else (0, False)
        if changed and not seal.broken:
            unseal_run(run)
        todo = plan.episodes.without(done)
        tally = Tally(planned=len(plan.episodes), finished=len(plan.episodes) - len(todo))
        for notice in (*plan.notices, *moved):
            console.print(f"[yellow]note:[/] {notice}", highlight=False)
        if not todo:
            console.print(f"All {len(plan.episodes)} episodes of this plan are finished in {run.url}.", highlight=False)
            ended = RunOutcome(run, tally, interrupted=False)
        else:
            if tally.finished:
                console.print(f"Continuing {run.url}: {tally.finished} finished, {len(todo)} to play.", highlight=False)
            if require:
                await require(_models_of(plan, todo))
            if not seal.broken:
                unseal_run(run)
            show = show_progress or (lambda tally, progress: nullcontext())
            ended = await _play(plan, run, todo, done, tally, console, make_executor, show)
        if (cut := run.damaged_logs() - damaged_before) > 0:
            console.print(
                f"[yellow]damaged:[/] {cut} reply log{'s' * (cut > 1)} of unfinished episodes could not be read to the "
                f"end, so later replies were requested again. The originals are in {escape(run.url)}/damaged.",
                highlight=False,
                soft_wrap=True,
            )
        if notice := seal_after(run, seal):
            console.print(f"[red]{escape(notice)}[/]", highlight=False, soft_wrap=True)
        return replace(ended, damaged=damaged)


def _models_of(plan: Plan, episodes: Episodes) -> list[ModelSpec]:
    """Returns the models that episodes ask, each once."""
    cells = {part.cell_id for part in episodes.parts}
    models = [m for c in plan.cells if c.id in cells for m in c.spec.models()]
    return list({m.identity: m for m in models}.values())


async def _play(
    plan: Plan,
    run: RunDir,
    todo: Episodes,
    done: Mapping[str, EpisodeRecord],
    tally: Tally,
    console: Console,
    make_executor: MakeExecutor,
    show_progress: ShowProgress,
) -> RunOutcome:
    """Plays the episodes `todo`: starts executor, hosting and tracker, plays wave after wave, and closes them in any
    case."""
    settings = plan.settings
    tracker = make_tracker(settings.tracking, run)
    budget = Budget(
        settings.budget, lambda e: estimate_episode(e, plan).usd or 0.0, lambda e: estimate_episode(e, plan).tokens
    )
    failed = {r.key: r for r in run.each_failure() if r.key not in done}
    earlier = {**failed, **done}
    unknown = {key for key, record in earlier.items() if has_unknown_usage(record)}
    specs = {spec.key: spec for spec in plan.episodes if spec.key in unknown} if unknown else {}
    for key, record in earlier.items():
        tally.add(record, *budget.charge(record, specs.get(key)))
    hosting = make_hosting(plan, console) if hosted_here(plan) else None
    # In threads: both may wait for a cluster.
    async with shown_wait(console, "connecting to Ray"):
        waves = await asyncio.to_thread(plan_waves, plan, todo, hosting.waves if hosting else lambda _: [[]])
        cpus = await asyncio.to_thread(hosting.cpus, waves) if hosting else 0
    libraries = tuple(str(r) for r in plan.library.extra)
    executor = make_executor(run.url, libraries, settings.executor, episodes=len(todo), engine_cpus=cpus)
    stop, rollout = Stop(), None
    try:
        manifest = run.manifest()
        tracker.start(cells_of(manifest), plan.name, run_facts(manifest))
        if hosting:
            hosting.record(run, tracker.engine)
        with stop.on_signals():
            rollout = Rollout(hosting, [w for w in waves if w.models], console, stop) if hosting else None
            # Engines take their places first: they need whole GPUs, and the sandbox actors take the CPUs that are left.
            if rollout:
                async with shown_wait(console, f"starting {', '.join(rollout.loading)}"):
                    await rollout.begin()
            what = "Ray and the first browser" if settings.executor.name == "ray" else "the browser"
            async with shown_wait(console, f"starting {what}"):
                await stop.or_done(executor.start())
            if stop.asked:
                return RunOutcome(run, tally, interrupted=True)
            schedule = Schedule(
                Episodes(part for w in waves if not w.models for part in w.episodes.parts),
                executor, _RecordKeeper(run, tracker), budget,
                tries=settings.executor.tries, tally=tally,
                roles=lambda game: [r.name for r in plan.library.game(game).roles],
                capacity=hosting.capacity if hosting else lambda model: None, more_come=rollout is not None,
            )  # fmt: skip
            async with show_progress(tally, executor.progress):
                with stop.also(schedule.stop):
                    playing = asyncio.create_task(schedule.run())
                    try:
                        if rollout:
                            await rollout.play(schedule, executor)
                        schedule.close()
                        await playing
                    finally:
                        playing.cancel()
                        await asyncio.gather(playing, return_exceptions=True)
    finally:
        if rollout:
            await _shielded(rollout.close(), "models")
        await _shielded(executor.close(), "executor")
        if hosting:
            await _shielded(hosting.close(), "serving")
            _write_engines(run, hosting)
        summaries = {} if stop.asked or settings.tracking.mode == "disabled" else _summaries(run)
        await _finish(tracker, summaries, STOPPED_S if stop.asked else None)
    return RunOutcome(run, tally, interrupted=stop.asked)


@asynccontextmanager
async def shown_wait(console: Console, what: str) -> AsyncIterator[None]:
    """Shows what a run waits for and how long: on a terminal every second, elsewhere a line every `PLAIN_EVERY_S`.
    Shows nothing for the first `SILENT_S`."""

    async def show() -> None:
        began = time.monotonic()
        await asyncio.sleep(SILENT_S)
        with console.status("") if console.is_terminal else nullcontext() as status:
            while True:
                text = f"{escape(what)}, {time.monotonic() - began:.0f} s"
                if status:
                    status.update(text)
                else:
                    console.print(text, highlight=False, style="dim")
                await asyncio.sleep(1 if status else PLAIN_EVERY_S)

    showing = asyncio.create_task(show())
    try:
        yield
    finally:
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)


def _summaries(run: RunDir) -> dict[str, dict[str, Any]]:
    """Returns the summary of each cell; none if the run directory was removed, which is reported elsewhere."""
    if not RunDir.is_run(run.url):
        return {}
    from gwray.analysis import cell_summaries  # statistics take a while to import, and only the end needs them

    return cell_summaries(results_frame(run), run.manifest().without_forks())


def _write_engines(run: RunDir, hosting: Hosting) -> None:
    """Stores summaries of the engines in the manifest."""
    if hosting.engines and RunDir.is_run(run.url):
        manifest = run.manifest()
        engines = (*manifest.engines, *hosting.engines)
        run.write_manifest(manifest.model_copy(update={"engines": engines}))


async def _finish(tracker: Tracker, summaries: dict[str, dict[str, Any]], within_s: float | None) -> None:
    """Finishes the tracker; aborts it after `within_s`, or if this task is cancelled."""
    try:
        await asyncio.wait_for(asyncio.to_thread(tracker.finish, summaries), within_s)
    except TimeoutError:
        tracker.abort()
    except asyncio.CancelledError:
        tracker.abort()
        raise


async def _shielded(closing: Any, what: str) -> None:
    """Closes a part even while this task is cancelled. Errors are printed, so they do not hide the run's outcome."""
    try:
        await asyncio.shield(asyncio.wait_for(closing, timeout=90))
    except (Exception, asyncio.CancelledError) as e:
        warn(f"closing the {what}: {type(e).__name__}: {e}")
