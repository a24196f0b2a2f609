"""Finds and repairs damaged files of finished episodes when their run is continued. An episode's file follows from its
reply log, so a missing or damaged file is recreated without asking a model. A log cannot be recreated: a truncated one
is reported; its result stays, but cannot be verified any more."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape

from gwray.catalog import Catalog, load_catalog
from gwray.environments import BrowserSource
from gwray.errors import BrowserError, DiskFull, GwrayError, StoreError
from gwray.pipelines import WALLCLOCK, ForeignCode, LogEnded, NodeRequirements, Plan, ReplayMismatch, episode_meta
from gwray.records import CIRCUMSTANCES, EpisodeRecord, StepRecord
from gwray.settings import EpisodeSpec
from gwray.store import RunDir
from gwray.verification.comparison import Replayed, result_difference
from gwray.verification.replays import InlineReplays, ReplayExecutor, replay_all, run_requirements
from gwray.verification.verify import difference_of_replays, replay


@dataclass(frozen=True)
class Damage:
    """Damage of the files of a finished episode."""

    spec: EpisodeSpec
    record: EpisodeRecord
    log: str = ""
    """Damage of the reply log; empty: none."""
    file: str = ""
    """Damage of the Parquet file; empty: none."""


@dataclass(frozen=True)
class Repaired:
    """Result of a repair."""

    damage: Damage
    record: EpisodeRecord | None
    """The record of the recreated file; None: it was not recreated."""
    why: str = ""
    """Why not, or what differs from before."""
    irreproducible: bool = False
    """Whether it was not recreated because its game or timing cannot be replayed here."""

    def __str__(self) -> str:
        name = f"{self.damage.spec.task} {self.damage.spec.key}"
        if self.record is None:
            return f"{name}: {' '.join(filter(None, (self.damage.file, self.why)))}"
        return f"{name}: {self.damage.file} It was recreated from its replies{self.why}."


def find_damage(run: RunDir, specs: Iterable[EpisodeSpec], records: Mapping[str, EpisodeRecord]) -> list[Damage]:
    """Returns the damaged ones among finished episodes. Reads all their files; of a remote run only the list of its
    files, since an object store writes a file completely or not at all, and a request per episode would take hours."""
    if not records:
        return []
    if run.local_path is None:
        logs, files = set(run.logged_keys()), set(run.episode_keys())
        found = (_missing(run, spec, records[spec.key], logs, files) for spec in specs if spec.key in records)
    else:
        found = (_check_files(run, spec, records[spec.key]) for spec in specs if spec.key in records)
    return [d for d in found if d.log or d.file]


def _missing(
    run: RunDir, spec: EpisodeSpec, record: EpisodeRecord, logs: Collection[str], files: Collection[str]
) -> Damage:
    """Checks only whether the files of a finished episode exist: `logs` and `files` have the keys of those that do."""
    log = f"{run.log(spec.key).url} does not exist." if record.calls and spec.key not in logs else ""
    file = "" if spec.key in files else f"{run.url}/episodes/{spec.key}.parquet does not exist."
    return Damage(spec, record, log, file)


def _check_files(run: RunDir, spec: EpisodeSpec, record: EpisodeRecord) -> Damage:
    """Checks the reply log and the Parquet file of a finished episode."""
    log = file = ""
    try:
        known = len({(line.decision, line.role, line.call) for line in run.log(spec.key).read()})
        if known < record.calls:
            log = f"{run.log(spec.key).url} has {known} of {record.calls} replies."
    except StoreError as e:
        log = str(e)
    try:
        run.read_meta(spec.key, check_pages=True)
    except StoreError as e:
        file = str(e)
    return Damage(spec, record, log, file)


async def repair(
    run: RunDir,
    damages: Sequence[Damage],
    library: Catalog,
    *,
    executor: ReplayExecutor | None = None,
    trusted: Collection[str] | None = None,
    on_repaired: Callable[[Repaired], None] | None = None,
) -> list[Repaired]:
    """Recreates damaged files by replay. Where its browser's screenshots differ, the line in `results.jsonl` follows.

    Args:
        executor: where replays run; default: this process.
        trusted: names of code outside gwray that may be imported; None: all, as for a run of your own.
        on_repaired: called with each result.
    """
    trusted = None if trusted is None else tuple(trusted)
    job = RepairJob(run.url, tuple(map(str, library.extra)), trusted)
    out = await replay_all(job, damages, executor or InlineReplays(1), on_repaired)
    new = {r.record.key: r.record for r in out if r.record is not None}
    records = run.results()
    if any(new.get(r.key, r) != r for r in records):
        run.rewrite_results(new.get(r.key, r) for r in records)
    return out


@dataclass(frozen=True)
class RepairJob:
    """Recreates files of finished episodes of the run at a URL."""

    url: str
    libraries: tuple[str, ...] = ()
    trusted: tuple[str, ...] | None = None

    @property
    def requirements(self) -> NodeRequirements:
        return run_requirements(self.url, self.libraries)

    @asynccontextmanager
    async def opened(self, browser: BrowserSource) -> AsyncIterator[Callable[[Damage], Awaitable[Repaired]]]:
        run = RunDir.open(self.url)
        library, code = load_catalog(self.libraries), ForeignCode(run)
        kinds = run.manifest().kinds

        async def one(damage: Damage) -> Repaired:
            named = {**kinds, **damage.spec.cell.code}
            provided = {n: c for n, c in named.items() if self.trusted is None or n in self.trusted}
            await asyncio.to_thread(code.provide, provided)
            try:
                return await _repair(run, damage, library, browser, self.trusted)
            except BrowserError:
                raise
            except GwrayError as e:
                if isinstance(e.__cause__, OSError):  # such as a full disk, which says nothing about the episode
                    raise
                return Repaired(damage, None, f"It cannot be recreated: {type(e).__name__}: {e}")

        try:
            yield one
        finally:
            code.close()

    def on_browser_error(self, item: Damage, error: BrowserError) -> Repaired:
        if isinstance(error, DiskFull):
            raise error
        return Repaired(item, None, f"It cannot be recreated: {type(error).__name__}: {error}")


async def _repair(
    run: RunDir, damage: Damage, library: Catalog, browser: BrowserSource, trusted: Collection[str] | None
) -> Repaired:
    """Recreates the Parquet file of one episode by a replay, if its reply log is complete."""
    spec, record = damage.spec, damage.record
    if damage.log:
        advice = (
            "Its result stays, but cannot be verified any more. Restore the log, or remove the line of "
            f"{spec.key} from results.jsonl: the same command then requests the missing replies."
        )
        return Repaired(damage, None, f"{damage.log} {advice}")
    if spec.cell.timing.mode == "wallclock":
        return Repaired(damage, None, f"It cannot be recreated: {WALLCLOCK}.", irreproducible=True)
    game = library.game(spec.game)
    task = game.task_of(spec)

    async def attempt() -> tuple[Replayed | None, Sequence[StepRecord], str, bool]:
        """Returns a replay, its rows, why it does not recreate the episode, and whether it was uncontrolled."""
        try:
            replayed = await replay(run, spec, game, task, browser, trusted)
        except (LogEnded, ReplayMismatch) as e:
            return None, e.steps, f"It cannot be recreated: {e}", bool(e.irreproducible)
        if why := result_difference(record, replayed):
            why = f"The replay differs from the result ({why}), so it was not recreated."
        return replayed, replayed.played.steps, why, bool(replayed.irreproducible)

    replayed, rows, why, uncontrolled = await attempt()
    if replayed is None or why:
        uncontrolled = uncontrolled or not game.reproducible
        if not uncontrolled:

            async def again() -> tuple[str, Sequence[StepRecord]]:
                _, more, other, _ = await attempt()
                return other, more

            if unsteady := await difference_of_replays(why, rows, again):
                where = "it" if unsteady[0] is None else f"step {unsteady[0]}"
                uncontrolled, why = True, f"It cannot be recreated: {where} is {unsteady[1]}."
        return Repaired(damage, None, why, irreproducible=uncontrolled)
    played = replayed.played
    same = played.record.browser == record.browser
    if not same:
        kept = {name: getattr(record, name) for name in CIRCUMSTANCES}
        record = played.record.model_copy(update=kept)
    await asyncio.to_thread(run.write_episode, spec.key, played.steps, episode_meta(spec, record, played))
    return Repaired(damage, record, "" if same else f", with screenshots of {record.browser}")


MANY = 200
"""Number of finished episodes above which a notice about checking their files is printed (15 ms each)."""


async def repair_run(plan: Plan, run: RunDir, done: Mapping[str, EpisodeRecord], console: Console) -> tuple[int, bool]:
    """Repairs files of finished episodes and prints their damage. Returns the number of unrepaired episodes, and
    whether a result changed."""
    if len(done) > MANY:
        console.print(f"Checking the files of {len(done)} finished episodes.", highlight=False)
    damages = await asyncio.to_thread(find_damage, run, plan.episodes, done)
    repaired = await repair(run, damages, plan.library) if damages else []
    for one in repaired:
        colour = "red" if one.record is None else "yellow"
        console.print(f"[{colour}]damaged:[/] {escape(str(one))}", highlight=False, soft_wrap=True)
    return sum(one.record is None for one in repaired), any(
        one.record not in (None, one.damage.record) for one in repaired
    )
