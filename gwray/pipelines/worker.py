"""Plays episodes in one browser and returns their records. Both executors use this class; with Ray it runs in an actor.
A failed episode is a record, never an exception; only `StoreError` and cancellation are raised. The browser is
replaced, never repaired: after a number of episodes, above its memory limit, or after a crash or hang."""

import asyncio
import contextlib
import platform
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gwray.agents import ClientPool, HumanInputs, RateLimiter
from gwray.catalog import load_catalog
from gwray.environments import BrowserSource, Opening, View, open_environment
from gwray.errors import (
    BrowserDisconnected,
    BrowserError,
    GameError,
    GwrayError,
    InternalError,
    LogDamaged,
    PageCrashed,
    PageHung,
    StoreError,
    boundary,
)
from gwray.pipelines.episode import Watch, play
from gwray.pipelines.foreign import ForeignCode
from gwray.pipelines.inputs import EpisodeInputs, make_role_agents
from gwray.pipelines.live import LiveLane
from gwray.pipelines.node import node_name
from gwray.pipelines.outcome import episode_meta, label
from gwray.pipelines.replies import LogGap, Replies, facts_of_log
from gwray.records import EpisodeRecord, StepRecord, redacted_text
from gwray.sandbox import Browser
from gwray.settings import EpisodeSpec, ExecutorSpec
from gwray.store import RunDir


@dataclass
class _BrowserLease:
    """A browser and its episode counts."""

    browser: Browser
    episodes: int = 0
    playing: int = 0
    retired: bool = False


@dataclass(frozen=True)
class PlayProgress:
    """Progress of the workers of an executor."""

    steps: int = 0
    """Environment steps played."""
    held_back: Mapping[str, float] = field(default_factory=dict)
    """Models whose requests are paused, and until when their rate limit lasts (seconds since 1970; 0: the provider does
    not answer)."""
    notices: frozenset[str] = frozenset()
    """Sentences for the user, each shown once: nodes that cannot run episodes, actors that have not started."""


@dataclass
class Worker:
    """Plays episodes in one browser. Several tasks of one event loop may use it concurrently."""

    run_dir: str
    libraries: Sequence[str] = ()
    executor: ExecutorSpec = field(default_factory=ExecutorSpec)
    endpoints: Mapping[str, str] = field(default_factory=dict)
    """Base URLs of self-hosted models, by profile name."""
    limiter: RateLimiter | None = None
    """Rate limiter shared with other workers; None: a private one."""
    human_inputs: HumanInputs = field(default_factory=dict)
    """Inputs of people and MCP clients, in the process that shows them the screen."""
    on_rows: Callable[[Sequence[StepRecord]], None] | None = None
    """Called with the rows of each environment step."""
    steps_played: int = 0

    def __post_init__(self) -> None:
        self._pool = ClientPool(self.limiter)
        self._run = RunDir.open(self.run_dir)
        manifest = self._run.manifest()
        self._planned, self._kinds = manifest.games, manifest.kinds
        self._code = ForeignCode(self._run)
        self._library = load_catalog(self.libraries)
        self._lease: _BrowserLease | None = None
        self._opening = asyncio.Lock()
        self._live: dict[str, LiveLane] = {}
        self._pool.on_held_back = self._show_held_back

    async def play(
        self, spec: EpisodeSpec, trial: int = 1, lane_name: str = "", *, alone: bool = False
    ) -> EpisodeRecord:
        """Plays one episode and returns its record.

        Args:
            trial: number of this attempt at the episode, from 1; stored in the record.
            lane_name: lane for the live view; empty: none.
            alone: use a separate browser, so that a crash is attributable to this episode.
        """
        try:
            with boundary(InternalError, f"episode {spec.key} ({spec.task})"):
                return await self._play(spec, trial, lane_name, alone)
        except StoreError:
            raise
        except GwrayError as e:
            return await asyncio.to_thread(self._failed, spec, _attributed(e, spec) if alone else e, trial)

    async def _play(self, spec: EpisodeSpec, trial: int, lane_name: str, alone: bool) -> EpisodeRecord:
        game = self._library.game(spec.game)
        if self._planned.get(game.id, game.files_hash) != game.files_hash:
            raise GameError(
                f"the files of {game.id} on {platform.node()} differ from those of the run's plan; every node of a "
                "cluster needs the same commit and libraries"
            )
        task = game.task_of(spec)
        kind = {game.kind: self._kinds[game.kind]} if game.kind in self._kinds else {}
        await asyncio.to_thread(self._code.provide, {**spec.cell.code, **kind})
        prefix = await asyncio.to_thread(self._run.read_prefix, spec.prefix) if spec.prefix else ()
        log = await asyncio.to_thread(self._run.log, spec.key)
        wallclock = spec.cell.timing.mode == "wallclock"
        replies = Replies(await asyncio.to_thread(log.read_for_resume), log.append, original_pace=wallclock)
        self._pool.endpoints = self.endpoints
        roles = make_role_agents(spec, game, task, replies, self._pool, human_inputs=self.human_inputs)
        async with self._leases(alone) as browser:
            with self._run.episode_writer(spec.key) as writer:

                async def write(rows: Sequence[StepRecord]) -> None:
                    if self.on_rows is not None:
                        self.on_rows(rows)
                    if writer.hold(rows):
                        await asyncio.to_thread(writer.flush)

                environment = await open_environment(Opening.from_spec(spec, game, task, browser))
                inputs = EpisodeInputs(spec, game, task, environment, roles, replies, prefix=prefix)
                try:
                    played = await play(inputs, watch=self._watch(spec, lane_name), write=write)
                except LogGap as e:
                    backup = await asyncio.to_thread(log.cut, e.usable_lines)
                    raise LogDamaged(
                        f"{log.url}: {e}. Its first {e.usable_lines} replies are kept; the original is {backup}."
                    ) from e
                finally:
                    self._live.pop(lane_name, None)
                    await environment.close()
                record = played.record.model_copy(update={"tries": trial, "machine": node_name()})
                await asyncio.to_thread(writer.finish, episode_meta(spec, record, played))
        return record

    @contextlib.asynccontextmanager
    async def _leases(self, alone: bool) -> AsyncIterator[BrowserSource]:
        """Yields a function that returns this worker's browser, or a separate one if `alone`, for as long as the block
        lasts. The browser starts at the first call."""
        leases: list[_BrowserLease] = []

        async def browser() -> Browser:
            lease = _BrowserLease(await self._launch(), retired=True) if alone else await self._browser()
            lease.playing += 1
            lease.episodes += 1
            leases.append(lease)
            return lease.browser

        try:
            yield browser
        finally:
            for lease in leases:
                lease.playing -= 1
                await self._close_if_unused(lease)

    @property
    def progress(self) -> PlayProgress:
        return PlayProgress(self.steps_played, dict(self._pool.held_back))

    def _watch(self, spec: EpisodeSpec, lane_name: str) -> Watch:
        """Returns the function that is called after each environment step; it updates the live view of a lane."""
        live = LiveLane(self._run, lane_name, spec) if self.executor.live and lane_name else None
        if live is not None:
            self._live[lane_name] = live
            self._show_held_back()

        def watch(step: int, best: float, view: View | None) -> None:
            self.steps_played += 1
            if live is not None:
                live.show(step, best, view)

        return watch

    def _show_held_back(self) -> None:
        for lane in self._live.values():
            lane.waits(self._pool.held_back)

    def _failed(self, spec: EpisodeSpec, error: GwrayError, trial: int) -> EpisodeRecord:
        """Returns the record of a failed episode. Its costs come from the reply log."""
        game = self._library.games.get(spec.game)
        lines = self._run.log(spec.key).read()
        return label(spec).model_copy(
            update={
                "genre": game.genre if game else "",
                "level": game.level if game else 0,
                "status": "failed",
                "calls": len(lines),
                **facts_of_log(lines),
                **error.error_fields(),
                "error_message": redacted_text(str(error)[:20_000])[:4000],
                "tries": trial,
                "machine": node_name(),
                "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )

    async def _browser(self) -> _BrowserLease:
        """Returns the browser for the next episode; replaces it after too many episodes or above its memory limit."""
        async with self._opening:
            now = self._lease
            if now is not None:
                worn_out = now.episodes >= self.executor.episodes_per_browser
                if worn_out or await asyncio.to_thread(now.browser.needs_replacing):
                    now.retired = True
                    self._lease = None
                    await self._close_if_unused(now)
            if self._lease is None:
                self._lease = _BrowserLease(await self._launch())
            return self._lease

    async def _launch(self) -> Browser:
        return await Browser.launch(memory_limit_mb=self.executor.browser_memory_mb)

    async def _close_if_unused(self, lease: _BrowserLease) -> None:
        if lease.retired and lease.playing == 0:
            await lease.browser.close()

    async def close(self) -> None:
        """Closes the browser. Its episodes must have ended or been cancelled."""
        await self._pool.close()
        self._code.close()
        lease, self._lease = self._lease, None
        if lease is not None:
            await lease.browser.close()


def _attributed(error: GwrayError, spec: EpisodeSpec) -> GwrayError:
    """Attributes an error to the game if no other episode shared the browser."""
    if isinstance(error, PageHung | PageCrashed):
        what = "hung" if isinstance(error, PageHung) else "crashed"
        return GameError(f"{spec.game}: {error}; it also {what} alone in a new browser")
    return BrowserError(str(error)) if isinstance(error, BrowserDisconnected) else error
